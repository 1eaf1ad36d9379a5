/**
 * `npm run test:package` tests the published package. It packs the package, installs the tarball globally next to `yo`,
 * and runs `botcli`, `yo botcli` and third-party generators that use botcli's.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from '../support/trees.ts';
import { checkAliases } from './aliases.ts';
import { checkCompletion } from './completion.ts';
import { checkImporters, checkTypes } from './importers.ts';
import { checkNewerNode } from './newer-node.ts';
import { checkUpgrade } from './upgrade.ts';
import { check, finish, installGlobally, makeDirectory, pack, place, project, run } from './workshop.ts';
import { BOT, checkYo, made } from './yo.ts';
import { checkYoOnTerminal } from './yo-on-terminal.ts';

const packed = pack(project);
await check('npm pack', () => {
  const paths = packed.files;
  const expected = /^(dist\/|schema\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/;
  assert.deepEqual(
    paths.filter(path => !expected.test(path)),
    [],
  );
  assert.ok(paths.includes('dist/generators/bot/templates/gitignore.ejs'), 'npm drops files called .gitignore');
  // Only the declarations that the generators' types need.
  assert.ok(!paths.includes('dist/src/bin/main.d.ts'));
});
await check('npm install --global, next to yo 7', () => installGlobally('yo@7', packed.path));
await check('botcli --version', () => {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  assert.equal(run('botcli', ['--version'], place).trim(), version);
});
await check('botcli init my-bot', () => run('botcli', ['init', made, ...BOT], makeDirectory('by-botcli')));
await checkNewerNode(readTree(join(place, 'by-botcli', made)));
await checkAliases(packed);
await checkCompletion();
await checkUpgrade();

await checkYo('yo 7');
await checkYoOnTerminal('yo 7');
await check('npm install --global yeoman-generator', () => installGlobally('yeoman-generator@8'));
await checkImporters('yo 7');
await checkTypes();

await check('npm install --global yo 5 instead', () => installGlobally('yo@5'));
await checkYo('yo 5');
await checkYoOnTerminal('yo 5');
await checkImporters('yo 5');

process.exitCode = finish();
