import assert from 'node:assert/strict';
import { botcli } from '../../src/bin/main.ts';
import { UserError } from '../../src/errors.ts';
import {
  type Child,
  type Command,
  faultError,
  type Group,
  parseCommandLine,
  readOutputSwitches,
} from '../../src/shell/command-line.ts';
import { nearest } from '../../src/text.ts';
import { shellWords } from '../support/shell-words.ts';

/** A command with an option of each kind, for its help. */
const make: Command = {
  name: 'make',
  summary: 'Makes a voice or video bot, or prepares a directory for a coding agent.',
  description: 'Any scaffold option makes the bot at once, without a question.',
  arguments: [{ name: 'target_dir', isPath: true, help: 'Directory to initialize; "quickstart" makes the preset bot' }],
  options: [
    { flag: 'overwrite-guide', kind: 'switch', group: 'Guides', help: 'Overwrite existing guides with current ones' },
    { flag: 'transport', short: 't', kind: 'list', group: 'Bot', placeholder: 'id', help: 'How people reach the bot' },
    {
      flag: 'twilio-daily-sip-mode',
      kind: 'text',
      group: 'Bot',
      placeholder: 'direction',
      help: '"dial-in" or "dial-out"; required when the transport is "tel_a_rtc_sip"',
    },
    { flag: 'eval', kind: 'boolean', group: 'Bot', help: 'Starter scenarios in server/evals/, to test with (no)' },
    { flag: 'gate', kind: 'words', placeholder: 'name', help: 'Scenarios that decide' },
    { flag: 'deployed', kind: 'words', most: 1, placeholder: 'agent', help: 'Talk to a deployed bot' },
    { flag: 'old', kind: 'switch', help: 'An old name', hidden: true },
  ],
  examples: [
    { line: 'botcli make', description: 'Asks everything' },
    {
      line: 'botcli make my-bot -t rtc_local -m cascade --stt openai_stt --name "My first bot"',
      description: 'Makes a bot without a question',
    },
  ],
  run: async () => {},
};

/** Throws the error for a faulty line, as `main` does. */
async function parse(line: string, columns?: number) {
  const parsed = await parseCommandLine(botcli, shellWords(line).slice(1), { columns });
  if (parsed.kind === 'faulty') throw faultError(parsed.fault);
  return parsed;
}

async function helpOf(line: string, columns?: number): Promise<string> {
  const parsed = await parse(line, columns);
  assert.equal(parsed.kind, 'help');
  return (parsed as Extract<typeof parsed, { kind: 'help' }>).text;
}

const PULL = 'botcli cloud secrets image-pull-secret';
const hidden = (line: string) => `Unknown command after ${line}. It isn't shown, because it may be a secret`;

async function refusalOf(line: string): Promise<UserError> {
  const error: unknown = await parse(line).catch(reason => reason);
  assert(error instanceof UserError, `${line} is accepted`);
  return error;
}

describe('command line', () => {
  describe('passes exactly the given words to the command', () => {
    const cases: [line: string, options: object, positionals?: object][] = [
      ['botcli init', {}],
      ['botcli init my-bot', {}, { directory: 'my-bot' }],
      ['botcli init 007', {}, { directory: '007' }],
      ["botcli init ''", {}, { directory: '' }],
      ['botcli init -', {}, { directory: '-' }],
      ['botcli init ./help', {}, { directory: './help' }],
      ['botcli init help --name x', { name: 'x' }, { directory: 'help' }],
      ['botcli init -- help', {}, { directory: 'help' }],
      ['botcli cloud secrets list help', {}, { name: 'help' }],
      ['botcli init -- --name', {}, { directory: '--name' }],
      ['botcli init --eval -- --help', { eval: true }, { directory: '--help' }],
      // a value is always a string
      ['botcli init --name 007', { name: '007' }],
      ['botcli init --name 1e5', { name: '1e5' }],
      ['botcli init --name 0x10', { name: '0x10' }],
      ['botcli init --name true', { name: 'true' }],
      ['botcli init --name=', { name: '' }],
      ["botcli init --name ''", { name: '' }],
      ['botcli init --name=-x', { name: '-x' }],
      ['botcli init --name=a=b', { name: 'a=b' }],
      ['botcli init "--name=two words"', { name: 'two words' }],
      ['botcli init --name \u0001x', { name: '\u0001x' }],
      ['botcli init --config -', { config: '-' }],
      ['botcli init -c-', { config: '-' }],
      ['botcli init -nfoo', { name: 'foo' }],
      ['botcli init -n=foo', { name: 'foo' }],
      ['botcli init -n=', { name: '' }],
      ['botcli init -n foo dir', { name: 'foo' }, { directory: 'dir' }],
      ['botcli init --twilio-daily-sip-mode dial-in', { 'twilio-daily-sip-mode': 'dial-in' }],
      // a list is always a list
      ['botcli init -t a', { transport: ['a'] }],
      ['botcli init -t a -t 007', { transport: ['a', '007'] }],
      ['botcli init --transport=a -tb --transport c', { transport: ['a', 'b', 'c'] }],
      ['botcli init --transport=', { transport: [''] }],
      // a boolean has two forms, the last one counts, and it does not take the next word
      ['botcli init --recording', { recording: true }],
      ['botcli init --no-recording', { recording: false }],
      ['botcli init --recording=true', { recording: true }],
      ['botcli init --recording=false', { recording: false }],
      ['botcli init --no-recording --recording', { recording: true }],
      ['botcli init --recording --no-recording', { recording: false }],
      ['botcli init --no-json', { json: false }],
      ['botcli init --no-deploy-to-cloud dir', { 'deploy-to-cloud': false }, { directory: 'dir' }],
      ['botcli init --enable-noisecancel dir', { 'enable-noisecancel': true }, { directory: 'dir' }],
      ['botcli init dir --enable-noisecancel', { 'enable-noisecancel': true }, { directory: 'dir' }],
      ['botcli init --eval false', { eval: true }, { directory: 'false' }],
      ['botcli cloud secrets list --sets', { sets: true }],
      ['botcli cloud secrets list --sets false', { sets: false }],
      ['botcli cloud secrets list -s true prod', { sets: true }, { name: 'prod' }],
      ['botcli cloud secrets list -s=false', { sets: false }],
      ['botcli cloud secrets list --sets prod', { sets: true }, { name: 'prod' }],
      ['botcli cloud secrets list -so acme', { sets: true, organization: 'acme' }],
      ['botcli cloud secrets list -so true', { sets: true, organization: 'true' }],
      ['botcli cloud secrets list -o 007', { organization: '007' }],
      // arguments keep their order, on both sides of `--`
      ['botcli cloud secrets set prod', {}, { name: 'prod', secrets: [] }],
      ['botcli cloud secrets set 1 2', {}, { name: '1', secrets: ['2'] }],
      ["botcli cloud secrets set prod K=1 'L=v w'", {}, { name: 'prod', secrets: ['K=1', 'L=v w'] }],
      ['botcli cloud secrets set a -s A=1 -- -K=1 -s', { skip: true }, { name: 'a', secrets: ['A=1', '-K=1', '-s'] }],
      ['botcli cloud secrets set -sf- prod', { skip: true, file: '-' }, { name: 'prod', secrets: [] }],
      [`${PULL} hub h.io --encode false`, { encode: false }, { name: 'hub', host: 'h.io' }],
      [`${PULL} hub h.io --no-encode a:b`, { encode: false }, { name: 'hub', host: 'h.io', credentials: 'a:b' }],
      // a switch may take the words after it
      ['botcli cloud deploy --gate', { gate: [] }],
      ['botcli cloud deploy --gate a b --json', { gate: ['a', 'b'], json: true }],
      ['botcli cloud deploy dir --gate=a --gate b', { gate: ['a', 'b'] }, { directory: 'dir' }],
      ['botcli cloud deploy --gate -- dir', { gate: [] }, { directory: 'dir' }],
      ['botcli talk --deployed', { deployed: [] }],
      ['botcli talk --deployed bot dir', { deployed: ['bot'] }, { directory: 'dir' }],
      // options may come before the command
      ['botcli --json init dir', { json: true }, { directory: 'dir' }],
      ['botcli cloud -s secrets list', { sets: true }],
      ['botcli --sets cloud secrets list true', { sets: true }, { name: 'true' }],
    ];
    for (const [line, options, positionals = {}] of cases) {
      it(line, async () => {
        const parsed = await parse(line);
        assert(parsed.kind === 'run');
        assert.deepEqual(parsed.invocation.options, options);
        assert.deepEqual(JSON.parse(JSON.stringify(parsed.invocation.positionals)), positionals);
      });
    }

    it('reads a faulty line the same way', async () => {
      const parsed = await parseCommandLine(botcli, shellWords('cloud secrets set a K=1 L=2 -sf x --wiat'));
      const invocation = { positionals: { name: 'a', secrets: ['K=1', 'L=2'] }, options: { file: 'x', skip: true } };
      assert.deepEqual(parsed.kind === 'faulty' && parsed.invocation, invocation);
    });
  });

  describe('reads --json and --debug from any line', () => {
    const cases: [line: string, json: boolean, debug: boolean][] = [
      ['botcli init', false, false],
      ['botcli init --json', true, false],
      ['botcli --json=true innit', true, false],
      ['botcli innit --bogus=1 --debug=true', false, true],
      ['botcli init --json --no-json', false, false],
      ['botcli init --json=false --debug', false, true],
      ['botcli init -n --json', true, false],
      ['botcli init -- --json --debug', false, false],
    ];
    for (const [line, json, debug] of cases) {
      it(line, () => assert.deepEqual(readOutputSwitches(shellWords(line).slice(1)), { json, debug }));
    }
  });

  describe('refuses a faulty line with exit code 2 and a suggestion', () => {
    const cases: [line: string, message: string, hint?: string][] = [
      ['botcli init --transprot a', 'Unknown option --transprot', 'Did you mean --transport?'],
      ['botcli init --no-recordin', 'Unknown option --no-recordin', 'Did you mean --no-recording?'],
      ['botcli init --deployToCloud', 'Unknown option --deployToCloud', 'Did you mean --deploy-to-cloud?'],
      ['botcli init -name x', 'Unknown option -name', 'Did you mean --name?'],
      ['botcli init --no-name', 'Unknown option --no-name'],
      ['botcli init --trac', 'Unknown option --trac', ''],
      ['botcli init --__proto__ x', 'Unknown option --__proto__', ''],
      ['botcli init --constructor x', 'Unknown option --constructor', ''],
      ['botcli init --name.a b', 'Unknown option --name.a', 'Did you mean --name?'],
      ['botcli init --version', 'Unknown option --version', 'Did you mean botcli --version?'],
      ['botcli init -v', 'Unknown option -v'],
      ['botcli --version init', 'Unknown option --version'],
      ['botcli init --=x', 'Unknown option --'],
      ['botcli --verison', 'Unknown option --verison', 'Did you mean --version?'],
      ['botcli cloud secrets list -sx', 'Unknown option -x'],
      ['botcli cloud secrets set prod -K=hunter2', 'Unknown option -K'],
      ['botcli cloud secrets set prod --KEY=hunter2', 'Unknown option --KEY'],
      ['botcli cloud secrets set prod --token:hunter2', 'Unknown option --token'],
      ['botcli init --name', '--name needs a value', ''],
      ['botcli init -n', '--name needs a value'],
      ['botcli init -t --', '--transport needs a value'],
      ['botcli init -n --eval', '--name needs a value', 'To pass a value that starts with a dash, write --name=VALUE.'],
      ['botcli --name init dir', '--name needs a value'],
      ['botcli init --mode a -m b --mode c', '--mode was given more than once'],
      ['botcli init --eval=0', '--eval takes true or false'],
      ['botcli init --eval=', '--eval takes true or false'],
      ['botcli init --no-eval=false', "--no-eval doesn't take a value"],
      ['botcli init my bot', 'Too many arguments: 2 were given, but the command takes [directory]'],
      ['botcli cloud secrets set', 'Missing argument <name>', ''],
      ['botcli cloud secrets image-pull-secret hub', 'Missing argument <host>'],
      ['botcli innit', 'Unknown command: botcli innit', 'Did you mean botcli init?'],
      ['botcli help cluod', 'Unknown command: botcli cluod', 'Did you mean botcli cloud?'],
      ['botcli cloud orgs', 'Unknown command: botcli cloud orgs', 'Did you mean botcli cloud organizations?'],
      ['botcli cloud __proto__', hidden('botcli cloud'), ''],
      ['botcli cloud secrets API_KEY=sk-live-12345', hidden('botcli cloud secrets'), ''],
      ['botcli cloud secrets sk-live-12345', hidden('botcli cloud secrets')],
      ['botcli - init', 'Unknown command: botcli -'],
    ];
    for (const [line, message, hint] of cases)
      it(line, async () => {
        const error = await refusalOf(line);
        assert.equal(error.message, message);
        assert.equal(error.exitCode, 2);
        const [, said, see] = /^(?:(.*) )?See (botcli.*) --help$/.exec(error.hint ?? '') ?? [];
        assert(see, error.hint);
        if (hint !== undefined) assert.equal(said ?? '', hint);
      });

    it('reports all problems of a line at once', async () => {
      const error = await refusalOf('botcli cloud secrets image-pull-secret --orgnization acme --encode=no');
      assert.equal(error.message, '3 problems in this command line:');
      assert.deepEqual(error.problems, [
        'Unknown option --orgnization. Did you mean --organization?',
        '--encode takes true or false',
        'Missing argument <host>',
      ]);
      assert.equal(error.hint, 'See botcli cloud secrets image-pull-secret --help');
    });

    it('never shows a value, which may be a secret', async () => {
      const error = await refusalOf('botcli cloud secrets image-pull-secret a b c:hunter2 hunter2 --encode=hunter2');
      assert.doesNotMatch(JSON.stringify(error), /hunter2/);
    });
  });

  describe('shows help at every level', () => {
    const cases: [line: string, usage: string][] = [
      ['botcli -h', 'Usage: botcli <command> [options]'],
      ['botcli help', 'Usage: botcli <command> [options]'],
      ['botcli --help init', 'Usage: botcli init [directory] [options]'],
      ['botcli init help', 'Usage: botcli init [directory] [options]'],
      ['botcli init --name --help', 'Usage: botcli init [directory] [options]'],
      ['botcli init a b --bogus -h', 'Usage: botcli init [directory] [options]'],
      ['botcli cloud -h', 'Usage: botcli cloud <command> [options]'],
      ['botcli cloud help secrets', 'Usage: botcli cloud secrets <command> [options]'],
      ['botcli cloud secrets set -sh', 'Usage: botcli cloud secrets set <name> [secrets...] [options]'],
    ];
    for (const [line, usage] of cases) {
      it(line, async () => assert.equal((await helpOf(line)).split('\n')[0], usage));
    }

    for (const line of ['botcli --version', 'botcli -v', 'botcli -v --bogus']) {
      it(line, async () => assert.deepEqual(await parse(line), { kind: 'version' }));
    }

    for (const line of ['botcli', 'botcli cloud', 'botcli cloud secrets', 'botcli cloud --']) {
      it(`${line} reports a missing command`, async () => {
        const text = await helpOf(`${line.replace(/ --$/, '')} --help`);
        assert.deepEqual(await parse(line), { kind: 'missing-command', text });
      });
    }

    it('groups options under their titles', async () => {
      const root: Group = { name: 'botcli', summary: 'Bots.', children: [make] };
      const parsed = await parseCommandLine(root, ['make', '--help']);
      assert.equal(parsed.kind === 'help' && parsed.text, HELP);
    });

    for (const columns of [1, 60, 61, 80, 100, 500]) {
      it(`fits ${columns} columns, clamped to 60 through 100`, async () => {
        const limit = Math.min(100, Math.max(60, columns));
        for (const line of ['botcli', 'botcli init', 'botcli cloud secrets', 'botcli cloud secrets set']) {
          for (const one of (await helpOf(`${line} --help`, columns)).split('\n')) assert(one.length <= limit, one);
        }
      });
    }

    it('uses color if asked to', async () => {
      const style = { bold: (text: string) => `<b>${text}</b>`, dim: (text: string) => `<i>${text}</i>` };
      const parsed = await parseCommandLine(botcli, ['init', '-h'], { style });
      const examples = '<b>Examples:</b>\n<i>  # a working bot that needs one API key</i>\n  botcli init quickstart\n';
      assert(parsed.kind === 'help' && parsed.text.includes(examples));
    });
  });

  it('loads a command only when it is reached', async () => {
    const loaded: string[] = [];
    const late = (name: string): Child => ({
      name,
      summary: `To ${name}.`,
      load: async () => {
        loaded.push(name);
        return { run: async () => {}, options: [{ flag: 'skip', kind: 'switch', help: 'Skip' }] };
      },
    });
    const root: Group = { name: 'botcli', summary: 'Bots.', children: [late('walk'), late('run')] };
    const help = await parseCommandLine(root, ['--help']);
    assert(help.kind === 'help' && help.text.includes('  walk'));
    assert.deepEqual(loaded, []);
    const parsed = await parseCommandLine(root, ['run', '--skip']);
    assert(parsed.kind === 'run' && parsed.command.name === 'run');
    assert.deepEqual(loaded, ['run']);
  });

  it('suggests the nearest word, or nothing', () => {
    const words = ['deepgram_stt', 'openai_stt', 'openai_realtime', 'web', 'ab'];
    const given = ['depgram_stt', 'OpenAI', 'wbe', 'zz', '', 'telephony'];
    const found = ['deepgram_stt', 'openai_stt', 'web', undefined, undefined, undefined];
    assert.deepEqual(
      given.map(word => nearest(word, words)),
      found,
    );
  });
});

const HELP = `\
Usage: botcli make [target_dir] [options]

Makes a voice or video bot, or prepares a directory for a coding agent.

Any scaffold option makes the bot at once, without a question.

Arguments:
  [target_dir]            Directory to initialize; "quickstart" makes the preset
                          bot

Examples:
  # Asks everything
  botcli make

  # Makes a bot without a question
  botcli make my-bot -t rtc_local -m cascade --stt openai_stt \\
      --name "My first bot"

Guides:
      --overwrite-guide   Overwrite existing guides with current ones

Bot:
  -t, --transport <id>    How people reach the bot (repeatable)
      --twilio-daily-sip-mode <direction>
                          "dial-in" or "dial-out"; required when the transport
                          is "tel_a_rtc_sip"
      --[no-]eval         Starter scenarios in server/evals/, to test with (no)

Other options:
      --gate [name...]    Scenarios that decide
      --deployed [agent]  Talk to a deployed bot
  -h, --help              Show this help`;
