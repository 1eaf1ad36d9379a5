import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Facts } from '../../check/checks/facts.ts';
import { UserError, usageError } from '../../errors.ts';
import { createHiddenValues } from '../../hidden-values.ts';
import { exists } from '../../paths/read.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { orElse } from '../../std.ts';
import { onOneLine, shortened } from '../../text.ts';
import { putFiles } from '../../writing/changes.ts';
import { freeName } from '../evals.ts';
import { makeDirectory } from '../fresh-bot.ts';
import { commandIn, secretsOf } from '../parts.ts';
import type { DeployedBot } from '../prepare.ts';
import { runProcess } from '../supervise.ts';
import type { Stop } from '../surroundings.ts';
import { createVerdicts, holdQuietly } from '../test-command.ts';
import type { Turn } from './conversation.ts';

interface Kept {
  name: string;
  /** What the bot's model said first; empty if the bot waited, or said fixed words, which evals in text don't hear. */
  greeting: string;
  turns: readonly Turn[];
  /** The command that keeps it. Default: `talk`. */
  command?: string;
}

const MOST_LETTERS = 50;

/** Why a name that the user typed can't be that of a scenario and its file; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (name.length <= MOST_LETTERS && /^[A-Za-z0-9][\w-]*$/.test(name)) return undefined;
  return `"${onOneLine(name)}" can't be the name of a scenario. Use up to ${MOST_LETTERS} letters, digits, - and _, such as opening_hours`;
}

/**
 * Writes a conversation as a new scenario of the project, and runs it once against a fresh bot, or the deployed one.
 * The bot's own model writes what each reply must do, unless the conversation is to be kept `plain`. If `stop.signal`
 * is aborted while the scenario runs, the file stays, and the result says that it wasn't tried.
 *
 * @throws {UserError} Nothing is written: the name isn't one, nothing was said, or the disk refuses. Or the reason of
 *   `stop.signal`, before anything is written.
 */
export async function keepConversation(
  kept: Kept & { facts: Facts; plain: boolean; bot?: DeployedBot | undefined },
  stop: Stop,
  terminal: Terminal,
) {
  const { facts, plain, bot, name } = kept;
  // The terminal also hides words of the command line that only look like a key.
  const hidden = createHiddenValues();
  hidden.hide(secretsOf(facts));
  const turns = kept.turns.filter(({ flaw }) => !flaw).map(turn => withoutSecrets(turn, hidden.inOwn));
  const problem = nameProblem(name);
  if (problem !== undefined) throw usageError(problem);
  if (kept.turns.length === 0) throw usageError("There is nothing to keep: you haven't said anything yet");
  if (turns.length === 0) throw usageError('There is nothing to keep: the bot has answered nothing completely');
  const { root } = facts.project;
  const hasJudge = exists(root, 'server/evals/judge.py');
  const criteria = hasJudge && !plain ? await askForCriteria(facts, turns, stop, terminal) : [];
  const greeting = hidden.inOwn(kept.greeting);
  const free = freeName(root, name);
  const path = `server/evals/${free}.yaml`;
  putFiles(root, { [path]: scenarioText({ ...kept, name: free, greeting, turns }, { criteria, hasJudge }) });
  const tried = await tryConversation({ facts, paths: [path], bot }, stop, terminal);
  return {
    /** The file, relative to the project. */
    path,
    turns: turns.length,
    calls: turns.reduce((sum, { calls }) => sum + calls.length, 0),
    /** How many replies must say the same as the bot's words, because no model wrote what they must do. */
    quoted: hasJudge ? turns.filter((turn, at) => heardFrom(turn) !== '' && !criteria[at]).length : 0,
    /** The name that it should have had, if that was taken. */
    ...(free !== name && { wanted: name }),
    /** How many turns aren't in it, because they failed or were interrupted. */
    failed: kept.turns.length - turns.length,
    ...tried,
  };
}

/** Runs a scenario. Says whether it was run to the end, whether it passed, and why not. */
async function tryConversation(
  trial: Pick<Parameters<typeof holdQuietly>[0], 'facts' | 'paths' | 'bot'>,
  stop: Stop,
  terminal: Terminal,
) {
  const verdicts = createVerdicts();
  try {
    const passed = await holdQuietly({ ...trial, verdicts }, stop, terminal);
    const why = verdicts.all.find(({ reason }) => reason)?.reason;
    return { tried: true, passed, ...(why !== undefined && { why }) };
  } catch (error) {
    if (stop.signal.aborted) return { tried: false, passed: false };
    if (!(error instanceof UserError)) throw error;
    return { tried: true, passed: false, why: error.message };
  }
}

/** A turn as it may be in a file that is committed. An argument with a secret isn't compared, like a list. */
function withoutSecrets(turn: Turn, hide: (text: string) => string): Turn {
  const { said, answer, written, last, calls } = turn;
  const isSecret = (value: unknown) => {
    const text = JSON.stringify(value) ?? '';
    return hide(text) !== text;
  };
  const withoutTheirs = ({ arguments: given, ...call }: Turn['calls'][number]) => {
    const entries = Object.entries(given).map(([name, value]) => [name, isSecret(value) ? [] : value]);
    return { ...call, arguments: Object.fromEntries(entries) };
  };
  return {
    ...turn,
    said: hide(said),
    answer: hide(answer),
    written: hide(written),
    last: hide(last),
    calls: calls.map(withoutTheirs),
  };
}

/** What an eval hears of an answer, on one line. What the bot said before a call may be anything, unless it was all. */
const heardFrom = ({ written, last }: Turn): string => oneLine(last.trim() === '' ? written : last);

/** Whether the bot said everything before its calls. */
const isEarly = ({ last, calls }: Turn): boolean => calls.length > 0 && last.trim() === '';

/** How much of the bot's words a comment shows. */
const SHOWN = 200;

/** A conversation as a scenario. If there is a judge, each reply must meet its criterion, or else say the same. */
export function scenarioText(
  { name, greeting, turns, command = 'talk' }: Kept,
  { criteria, hasJudge }: { criteria: readonly (string | undefined)[]; hasJudge: boolean },
): string {
  const advice = `The greeting may say anything. Add \`${hasJudge ? 'eval' : 'text_contains'}:\` if it must say something.`;
  const words = `The bot said: ${shortened(oneLine(greeting), SHOWN)}`;
  const greets = [...commented(advice, words), '- expect:', '    - event: response'];
  const steps = turns.map((turn, at) => stepOf(turn, hasJudge ? (criteria[at] ?? '') : undefined));
  if (greeting.trim() !== '') steps.unshift(greets);
  return [
    ...commented(...headerOf({ name, turns, command }, hasJudge)),
    `name: ${scalar(name)}`,
    ...when(hasJudge, '', 'judge:', '  eval:', '    factory: evals.judge.language_model'),
    ...['', 'scenarios:', '  - name: conversation', '    turns:'],
    ...steps.flatMap((lines, at) => [...(at > 0 ? [''] : []), ...indented(6, lines)]),
    '',
  ].join('\n');
}

const when = (is: boolean, ...lines: string[]): string[] => (is ? lines : []);

const commented = (...lines: string[]): string[] => lines.map(line => `# ${line}`.trim());

const indented = (by: number, lines: readonly string[]): string[] => lines.map(line => `${' '.repeat(by)}${line}`);

/** What YAML 1.1, which the framework reads, takes for something else than a text. */
const OTHER = /^(?:y|yes|n|no|on|off|true|false|null|e[-+]?\d+)$/i;

/**
 * A value in YAML, on one line, so that no line of a text looks like a key. A text needs no quotes if it's of letters and
 * what has no meaning after them.
 */
function scalar(value: unknown): string {
  const isPlain = typeof value === 'string' && /^\p{L}[^\p{C}\p{Z}\\]*(?: [^\p{C}\p{Z}\\]+)*$/u.test(value);
  return isPlain && !OTHER.test(value) && !/:(?: |$)| #/.test(value) ? value : JSON.stringify(value);
}

/** What the comment at the top of the file says. */
function headerOf({ name, turns, command }: Required<Omit<Kept, 'greeting'>>, hasJudge: boolean): string[] {
  const hasCalls = turns.some(({ calls }) => calls.length > 0);
  const isAnyEarly = turns.some(turn => isEarly(turn) && heardFrom(turn) !== '');
  return [
    `Kept from \`botcli ${command}\`. \`botcli test ${name}\` runs it. Edit it as you like:`,
    '',
    hasJudge
      ? '- `eval:` says what a reply must do, in any wording.'
      : '- A `response` may say anything. Add `text_contains:` with a word that it must contain.',
    ...when(hasCalls, '- `args:` must match exactly. Delete those that may change.'),
    ...when(hasCalls, '- `within_ms:` limits how long after the message the call may come.'),
    ...when(isAnyEarly, '- `check_from: turn_start` also accepts a reply from before the call.'),
  ];
}

/** How long a call may take to come, and a reply, in seconds. The framework would wait for a minute for each. */
const CALL_SECONDS = 30;
const REPLY_SECONDS = 60;

/** @param criterion Empty: the reply must say the same. Undefined: nobody judges it. */
function stepOf(turn: Turn, criterion: string | undefined): string[] {
  const { said, answer, calls } = turn;
  const heard = heardFrom(turn);
  const words = shortened(oneLine(answer), SHOWN);
  const slow = Math.floor(2 * calls.reduce((sum, { seconds }) => sum + seconds, 0));
  /** In steps of five seconds: nobody should think that the last digit matters. */
  const within = (seconds: number) => `  within_ms: ${5000 * Math.ceil((seconds + slow) / 5)}`;
  const called = calls.flatMap(({ name, arguments: given }) => {
    const args = Object.entries(given).filter(([, value]) => isShort(value));
    const others = Object.keys(given).filter(key => !isShort(given[key]));
    return [
      ...when(others.length > 0, ...commented(`Not compared: ${oneLine(others.join(', '))}`)),
      `- name: ${scalar(name)}`,
      ...when(args.length > 0, '  args:', ...args.map(([key, value]) => `    ${scalar(key)}: ${scalar(value)}`)),
    ];
  });
  const reply = [
    ...when(criterion === undefined, ...commented(`The bot said: ${words}`)),
    '- event: response',
    ...when(criterion !== undefined, `  eval: ${scalar(criterion || `says the same as: ${heard}`)}`),
    ...when(isEarly(turn), '  check_from: turn_start'),
    ...when(slow > REPLY_SECONDS / 2, within(REPLY_SECONDS)),
  ];
  const expected = [
    ...when(calls.length > 0, '- event: function_call', '  calls:', ...indented(4, called), within(CALL_SECONDS)),
    ...when(heard !== '', ...reply),
  ];
  return [
    ...when(heard === '' && words !== '', ...commented(`Not heard in text, because it is fixed: ${words}`)),
    `- user: ${scalar(clean(said))}`,
    ...when(expected.length > 0, '  expect:', ...indented(4, expected)),
  ];
}

/** The most characters of an argument that a model surely repeats word for word. */
const MOST_CHARACTERS = 50;

/** Whether an argument can be compared: it is a short value, which the framework reads as it was. */
function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MOST_CHARACTERS && oneLine(value) === value;
  if (typeof value === 'number')
    return Number.isInteger(value) ? Number.isSafeInteger(value) : /^[-\d.]+$/.test(`${value}`);
  return typeof value === 'boolean' || value === null;
}

/** A text without what can't be in a file that the framework reads. */
const clean = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u0085\p{Zl}\p{Zp}]/u)
    .map(line => onOneLine(line.replaceAll('\t', ' ')).replace(/[\uFFFE\uFFFF]/g, '\uFFFD'))
    .join('\n');

const oneLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();

/** How many messages of the person's a model gets to see for a criterion, and how much of a tool's result. */
const MESSAGES = 4;
const RESULT = 500;

/** What asks a model for the criterion of a turn. */
export function promptFor(turns: readonly Turn[], at: number): string {
  const turn = turns[at];
  const lines = turns
    .slice(Math.max(0, at + 1 - MESSAGES), at + 1)
    .flatMap((turn, index, seen) => [
      `Person: ${turn.said}`,
      ...turn.calls.map(
        ({ name, arguments: given, result }) =>
          `(The bot called ${name}(${shortened(JSON.stringify(given), RESULT)}), which returned ${shortened(JSON.stringify(result) ?? 'nothing', RESULT)}.)`,
      ),
      ...(index < seen.length - 1 ? [`Bot: ${turn.answer}`] : []),
    ]);
  return `The conversation:\n\n${lines.join('\n')}\n\nThe reply to write the check for:\n\n${turn && heardFrom(turn)}`;
}

/** The criterion in a model's reply; undefined if that isn't one sentence. */
export function criterionFrom(reply: string): string | undefined {
  const sentence = oneLine(reply.replace(/^\s*<think>.*?<\/think>/s, ''))
    .replace(/^["'`]+|["'`]+$/g, '')
    .replace(/^criterion: /i, '');
  return sentence.length > 10 && sentence.length < 500 ? sentence : undefined;
}

const INSTRUCTION = `You write the checks of an automated test for a voice bot. You get a conversation and the bot's last \
reply. Write one sentence in English that says what that reply must do. Another wording of the same reply must pass. \
A reply with another fact, another question, a part missing, or in another language must fail. So name the reply's \
language, and each number, time, day, price, name and question in it that matters, and leave out greetings, tone and \
wording. Begin with "the bot". Write only the sentence.`;

/** Asks the model that the project's judge uses. It prints one JSON object a line, as they come. */
const PROGRAM = `
import asyncio
import json
import sys
from pathlib import Path

from dotenv import find_dotenv, load_dotenv

load_dotenv(find_dotenv(usecwd=True))

from evals.judge import language_model
from pipecat.processors.aggregators.llm_context import LLMContext

asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
judge = language_model({})
model = getattr(judge, "llm", judge)


async def ask(at, prompt, turn):
    async with turn:
        context = LLMContext(messages=[{"role": "user", "content": prompt}])
        reply = await model.run_inference(context, system_instruction=asked["instruction"])
    print(json.dumps({"at": at, "reply": reply}), flush=True)


async def main():
    turn = asyncio.Semaphore(4)
    async with asyncio.timeout(60):
        questions = (ask(at, prompt, turn) for at, prompt in asked["prompts"])
        await asyncio.gather(*questions, return_exceptions=True)


asyncio.run(main())
`;

/** What the reply of each turn must do, as far as the bot's own model says so within a minute. */
async function askForCriteria(
  facts: Facts,
  turns: readonly Turn[],
  stop: Stop,
  terminal: Terminal,
): Promise<(string | undefined)[]> {
  const prompts = turns.flatMap((turn, at) => (heardFrom(turn) === '' ? [] : [[at, promptFor(turns, at)]]));
  const criteria: (string | undefined)[] = [];
  const directory = await makeDirectory(terminal);
  try {
    const path = join(directory, 'asked.json');
    await writeFile(path, JSON.stringify({ instruction: INSTRUCTION, prompts }));
    const args = ['run', '--no-sync', 'python', '-c', PROGRAM, path];
    const order = { program: 'uv', args, folder: 'server', env: { LOGURU_LEVEL: 'ERROR' } } as const;
    const take = (lines: readonly string[]) => {
      for (const line of lines) {
        const { at, reply }: { at?: unknown; reply?: unknown } = orElse(() => JSON.parse(line), null) ?? {};
        if (typeof at === 'number' && typeof reply === 'string') criteria[at] = criterionFrom(reply);
      }
      return undefined;
    };
    await runProcess(commandIn(facts, order, terminal), take, stop);
    return criteria;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
