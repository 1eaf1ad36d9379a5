import assert from 'node:assert/strict';
import { COMMANDS } from '../src/bin/main.ts';
import { asRunIn, PROGRAM } from '../src/program.ts';
import { BOT, session } from './support/session.ts';

const NPX = { npm_command: 'exec', npm_package_name: 'mine' };
const asRun = asRunIn(NPX, COMMANDS);

describe('a message for somebody who runs botcli with npx', () => {
  const messages: [message: string, shown: string][] = [
    ['Log in: botcli cloud auth login', `Log in: ${PROGRAM} cloud auth login`],
    ['Try `botcli init`, or botcli init DIRECTORY', `Try \`${PROGRAM} init\`, or ${PROGRAM} init DIRECTORY`],
    ['npx botcli init quickstart', 'npx botcli init quickstart'],
    ['npx botcli@9.9.9 update', 'npx botcli@9.9.9 update'],
    ['botcli can check the result', 'botcli can check the result'],
    ['botcli 0.1.0 wrote it', 'botcli 0.1.0 wrote it'],
    ["my-botcli init isn't ours", "my-botcli init isn't ours"],
    ['\u001b[2mbotcli check\u001b[22m', `\u001b[2m${PROGRAM} check\u001b[22m`],
  ];
  for (const [message, shown] of messages) it(message, () => assert.equal(asRun(message), shown));

  it(
    'has commands that work, whichever it is',
    session({}, async ({ fail, run, succeed }) => {
      const names = [...(await succeed('--help')).matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)];
      assert(names.length >= 6);
      for (const [, name] of names) assert.equal(asRun(`botcli ${name}`), `${PROGRAM} ${name}`);
      assert.match(await fail(2, 'init my-bot --mode fast', { env: NPX }), /\n.*npx botcli@\S+ init --list-options/);
      const { stdout } = await run('init my-bot --mode fast --json', { env: NPX });
      assert.match(JSON.parse(stdout).error.hint, /npx botcli@\S+ init --help/);
    }),
  );

  it(
    'has the fixes of a check, also for programs',
    session({}, async ({ run, succeed, write }) => {
      await succeed(`init bot ${BOT}`);
      write('bot/AGENTS.md', '<!-- Written by botcli 0.0.9. Refresh with: x -->\n');
      const found = async (words = '') => (await run(`check bot ${words}`, { env: NPX })).stdout;
      const fix = `${PROGRAM} init bot --overwrite-guide`;
      assert((await found()).includes(`Run: ${fix}\n`));
      assert((await found('--json')).includes(JSON.stringify(fix)));
    }),
  );
});
