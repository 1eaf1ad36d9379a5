import assert from 'node:assert/strict';
import AppGenerator from '../../generators/app/index.ts';
import BotGenerator from '../../generators/bot/index.ts';
import ClientGenerator from '../../generators/client/index.ts';
import GuideGenerator from '../../generators/guide/index.ts';
import QuickstartGenerator from '../../generators/quickstart/index.ts';
import type { ScaffoldFlags } from '../../generators/scaffold.ts';
import { scaffoldOptions } from '../../src/config/options.ts';
import { FLAGS, runGenerator } from './running.ts';

const GUIDES = ['AGENTS.md', 'ASSISTANT.md'];

/** The lines of the one error that these options give. */
async function refusal(type: unknown, options: object, words: string[] = []): Promise<string[]> {
  const error = await runGenerator(type, options, { words }).then(
    files => assert.fail(`wrote ${Object.keys(files)}`),
    thrown => thrown as Error & { code: number },
  );
  assert.deepEqual([error.name, error.code], ['UserError', 2]);
  return error.message.split('\n');
}

describe('what a host of Yeoman passes', () => {
  it('the word behind a generator is its directory, as it was typed', async () => {
    for (const word of ['007', '1e3', 'a[b]', '<%= x', '0x10']) {
      const files = Object.keys(await runGenerator(GuideGenerator, {}, { words: [word] }));
      assert.deepEqual(
        files,
        GUIDES.map(name => `${word}/${name}`),
      );
    }
  });

  it('the directory gives the project its name, and the parts of a project go there together', async () => {
    const { name: _, ...flags } = FLAGS;
    const files = await runGenerator(AppGenerator, { ...flags, clientFramework: 'vanilla' }, { words: ['007'] });
    assert.match(files['007/server/pyproject.toml'] ?? '', /name = "007"/);
    assert.ok(['007/AGENTS.md', '007/client/package.json'].every(path => path in files));
    assert.ok(Object.keys(files).every(path => path.startsWith('007/')));
  });

  it('quickstart goes where it is told to, or into its own directory', async () => {
    const roots = async (words: string[]) =>
      new Set(Object.keys(await runGenerator(QuickstartGenerator, {}, { words })).map(path => path.split('/')[0]));
    assert.deepEqual(await roots([]), new Set(['botcli-quickstart']));
    assert.deepEqual(await roots(['mine']), new Set(['mine']));
  });

  it('an option wins over the word, and there is one word', async () => {
    const files = await runGenerator(GuideGenerator, { directory: 'docs' }, { words: ['bot'] });
    assert.deepEqual(
      Object.keys(files),
      GUIDES.map(name => `docs/${name}`),
    );
    assert.deepEqual(await refusal(GuideGenerator, {}, ['a', 'b']), ['Pass one directory, not a and b.']);
  });

  it('a generator that extends ours has the words for itself, once it declares arguments', async () => {
    class Theirs extends GuideGenerator {
      constructor(args: string[], options: object) {
        super(args, options);
        this.argument('team', { type: String, required: true });
      }
    }
    assert.deepEqual(Object.keys(await runGenerator(Theirs, {}, { words: ['blue', 'red'] })), GUIDES);
  });

  it('a boolean that swallowed the directory is refused, with the way out', async () => {
    const way = 'Put the directory first: yo reads the word after an option as its value.';
    assert.deepEqual(await refusal(AppGenerator, { ...FLAGS, recording: 'my-bot' }), [
      'One problem with this configuration; nothing was written:',
      '  --recording must be true or false, not "my-bot"',
      way,
      'All values: botcli init --list-options. All options: botcli init --help.',
    ]);
    assert.deepEqual(await refusal(GuideGenerator, { overwriteGuide: 'my-bot' }), [
      '--overwrite-guide must be true or false, not "my-bot".',
      way,
    ]);
  });

  it('a boolean may be said as a word, and of several the last holds', async () => {
    const written = async (deploy: unknown) => {
      const files = await runGenerator(BotGenerator, { ...FLAGS, 'deploy-to-cloud': deploy });
      return 'server/cloud-deploy.toml' in files;
    };
    assert.deepEqual(
      [await written('true'), await written('false'), await written([false, true])],
      [true, false, true],
    );
  });

  it('a name that looks like a number stays as it was typed', async () => {
    const titleOf = async (name: unknown, ...typed: string[]) => {
      const before = process.argv;
      process.argv = [...before, ...typed];
      const files = await runGenerator(BotGenerator, { ...FLAGS, name }).finally(() => {
        process.argv = before;
      });
      return files['README.md']?.split('\n')[0];
    };
    assert.equal(await titleOf('007'), '# 007');
    // What yo 5 makes of `--name 007`, and another host of a name that nobody typed.
    assert.equal(await titleOf(7, '--name', '007'), '# 007');
    assert.equal(await titleOf(1000, '--name=1e3'), '# 1e3');
    assert.equal(await titleOf(7), '# 7');
  });

  it('short options count, and a value that is left out is missed', async () => {
    const { transport, mode, ...flags } = FLAGS;
    const files = await runGenerator(BotGenerator, { ...flags, t: ['rtc_local'], m: 'cascade' });
    assert.match(files['README.md'] ?? '', /-t rtc_local --mode cascade/);
    const [, ...problems] = await refusal(BotGenerator, { ...flags, t: true, m: ['cascade', 'realtime'] });
    assert.match(problems[0] ?? '', /^ {2}--transport can't be true\. Allowed: rtc_hosted \(Daily\), rtc_local/);
    assert.equal(problems[1], `  --mode can't be ["cascade","realtime"]. Allowed: cascade, realtime`);
  });

  it('the types know each scaffold option as a program spells it', () => {
    const known: Record<keyof ScaffoldFlags, true> = {
      name: true,
      botType: true,
      transport: true,
      mode: true,
      stt: true,
      llm: true,
      tts: true,
      realtime: true,
      video: true,
      clientFramework: true,
      clientServer: true,
      dailyPstnMode: true,
      twilioDailySipMode: true,
      videoInput: true,
      videoOutput: true,
      recording: true,
      transcription: true,
      deployToCloud: true,
      enableNoisecancel: true,
      observability: true,
      eval: true,
    };
    const flags = Object.keys(known).map(key => key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`));
    assert.deepEqual(
      flags,
      scaffoldOptions.map(({ flag }) => flag),
    );
  });

  it('the client says what it lacks', async () => {
    assert.deepEqual(await refusal(ClientGenerator, FLAGS), [
      'No client selected: pass --client-framework component or vanilla.',
    ]);
  });

  it('an error of the file system ends yo with a number', async () => {
    class Theirs extends GuideGenerator {
      override writing() {
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      }
    }
    await assert.rejects(runGenerator(Theirs), { message: 'EACCES: permission denied', code: 1 });
  });
});
