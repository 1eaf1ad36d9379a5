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

describe('the guide generator', () => {
  const names = ['AGENTS.md', 'ASSISTANT.md'];
  let guides: Project;
  before(async () => {
    guides = only(composed(), names);
  });

  it('runs alone, and writes what `init` writes', async () => {
    assert.deepEqual(await runGenerator(GuideGenerator), guides);
  });

  it('keeps an existing guide, and overwrites it with the option in either spelling', async () => {
    const mine = { 'AGENTS.md': 'mine' };
    assert.deepEqual(await runGenerator(GuideGenerator, {}, { before: mine }), only(guides, ['ASSISTANT.md']));
    assert.deepEqual(await runGenerator(GuideGenerator, { 'overwrite-guide': true }, { before: mine }), guides);
    assert.deepEqual(await runGenerator(GuideGenerator, { overwriteGuide: true }, { before: mine }), guides);
    assert.deepEqual(
      await runGenerator(GuideGenerator, { overwriteGuide: false }, { before: mine }),
      only(guides, ['ASSISTANT.md']),
    );
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
  it('take the scaffold options, and write what `init` writes', async () => {
    assert.deepEqual(await runGenerator(AppGenerator, FLAGS), composed());
  });

  it('take options in camel case as well, because some hosts pass them that way', async () => {
    const options = { ...FLAGS, botType: 'web', deployToCloud: false, overwriteGuide: true };
    assert.deepEqual(await runGenerator(AppGenerator, options), composed({ deploy_to_cloud: false }));
  });

  it('take one transport as a string', async () => {
    const files = await runGenerator(AppGenerator, { ...FLAGS, transport: 'rtc_local' });
    assert.deepEqual(files, composed({ transports: ['rtc_local'] }));
  });

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
    for (const options of [
      { ...FLAGS, terminal },
      { recording: false, terminal },
      { terminal: { ...terminal, interactive: false } },
    ]) {
      const isComplete = 'transport' in options;
      if (isComplete) assert.deepEqual(await runGenerator(AppGenerator, options), composed());
      else await assert.rejects(runGenerator(AppGenerator, options), { name: 'UserError', exitCode: 2 });
    }
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
      const said: string[] = [];
      class Heard extends (Type as typeof AppGenerator) {
        constructor(args: string[], given: object) {
          super(args, given);
          const log = Object.assign((text: string) => void said.push(text), { skip() {} });
          Object.defineProperty(this, 'log', { value: log });
        }
      }
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
