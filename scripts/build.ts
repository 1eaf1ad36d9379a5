import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle, writeLicenses } from './bundle.ts';

// dist/ mirrors the sources, as far as there are files: every generator finds its templates beside it.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
writeLicenses(await bundle('dist'), 'dist/THIRD-PARTY-LICENSES.txt');
for (const name of readdirSync('generators')) {
  const templates = `generators/${name}/templates`;
  if (existsSync(templates)) cpSync(templates, `dist/${templates}`, { recursive: true });
}
chmodSync('dist/src/bin/botcli.js', 0o755);
