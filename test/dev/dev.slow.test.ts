import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { linuxIt } from '../support/systems.ts';
import { inTree, type Tree } from '../support/trees.ts';

const withoutKeys = (files: Tree): Tree => ({ ...files, 'server/.env': '' });

const itRuns = (title: string, ...rest: Parameters<typeof withDev>) => it(title, withDev(...rest));

/** The same, and stops it with Ctrl-C. */
const itStops = (title: string, scene: Scene, use: (run: Run) => Promise<void>) =>
  itRuns(title, scene, async run => {
    await use(run);
    run.child.kill('SIGINT');
    assert.equal(await run.ended, 130, run.out());
  });

const answerOf = async (port: number) => (await fetch(`http://localhost:${port}/`)).text();

const restarts = (text: string) => text.match(/✓ Restarted/g)?.length ?? 0;

const saying = (words: string, path = 'server/bot.py') => ({ saying: { [path]: words } });

describe('botcli dev', () => {
  itStops('starts the bot, says where to talk, and stops it', {}, async ({ out, until, port }) => {
    await until('Saving a file in server/ restarts the bot.');
    assert.match(out(), new RegExp(`✓ my-bot is ready after [\\d.]+s\\n {2}Talk to it: http://localhost:${port}\\n`));
    assert.match(out(), /^Installing packages: uv sync in server\/\n/m);
    assert.match(out(), new RegExp(`\\nbot {4}│ bot.py listens on ${port}\\n`));
    assert.equal(await answerOf(port), `bot.py --port ${port} `);
  });

  const web = { config: { client_framework: 'vanilla' } };
  itRuns('starts the web client, and tells it where the bot is', web, async ({ child, out, until, ended, port }) => {
    await until('is ready');
    const [, page] = /Talk to it: http:\/\/localhost:(\d+)/.exec(out()) ?? [];
    assert.equal(await answerOf(Number(page)), `http://localhost:${port}`);
    child.kill('SIGTERM');
    assert.equal(await ended, 143);
  });

  itStops('restarts the bot once for many saves, and says how many calls ended', saying('calls 2'), async run => {
    const { child, out, until, port, directory } = run;
    await until('is ready');
    // While it stands still, it can't be faster than the saves.
    child.kill('SIGSTOP');
    for (let save = 0; save < 50; save++) appendFileSync(join(directory, 'server/bot.py'), '\n');
    child.kill('SIGCONT');
    await until('✓ Restarted');
    assert.match(out(), /\nbot\.py changed: restarting the bot\. 2 calls ended\.\n/);
    appendFileSync(join(directory, 'server/.env'), 'OTHER=1\n');
    await until(/\n\.env changed[\s\S]*✓ Restarted/);
    assert.match(await answerOf(port), /^bot\.py/);
    // One for the saves, one for .env, and one more for a first save that came before it stood still.
    assert(restarts(out()) <= 3, out());
  });

  itStops('--no-restart leaves it alone', { line: '--no-restart' }, async ({ out, until, directory }) => {
    await until('Ctrl-C stops everything.\n');
    appendFileSync(join(directory, 'server/bot.py'), '\n');
    await sleep(600);
    assert.doesNotMatch(out(), /changed/);
  });

  const PHONE: Scene = { config: { transports: ['rtc_local', 'tel_a'] } };
  const failing = saying('sync fails', 'server/pyproject.toml');
  const oneKey: Scene = { ...PHONE, change: files => ({ ...files, 'server/.env': 'OPENAI_API_KEY=sk-1\n' }) };
  const typed = /is installed, port (?!7860)\d+ is free\n✗ OPENAI_API_KEY isn't set in server\/\.env/;
  const failed =
    /error: uv sync failed in server\/, with exit code 1\n {2}resolving 12\n[\s\S]*No route to the package index\nRepeat it with: cd server, then uv sync\n$/;
  const thrice = /(failed to request[\s\S]*){3}\nerror: The tunnel has failed 3 times in a row\n/;
  const tunnel = { ...PHONE, line: '--tunnel', env: { FAKE_TUNNEL: 'fails' } };
  const ends: [about: string, scene: Scene, shown: RegExp, unseen?: RegExp][] = [
    ['a bot that ends at once', saying('crashes'), /Error: it is broken\n.*✗ The bot ended with exit code 3\./s],
    ['an install that fails', failing, failed],
    ['a missing key, and names the port that was typed', { change: withoutKeys }, typed],
    ...['--tunnel', '--host a.test', '-t twilio'].map((line): [string, Scene, RegExp, RegExp] => [
      `a missing key that only calls need, before a tunnel opens: ${line}`,
      { ...oneKey, line },
      /✗ TWILIO_ACCOUNT_SID isn't set in server\/\.env/,
      /works without|\n(cloudflared|uv run)/,
    ]),
    ['a tunnel that fails three times', tunnel, thrice, /(failed to request[\s\S]*){4}/],
  ];
  for (const [about, scene, shown, unseen = /is ready/] of ends) {
    itRuns(`without a terminal, ends with 1 for ${about}`, scene, async ({ out, ended, directory }) => {
      assert.equal(await ended, 1, out());
      assert.match(out(), shown);
      assert.doesNotMatch(out() + readIfThere(join(directory, 'journal')), unseen);
    });
  }

  itStops('a file that an editor replaces restarts the bot once', {}, async run => {
    await run.until('Saving a file');
    const path = join(run.directory, 'server/bot.py');
    writeFileSync(`${path}.new`, `${readFileSync(path, 'utf8')}#\n`);
    renameSync(path, `${path}~`);
    renameSync(`${path}.new`, path);
    await run.until('✓ Restarted');
    await sleep(600);
    assert.equal(restarts(run.out()), 1);
  });

  /** The same project with a link in place of its server directory. */
  const linked = (files: Tree): Tree => ({
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace(/^server\//, 'code/'), text])),
    server: '-> code',
  });
  itStops('watches a server directory that is a link in the project', { change: linked }, async run => {
    await run.until('Saving a file');
    appendFileSync(join(run.directory, 'code/bot.py'), '#\n');
    await run.until('✓ Restarted');
  });

  itRuns('prints one JSON object a line', { ...saying('floods 2000'), line: '--json' }, async run => {
    const { child, out, until, ended, port } = run;
    await until('"part":"dev","event":"ready"');
    child.kill('SIGINT');
    assert.equal(await ended, 130);
    const lines = out().trimEnd().split('\n');
    const events = lines.map(line => JSON.parse(line) as { part: string; event: string; text?: string; url?: string });
    const texts = events.flatMap(({ text }) => /^line (\d+)/.exec(text ?? '')?.[1] ?? []).map(Number);
    const expected = Array.from({ length: 2000 }, (_, at) => at + 1);
    assert.deepEqual(texts, expected);
    const others = events.filter(({ event }) => event !== 'output').map(({ part, event }) => `${part} ${event}`);
    assert.deepEqual(others, ['bot installing', 'bot started', 'bot ready', 'dev ready', 'bot exited']);
    const ready = events.find(({ part, event }) => part === 'dev' && event === 'ready');
    assert.equal(ready?.url, `http://localhost:${port}`);
  });

  const keyless = { change: withoutKeys, line: '--json' };
  itRuns('--json: a missing key is the result of check, on one line', keyless, async ({ out, ended }) => {
    assert.equal(await ended, 1);
    const { ok, findings } = JSON.parse(out()) as { ok: boolean; findings: { code: string }[] };
    assert.deepEqual([ok, findings.map(({ code }) => code)], [false, ['variable-missing']]);
  });

  const ending = { ...PHONE, line: '--tunnel', env: { FAKE_TUNNEL: 'ends once' } };
  itStops(
    '--tunnel: starts the bot for the phone, with the public name, and again with the next one',
    ending,
    async run => {
      const { out, until, port, directory } = run;
      await until('https://name-1.trycloudflare.com');
      await until('Call it, at name-1.trycloudflare.com.');
      writeFileSync(join(directory, 'go'), '');
      assert.match(out(), /<Stream url="wss:\/\/name-1\.trycloudflare\.com\/ws">/);
      await until('Call it, at name-2.trycloudflare.com.');
      assert.equal(await answerOf(port), `bot.py --port ${port} -t twilio -x name-2.trycloudflare.com `);
    },
  );

  linuxIt(
    'memory stays bounded if nobody reads a flood',
    withDev(saying('floods 5000000'), async ({ child, ended, until }) => {
      await until('line 100');
      child.stdout?.pause();
      await sleep(3000);
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const megabytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
      assert(megabytes < 150, `${megabytes} MB`);
      child.kill('SIGINT');
      await once(child, 'exit');
      assert.equal(child.exitCode, 130);
      child.stdout?.resume();
      await ended;
    }),
  );
});

describe('botcli dev in a terminal', () => {
  interface Seat {
    terminal: PersonalTerminal;
    directory: string;
    port: number;
    start: number;
  }

  /** Runs it in a real terminal. */
  const itSits = (title: string, scene: Scene, use: (at: Seat) => Promise<void>) => {
    const sit = async (directory: string) => {
      const port = nextPort();
      const start = Date.now();
      const settings = { cwd: directory, env: environment(directory, scene.env), rows: 60 };
      const terminal = openTerminal([process.execPath, BIN, 'dev', '--port', String(port)], settings);
      await use({ terminal, directory, port, start });
      await assertNothingLeft(directory, port);
    };
    it(title, async () => inTree(await treeOf(scene), sit));
  };

  /** The same, and stops it with Ctrl-C. */
  const itStopsSitting = (title: string, scene: Scene, use: (at: Seat) => Promise<void>) =>
    itSits(title, scene, async at => {
      await use(at);
      at.terminal.type(KEYS.ctrlC);
      assert.equal((await at.terminal.ended).code, 130);
    });

  itStopsSitting('asks for keys, again after an impossible one, and uses them', { change: withoutKeys }, async at => {
    const { terminal, directory, start } = at;
    await terminal.until('OPENAI_API_KEY, from');
    terminal.type(`sk-proj two${KEYS.enter}`);
    await terminal.until('Keys have no spaces: paste it again');
    await sleep(3000);
    terminal.type(`sk-hunter2${KEYS.enter}`);
    await terminal.until('is ready');
    // The person's three seconds don't count.
    const [, seconds] = /is ready after ([\d.]+)s/.exec(terminal.text()) ?? [];
    assert(Number(seconds) * 1000 < Date.now() - start - 2900, terminal.text());
    assert.match(readFileSync(join(directory, 'server/.env'), 'utf8'), /^OPENAI_API_KEY=sk-hunter2$/m);
    assert(!terminal.text().includes('hunter2'));
  });

  for (const [how, code, end] of [
    ['Ctrl-C', 130, terminal => terminal.type(KEYS.ctrlC)],
    ['Ctrl-\\', 130, terminal => terminal.type('\u001c')],
    ['close', 129, terminal => terminal.close()],
  ] satisfies [string, number, (terminal: PersonalTerminal) => void][]) {
    itSits(`${how} at the keys ends it with ${code}`, { change: withoutKeys }, async ({ terminal }) => {
      await terminal.until('OPENAI_API_KEY, from');
      end(terminal);
      assert.equal((await terminal.ended).code, code);
    });
  }

  itStopsSitting('a syntax error leaves the bot running until it is fixed', {}, async at => {
    const { terminal, directory, port } = at;
    await terminal.until('is ready');
    const path = join(directory, 'server/bot.py');
    const good = readFileSync(path, 'utf8');
    writeFileSync(path, `${good}# fake: syntax error\n`);
    await terminal.until('server/bot.py, line 1: invalid syntax');
    await terminal.until('The bot keeps running as it was.');
    assert.match(await answerOf(port), /^bot\.py/);
    writeFileSync(path, good);
    await terminal.until('✓ Restarted');
    assert.match(await answerOf(port), /^bot\.py/);
  });

  itStopsSitting('a crashed bot waits for the next save', saying('crashes'), async ({ terminal, directory }) => {
    await terminal.until('Waiting for you to save a file');
    const path = join(directory, 'server/bot.py');
    writeFileSync(path, readFileSync(path, 'utf8').replace('# fake: crashes', ''));
    await terminal.until('is ready');
  });

  itStopsSitting('a directory that is moved away and back is still watched', {}, async ({ terminal, directory }) => {
    await terminal.until('Saving a file');
    const [server, elsewhere] = ['server', 'elsewhere'].map(name => join(directory, name)) as [string, string];
    renameSync(server, elsewhere);
    await terminal.until('uv sync failed in server/');
    renameSync(elsewhere, server);
    await terminal.until('✓ Restarted');
    const seen = terminal.text().length;
    appendFileSync(join(server, 'bot.py'), '\n');
    await terminal.until('✓ Restarted', seen);
  });

  itSits('opens the page on a desktop', { env: { DISPLAY: ':0' } }, async ({ terminal, directory, port }) => {
    await terminal.until('is ready');
    const opened = () => readIfThere(join(directory, 'opened'));
    while (opened() === '') await sleep(20);
    terminal.type(KEYS.ctrlC);
    await terminal.ended;
    assert.equal(opened(), `http://localhost:${port}\n`);
  });
});
