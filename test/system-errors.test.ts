import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { explainSystemError, isSystemError } from '../src/system-errors.ts';

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
    for (const code of ['EACCES', 'EPERM']) assert.equal(explainSystemError(failed(code, -1)), 'permission denied');
  });

  it('is said in words of the system where there are none of ours', () => {
    assert.equal(explainSystemError(failed('ETXTBSY', -26)), 'text file is busy');
    assert.equal(explainSystemError(failed('ENEW', -99_999)), 'ENEW');
  });

  it('comes from a system call', () => {
    assert(isSystemError(failed('EIO', -5)));
    assert(!isSystemError(met(() => readFileSync('a\0b'))));
    assert(!isSystemError(new Error('x')));
    assert.equal(explainSystemError(new Error('x')), 'x');
  });
});
