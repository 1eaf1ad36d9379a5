import assert from 'node:assert/strict';
import { main } from '../../src/bin/main.ts';
import { SERVICE_KINDS, transportIds, transports } from '../../src/catalog/index.ts';
import { scaffoldOptions } from '../../src/config/options.ts';
import { init } from '../../src/init/command.ts';
import { renderHelp } from '../../src/shell/command.ts';
import { VERSION } from '../../src/version.ts';
import { sitDown } from '../support/person.ts';
import { BOT, itIn } from '../support/session.ts';

// What only answers: none of it writes anything.

describe('botcli', () => {
  itIn('--help shows the commands', {}, async ({ succeed }) =>
    assert.match(await succeed('--help'), /^Usage: botcli <command> \[options\]\n[\s\S]*\n {2}init {2}/),
  );

  for (const line of ['help init', 'init --help', 'init --mode=x --help', `init my-bot ${BOT} --help`]) {
    itIn(`${line} shows every option, and makes nothing`, {}, async ({ succeed, tree }) => {
      const help = await succeed(line);
      assert.match(help, /^Usage: botcli init \[directory\] \[options\]\n/);
      for (const { flag } of scaffoldOptions) assert(new RegExp(`--(\\[no-\\])?${flag}\\b`).test(help), flag);
      assert.deepEqual(tree(), {});
    });
  }

  for (const columns of [60, 80]) {
    it(`init --help names every transport, as people call it, in ${columns} columns`, () => {
      const node = { name: 'init', summary: 'Make a bot.', ...init };
      const help = renderHelp(node, 'botcli init', init.options ?? [], { columns });
      assert(help.split('\n').every(line => line.length <= columns));
      const words = help.replace(/\s+/g, ' ');
      for (const id of [...transportIds('web'), ...transportIds('telephony')]) {
        const row = transports.find(one => (one.generic ?? one.id) === id);
        const name = row?.label.replace(/,.*/, '');
        if (row) assert(words.includes(`${id} (${name})`), `${id} (${name})`);
      }
      // An id is never apart from its name.
      assert.doesNotMatch(help.slice(0, help.indexOf('(repeatable)')), /(rtc|tel)_\w+\n/);
    });
  }

  itIn('-v is the version alone', {}, async ({ succeed }) => assert.equal(await succeed('-v'), `${VERSION}\n`));

  itIn('alone shows its help on stderr, and fails', {}, async ({ fail }) =>
    assert.match(await fail(2, ''), /^Usage: botcli <command>/),
  );
});

describe('several mistakes in a command line', () => {
  const lines: [line: string, ...problems: RegExp[]][] = [
    ['update bot --conflicts mark --framework-release 99', /^--framework-release is "99"/, /^--conflicts is "mark"/],
    ['update bot --conflicts mark --tts elevenlab --llm opnai', /^--llm/, /^--tts/, /^--conflicts/],
    ['update nowhere --conflicts mark', /^--conflicts/, /^nowhere is not in a botcli project/],
    ['update bot --conflicts mark --bogus', /^Unknown option --bogus/, /^--conflicts/],
    ['dev bot --port 99999 -t foo', /^--transport is "foo"/, /^--port is "99999"/],
    ['dev bot --port 0 --number 1 --host http://x --skip', /^--host/, /^--number is "1"/, /^--host is for/, /^--port/],
    ['dev nowhere --port 0', /^nowhere is not in/, /^--port/],
    ['dev bot --port 0 --bogus', /^Unknown option --bogus/, /^--port/],
    ['talk nowhere --timeout x', /^--timeout/, /^nowhere is not in/],
    ['init ~/bot --stt nosuch', /^"~\/bot" starts with ~/, /^--stt/, /^--transport is missing/, /^--mode is missing/],
  ];
  for (const [line, ...problems] of lines) {
    itIn(`botcli ${line}: reports all of them`, {}, async ({ succeed, fail }) => {
      await succeed(`init bot ${BOT}`);
      const [first, ...others] = (await fail(2, line.replace('~', '"~"'))).split('\n');
      assert.equal(first, `error: ${problems.length} problems in this command line:`);
      const shown = others.filter(one => one.startsWith('  ')).map(one => one.trim());
      assert.equal(shown.length, problems.length, shown.join('\n'));
      for (const [at, problem] of problems.entries()) assert.match(shown[at] ?? '', problem);
    });
  }
});

describe('a key in the wrong place', () => {
  const KEY = `sk-proj-${'Ab1-Cd2_Ef3Gh4'.repeat(11)}`;
  const lines = [
    ...['guide K', 'init bot --stt K', 'init bot -tK', 'init bot --K', 'dev K', 'dev made --host K --port K -t K'],
    ...['update made --conflicts K --tts K', 'check made --json --K', 'talk made --timeout K'],
    ...['cloud secrets list K', 'cloud logs K --since K', 'cloud deploy K --build K'],
  ];
  for (const line of lines) {
    itIn(`botcli ${line}: isn't repeated`, {}, async ({ succeed, run }) => {
      await succeed(`init made ${BOT}`);
      const { code, stdout, stderr } = await run(line.replaceAll('K', KEY), {
        env: { BOTCLI_TOKEN: 'not-a-token', BOTCLI_API_URL: 'http://127.0.0.1:9' },
      });
      assert.notEqual(code, 0);
      assert.doesNotMatch(stdout + stderr, /Ab1|f3Gh4/);
      assert.notEqual(stdout + stderr, '');
    });
  }
});

describe('a word or an option in the wrong place', () => {
  const lines: [line: string, hint: string][] = [
    ['quickstart', 'Did you mean botcli init quickstart?'],
    ['create my-bot', 'Did you mean botcli init my-bot?'],
    ['login', 'Did you mean botcli cloud auth login?'],
    ['cloud login', 'Did you mean botcli cloud auth login?'],
    ['secrets list', 'Did you mean botcli cloud secrets list?'],
    ['cloud secert list', 'Did you mean botcli cloud secrets list?'],
    ['cloud secret set my-bot KEY=value', 'Did you mean botcli cloud secrets set?'],
    ['cloud orgs list', 'Did you mean botcli cloud organizations list?'],
    ['stop', 'Did you mean botcli cloud sessions stop?'],
    ['deploy', 'Did you mean botcli cloud deploy?'],
    ['add evals', 'Did you mean botcli update?'],
    ['doctor', 'Did you mean botcli check?'],
    ['start my-bot', 'Did you mean botcli dev?'],
    ['--list-options', 'Did you mean botcli init --list-options?'],
    ['--llm openai_llm', 'Did you mean botcli init --llm?'],
    ['constructor', ''],
  ];
  for (const [line, hint] of lines) {
    itIn(`botcli ${line}: ${hint || 'has no suggestion'}`, {}, async ({ fail, succeed }) => {
      const [error = '', shown = ''] = (await fail(2, line)).split('\n');
      assert.match(error, /^error: Unknown (command|option)/);
      const { index = 0 } = / ?See botcli/.exec(shown) ?? {};
      assert.equal(shown.slice(0, index), hint);
      for (const [, meant = ''] of hint.matchAll(/\bbotcli ([a-z -]+?)(?=,| or|\?)/g)) await succeed(`${meant} --help`);
    });
  }
});

describe('botcli init --list-options', () => {
  itIn('prints every value as JSON, and nothing else', {}, async ({ run, tree }) => {
    const { code, stdout, stderr } = await run('init --list-options');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const listed = JSON.parse(stdout);
    assert.deepEqual(listed.bot_type, ['web', 'telephony']);
    assert.deepEqual(listed.transports.web, ['rtc_hosted', 'rtc_local']);
    assert(listed.stt.includes('deepgram_stt') && listed.video.includes('tavus_video'));
    assert.deepEqual(tree(), {});
  });

  itIn('names the transports in a terminal, next to the JSON', {}, async ({ directory }) => {
    const { terminal, written } = sitDown(() => assert.fail('a question was asked'), directory);
    await main(['init', '--list-options'], terminal);
    assert.match(written(), /^Transports: rtc_local \(SmallWebRTC\), .*tel_a \(Twilio\).*\.\n--json adds/m);
  });

  itIn('adds what the values mean with --json, one row a line', {}, async ({ succeed }) => {
    const plain = JSON.parse(await succeed('init --list-options'));
    const printed = await succeed('init --list-options --json');
    const { details, ...listed } = JSON.parse(printed);
    assert.deepEqual(listed, plain);
    const ids = (kind: string) => details[kind].map(({ id }: { id: string }) => id);
    for (const kind of [...SERVICE_KINDS, 'bot_type']) assert.deepEqual(ids(kind), plain[kind]);
    assert.deepEqual(ids('transports'), [...plain.transports.web, ...plain.transports.telephony]);
    assert(printed.includes('\n      {"id":"rtc_local",'));
  });

  itIn('beats whatever else is asked for', {}, async ({ succeed, tree }) => {
    assert.equal(await succeed('init my-bot --mode x --list-options'), await succeed('init --list-options'));
    assert.deepEqual(tree(), {});
  });

  itIn('lists only what a configuration takes', {}, async ({ run, succeed }) => {
    const listed = JSON.parse(await succeed('init --list-options'));
    const callModes: Record<string, string> = {
      rtc_hosted_pstn: '--daily-pstn-mode dial-in',
      tel_a_rtc_sip: '--twilio-daily-sip-mode dial-out',
    };
    const lines = [
      ...listed.transports.web.map((id: string) => `${BOT} -t ${id}`),
      ...listed.transports.telephony.map((id: string) => `${BOT.replace('rtc_local', id)} ${callModes[id] ?? ''}`),
      ...listed.stt.map((id: string) => BOT.replace('openai_stt', id)),
      ...listed.llm.map((id: string) => BOT.replace('openai_llm', id)),
      ...listed.tts.map((id: string) => BOT.replace('openai_tts', id)),
      ...listed.realtime.map((id: string) => `-t rtc_local -m realtime --realtime ${id}`),
      ...listed.video.map((id: string) => `${BOT} --video ${id}`),
    ];
    for (const line of lines) {
      const { code, stderr } = await run(`init --dry-run ${line}`);
      assert.deepEqual({ line, code, stderr }, { line, code: 0, stderr: '' });
    }
  });
});

describe('botcli init, without anything to go by', () => {
  for (const line of ['init', 'init --force', 'init --overwrite-guide', 'init --json']) {
    itIn(`${line}: says what to pass`, { 'notes.txt': 'mine' }, async ({ run, disk }) => {
      const before = disk();
      const { code, stdout, stderr } = await run(line);
      assert.equal(code, 2);
      const reported = line.includes('json') ? JSON.parse(stdout).error.hint : stderr;
      for (const way of ['botcli init quickstart', 'botcli init DIRECTORY -t', 'botcli init --help']) {
        assert(reported.includes(way), reported);
      }
      assert.deepEqual(disk(), before);
    });
  }

  itIn('an empty directory name is none', {}, async ({ fail }) => {
    const stderr = await fail(2, ['init', '']);
    assert.equal(stderr, 'error: The directory is ""\nUse . for the current directory.\n');
  });
});
