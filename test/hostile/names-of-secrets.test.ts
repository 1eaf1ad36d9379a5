import assert from 'node:assert/strict';
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOf } from '../../src/project/files/state.ts';
import { type OwnedProject, ownedIt } from '../update/project.ts';

const SECRET = 'sk-SECRET-SECRET';
const TEXT = `OPENAI_API_KEY=${SECRET}\nCARTESIA_API_KEY=\nhost = "${SECRET}"\n`;

/** Puts a secret somewhere, and gives it a second name in the project, in place of a file of botcli's. */
function giveSecondName({ directory }: OwnedProject, secret: string, name: string): void {
  const [from, to] = [join(directory, secret), join(directory, 'bot', name)];
  mkdirSync(dirname(from), { recursive: true });
  writeFileSync(from, TEXT);
  rmSync(to, { force: true });
  linkSync(from, to);
}

const LINES = [
  'update bot --recording --diff',
  'update bot --tts elevenlabs_tts --json',
  'update bot --eval --conflicts markers',
  'update bot --no-eval --dry-run --diff',
  'init bot -t rtc_local -m realtime --realtime openai_realtime --force',
  'check bot',
  'check bot --json',
];

const secondNames: [secret: string, name: string][] = [
  ['bot/config/.env', 'server/shutdown.py'],
  ['bot/config/deep/er/.env.production', 'server/bot.py'],
  ['bot/config/.env', 'server/.env.example'],
  ['.env', 'server/env.py'],
  ['other/.aws/credentials', 'README.md'],
  ['other/.netrc', 'AGENTS.md'],
  ['other/id_ed25519', '.gitignore'],
  ['other/.git/config', 'server/pyproject.toml'],
  ['bot/.git/config', 'ASSISTANT.md'],
  ['bot/secrets/team.env', 'server/.dockerignore'],
];

describe('a secret that has a second name in a project is never shown or copied:', () => {
  for (const [secret, name] of secondNames) {
    ownedIt(`${secret} as ${name}`, async project => {
      giveSecondName(project, secret, name);
      // As if an update had to merge it.
      project.record({ files: { [name]: hashOf('another') } });
      for (const line of LINES) {
        const { stdout, stderr } = await project.run(line);
        assert(!`${stdout}${stderr}`.includes(SECRET), `${line} shows it`);
        assert.equal(project.read(secret), TEXT);
        const others = Object.entries(project.tree()).filter(([path]) => ![secret, `bot/${name}`].includes(path));
        assert.deepEqual(
          others.filter(([, text]) => text.includes(SECRET)).map(([path]) => path),
          [],
          line,
        );
      }
    });
  }
});

describe('a project whose files have second names elsewhere', () => {
  const linkedIt = (title: string, use: (project: OwnedProject) => Promise<void>) =>
    ownedIt(title, async project => {
      for (const path of Object.keys(project.written)) {
        mkdirSync(dirname(join(project.directory, 'copy', path)), { recursive: true });
        linkSync(join(project.directory, path), join(project.directory, 'copy', path));
      }
      await use(project);
    });

  linkedIt('is updated, and the other names keep their contents', async project => {
    await project.succeed('update bot --recording');
    for (const [path, text] of Object.entries(project.written)) assert.equal(project.read(`copy/${path}`), text);
    assert.match(project.read('bot/.botcli.json'), /"recording": true/);
  });

  linkedIt('is updated only if no edited file would have to be merged', async project => {
    writeFileSync(join(project.directory, 'bot/server/bot.py'), `${project.read('bot/server/bot.py')}# mine\n`);
    assert.match(
      await project.fail(1, 'update bot --recording'),
      /server\/bot\.py {2}It has several names on this disk \(hard links\), and another one may be a secret/,
    );
  });
});

/** What `server/.env` links to, and whether `check` reads that. */
const targets: [target: string, isRead: boolean][] = [
  ['../../shared.env', true],
  ['../../team/.env', true],
  ['../../.env.local', true],
  ['../../outside.txt', false],
  ['../../.aws/credentials', false],
  ['../../.envrc', false],
  ['../.git/config', false],
  ['/proc/self/environ', false],
  ['/dev/stdin', false],
];

describe('an .env that is a link', () => {
  for (const [target, isRead] of targets) {
    ownedIt(`to ${target} is ${isRead ? 'read' : 'not read'} by check, which never shows a value`, async project => {
      const path = join(project.directory, 'bot/server', target);
      if (!target.startsWith('/')) mkdirSync(dirname(path), { recursive: true });
      if (!target.startsWith('/')) writeFileSync(path, TEXT);
      symlinkSync(target, join(project.directory, 'bot/server/.env'));
      const { stdout } = await project.run('check bot');
      assert(!stdout.includes(SECRET));
      assert.equal(/line 3: nothing in server/.test(stdout), isRead, stdout);
      if (!isRead) assert.match(stdout, /\.env is a symbolic link to a file that isn't named like an env file/);
      if (!target.startsWith('/')) assert.equal(readFileSync(path, 'utf8'), TEXT);
    });
  }
});
