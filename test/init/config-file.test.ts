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

  itIn(
    'loses to what is typed',
    { 'bot.json': JSON.stringify({ ...LOCAL, name: 'File', eval: true, deploy_to_cloud: false }) },
    async opened => {
      const line = 'init my-bot -c bot.json --no-eval --deploy-to-cloud -n Typed -t rtc_hosted --dry-run';
      const config = JSON.parse(await opened.succeed(line));
      assert.deepEqual(
        [config.project_name, config.transports, config.enable_eval, config.deploy_to_cloud, config.stt_service],
        ['Typed', ['rtc_hosted'], false, true, 'openai_stt'],
      );
    },
  );

  const broken: [about: string, text: string, ...reported: string[]][] = [
    ['text', 'name: x', "bot.json can't be read: it isn't valid JSON at line 1, column 2"],
    ['a word of Python', '{\n  "eval":\n  True }', "bot.json can't be read: it isn't valid JSON at line 3, column 3"],
    ['a text without its end', '{ "name": "x', "bot.json can't be read: it isn't valid JSON: it ends too soon"],
    [
      'lists in lists',
      `{ "transports": ${'['.repeat(5000)}${']'.repeat(5000)} }`,
      "bot.json can't be read: it has more than 10 levels",
    ],
    ['half of it', '{ "mode":', "bot.json can't be read: it isn't valid JSON: it ends too soon"],
    ['a comma too many', '{\n  "mode": "x",\n}', "bot.json can't be read: it isn't valid JSON at line 3, column 1"],
    ['a key twice', '{\n  "eval": true,\n  "eval": false\n}', `bot.json can't be read: it repeats "eval" (lines 2, 3)`],
    ['nothing', '', "bot.json can't be read: it is empty"],
    ['a list', '[]', 'bot.json contains a list; it must contain one JSON object, { "transports": … }'],
    ['null', 'null', 'bot.json contains null; it must contain one JSON object, { "transports": … }'],
    [
      'an unknown key',
      FILE.replace('"name"', '"nmae"'),
      `"nmae" in bot.json isn't a known key. Did you mean "project_name"?`,
    ],
    ['a wrong type', FILE.replace('false', '"false"'), '"recording" in bot.json must be true or false, not "false"'],
  ];
  for (const [about, text, ...reported] of broken) {
    itIn(`that holds ${about} is refused`, { 'bot.json': text }, async ({ fail }) => {
      const [head, ...lines] = (await fail(2, `init my-bot ${BOT} -c bot.json`)).trimEnd().split('\n');
      assert.equal(head, 'error: One problem with this configuration; nothing was written:');
      assert.deepEqual(
        lines.slice(0, -1).map(line => line.trim()),
        reported,
      );
    });
  }

  for (const encoding of ['latin1', 'utf16le'] as const) {
    itIn(`that is ${encoding} is refused`, {}, async ({ fail }) => {
      const input = Buffer.from(`${JSON.stringify({ ...LOCAL, name: 'Caf\xe9' })}`, encoding);
      assert.equal(
        await fail(2, 'init my-bot -c -', { input }),
        [
          'error: One problem with this configuration; nothing was written:',
          "  stdin can't be read: it isn't UTF-8 text",
          'All values: botcli init --list-options. All options: botcli init --help.',
          '',
        ].join('\n'),
      );
    });
  }

  itIn(
    'that is missing, or a directory, is refused, and nothing else is called missing',
    { 'conf/x': '' },
    async ({ fail }) => {
      assert.match(
        await fail(2, 'init my-bot -c no.json'),
        /^error: One problem.*\n {2}no\.json can't be read: no such file or directory\n/,
      );
      assert.match(await fail(2, 'init my-bot -c conf'), /\n {2}conf can't be read: it is a directory\n/);
      assert.match(await fail(2, ['init', 'my-bot', '-c', '']), /\n {2}--config can't be read: the path is empty\n/);
    },
  );

  itIn('that is another file, with secrets in it, is never quoted', {}, async ({ run, write }) => {
    for (const text of [
      'A=sk-abc123',
      'sk-abc123',
      '{ "A": sk-abc123 }',
      '{ "A": "sk-abc123',
      '{ "A": "x" "sk-abc123"',
      `\n\n'sk-abc123'`,
      '"sk-abc123" 1',
      '{ sk-abc123: 1 }',
      '{ "A": "sk-abc123\n" }',
    ]) {
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

  itIn(
    'that holds control characters can do nothing to the terminal',
    { 'bot.json': '{ "\\u001b[31mred": 1, "mode": "\\u001b[2J", \u001b' },
    async ({ fail, write }) => {
      assert(!(await fail(2, 'init my-bot -c bot.json')).includes('\u001b'));
      write('bot.json', '{ "\\u001b[31mred": 1, "mode": "\\u001b[2J" }');
      assert(!(await fail(2, 'init my-bot -c bot.json')).includes('\u001b'));
    },
  );
});
