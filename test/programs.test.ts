import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Facts } from '../src/check/checks/facts.ts';
import { thisMachine } from '../src/check/this-machine.ts';
import { commandIn } from '../src/dev/parts.ts';
import type { UserError } from '../src/errors.ts';
import { findProgram, onlyIn, shortAnswer, startOf, withOwnPrograms } from '../src/programs.ts';
import type { Terminal } from '../src/shell/terminal.ts';
import { posixIt, windowsIt } from './support/systems.ts';
import { inTree, type Tree } from './support/trees.ts';

/** Programs in and around a project: each only says that it ran. */
const PLACES = ['home/.local/bin', 'repo/bot/.venv/bin', 'repo/tools', 'repo/bot/server/.venv/bin', 'other/.venv/bin'];
const tree: Tree = {
  ...Object.fromEntries(PLACES.map(place => [`${place}/uv`, '#!/bin/sh\n'])),
  'repo/bot/.botcli.json': '{}',
  'repo/.git/HEAD': '',
};

const inPlaces = (use: (at: (path: string) => string, env: (...places: string[]) => Record<string, string>) => void) =>
  inTree(tree, directory => {
    const root = realpathSync(directory);
    const at = (path: string) => join(root, path);
    for (const place of PLACES) chmodSync(at(`${place}/uv`), 0o755);
    use(at, (...places) => ({ HOME: at('home'), PATH: places.join(delimiter) }));
  });

/** The Node.js of a system. One that npm has put somewhere stays on the PATH. */
const NODE = '/usr/bin/node';

describe('programs on the PATH', () => {
  const foreign = ['repo/bot/.venv/bin', 'repo/tools', 'repo/bot/server/.venv/bin', 'repo/bot/missing'];
  for (const place of foreign) {
    posixIt(`aren't run from ${place}, which the author of the project may have filled`, () =>
      inPlaces((at, env) => {
        const both = env(at(place), at('home/.local/bin'));
        assert.equal(findProgram('uv', both, at('repo/bot')), at('home/.local/bin/uv'));
        assert.equal(findProgram('uv', env(at(place)), at('repo/bot')), undefined);
        assert.equal(onlyIn('uv', env(at(place)), at('repo/bot')), place.endsWith('missing') ? undefined : at(place));
        assert.equal(withOwnPrograms(both, at('repo/bot'), NODE).PATH, at('home/.local/bin'));
      }),
    );
  }

  posixIt("aren't run from a relative place, nor from where npm puts packages", () =>
    inPlaces((at, env) => {
      const places = ['.', '', 'bin', './.venv/bin', at('other/node_modules/.bin'), '/x/node_modules/npm/bin'];
      assert.equal(
        withOwnPrograms(env(...places, at('other/.venv/bin')), at('repo'), NODE).PATH,
        at('other/.venv/bin'),
      );
      assert.deepEqual(withOwnPrograms({ HOME: '/', EMPTY: undefined }, at('repo')), { HOME: '/', EMPTY: undefined });
    }),
  );

  posixIt('keep the Node.js that runs botcli, also where npm has put it', () =>
    inPlaces((at, env) => {
      const place = dirname(process.execPath);
      assert.equal(
        withOwnPrograms(env(at('home/.local/bin'), place), at('repo')).PATH,
        env(at('home/.local/bin'), place).PATH,
      );
    }),
  );

  // `npx -p node` has put Node.js there, and only a link to it on the PATH.
  posixIt('run with the Node.js that runs botcli, if that is among the packages of npm', () => {
    const PATH = '/x/node_modules/.bin:/usr/bin';
    const own = withOwnPrograms({ PATH }, '/nowhere', '/x/node_modules/node/bin/node');
    assert.equal(own.PATH, '/x/node_modules/node/bin:/usr/bin');
  });

  posixIt("aren't run through links that lead into the project, or out of it", () =>
    inPlaces((at, env) => {
      mkdirSync(at('links'));
      symlinkSync(at('repo/tools'), at('tools'));
      symlinkSync(at('repo/tools/uv'), at('links/uv'));
      symlinkSync(at('other/.venv/bin'), at('repo/bot/out'));
      for (const place of ['tools', 'links', 'repo/bot/out'])
        assert.equal(findProgram('uv', env(at(place)), at('repo/bot')), undefined, place);
    }),
  );

  const notRun = ['other/node_modules/.bin', 'repo/bot/client/tools'];
  for (const place of notRun) {
    posixIt(`aren't run from ${place}, and the error names it`, () =>
      inPlaces((at, env) => {
        const path = at(`${place}/pnpm`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, '', { mode: 0o755 });
        const terminal = { env: env(at('home'), dirname(path)) } as unknown as Terminal;
        const part = { program: 'pnpm', args: ['install'], folder: 'client', source: 'https://pnpm.io' } as const;
        assert.throws(
          () => commandIn({ project: { root: at('repo/bot') } } as Facts, part, terminal),
          (error: UserError) =>
            error.message === `pnpm is only in ${at(place)}, where botcli runs no programs` &&
            error.hint?.endsWith('\nInstall it: https://pnpm.io') === true,
        );
      }),
    );
  }

  posixIt('are run from anywhere else, such as the environment of another project', () =>
    inPlaces((at, env) => {
      assert.equal(findProgram('uv', env(at('other/.venv/bin')), at('repo/bot')), at('other/.venv/bin/uv'));
      assert.equal(onlyIn('uv', env(at('other/.venv/bin')), at('repo/bot')), undefined);
      assert.equal(onlyIn('uv', env(at('missing')), at('repo/bot')), undefined);
    }),
  );

  posixIt("are run from the user's home, even if it is a repository or a project itself", () =>
    inPlaces((at, env) => {
      for (const name of ['.git', '.botcli.json', 'server/.venv/bin'])
        mkdirSync(at(`home/${name}`), { recursive: true });
      const { PATH } = env(at('home/.local/bin'), at('home/server/.venv/bin'), dirname(process.execPath));
      for (const root of ['home', 'home/bots/mine'])
        assert.equal(findProgram('uv', { HOME: at('home'), PATH }, at(root)), at('home/.local/bin/uv'));
      assert(!withOwnPrograms({ HOME: at('home'), PATH }, at('home')).PATH?.includes('.venv'));
    }),
  );

  const starts: [file: string, args: string[], line: string][] = [
    ['/usr/bin/uv', ['run', 'a b'], '/usr/bin/uv run a b'],
    ['C:\\bin\\uv.exe', ['run', 'a b'], 'C:\\bin\\uv.exe run a b'],
    [
      'C:\\Program Files\\nodejs\\npm.cmd',
      ['run', 'a & b', 'end\\'],
      'W:\\System32\\cmd.exe /d /s /c ""C:\\Program Files\\nodejs\\npm.cmd" "run" "a & b" "end\\\\""',
    ],
    ['C:\\shims\\uv.BAT', [], 'W:\\System32\\cmd.exe /d /s /c ""C:\\shims\\uv.BAT""'],
  ];
  for (const [program, words, line] of starts) {
    it(`are started as they are, or by the shell of Windows: ${line}`, () => {
      const { file, args } = startOf(program, words, { SystemRoot: 'W:' });
      assert.equal([file, ...args].join(' ').replaceAll('/System32/', '\\System32\\'), line);
    });
  }

  it("aren't started by the shell of Windows with what it would change", () => {
    for (const word of ['%PATH%', 'a"b', 'a\nb']) assert.throws(() => startOf('npm.cmd', [word], {}), /can't pass on/);
  });

  windowsIt('are started from a directory with a space in its name, .cmd files too', () =>
    inTree({ 'my tools/uv.cmd': '@echo uv 0.9.9' }, async directory => {
      const env = { ...process.env, PATH: join(directory, 'my tools'), Path: undefined };
      assert.equal(await thisMachine({ env }).uvVersion(join(directory, 'project')), '0.9.9');
    }),
  );

  it('are found in one place', () => {
    const calls = /\b(?:spawn|spawnSync|execFile|execFileSync)\(\s*['"`](?!\/)/;
    const files = ['git.ts', 'check/this-machine.ts', 'dev/supervise.ts', 'update/carry-out.ts'];
    for (const file of files)
      assert.doesNotMatch(readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8'), calls);
  });
});

describe('a program that is asked for a short answer', () => {
  const code = (text: string): [string, ...string[]] => [process.execPath, '-e', text];
  const rows: [about: string, words: [string, ...string[]], answer: object][] = [
    ['gives its output', code('console.log(1)'), { output: '1\n' }],
    ['may fail', code('process.exit(3)'), { problem: 'ended with exit code 3', errors: '' }],
    ['may crash', code("process.kill(process.pid, 'SIGSEGV')"), { problem: 'ended because of SIGSEGV', errors: '' }],
    ['may be missing', ['/no/such/program'], { problem: "can't be started: no such file or directory", errors: '' }],
  ];
  for (const [about, words, expected] of rows) {
    it(about, async () => {
      assert.deepEqual(await shortAnswer(words, { env: process.env, patience: 60_000 }), expected);
    });
  }

  it('may be one that Node refuses to start', async () => {
    const answer = await shortAnswer(['\0'], { env: process.env, patience: 60_000 });
    assert.match('problem' in answer ? answer.problem : '', /^can't be started: /);
  });

  it("may not end, which isn't waited for", async () => {
    const answer = await shortAnswer(code('setInterval(() => {}, 1000)'), { env: process.env, patience: 100 });
    assert.deepEqual(answer, { problem: "doesn't end", errors: '' });
  });
});
