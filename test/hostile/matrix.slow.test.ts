import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { BOT, session } from '../support/session.ts';
import { posixIt } from '../support/systems.ts';
import { answersIn } from './stranger.ts';

const ESCAPE = '\u001b]0;owned\u0007\u001b[31m\u009b2J\u202E';
/** Files that botcli reads, in place of which there is something else. */
const READ = [
  ...['server/bot.py', 'server/.dockerignore', '.gitignore', 'README.md', 'AGENTS.md', 'server/pyproject.toml'],
  ...['server/cloud-deploy.toml', '.botcli.json', 'server/.env', 'server/.env.example'],
];

const things: Record<string, (path: string) => unknown> = {
  'a pipe': path => void execFileSync('mkfifo', [path]),
  'a socket': async path => {
    const server = createServer().listen(path);
    await once(server, 'listening');
    return () => server.close();
  },
  'a directory': path => void mkdirSync(path),
  'a link to itself': path => symlinkSync('.botcli.json', path),
  'a link to nothing': path => symlinkSync('nowhere', path),
  'a link to /dev/zero': path => symlinkSync('/dev/zero', path),
  '10 GB of nothing': path => {
    writeFileSync(path, '');
    truncateSync(path, 10 * 2 ** 30);
  },
  'bytes that are no text': path => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 0x80, 0x1b, 0x5b, 0x32, 0x4a])),
  'escapes for a terminal': path => writeFileSync(path, `${ESCAPE}=${ESCAPE}\n[${ESCAPE}]\n`.repeat(3)),
};

describe('botcli reads a project, even if', () => {
  for (const path of READ) {
    for (const [about, put] of Object.entries(things)) {
      posixIt(
        `${path} is ${about}`,
        answersIn(({ at }) => {
          rmSync(at(path), { force: true });
          return put(at(path));
        }),
      );
    }
  }
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
          ({ at, write }) => {
            const text = readFileSync(at('.botcli.json'), 'utf8');
            const added = text.replace('{', `{ ${JSON.stringify(key)}: ${JSON.stringify(value)},`);
            write(
              '.botcli.json',
              CHOICES.includes(key) ? JSON.stringify({ ...JSON.parse(text), [key]: value }) : added,
            );
          },
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

const shapes: Record<string, (root: string) => unknown> = {
  'variables are escapes': root =>
    writeFileSync(
      join(root, 'server/x.py'),
      `import os\nos.environ["A_${ESCAPE}"]\nos.environ["A\\x1b[31m_KEY"]\nos.environ["$(id)_KEY"]\nos.environ["__proto__"]\n`,
    ),
  'packages are objects': root =>
    writeFileSync(
      join(root, 'server/pyproject.toml'),
      '[project]\nname = "a"\ndependencies = [{ toString = "x" }, 1979-05-27, [[]], "a"]\nrequires-python = { toString = "x" }\n',
    ),
  'a deploy is objects': root =>
    writeFileSync(
      join(root, 'server/cloud-deploy.toml'),
      'agent_name = { toString = "x" }\nsecret_set = ["a"]\nimage = 1979-05-27\n[scaling]\nmin_agents = { toString = "x" }\n',
    ),
  'an env file has escapes for names': root =>
    writeFileSync(join(root, 'server/.env'), `A_${ESCAPE}=1\nOPENAI_API_KEY=${ESCAPE}\n__proto__=1\nconstructor=x\n`),
  'server/ is a link to itself': root => {
    rmSync(join(root, 'server'), { recursive: true });
    symlinkSync('server', join(root, 'server'));
  },
  'server/ is a file': root => {
    rmSync(join(root, 'server'), { recursive: true });
    writeFileSync(join(root, 'server'), 'x');
  },
  'it has 3,000 temporary files of other runs': root => {
    for (let at = 1; at <= 3000; at += 1) mkdirSync(join(root, `.botcli-${at}-a.tmp/0.old`), { recursive: true });
  },
  'a file next to a target has the name of a temporary one': root =>
    writeFileSync(join(root, 'server/.botcli-abc.tmp'), 'mine'),
};

describe('botcli reads a project, even if its shape is strange:', () => {
  for (const [about, shape] of Object.entries(shapes))
    posixIt(
      about,
      answersIn(({ root }) => shape(root)),
    );

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
