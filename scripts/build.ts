import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, writeLicenses } from './bundle.ts';

// dist/ has the same layout as the sources, so that each generator finds its templates next to it. It's replaced when all
// is built, because the command may be in use.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const dist = `dist.${process.pid}`;
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', dist];
execFileSync(process.execPath, tsc, { stdio: 'inherit' });
keepReachable(dist, /^generators\/\w+\/index\.d\.ts$/);
writeLicenses(await bundle(dist), `${dist}/THIRD-PARTY-LICENSES.txt`);
for (const name of readdirSync('generators')) {
  const templates = `generators/${name}/templates`;
  if (existsSync(templates)) cpSync(templates, `${dist}/${templates}`, { recursive: true });
}
cpSync('src/guide/pages', `${dist}/src/guide/pages`, { recursive: true });
chmodSync(`${dist}/src/bin/botcli.js`, 0o755);
if (existsSync('dist')) renameSync('dist', `${dist}.old`);
renameSync(dist, 'dist');
rmSync(`${dist}.old`, { recursive: true, force: true });

/** Deletes the declarations that the entries don't import, directly or indirectly. */
function keepReachable(directory: string, entry: RegExp): void {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.d.ts'));
  const reached = new Set<string>();
  const reach = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    const imports = readFileSync(join(directory, path), 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g);
    for (const [, name] of imports) reach(join(dirname(path), `${name}.d.ts`));
  };
  for (const path of files.filter(path => entry.test(path))) reach(path);
  for (const path of files.filter(path => !reached.has(path))) rmSync(join(directory, path));
}
