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
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

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

check('npm pack', () => {
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
check('npm install --global, beside yo', () =>
  run('npm', ['install', '--global', '--silent', '--prefix', prefix, 'yo@7', join(place, 'package.tgz')], place),
);
check('botcli --version', () => {
  assert.equal(
    run('botcli', ['--version'], place).trim(),
    JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version,
  );
});
check('botcli init my-bot', () => run('botcli', ['init', 'my-bot', ...bot], join(place, 'by-botcli')));
check('yo botcli makes the same project', () => {
  const directory = join(place, 'by-yo', 'my-bot');
  mkdirSync(directory);
  chmodSync(directory, 0o777);
  run('yo', ['botcli', '--skip-install', ...bot], directory);
  assert.deepEqual(readTree(directory), readTree(join(place, 'by-botcli', 'my-bot')));
});
check('yo botcli:client makes the same client', () => {
  const directory = join(place, 'by-yo', 'client-alone', 'my-bot');
  mkdirSync(directory, { recursive: true });
  for (const path of [directory, join(directory, '..')]) chmodSync(path, 0o777);
  run('yo', ['botcli:client', '--skip-install', ...bot], directory);
  assert.deepEqual(readTree(join(directory, 'client')), readTree(join(place, 'by-botcli', 'my-bot', 'client')));
});
check('yo botcli:guide keeps the guides that are there', () => {
  const directory = join(place, 'by-yo', 'my-bot');
  const before = readTree(directory);
  run('yo', ['botcli:guide', '--skip-install'], directory);
  assert.deepEqual(readTree(directory), before);
});
check('yo botcli:quickstart', () => {
  run('yo', ['botcli:quickstart', '--skip-install'], join(place, 'by-yo'));
  assert.ok(existsSync(join(place, 'by-yo', 'botcli-quickstart', 'server', 'bot.py')));
});

rmSync(place, { recursive: true, force: true });
const failed = results.filter(([, error]) => error).length;
console.log(`\n${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function check(name: string, body: () => unknown): void {
  let error: Error | undefined;
  try {
    body();
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

function readTree(directory: string): Record<string, string> {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(path => join(directory, path));
  const files = paths.filter(path => statSync(path).isFile()).sort();
  return Object.fromEntries(files.map(path => [relative(directory, path), readFileSync(path, 'utf8')]));
}
