import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isTracked } from '../src/git-index.ts';
import { inTree } from './support/trees.ts';

const entry = (path: string) => `${String.fromCharCode(path.length)}${path}\0`;

describe('whether git tracks a file', () => {
  const MIB = 2 ** 20;
  const indexes: [name: string, index: string, is: boolean][] = [
    ['the first entry', entry('.env'), true],
    ['an entry across two parts of a large index', `${'x'.repeat(MIB - 3)}${entry('.env')}`, true],
    ['the last entry of a large index', `${'x'.repeat(3 * MIB)}${entry('.env')}`, true],
    ['a large index without it', 'x'.repeat(3 * MIB), false],
    ['another path with the same end', entry('sub/.env'), false],
    ['another path with the same start', entry('.env.bot'), false],
    ['an empty index', '', false],
  ];
  for (const [name, index, is] of indexes) {
    it(`${is ? 'yes' : 'no'}: ${name}`, () =>
      inTree({ '.env': 'A=1', '.git/index': index }, async directory =>
        assert.equal(isTracked(join(directory, '.env')), is),
      ));
  }

  it('no: there is no repository, or its index is a directory', () =>
    inTree({ 'a/.env': '', 'b/.env': '', 'b/.git/index/x': '' }, async directory => {
      for (const folder of ['a', 'b']) assert.equal(isTracked(join(directory, folder, '.env')), false);
    }));

  it('no, without waiting: the index or .git is a named pipe', () =>
    inTree({ 'a/.env': '', 'b/.env': '' }, async directory => {
      mkdirSync(join(directory, 'a/.git'));
      execFileSync('mkfifo', [join(directory, 'a/.git/index'), join(directory, 'b/.git')]);
      for (const folder of ['a', 'b']) assert.equal(isTracked(join(directory, folder, '.env')), false);
    }));
});
