import assert from 'node:assert/strict';
import { asRunIn, isPublished, npxOf, PROGRAM, programIn } from '../src/about.ts';
import { COMMANDS } from '../src/bin/main.ts';
import { VERSION } from '../src/version.ts';
import { BOT, session } from './support/session.ts';

const NPX = { npm_command: 'exec', npm_package_name: 'mine' };
const RELEASED = 'npx botcli@1.2.3';

describe('a message for somebody who runs a release of botcli with npx', () => {
  const asRun = asRunIn(NPX, COMMANDS, RELEASED);
  const messages: [message: string, shown: string][] = [
    ['Log in: botcli cloud auth login', `Log in: ${RELEASED} cloud auth login`],
    ['Try `botcli init`, or botcli init DIRECTORY', `Try \`${RELEASED} init\`, or ${RELEASED} init DIRECTORY`],
    ['npx botcli init quickstart', 'npx botcli init quickstart'],
    ['npx botcli@9.9.9 update', 'npx botcli@9.9.9 update'],
    ['botcli can check the result', 'botcli can check the result'],
    ['botcli 0.1.0 wrote it', 'botcli 0.1.0 wrote it'],
    ["my-botcli init isn't ours", "my-botcli init isn't ours"],
    ['\u001b[2mbotcli check\u001b[22m', `\u001b[2m${RELEASED} check\u001b[22m`],
  ];
  for (const [message, shown] of messages) it(message, () => assert.equal(asRun(message), shown));

  it(
    'has commands that work, whichever it is',
    session({}, async ({ succeed }) => {
      const names = [...(await succeed('--help')).matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)];
      assert(names.length >= 6);
      for (const [, name] of names) assert.equal(asRun(`botcli ${name}`), `${RELEASED} ${name}`);
    }),
  );
});

describe('the program in messages', () => {
  it(
    'is the same in hints, in JSON and in the fixes of a check',
    session({}, async ({ fail, run, succeed, write }) => {
      assert((await fail(2, 'init my-bot --mode fast', { env: NPX })).includes(` ${PROGRAM} init --list-options`));
      const { error } = JSON.parse((await run('init my-bot --mode fast --json', { env: NPX })).stdout);
      assert(error.hint.includes(`${PROGRAM} init --help`), error.hint);
      await succeed(`init bot ${BOT}`);
      write('bot/AGENTS.md', '<!-- Written by botcli 0.0.9. Refresh with: x -->\n');
      const found = async (words = '') => (await run(`check bot ${words}`, { env: NPX })).stdout;
      const fix = `${PROGRAM} init bot --overwrite-guide`;
      assert((await found()).includes(`Run: ${fix}\n`));
      assert((await found('--json')).includes(JSON.stringify(fix)));
    }),
  );
});

describe('after a package manager that runs botcli once', () => {
  // As each of them sets them.
  const runners: [about: string, env: Record<string, string>, program: string][] = [
    [
      'npx',
      { npm_command: 'exec', npm_lifecycle_event: 'npx', npm_config_user_agent: 'npm/11.1.0 node/v24.1.0' },
      RELEASED,
    ],
    ['npm create', { npm_command: 'init', npm_config_user_agent: 'npm/11.1.0 node/v24.1.0' }, RELEASED],
    ['pnpm dlx or create', { npm_config_user_agent: 'pnpm/10.12.1 npm/? node/v24.1.0' }, 'pnpm dlx botcli@1.2.3'],
    ['yarn dlx or create', { npm_config_user_agent: 'yarn/4.9.2 npm/? node/v24.1.0' }, 'yarn dlx botcli@1.2.3'],
    ['yarn create, version 1', { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v24.1.0' }, RELEASED],
    [
      'bunx',
      { npm_command: 'exec', npm_lifecycle_event: 'bunx', npm_config_user_agent: 'bun/1.3.0 npm/? node/v24.1.0' },
      'bunx botcli@1.2.3',
    ],
    ['a script of npm', { npm_command: 'run-script', npm_lifecycle_event: 'bot' }, 'botcli'],
    ['a script of pnpm', { npm_lifecycle_event: 'bot', npm_config_user_agent: 'pnpm/10.12.1 npm/?' }, 'botcli'],
    ['nothing', {}, 'botcli'],
  ];
  for (const [about, env, program] of runners) {
    it(`${about}: commands begin with ${program}`, () => {
      assert.equal(programIn(env, RELEASED), program);
      assert.equal(asRunIn(env, COMMANDS, RELEASED)('Run botcli dev'), `Run ${program} dev`);
      assert.equal(programIn(env, 'botcli'), 'botcli', 'a botcli in development names no package');
    });
  }
});

describe('a package of ours', () => {
  // The version, the one that runs, and whether npm may have it.
  const versions: [version: string, running: string, published: boolean][] = [
    ['1.2.3', '1.2.3', true],
    ['1.2.3', '2.0.0', true],
    ['9.0.0', '2.0.0', true],
    ['0.1.0-dev', '0.1.0-dev', false],
    ['0.1.0-dev', '2.0.0', false],
    ['2.0.0-rc.1', '2.0.0', false],
    ['1.2.3', '2.0.0-dev', false],
    ['1.2.3+build', '2.0.0', false],
    ['', '2.0.0', false],
    ['latest', '2.0.0', false],
  ];
  for (const [version, running, published] of versions) {
    it(`of version "${version}" is ${published ? '' : 'not '}named by botcli ${running}`, () => {
      assert.equal(isPublished(version, running), published);
      assert.equal(npxOf(version, running), published ? `npx botcli@${version}` : undefined);
    });
  }

  it('is in no text of a botcli that is in development', () => {
    assert.equal(PROGRAM, isPublished(VERSION) ? `npx botcli@${VERSION}` : 'botcli');
    assert.equal(programIn(NPX), PROGRAM);
  });
});
