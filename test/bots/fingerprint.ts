import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A hash of a Python file with the modules of its project that it imports, and so on. */
export function fingerprint(path: string): string {
  const hash = createHash('sha256');
  for (const one of withImports(path)) hash.update(`${basename(one)}\n${readFileSync(one, 'utf8')}\n`);
  return hash.digest('hex');
}

/** A module and those that it imports, directly or not. Each is next to the one that imports it, or one level higher. */
function withImports(path: string, known: readonly string[] = []): readonly string[] {
  if (known.includes(path)) return known;
  const names = [...readFileSync(path, 'utf8').matchAll(/^\s*(?:from|import) (\w+)/gm)].map(([, name]) => `${name}.py`);
  const imported = names
    .flatMap(name => [join(dirname(path), name), join(dirname(path), '..', name)])
    .filter(one => existsSync(one));
  return imported.reduce<readonly string[]>((all, one) => withImports(one, all), [...known, path]);
}
