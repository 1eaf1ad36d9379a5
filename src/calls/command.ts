import { basename, join } from 'node:path';
import { isPriceRow, type PriceRow } from '../catalog/prices.ts';
import { UserError, usageError } from '../errors.ts';
import { openProject, placeOf } from '../existing/open-project.ts';
import { listDirectory, readContents, readText } from '../paths/read.ts';
import { DEBUG, defineCommand, type OptionSpec } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import { readInput } from '../shell/input.ts';
import type { Terminal } from '../shell/terminal.ts';
import { parsedJson } from '../std.ts';
import { labelledText, onOneLine, renderTable, spaced } from '../text.ts';
import { putFiles } from '../writing/changes.ts';
import { type Call, readCall, type Turn } from './call.ts';
import {
  answerOf,
  causeOf,
  costOf,
  howItEnded,
  isUnanswered,
  moneyOf,
  partsLine,
  reachedBy,
  STOPS,
  short,
  slowestOf,
  summaryLines,
  timeOf,
  toolText,
  toolTime,
  wordsOf,
} from './explain.ts';
import { pageOf } from './page.ts';

/** Where a bot writes its calls, in its project. */
const CALLS = 'server/calls';
const PRICES = 'server/prices.json';

/** The largest file of a call to read, in bytes. A turn with a tool takes about 2 kB. */
const LARGEST = 2 ** 26;

const JSON_OPTION = { flag: 'json', kind: 'switch', help: 'Print the result as JSON' } as const satisfies OptionSpec;
export const COMMON = [JSON_OPTION, DEBUG] as const;
export const CALL = { name: 'call', help: 'Its number in the list, "last" (default), or its file' } as const;

export function openCalls(terminal: Terminal) {
  const { cwd, env } = terminal;
  const { root } = openProject('.', { command: 'calls', cwd, env });
  const files = listDirectory(root, CALLS);
  if (typeof files === 'string') terminal.note(`${CALLS} isn't read: it ${files}`);
  const names = typeof files === 'string' ? [] : files.filter(one => one.isFile()).map(({ name }) => name);
  const calls = names
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .flatMap(name => {
      const contents = readContents(root, `${CALLS}/${name}`, LARGEST);
      const call = typeof contents === 'string' ? undefined : readCall(basename(name, '.jsonl'), `${contents}`);
      if (call) return call;
      const why = typeof contents === 'string' ? contents : 'lacks the beginning of a call';
      terminal.note(`${name} isn't listed: it ${why}`);
      return [];
    });
  return { root, names, calls, prices: readPrices(root), place: placeOf(cwd, join(root, CALLS)) };
}

/** The user's prices: objects with the name of a model and its prices. */
function readPrices(root: string): readonly PriceRow[] {
  const text = readText(root, PRICES);
  if (text === undefined) return [];
  const rows = parsedJson(text);
  if (Array.isArray(rows) && rows.every(isPriceRow)) return rows;
  throw usageError(`${PRICES} must be a list of objects, each with a "model" and its prices as numbers`, {
    hint: 'An example: [{ "model": "gpt-4.1", "input": 2, "cachedInput": 0.5, "output": 8, "date": "2026-11-27" }]',
  });
}

/** The call that a word names, and its number in the list, or 0. */
export async function findCall(
  word: string | undefined,
  { calls, place }: ReturnType<typeof openCalls>,
  terminal: Terminal,
) {
  if (calls.length === 0 && (word === undefined || word === 'last')) {
    throw new UserError(`There are no calls in ${place}`, { reason: 'not-found', hint: NO_CALLS });
  }
  const name = basename(word ?? '', '.jsonl');
  const named = calls.findIndex(call => call.name === name);
  const at = word === undefined || word === 'last' ? calls.length - 1 : /^\d+$/.test(word) ? Number(word) - 1 : named;
  const listed = calls[at];
  if (listed) return { call: listed, number: at + 1 };
  const text = /^\d+$/.test(name) ? undefined : await readInput(word ?? '', terminal, LARGEST).catch(() => undefined);
  const call = text && readCall(name, `${text}`);
  if (call) return { call, number: 0 };
  const why = text || !/^\d+$/.test(name) ? "isn't the file of a call" : "isn't the number of a call";
  throw usageError(`"${onOneLine(word ?? '')}" ${why}`, { hint: 'List them: botcli calls' });
}

const NO_CALLS =
  "A bot writes them down while you talk to it: botcli dev. If yours doesn't yet, run: botcli update --journal";

export const list = defineCommand({
  options: COMMON,
  examples: [{ line: 'botcli calls', description: 'the calls of this bot, the last one first' }],
  async run({ options: { json } }, terminal) {
    const { calls, prices, place } = openCalls(terminal);
    const numbered = calls.map((call, at) => ({ call, number: at + 1 })).reverse();
    if (json) return terminal.printJson({ calls: numbered.map(one => summaryOf(one, prices)) });
    if (calls.length === 0) {
      terminal.note(`There are no calls in ${place}.`);
      return terminal.note(NO_CALLS);
    }
    const rows = numbered.map(({ call, number }) => {
      const slowest = slowestOf(call);
      const slow = slowest ? `${short(slowest.seconds)} (turn ${slowest.at + 1})` : '';
      const facts = [`${number}`, whenOf(call.start, new Date()), reachedBy(call), tookOf(call.seconds)];
      const end = howItEnded(call);
      const ended = call.errors.length > 0 && !end.startsWith('error') ? `${end}, after an error` : end;
      return [...facts, `${call.turns.length}`, slow, moneyOf(costOf(call, prices)), ended].map(spaced);
    });
    terminal.print(
      renderTable(['#', 'WHEN', 'WITH', 'TOOK', 'TURNS', 'SLOWEST', 'COST', 'HOW IT ENDED'], rows, terminal),
    );
  },
});

export const show = defineCommand({
  arguments: [CALL],
  options: COMMON,
  examples: [{ line: 'botcli calls show 3', description: 'where the time of each answer went' }],
  async run({ positionals: { call: word }, options: { json } }, terminal) {
    const opened = openCalls(terminal);
    const found = await findCall(word, opened, terminal);
    const { call } = found;
    if (json) return terminal.printJson(detailsOf(found, opened.prices));
    const { print, style } = terminal;
    const title = [whenOf(call.start, new Date()), reachedBy(call), tookOf(call.seconds), howItEnded(call)].join(', ');
    print(`${style.bold(call.name)}  ${spaced(title)}`);
    for (const [at, turn] of call.turns.entries()) printTurn(turn, at + 1, call, terminal);
    if (!call.end) print(`    ${STOPS}`);
    for (const line of summaryLines(call, opened.prices)) print(spaced(line));
  },
});

function printTurn(turn: Turn, number: number, call: Call, { print, columns, style: { dim } }: Terminal): void {
  const line = (label: string, text: string, after = '') =>
    print(labelledText(`${label} `.padStart(9), spaced(text), after && dim(after), columns));
  const first = `${number}`.padStart(3);
  const { parts, tools } = turn;
  const words = wordsOf(turn);
  if (words !== undefined) line(`${first} you`, words);
  line(words === undefined ? `${first} bot` : 'bot', answerOf(turn, call), timeOf(turn));
  for (const tool of tools) line('', `→ ${toolText(tool)}`, toolTime(tool));
  const spent = partsLine(parts);
  if (spent !== '') line('', spent);
}

function summaryOf({ call, number }: { call: Call; number: number }, prices: readonly PriceRow[]) {
  const { name, start, by, number: phone, startedBy, seconds, turns, errors } = call;
  const { dollars, date, unknown } = costOf(call, prices);
  const slowest = slowestOf(call);
  return {
    number,
    name,
    start: start.toISOString(),
    with: by,
    phone: phone ?? null,
    started_by: startedBy ?? null,
    seconds,
    turns: turns.length,
    how_it_ended: howItEnded(call),
    errors: errors.length,
    slowest: slowest ? { turn: slowest.at + 1, seconds: slowest.seconds } : null,
    cost: { dollars: date === undefined ? null : dollars, prices_of: date ?? null, no_price: unknown },
  };
}

const detailsOf = (found: { call: Call; number: number }, prices: readonly PriceRow[]) => ({
  ...summaryOf(found, prices),
  turns: found.call.turns.map((turn, at) => ({
    you: turn.you ?? null,
    bot: turn.bot,
    seconds: turn.seconds ?? null,
    parts: turn.parts.map(({ label, seconds, owner }) => ({ label, seconds, owner })),
    tools: turn.tools.map(({ isDone, failure: _, ...tool }) => ({ ...tool, done: isDone })),
    interrupted_after: turn.interruptedAfter ?? null,
    cause: causeOf(turn, at, found.call) ?? null,
  })),
  usage: found.call.usage.map(({ kind, service, model, quantities }) => ({
    kind,
    service,
    model: model ?? null,
    ...quantities,
  })),
  summary: summaryLines(found.call, prices),
});

export const stats = defineCommand({
  options: [
    { flag: 'last', kind: 'text', placeholder: 'number', help: 'How many calls to look at (default: 20)' },
    ...COMMON,
  ],
  examples: [{ line: 'botcli calls stats --last 5', description: 'the usual times of the last five calls' }],
  async run({ options: { json, last = '20' } }, terminal) {
    if (!/^[1-9]\d{0,5}$/.test(last)) throw usageError(`--last is "${onOneLine(last)}". It must be a number of calls`);
    const calls = openCalls(terminal).calls.slice(-Number(last));
    const stages = statsOf(calls);
    const failures = failuresOf(calls);
    if (json) return terminal.printJson({ calls: calls.length, ...failures, stages });
    if (stages.length === 0) terminal.note('No answer was measured in these calls.');
    const longest = Math.max(...stages.slice(1).map(({ median }) => median), 0.01);
    const rows = stages.map(({ label, count, median, p90 }, at) => {
      const bar = at === 0 ? '' : '█'.repeat(Math.max(0, Math.round((20 * median) / longest)));
      return [spaced(label), `${count}`, short(median), short(p90), bar];
    });
    if (rows.length > 0) terminal.print(renderTable(['PART', 'ANSWERS', 'MEDIAN', 'P90', ''], rows, terminal));
    const { calls_with_errors, turns, without_an_answer, interrupted } = failures;
    terminal.print(
      `Calls with an error: ${calls_with_errors} of ${calls.length}. ` +
        `Turns without an answer: ${without_an_answer} of ${turns}. Interrupted: ${interrupted}.`,
    );
  },
});

/** What went wrong in calls, in numbers. */
function failuresOf(calls: readonly Call[]) {
  const turns = calls.flatMap(call => call.turns);
  return {
    calls_with_errors: calls.filter(call => call.errors.length > 0 || howItEnded(call).startsWith('error')).length,
    turns: turns.length,
    without_an_answer: calls.flatMap(call => call.turns.filter(turn => isUnanswered(turn, call))).length,
    interrupted: turns.filter(({ interruptedAfter }) => interruptedAfter !== undefined).length,
  };
}

/** The times of whole answers to what the person said, then of their parts, the longest first. */
function statsOf(calls: readonly Call[]) {
  const times = new Map<string, number[]>();
  const add = (label: string, seconds: number) => times.get(label)?.push(seconds) ?? times.set(label, [seconds]);
  for (const { turns } of calls) {
    for (const { you, seconds, parts } of turns) {
      if (you === undefined || seconds === undefined) continue;
      add('whole answer', seconds);
      for (const part of parts) add(part.label, part.seconds);
    }
  }
  const at = (sorted: readonly number[], share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return [...times]
    .map(([label, seconds]) => [label, seconds.sort((one, other) => one - other)] as const)
    .map(([label, sorted]) => ({ label, count: sorted.length, median: at(sorted, 0.5), p90: at(sorted, 0.9) }))
    .sort(
      (one, other) =>
        Number(other.label === 'whole answer') - Number(one.label === 'whole answer') || other.median - one.median,
    );
}

export const open = defineCommand({
  description: 'It writes server/calls/CALL.html, a page that loads nothing from the internet, and opens it.',
  arguments: [CALL],
  options: [{ flag: 'open', kind: 'boolean', help: 'Open it in your browser (default: in a terminal)' }, ...COMMON],
  examples: [{ line: 'botcli calls open 3', description: 'look at call 3 in a browser' }],
  async run({ positionals: { call: word }, options: { json, open: opens = !json } }, terminal) {
    const opened = openCalls(terminal);
    const { call } = await findCall(word, opened, terminal);
    const path = `${CALLS}/${call.name.replace(/[^\w.-]/g, '-')}.html`;
    const recording = recordingOf(call, opened.root);
    putFiles(opened.root, { [path]: pageOf(call, opened.prices, recording) });
    const place = placeOf(terminal.cwd, join(opened.root, path));
    if (json) return terminal.printJson({ path: place, recording: recording ?? null });
    terminal.print(`${terminal.style.green('✓')} ${place}`);
    if (!opens || !terminal.interactive) return;
    const { default: openInBrowser } = await import('open');
    await openInBrowser(join(opened.root, path)).catch(() => {});
  },
});

/** How many seconds of sound a recording's first part may have. */
const LONGEST_PART = 31;

/** The recording of a call, seen from the page, if exactly one begins then. Its name has the local time of that. */
function recordingOf({ start, seconds }: Call, root: string): string | undefined {
  const files = listDirectory(root, 'server/recordings');
  const found = (typeof files === 'string' ? [] : files).filter(({ name }) => {
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-\d+\.wav$/.exec(name) ?? [];
    const [year = 0, month = 0, day, hour, minute, second] = parts.map(Number);
    const late = (new Date(year, month - 1, day, hour, minute, second).getTime() - start.getTime()) / 1000;
    return late >= -1 && late <= Math.min(seconds, LONGEST_PART) + 2;
  });
  return found.length === 1 ? `../recordings/${found[0]?.name}` : undefined;
}

export const clear = defineCommand({
  options: [{ flag: 'skip', short: 's', kind: 'switch', help: "Don't ask for confirmation" }, ...COMMON],
  examples: [{ line: 'botcli calls clear --skip', description: 'delete all of them' }],
  async run({ options }, terminal) {
    const { root, names, place } = openCalls(terminal);
    const own = names.filter(name => /^\d{4}-\d\d-\d\dT.*\.(jsonl|html)$/.test(name));
    const files = `${own.length} ${own.length === 1 ? 'file' : 'files'} in ${place}`;
    if (own.length > 0) {
      checkCanAsk(options, terminal);
      await confirm(`Delete ${files}?`, options, terminal);
      putFiles(root, Object.fromEntries(own.map(name => [`${CALLS}/${name}`, undefined])));
    }
    if (options.json) return terminal.printJson({ deleted: own.length });
    terminal.print(`${terminal.style.green('✓')} Deleted ${files}`);
  },
});

/** When something was, for people: `14:05 today`, `14:05 yesterday`, `14:05 26 Nov`. */
export function whenOf(time: Date, now: Date): string {
  const dayOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((dayOf(now) - dayOf(time)) / 86_400_000);
  const clock = [time.getHours(), time.getMinutes()].map(part => `${part}`.padStart(2, '0')).join(':');
  const month = time.toLocaleString('en-US', { month: 'short' });
  return `${clock} ${days === 0 ? 'today' : days === 1 ? 'yesterday' : `${time.getDate()} ${month}`}`;
}

function tookOf(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${whole % 60}s`;
}
