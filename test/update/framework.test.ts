import assert from 'node:assert/strict';
import { textHashOf } from '../../src/project/files/state.ts';
import { type OwnedProject, ownedIt } from './project.ts';

const TOOL = [
  'from pipecat.pipeline.task import PipelineTask',
  'from pipecat.services.cartesia.tts import CartesiaTTSService',
  'from pipecat.services.openai.llm import OpenAILLMService',
  '',
  '# PipelineTask stays in comments.',
  'tts = CartesiaTTSService(api_key="x")',
  'llm = OpenAILLMService(model="gpt-4.1")',
  'task = PipelineTask(None, PipelineTask="mine")',
  '',
].join('\n');

const RENAMED = TOOL.replace('task import PipelineTask', 'worker import PipelineWorker').replace(
  'task = PipelineTask(',
  'task = PipelineWorker(',
);

/** A project that the user has with an older release of the framework. */
const olderIt = (title: string, use: (project: OwnedProject) => Promise<void>) =>
  ownedIt(title, async project => {
    project.edit('server/pyproject.toml', /==1\.14\.0/, '==1.8.1');
    project.write('bot/server/tool.py', TOOL);
    await use(project);
  });

describe('botcli update --framework', () => {
  olderIt('says what changed for this bot, writes new names, and moves the release', async ({ succeed, read }) => {
    const output = await succeed('update bot --framework');
    assert.deepEqual(output.split('\n').slice(0, 9), [
      'Pipecat 1.8.1 → 1.14.0: 1 of 682 changes touch this bot',
      '  changes   server/tool.py:6  CartesiaTTSService has model "sonic-3.6" since 1.9.0, and had "sonic-3.5". You don\'t set it',
      '  will go   server/tool.py:7  OpenAILLMService(model=…): use settings=OpenAILLMService.Settings(model=...)',
      '  renamed   PipelineTask is PipelineWorker',
      '  read      https://github.com/pipecat-ai/pipecat/releases/tag/v1.9.0',
      '  next      have your coding agent read: botcli guide upgrade',
      '✓ bot is updated',
      '  merged    server/pyproject.toml (with your edits)',
      '            server/tool.py (with your edits)',
    ]);
    assert.equal(read('bot/server/tool.py'), RENAMED);
    assert.match(read('bot/server/pyproject.toml'), /==1\.14\.0/);
    assert.match(await succeed('update bot --framework'), /^Pipecat 1\.14\.0:\n {2}will go/);
  });

  olderIt('writes nothing with --dry-run, and no new names with --no-rename', async ({ succeed, read, tree }) => {
    const before = tree();
    assert.match(await succeed('update bot --framework --dry-run'), /renamed/);
    assert.deepEqual(tree(), before);
    assert.doesNotMatch(await succeed('update bot --framework --no-rename'), /renamed/);
    assert.equal(read('bot/server/tool.py'), TOOL);
    assert.match(read('bot/server/pyproject.toml'), /==1\.14\.0/);
  });

  olderIt('gives programs all of it', async ({ succeed }) => {
    const { framework } = JSON.parse(await succeed('update bot --framework --json'));
    assert.deepEqual([framework.from, framework.to, framework.changes_listed], ['1.8.1', '1.14.0', 682]);
    assert.deepEqual(
      framework.changes.map(({ name, argument, effect }: Record<string, string>) => `${effect} ${name} ${argument}`),
      [
        'changed pipecat.services.cartesia.tts.CartesiaTTSService model',
        'deprecated pipecat.services.openai.llm.OpenAILLMService model',
      ],
    );
    assert.deepEqual(framework.renamed.length, 1);
  });

  olderIt('can stop at an earlier release', async ({ succeed, read }) => {
    assert.match(await succeed('update bot --framework-release 1.8.1'), /^Pipecat 1\.8\.1:/);
    assert.match(await succeed('update bot --framework-release 1.10.0'), /^Pipecat 1\.8\.1 → 1\.10\.0: 1 of 161 /);
    assert.match(read('bot/server/pyproject.toml'), /==1\.10\.0/);
  });

  ownedIt('says in one line that a bot needs nothing', async ({ succeed, tree }) => {
    const before = tree();
    assert.equal(
      await succeed('update bot --framework'),
      'Pipecat 1.14.0: nothing to do for this bot.\nbot is up to date.\n',
    );
    assert.deepEqual(tree(), before);
  });

  olderIt('leaves a bot with an older release alone without it', async ({ succeed, read }) => {
    assert.equal(await succeed('update bot'), 'bot is up to date.\n');
    assert.equal(read('bot/server/tool.py'), TOOL);
  });

  olderIt('isn’t needed if botcli itself writes a newer release', async ({ succeed, read, record }) => {
    record({ files: { 'server/pyproject.toml': textHashOf(Buffer.from(read('bot/server/pyproject.toml'))) } });
    const output = await succeed('update bot');
    assert.match(output, /^Pipecat 1\.8\.1 → 1\.14\.0: [\s\S]*\n {2}renamed {3}PipelineTask is PipelineWorker\n/);
    assert.equal(read('bot/server/tool.py'), RENAMED);
    assert.match(read('bot/server/pyproject.toml'), /==1\.14\.0/);
    assert.equal(await succeed('update bot'), 'bot is up to date.\n');
  });

  olderIt(
    'keeps names that another file of the project takes from there, without a word about the framework',
    async ({ succeed, read, write }) => {
      write('bot/server/other.py', 'import tool\ntool.PipelineTask(None)\n');
      assert.match(await succeed('update bot --framework'), /will go {3}server\/tool\.py:1 [\s\S]* PipelineTask: use /);
      assert.equal(read('bot/server/tool.py'), TOOL);
    },
  );

  olderIt('links to all releases if more than one changes something', async ({ succeed, write }) => {
    write('bot/server/tool.py', 'from pipecat.services.groq.stt import GroqSTTService\nGroqSTTService()\n');
    write('bot/server/more.py', TOOL);
    const output = await succeed('update bot --framework --dry-run');
    assert.match(output, /\n {2}read {6}https:\/\/github\.com\/pipecat-ai\/pipecat\/releases\n/);
  });

  olderIt('leaves code alone that Python refuses, and says so', async ({ succeed, read, write }) => {
    write('bot/server/tool.py', `${TOOL}x = (`);
    assert.match(await succeed('update bot --framework'), /skipped {3}server\/tool\.py isn't sound Python, so/);
    assert.equal(read('bot/server/tool.py'), `${TOOL}x = (`);
  });

  olderIt('refuses a release that is older or unknown, and a bot without one', async ({ run, edit }) => {
    const refuse = async (line: string, message: RegExp) => {
      const { code, stderr } = await run(line);
      assert.equal(code, 2);
      assert.match(stderr, message);
    };
    await refuse('update bot --framework-release 1.2.0', /has pipecat-ai 1\.8\.1, which is newer than 1\.2\.0/);
    await refuse('update bot --framework-release 1.99.0', /"1\.99\.0"\. It must be one of 1\.0\.0, /);
    await refuse('update bot --framework-release 1.99.0 --stt nosuch_stt', /nosuch_stt[\s\S]*"1\.99\.0"\. It must be /);
    await refuse('update --framework 1.10.0', /takes no release\nDid you mean --framework-release 1\.10\.0\?/);
    edit('server/pyproject.toml', /==1\.8\.1/, '>=1.8.1');
    await refuse('update bot --framework', /has no pipecat-ai with a single release/);
  });
});
