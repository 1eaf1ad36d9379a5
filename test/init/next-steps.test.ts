import assert from 'node:assert/strict';
import { join } from 'node:path';
import { devSteps, listSteps, nextLines, nextSteps } from '../../src/project/handover/next-steps.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';
import { BOT, itIn, type Tree } from '../support/session.ts';
import { runShell } from '../support/shell.ts';
import { shellWords } from '../support/shell-words.ts';

// What a run says to do next is pasted into a shell, where stand-ins for uv and npm look whether what they need is there.

const STAND_INS = `
uv() {
  case "$1 $2" in
    "sync "*) test -f pyproject.toml ;;
    "run pipecat") test -f "$5" ;;
    "run "*) test -f "$2" && test -f .env ;;
    *) return 9 ;;
  esac
}
botcli() {
  case "$1" in
    check) test -f ../.botcli.json ;;
    dev) test -f .botcli.json ;;
    *) "$NODE" "$BIN" "$@" ;;
  esac
}
npm() { test -f package.json && grep -q vite package.json; }
`;

const SERVICES = '-m cascade --stt deepgram_stt --llm openai_llm --tts cartesia_tts';
const REALTIME = '-m realtime --realtime openai_realtime';

const cases: [line: string, before: Tree, expected: RegExp][] = [
  ['init my-bot', {}, /^cd my-bot\ncat GETTING_STARTED\.md\nbotcli init /],
  ['init .', {}, /^cat GETTING_STARTED\.md\n/],
  ['init my-bot', { 'my-bot/server/bot.py': 'mine' }, /^cd my-bot$/],
  ['init .', { 'server/bot.py': 'mine' }, /^$/],
  ['init quickstart', {}, /^cd botcli-quickstart\nbotcli dev$/],
  [`init . ${BOT}`, {}, /^botcli dev$/],
  [`init my-bot/ ${BOT}`, {}, /^cd my-bot\/\nbotcli dev$/],
  [`init "it's mine" ${BOT}`, {}, /^cd 'it'\\''s mine'\nbotcli dev$/],
  [`init a/b ${BOT} --eval`, {}, /^cd a\/b\nbotcli dev$/],
  [`init my-bot -t rtc_hosted_pstn_dialout -t rtc_local ${SERVICES} --eval`, {}, /botcli dev$/],
  [`init "it's mine" ${BOT} --client-framework vanilla --eval`, {}, /botcli dev$/],
];

describe('what to do next can be pasted', () => {
  for (const [line, before, expected] of cases) {
    const after = `after ${line}${Object.keys(before).length > 0 ? ', next to a bot' : ''}`;
    itIn(after, before, async ({ directory, succeed }) => {
      const reported = (await succeed(shellWords(line))).split('\nNext:\n')[1] ?? '';
      const lines = reported.split('\n').map(one => one.trim());
      const commands = lines.filter(one => !one.startsWith('#'));
      assert.match(commands.join('\n').trim(), expected);
      const { code, stderr } = await runShell(`${STAND_INS}\nset -ex\n${reported}`, { cwd: directory });
      assert.equal(code, 0, stderr);
    });

    itIn(`${after} --json, line by line`, before, async ({ directory, succeed }) => {
      const { next } = JSON.parse(await succeed([...shellWords(line), '--json']));
      for (const step of next) {
        const cwd = join(directory, step.directory);
        const { code, stderr } = await runShell(`${STAND_INS}\nset -ex\n${step.command}`, { cwd });
        assert.equal(code, 0, stderr);
      }
    });
  }

  itIn('and is the same for programs, with the signs that something is ready', {}, async ({ succeed }) => {
    const line = `init my-bot -t rtc_local ${REALTIME} --client-framework vanilla --eval --json`;
    const server = { directory: 'my-bot/server' };
    const client = { directory: 'my-bot/client' };
    assert.deepEqual(JSON.parse(await succeed(line)).next, [
      { ...server, command: 'uv sync' },
      { ...server, command: 'cp .env.example .env', note: 'then fill in OPENAI_API_KEY' },
      { ...server, command: 'botcli check' },
      { ...server, command: 'uv run bot.py', ready_when: 'Bot ready!' },
      { ...client, command: 'npm install' },
      { ...client, command: 'npm run dev', note: 'then open http://localhost:5173 and talk', ready_when: 'ready in' },
      { ...server, command: 'uv run pipecat eval run evals/starter_text.yaml -v' },
    ]);
  });

  const dialOut = ['README.md#telnyx', 'README.md#daily-phone-number-dial-out'];
  const sections: [line: string, before: Tree, see: string[], ...servers: string[]][] = [
    ['init my-bot -t tel_a -t rtc_local', {}, ['my-bot/README.md#twilio']],
    ['init . -t tel_a', { 'README.md': 'mine' }, ['server/README.md#twilio']],
    ['init . -t tel_b -t rtc_hosted_pstn_dialout', {}, dialOut, 'Uvicorn running'],
  ];
  for (const [line, before, see, ...servers] of sections) {
    itIn(`and says where to read about phones, after ${line}`, before, async ({ succeed, read }) => {
      const { next } = JSON.parse(await succeed(`${line} ${SERVICES} --json`));
      const [bot, ...more] = next.filter((step: { ready_when?: string }) => step.ready_when);
      assert.deepEqual([bot.see, ...more.map((step: { ready_when: string }) => step.ready_when)], [see, ...servers]);
      for (const section of see) {
        const [path = '', anchor] = section.split('#');
        const headings = [...read(path).matchAll(/^## (.+)$/gm)].map(([, text = '']) => text.toLowerCase());
        const anchors = headings.map(text => text.replace(/[^\w\s-]/g, '').replaceAll(' ', '-'));
        assert(anchors.includes(anchor ?? ''), section);
      }
    });
  }

  it('and names a directory that nobody could copy', () => {
    const [terminal] = devSteps(resolveFlags(LOCAL), 'a\nb', 'npx botcli');
    assert(terminal);
    assert.deepEqual(nextLines([{ ...terminal, note: 'Read it.' }], { dim: text => `(${text})` }), [
      'Next:',
      '(  # in the directory a\uFFFDb:)',
      '(  # Read it.)',
      '  npx botcli dev',
      '(  # it installs packages, asks for missing keys, and says where to talk)',
    ]);
  });

  it('and gets models before anything else, and asks for no keys that nobody needs', () => {
    const models = { stt_service: 'moonshine_stt', llm_service: 'ollama_llm', tts_service: 'kokoro_tts' };
    assert.deepEqual(nextLines(devSteps(resolveFlags({ ...LOCAL, ...models }), '.', 'botcli')), [
      'Next:',
      '  # get the models first: see "Models on this computer" in README.md',
      '  botcli dev',
      '  # it installs packages and says where to talk',
    ]);
  });

  it('and has the words of a shell of Windows', () => {
    const env = { OS: 'Windows_NT' };
    const terminals = nextSteps(resolveFlags(LOCAL), 'my bot', { exists: false, empty: [] }, 'botcli', 'npm');
    assert.deepEqual(nextLines([{ ...terminals[0], directory: 'my bot', steps: [], note: 'Mine.' }], { env }), [
      'Next:',
      '  cd "my bot"',
      '  # Mine.',
    ]);
    assert.equal(listSteps(terminals, 'README.md', env)[1]?.command, 'copy .env.example .env');
  });
});
