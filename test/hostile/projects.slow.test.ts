import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BOT, type Session, sessionIt } from '../support/session.ts';

/** What a stranger did to a project. */
type Deed = (project: Project) => void;

interface Project {
  root: string;
  write(path: string, text: string): void;
  edit(path: string, change: (text: string) => string): void;
  state(change: (state: State) => void): void;
}

interface State {
  [key: string]: unknown;
  botcli: { version: string; files: Record<string, string> };
}

const put =
  (path: string, text: string): Deed =>
  project =>
    project.write(path, text);
const record =
  (name: string, hash = 'a'.repeat(64)): Deed =>
  project =>
    project.state(({ botcli }) => {
      botcli.files[name] = hash;
    });
const choose =
  (key: string, value: unknown): Deed =>
  project =>
    project.state(state => {
      state[key] = value;
    });
/** A file with holes takes no room on the disk. */
const grow =
  (path: string, bytes: number): Deed =>
  ({ root, write }) => {
    write(path, '');
    truncateSync(join(root, path), bytes);
  };
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** The line that a hostile name tries to add to a report. */
const FORGED = '✓ Keys: all are set';
const GB = 2 ** 30;

type Row = [deed: Deed, line: string, shows: RegExp];

const rows: Record<string, Row> = {
  'a Python file with a line break in its name': [
    put(`server/a\n${FORGED}\n.py`, '<<<<<<< a\n=======\n>>>>>>> b\n'),
    'check',
    /a\uFFFD✓ Keys: all are set\uFFFD\.py/,
  ],
  'a recorded name with a line break': [record(`server/a\n${FORGED}`), 'update --recording', /names a (file|path)/],
  'a recorded name of 100,000 directories': [record(`${'a/'.repeat(100_000)}b`), 'update --recording', /./],
  '__proto__ as a recorded name': [
    project =>
      project.edit('.botcli.json', text => text.replace('"files": {', `"files": {\n"__proto__": "${'a'.repeat(64)}",`)),
    'update --recording',
    /./,
  ],
  'a state file over 1 MiB': [
    project => project.edit('.botcli.json', text => text + ' '.repeat(2 ** 20)),
    'update',
    /\.botcli\.json is larger than 1 MiB/,
  ],
  'a state file with 100,000 levels': [
    project => project.edit('.botcli.json', text => text.replace('{', `{"a": ${deep},`)),
    'update',
    /\.botcli\.json has more than 10 levels/,
  ],
  'a choice with a forged line': [choose('stt_service', `x\n${FORGED}`), 'update', /stt_service/],
  'a key with a forged line': [choose(`a\n${FORGED}`, 'x'), 'check', /isn't a known key/],
  'a client with a forged line, dropped': [
    choose('client_framework', `x\n${FORGED}`),
    'update -t tel_a',
    /lose its web client \(x\uFFFD/,
  ],
  'a bot of 3 GB': [
    grow('server/bot.py', 3 * GB),
    'update --recording',
    /Cannot read server\/bot\.py: it is larger than 64 MiB/,
  ],
  'a .gitignore of 3 GB': [grow('.gitignore', 3 * GB), `init . ${BOT} --force`, /it is larger than 64 MiB/],
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
    project => {
      symlinkSync('.', join(project.root, 'server/l'));
      project.state(({ botcli }) => {
        for (let at = 1; at < 1000; at += 1) botcli.files[`server/${'l/'.repeat(at % 30)}x${at}.py`] = 'a'.repeat(64);
      });
    },
    'update --recording',
    /./,
  ],
};

/** Runs a line in a project that a stranger has prepared. It must answer, and never with a line of the stranger's. */
async function shownBy({ run }: Session, line: string): Promise<string> {
  const { stdout, stderr } = await run(line, { cwd: 'bot' });
  return `${stdout}${stderr}`;
}

describe('a project of a stranger is read with care:', () => {
  for (const [about, [deed, line, shows]] of Object.entries(rows)) {
    sessionIt(about, async opened => {
      await opened.succeed(`init bot ${BOT}`);
      const root = join(opened.directory, 'bot');
      const write = (path: string, text: string) => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      };
      const edit: Project['edit'] = (path, change) => write(path, change(opened.read(`bot/${path}`)));
      const state: Project['state'] = change => {
        const now = JSON.parse(opened.read('bot/.botcli.json')) as State;
        change(now);
        write('.botcli.json', JSON.stringify(now, null, 2));
      };
      deed({ root, write, edit, state });
      const shown = await shownBy(opened, line);
      assert.match(shown, shows);
      assert.doesNotMatch(shown, /bug in botcli/);
      assert(!shown.split(/[\n\u2028]/).some(one => one.startsWith(FORGED)), shown);
    });
  }
});
