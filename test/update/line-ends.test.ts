import assert from 'node:assert/strict';
import type { Tree } from '../support/session.ts';
import { type OwnedProject, owned } from './project.ts';

/** Checks a project out as git for Windows does. */
function checkOut({ tree, write }: OwnedProject, path = ''): void {
  for (const [name, text] of Object.entries(tree())) if (name.startsWith(`bot/${path}`)) write(name, windows(text));
}

const windows = (text: string) => text.replaceAll('\n', '\r\n');
const allOf = (tree: Tree, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(tree).map(([path, text]) => [path, change(text)]));

describe('a project that git checked out with other line ends', () => {
  it('counts as unedited, and keeps them', () =>
    owned(async project => {
      const before = project.tree();
      checkOut(project);
      await project.succeed('update bot --recording --tts elevenlabs_tts');
      const after = project.tree();
      assert.match(after['bot/server/bot.py'] ?? '', /\r\nfrom recording import /);
      // Files that the update creates aren't git's yet.
      const changed = Object.fromEntries(Object.entries(after).filter(([path]) => path in before));
      assert.deepEqual(
        changed,
        allOf(
          allOf(changed, text => text.replaceAll('\r\n', '\n')),
          windows,
        ),
      );
      await project.succeed('update bot --no-recording --tts openai_tts');
      assert.deepEqual(project.tree(), allOf(before, windows));
    }, '--no-recording')());

  it('loses what the bot no longer needs', () =>
    owned(async project => {
      checkOut(project, 'server/evals');
      const { files } = JSON.parse(await project.succeed('update bot --no-eval --json'));
      const actions = files.filter(({ path }: { path: string }) => path.startsWith('server/evals/'));
      assert(actions.length > 1);
      for (const { path, action } of actions) assert.equal(action, 'deleted', path);
    }, '--eval')());

  it('is unchanged for init', () =>
    owned(async project => {
      checkOut(project);
      const before = project.disk();
      const options = '-t rtc_local -m cascade --stt openai_stt --llm openai_llm --tts openai_tts';
      assert.match(await project.succeed(`init bot ${options}`), /every file is up to date/);
      assert.deepEqual(project.disk(), before);
    })());
});

describe('.gitattributes', () => {
  it('comes with an update, unless the project has its own', () =>
    owned(async project => {
      const ours = project.read('bot/.gitattributes');
      project.remove('bot/.gitattributes');
      project.edit('.botcli.json', / +"\.gitattributes": .*\n/, '');
      assert.match(await project.succeed('update bot'), /created {3}\.gitattributes/);
      assert.equal(project.read('bot/.gitattributes'), ours);
      project.edit('.botcli.json', / +"\.gitattributes": .*\n/, '');
      project.write('bot/.gitattributes', '*.png binary\n');
      await project.succeed('update bot');
      await project.succeed(`init bot -t rtc_local -m cascade --stt openai_stt --llm openai_llm --tts openai_tts`);
      assert.equal(project.read('bot/.gitattributes'), '*.png binary\n');
    })());
});
