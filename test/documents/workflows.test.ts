import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { PROGRAM_IN_CI } from '../../src/about.ts';
import { services } from '../../src/catalog/index.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { ON_THIS_COMPUTER } from '../../src/config/quickstart.ts';
import { requiredBy } from '../../src/project/variables.ts';
import { inRepository, linesOfScript, readText } from '../support/documents.ts';
import { generateProject } from '../support/projects.ts';
import { LOCAL, REALTIME, resolveFlags } from '../support/resolving.ts';
import { typeLine } from '../support/session.ts';
import { inTree } from '../support/trees.ts';
import { checkCommand } from './commands.ts';

/** The parts of a GitHub Actions workflow that these tests read. */
interface Workflow {
  permissions?: Record<string, string>;
  concurrency?: object;
  on: Record<string, { tags?: string[] } | null>;
  jobs: Record<string, Job>;
}

interface Job {
  if?: string;
  needs?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { node?: number[]; os?: string[] } };
  steps: { uses?: string; with?: Record<string, unknown>; run?: string; if?: string; env?: Record<string, string> }[];
}

const read = (name: string): Workflow => parse(readText(`.github/workflows/${name}`));
const stepsOf = (workflow: Workflow) => Object.values(workflow.jobs).flatMap(({ steps }) => steps);
const runsOf = (workflow: Workflow) => stepsOf(workflow).flatMap(({ run }) => (run ? linesOfScript(run) : []));

describe('the workflows', () => {
  for (const name of readdirSync(inRepository('.github/workflows'))) {
    describe(name, () => {
      const workflow = read(name);
      for (const line of runsOf(workflow)) it(line, () => checkCommand(line));

      it('uses actions by their major version', () => {
        for (const { uses } of stepsOf(workflow)) if (uses) assert.match(uses, /^actions\/[\w-]+@v\d+$/);
      });
    });
  }

  it('use the same version of an action as the documents and the guide', () => {
    const folders = ['.github/workflows', 'docs', 'src/guide/pages', 'generators/bot/templates/github/workflows'];
    const texts = folders.flatMap(folder =>
      readdirSync(inRepository(folder)).flatMap(name =>
        /\.(?:md|yml)(?:\.ejs)?$/.test(name) ? readText(`${folder}/${name}`) : [],
      ),
    );
    const used = new Set(texts.flatMap(text => text.match(/\bactions\/[\w-]+@v\d+/g) ?? []));
    const names = [...used].map(action => action.replace(/@.*/, ''));
    assert(names.includes('actions/checkout'));
    assert.deepEqual(names, [...new Set(names)]);
  });

  it('check everything on the oldest supported Node, and the tool on newer versions', () => {
    const { jobs } = read('check.yml');
    const [major] = /\d+/.exec(JSON.parse(readText('package.json')).engines.node) ?? [];
    for (const name of ['tool', 'bots', 'conversations', 'browser']) {
      const versions = jobs[name]?.steps.map(step => step.with?.['node-version']);
      assert(versions?.includes(Number(major)), name);
    }
    assert.deepEqual(jobs['newer-node']?.strategy?.matrix.node, [22, 24]);
    assert.equal(jobs['newer-node']?.steps.at(-1)?.run, 'npm test');
  });

  it('check the tool on Windows and macOS as well', () => {
    const job = read('check.yml').jobs['other-systems'];
    assert.deepEqual(job?.strategy?.matrix.os, ['windows-latest', 'macos-latest']);
    assert.equal(job?.steps.at(-1)?.run, 'npm run check');
  });

  it('build and test the release before they publish it, as the last step', () => {
    const release = read('release.yml');
    assert.deepEqual(release.on, { push: { tags: ['v*'] } });
    assert.equal(release.jobs.publish?.permissions?.['id-token'], 'write');
    const runs = runsOf(release);
    assert.deepEqual(runs.slice(runs.indexOf('npm run check')), [
      'npm run check',
      'npm run release -- prepare',
      'npm run build',
      'npm run test:package',
      'npm install --global npm@11',
      'npm run release -- publish',
    ]);
  });
});

describe('the workflow of a project', () => {
  const SPOKEN_TO = { ...REALTIME, realtime_service: services.realtime.find(row => !row.typed)?.id };
  const TEST = ['pipx install uv', 'uv sync', 'uv run ruff check .', 'botcli test'];
  const cases: [about: string, flags: RawConfig, test: string[], deploy: string[] | undefined][] = [
    [
      'with evals',
      { ...LOCAL, enable_eval: true },
      TEST,
      ['pipx install uv', 'botcli cloud deploy --gate --skip --json'],
    ],
    ['without evals', LOCAL, TEST.slice(0, 3), ['pipx install uv', 'botcli cloud deploy --skip --json']],
    ['that nobody deploys', { ...LOCAL, enable_eval: true, deploy_to_cloud: false }, TEST, undefined],
    [
      'that nobody can type to',
      { ...SPOKEN_TO, enable_eval: true, deploy_to_cloud: false },
      [...TEST.slice(0, 3), 'botcli test --audio'],
      undefined,
    ],
    ['without keys', { ...ON_THIS_COMPUTER, enable_eval: true, deploy_to_cloud: false }, TEST, undefined],
  ];
  const plain = (run: string) => run.replace(PROGRAM_IN_CI, 'botcli');
  for (const [about, flags, test, deploy] of cases) {
    const config = resolveFlags({ ...flags, ci: 'github' });
    const text = generateProject(config)['.github/workflows/bot.yml'] ?? '';
    const workflow: Workflow = parse(text);
    const { test: tests, deploy: deploys } = workflow.jobs;
    const runsIn = (job?: Job) => job?.steps.flatMap(({ run }) => run ?? []).map(plain);
    const env = (job?: Job) => job?.steps.flatMap(step => Object.entries(step.env ?? {}));
    const keys = config.enable_eval ? requiredBy(config).project : [];

    it(`${about}: what it runs`, () => assert.deepEqual([runsIn(tests), runsIn(deploys)], [test, deploy]));

    for (const run of runsOf(workflow)
      .map(plain)
      .filter(line => line.startsWith('botcli ')))
      it(`${about}: botcli knows ${run}`, () =>
        inTree({}, async cwd => {
          const { code, stdout, stderr } = await typeLine(cwd, run.replace('botcli ', ''));
          assert.equal(code, 2);
          assert.match(stdout + stderr, /is not in a botcli project|No cloud-deploy/);
        }));

    it(`${about}: has the project's keys, which no pull request gets, and one deploy at a time`, () => {
      assert.deepEqual(workflow.permissions, { contents: 'read' });
      assert.deepEqual(Object.keys(workflow.on), ['push', 'pull_request']);
      const group = `bot-\${{ github.ref == 'refs/heads/main' && 'main' || github.run_id }}`;
      assert.deepEqual(workflow.concurrency, { group, 'cancel-in-progress': false });
      const secrets = (names: string[]) => names.map(name => [name, `\${{ secrets.${name} }}`]);
      assert.deepEqual(env(tests), secrets(keys));
      for (const step of tests?.steps ?? [])
        if (step.env) assert.match(step.if ?? '', /^github\.event_name == 'push' &&/);
      if (!deploys) return;
      const account = [...secrets(['BOTCLI_TOKEN']), ['BOTCLI_ORG', `\${{ vars.BOTCLI_ORG }}`]];
      assert.deepEqual(env(deploys), [...account, ...secrets(keys)]);
      assert.deepEqual([deploys.needs, deploys.if], ['test', "github.ref == 'refs/heads/main'"]);
    });
  }
});

describe('the steps of .ci/run', () => {
  const lines = [...readText('.ci/run').matchAll(/^ *step '?([^'\n]+)'?$/gm)].map(([, line = '']) => line);
  const steps = lines.flatMap(line => line.split(' && '));
  for (const command of steps) it(command, () => checkCommand(command));

  it("include the README's two lines, as written", () => {
    for (const line of ['npm ci && npx botcli init quickstart', 'npm ci && npm test']) {
      assert(lines.includes(line), line);
      assert(readText('README.md').includes(line), line);
    }
  });

  it('are every script that checks something', () => {
    const { scripts } = JSON.parse(readText('package.json'));
    const checks = Object.keys(scripts).filter(name => /^(types|lint|bench|test:(?!all|busy).*)$/.test(name));
    assert.deepEqual([...new Set(steps.flatMap(step => /^npm run (\S+)/.exec(step)?.[1] ?? []))].sort(), checks.sort());
  });

  it('have every level', () => {
    for (const script of ['test:bots', 'test:browser']) {
      const levels = steps.filter(step => step.includes(script)).flatMap(step => step.match(/(?<=--level )\d/g) ?? []);
      assert.deepEqual(levels.sort(), ['1', '2', '3']);
    }
  });

  it('run side by side in the workflow', () => {
    const runs = new Set(runsOf(read('check.yml')));
    for (const step of steps)
      assert(
        levelsOf(step).every(one => [...runs].some(run => levelsOf(run).includes(one))),
        step,
      );
  });
});

/** What a line runs: a script, or each of its levels. */
function levelsOf(line: string): string[] {
  const [script = ''] = line.split(' -- ');
  const levels = line.match(/(?<=--level )\d/g) ?? (/test:(bots|browser)/.test(line) ? ['1', '2', '3'] : ['']);
  return levels.map(level => `${script} ${level}`);
}
