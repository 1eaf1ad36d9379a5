import assert from 'node:assert/strict';
import { isInside, isProtected } from '../../src/project/protected.ts';

const paths: [path: string, isProtected: boolean][] = [
  ['.env', true],
  ['server/.env', true],
  ['server/.env.local', true],
  ['.env/a', true],
  ['.envrc', true],
  ['.git', true],
  ['a/.git/config', true],
  ['.GIT/config', true],
  ['.g\u200bit/config', true],
  ['.\u200bg\u200bit', true],
  ['.ｅnv', true],
  ['.env. .', true],
  ['.git. .', true],
  ['.git . a', false],
  ['.env::$DATA', true],
  ['.git:a\nb', true],
  ['GIT~1/config', true],
  ['ENV~1', true],
  ['EN4F2A~1.LOC', true],
  ['.env.example', false],
  ['server/.env.example', false],
  ['a.env', false],
  ['env', false],
  ['git', false],
  ['.gitignore', false],
  ['.github/a', false],
  ['my-git~1', false],
  ['gitx~1', false],
  ['git~a', false],
];

describe("the paths that are the user's alone", () => {
  for (const [path, expected] of paths) {
    it(`${JSON.stringify(path)}: ${expected ? 'yes' : 'no'}`, () => assert.equal(isProtected(path), expected));
  }
});

describe('a path in a project', () => {
  for (const path of ['a', 'a/b.c', '.a/..b', 'a b']) it(`may be ${path}`, () => assert(isInside(path)));
  for (const path of ['', '/a', 'a/', 'a//b', './a', 'a/.', '../a', 'a/..', 'a\\b', 'C:a', 'a\0']) {
    it(`can't be ${JSON.stringify(path)}`, () => assert(!isInside(path)));
  }
});
