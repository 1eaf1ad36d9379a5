import assert from 'node:assert/strict';
import { BOT, session, type Tree } from '../support/session.ts';
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
npm() { test -f package.json && test -f README.md; }
`;

const SERVICES = '-m cascade --stt deepgram_stt --llm openai_llm --tts cartesia_tts';
const REALTIME = '-m realtime --realtime openai_realtime';

const cases: [line: string, before: Tree, expected: RegExp][] = [
  ['init my-bot', {}, /^cd my-bot\ncat GETTING_STARTED\.md\nbotcli init /],
  ['init .', {}, /^cat GETTING_STARTED\.md\n/],
  ['init my-bot', { 'my-bot/server/bot.py': 'mine' }, /^cd my-bot$/],
  ['init .', { 'server/bot.py': 'mine' }, /^$/],
  ['init quickstart', {}, /^cd botcli-quickstart\/server\nuv sync\ncp .* \.env\nuv run bot\.py$/],
  [`init . ${BOT}`, {}, /^cd server\n/],
  [`init "it's mine" ${BOT}`, {}, /^cd 'it'\\''s mine\/server'\n/],
  [`init a/b ${BOT} --eval`, {}, /starter_text\.yaml -v$/],
  [`init my-bot -t rtc_local ${REALTIME} --eval`, {}, /starter_audio\.yaml -v$/],
  [`init my-bot -t tel_a ${SERVICES}`, {}, /uv run bot\.py$/],
  [`init my-bot -t rtc_hosted_pstn_dialin ${SERVICES}`, {}, /uv run bot\.py$/],
  [`init my-bot -t rtc_hosted_pstn_dialout -t rtc_local ${SERVICES} --eval`, {}, /uv run server\.py\nuv run pipecat/],
  [`init my-bot -t tel_a_rtc_sip_dialin ${REALTIME}`, {}, /uv run bot\.py\nuv run server\.py$/],
];

describe('what to do next can be pasted', () => {
  for (const [line, before, expected] of cases) {
    it(
      `after ${line}${Object.keys(before).length > 0 ? ', beside a bot' : ''}`,
      session(before, async ({ directory, succeed }) => {
        const told = (await succeed(shellWords(line))).split('\nNext:\n')[1] ?? '';
        const lines = told.split('\n').map(one => one.trim());
        const commands = lines.filter(one => !one.startsWith('#'));
        assert.match(commands.join('\n').trim(), expected);
        const pasted = await runShell(`${STAND_INS}\nset -ex\n${told}`, { cwd: directory });
        assert.equal(pasted.code, 0, pasted.stderr);
      }),
    );
  }
});
