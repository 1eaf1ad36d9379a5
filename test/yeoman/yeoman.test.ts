import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Generator from 'yeoman-generator';
import { UserError } from '../../src/errors.ts';
import { generate } from '../../src/yeoman/index.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';
import { optionOf, pathIn, type Rendered, throwaway } from './throwaway.ts';

interface Settings {
  force?: boolean;
  target?: string;
  alsoDo?: (generator: Generator) => unknown;
}

/** Renders into `target` (in the sandbox) and returns the report as `action path` lines. */
async function run(sandbox: string, render: Rendered, settings: Settings = {}): Promise<string[]> {
  const { force = false, target = 'target', alsoDo } = settings;
  const directory = join(sandbox, target);
  const report = await generate(
    { namespace: 'botcli:app', directory, options: {}, force },
    { generators: { 'botcli:app': throwaway(render, alsoDo) } },
  );
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
    case: 'a target with other files',
    before: { 'target/.git/HEAD': 'ref', 'target/LICENSE': 'MIT' },
    render: { 'bot.py': 'bot' },
    report: ['created bot.py'],
    after: { 'target/.git/HEAD': 'ref', 'target/LICENSE': 'MIT', 'target/bot.py': 'bot' },
  },
  {
    case: 'force',
    before: { 'target/bot.py': 'mine' },
    render: { 'bot.py': 'bot' },
    force: true,
    report: ['overwritten bot.py'],
    after: { 'target/bot.py': 'bot' },
  },
  {
    case: 'files that the generator keeps, also with force',
    before: { 'target/AGENTS.md': 'mine', 'target/docs': '-> ../outside', 'outside/GUIDE.md': 'theirs' },
    render: { 'AGENTS.md': { contents: 'x', mark: 'skip' }, 'docs/GUIDE.md': { contents: 'x', mark: 'skip' } },
    force: true,
    report: ['kept AGENTS.md', 'kept docs/GUIDE.md'],
    after: { 'target/AGENTS.md': 'mine', 'target/docs': '-> ../outside', 'outside/GUIDE.md': 'theirs' },
  },
  {
    case: 'files to keep that are missing',
    before: {},
    render: { 'AGENTS.md': { contents: 'new', mark: 'skip' } },
    report: ['created AGENTS.md'],
    after: { 'target/AGENTS.md': 'new' },
  },
  {
    case: 'files that the generator overwrites or appends to',
    before: { 'target/.gitignore': 'mine\n', 'target/AGENTS.md': 'old' },
    render: {
      '.gitignore': { contents: 'mine\nours\n', mark: 'force' },
      'AGENTS.md': { contents: 'new', mark: 'force' },
    },
    report: ['updated .gitignore', 'overwritten AGENTS.md'],
    after: { 'target/.gitignore': 'mine\nours\n', 'target/AGENTS.md': 'new' },
  },
  {
    case: 'files that the generator only reports as kept',
    before: { 'target/AGENTS.md': 'mine', 'target/docs/B.md': 'mine' },
    render: { 'bot.py': 'bot' },
    alsoDo: generator => {
      generator.log.skip('AGENTS.md');
      generator.log.skip(pathIn(generator, 'docs/B.md'));
    },
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
  {
    case: 'through a link to the target itself',
    before: { 'target/server': '-> .' },
    render: { 'server/bot.py': 'bot' },
    report: ['created server/bot.py'],
    after: { 'target/bot.py': 'bot', 'target/server': '-> .' },
  },
  {
    case: 'a target that is a link',
    before: { 'elsewhere/LICENSE': 'MIT', target: '-> elsewhere' },
    render: { 'server/bot.py': 'bot' },
    report: ['created server/bot.py'],
    after: { 'elsewhere/LICENSE': 'MIT', 'elsewhere/server/bot.py': 'bot', target: '-> elsewhere' },
  },
  {
    case: 'a broken package.json and .yo-rc.json in the target',
    before: { 'target/package.json': '{', 'target/.yo-rc.json': '{' },
    render: { 'bot.py': 'bot' },
    report: ['created bot.py'],
    after: { 'target/package.json': '{', 'target/.yo-rc.json': '{', 'target/bot.py': 'bot' },
  },
  {
    case: 'a package.json that would make Yeoman talk about package managers',
    before: {},
    render: { 'package.json': '{}' },
    report: ['created package.json'],
    after: { 'target/package.json': '{}' },
  },
  ...['a[b](c)', '007', '日本語', '<%= 1 %>', 'with space', "it's", '..dots', '*', 'x'.repeat(250)].map(name => ({
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
    case: 'a file where a directory should go, and names it once',
    before: { 'target/server': 'a file' },
    render: { 'server/bot.py': 'bot', 'server/x/y.py': 'y' },
    force: true,
    problems: ['server is a file, but must be a directory'],
    hint: /^Nothing was written\. Move them out of the way first; --force won't overwrite them\.$/,
  },
  {
    case: 'a directory where a file should go',
    before: { 'target/README.md': '/' },
    render: { 'README.md': 'ours' },
    force: true,
    problems: ['README.md is a directory, but must be a file'],
  },
  {
    case: 'a link to a file outside',
    before: { 'target/README.md': '-> ../outside', outside: 'theirs' },
    render: { 'README.md': 'ours' },
    force: true,
    reason: 'unsafe-link',
    problems: ['README.md is a symbolic link that points outside the directory'],
  },
  {
    case: 'a directory that is a link to the outside',
    before: { 'target/server': '-> ../outside', outside: '/' },
    render: { 'server/bot.py': 'ours', 'server/b/c.py': 'ours' },
    force: true,
    reason: 'unsafe-link',
    problems: ['server is a symbolic link that points outside the directory'],
  },
  {
    case: 'a link to a sibling whose name starts like the target',
    before: { 'target/server': '-> ../target-2', 'target-2': '/' },
    render: { 'server/bot.py': 'ours' },
    reason: 'unsafe-link',
    problems: ['server is a symbolic link that points outside the directory'],
  },
  {
    case: 'broken links',
    before: { 'target/README.md': '-> missing', 'target/a': '-> b', 'target/b': '-> a' },
    render: { 'README.md': 'ours', a: 'x' },
    force: true,
    reason: 'unsafe-link',
    problems: ['README.md is a broken symbolic link', 'a is a broken symbolic link'],
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
      'c is a symbolic link that points outside the directory',
    ],
    hint: /--force to overwrite .* Move the others out of the way first/,
  },
  {
    case: 'a target that is a file',
    before: { target: 'a file' },
    render: { a: 'x' },
    force: true,
    message: /target is not a directory\. Nothing was written\.$/,
    problems: [],
  },
  {
    case: 'a target below a file',
    before: { target: 'a file' },
    target: 'target/deep/er',
    render: { a: 'x' },
    message: /target is not a directory\./,
    problems: [],
  },
  {
    case: 'a target that is a broken link',
    before: { target: '-> missing' },
    render: { a: 'x' },
    reason: 'unsafe-link',
    message: /target is a broken symbolic link\./,
    problems: [],
  },
];

describe('generate', () => {
  for (const row of written) {
    it(`writes: ${row.case}`, () =>
      inTree(row.before, async sandbox => {
        assert.deepEqual(await run(sandbox, row.render, row), row.report);
        assert.deepEqual(readTree(sandbox), Object.fromEntries(Object.entries(row.after).sort(byPath)));
      }));

    it(`changes nothing when run again: ${row.case}`, () =>
      inTree(row.before, async sandbox => {
        await run(sandbox, row.render, row);
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

  it('refuses a named pipe without waiting for it', () =>
    inTree({ target: '/' }, async sandbox => {
      execFileSync('mkfifo', [join(sandbox, 'target/bot.py')]);
      const error = await refusal(run(sandbox, { 'bot.py': 'bot' }, { force: true }));
      assert.deepEqual(error.problems, ['bot.py is not a regular file']);
    }));

  it('gives new files the default mode and keeps the mode of overwritten files', () =>
    inTree({ 'target/run.sh': 'old' }, async sandbox => {
      execFileSync('chmod', ['4776', join(sandbox, 'target/run.sh')]);
      await run(sandbox, { 'run.sh': 'new', 'new.sh': 'new' }, { force: true });
      const mode = (name: string) => lstatSync(join(sandbox, 'target', name)).mode & 0o7777;
      assert.equal(mode('run.sh'), 0o4776);
      assert.equal(mode('new.sh'), 0o666 & ~process.umask());
    }));

  it('writes nothing to disk while generators run', () =>
    inTree({}, async sandbox => {
      const seen: string[][] = [];
      await run(sandbox, { a: 'x' }, { alsoDo: () => seen.push(readdirSync(sandbox)) });
      assert.deepEqual(seen, [[]]);
    }));

  it('rethrows the error of a generator, and leaves no files', () =>
    inTree({}, async sandbox => {
      const thrown = new UserError('no such service', { reason: 'declined', exitCode: 2 });
      const work = run(
        sandbox,
        { a: 'x' },
        {
          alsoDo: () => {
            throw thrown;
          },
        },
      );
      await assert.rejects(work, error => error === thrown);
      assert.deepEqual(readTree(sandbox), {});
    }));

  it('keeps generators from asking, deleting files and writing outside the target', () =>
    inTree({ 'target/old': 'x' }, async sandbox => {
      const before = fingerprint(sandbox);
      const misdeeds: [RegExp, (generator: Generator) => unknown][] = [
        [/asked a question/, generator => generator.prompt({ type: 'input', name: 'x', message: 'x' })],
        [/deleted .*old/, generator => generator.fs.delete(pathIn(generator, 'old'))],
        [/which is outside/, generator => generator.fs.write(pathIn(generator, '../x'), 'x')],
        [/which is outside/, generator => generator.fs.write(pathIn(generator, '.'), 'x')],
      ];
      for (const [message, alsoDo] of misdeeds) {
        await assert.rejects(run(sandbox, { a: 'x' }, { alsoDo }), message);
        assert.deepEqual(fingerprint(sandbox), before);
      }
    }));

  it('imports a generator from a path', () =>
    inTree({}, async sandbox => {
      const path = fileURLToPath(new URL('generator-by-path.ts', import.meta.url));
      const request = { namespace: 'botcli:app', directory: join(sandbox, 'target'), options: {}, force: false };
      const report = await generate(request, { generators: { 'botcli:app': path } });
      assert.deepEqual(report.files, [{ path: 'name.txt', action: 'created' }]);
      assert.deepEqual(readTree(sandbox), { 'target/name.txt': 'generator-botcli' });
    }));

  it('passes its options unchanged, and the directory to composed generators as well', () =>
    inTree({}, async sandbox => {
      const options = { config: Object.freeze({ name: '007' }) };
      let received: unknown;
      const app = throwaway({ a: 'app' }, async generator => {
        received = optionOf(generator, 'config');
        await generator.composeWith('botcli:guide');
      });
      const report = await generate(
        { namespace: 'botcli:app', directory: join(sandbox, 'target'), options, force: false },
        { generators: { 'botcli:app': app, 'botcli:guide': throwaway({ b: 'guide' }) } },
      );
      assert.equal(received, options.config);
      assert.deepEqual(
        report.files.map(file => file.path),
        ['a', 'b'],
      );
    }));
});

const byPath = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1);
