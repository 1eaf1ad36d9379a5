import assert from 'node:assert/strict';
import AppGenerator from '../../generators/app/index.ts';
import BotGenerator from '../../generators/bot/index.ts';
import ClientGenerator from '../../generators/client/index.ts';
import GuideGenerator from '../../generators/guide/index.ts';
import QuickstartGenerator from '../../generators/quickstart/index.ts';
import { posixIt } from '../support/systems.ts';
import { FLAGS, runGenerator } from './running.ts';

const GUIDES = ['AGENTS.md', 'ASSISTANT.md'];

/** The lines of the error that these options cause. */
async function refusal(type: unknown, options: object, words: string[] = []): Promise<string[]> {
  const error = await runGenerator(type, options, { words }).then(
    files => assert.fail(`wrote ${Object.keys(files)}`),
    thrown => thrown as Error & { code: number },
  );
  assert.deepEqual([error.name, error.code], ['UserError', 2]);
  return error.message.split('\n');
}

describe('arguments and options from a Yeoman host', () => {
  for (const [word, test] of [
    ...['007', '1e3', 'a[b]', '0x10'].map(word => [word, it] as const),
    ['<%= x', posixIt] as const,
  ]) {
    test(`the word after a generator is its directory, exactly as typed: ${word}`, async () => {
      const files = Object.keys(await runGenerator(GuideGenerator, {}, { words: [word] }));
      assert.deepEqual(
        files,
        GUIDES.map(name => `${word}/${name}`),
      );
    });
  }

  it('the directory gives the project its name, and all parts of the project go into it', async () => {
    const { name: _, ...flags } = FLAGS;
    const files = await runGenerator(AppGenerator, { ...flags, clientFramework: 'vanilla' }, { words: ['007'] });
    assert.match(files['007/server/pyproject.toml'] ?? '', /name = "007"/);
    assert.ok(['007/AGENTS.md', '007/client/package.json'].every(path => path in files));
    assert.ok(Object.keys(files).every(path => path.startsWith('007/')));
  });

  it('quickstart goes into the given directory, or into its default directory', async () => {
    const roots = async (words: string[]) =>
      new Set(Object.keys(await runGenerator(QuickstartGenerator, {}, { words })).map(path => path.split('/')[0]));
    assert.deepEqual(await roots([]), new Set(['botcli-quickstart']));
    assert.deepEqual(await roots(['mine']), new Set(['mine']));
  });

  it('--directory overrides the argument, and a second argument is refused', async () => {
    const files = await runGenerator(GuideGenerator, { directory: 'docs' }, { words: ['bot'] });
    assert.deepEqual(
      Object.keys(files),
      GUIDES.map(name => `docs/${name}`),
    );
    assert.deepEqual(await refusal(GuideGenerator, {}, ['a', 'b']), ['Pass one directory, not a and b.']);
  });

  it('a generator that extends one and declares arguments gets all arguments', async () => {
    class Theirs extends GuideGenerator {
      constructor(args: string[], options: object) {
        super(args, options);
        this.argument('team', { type: String, required: true });
      }
    }
    assert.deepEqual(Object.keys(await runGenerator(Theirs, {}, { words: ['blue', 'red'] })), GUIDES);
  });

  it('a boolean option that swallowed the directory is refused, with a hint', async () => {
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

  it('an option on the command line that no generator knows is named, with the nearest one', async () => {
    const said: string[] = [];
    class Heard extends GuideGenerator {
      constructor(args: string[], given: object) {
        super(args, given);
        Object.defineProperty(this, 'log', { value: (text: string) => void said.push(text) });
      }
    }
    const typed = ['--overwrite-guid', '--no-color', '--no-insight', '--size=2', '--no-getting-started'];
    const { argv } = process;
    process.argv = ['node', 'yo', 'botcli:guide', ...typed, '--of-another-program', '-t', '--'];
    const given = { overwriteGuid: true, gettingStarted: false, color: false, insight: false, size: 2 };
    await runGenerator(Heard, given).finally(() => {
      process.argv = argv;
    });
    assert.deepEqual(said, [
      '--overwrite-guid is not an option, and is ignored. Did you mean --overwrite-guide?',
      '--size is not an option, and is ignored.',
    ]);
  });

  it('a boolean may be a string, and the last of several values wins', async () => {
    const written = async (deploy: unknown) => {
      const files = await runGenerator(BotGenerator, { ...FLAGS, 'deploy-to-cloud': deploy });
      return 'server/cloud-deploy.toml' in files;
    };
    assert.deepEqual(
      [await written('true'), await written('false'), await written([false, true])],
      [true, false, true],
    );
  });

  it('short options work, and an option without a value is refused', async () => {
    const { transport, mode, ...flags } = FLAGS;
    const files = await runGenerator(BotGenerator, { ...flags, t: ['rtc_local'], m: 'cascade' });
    assert.match(files['README.md'] ?? '', /-t rtc_local --mode cascade/);
    const [, ...problems] = await refusal(BotGenerator, { ...flags, t: true, m: ['cascade', 'realtime'] });
    assert.match(problems[0] ?? '', /^ {2}--transport can't be true\. Allowed: rtc_hosted \(Daily\), rtc_local/);
    assert.equal(problems[1], `  --mode can't be ["cascade","realtime"]. Allowed: cascade, realtime`);
  });

  it('the client generator reports that no client is selected', async () => {
    assert.deepEqual(await refusal(ClientGenerator, FLAGS), [
      'No client selected: pass --client-framework component or vanilla.',
    ]);
  });

  it('a file system error has a numeric exit code for yo', async () => {
    class Theirs extends GuideGenerator {
      override writing() {
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      }
    }
    await assert.rejects(runGenerator(Theirs), { message: 'EACCES: permission denied', code: 1 });
  });
});
