import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { explainSystemError, isSystemError } from '../src/errors.ts';

const met = (work: () => unknown): unknown => {
  try {
    return assert.fail(String(work()));
  } catch (error) {
    return error;
  }
};

/** An error as Node makes it of a system call. */
const failed = (code: string, errno: number) =>
  Object.assign(new Error(`${code}: as Node has it, open 'x'`), { code, errno, syscall: 'open' });

describe('an error of the operating system', () => {
  it('is said in plain language, without its path', () => {
    assert.equal(explainSystemError(met(() => readFileSync('/no/such/file'))), 'no such file or directory');
    assert.equal(explainSystemError(met(() => readFileSync('/'))), 'it is a directory');
  });

  const words: Readonly<Record<string, string>> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EIO: 'the disk reported an I/O error',
    ENOENT: 'no such file or directory',
    EISDIR: 'it is a directory',
    ENXIO: 'it is a socket',
    ENOTDIR: 'part of its path is not a directory',
    ELOOP: 'its path has too many symbolic links',
    ENAMETOOLONG: 'the name is too long',
  };
  for (const [code, said] of Object.entries(words)) {
    it(`${code}: ${said}`, () => assert.equal(explainSystemError(failed(code, 0)), said));
  }

  /** Each system has numbers of its own. */
  const errnoOf = (code: string) => [...getSystemErrorMap()].find(([, [name]]) => name === code)?.[0] ?? 0;

  it('is said in words of the system where there are none of ours', () => {
    assert.equal(explainSystemError(failed('ETXTBSY', errnoOf('ETXTBSY'))), 'text file is busy');
    assert.equal(explainSystemError(failed('ENEW', -99_999)), 'ENEW');
  });

  it('comes from a system call', () => {
    assert(isSystemError(failed('EIO', -5)));
    assert(!isSystemError(met(() => readFileSync('a\0b'))));
    assert(!isSystemError(new Error('x')));
    assert.equal(explainSystemError(new Error('x')), 'x');
  });
});
