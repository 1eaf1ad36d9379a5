/**
 * `npm run test:package`: what people get. Packs the package, installs the tarball globally beside `yo`, and runs
 * `botcli` and `yo botcli` from there.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEYS, openTerminal } from '../support/pty.ts';
import type { Turn } from '../support/wizard.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'botcli-package-'));
const prefix = join(place, 'prefix');
const services = '-m cascade --stt openai_stt --llm openai_llm --tts openai_tts';
const client = '--client-framework component --client-server fullstack';
const bot = `-t rtc_local -t rtc_hosted ${services} ${client} --eval`.split(' ');
const env = {
  ...process.env,
  HOME: join(place, 'home'),
  PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
  CI: 'true',
};
const results: [string, Error | undefined][] = [];

// yo gives up root's rights, so what it reads and writes has to be open to everyone.
for (const directory of [place, env.HOME, prefix, join(place, 'by-botcli'), join(place, 'by-yo')]) {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o777);
}

await check('npm pack', () => {
  const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', place], project));
  cpSync(join(place, filename), join(place, 'package.tgz'));
  const paths: string[] = files.map((file: { path: string }) => file.path);
  const expected = /^(dist\/|schema\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/;
  assert.deepEqual(
    paths.filter(path => !expected.test(path)),
    [],
  );
  assert.ok(paths.includes('dist/generators/bot/templates/gitignore'), 'npm drops files called .gitignore');
});
await check('npm install --global, beside yo', () =>
  run('npm', ['install', '--global', '--silent', '--prefix', prefix, 'yo@7', join(place, 'package.tgz')], place),
);
await check('botcli --version', () => {
  assert.equal(
    run('botcli', ['--version'], place).trim(),
    JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version,
  );
});
await check('botcli init my-bot', () => run('botcli', ['init', 'my-bot', ...bot], join(place, 'by-botcli')));
await check('yo botcli makes the same project', () => makesTheSame('by-yo'));
await check('yo botcli:client makes the same client', () => {
  const directory = join(place, 'by-yo', 'client-alone', 'my-bot');
  mkdirSync(directory, { recursive: true });
  for (const path of [directory, join(directory, '..')]) chmodSync(path, 0o777);
  run('yo', ['botcli:client', '--skip-install', ...bot], directory);
  assert.deepEqual(readTree(join(directory, 'client')), readTree(join(place, 'by-botcli', 'my-bot', 'client')));
});
await check('yo botcli:guide keeps the guides that are there', () => {
  const directory = join(place, 'by-yo', 'my-bot');
  const before = readTree(directory);
  run('yo', ['botcli:guide', '--skip-install'], directory);
  assert.deepEqual(readTree(directory), before);
});
await check('yo botcli:quickstart', () => {
  run('yo', ['botcli:quickstart', '--skip-install'], join(place, 'by-yo'));
  assert.ok(existsSync(join(place, 'by-yo', 'botcli-quickstart', 'server', 'bot.py')));
});

await check('yo botcli asks on a terminal, and makes what its line makes', async () => {
  const [asked, typed] = ['by-asking', 'by-typing'].map(name => join(place, name, 'my-bot')) as [string, string];
  for (const directory of [dirname(asked), dirname(typed), asked, typed]) {
    mkdirSync(directory);
    chmodSync(directory, 0o777);
  }
  const noClient: Turn = ['Which web client?', `${KEYS.down.repeat(2)}\r`];
  const { questions } = await askYo(asked, [noClient, ['Make this bot?', '\r']]);
  assert.ok(questions.includes('Next:\n  cd server\n'), questions);
  const [, line = ''] = /(botcli init \. [\s\S]*?[^\\])\n\n/.exec(questions) ?? [];
  run('sh', ['-c', line], typed);
  assert.deepEqual(readTree(asked), readTree(typed));
});
await check('yo botcli leaves nothing when it is left, and ends with 130', async () => {
  const directory = join(place, 'left');
  mkdirSync(directory);
  chmodSync(directory, 0o777);
  const { code } = await askYo(directory, [['Speech-to-text', KEYS.ctrlC]]);
  assert.equal(code, 130);
  assert.deepEqual(readdirSync(directory), []);
});

await check('a generator of someone else writes the guides, composed in three ways', () => {
  const foreign = join(prefix, 'lib/node_modules/generator-foreign');
  cpSync(join(import.meta.dirname, 'foreign'), foreign, { recursive: true });
  run('npm', ['install', '--global', '--silent', '--prefix', prefix, 'yeoman-generator@8'], place);
  const ways = ['by-namespace', 'by-class', 'by-subclass'];
  const trees = ways.map(way => {
    const directory = join(place, `foreign-${way}`);
    mkdirSync(directory);
    chmodSync(directory, 0o777);
    run('yo', [`foreign:${way}`, '--skip-install'], directory);
    return readTree(directory);
  });
  for (const [at, tree] of trees.entries()) {
    assert.deepEqual(Object.keys(tree).sort(), ['bot/AGENTS.md', 'bot/ASSISTANT.md'], ways[at]);
    assert.deepEqual(tree, trees[0], ways[at]);
  }
});

await check('yo 5 makes the same project, too', () => {
  run('npm', ['install', '--global', '--silent', '--prefix', prefix, 'yo@5'], place);
  makesTheSame('by-yo-5');
});

rmSync(place, { recursive: true, force: true });
const failed = results.filter(([, error]) => error).length;
console.log(`\n${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function check(name: string, body: () => unknown): Promise<void> {
  let error: Error | undefined;
  try {
    await body();
  } catch (thrown) {
    error = thrown as Error;
  }
  results.push([name, error]);
  console.log(`${error ? '✗' : '✓'} ${name}${error ? `\n${error.message}` : ''}`);
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
}

/** `yo botcli` with options makes what `botcli init` makes. */
function makesTheSame(name: string): void {
  const directory = join(place, name, 'my-bot');
  mkdirSync(directory, { recursive: true });
  for (const path of [dirname(directory), directory]) chmodSync(path, 0o777);
  run('yo', ['botcli', '--skip-install', ...bot], directory);
  assert.deepEqual(readTree(directory), readTree(join(place, 'by-botcli', 'my-bot')));
}

/** Runs `yo botcli` on a terminal. These questions are answered as told, every other one by Enter alone. */
async function askYo(cwd: string, turns: readonly Turn[]): Promise<{ code: number; questions: string }> {
  const surroundings = { cwd, env: { ...env, CI: '' } as Record<string, string>, cols: 80, patience: 120_000 };
  const terminal = openTerminal(['yo', 'botcli', '--skip-install'], surroundings);
  let isOver = false;
  const ended = terminal.ended.finally(() => {
    isOver = true;
  });
  for (let behind = 0; !isOver; behind = terminal.text().length) {
    const found = await Promise.race([terminal.until(/◆ {2}[\s\S]*└/, behind).catch(() => {}), ended]);
    if (found) break;
    const shown = terminal.text().slice(behind);
    terminal.type(turns.find(([question]) => shown.includes(question))?.[1] ?? '\r');
  }
  return { code: (await ended).code, questions: terminal.text() };
}

function readTree(directory: string): Record<string, string> {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(path => join(directory, path));
  const files = paths.filter(path => statSync(path).isFile()).sort();
  return Object.fromEntries(files.map(path => [relative(directory, path), readFileSync(path, 'utf8')]));
}
