import { execFileSync } from 'node:child_process';
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
import { join } from 'node:path';
import { git } from '../support/git.ts';
import { BOT } from '../support/session.ts';
import { posixIt } from '../support/systems.ts';
import { answersIn, type Deed, FORGED } from './stranger.ts';

const replace =
  (path: string, make: (path: string) => void): Deed =>
  ({ at }) => {
    rmSync(at(path), { recursive: true, force: true });
    make(at(path));
  };
const fifo = (path: string) => replace(path, one => void execFileSync('mkfifo', [one]));
const linkTo = (path: string, target: string) => replace(path, one => symlinkSync(target, one));
const sparse = (path: string) =>
  replace(path, one => {
    writeFileSync(one, '');
    truncateSync(one, 2 ** 40);
  });
const inGit =
  (deed: Deed): Deed =>
  stranger => {
    git(stranger.root, 'init', '--quiet');
    git(stranger.root, 'add', '--force', '.');
    deed(stranger);
  };

const EVIL = '\u001b]0;SECRET-TITLE\u0007\u202e\u009b31m';

const cases: Record<string, Deed> = {
  'a pipe as uv.lock': fifo('server/uv.lock'),
  'a pipe as .git': fifo('.git'),
  'a pipe as package.json': fifo('package.json'),
  'a pipe among the modules': fifo('server/helpers.py'),
  'a device as a module': linkTo('server/helpers.py', '/dev/zero'),
  'a link from server to outside': ({ at }) => {
    renameSync(at('server'), join(at('..'), 'outside/server'));
    symlinkSync('../outside/server', at('server'));
  },
  'a link from server to itself': linkTo('server', 'server'),
  'links that double at each level': ({ at }) => {
    let place = 'server/deep';
    for (let level = 0; level < 12; level += 1) {
      mkdirSync(at(place), { recursive: true });
      for (const name of ['a', 'b', 'c']) symlinkSync('..', at(`${place}/${name}`));
      place += '/d';
    }
  },
  'a lock file of 1 TiB': sparse('server/uv.lock'),
  'a .git/index of 1 TiB': inGit(sparse('.git/index')),
  'a .git/config of 1 TiB': inGit(sparse('.git/config')),
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
/** A file with holes takes no room on the disk. */
const grow = (path: string) =>
  replace(path, one => {
    writeFileSync(one, '');
    truncateSync(one, 3 * 2 ** 30);
  });
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
  'a bot of 3 GB': [
    grow('server/bot.py'),
    'update --recording',
    /Cannot read server\/bot\.py: it is larger than 64 MiB/,
  ],
  'a .gitignore of 3 GB': [grow('.gitignore'), `init . ${BOT} --force`, /it is larger than 64 MiB/],
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
  for (const [about, deed] of Object.entries(cases)) posixIt(about, answersIn(deed));
  for (const [about, [deed, line, shows]] of Object.entries(answered)) posixIt(about, answersIn(deed, [line], shows));
});
