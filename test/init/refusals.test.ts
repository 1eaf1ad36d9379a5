import assert from 'node:assert/strict';
import { listVariables } from '../../src/project/variables.ts';
import { generateProject } from '../support/projects.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';
import { BOT, itIn } from '../support/session.ts';

const TEN_WRONGS =
  'init my-bot --bot-type fone -t rtc_local -t rtc_lokal -m cascade --stt deepgran --realtime openai_realtime ' +
  '--video nobody --client-framework raect --daily-pstn-mode sideways --no-deploy-to-cloud --enable-noisecancel';

describe('an invalid command line', () => {
  itIn('in ten ways gets ten lines of problems, and writes nothing', { 'notes.txt': 'mine' }, async ({ fail }) => {
    const stderr = await fail(2, TEN_WRONGS);
    const [head, ...lines] = stderr.trimEnd().split('\n');
    assert.equal(head, 'error: 10 problems with this configuration; nothing was written:');
    assert.deepEqual(
      lines.slice(0, -1).map(line => line.split(' ')[2]),
      [
        ...['--bot-type', '--transport', '--stt', '--video', '--client-framework', '--daily-pstn-mode'],
        ...['--llm', '--tts', '--realtime', '--enable-noisecancel'],
      ],
    );
    assert.match(lines.at(-1) ?? '', /^All values: botcli init --list-options\./);
  });

  itIn('in its options and in its configuration gets both problems', {}, async ({ fail }) => {
    const stderr = await fail(2, 'init my-bot -t rtc_local -m casade --recordin --stt openai_stt --stt x');
    const lines = stderr.trimEnd().split('\n');
    assert.equal(lines[0], 'error: 3 problems in this command line:');
    assert.deepEqual(lines.slice(1, -1), [
      '  Unknown option --recordin. Did you mean --recording?',
      '  --stt was given more than once',
      `  --mode can't be "casade". Did you mean cascade? Allowed: cascade, realtime`,
    ]);
  });

  const lines: [line: string, reported: RegExp][] = [
    [`init ~/my-bot ${BOT}`, /error: "~\/my-bot" starts with ~, which the shell did not expand\nWrite the full path\./],
    ['init ~', /error: "~" starts with ~/],
    [`init con ${BOT}`, /^error: Windows can't open "con": it's the name of a device\nChoose another name/],
    [`init bot. ${BOT}`, /Windows can't open "bot\.": it ends with a period\n/],
    ['init caf\ufffd', /^error: The directory's name contains bytes that aren't UTF-8 \(.*\nChoose another/],
    [`init my-bot ${BOT} -t rtc_local tel_a`, /Too many arguments: 2 .*\n.* several values, repeat it\./],
    [`init my-bot ${BOT} --recording true`, /Too many arguments: 2 .*\n.* A switch takes no value\./],
    ['init my-bot --stt openai_stt', /--transport is missing[\s\S]*--mode is missing/],
  ];
  for (const [line, reported] of lines) {
    itIn(`${line}: exit code 2`, {}, async ({ fail }) => assert.match(await fail(2, line), reported));
  }
});

describe('--json', () => {
  const invalid = {
    code: 'invalid-configuration',
    message: 'One problem with this configuration; nothing was written:',
    problems: [`--mode can't be "casade". Did you mean cascade? Allowed: cascade, realtime`],
    hint: 'All values: botcli init --list-options. All options: botcli init --help.',
  };
  const usage = { code: 'usage', message: 'Too many arguments: 2 were given, but the command takes [directory]' };
  const conflict = { code: 'conflict', problems: ['server/bot.py already exists with different content'] };
  const cases: [line: string, exitCode: number, error: object][] = [
    ['init my-bot -t rtc_local -m casade --json', 2, invalid],
    ['init a b --json', 2, usage],
    ['init a b --json=true', 2, usage],
    [`init . ${BOT} --json`, 1, conflict],
  ];
  for (const [line, exitCode, error] of cases) {
    itIn(`${line}: the error is the one object on stdout`, { 'server/bot.py': 'mine' }, async ({ run, disk }) => {
      const before = disk();
      const { code, stdout, stderr } = await run(line);
      assert.deepEqual({ code, stderr }, { code: exitCode, stderr: '' });
      const reported = JSON.parse(stdout).error;
      assert.deepEqual({ ...reported, ...error }, reported);
      assert.deepEqual(disk(), before);
    });
  }

  itIn('reports the result and the next steps', { '.gitignore': 'dist\n' }, async ({ run, directory }) => {
    const { code, stdout, stderr } = await run(`init . ${BOT} --no-deploy-to-cloud --json`);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const files = Object.keys(generateProject({ ...resolveFlags(LOCAL), deploy_to_cloud: false }));
    const ready_when = 'Bot ready!';
    assert.deepEqual(JSON.parse(stdout), {
      directory,
      files: files.map(path => ({ path, action: path === '.gitignore' ? 'updated' : 'created' })),
      env: listVariables(resolveFlags(LOCAL)),
      next: [
        { directory: 'server', command: 'uv sync' },
        { directory: 'server', command: 'cp .env.example .env', note: 'then fill in OPENAI_API_KEY' },
        { directory: 'server', command: 'botcli check' },
        { directory: 'server', command: 'uv run bot.py', note: 'then open http://localhost:7860 and talk', ready_when },
      ],
      dev: {
        directory: '.',
        command: 'botcli dev',
        note: 'it installs packages, asks for missing keys, and says where to talk',
      },
    });
  });
});
