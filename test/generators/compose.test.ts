import assert from 'node:assert/strict';
import Generator from 'yeoman-generator';
import AppGenerator from '../../generators/app/index.ts';
import BotGenerator from '../../generators/bot/index.ts';
import ClientGenerator from '../../generators/client/index.ts';
import GuideGenerator from '../../generators/guide/index.ts';
import QuickstartGenerator from '../../generators/quickstart/index.ts';
import { programIn } from '../../src/about.ts';
import { quickstart } from '../../src/config/quickstart.ts';
import { type Deed, ENTER, LEAVE, sitDown } from '../support/person.ts';
import { CASCADE, generateProject, type Project } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { posixIt } from '../support/systems.ts';
import { FLAGS, runGenerator } from './running.ts';

const composed = (more: object = {}) =>
  generateProject(
    resolveFlags({
      ...CASCADE,
      project_name: 'Composed',
      transports: ['rtc_hosted', 'rtc_local'],
      enable_eval: true,
      ...more,
    }),
  );

const only = (files: Project, names: string[]): Project =>
  Object.fromEntries(Object.entries(files).filter(([name]) => names.includes(name)));

const GUIDES = ['AGENTS.md', 'ASSISTANT.md'];

/** A generator that logs to a list. */
function hear(type: unknown) {
  const said: string[] = [];
  class Heard extends (type as typeof GuideGenerator) {
    constructor(args: string[], options: object) {
      super(args, options);
      Object.defineProperty(this, 'log', {
        value: Object.assign((text: string) => void said.push(text), { skip() {} }),
      });
    }
  }
  return { Heard, said };
}

describe('the guide generator', () => {
  let guides: Project;
  before(async () => {
    guides = only(composed(), GUIDES);
  });

  it('runs alone, and writes what `init` writes', async () => {
    assert.deepEqual(await runGenerator(GuideGenerator), guides);
  });

  it('keeps an existing guide, and overwrites it with the option in either spelling', async () => {
    const rest = only(guides, ['ASSISTANT.md']);
    for (const [options, written] of [
      [{}, rest],
      [{ 'overwrite-guide': true }, guides],
      [{ overwriteGuide: true }, guides],
      [{ overwriteGuide: false }, rest],
    ] as const)
      assert.deepEqual(await runGenerator(GuideGenerator, options, { before: { 'AGENTS.md': 'mine' } }), written);
  });

  it('can be extended in another package: its tasks run, and its templates are found', async () => {
    class Extended extends GuideGenerator {
      static override readonly resolved = '/elsewhere/generators/app/index.js';

      override writing() {
        super.writing();
        this.put('RULES.md', 'ours\n');
      }
      /** This method isn't a task, so it must not run. */
      notCalled() {
        assert.fail('a method that is not a task ran');
      }
    }
    assert.deepEqual(await runGenerator(Extended), { ...guides, 'RULES.md': 'ours\n' });
  });
});

describe('the generators of a project', () => {
  const accepted: [about: string, options: object, more: object][] = [
    ['the scaffold options', {}, {}],
    [
      'options in camel case as well, because some hosts pass them that way',
      { botType: 'web', deployToCloud: false, overwriteGuide: true },
      { deploy_to_cloud: false },
    ],
    ['one transport as a string', { transport: 'rtc_local' }, { transports: ['rtc_local'] }],
  ];
  for (const [about, options, more] of accepted) {
    it(`take ${about}, and write what botcli init writes`, async () => {
      assert.deepEqual(await runGenerator(AppGenerator, { ...FLAGS, ...options }), composed(more));
    });
  }

  it('refuse wrong options, all at once, and write nothing', async () => {
    await assert.rejects(runGenerator(AppGenerator, { ...FLAGS, mode: 'x', stt: undefined, llm: 'y' }), {
      name: 'UserError',
      exitCode: 2,
      problems: [
        `--mode can't be "x". Allowed: cascade, realtime`,
        `--llm can't be "y". List the allowed values: botcli init --list-options`,
      ],
    });
  });

  it('ask when there are no options, and write what `init` writes', async () => {
    const answers: Record<string, Deed> = {
      'choose everything': 'steps',
      'audio travel': ['rtc_local', 'rtc_hosted'],
      'web client': 'none',
      'Which features': ['enable_eval', 'deploy_to_cloud'],
    };
    const { terminal, asked } = sitDown(
      ({ question }) => Object.entries(answers).find(([part]) => question.includes(part))?.[1] ?? ENTER,
    );
    const files = await runGenerator(AppGenerator, { terminal });
    const { project_name: name } = JSON.parse(files['.botcli.json'] ?? '');
    assert.deepEqual(files, composed({ project_name: name, transports: ['rtc_local', 'rtc_hosted'] }));
    assert.equal(asked[0]?.question, 'Quick start, or choose everything?');
  });

  it('never ask when there are options, or when there is no terminal', async () => {
    const { terminal } = sitDown(() => assert.fail('a question was asked'));
    assert.deepEqual(await runGenerator(AppGenerator, { ...FLAGS, terminal }), composed());
    for (const options of [{ recording: false, terminal }, { terminal: { ...terminal, interactive: false } }])
      await assert.rejects(runGenerator(AppGenerator, options), { name: 'UserError', exitCode: 2 });
  });

  for (const [Type, options] of [
    [AppGenerator, { mode: 'x' }],
    [BotGenerator, { mode: 'x' }],
    [ClientGenerator, FLAGS],
    [GuideGenerator, { overwriteGuide: 'x' }],
  ] as const) {
    it(`refuse wrong options before any other generator asks: ${Type.name}`, async () => {
      let hasAsked = false;
      class Theirs extends Generator {
        async initializing(): Promise<void> {
          await this.composeWith(
            { Generator: Type, path: Type.resolved } as never,
            { generatorOptions: options } as never,
          );
        }
        prompting(): void {
          hasAsked = true;
        }
      }
      await assert.rejects(runGenerator(Theirs), { name: 'UserError' });
      assert.equal(hasAsked, false);
    });
  }

  for (const [Type, options, directory] of [
    [AppGenerator, FLAGS, ''],
    [AppGenerator, { ...FLAGS, directory: 'bots/a' }, '  cd bots/a\n'],
    [QuickstartGenerator, {}, '  cd botcli-quickstart\n'],
  ] as const) {
    it(`print the next steps that botcli init prints: ${Type.name} ${directory.trim()}`, async () => {
      const { Heard, said } = hear(Type);
      await runGenerator(Heard, options);
      const note = 'it installs packages, asks for missing keys, and says where to talk';
      assert.deepEqual(said, [`\nNext:\n${directory}  ${programIn(process.env)} dev\n  # ${note}`]);
    });
  }

  for (const [resolved, installs] of [
    [GuideGenerator.resolved, false],
    ['/elsewhere/generators/app/index.js', true],
  ] as const) {
    it(
      installs ? 'let a generator that extends one install packages' : 'install no packages where yo runs',
      async () => {
        let task: unknown;
        class Seen extends GuideGenerator {
          static override readonly resolved = resolved;

          override writing() {
            super.writing();
            task = this.features.customInstallTask;
          }
        }
        await runGenerator(Seen);
        assert.equal(task, installs ? undefined : true);
      },
    );
  }

  it('write nothing if the person cancels', async () => {
    const { terminal } = sitDown(({ question }) => (question.includes('Create this bot?') ? LEAVE : ENTER));
    await assert.rejects(runGenerator(AppGenerator, { terminal }), { name: 'UserError', exitCode: 130 });
  });

  it('the bot generator writes no guides, and no record of the project', async () => {
    const { 'AGENTS.md': _, 'ASSISTANT.md': __, '.botcli.json': ___, ...rest } = composed();
    assert.deepEqual(await runGenerator(BotGenerator, FLAGS), rest);
  });

  it('the client generator writes only the client', async () => {
    const files = composed({ client_framework: 'component', client_server: 'fullstack', enable_eval: false });
    const clients = Object.keys(files).filter(path => path.startsWith('client/'));
    const options = { ...FLAGS, eval: false, 'client-framework': 'component', clientServer: 'fullstack' };
    assert.deepEqual(await runGenerator(ClientGenerator, options), only(files, clients));
  });

  it('the quickstart generator creates the bot in its default directory', async () => {
    const files = Object.entries(generateProject(quickstart));
    const expected = Object.fromEntries(files.map(([name, text]) => [`botcli-quickstart/${name}`, text]));
    assert.deepEqual(await runGenerator(QuickstartGenerator), expected);
  });
});

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

  it('quickstart goes into the given directory', async () => {
    const files = await runGenerator(QuickstartGenerator, {}, { words: ['mine'] });
    assert(Object.keys(files).every(path => path.startsWith('mine/')));
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
    const { Heard, said } = hear(GuideGenerator);
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
