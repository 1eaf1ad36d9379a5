import assert from 'node:assert/strict';
import { BOT, session } from '../support/session.ts';
import { posixIt } from '../support/systems.ts';

const NAME = 'a\nrm b';
const INIT = ['init', NAME, '--name', 'bot', ...BOT.split(' ')];

/** Asserts that no line begins with what comes after the line break, and that the name is there. */
function assertWhole(text: string): void {
  assert.doesNotMatch(text, /^\s*rm b/m);
  assert.match(text, /a\uFFFDrm b/);
}

describe('a directory whose name has a line break', () => {
  posixIt(
    'has no line of its own in what init, check and update print',
    session({}, async ({ succeed, run }) => {
      const created = await succeed(INIT);
      assertWhole(created);
      assert.match(created, /\nNext:\n {2}# in the directory a\uFFFDrm b:\n {2}botcli dev\n/);
      const { stdout } = await run(['check', NAME]);
      assertWhole(stdout);
      assert.match(stdout, / {2}Copy the example, and fill in the values in a\uFFFDrm b\/server\/\.env\.\n/);
      assert.doesNotMatch(stdout, /cp |cd /);
      assertWhole(await succeed(['update', NAME, '-t', 'tel_a']));
    }),
  );

  posixIt(
    'is not in the commands that resolve conflicts, and drop a client',
    session({}, async ({ succeed, fail, read, write }) => {
      await succeed([...INIT, '--client-framework', 'vanilla']);
      const lost = await fail(1, ['update', NAME, '-t', 'tel_a']);
      assert.match(lost, /\nIf that is what you want, add --client-framework none\n$/);
      const bot = read(`${NAME}/server/bot.py`);
      write(
        `${NAME}/server/bot.py`,
        bot.replace(/OpenAITTSService\([\s\S]*?\n {4}\)/, 'OpenAITTSService(api_key="mine", voice="mine")'),
      );
      const refused = await fail(1, ['update', NAME, '--tts', 'cartesia_tts']);
      assert.doesNotMatch(refused, /^rm b/m);
      assert.match(refused, / Or write both versions with conflict markers: add --conflicts markers\n$/);
    }),
  );

  posixIt(
    'is not in a suggested command',
    session({}, async ({ succeed, fail }) => {
      await succeed(INIT);
      const refused = await fail(2, ['check']);
      assertWhole(refused);
      assert.match(refused, /\nThere is a project in a\uFFFDrm b\.\n$/);
      const hasBot = await fail(2, [...INIT, '--video-input', '-t', 'tel_a']);
      assert.match(hasBot, /\nThis directory has a bot\. botcli update changes it and keeps your edits\.\n/);
    }),
  );
});
