import { getSystemErrorMap } from 'node:util';

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reported an I/O error',
  ENOENT: 'no such file or directory',
  EISDIR: 'it is a directory',
  ENXIO: 'it is a socket',
  ESTALE: 'it has just changed',
  ENOTDIR: 'part of its path is not a directory',
  ELOOP: 'its path has too many symbolic links',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 64 MiB',
  ENAMETOOLONG: 'the name is too long',
};

/** Whether an error comes from the operating system. Node's own errors also have a `code`, but no `syscall`. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** Whether an error comes from the operating system, with one of these codes. */
export const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  isSystemError(error) && codes.includes(error.code);

/** What some work returns, or something else if the system refuses it with one of these codes. */
export function orIfRefused<Result, Other>(codes: readonly string[], work: () => Result, other: Other): Result | Other {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, codes)) return other;
    throw error;
  }
}

/** Explains an operating system error in plain language. Any other error keeps its own message. */
export function explainSystemError(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  return WORDS[error.code] ?? getSystemErrorMap().get(error.errno ?? 0)?.[1] ?? error.code;
}
