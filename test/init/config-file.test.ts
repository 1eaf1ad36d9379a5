import assert from 'node:assert/strict';
import { LOCAL } from '../support/resolving.ts';
import { BOT, itIn, session } from '../support/session.ts';
import { posixIt } from '../support/systems.ts';

const FILE = JSON.stringify({ ...LOCAL, name: 'From file', recording: false });

describe('--config', () => {
  for (const [about, text] of [
    ['a file', FILE],
    ['a file with a byte order mark', `\uFEFF${FILE}`],
    ['a file with line ends of Windows', JSON.stringify(JSON.parse(FILE), null, 2).replaceAll('\n', '\r\n')],
  ] as const) {
    itIn(`${about} makes the bot, by itself`, { 'conf/bot.json': text }, async ({ succeed, read }) => {
      await succeed('init my-bot -c conf/bot.json');
      assert.match(read('my-bot/README.md'), /^# From file\n/);
    });

    itIn(`${about} may come from stdin`, {}, async ({ succeed, read }) => {
      await succeed('init my-bot --config -', { input: text });
      assert.match(read('my-bot/README.md'), /^# From file\n/);
    });
  }

  const losing = { 'bot.json': JSON.stringify({ ...LOCAL, name: 'File', eval: true, deploy_to_cloud: false }) };
  itIn('loses to what is typed', losing, async ({ succeed }) => {
    const line = 'init my-bot -c bot.json --no-eval --deploy-to-cloud -n Typed -t rtc_hosted --dry-run';
    const { project_name, transports, enable_eval, deploy_to_cloud, stt_service } = JSON.parse(await succeed(line));
    const kept = [project_name, transports, enable_eval, deploy_to_cloud, stt_service];
    assert.deepEqual(kept, ['Typed', ['rtc_hosted'], false, true, 'openai_stt']);
  });

  const CANT = "bot.json can't be read: it";
  const ONE = 'bot.json contains a list; it must contain one JSON object, { "transports": … }';
  const deep = `{ "transports": ${'['.repeat(5000)}${']'.repeat(5000)} }`;
  const broken: [about: string, text: string, reported: string][] = [
    ['text', 'name: x', `${CANT} isn't valid JSON at line 1, column 2`],
    ['a word of Python', '{\n  "eval":\n  True }', `${CANT} isn't valid JSON at line 3, column 3`],
    ['a text without its end', '{ "name": "x', `${CANT} isn't valid JSON: it ends too soon`],
    ['lists in lists', deep, `${CANT} has more than 10 levels`],
    ['half of it', '{ "mode":', `${CANT} isn't valid JSON: it ends too soon`],
    ['a comma too many', '{\n  "mode": "x",\n}', `${CANT} isn't valid JSON at line 3, column 1`],
    ['a key twice', '{\n  "eval": true,\n  "eval": false\n}', `${CANT} repeats "eval" (lines 2, 3)`],
    ['nothing', '', `${CANT} is empty`],
    ['a list', '[]', ONE],
    ['null', 'null', ONE.replace('a list', 'null')],
    ['a wrong type', FILE.replace('false', '"false"'), '"recording" in bot.json must be true or false, not "false"'],
  ];
  for (const [about, text, reported] of broken) {
    itIn(`that holds ${about} is refused`, { 'bot.json': text }, async ({ fail }) => {
      const [head, problem, , ...more] = (await fail(2, `init my-bot ${BOT} -c bot.json`)).split('\n');
      assert.equal(head, 'error: One problem with this configuration; nothing was written:');
      assert.deepEqual([problem, more], [`  ${reported}`, ['']]);
    });
  }

  for (const encoding of ['latin1', 'utf16le'] as const) {
    itIn(`that is ${encoding} is refused`, {}, async ({ fail }) => {
      const input = Buffer.from(JSON.stringify({ ...LOCAL, name: 'Caf\xe9' }), encoding);
      assert.match(
        await fail(2, 'init my-bot -c -', { input }),
        /^error: One.*\n {2}stdin can't be read: it isn't UTF-8 text\n/,
      );
    });
  }

  itIn(
    'that is missing, or a directory, is refused, and nothing else is called missing',
    { 'conf/x': '' },
    async one => {
      const refused = async (path: string) =>
        (await one.fail(2, ['init', 'my-bot', '-c', path])).split('\n').slice(1, -2);
      assert.deepEqual(await refused('no.json'), ["  no.json can't be read: no such file or directory"]);
      assert.deepEqual(await refused('conf'), ["  conf can't be read: it is a directory"]);
      assert.deepEqual(await refused(''), ["  --config can't be read: the path is empty"]);
    },
  );

  itIn('that is another file, with secrets in it, is never quoted', {}, async ({ run, write }) => {
    const inJson = [
      '"A": sk-abc123 }',
      '"A": "sk-abc123',
      '"A": "x" "sk-abc123"',
      'sk-abc123: 1 }',
      '"A": "sk-abc123\n" }',
    ];
    const texts = ['A=sk-abc123', 'sk-abc123', `\n\n'sk-abc123'`, '"sk-abc123" 1', ...inJson.map(one => `{ ${one}`)];
    for (const text of texts) {
      write('.env', text);
      for (const json of ['', ' --json']) {
        const { code, stdout, stderr } = await run(`init my-bot -c .env${json}`);
        assert.equal(code, 2);
        assert(!/sk|abc|123/.test(stdout + stderr), `${text}\n${stdout}${stderr}`);
      }
    }
  });

  itIn('that contains far more than a configuration is reported in a few lines', {}, async ({ fail, write }) => {
    const file = (content: object) => write('bot.json', JSON.stringify(content));
    file({ ...LOCAL, mode: 'x'.repeat(500_000), ['y'.repeat(200_000)]: 1, transports: [`${'z,'.repeat(99_999)}z`] });
    const stderr = await fail(2, 'init my-bot -c bot.json');
    assert(stderr.length < 2000, stderr.slice(0, 3000));
    assert.match(stderr, /^ {2}"mode" in bot\.json can't be "x{99}…\. Allowed: cascade, realtime$/m);
    assert.match(stderr, /^ {2}"y{100}…" in bot\.json isn't a known key$/m);
    file(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key-${at}`, at])));
    const lines = (await fail(2, `init my-bot ${BOT} -c bot.json`)).split('\n');
    assert.equal(lines[0], 'error: 20000 problems with this configuration; nothing was written:');
    assert.deepEqual(lines.slice(20, 23), [
      `  "key-19" in bot.json isn't a known key`,
      '  and 19980 more',
      'All keys: botcli init quickstart --dry-run. All values: botcli init --list-options. All options: botcli init --help.',
    ]);
  });

  posixIt(
    'that is larger than any is not read to its end',
    session({}, async ({ fail }) => {
      assert.match(await fail(2, 'init my-bot -c /dev/zero'), /\n {2}\/dev\/zero is larger than 1 MiB\n/);
      const input = ' '.repeat(2 ** 20 + 1);
      assert.match(await fail(2, 'init my-bot -c -', { input }), /\n {2}stdin is larger than 1 MiB\n/);
    }),
  );

  itIn('that is broken is reported along with other problems', { 'bot.json': '{' }, async ({ fail }) => {
    const stderr = await fail(2, 'init my-bot -c bot.json -m casade');
    assert.match(stderr, /^error: 2 problems .*\n {2}bot\.json can't be read: .*\n {2}--mode can't be "casade"/);
  });

  const control = { 'bot.json': '{ "\\u001b[31mred": 1, "mode": "\\u001b[2J", \u001b' };
  itIn('that holds control characters can do nothing to the terminal', control, async ({ fail, write }) => {
    assert(!(await fail(2, 'init my-bot -c bot.json')).includes('\u001b'));
    write('bot.json', '{ "\\u001b[31mred": 1, "mode": "\\u001b[2J" }');
    assert(!(await fail(2, 'init my-bot -c bot.json')).includes('\u001b'));
  });
});
