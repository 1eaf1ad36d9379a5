import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOf } from '../../src/project/files/state.ts';
import { git } from '../support/git.ts';
import { fingerprint } from '../support/trees.ts';
import { type OwnedProject, ownedIt } from './project.ts';

const SECRET = 'sk-SECRET';
const TOKEN = 'https://token-SECRET@example.com/repo.git';

/** A project in a repository, whose owner has filled in env files, next to files of their own. */
function settle({ directory }: OwnedProject): void {
  const bot = join(directory, 'bot');
  git(directory, 'init', '-q', bot);
  git(bot, 'remote', 'add', 'origin', TOKEN);
  for (const name of ['.env.local', 'server/.env', 'server/.env.production', 'server/mine.py', 'LICENSE'])
    writeFileSync(join(bot, name), `KEY=${SECRET}\nCARTESIA_API_KEY=\n`);
  writeFileSync(join(directory, 'outside.txt'), `KEY=${SECRET}\n`);
}

/** Records files with the hashes that they have, or with another one. */
function record(project: OwnedProject, files: Readonly<Record<string, string | undefined>>): void {
  const hashes = Object.entries(files).map(([path, hash]) => [path, hash ?? hashOf(project.read(`bot/${path}`))]);
  project.record({ files: Object.fromEntries(hashes) });
}

const ZEROS = '0'.repeat(64);

type Deed = (project: OwnedProject) => void;

/** Replaces a file of the project by a link, and perhaps records another hash of it. */
const linked =
  (path: string, target: string, hash?: string): Deed =>
  project => {
    const place = join(project.directory, 'bot', path);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target, place);
    if (hash) record(project, { [path]: hash });
  };

/** Records a file with the hash that it has, or with another one. */
const recorded =
  (path: string, hash?: string): Deed =>
  project =>
    record(project, { [path]: hash });

const FILES = ['server/shutdown.py', 'server/bot.py', 'README.md', 'AGENTS.md', '.gitignore', 'server/.env.example'];
const ENV = ['.git/HEAD', '.git/config', '.env.local', 'server/.env', 'server/.env.production'];
const NEVER = ['.GIT/HEAD', 'server/.ENV', 'GIT~1/HEAD', 'a\nb', 'a\u001b[2Jb'];
const OUTSIDE = [
  '../outside.txt',
  '/etc/passwd',
  'server/../../outside.txt',
  'C:\\x',
  'server\\bot.py',
  'x\0',
  '',
  '.',
];
const ODD = ['CON', 'NUL.txt', 'COM1', 'n'.repeat(200), 'server/gr\u00f6\u00dfe.py', 'server/gro\u0308\u00dfe.py'];

/** What a stranger's project could contain: what `prepare` does, and what the run says. */
const traps: [about: string, prepare: Deed, says?: RegExp][] = [
  ...FILES.flatMap((path): typeof traps => {
    const target = path.startsWith('server/') ? '.env' : 'server/.env';
    return [
      [`${path} as a link to .env`, linked(path, target)],
      [`${path} as a link to .env, with another hash`, linked(path, target, ZEROS)],
    ];
  }),
  [
    'a guide as a link to the settings of git',
    linked('ASSISTANT.md', '.git/config', ZEROS),
    /ASSISTANT\.md {2}It is a symbolic link to \.git\/config, which botcli never touches\./,
  ],
  ['server/ as a link to .git', linked('server', '.git')],
  ['server/ as a link out of the project', linked('server', '../..')],
  ['a guide as a link out of the project', linked('AGENTS.md', '../outside.txt')],
  [
    'a guide as a link to a link out of the project',
    project => {
      linked('z', '../outside.txt')(project);
      linked('AGENTS.md', 'z')(project);
    },
  ],
  [
    'a file as a hard link to .env',
    project => {
      rmSync(join(project.directory, 'bot/server/shutdown.py'));
      linkSync(join(project.directory, 'bot/server/.env'), join(project.directory, 'bot/server/shutdown.py'));
      record(project, { 'server/shutdown.py': ZEROS });
    },
  ],
  [
    'a file as a pipe',
    ({ directory }) => {
      rmSync(join(directory, 'bot/server/shutdown.py'));
      execFileSync('mkfifo', [join(directory, 'bot/server/shutdown.py')]);
    },
  ],
  ['the state file as a link to .env', linked('.botcli.json', 'server/.env'), /\.botcli\.json can't be read/],
  [
    'the state file as a link out of the project',
    project => {
      renameSync(join(project.directory, 'bot/.botcli.json'), join(project.directory, 'state.json'));
      linked('.botcli.json', '../state.json')(project);
    },
    /\.botcli\.json can't be read/,
  ],
  ...[...ENV, ...NEVER].map((path): (typeof traps)[number] => [
    `a record of ${JSON.stringify(path)}`,
    recorded(path, ENV.includes(path) ? undefined : ZEROS),
    /\.botcli\.json names a file that botcli never writes/,
  ]),
  ...OUTSIDE.map((path): (typeof traps)[number] => [
    `a record of ${JSON.stringify(path)}`,
    recorded(path, ZEROS),
    /\.botcli\.json names a path outside the project/,
  ]),
  ...['LICENSE', 'server/mine.py'].map((path): (typeof traps)[number] => [
    `a record of ${path} with its hash`,
    recorded(path),
  ]),
  ...ODD.map((path): (typeof traps)[number] => [`a record of ${path.slice(0, 20)}`, recorded(path, ZEROS)]),
];

const LINES = [
  '--recording --diff --dry-run',
  '--eval --json',
  '--tts elevenlabs_tts --diff',
  '--tts cartesia_tts --conflicts markers',
];

/** Everything that isn't botcli's to change: git's, env files, the owner's, and what is next to the project. */
function treasures(directory: string): object {
  const state = Object.entries(fingerprint(directory, false));
  return Object.fromEntries(
    state.filter(([path]) =>
      /^bot\/(\.git(\/|$)|(.*\/)?\.env(?!\.example)|LICENSE|server\/mine\.py)|^outside/.test(path),
    ),
  );
}

describe('a diff', () => {
  const EVIL = '\u001b]0;owned\u0007 \u009b31m \u202e a\rb';
  const evilIt = (title: string, use: (project: OwnedProject) => Promise<void>) =>
    ownedIt(title, async project => {
      project.edit('.gitignore', /^/, `# ${EVIL}\t.\n`);
      project.edit('README.md', "the bot's packages", `the bot's packages ${EVIL}`);
      project.edit('server/bot.py', /^/, `# ${EVIL}\n`);
      await use(project);
    });

  evilIt('in a pipe has no control characters of the project, and says so', async ({ run }) => {
    const { stdout, stderr } = await run('update bot --recording --eval --dry-run --diff');
    assert.match(stdout, /^\+\+\+ b\/server\/bot\.py$/m);
    assert.match(stdout, /\uFFFD\]0;owned\uFFFD \uFFFD31m \uFFFD a\uFFFDb/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
    assert.doesNotMatch(stdout, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e](?!\n)/);
    assert.match(stderr, /^The diff shows control characters as \uFFFD\. With --json, it has them as they are\.\n/);
  });

  ownedIt('in a pipe is exact without such characters', async ({ run, edit }) => {
    edit('server/bot.py', /^/, '# \ttab and CRLF \r\n');
    const { stdout, stderr } = await run('update bot --recording --dry-run --diff');
    assert.doesNotMatch(stdout + stderr, /\uFFFD/);
  });
});

describe("botcli update neither shows nor changes what isn't botcli's, whatever a project says:", () => {
  for (const [about, prepare, says] of traps) {
    ownedIt(about, async project => {
      settle(project);
      prepare(project);
      const before = treasures(project.directory);
      for (const line of LINES) {
        const { code, stdout, stderr } = await project.run(`update bot ${line}`);
        assert([0, 1, 2].includes(code), stderr);
        assert.doesNotMatch(stdout + stderr, /SECRET|bug in botcli/);
        assert.deepEqual(treasures(project.directory), before);
        if (says && line === LINES[0]) assert.match(stdout + stderr, says);
      }
    });
  }
});

describe('botcli update deletes a recorded file', () => {
  ownedIt(
    'only if the recorded choices render it like that',
    async project => {
      settle(project);
      record(project, { LICENSE: undefined, 'server/mine.py': undefined });
      const shown = await project.succeed('update bot --no-eval');
      assert.match(shown, /deleted {3}server\/evals\/judge\.py/);
      assert.match(shown, /kept {6}LICENSE \(botcli may not have written it\)\n {12}server\/mine\.py \(/);
      assert(project.exists('bot/LICENSE') && !project.exists('bot/server/evals'));
      assert.match(await project.succeed('update bot'), /^bot is up to date\./);
    },
    '--eval',
  );

  ownedIt(
    'of an older release, if this one would still write it',
    async project => {
      project.record({ version: '0.0.9' });
      const env = { npm_config_registry: 'http://127.0.0.1:9', PATH: '' };
      const { code, stdout, stderr } = await project.run('update bot --no-eval', { env });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /deleted {3}server\/evals\/judge\.py/);
      assert.equal(stderr, '');
    },
    '--eval',
  );

  ownedIt('of an older release that cannot run here, not if nobody can tell', async project => {
    project.write('bot/server/old.py', 'old');
    project.record({ version: '0.0.9', files: { 'server/old.py': hashOf('old') } });
    const { code, stdout } = await project.run('update bot --recording', { env: { PATH: '' } });
    assert.equal(code, 0);
    assert.match(stdout, /kept {6}server\/old\.py \(botcli may not have written it\)/);
  });
});

describe('a message quotes no more than the start of a long text', () => {
  const LONG = 'x'.repeat(100_000);

  ownedIt('in a conflict', async project => {
    project.edit('server/bot.py', /tts = OpenAITTSService\(/, `tts = ${LONG}(`);
    const shown = await project.fail(1, 'update bot --tts elevenlabs_tts');
    assert.match(shown, /\n {4}yours {2}\| {5}tts = x{190}…\n/);
    assert(shown.length < 5000);
  });
});
