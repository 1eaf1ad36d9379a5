import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { git } from '../support/git.ts';
import { BOT, session } from '../support/session.ts';
import { posixIt } from '../support/systems.ts';
import { fingerprint, growTree } from '../support/trees.ts';
import { owned } from '../update/project.ts';

/** A project that a stranger has prepared, in a directory next to `outside`. */
interface Stranger {
  root: string;
  at(path: string): string;
  write(path: string, text: string): void;
  state(change: (state: Record<string, unknown>) => void): void;
  /** A command that proves that it ran. */
  proof: string;
}

/** What the stranger did. It may return how to undo it. */
type Deed = (stranger: Stranger) => unknown;

const OTHER_BOT = '-t rtc_local -m realtime --realtime openai_realtime';

/** The lines that read a project in every way, in its directory. Those that write come last. */
const LINES = [
  'check',
  'update --recording --dry-run --diff',
  `init . ${OTHER_BOT}`,
  'cloud deploy --dry-run',
  'cloud secrets set x --file server/.env',
  'check --json',
  'update --recording --no-eval --json',
  `init . ${BOT} --force --recording`,
  `init . ${OTHER_BOT} --force --json`,
];

/** The line that a hostile name tries to add to a report. */
const FORGED = '✓ Keys: all are set';

/** Control characters other than line feeds, and those that turn text around. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

/**
 * A test that runs these lines in such a project. Each must answer, be no bug, and neither show a secret, do anything to the
 * terminal, forge a line, change what is outside, nor run a program of the stranger's.
 */
const answersIn = (deed: Deed, lines: readonly string[] = LINES, shows = /(?:)/) =>
  owned(async opened => {
    const { directory, run } = opened;
    const outside = join(directory, 'outside');
    growTree(outside, { 'secret.txt': 'SECRET', 'repository/HEAD': 'SECRET' });
    const root = join(directory, 'bot');
    const at = (path: string) => join(root, path);
    const write = (path: string, text: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    };
    const state: Stranger['state'] = change => {
      const now = JSON.parse(opened.read('bot/.botcli.json'));
      change(now);
      write('.botcli.json', JSON.stringify(now));
    };
    const env = {
      ...process.env,
      BOTCLI_TOKEN: 'pk_x',
      BOTCLI_ORG: 'x',
      BOTCLI_API_URL: 'http://127.0.0.1:9',
      BOTCLI_HTTP_TIMEOUT: '2',
      BOTCLI_CONFIG: join(directory, 'config'),
      npm_config_registry: 'http://127.0.0.1:9',
    };
    const undo = await deed({ root, at, write, state, proof: `touch '${directory}/ran'` });
    const before = fingerprint(outside, false);
    try {
      for (const line of lines) {
        const { code, stdout, stderr } = await run(line, { cwd: 'bot', env });
        const shown = stdout + stderr;
        assert([0, 1, 2].includes(code), `${line}: ${code}`);
        assert.doesNotMatch(shown, /bug in botcli|TypeError|RangeError|"internal"/, line);
        assert.doesNotMatch(shown.replaceAll('SECRET-TITLE', ''), /SECRET/, line);
        assert.doesNotMatch(shown, UNSAFE, line);
        assert.match(shown, shows, line);
        assert(!shown.split(/[\n\u2028]/).some(one => one.startsWith(FORGED)), shown);
        if (line.endsWith('--json') && stdout !== '') JSON.parse(stdout);
        assert.deepEqual(fingerprint(outside, false), before, line);
        assert(!opened.exists('ran'), line);
      }
    } finally {
      if (typeof undo === 'function') await undo();
    }
  }, '--eval --deploy-to-cloud');

const ESCAPE = '\u001b]0;owned\u0007\u001b[31m\u009b2J\u202E';
/** Files that botcli reads. */
const READ = [
  ...['server/bot.py', 'server/.dockerignore', '.gitignore', 'README.md', 'AGENTS.md', 'server/pyproject.toml'],
  ...['server/cloud-deploy.toml', '.botcli.json', 'server/.env', 'server/.env.example'],
];

/** What may be in the place of a file. */
const things = {
  'a pipe': (path: string) => void execFileSync('mkfifo', [path]),
  'a socket': async (path: string) => {
    const server = createServer().listen(path);
    await once(server, 'listening');
    return () => server.close();
  },
  'a directory': (path: string) => void mkdirSync(path),
  'a link to itself': (path: string) => symlinkSync(basename(path), path),
  'a link to nothing': (path: string) => symlinkSync('nowhere', path),
  'a link to /dev/zero': (path: string) => symlinkSync('/dev/zero', path),
  '10 GB of nothing': (path: string) => {
    writeFileSync(path, '');
    truncateSync(path, 10 * 2 ** 30);
  },
  'bytes that are no text': (path: string) =>
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 0x80, 0x1b, 0x5b, 0x32, 0x4a])),
  'escapes for a terminal': (path: string) => writeFileSync(path, `${ESCAPE}=${ESCAPE}\n[${ESCAPE}]\n`.repeat(3)),
};

/** Puts something in the place of a file or directory. */
const swap =
  (path: string, thing: keyof typeof things): Deed =>
  ({ at }) => {
    rmSync(at(path), { recursive: true, force: true });
    return things[thing](at(path));
  };

/** Files and directories that botcli looks at only in some runs, or only for some of this. */
const more: [path: string, thing: keyof typeof things][] = [
  ['server/uv.lock', 'a pipe'],
  ['server/uv.lock', '10 GB of nothing'],
  ['.git', 'a pipe'],
  ['package.json', 'a pipe'],
  ['server/helpers.py', 'a pipe'],
  ['server/helpers.py', 'a link to /dev/zero'],
  ['server', 'a link to itself'],
  ['server', 'escapes for a terminal'],
];

const inGit =
  (deed: Deed): Deed =>
  stranger => {
    git(stranger.root, 'init', '--quiet');
    git(stranger.root, 'add', '--force', '.');
    deed(stranger);
  };

const EVIL = '\u001b]0;SECRET-TITLE\u0007\u202e\u009b31m';

const cases: Record<string, Deed> = {
  'a link from server to outside': ({ at }) => {
    renameSync(at('server'), join(at('..'), 'outside/server'));
    symlinkSync('../outside/server', at('server'));
  },
  'links that double at each level': ({ at }) => {
    let place = 'server/deep';
    for (let level = 0; level < 12; level += 1) {
      mkdirSync(at(place), { recursive: true });
      for (const name of ['a', 'b', 'c']) symlinkSync('..', at(`${place}/${name}`));
      place += '/d';
    }
  },
  'a .git/index of 10 GB': inGit(swap('.git/index', '10 GB of nothing')),
  'a .git/config of 10 GB': inGit(swap('.git/config', '10 GB of nothing')),
  'directories that may not be written': ({ at }) => {
    for (const path of ['server', '.']) chmodSync(at(path), 0o555);
  },
  '300 levels of directories': ({ at }) => mkdirSync(at(`server/${'d/'.repeat(300)}`), { recursive: true }),
  'undefined names with escapes': ({ write }) =>
    write('server/bot.py', `from helpers import ${'ñ'.repeat(300)}\nfrom helpers import a\u202eb\nprint(x${EVIL})\n`),
  'a module with 20,000 undefined names': ({ write }) =>
    write('server/bot.py', Array.from({ length: 20_000 }, (_, at) => `n${at}`).join('\n')),
  'programs in the git config': inGit(({ root, write, at, proof }) => {
    write('evil.sh', `#!/bin/sh\n${proof}\n`);
    chmodSync(at('evil.sh'), 0o755);
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'core.editor',
      'filter.x.clean',
      'diff.external',
    ])
      git(root, 'config', key, at('evil.sh'));
    git(root, 'config', 'filter.x.process', at('evil.sh'));
    git(root, 'config', 'core.hooksPath', root);
    write('.gitattributes', '* filter=x diff=x\n');
    write('post-index-change', `#!/bin/sh\n${proof}\n`);
    chmodSync(at('post-index-change'), 0o755);
  }),
  'a git config that includes itself': inGit(({ write }) => write('.git/config', '[include]\n\tpath = config\n')),
  'a worktree of a repository elsewhere': inGit(({ root }) => {
    git(root, 'config', 'core.worktree', '../../outside');
  }),
  'scripts and registries of npm': ({ write, proof }) => {
    write('package.json', JSON.stringify({ name: 'x', scripts: { preinstall: proof, prepare: proof } }));
    write('.npmrc', `registry=http://127.0.0.1:9/\nnode-options=--require ./evil.cjs\nscript-shell=./evil.sh\n`);
    write('evil.cjs', `require('child_process').execSync(${JSON.stringify(proof)})`);
    write('server/uv.toml', 'index-url = "http://127.0.0.1:9/"\n');
  },
  'build hooks of Python': ({ write, proof }) => {
    write('server/setup.py', `import os\nos.system(${JSON.stringify(proof)})\n`);
    write('server/sitecustomize.py', `import os\nos.system(${JSON.stringify(proof)})\n`);
    write('server/pyproject.toml', '[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n');
  },
  'a project name that is a path': ({ state }) =>
    state(now => {
      Object.assign(now, { project_name: '../../outside/x' });
    }),
  'a README with front matter and options': ({ write, at }) => {
    rmSync(at('.botcli.json'));
    write(
      'README.md',
      `---\nbotcli: ../outside\n---\nnpx botcli@0.0.1 init ../outside --config ../outside/secret.txt ${EVIL}\n<!-- Written by botcli 0.0.1. -->\n`,
    );
  },
  'a .pth file and a fake environment': ({ write, proof }) => {
    write('server/.venv/lib/python3.12/site-packages/x.pth', `import os; os.system(${JSON.stringify(proof)})\n`);
    write('server/.venv/pyvenv.cfg', 'home = /nowhere\n');
  },
  'a deploy file with paths outside': ({ write }) =>
    write(
      'server/cloud-deploy.toml',
      'agent_name = "--help"\nsecret_set = "../x"\nimage = "x\\u001b[2J"\n[build]\ncontext_dir = "../../outside"\ndockerfile = "../../outside/secret.txt"\n',
    ),
  'variables are escapes': ({ root }) =>
    writeFileSync(
      join(root, 'server/x.py'),
      `import os\nos.environ["A_${ESCAPE}"]\nos.environ["A\\x1b[31m_KEY"]\nos.environ["$(id)_KEY"]\nos.environ["__proto__"]\n`,
    ),
  'packages are objects': ({ root }) =>
    writeFileSync(
      join(root, 'server/pyproject.toml'),
      '[project]\nname = "a"\ndependencies = [{ toString = "x" }, 1979-05-27, [[]], "a"]\nrequires-python = { toString = "x" }\n',
    ),
  'a deploy is objects': ({ root }) =>
    writeFileSync(
      join(root, 'server/cloud-deploy.toml'),
      'agent_name = { toString = "x" }\nsecret_set = ["a"]\nimage = 1979-05-27\n[scaling]\nmin_agents = { toString = "x" }\n',
    ),
  'an env file has escapes for names': ({ root }) =>
    writeFileSync(join(root, 'server/.env'), `A_${ESCAPE}=1\nOPENAI_API_KEY=${ESCAPE}\n__proto__=1\nconstructor=x\n`),
  'it has 3,000 temporary files of other runs': ({ root }) => {
    for (let at = 1; at <= 3000; at += 1) mkdirSync(join(root, `.botcli-${at}-a.tmp/0.old`), { recursive: true });
  },
  'a file next to a target has the name of a temporary one': ({ root }) =>
    writeFileSync(join(root, 'server/.botcli-abc.tmp'), 'mine'),
};

const put =
  (path: string, text: string): Deed =>
  ({ write }) =>
    write(path, text);
const record = (name: string, hash = 'a'.repeat(64)) => change({ botcli: { files: { [name]: hash } } });
/** Adds to the state file. */
const change =
  ({ botcli, ...choices }: { botcli?: { files: object }; [key: string]: unknown }): Deed =>
  ({ state }) =>
    state(now => {
      Object.assign(now, choices);
      Object.assign((now.botcli as { files: object }).files, botcli?.files);
    });
const editState =
  (edit: (text: string) => string): Deed =>
  ({ at, write }) =>
    write('.botcli.json', edit(readFileSync(at('.botcli.json'), 'utf8')));
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

const answered: Record<string, [deed: Deed, line: string, shows: RegExp]> = {
  'a Python file with a line break in its name': [
    put(`server/a\n${FORGED}\n.py`, '<<<<<<< a\n=======\n>>>>>>> b\n'),
    'check',
    /a\uFFFD✓ Keys: all are set\uFFFD\.py/,
  ],
  'a recorded name with a line break': [record(`server/a\n${FORGED}`), 'update --recording', /names a (file|path)/],
  'a recorded name of 100,000 directories': [record(`${'a/'.repeat(100_000)}b`), 'update --recording', /./],
  '__proto__ as a recorded name': [
    editState(text => text.replace('"files": {', `"files": {\n"__proto__": "${'a'.repeat(64)}",`)),
    'update --recording',
    /./,
  ],
  'a state file over 1 MiB': [
    editState(text => text + ' '.repeat(2 ** 20)),
    'update',
    /\.botcli\.json is larger than 1 MiB/,
  ],
  'a state file with 100,000 levels': [
    editState(text => text.replace('{', `{"a": ${deep},`)),
    'update',
    /\.botcli\.json has more than 10 levels/,
  ],
  'a choice with a forged line': [change({ stt_service: `x\n${FORGED}` }), 'update', /stt_service/],
  'a key with a forged line': [change({ [`a\n${FORGED}`]: 'x' }), 'check', /isn't a known key/],
  'a client with a forged line, dropped': [
    change({ client_framework: `x\n${FORGED}` }),
    'update -t tel_a',
    /lose its web client \(x\uFFFD/,
  ],
  'a bot of 10 GB': [
    swap('server/bot.py', '10 GB of nothing'),
    'update --recording',
    /Cannot read server\/bot\.py: it is larger than 64 MiB/,
  ],
  'an .env that doubles itself': [
    put('server/.env', Array.from({ length: 64 }, (_, at) => `A${at + 1}=x\${A${at}}\${A${at}}\n`).join('')),
    'check',
    /isn't set/,
  ],
  '25 MB of Python': [
    ({ write }) => {
      for (let at = 0; at < 25; at += 1) write(`server/a/m${at}.py`, `${`#${'x'.repeat(1000)}\n`.repeat(1000)}`);
    },
    'check',
    /server has over 2,000 Python files or directories, 20 MiB or 500,000 words of Python, so botcli read only some/,
  ],
  'a directory that links to itself, a thousand times recorded': [
    stranger => {
      symlinkSync('.', stranger.at('server/l'));
      const names = Array.from({ length: 999 }, (_, at) => `server/${'l/'.repeat((at + 1) % 30)}x${at + 1}.py`);
      change({ botcli: { files: Object.fromEntries(names.map(name => [name, 'a'.repeat(64)])) } })(stranger);
    },
    'update --recording',
    /./,
  ],
};

describe("a stranger's project neither runs, shows, changes nor hangs anything:", () => {
  for (const path of READ) {
    for (const thing of Object.keys(things) as (keyof typeof things)[])
      posixIt(`${path} is ${thing}`, answersIn(swap(path, thing)));
  }
  for (const [path, thing] of more) posixIt(`${path} is ${thing}`, answersIn(swap(path, thing)));
  for (const [about, deed] of Object.entries(cases)) posixIt(about, answersIn(deed));
  for (const [about, [deed, line, shows]] of Object.entries(answered)) posixIt(about, answersIn(deed, [line], shows));

  posixIt(
    'the directory has a name for a terminal',
    session({}, async opened => {
      const name = 'b\u202Eot \'"`$(id) %PATH%';
      await opened.run(['init', name, ...`${BOT} --name bot`.split(' ')]);
      for (const line of [
        ['check', name],
        ['check', name, '--json'],
        ['update', name, '--recording', '--json'],
        ['init', name],
      ]) {
        const { stdout, stderr } = await opened.run(line);
        assert.doesNotMatch((stdout + stderr).replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
        assert.doesNotMatch(stdout + stderr, /bug in botcli/);
      }
    }),
  );
});

const VALUES: Record<string, unknown> = {
  null: null,
  true: true,
  'a large number': 1e308,
  'a list of 2,000': Array.from({ length: 2000 }, (_, at) => `a${at}`),
  'a list of lists': [[[['rtc_local']]]],
  'an object': { length: 1, toString: 'x', __proto__: null },
  'an escape': ESCAPE,
  'a name of every object': 'constructor',
  __proto__: '__proto__',
  'a text of 50 kB': 'x'.repeat(50_000),
  'an object that says it is a text': { toString: 'x', valueOf: 1, toJSON: 'x' },
  'half a character': '\ud800',
};

const CHOICES = ['project_name', 'transports', 'mode', 'stt_service', 'recording', 'client_framework', 'language'];

describe('botcli reads a state file, even if', () => {
  for (const [about, value] of Object.entries(VALUES)) {
    for (const key of [...CHOICES, '__proto__', 'constructor', ESCAPE]) {
      posixIt(
        `its ${JSON.stringify(key)} is ${about}`,
        answersIn(
          CHOICES.includes(key)
            ? change({ [key]: value })
            : editState(text => text.replace('{', `{ ${JSON.stringify(key)}: ${JSON.stringify(value)},`)),
          ['check --json', 'update --dry-run'],
        ),
      );
    }

    const places: Record<string, (botcli: { files: object }) => unknown> = {
      version: botcli => Object.assign(botcli, { version: value }),
      'list of files': botcli => Object.assign(botcli, { files: value }),
      'hash of a file': ({ files }) => Object.assign(files, { 'server/bot.py': value }),
      'name of a file': ({ files }) =>
        Object.assign(files, { [typeof value === 'string' ? value.slice(0, 1000) : about]: 'a'.repeat(64) }),
    };
    for (const [place, put] of Object.entries(places)) {
      posixIt(
        `its ${place} is ${about}`,
        answersIn(({ state }) => state(({ botcli }) => put(botcli as never)), ['check', 'update --recording --json']),
      );
    }
  }
});
