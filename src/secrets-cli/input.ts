import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { usageError } from '../errors.ts';
import type { Terminal } from '../terminal.ts';
import { parseEnvFile } from './env-file.ts';
import type { Secret } from './secret.ts';

/** More than any set of secrets. In bytes. */
const LIMIT = 2 ** 20;
/** So many problems of a file are told. */
const TOLD = 20;

/**
 * The secrets of `--file`: a path relative to the working directory, or `-` for stdin. Pipes do, as `<(…)` gives them.
 *
 * @throws {UserError} Exit code 2: every problem of the file, by its line.
 */
export async function readSecretsFile(path: string, terminal: Terminal): Promise<Secret[]> {
  const name = path === '-' ? 'stdin' : path;
  const bytes = path === '-' ? await readInput('--file -', terminal) : await readFile(path, terminal);
  const { secrets, problems } = parseEnvFile(bytes);
  const [only] = problems;
  if (only === undefined) return secrets;
  if (problems.length === 1) throw usageError(`Nothing was sent, because of ${name}: ${only}`, { reason: 'file' });
  const more = problems.length > TOLD ? [`and ${problems.length - TOLD} more`] : [];
  throw usageError(`Nothing was sent, because of ${problems.length} problems in ${name}:`, {
    reason: 'file',
    problems: [...problems.slice(0, TOLD), ...more],
  });
}

/** A text from stdin, less the line break that `echo` adds. `word` is what asked for it. */
export async function readInputText(word: string, terminal: Terminal): Promise<string> {
  const bytes = await readInput(word, terminal);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.replace(/\r?\n$/, '');
  } catch {
    throw usageError('What comes from stdin is not UTF-8 text');
  }
}

async function readInput(word: string, terminal: Terminal): Promise<Uint8Array> {
  if (terminal.inputIsTerminal) throw usageError(`${word} reads stdin, which is a terminal: pipe something in`);
  return readAtMost(terminal.inputBytes(), 'stdin');
}

async function readFile(path: string, { cwd }: Terminal): Promise<Uint8Array> {
  const unreadable = (why: string) => usageError(`${path} can't be read: ${why}`, { reason: 'file' });
  if (path === '') throw unreadable('the path is empty');
  const file = await open(resolve(cwd, path)).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(REASONS[error.code ?? ''] ?? `${error.code}`);
  });
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) throw unreadable('it is a directory');
    if (isatty(file.fd)) throw unreadable('it is a terminal');
    return await readAtMost(file.createReadStream({ autoClose: false }), path);
  } finally {
    await file.close();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'that is not permitted',
  ENXIO: 'it is a socket',
};

async function readAtMost(chunks: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > LIMIT) throw usageError(`${name} is larger than 1 MiB`, { reason: 'file' });
  }
  return Buffer.concat(parts);
}
