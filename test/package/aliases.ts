import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ALIASES } from '../../scripts/generated.ts';
import { PROGRAM } from '../../src/about.ts';
import { VERSION } from '../../src/version.ts';
import type { Environment } from '../bots/processes.ts';
import { KEYS } from '../support/pty.ts';
import { readTree } from '../support/trees.ts';
import { check, makeDirectory, openAt, type Packed, pack, project, run } from './workshop.ts';
import { BOT, made } from './yo.ts';

/**
 * Checks `npx botcli` and `npm create botcli`, which a person types who has installed nothing. npm gets everything from a
 * registry on this machine.
 */
export async function checkAliases(botcli: Packed): Promise<void> {
  const aliases: Packed[] = [];
  await check('npm pack, the packages that run botcli', () => {
    for (const { name } of ALIASES) {
      const packed = pack(join(project, 'packages', name));
      assert.deepEqual(packed.files.sort(), ['LICENSE', 'README.md', `${name}.js`, 'package.json'].sort());
      aliases.push(packed);
    }
  });
  const registry = await startRegistry([botcli, ...aliases]);
  const env = {
    ...withoutNpm(),
    npm_config_registry: registry.url,
    npm_config_cache: makeDirectory('registry-cache'),
  };
  try {
    await checkWizard(env);
    await checkCommands(env);
  } finally {
    registry.stop();
  }
}

/** Removes what npm has set for this test: it would change what the same commands do for a person. */
const withoutNpm = (): Environment =>
  Object.fromEntries(
    Object.keys(process.env)
      .filter(name => /^npm_/i.test(name))
      .map(name => [name, undefined]),
  );

async function checkCommands(env: Environment): Promise<void> {
  await check('npx botcli init quickstart', () => {
    const directory = makeDirectory('by-npx');
    const printed = run('npx', ['botcli', 'init', 'quickstart'], directory, env);
    // Nothing is installed, so the next steps must name a program that npx gets.
    const [, folder = '', command = ''] = /\nNext:\n {2}cd (\S+)\n {2}(\S.*)\n/.exec(printed) ?? [];
    assert.deepEqual([folder, command], ['botcli-quickstart', `${PROGRAM} dev`], printed);
    const help = run('npx', [`botcli@${VERSION}`, 'dev', '--help'], join(directory, folder), env);
    assert.match(help, /^Usage: botcli dev /m);
    const { 'botcli-quickstart/README.md': readme = '' } = readTree(directory);
    assert.ok(readme.includes(`${PROGRAM} init . `), readme);
  });
  await check('npx botcli@VERSION, as documents of a project have it', () => {
    const directory = makeDirectory('by-version');
    assert.equal(run('npx', [`botcli@${VERSION}`, '--version'], directory, env).trim(), VERSION);
  });
  await check('npm create botcli, with options', () => {
    const directory = makeDirectory('by-create');
    const printed = run('npm', ['create', 'botcli@latest', made, '--', ...BOT], directory, env);
    assert.ok(printed.includes(`Your bot is in ${made}`), printed);
    assert.deepEqual(readTree(join(directory, made)), readTree(makeDirectory(join('by-botcli', made))));
  });
}

async function checkWizard(env: Environment): Promise<void> {
  await check('npm create botcli@latest asks in a terminal', async () => {
    const terminal = openAt(['npm', 'create', 'botcli@latest'], makeDirectory('asked-by-create'), env);
    await terminal.until('Ok to proceed?');
    terminal.type('y\r');
    await terminal.until(/◆ {2}[\s\S]*└/);
    terminal.type(KEYS.ctrlC);
    assert.equal((await terminal.ended).code, 130, terminal.text());
  });
}

async function startRegistry(packed: readonly Packed[]): Promise<{ url: string; stop(): void }> {
  const words = ['--import', 'tsx/esm', join(import.meta.dirname, 'registry-program.ts'), JSON.stringify(packed)];
  const server = spawn(process.execPath, words, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  return { url: String(line).trim(), stop: () => void server.kill() };
}
