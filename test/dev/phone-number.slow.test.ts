import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '../../src/std.ts';
import { BIN } from '../support/program.ts';
import { KEYS, openTerminal, type PersonalTerminal } from '../support/pty.ts';
import {
  assertNothingLeft,
  environment,
  nextPort,
  type Run,
  readIfThere,
  type Scene,
  treeOf,
  withDev,
} from '../support/running-dev.ts';
import { posixIt } from '../support/systems.ts';
import { inTree } from '../support/trees.ts';
import { ACCOUNT, BEFORE, NUMBER, TOKEN, withTwilio } from '../support/twilio.ts';

type StandIn = Parameters<Parameters<typeof withTwilio>[0]>[0];

/** Sends what a program would send to Twilio to a stand-in on this machine. */
const redirected = ({ origin }: StandIn): Record<string, string> => {
  const code = `import http from 'node:http';
    import https from 'node:https';
    import { syncBuiltinESMExports } from 'node:module';
    https.request = ({ path, method, headers }, more) =>
      http.request({ path: '/api.twilio.com' + path, method, headers, port: ${new URL(origin).port}, host: '127.0.0.1' }, more);
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
};

/** A project for calls, with the keys of the account. */
const PHONE: Scene = {
  config: { transports: ['rtc_local', 'tel_a'] },
  change: files => {
    const env = String(files['server/.env'])
      .replace(/^(TWILIO_ACCOUNT_SID)=.*$/m, `$1=${ACCOUNT}`)
      .replace(/^(TWILIO_AUTH_TOKEN)=.*$/m, `$1=${TOKEN}`);
    return { ...files, 'server/.env': env };
  },
};

const LINE = `--tunnel --number ${NUMBER} --skip`;
const POINTED = 'https://name-1.trycloudflare.com/';

const leftIn = (directory: string): string[] => orElse(() => readdirSync(join(directory, '.config/botcli')), []);

/** Runs `botcli dev` with a number, whose settings must be back afterwards. */
const itPoints = (title: string, use: (run: Run, twilio: StandIn) => Promise<void>, tunnel = '', line = LINE) =>
  posixIt(title, () =>
    withTwilio(async twilio => {
      const inside = async (run: Run) => {
        await use(run, twilio);
        assert(!run.out().includes(TOKEN), run.out());
        assert.deepEqual([twilio.settings.voice_url, twilio.settings.voice_method], [BEFORE, 'GET'], run.out());
        assert.deepEqual(leftIn(run.directory), []);
      };
      await withDev({ ...PHONE, line, env: { ...redirected(twilio), FAKE_TUNNEL: tunnel } }, inside)();
    }),
  );

describe('botcli dev --tunnel --number', () => {
  const codes = Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }) as [NodeJS.Signals, number][];
  for (const [signal, code] of codes) {
    itPoints(`points the number at the bot, and puts it back at ${signal}`, async (run, twilio) => {
      await run.until('is ready');
      assert.equal(twilio.settings.voice_url, POINTED);
      await run.until(`Call it: ${NUMBER}\n`);
      assert.doesNotMatch(run.out(), /Do this once/);
      run.child.kill(signal);
      assert.equal(await run.ended, code);
      assert.match(run.out(), new RegExp(`✓ For a call to \\${NUMBER}, Twilio asks ${BEFORE} \\(GET\\) again`));
    });
  }

  // The requests are: find, change, read, change back. At each, Ctrl-C.
  for (const [at, step] of ['looked up', 'pointed at the bot', 'looked up again', 'put back'].entries()) {
    itPoints(`Ctrl-C while the number is ${step}`, async ({ child, until, ended }, twilio) => {
      twilio.faults.set(at, 'held');
      if (at > 1) {
        await until('is ready');
        child.kill('SIGINT');
      }
      await twilio.until(at + 1);
      if (at <= 1) {
        child.kill('SIGINT');
        await until('Stopping');
      }
      twilio.release();
      assert.equal(await ended, 130);
      assert.equal(twilio.requests.length > 1, at > 0);
    });
  }

  itPoints('a bot that crashes', async ({ ended, directory, until }, twilio) => {
    await until('is ready');
    assert.equal(twilio.settings.voice_url, POINTED);
    writeFileSync(join(directory, 'server/bot.py'), 'PORT = 1\n# fake: crashes\n');
    assert.equal(await ended, 1);
  });

  const renamed = async ({ until, ended, directory, child }: Run, twilio: StandIn) => {
    await until('is ready');
    writeFileSync(join(directory, 'go'), '');
    await until(/is ready[\s\S]*is ready/);
    assert.equal(twilio.settings.voice_url, 'https://name-2.trycloudflare.com/');
    child.kill('SIGINT');
    assert.equal(await ended, 130);
  };
  itPoints('a tunnel with a new name, and then none', renamed, 'ends once');

  const inJson = async ({ until, out, child, ended }: Run) => {
    await until(/"part":"dev","event":"ready"/);
    child.kill('SIGINT');
    await ended;
    const lines = out().split('\n');
    const events = lines.filter(one => one.includes('"event":"number"')).map(one => JSON.parse(one));
    const change = { part: 'dev', event: 'number', number: NUMBER };
    const pointed = { ...change, state: 'pointed', url: POINTED };
    const restored = { ...change, state: 'restored', before: `${BEFORE} (GET)` };
    assert.deepEqual(events, [pointed, restored]);
  };
  itPoints('says so in JSON, too', inJson, '', `${LINE} --json`);

  for (const line of [`--tunnel --number ${NUMBER}`, `--tunnel --number ${NUMBER} --json`]) {
    const refused = async ({ out, ended, directory }: Run) => {
      assert.equal(await ended, 2);
      assert.match(out(), /--number asks before it changes the number[\s\S]*--skip/);
      assert.equal(readIfThere(join(directory, 'journal')), '');
    };
    it(`can't ask without a terminal, and then does nothing: ${line}`, withDev({ ...PHONE, line }, refused));
  }

  /** Sits down at `botcli dev`, with a stand-in for Twilio, and perhaps with what an earlier run left. */
  type Use = (terminal: PersonalTerminal, twilio: StandIn) => Promise<void>;
  const itSits = (title: string, line: string, use: Use, left?: object) => {
    const sit = async (twilio: StandIn, directory: string) => {
      const env = { ...environment(directory, redirected(twilio)), CI: '' };
      if (left) {
        twilio.settings.voice_url = POINTED;
        mkdirSync(join(directory, '.config/botcli'), { recursive: true });
        const text = JSON.stringify({ ...left, project: realpathSync(directory) });
        writeFileSync(join(directory, '.config/botcli/number-15551234567.json'), text);
      }
      const port = nextPort();
      const words = [process.execPath, BIN, 'dev', '--no-open', '--port', String(port), ...line.split(' ')];
      const terminal = openTerminal(words as [string], { cwd: directory, env, rows: 60 });
      await use(terminal, twilio);
      await terminal.until('is ready');
      terminal.type(KEYS.ctrlC);
      assert.equal((await terminal.ended).code, 130);
      assert.equal(twilio.settings.voice_url, BEFORE, terminal.text());
      assert.deepEqual(leftIn(directory), []);
      await assertNothingLeft(directory, port);
    };
    it(title, () => withTwilio(async twilio => inTree(await treeOf(PHONE), directory => sit(twilio, directory))));
  };

  itSits('asks first in a terminal', `--tunnel --number ${NUMBER}`, async (terminal, twilio) => {
    await terminal.until(`Point ${NUMBER} at your bot?`);
    assert.match(terminal.text(), new RegExp(`Twilio now asks ${BEFORE} \\(GET\\)`));
    assert.equal(twilio.requests.length, 1);
    terminal.type('y');
    await terminal.until(`Call it: ${NUMBER}`);
    assert.equal(twilio.settings.voice_url, POINTED);
  });

  const left = { number: NUMBER, sid: `PN${'1'.repeat(32)}`, before: { url: BEFORE, method: 'GET' }, set: [POINTED] };
  const putBack = async (terminal: PersonalTerminal, twilio: StandIn) => {
    await terminal.until('Put that back?');
    assert.deepEqual(twilio.requests, []);
    terminal.type('y');
    await terminal.until('again');
  };
  itSits('offers to put back what a killed run left, without a number or a tunnel', '--verbose', putBack, left);
});
