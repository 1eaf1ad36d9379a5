import { allServices, SERVICE_KINDS, type ServiceKind, services } from '../catalog/index.ts';
import { isObject, parsedJson } from '../std.ts';

export interface Part {
  /** What took it, in a word or two: a provider, a tool, or a setting. */
  label: string;
  seconds: number;
  /** Whose time it is: a service's, a setting's, that of the bot's own code, or the framework's. */
  owner: 'service' | 'setting' | 'code' | 'framework';
  /** What the framework calls it, whatever the label says. */
  key: string;
}

interface Tool {
  name: string;
  arguments: Record<string, unknown>;
  seconds: number;
  /** Whether it has returned something. */
  isDone: boolean;
  /** How it ended without a result: `failed`, `cancelled`, `timed_out` or `missing`; empty if it didn't end. */
  failure: string;
}

/** What the person said, and what the bot did about it. */
export interface Turn {
  /** Nothing if the bot spoke first. Empty if the words aren't written down. */
  you?: string;
  bot: string;
  /** Whether the model has answered the words, perhaps with a tool, or without words. */
  isAnswered: boolean;
  /** Whether the bot has made a sound, and whether it has finished saying something, written down or not. */
  hasSound: boolean;
  hasSpoken: boolean;
  /** How long the answer took, from the end of the person's words; undefined if nothing measured it. */
  seconds?: number;
  /** Whether that is the time since the person's words, rather than since the beginning of the call. */
  isReply: boolean;
  parts: Part[];
  tools: Tool[];
  /** How long the bot had spoken when the person interrupted it. */
  interruptedAfter?: number;
  thinking: number;
  /** The services that reported an error, and went on. */
  failed: string[];
}

export interface Usage {
  kind: 'stt' | 'llm' | 'tts';
  service: string;
  model?: string;
  quantities: Record<string, number>;
}

interface Failure {
  /** A service with what it does: `OpenAI (voice)`. */
  who: string;
  /** The number of the turn in which it happened, or after which. */
  turn: number;
  isAfter: boolean;
  category: string;
  message: string;
  isFinal: boolean;
}

/** One call, as its file in `server/calls/` says. */
export interface Call {
  name: string;
  start: Date;
  /** How the person reached the bot: `phone`, `browser` or `text`, with the last digits of a phone number. */
  by: string;
  number?: string;
  /** The command of botcli that had started the bot. */
  startedBy?: string;
  seconds: number;
  /** Whether it's the first one since the bot was started. */
  isFirst: boolean;
  turns: Turn[];
  usage: Usage[];
  errors: Failure[];
  /** How it ended. If nothing says so, it goes on, or the bot was killed. */
  end?: { left: boolean; reason: string };
}

type Facts = Readonly<Record<string, unknown>>;

/** Reads the file of a call; undefined if it isn't one. A line that isn't complete is skipped. */
export function readCall(name: string, text: string): Call | undefined {
  const [first, ...rest] = text.split('\n').map(parsedJson).filter(isObject);
  const start = new Date(textIn(first?.time));
  if (first?.event !== 'start' || Number.isNaN(start.getTime())) return undefined;
  const { number, started_by: startedBy } = first;
  const reader = createReader({
    name,
    start,
    by: textIn(first.by),
    seconds: 0,
    isFirst: first.nth === 1,
    turns: [],
    usage: [],
    errors: [],
    ...(typeof number === 'string' && { number }),
    ...(typeof startedBy === 'string' && { startedBy }),
  });
  for (const event of rest) reader.take(event);
  const { turns } = reader.call;
  const all = turns.flatMap(({ parts }) => parts);
  for (const turn of turns) turn.parts = labelled(turn.parts, all);
  return reader.call;
}

/** The last turn, and what only the events in it need. */
interface Open {
  turn: Turn;
  /** When the person had said what it answers. */
  asked: number;
  /** What services have needed since then, or since the last measurement. */
  waits: Part[];
  /** The tool that ended last. */
  ended?: { tool: Tool; at: number };
  /** The errors after the answer: they are of the next turn, if there is one. */
  failures: Failure[];
}

type Handlers = Readonly<Record<string, (event: Facts, at: number) => void>>;

export function createReader(call: Call) {
  let open: Open | undefined;
  /** When the bot last began to speak. */
  let spoke = 0;
  /** The speech-to-speech service, if there is one: what it does isn't measured in parts. */
  let speaker: string | undefined;
  const running = new Map<string, Tool>();
  const begin = (): Open => {
    const { asked = 0, waits = [], failures = [] } = open ?? {};
    const failed = failures.map(({ who }) => who);
    const flags = { isAnswered: false, hasSound: false, hasSpoken: false, isReply: false };
    const turn = { bot: '', ...flags, parts: [], tools: [], thinking: 0, failed };
    const number = call.turns.push(turn);
    for (const one of failures) Object.assign(one, { turn: number, isAfter: false });
    open = { turn, asked, waits, failures: [] };
    return open;
  };
  const last = (): Open => open ?? begin();

  /** What was said and done. */
  const common: Handlers = {
    user({ text, typed }, at) {
      const before = open?.turn;
      const isUnanswered = before?.you !== undefined && !before.isAnswered && before.seconds === undefined;
      // A speech-to-speech service may report the words after it has begun to answer them.
      const isLate = speaker && !typed && before && before.you === undefined && !before.hasSpoken;
      const now = isUnanswered || isLate ? last() : begin();
      now.turn.you = [now.turn.you, textIn(text)].filter(Boolean).join(' ');
      if (!isLate) Object.assign(now, { asked: at, waits: [] });
      // If the person speaks first, their answer isn't a greeting.
      else if (before.seconds !== undefined && !before.isReply)
        Object.assign(before, { seconds: undefined, parts: [] });
    },
    speaks(_, at) {
      last().turn.hasSound = true;
      spoke = at;
    },
    calls({ id, tool, arguments: given }) {
      const called = {
        name: textIn(tool),
        arguments: isObject(given) ? given : {},
        seconds: 0,
        isDone: false,
        failure: '',
      };
      running.set(textIn(id), called);
      // A speech-to-speech service may call a tool before it reports the words.
      const { turn } = speaker !== undefined && open?.turn.hasSpoken ? begin() : last();
      turn.isAnswered = true;
      turn.tools.push(called);
    },
    called({ id, seconds, result }, at) {
      const tool = running.get(textIn(id));
      if (!tool) return;
      tool.seconds = numberIn(seconds);
      tool.isDone = result === 'completed';
      if (!tool.isDone) tool.failure = textIn(result);
      Object.assign(last(), { ended: { tool, at }, waits: [] });
    },
    bot({ text }) {
      const { turn } = last();
      turn.isAnswered = true;
      turn.bot = [turn.bot, textIn(text)].filter(Boolean).join(' ');
      turn.hasSpoken ||= text !== '';
    },
    wait({ kind, processor, seconds, thinking }) {
      const part = partOf({ key: 'llm_inference', owner: processor, seconds });
      // A person who speaks first hasn't begun a turn until their words are there.
      if (!open && kindOf(part.label) === 'stt') return;
      const { turn, waits } = last();
      turn.thinking += numberIn(thinking);
      if (kind !== 'ttfb') return;
      waits.push(part);
      if (services.realtime.some(row => row.className === classOf(part.label))) speaker = part.label;
    },
    interrupted({ seconds }) {
      last().turn.interruptedAfter = numberIn(seconds);
    },
    usage({ event: _, at: __, kind, processor, model, ...given }) {
      const service = labelOf(textIn(processor));
      if (open && kind === 'llm') open.turn.isAnswered = true;
      const found = call.usage.find(one => one.service === service && one.kind === kind && one.model === model);
      const usage = found ?? {
        kind: kind as Usage['kind'],
        service,
        quantities: {},
        ...(model ? { model: `${model}` } : {}),
      };
      if (!found) call.usage.push(usage);
      for (const [name, value] of Object.entries(given)) {
        usage.quantities[name] = (usage.quantities[name] ?? 0) + numberIn(value);
      }
    },
    error({ processor, category, message, usable }) {
      const kind = errorKind(textIn(category), textIn(message));
      const { turn, failures } = last();
      const failure: Failure = {
        who: kind === 'application' ? 'your code' : serviceOf(textIn(processor)),
        turn: call.turns.length,
        isAfter: turn.hasSpoken,
        category: kind,
        message: textIn(message),
        isFinal: usable === false,
      };
      call.errors.push(failure);
      // A tool that failed says so itself, and a slow voice is only reported as an error.
      if (failure.isFinal || kind === 'application' || kind === 'silence') return;
      if (turn.hasSpoken) failures.push(failure);
      else turn.failed.push(failure.who);
    },
    end({ left, reason }) {
      call.end = { left: left === true, reason: textIn(reason) };
    },
  };

  /** How long answers took that were spoken: as the framework measured them. */
  const spoken: Handlers = {
    answer({ seconds, start, parts }) {
      const before = open?.turn;
      const isReply = start === 'user_silence';
      const isGreeting = call.turns.length < 2 && before?.you === undefined && before?.seconds === undefined;
      // After some interruptions, the framework measures from the beginning of the call.
      const isMeasured = isReply || (isGreeting && start === 'client_connected');
      if (!isMeasured || typeof seconds !== 'number') {
        if (open && before?.seconds === undefined) open.turn.parts = [...open.waits];
        return;
      }
      const isNext = isReply && (before?.seconds !== undefined || before?.hasSpoken);
      const now = isNext ? begin() : last();
      const { turn } = now;
      Object.assign(turn, { isReply, seconds, hasSound: true });
      turn.parts = rowsIn(parts).map(part =>
        partOf(
          speaker !== undefined && part.key === 'pipeline' ? { ...part, key: 'llm_inference', owner: speaker } : part,
        ),
      );
      // A phone bot asks for patience. The framework doesn't count that as the time of what it waits for. Once that ends,
      // `speaks` replaces the part, as it replaces the rest of the pipeline.
      const tool = turn.tools.find(({ isDone, failure }) => !isDone && failure === '');
      const rest = turn.parts.find(part => part.key === 'pipeline' && part.seconds > 1);
      const hasModel = turn.parts.some(({ label }) => kindOf(label) === 'llm');
      const missing = isReply && !hasModel && partOf({ key: turn.you === undefined ? 'no_words' : 'no_answer' });
      const awaited = tool ? toolPart(tool) : missing;
      if (awaited && rest) Object.assign(rest, awaited, { seconds: rest.seconds, key: 'pipeline' });
      Object.assign(now, { asked: spoke - seconds, waits: [] });
    },
    speaks(_, at) {
      const now = last();
      const { turn, asked, ended, waits } = now;
      if (turn.seconds === undefined) return;
      // The framework's measurement ends when the bot asks for patience: then the time of the tool, or the model, is missing.
      const tool = ended && ended.at > asked + turn.seconds ? toolPart(ended.tool) : undefined;
      const isAfterModel = !turn.hasSpoken && waits.some(({ label }) => kindOf(label) === 'llm');
      if (!tool && !isAfterModel) return;
      const known = turn.parts.filter(({ key }) => key !== 'pipeline' && key !== 'output_transport');
      turn.parts = [...known, ...(tool ? [tool] : []), ...waits];
      turn.seconds = at - asked;
      const rest = turn.seconds - sumOf(turn.parts);
      // Of tools that ran at once, one counts, and the rest of the others.
      if (tool && rest < 0) tool.seconds = Math.max(0, tool.seconds + rest);
      turn.parts.push({ ...partOf({ key: 'patience', seconds: Math.max(0, rest) }), key: 'pipeline' });
      now.waits = [];
    },
  };

  /** How long answers took in text, which the framework doesn't measure: until they are written. */
  const written: Handlers = {
    called({ id }) {
      const { turn } = last();
      const tool = running.get(textIn(id));
      if (tool && turn.tools.includes(tool)) turn.parts.push(toolPart(tool));
    },
    bot(_, at) {
      const { turn, asked } = last();
      if (turn.you === undefined) return;
      // After a tool, it is there once it's spoken.
      turn.seconds = (spoke > asked ? spoke : at) - asked;
      if (spoke <= asked) turn.parts = turn.parts.filter(part => kindOf(part.label) !== 'tts');
    },
    wait({ kind, processor, seconds }, at) {
      const part = partOf({ key: 'llm_inference', owner: processor, seconds });
      // What began before the words is of the answer that they interrupted.
      if (open && kind === 'ttfb' && at - part.seconds > open.asked - 0.002) open.turn.parts.push(part);
    },
  };

  const tables = [common, call.by === 'text' ? written : spoken];
  return {
    call,
    take(event: Facts): void {
      const at = numberIn(event.at);
      call.seconds = Math.max(call.seconds, at);
      const name = textIn(event.event);
      for (const handlers of tables) if (Object.hasOwn(handlers, name)) handlers[name]?.(event, at);
    },
  };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberIn = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const rowsIn = (value: unknown): Facts[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The framework's parts of an answer that are no service's. */
const PARTS: ReadonlyMap<string, Pick<Part, 'label' | 'owner'>> = new Map([
  ['endpointing_wait', { label: 'endpointing', owner: 'setting' }],
  ['turn_detection', { label: 'turn detection', owner: 'setting' }],
  ['turn_completion', { label: 'turn completion', owner: 'setting' }],
  ['waiting_for_user', { label: 'turn completion', owner: 'setting' }],
  ['sentence_aggregation', { label: 'first sentence', owner: 'setting' }],
  ['first_request', { label: 'first request', owner: 'code' }],
  ['output_transport', { label: 'connection', owner: 'framework' }],
  ['pipeline', { label: 'pipeline', owner: 'framework' }],
  ['patience', { label: 'asking for patience', owner: 'framework' }],
  ['no_words', { label: 'waiting for the words', owner: 'service' }],
  ['no_answer', { label: 'waiting for the model', owner: 'service' }],
]);

export const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { seconds }) => sum + seconds, 0);

const toolPart = ({ name, seconds }: Tool): Part => partOf({ key: 'function_handler', owner: name, seconds });

function partOf({ key, owner, seconds }: Facts): Part {
  const name = textIn(key);
  // Of tools that ran at once, the framework names one: `find +1`.
  const tool = textIn(owner).replace(/ \+\d+$/, '');
  const code = name === 'function_handler' ? { label: tool, owner: 'code' as const } : undefined;
  const whose = PARTS.get(name) ?? code ?? { label: textIn(owner), owner: 'service' as const };
  return { ...whose, key: name, seconds: numberIn(seconds) };
}

/** What a service is, with its provider: `OpenAI (voice)`. */
export function serviceOf(processor: string): string {
  const kind = kindOf(processor);
  return `${labelOf(processor)}${kind ? ` (${STAGES[kind]})` : ''}`;
}

/** The provider of a service, from the framework's name of it, such as `OpenAILLMService#0`. */
const labelOf = (processor: string): string =>
  allServices.find(row => row.className === classOf(processor))?.label ?? classOf(processor);

const classOf = (processor: string): string => processor.replace(/#\d+$/, '');

const kindOf = (processor: string): ServiceKind | undefined =>
  SERVICE_KINDS.find(one => services[one].some(row => row.className === classOf(processor)));

/** The kind of an error. Many services report the provider's refusal only as text. */
function errorKind(category: string, message: string): string {
  if (/completed with no audio$/.test(message)) return 'silence';
  if (/\bquota\b|\bcredits?\b|\bbilling\b/i.test(message)) return 'quota';
  const [, status = ''] = /\b(?:code|HTTP|status):? (\d{3})\b/i.exec(message) ?? [];
  return category === 'unknown' ? (REFUSALS.get(status) ?? category) : category;
}

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['401', 'authentication'],
  ['402', 'quota'],
  ['403', 'authorization'],
  ['429', 'rate_limit'],
]);

/** What services do, where a provider's name doesn't say which one is meant. */
const STAGES: Readonly<Record<ServiceKind, string>> = {
  stt: 'speech-to-text',
  llm: 'model',
  tts: 'voice',
  realtime: 'model',
  video: 'avatar',
};

/** Names the services among the parts of an answer, as those of the call allow. Parts of one name become one. */
export function labelled(parts: readonly Part[], all: readonly Part[]): Part[] {
  const owned = all.filter(({ owner }) => owner === 'service').map(({ label }) => classOf(label));
  const isUnclear = new Set(owned.map(labelOf)).size < new Set(owned).size;
  const merged = new Map<string, Part>();
  for (const part of parts) {
    const kind = kindOf(part.label);
    const name = part.owner === 'service' ? (isUnclear && kind ? STAGES[kind] : labelOf(part.label)) : part.label;
    const known = merged.get(name);
    merged.set(name, { ...part, label: name, seconds: part.seconds + (known?.seconds ?? 0) });
  }
  return [...merged.values()];
}
