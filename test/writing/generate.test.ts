import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { generate } from '../../src/writing/generate.ts';
import { posixIt } from '../support/systems.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';

/** Files to render: the text of each, and whether it replaces an existing file. */
type Rendered = Readonly<Record<string, string | { contents: string; replaces: true }>>;

interface Settings {
  force?: boolean;
  target?: string;
  kept?: string[];
}

/** Renders into `target` (in the sandbox) and returns the report as `action path` lines. */
async function run(sandbox: string, rendered: Rendered, settings: Settings = {}): Promise<string[]> {
  const { force = false, target = 'target', kept = [] } = settings;
  const directory = join(sandbox, target);
  const files = Object.entries(rendered).map(([name, file]) => {
    const { contents, replaces } = typeof file === 'string' ? { contents: file, replaces: false } : file;
    return { path: join(directory, name), contents: Buffer.from(contents), replaces };
  });
  const report = await generate(async () => ({ files, kept }), { directory, force });
  assert.equal(report.directory, directory);
  return report.files.map(({ action, path }) => `${action} ${path}`);
}

async function refusal(work: Promise<unknown>): Promise<UserError> {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (reason: unknown) => reason,
  );
  assert(error instanceof UserError, String(error));
  assert(!('code' in error));
  assert.equal(error.exitCode, 1);
  return error;
}

interface Written extends Settings {
  case: string;
  before: Tree;
  render: Rendered;
  report: string[];
  after: Tree;
}

/** Names that directories have elsewhere. */
const NOT_ON_WINDOWS = process.platform === 'win32' ? [] : ['<%= 1 %>', '*'];

const written: Written[] = [
  {
    case: 'a target that does not exist, in a directory that does not exist',
    before: {},
    render: { 'server/bot.py': 'bot', 'AGENTS.md': 'agents' },
    target: 'some/where',
    report: ['created AGENTS.md', 'created server/bot.py'],
    after: { 'some/where/AGENTS.md': 'agents', 'some/where/server/bot.py': 'bot' },
  },
  {
    case: 'files that it may replace, or append to',
    before: { 'target/.gitignore': 'mine\n', 'target/AGENTS.md': 'old' },
    render: {
      '.gitignore': { contents: 'mine\nours\n', replaces: true },
      'AGENTS.md': { contents: 'new', replaces: true },
    },
    report: ['updated .gitignore', 'overwritten AGENTS.md'],
    after: { 'target/.gitignore': 'mine\nours\n', 'target/AGENTS.md': 'new' },
  },
  {
    case: 'a report that also lists the files that stay',
    before: { 'target/AGENTS.md': 'mine', 'target/docs/B.md': 'mine' },
    render: { 'bot.py': 'bot' },
    kept: ['AGENTS.md', 'docs/B.md'],
    report: ['kept AGENTS.md', 'created bot.py', 'kept docs/B.md'],
    after: { 'target/AGENTS.md': 'mine', 'target/bot.py': 'bot', 'target/docs/B.md': 'mine' },
  },
  {
    case: 'through links that stay inside the target',
    before: {
      'target/real/bot.py': 'mine',
      'target/server': '-> real',
      'target/README.md': '-> real/README',
      'target/real/README': 'r',
    },
    render: { 'server/bot.py': 'bot', 'server/new.py': 'new', 'README.md': 'readme' },
    force: true,
    report: ['overwritten README.md', 'overwritten server/bot.py', 'created server/new.py'],
    after: {
      'target/real/bot.py': 'bot',
      'target/real/new.py': 'new',
      'target/real/README': 'readme',
      'target/server': '-> real',
      'target/README.md': '-> real/README',
    },
  },
  ...['a[b](c)', '007', '日本語', 'with space', "it's", '..dots', 'x'.repeat(250), ...NOT_ON_WINDOWS].map(name => ({
    case: `a directory called ${name.slice(0, 20)}`,
    before: {},
    target: name,
    render: { 'server/bot.py': 'bot', [name]: 'same name' },
    report: [`created server/bot.py`, `created ${name}`].sort((a, b) => (a.slice(8) < b.slice(8) ? -1 : 1)),
    after: { [`${name}/server/bot.py`]: 'bot', [`${name}/${name}`]: 'same name' },
  })),
];

interface Refused extends Settings {
  case: string;
  before: Tree;
  render: Rendered;
  problems: string[];
  reason?: string;
  hint?: RegExp;
  message?: RegExp;
}

const differs = 'already exists with different content';

const refused: Refused[] = [
  {
    case: 'one conflict',
    before: { 'target/README.md': 'mine' },
    render: { 'README.md': 'ours', 'bot.py': 'bot' },
    problems: [`README.md ${differs}`],
    hint: /^Nothing was written\. Pass --force /,
  },
  {
    case: 'many conflicts, and names them all',
    before: { 'target/a': '1', 'target/b': 'same', 'target/c/d': '3' },
    render: { a: 'x', b: 'same', 'c/d': 'x', e: 'new' },
    problems: [`a ${differs}`, `c/d ${differs}`],
  },
  {
    case: 'two paths that lead to the same file through a link',
    before: { 'target/AGENTS.md': 'agents', 'target/ASSISTANT.md': '-> AGENTS.md' },
    render: { 'AGENTS.md': 'agents', 'ASSISTANT.md': '@AGENTS.md' },
    force: true,
    reason: 'unsafe-link',
    problems: ['ASSISTANT.md is the same file as AGENTS.md (through a symbolic link)'],
  },
  {
    case: 'all kinds at once',
    before: { 'target/a': 'mine', 'target/b': '/', 'target/c': '-> ..' },
    render: { a: 'x', b: 'x', c: 'x' },
    reason: 'unsafe-link',
    problems: [
      `a ${differs}`,
      'b is a directory, but must be a file',
      'c leads outside the directory, through a symbolic link',
    ],
    hint: /--force to overwrite .* Move or rename the others first/,
  },
];

describe('generate', () => {
  for (const row of written) {
    it(`writes, and changes nothing when run again: ${row.case}`, () =>
      inTree(row.before, async sandbox => {
        assert.deepEqual(await run(sandbox, row.render, row), row.report);
        assert.deepEqual(readTree(sandbox), row.after);
        const before = fingerprint(sandbox);
        const again = await run(sandbox, row.render, row);
        assert.deepEqual(
          again.filter(line => !/^(unchanged|kept) /.test(line)),
          [],
        );
        assert.deepEqual(fingerprint(sandbox), before);
      }));
  }

  for (const row of refused) {
    it(`refuses: ${row.case}`, () =>
      inTree(row.before, async sandbox => {
        const before = fingerprint(sandbox);
        const error = await refusal(run(sandbox, row.render, row));
        assert.deepEqual(error.problems, row.problems);
        assert.equal(error.reason, row.reason ?? 'conflict');
        assert.match(error.message, row.message ?? /^Cannot generate into .*target/);
        assert.match(error.hint ?? '', row.hint ?? /Nothing was written|^$/);
        assert.deepEqual(fingerprint(sandbox), before);
      }));
  }

  posixIt('gives new files the default mode and keeps the mode of overwritten files', () =>
    inTree({ 'target/run.sh': 'old' }, async sandbox => {
      execFileSync('chmod', ['4776', join(sandbox, 'target/run.sh')]);
      await run(sandbox, { 'run.sh': 'new', 'new.sh': 'new' }, { force: true });
      const mode = (name: string) => lstatSync(join(sandbox, 'target', name)).mode & 0o7777;
      assert.equal(mode('run.sh'), 0o4776);
      assert.equal(mode('new.sh'), 0o666 & ~process.umask());
    }),
  );

  it('writes nothing outside the target', () =>
    inTree({ 'target/old': 'x' }, async sandbox => {
      const before = fingerprint(sandbox);
      for (const name of ['../x', '.']) {
        await assert.rejects(run(sandbox, { a: 'x', [name]: 'x' }), /which is outside/);
        assert.deepEqual(fingerprint(sandbox), before);
      }
    }));
});
