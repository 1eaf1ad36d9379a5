import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BOT } from '../support/session.ts';
import { fingerprint, growTree } from '../support/trees.ts';
import { owned } from '../update/project.ts';

/** A project that a stranger has prepared, in a directory next to `outside`. */
export interface Stranger {
  root: string;
  at(path: string): string;
  write(path: string, text: string): void;
  state(change: (state: Record<string, unknown>) => void): void;
  /** A command that proves that it ran. */
  proof: string;
}

/** What the stranger did. It may return how to undo it. */
export type Deed = (stranger: Stranger) => unknown;

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
export const FORGED = '✓ Keys: all are set';

/** Control characters other than line feeds, and those that turn text around. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

/**
 * A test that runs these lines in such a project. Each must answer, be no bug, and neither show a secret, do anything to the
 * terminal, forge a line, change what is outside, nor run a program of the stranger's.
 */
export const answersIn = (deed: Deed, lines: readonly string[] = LINES, shows = /(?:)/) =>
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
