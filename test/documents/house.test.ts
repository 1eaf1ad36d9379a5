import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readImports } from './walls.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How many of each there may be. Lower a number when the code allows it. */
const MOST = { 'exported names with one user': 306, 'files with one importer and under 60 lines': 2 };

const imports = readImports(ROOT, ['src', 'generators']);
const texts = new Map([...imports.keys()].map(path => [path, readFileSync(join(ROOT, path), 'utf8')]));

/** The modules that import from each module. */
const importers = new Map<string, Set<string>>();
for (const [path, names] of imports)
  for (const name of names.filter(one => one.startsWith('.'))) {
    const target = posix.join(posix.dirname(path), name);
    importers.set(target, (importers.get(target) ?? new Set()).add(path));
  }

const PASSED_ON = /^export (?:type )?(?:\*|\{[^}]*\}) from '([^']+)'/gm;

/** Who uses what a module exports, also through a module that exports it again. */
function usersOf(path: string): Set<string> {
  const users = [...(importers.get(path) ?? [])].flatMap(user => {
    const passedOn = [...(texts.get(user) ?? '').matchAll(PASSED_ON)];
    const passesOn = passedOn.some(([, from = '']) => posix.join(posix.dirname(user), from) === path);
    return passesOn ? [user, ...usersOf(user)] : [user];
  });
  return new Set(users);
}

const EXPORT = /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm;

/** The exported names that at most one other module has: each as `file name`. */
const exported = [...texts].flatMap(([path, text]) =>
  [...text.matchAll(EXPORT)].flatMap(([, name = '']) => {
    const users = [...usersOf(path)].filter(user => new RegExp(`\\b${name}\\b`).test(texts.get(user) ?? ''));
    return users.length <= 1 ? [`${path} ${name}`] : [];
  }),
);

const small = [...texts].flatMap(([path, text]) => {
  const lines = text.split('\n').filter(line => line.trim() !== '').length;
  return path.startsWith('src/') && importers.get(path)?.size === 1 && lines < 60 ? [path] : [];
});

describe('the code', () => {
  for (const [about, found] of [
    ['exported names with one user', exported],
    ['files with one importer and under 60 lines', small],
  ] as const) {
    it(`has no more ${about} than before: ${found.length} now, and ${MOST[about]} are allowed`, () => {
      assert(found.length <= MOST[about], `There are ${found.length}:\n${found.join('\n')}`);
    });
  }
});
