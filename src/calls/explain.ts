import { type PriceRow, prices } from '../catalog/prices.ts';
import { createHiddenValues, keysIn } from '../hidden-values.ts';
import { parsedJson } from '../std.ts';
import { onOneLine, shortened, spaced } from '../text.ts';
import {
  type Call,
  createReader,
  labelled,
  type Part,
  readCall,
  serviceOf,
  sumOf,
  type Turn,
  type Usage,
} from './call.ts';

/** A time in seconds, with one digit after the point: `4.1s`. */
export const short = (seconds: number): string => `${seconds.toFixed(1)}s`;

/** A call of a tool, as in code: `check_availability(day="friday", people=2)`. */
export const toolText = ({ name, arguments: given }: { name: string; arguments: Record<string, unknown> }): string =>
  `${name}(${Object.entries(given)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`;

/** How long a tool took, or how it ended without a result: `2.9s`, `interrupted after 5.0s`. */
export function toolTime({ seconds, isDone, failure }: Turn['tools'][number]): string {
  if (isDone) return short(seconds);
  if (failure === 'missing') return "doesn't exist";
  return failure === '' ? 'not done' : `${FAILURES.get(failure) ?? failure} after ${short(seconds)}`;
}

const FAILURES: ReadonlyMap<string, string> = new Map([
  ['cancelled', 'interrupted'],
  ['timed_out', 'timed out'],
]);

/** What the person said, or why it isn't known; undefined if the bot spoke first. */
export function wordsOf({ you, isReply }: Turn): string | undefined {
  if (you === undefined) return isReply ? '(spoke, but no words were recognized)' : undefined;
  return you || NOT_WRITTEN;
}

/** What the bot said, or why it isn't known. */
export function answerOf(turn: Turn, call: Call): string {
  const { bot, hasSpoken, hasSound, interruptedAfter } = turn;
  const words = bot || (hasSpoken ? NOT_WRITTEN : '');
  const after = interruptedAfter === undefined ? '' : `interrupted after ${short(interruptedAfter)}`;
  if (words) return after ? `(${after}) ${words}` : words;
  if (after) return `(${after}, its words aren't known)`;
  if (!isUnanswered(turn, call)) {
    if (hasSound) return '(spoke, but its words were cut off)';
    return call.end ? '(said nothing)' : '(nothing yet)';
  }
  const instead = hasSound ? '. It only said something like "One moment, please."' : '';
  return `(no answer: ${whyUnanswered(turn)}${instead})`;
}

const NOT_WRITTEN = '(words not written down)';

/** Whether the bot said nothing but a fixed sentence, and won't do so. */
export function isUnanswered(turn: Turn, { turns, end }: Call): boolean {
  const { hasSpoken, hasSound, isAnswered, interruptedAfter, tools } = turn;
  const isCutOff = hasSound && isAnswered && tools.every(({ isDone }) => isDone);
  if (hasSpoken || isCutOff || interruptedAfter !== undefined) return false;
  return wordsOf(turn) !== undefined && (end !== undefined || turn !== turns.at(-1));
}

function whyUnanswered({ you, isAnswered, tools }: Turn): string {
  const tool = tools.find(({ isDone }) => !isDone);
  if (tool) return `the tool ${tool.name} returned nothing`;
  if (isAnswered) return 'the model answered, but the bot said nothing';
  return `${you === undefined ? 'speech-to-text' : 'the model'} sent no words`;
}

/** How long the answer took, if there was one. */
export const timeOf = ({ seconds, hasSpoken }: Turn): string =>
  seconds === undefined ? (hasSpoken ? 'not measured' : '') : short(seconds);

/** What a file says at its end if it doesn't say how the call ended. */
export const STOPS = 'The file stops here: the call goes on, or the bot was killed.';

/** A turn in which something is sure to have made the answer slow says what, with its share. */
export function causeOf(turn: Turn, at: number, { isFirst }: Pick<Call, 'isFirst'>): string | undefined {
  const { parts, seconds = sumOf(parts), thinking, failed } = turn;
  const largest = longestOf(turn);
  if (!largest || isShort(largest)) return undefined;
  const share = (part: number) => `${part.toFixed(1)} of ${short(seconds)}`;
  if (largest.key === 'function_handler') return `the tool ${largest.label}, ${share(largest.seconds)}`;
  if (failed.length > 0) return `an error of ${failed[0]}, after which it tried again`;
  if (2 * thinking > seconds) return `the model thought for ${share(thinking)}`;
  if (at === 0 && isFirst && largest.key === 'first_request') {
    return `the first call after a start of the bot, which loads what others find loaded, ${share(largest.seconds)}`;
  }
  // In text, most of an answer isn't measured.
  if (4 * largest.seconds < seconds) return undefined;
  const about = SETTINGS.get(largest.key);
  return `${largest.label}${about ? ` (${about})` : ''}, ${share(largest.seconds)}`;
}

const longestOf = ({ parts }: Turn): Part | undefined =>
  [...parts].sort((one, other) => other.seconds - one.seconds)[0];

/** Parts of an answer that a setting governs: what takes the time then. */
const SETTINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    endpointing_wait: 'the pause after which the person counts as finished, stop_secs',
    turn_detection: 'deciding whether the person has finished',
    sentence_aggregation: 'the voice waits for a whole one',
    waiting_for_user: 'waiting for the person to go on',
  }),
);

/** The turn with the slowest answer, and its place. The greeting counts only if there is nothing else. */
export function slowestOf({ turns }: Pick<Call, 'turns'>): { turn: Turn; at: number; seconds: number } | undefined {
  const measured = turns.flatMap((turn, at) =>
    turn.seconds === undefined ? [] : [{ turn, at, seconds: turn.seconds }],
  );
  const answers = measured.filter(({ turn }) => turn.you !== undefined);
  return (answers.length > 0 ? answers : measured).sort((one, other) => other.seconds - one.seconds)[0];
}

/** How the person reached the bot: `phone ..42`, `browser`, `talk`. */
export const reachedBy = ({ by, number, startedBy }: Call): string =>
  by === 'text' ? (startedBy ?? 'text') : [by, number].filter(Boolean).join(' ');

/** What kinds of errors mean. */
const ERRORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    authentication: 'refused the key',
    authorization: 'refused the access',
    invalid_request: 'refused the request',
    rate_limit: 'got too many requests',
    quota: 'has no credit left',
    connectivity: "couldn't be reached",
    silence: 'sent no sound in time',
  }),
);

const problemOf = (category: string): string => ERRORS.get(category) ?? 'failed';

/** How a call ended, in a few words. */
export function howItEnded(call: Call): string {
  const { end, errors, startedBy } = call;
  const [error] = [...errors].sort((one, other) => Number(other.isFinal) - Number(one.isFinal));
  const said = error && `error: ${error.who} ${problemOf(error.category)}`;
  if (!end) return 'it goes on, or the bot was killed';
  if (error?.isFinal || /fatal error|can no longer/.test(end.reason)) return said ?? 'error';
  if (/was stopped|interrupt/.test(end.reason))
    return startedBy ? `stopped by botcli ${startedBy}` : 'the bot was stopped';
  if (end.reason === 'idle timeout') return 'nobody said anything';
  if (!end.left) {
    // What the guard of a phone bot says.
    const [, silent] = /^(\S+) (?:doesn't answer|never answered)/.exec(end.reason) ?? [];
    if (silent) return `error: ${serviceOf(silent)} didn't answer`;
    const last = call.turns.at(-1);
    const isSilent = last?.you && last.bot === '' && last.tools.length === 0;
    return said ?? (isSilent ? 'the bot hung up without an answer' : 'the bot hung up');
  }
  if (call.by === 'phone') return 'the caller hung up';
  return call.by === 'text' ? 'botcli left' : 'the person left';
}

/** What a call cost, about: as far as there are prices. */
interface Cost {
  dollars: number;
  /** The oldest date of the prices; undefined if there is none. */
  date: string | undefined;
  /** The models, or services, for which no price is known. */
  unknown: string[];
}

/** @param own The user's prices, which count more. */
export function costOf(call: Pick<Call, 'usage'>, own: readonly PriceRow[] = []): Cost {
  const cost: Cost = { dollars: 0, date: undefined, unknown: [] };
  for (const usage of call.usage) {
    const { model = '', service } = usage;
    const row = [...own, ...prices].find(one => model.replace(/-\d{4}-\d\d-\d\d$/, '') === one.model);
    const dollars = row && priceOf(usage, row);
    if (!row || dollars === undefined) cost.unknown.push(model || service);
    else {
      cost.dollars += dollars;
      cost.date = [cost.date, row.date ?? 'today'].filter(Boolean).sort()[0];
    }
  }
  return cost;
}

/** The price of a usage; undefined if the row lacks one of those that it takes. */
function priceOf({ kind, quantities }: Usage, row: PriceRow): number | undefined {
  const count = (name: string) => quantities[name] ?? 0;
  const audioIn = count('input_audio_tokens');
  const audioOut = count('output_audio_tokens');
  const cachedAudio = count('cache_read_input_audio_tokens');
  const cached = count('cache_read_input_tokens') - cachedAudio;
  const amounts: [number, number | undefined][] =
    kind === 'stt'
      ? [[count('audio_seconds') / 60, row.minute]]
      : kind === 'tts'
        ? [[count('characters') / 1e6, row.characters]]
        : [
            [(count('prompt_tokens') - audioIn - cached) / 1e6, row.input],
            [cached / 1e6, row.cachedInput],
            [(count('completion_tokens') - audioOut) / 1e6, row.output],
            [(audioIn - cachedAudio) / 1e6, row.audioInput],
            [cachedAudio / 1e6, row.cachedAudioInput],
            [audioOut / 1e6, row.audioOutput],
          ];
  if (amounts.some(([amount, price]) => amount !== 0 && price === undefined)) return undefined;
  return amounts.reduce((sum, [amount, price = 0]) => sum + amount * price, 0);
}

/** About how much: `~$0.06`. Nothing if no price is known; `>`, rounded down, if some aren't. */
export function moneyOf({ dollars, date, unknown }: Cost): string {
  if (date === undefined) return '';
  const digits = dollars < 0.01 ? 4 : 2;
  if (unknown.length > 0) return `>$${(Math.floor(dollars * 10 ** digits) / 10 ** digits).toFixed(digits)}`;
  return dollars < 0.005 ? '<$0.01' : `~$${dollars.toFixed(2)}`;
}

/** What a call consumed: `812 tokens in, 61 out, 41 s heard, 640 characters spoken`. */
export function usageOf({ usage }: Pick<Call, 'usage'>): string {
  const sum = (name: string) => Math.round(usage.reduce((total, { quantities }) => total + (quantities[name] ?? 0), 0));
  const heard = sum('audio_seconds');
  const spoken = sum('characters');
  return [
    ...(sum('prompt_tokens') > 0 ? [`${sum('prompt_tokens')} tokens in, ${sum('completion_tokens')} out`] : []),
    ...(heard > 0 ? [`${heard} s heard`] : []),
    ...(spoken > 0 ? [`${spoken} characters spoken`] : []),
  ].join(', ');
}

/** The parts of an answer, in their order: `endpointing 0.2s (setting) · Deepgram 0.3s`. */
export const partsLine = (parts: readonly Part[]): string =>
  parts
    .filter(part => !isShort(part))
    .map(describePart)
    .join(' · ');

/** Whether a part would be shown as 0.0 seconds. */
export const isShort = ({ seconds }: Part): boolean => seconds < 0.05;

/** A part with its time, and whose it is: `endpointing 0.2s (setting)`. */
export const describePart = ({ label, seconds, owner }: Part): string => `${label} ${short(seconds)}${OWNERS[owner]}`;

const OWNERS: Readonly<Record<Part['owner'], string>> = {
  service: '',
  framework: '',
  setting: ' (setting)',
  code: ' (your code)',
};

/** What the service itself says about an error, if that is written down. It may quote the key that it refused, or the number of the caller. */
function detailsOf({ message, category }: Call['errors'][number]): string {
  if (category === 'silence') return '';
  const hidden = createHiddenValues();
  hidden.hide(keysIn(message.split(/[\s:;,"'()]+/)));
  const said = hidden.inError(message).replace(/(\+\d{5,}|\d{8,})(?=\d\d)/g, '..');
  return message === '' ? '' : `: ${onOneLine(shortened(spaced(said), 2 * MOST_LETTERS))}`;
}

/** Why turns have no answer, unless an error says so, and which answers were interrupted. */
function silentLines(call: Call): string[] {
  const silent = new Map<string, number[]>();
  for (const [at, turn] of call.turns.entries()) {
    const isExplained = call.errors.some(one => one.turn === at + 1);
    const line = isUnanswered(turn, call) && !isExplained && `No answer (${whyUnanswered(turn)})`;
    const cut = turn.interruptedAfter !== undefined && 'Interrupted by the person';
    for (const one of [line, cut]) if (one) silent.set(one, [...(silent.get(one) ?? []), at + 1]);
  }
  return Array.from(silent, ([line, turns]) => `${line}: turn${turns.length > 1 ? 's' : ''} ${turns.join(', ')}.`);
}

/** What failed, what was slow, and what the call consumed and cost. */
export function summaryLines(call: Call, prices: readonly PriceRow[]): string[] {
  const slowest = slowestOf(call);
  const hasFailed = call.errors.length > 0 || call.turns.some(turn => isUnanswered(turn, call));
  // A setting takes its time in each turn, so it isn't what is wrong with a call in which something failed.
  const isUsual = slowest?.turn.failed.length === 0 && longestOf(slowest.turn)?.owner === 'setting';
  const cause = slowest && !(hasFailed && isUsual) && causeOf(slowest.turn, slowest.at, call);
  const cost = costOf(call, prices);
  const money = moneyOf(cost).replace('~', 'about ').replace('<', 'less than ').replace('>', 'more than ');
  const about = cost.date === undefined ? '' : `: ${money} (prices of ${cost.date})`;
  const usage = usageOf(call);
  return [
    ...new Set(
      call.errors.map(one => {
        const where = `${one.isAfter ? 'after' : 'in'} turn ${one.turn}`;
        return `Error ${where}: ${one.who} ${problemOf(one.category)}${detailsOf(one)}`;
      }),
    ),
    ...silentLines(call),
    ...(slowest && cause ? [`Slowest: turn ${slowest.at + 1}, ${cause}.`] : []),
    ...(usage ? [`${usage}${about}.`] : []),
    ...(cost.unknown.length > 0
      ? [`No price known: ${cost.unknown.join(', ')}. Yours go into server/prices.json.`]
      : []),
  ];
}

/** How much of what somebody said is in one line. */
const MOST_LETTERS = 60;

/** Follows the calls in a bot's log. Takes a line, and returns what to show for it, if it's from the journal. */
export function createTurnLines() {
  const calls = new Map<string, ReturnType<typeof createReader>>();
  return (line: string): string[] | undefined => {
    const [, name = '', json = ''] = /^[\d-]+ [\d:.]+ \| INFO +\| journal:\S+ - Call (\S+): (\[.*\])$/.exec(line) ?? [];
    const events = parsedJson(json);
    if (!Array.isArray(events)) return undefined;
    const call = calls.get(name)?.call ?? readCall(name, JSON.stringify(events[0]));
    if (!call) return [];
    const reader = calls.get(name) ?? createReader(call);
    calls.set(name, reader);
    return events.flatMap((event): string[] => {
      const before = call.turns.at(-1);
      const said = before?.hasSpoken || before?.you === undefined ? undefined : wordsOf(before);
      reader.take(event);
      const all = call.turns.flatMap(({ parts }) => parts);
      const turn = call.turns.at(-1);
      const isOver = event.event === 'end' || turn !== before;
      const silence = before && isOver ? wordlessLine(before, call) : [];
      // Without words, it's no answer.
      if (event.event === 'bot' && event.text !== '')
        return [...silence, turnLine({ ...turn, said, text: event.text }, all)];
      if (event.event !== 'end') return silence;
      calls.delete(name);
      return [...silence, `call over: ${howItEnded(call)}`];
    });
  };
}

/** A line for a turn that is over and lacks the bot's words, unless nobody said anything. */
function wordlessLine(turn: Turn, call: Call): string[] {
  const words = wordsOf(turn);
  if (turn.hasSpoken || (words === undefined && !turn.hasSound)) return [];
  const bot = isUnanswered(turn, call) ? '' : 'bot ';
  return [`${words === undefined ? '' : `you ${quoted(words)} / `}${bot}${answerOf(turn, call)}`];
}

/** A turn in one line: `you Are you open? / bot Yes, until six. 1.2s (OpenAI 0.7s)`. */
function turnLine(
  { said, text, seconds, parts = [] }: Partial<Turn> & { said?: string | undefined; text: unknown },
  all: readonly Part[],
): string {
  const [largest] = labelled(parts, all).sort((one, other) => other.seconds - one.seconds);
  const most = largest ? ` (${largest.label} ${short(largest.seconds)})` : '';
  const time = seconds === undefined ? '' : ` ${short(seconds)}${most}`;
  return `${said === undefined ? '' : `you ${quoted(said)} / `}bot ${quoted(text)}${time}`;
}

const quoted = (words: unknown): string =>
  typeof words === 'string' ? onOneLine(shortened(spaced(words), MOST_LETTERS)) : NOT_WRITTEN;
