import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readContext } from '../../../src/deploy/context/context.ts';
import { readModules, requirementsOf } from '../../../src/existing/needs.ts';
import { readPythonFiles } from '../../../src/existing/python/files.ts';
import { generateProject } from '../../support/projects.ts';
import { LOCAL, resolveFlags } from '../../support/resolving.ts';
import { posixIt } from '../../support/systems.ts';
import { inTree, type Tree } from '../../support/trees.ts';

const SERVER: Tree = {
  'server/.dockerignore': '',
  'server/cloud-deploy.toml': '',
  'server/container-file': 'FROM base',
  'server/bot.py': 'code',
  'server/pyproject.toml': '[project]',
};
const PACKED = ['.dockerignore', 'bot.py', 'cloud-deploy.toml', 'container-file', 'pyproject.toml'];

type Changes = Partial<Parameters<typeof readContext>[0]>;

/** Reads the context of a project with these files, too. `more` does what a `Tree` can't. */
const read = (tree: Tree, changes: Changes = {}, more: (server: string) => void = () => {}) =>
  inTree({ ...SERVER, ...tree }, directory => {
    const project = realpathSync(directory);
    more(join(project, 'server'));
    const imports = requirementsOf(readModules(readPythonFiles(project).texts), resolveFlags(LOCAL)).inImage;
    const place = { contextDir: '.', dockerfile: 'container-file', exclude: [], imports };
    const context = readContext({ project, deployFile: 'server/cloud-deploy.toml', ...place, ...changes });
    return {
      ...context,
      names: context.files.map(({ name }) => name).filter(name => !PACKED.includes(name)),
      out: context.leftOut.map(({ name, by }) => `${name}: ${by}`),
    };
  });

const removeRules = (server: string) => rmSync(join(server, '.dockerignore'));

describe('the files that a deploy uploads', () => {
  it('are sorted by code points, without directories', async () => {
    const files = Object.fromEntries(['\uFF5E', '😀', 'Z', 'a/b', 'a-b'].map(name => [`server/${name}`, '']));
    const { names, bytes, problems } = await read({ ...files, 'server/e': '/' });
    assert.deepEqual([names, bytes, problems], [['Z', 'a-b', 'a/b', '\uFF5E', '😀'], 22, []]);
  });

  posixIt('are executable if this user may execute them', async () => {
    const { files } = await read({}, {}, server => chmodSync(join(server, 'bot.py'), 0o744));
    assert.equal(files.flatMap(({ name, isExecutable }) => (isExecutable ? name : [])).join(), 'bot.py');
  });

  it('are never env files or of git, under any spelling, whatever .dockerignore says', async () => {
    const names = ['.env', '.env.example', 'a/.env.local', 'b/.ENV', '.envrc', '.git/config', 'a/.git', 'ENV~1'];
    const tree = Object.fromEntries(names.map(name => [`server/${name}`, '']));
    const { names: packed, out } = await read({ ...tree, 'server/.dockerignore': '!.env\n!**' });
    const never = ['.env', '.env.example', '.envrc', '.git', 'ENV~1', 'a/.env.local', 'a/.git', 'b/.ENV'];
    assert.deepEqual([packed, out], [[], never.map(name => `${name}: the built-in rule (.env*, .git)`)]);
  });

  it('are never a repository, whatever it is called', async () => {
    const mirror = { 'server/mirror/HEAD': '', 'server/mirror/objects': '/', 'server/mirror/refs': '/' };
    const { names, out } = await read({ ...mirror, 'server/HEAD': '' });
    assert.deepEqual([names, out], [['HEAD'], ['mirror: the built-in rule (.env*, .git)']]);
  });

  it('are those that .dockerignore leaves, and each line that leaves something out is named', async () => {
    const files = { 'server/a.log': '', 'server/old/keep': '', 'server/old/b/c': '', 'server/x': '' };
    const { names, out } = await read({ ...files, 'server/.dockerignore': '# tests\n*.log\nold\n\n!old/keep' });
    assert.deepEqual(names, ['old/keep', 'x']);
    assert.deepEqual(out, ['a.log: line 2 of .dockerignore (*.log)', 'old/b: line 3 of .dockerignore (old)']);
  });

  it('are never named like a secret unless a line asks for them, and a warning says so', async () => {
    const tree = { 'server/.dockerignore': '*.key\n', 'server/id_rsa': '', 'server/.netrc': '', 'server/a.key': '' };
    const { names, warnings } = await read(tree);
    const warning = (name: string) =>
      `${name} isn't uploaded: it's named like a secret. If the image needs it, a line !${name} at the end of .dockerignore includes it.`;
    assert.deepEqual([names, warnings], [[], ['.netrc', 'id_rsa'].map(warning)]);
    const asked = await read({ ...tree, 'server/.dockerignore': '*.key\n!.netrc' });
    assert.deepEqual([asked.names, asked.warnings.length], [['.netrc'], 1]);
    const { warnings: without } = await read({ 'server/prod.env': '' }, {}, removeRules);
    assert.match(without.join(), /^prod\.env isn't uploaded: .* "!prod\.env" in patterns of \[build\.exclude\]/);
    const exclude = ['!prod.env'];
    assert.deepEqual((await read({ 'server/prod.env': '' }, { exclude }, removeRules)).names, ['prod.env']);
  });

  it('have no secrets in them, unless a line asks for one, and code with a secret gets a warning', async () => {
    const key = `OPENAI_API_KEY="${'a1B2c3D4e5F6g7H8'.repeat(2)}"\n`;
    const tree = {
      'server/data/my-app.json': '{"type": "service_account"}',
      'server/data/answer_key.json': '{}',
      'server/env.local': `# mine\n${key}`,
      'server/settings.py': key,
      'server/container-file': `FROM base\nENV ${key}`,
      'server/link.py': '-> env.local',
      'server/calls-123456789012.json': '{}',
      'server/sip.yaml': 'user: bot\npassword: hunter2\n',
    };
    const lost = (name: string, why: string) =>
      `${name} isn't uploaded: ${why}. If the image needs it, a line !${name} at the end of .dockerignore includes it.`;
    const kept = (name: string, why: string) =>
      `The image gets ${name}, but ${why}. Move it to the secret set, and read the variable.`;
    const { names, warnings } = await read(tree);
    assert.deepEqual(names, ['calls-123456789012.json', 'data/answer_key.json', 'settings.py', 'sip.yaml']);
    assert.deepEqual(warnings, [
      lost('data/my-app.json', 'line 1 has credentials of Google Cloud'),
      lost('env.local', 'line 2 sets OPENAI_API_KEY'),
      lost('link.py', 'line 2 sets OPENAI_API_KEY'),
      kept('container-file', 'line 2 sets OPENAI_API_KEY'),
      kept('settings.py', 'line 1 sets OPENAI_API_KEY'),
      kept('sip.yaml', 'line 2 may have a password'),
    ]);
    const asked = await read({ ...tree, 'server/.dockerignore': '!env.local\n!data/*' });
    const wanted = ['calls-123456789012.json', 'data/answer_key.json', 'env.local', 'settings.py', 'sip.yaml'];
    assert.deepEqual(asked.names, wanted);
  });

  it('are numbers and UUIDs with a generated .dockerignore, and no service accounts as they are downloaded', async () => {
    const generated = generateProject(resolveFlags({ ...LOCAL, deploy_to_cloud: true }))['server/.dockerignore'] ?? '';
    const names = ['call-0b8fe2d0-6a0c-4d5e-9f51-0123456789ab.json', 'calls-123456789012.json', 'p-0a1b2c3d4e5f.json'];
    const files = names.flatMap(name => [name, `data/${name}`]).map(name => [`server/${name}`, '{}']);
    const { names: packed } = await read({ ...Object.fromEntries(files), 'server/.dockerignore': generated });
    const expected = names.slice(0, 2).flatMap(name => [name, `data/${name}`]);
    assert.deepEqual(packed, expected.sort());
  });

  it('are what the platform leaves by default if there is no .dockerignore, and patterns of the deploy file', async () => {
    const tree = { 'server/venv/x': '', 'server/a.tmp': '', 'server/b': '' };
    const { names, out } = await read(tree, { exclude: ['./*.tmp/'] }, removeRules);
    assert.deepEqual(names, ['b']);
    assert.deepEqual(out, ['a.tmp: the built-in rule (./*.tmp/)', 'venv: the built-in rule (venv)']);
    // With a .dockerignore.
    assert.deepEqual((await read(tree, { exclude: ['*.tmp'] })).names, ['a.tmp', 'b', 'venv/x']);
  });

  posixIt('may have any name', async () => {
    const names = ['a\\b', 'a:b', 'a\nb', ' ', '-', '!x', '#x', 'a?[*'];
    const tree = Object.fromEntries(names.map(name => [`server/${name}`, '']));
    const { names: packed, problems } = await read({ ...tree, 'server/c:\\d': '-> bot.py' });
    assert.deepEqual(packed, [...names, 'c:\\d'].sort());
    assert.deepEqual(problems, []);
  });
});

describe('a link in the files of a deploy', () => {
  const tree = {
    'server/src/a.py': 'code',
    'shared.py': 'mine',
    'server/.env': 'KEY=1',
    'server/ca.key': 'secret',
    'server/.dockerignore': '*.key',
  };

  it('to a file becomes that file', async () => {
    const { files } = await read({ ...tree, 'server/b.py': '-> src/a.py', 'server/c.py': '-> b.py' });
    const sizes = files.flatMap(({ name, bytes }) => (/^[bc]\.py$/.test(name) ? bytes : []));
    assert.deepEqual(sizes, [4, 4]);
  });

  const skipped: [target: string, why: string][] = [
    ['src', 'is a symbolic link to a directory'],
    ['../shared.py', 'leads outside the directory, through a symbolic link'],
    ['/etc/passwd', 'leads outside the directory, through a symbolic link'],
    ['/dev/null', "is a symbolic link to something that isn't a regular file"],
    ['.env', 'is a symbolic link to .env, which botcli never touches'],
    ['ca.key', 'is a symbolic link to ca.key, which is excluded'],
  ];
  for (const [target, why] of skipped) {
    it(`to ${target} is left out with a warning`, async () => {
      const { names, warnings, problems } = await read({ ...tree, 'server/b.py': `-> ${target}` });
      assert.deepEqual(names, ['src/a.py']);
      assert.deepEqual([warnings, problems], [[`b.py isn't uploaded: it ${why}.`], []]);
    });
  }

  it('to a key becomes that key if a ! line names it', async () => {
    const { names } = await read({ ...tree, 'server/b.py': '-> ca.key', 'server/.dockerignore': '!ca.key' });
    assert.deepEqual(names, ['b.py', 'ca.key', 'src/a.py']);
  });

  it('that leads nowhere, or to itself, is a problem unless a line leaves it out', async () => {
    const links = { 'server/a': '-> nothing', 'server/b': '-> b', 'server/c': '-> nothing' };
    const { problems } = await read({ ...links, 'server/.dockerignore': 'c' });
    assert.deepEqual(problems, ['a is a broken symbolic link.', 'b is a broken symbolic link.']);
  });
});

describe('what a deploy cannot upload', () => {
  posixIt('are pipes and sockets: they are left out with a warning, and nobody waits for them', async () => {
    const { warnings } = await read({}, {}, server => execFileSync('mkfifo', [join(server, 'pipe')]));
    assert.deepEqual(warnings, ["pipe isn't uploaded: it isn't a regular file."]);
  });

  it('are copies and hard links of an env file, except for those without secrets', async () => {
    const tree = {
      '.env': 'KEY=1',
      'server/.env.local': 'KEY=22',
      'server/.env.example': 'KEY=',
      'server/a/env.backup': 'KEY=1',
      'server/env.bak': 'KEY=22',
      'server/env.example': 'KEY=',
      'server/.env.empty': '',
      ...{ 'server/.env.blank': ' \n\n', 'server/.env.comment': '# mine\n', 'server/__init__.py': '' },
      ...{ 'server/a/__init__.py': ' \n\n', 'server/b/__init__.py': '# mine\n' },
      'server/other': 'KEY=2',
    };
    const link = (server: string) => linkSync(join(server, '../.env'), join(server, 'x'));
    const { names, warnings } = await read(tree, {}, link);
    assert.deepEqual(names, ['__init__.py', 'a/__init__.py', 'b/__init__.py', 'env.example', 'other']);
    assert.deepEqual(
      warnings,
      ['a/env.backup', 'env.bak', 'x'].map(name => `${name} isn't uploaded: it is a copy of an env file.`),
    );
  });

  posixIt("are files whose names aren't UTF-8, unless a line leaves them out", async () => {
    const bad = (server: string) => {
      for (const name of ['bad-', 'old-'])
        writeFileSync(Buffer.concat([Buffer.from(`${server}/${name}`), Buffer.from([0xff])]), '');
    };
    const { problems } = await read({ 'server/.dockerignore': 'old*' }, {}, bad);
    assert.deepEqual(problems, ["The name of bad-\uFFFD isn't UTF-8."]);
  });

  it('are over 500 MiB, and 50 MiB get a warning: both with the five largest files', async () => {
    const grow = (sizes: number[]) => (server: string) => {
      for (const [index, size] of sizes.entries()) {
        writeFileSync(join(server, `f${index}`), '');
        truncateSync(join(server, `f${index}`), size * 2 ** 20);
      }
    };
    const five = 'f5 (160.0 MiB), f1 (100.0 MiB), f2 (90.0 MiB), f3 (80.0 MiB), f4 (70.0 MiB)';
    const rows: [sizes: number[], warnings: string[], problems: string[]][] = [
      [[49], [], []],
      [[50], ['The files are 50.0 MiB in all. The largest: f0 (50.0 MiB).'], []],
      [[10, 100, 90, 80, 70, 160], [], [`The files are 510.0 MiB in all. The limit is 500 MiB. The largest: ${five}.`]],
    ];
    for (const [sizes, ...said] of rows) {
      const { warnings, problems } = await read({}, {}, grow(sizes));
      assert.deepEqual([warnings, problems], said);
    }
  });
});

describe('a deploy without a file that it needs', () => {
  const outside = 'leads outside the directory, through a symbolic link.';
  const image = { 'image/.dockerignore': 'bot.py', 'image/bot.py': '', 'image/Dockerfile': '' };
  const linked = { Dockerfile: '', 'server/D': '-> ../Dockerfile' };
  const above = { '.dockerignore': 'server/bot.py', 'bot.py': '' };
  const everything = [
    'The build file container-file is excluded by line 3 of .dockerignore (*).',
    'bot.py is excluded by line 3 of .dockerignore (*).',
    'pyproject.toml is excluded by line 3 of .dockerignore (*).',
  ];
  const byRule = 'server/bot.py is excluded by line 1 of .dockerignore (server/bot.py).';
  const byOther = 'bot.py is excluded by line 1 of .dockerignore (bot.py).';
  const noFile = (name: string) => `The build file ${name} isn't a file of the context.`;
  const cases: [tree: Tree, changes: Changes, ...problems: string[]][] = [
    [{ 'server/.dockerignore': '*.py\n\n*\n!.dockerignore' }, {}, ...everything],
    [{}, { dockerfile: './Dockerfile' }, "The build file Dockerfile doesn't exist."],
    [{ 'server/d': '/' }, { dockerfile: 'd' }, noFile('d')],
    [{ Dockerfile: '' }, { dockerfile: '../Dockerfile' }, noFile('../Dockerfile')],
    [linked, { dockerfile: 'D' }, `The build file D can't be uploaded: it ${outside}`],
    [above, { contextDir: '..', dockerfile: 'server/container-file' }, byRule],
    [image, { contextDir: '../image', dockerfile: 'Dockerfile' }, byOther],
    [{}, { contextDir: '../..' }, 'The context directory ../.. is outside the project.'],
    [{}, { contextDir: '/etc' }, "The context directory /etc isn't relative to the deploy file."],
    [{}, { contextDir: 'no' }, "The context directory no doesn't exist."],
    [{ 'server/out': '-> /etc' }, { contextDir: 'out' }, `The context directory out ${outside}`],
    [{ 'server/.dockerignore': '/' }, {}, '.dockerignore is a directory.'],
    [{ 'server/.dockerignore': '#'.repeat(2 ** 20 + 1) }, {}, '.dockerignore is larger than 1 MiB.'],
  ];
  for (const [tree, changes, ...problems] of cases)
    it(`says: ${problems}`, async () => assert.deepEqual((await read(tree, changes)).problems, problems));

  it('may have none of bot.py and pyproject.toml, which an image can have elsewhere', async () => {
    const remove = (server: string) => {
      for (const name of ['bot.py', 'pyproject.toml']) rmSync(join(server, name));
      mkdirSync(join(server, 'src'));
    };
    assert.deepEqual((await read({}, {}, remove)).problems, []);
  });

  it("says that rules aren't text", async () => {
    const write = (server: string) => writeFileSync(join(server, '.dockerignore'), Buffer.from([0xff]));
    assert.deepEqual((await read({}, {}, write)).problems, [".dockerignore isn't UTF-8 text."]);
  });
});

describe('a deploy without a file that the build file copies', () => {
  const copied = (name: string) => `${name}, which container-file copies,`;
  const absent = `${copied('x.txt')} doesn't exist.`;
  const ruled = `${copied('data/x.txt')} is excluded by line 1 of .dockerignore (*.txt).`;
  const secret = `${copied('ca.pem')} isn't uploaded: it's named like a secret. If the image needs it, a line !ca.pem at the end of .dockerignore includes it.`;
  const env = `${copied('.env')} is excluded by the built-in rule (.env*, .git).`;
  const empty = `${copied('data')} has no files that are uploaded.`;
  const texts = 'COPY $X .\nADD https://acme.io/x.txt .\nCOPY <<E /x\nCOPY x.txt .\nE';
  const excludes = { 'server/data/x.txt': '', 'server/.dockerignore': '*.txt' };
  const rows: [about: string, lines: string, others: Tree, problems: string[], warnings?: string[]][] = [
    ['that nobody wrote', 'COPY x.txt /app/', {}, [absent]],
    ['in lines that go on', 'COPY --chown=1 bot.py \\\n  # mine\n  ./x.txt ./', {}, [absent]],
    ['in a list', 'add ["x.txt", "/a b/"]', {}, [absent]],
    ['after a text', 'RUN <<EOF\nCOPY y.txt .\nEOF\nCOPY x.txt .', {}, [absent]],
    ['that a line excludes', 'COPY data/x.txt .', excludes, [ruled]],
    ["that's named like a secret", 'COPY ca.pem .', { 'server/ca.pem': '' }, [secret]],
    ['an env file', 'COPY .env .', { 'server/.env': 'A=1' }, [env]],
    ['an empty directory', 'COPY data/ .', { 'server/data': '/' }, [empty]],
    ['for a stage that may not be built', 'FROM base AS b\nCOPY x.txt .', {}, [], [absent]],
    ['that is there', 'COPY . .\nCOPY ./bot.py /data/ /app/', { 'server/data/a': '' }, []],
    ['that a pattern names', 'COPY uv.lock* ./*.txt .', {}, []],
    ['of another stage', 'COPY --from=b x.txt .', {}, []],
    ['by a variable, an address or a text', texts, {}, []],
    ['in a comment, or a command', '# COPY x.txt .\nRUN echo \\\n  COPY x.txt .', {}, []],
  ];
  for (const [about, lines, others, problems, warnings = []] of rows) {
    it(`${problems.length + warnings.length > 0 ? 'names it' : "isn't one"}: ${about}`, async () => {
      const found = await read({ ...others, 'server/container-file': `FROM base\n${lines}\n` });
      assert.deepEqual([found.problems, found.warnings], [problems, warnings]);
    });
  }
});

/** A bot, what is said of its modules (none if nothing), other files next to it, and the lines of `.dockerignore`. */
type ImportCase = [about: string, bot: string, said?: string[], others?: Tree, lines?: string];

describe('a deploy without a module that the bot imports', () => {
  const KEY_LINE = `OPENAI_API_KEY="${'a1B2c3D4e5F6g7H8'.repeat(2)}"\n`;
  const excluded = (file: string, line: string, importer = 'bot.py imports') =>
    `${file}, which ${importer}, is excluded by line ${line}.`;
  const tools = { 'tools.py': '' };
  const toolsOf = (importer?: string) => excluded('tools.py', '1 of .dockerignore (tools.py)', importer);
  const recordings = (line: string) => [excluded('recordings/__init__.py', `${line} of .dockerignore (recordings)`)];
  const unlucky = 'try:\n    import tools\nexcept ImportError as error:\n    raise SystemExit("no") from error';
  const imported = 'tools.py, which bot.py imports,';
  const outside = "can't be uploaded: it leads outside the directory, through a symbolic link.";
  const secret =
    "isn't uploaded: line 1 sets OPENAI_API_KEY. If the image needs it, a line !tools.py at the end of .dockerignore includes it.";
  const weather = { 'env.py': '', 'tools/weather.py': 'from . import units', 'tools/units.py': '', 'notes.py': '' };
  const wav = { 'recordings/__init__.py': 'save = print', 'recordings/wav.py': '' };
  const forgotten = [
    excluded('env.py', '1 of .dockerignore (*)'),
    excluded('tools/units.py', '1 of .dockerignore (*)', 'tools/weather.py imports'),
  ];
  const allowed = '*\n!bot.py\n!container-file\n!pyproject.toml\n!tools/weather.py';
  const around = { 'a/__init__.py': 'import tools', 'a/b.py': '', ...tools };
  const packed = { 'a/__init__.py': 'X = 1', 'a/b.py': '' };
  const code = [excluded('a/__init__.py', '1 of .dockerignore (__init__.py)')];
  const linked = { '../tools.py': '', 'tools.py': '-> ../tools.py' };
  const toDirectory = ["tools, which bot.py imports, can't be uploaded: it is a symbolic link to a directory."];
  const inDirectory = { '../tools/weather.py': '', tools: '-> ../tools' };
  const toSecret = { 'env.local': KEY_LINE, 'tools.py': '-> env.local' };
  const problems: ImportCase[] = [
    ['in a directory', 'from recordings import save', recordings('2'), wav, '# mine\nrecordings'],
    ['an empty package', 'import recordings', recordings('1'), { 'recordings/__init__.py': '' }, 'recordings'],
    ['an allow list that forgets some', 'import env, tools.weather', forgotten, weather, allowed],
    ['imported by the package around a module', 'from a.b import c', [toolsOf('a/__init__.py imports')], around],
    ['the code of a package whose modules are uploaded', 'import a.b', code, packed, '__init__.py'],
    ['in a function', 'def bot():\n    from tools import x', [toolsOf()]],
    ['whose absence ends the bot', unlucky, [toolsOf()]],
    ['a link that leads outside', 'import tools', [`${imported} ${outside}`], linked, ''],
    ['in a link to a directory', 'import tools.weather', toDirectory, inDirectory, ''],
    ['a link to a file with a secret', 'import tools', [`${imported} ${secret}`], toSecret, 'env.local'],
  ];
  const maybe = 'try:\n    import a\nexcept ModuleNotFoundError:\n    pass';
  const some = [toolsOf('bot.py may import'), excluded('c.py', '2 of .dockerignore (c.py)', 'b.py may import')];
  const debug = { 'a.py': 'if DEBUG:\n    import b', 'b.py': 'import c', 'c.py': '', ...tools };
  const warnings: ImportCase[] = [
    ['by a module that may be missing', maybe, [toolsOf('a.py may import')], { 'a.py': 'import tools', ...tools }],
    ['under a condition', 'import a\nif DEBUG:\n    import tools', some, debug, 'tools.py\nc.py'],
    ...[
      'try:\n    import tools\nexcept ImportError:\n    pass',
      'try:\n    import tools\nexcept:\n    tools = None',
      'try:\n    import a\nexcept ImportError:\n    import tools',
    ].map((bot): ImportCase => [`that it may import: ${JSON.stringify(bot)}`, bot, [toolsOf('bot.py may import')]]),
  ];
  const inScript = 'if __name__ == "__main__":\n    import tools';
  const byOther = { 'a.py': '', 'b.py': 'import tools', ...tools };
  const nothing: ImportCase[] = [
    ['that a call imports', 'importlib.import_module("tools")'],
    ['that may be missing', 'with suppress(ImportError):\n    import tools'],
    ['that only another file imports', 'import a', [], byOther, 'b.py\ntools.py'],
    ['of a package', 'from openai import x\nimport evals', [], { 'evals/judge.py': '' }, 'evals\nopenai'],
    ['for its types', 'if typing.TYPE_CHECKING:\n    import tools'],
    ['only where Python starts it', inScript],
    ['in the script of another module', 'import a', [], { 'a.py': inScript, ...tools }],
    ['that a package replaces', 'import a', [], { 'a/__init__.py': 'X = 1', 'a.py': '' }, 'a.py'],
  ];
  for (const [kind, cases] of [
    ['a problem', problems],
    ['a warning', warnings],
    ['nothing', nothing],
  ] as const) {
    for (const [about, bot, said = [], others = tools, lines = 'tools.py'] of cases) {
      it(`is ${kind}: one ${about}`, async () => {
        const tree = { 'bot.py': bot, '.dockerignore': lines, ...others };
        const inServer = Object.entries(tree).map(([name, text]) => [posix.join('server', name), text]);
        const context = await read(Object.fromEntries(inServer));
        const expected = kind === 'a warning' ? [[], said] : [said, []];
        assert.deepEqual([context.problems, context.warnings], expected);
      });
    }
  }

  it('is named in a context around the deploy file, but not in one without the bot', async () => {
    const tree = { 'server/bot.py': 'import tools', 'server/tools.py': '' };
    const around = { contextDir: '..', dockerfile: 'server/container-file' };
    assert.deepEqual((await read({ ...tree, '.dockerignore': '**/tools.py' }, around)).problems, [
      excluded('server/tools.py', '1 of .dockerignore (**/tools.py)', 'server/bot.py imports'),
    ]);
    const elsewhere = { 'image/.dockerignore': '*.py', 'image/tools.py': '', 'image/Dockerfile': '' };
    const next = { contextDir: '../image', dockerfile: 'Dockerfile' };
    assert.deepEqual((await read({ ...tree, ...elsewhere }, next)).problems, []);
  });
});
