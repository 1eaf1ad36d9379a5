import WebSocket from 'ws';
import { UserError } from '../../errors.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { isObject, parsedJson } from '../../std.ts';
import { PROBES } from '../fresh-bot.ts';

/** How to talk with a bot, and who follows. */
interface Manner {
  url: string;
  /** Whether the bot says when an answer is over. A deployed one doesn't have botcli's code for that. */
  settles: boolean;
  isVoiced: boolean;
  /** How long the bot may be silent, in milliseconds. */
  patience: number;
  onHappening(happening: Happening): void;
  /** Called with what the bot is doing, in a few words. */
  onProgress(doing: string): void;
}

/** How an answer ended: it's complete, or the bot was silent, was interrupted, or ended the conversation. */
type End = 'complete' | 'silent' | 'interrupted' | 'left';

/** How long a tool may take, and a bot that was started here until it talks, which may load models. In milliseconds. */
const TOOL_MS = 300_000;
/** How long a deployed bot may take until it talks, with the wait for an instance. In milliseconds. */
const DEPLOYED_MS = 120_000;

/** How long a bot that doesn't say when an answer is over must be quiet, and before its greeting. In milliseconds. */
const QUIET_MS = 3000;
const GREETING_MS = 8000;

/** Begins a conversation in text with a running bot. Throws if that doesn't begin one, or the reason of `signal`. */
export async function beginConversation(manner: Manner, signal: AbortSignal, { sleep }: Pick<Terminal, 'sleep'>) {
  const { settles, patience, onHappening, onProgress } = manner;
  const now = () => performance.now();
  /** What the bot had said when it was interrupted, until it answers something else. */
  let cut: string | undefined;
  /** Takes what comes while nobody waits for it, such as a question whether the person is still there. */
  const unasked = () => {
    const answer = createAnswer(now, cut);
    return (message: Message) => answer.take(message).forEach(onHappening);
  };
  let take = unasked();
  let endWith: (end: End) => void = () => {};
  let hasLeft = false;
  const connection = await connect(manner, message => take(message), sleep, signal);
  connection.closed.then(() => {
    hasLeft = true;
    endWith('left');
  });

  return {
    /** Says something, and follows the answer until it ends. Without a text, it waits for the greeting. */
    async say(text?: string): Promise<Omit<Turn, 'said'> & { end: End }> {
      signal.throwIfAborted();
      const answer = createAnswer(now, cut);
      cut = undefined;
      const over = new AbortController();
      let sign = new AbortController();
      /** Waits until nothing has come for so long. */
      const untilSilent = async (): Promise<End> => {
        for (;;) {
          sign = new AbortController();
          const quiet = settles ? undefined : answer.quietMs(text === undefined);
          const ms = quiet ?? Math.max(patience, answer.waitsFor() === undefined ? 0 : TOOL_MS);
          const isSilent = await sleep(ms, AbortSignal.any([sign.signal, over.signal])).then(
            () => true,
            () => over.signal.aborted,
          );
          if (isSilent) return quiet === undefined ? 'silent' : 'complete';
        }
      };
      const ended = new Promise<End>((resolve, reject) => {
        endWith = resolve;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal });
        const id = connection.say(text);
        take = message => {
          answer.take(message).forEach(onHappening);
          const tool = answer.waitsFor();
          const doing = tool === undefined ? answer.begun() : `→ ${tool}`;
          if (doing !== '') onProgress(doing);
          if (message.id === id) resolve('complete');
          sign.abort();
        };
        if (hasLeft) resolve('left');
        untilSilent().then(resolve);
      });
      try {
        const end = await ended;
        answer.end().forEach(onHappening);
        const result = answer.result();
        if (end === 'interrupted') cut = result.answer;
        return { ...result, end };
      } finally {
        over.abort();
        take = unasked();
        endWith = () => {};
      }
    },
    interrupt(): void {
      connection.interrupt();
      endWith('interrupted');
    },
    close: connection.close,
  };
}

/** The oldest release of the protocol with all that is used here. */
const PROTOCOL = '2.0.0';

/** Connects to a bot, and waits until it is ready. Throws if it ends the conversation first, or takes too long. */
async function connect(
  { url, isVoiced, settles, patience }: Manner,
  take: (message: Message) => void,
  sleep: Terminal['sleep'],
  signal: AbortSignal,
) {
  const ms = Math.max(patience, settles ? TOOL_MS : DEPLOYED_MS);
  signal.throwIfAborted();
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const send = (type: string, data: object, id = type) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ label: LABEL, type, id, data }));
  };
  const sendOwn = (t: string, d: object, id = t) => send('client-message', { t, d }, id);
  const closed = new Promise<void>(resolve => {
    socket.once('close', () => resolve());
    // It is followed by the end of the connection.
    socket.on('error', () => {});
  });
  socket.once('open', () => {
    const flags = { skip_tts: !isVoiced, capture_bot_audio: false, capture_bot_images: false };
    sendOwn('eval-connect', flags);
    sendOwn('eval-configure', { function_call_report_level: { '*': 'full' } });
    send('client-ready', { version: PROTOCOL, about: { library: 'botcli' } });
  });
  const onAbort = () => socket.terminate();
  signal.addEventListener('abort', onAbort, { once: true });
  closed.then(() => signal.removeEventListener('abort', onAbort));
  const ready = new Promise<boolean>(resolve => {
    socket.on('message', (raw, isBinary) => {
      const message = isBinary ? undefined : readMessage(String(raw));
      if (message?.type === 'bot-ready') resolve(true);
      else if (message) take(message);
    });
    closed.then(() => resolve(false));
  });
  const known = new AbortController();
  const isReady = await Promise.race([ready, sleep(ms, known.signal).catch(() => {})]);
  known.abort();
  if (!isReady) socket.terminate();
  signal.throwIfAborted();
  if (isReady === undefined)
    throw new UserError(`The bot wasn't ready within ${ms / 1000} seconds`, {
      reason: 'timeout',
      hint: 'Allow more with --timeout SECONDS.',
    });
  if (!isReady) throw new UserError('The bot ended the conversation before it was ready', { reason: 'part-ended' });
  let count = 0;
  return {
    /** Says something, or waits for the greeting. Returns the `id` of the message that comes after the answer. */
    say(text: string | undefined): string {
      // Without `audio_response`, the framework speaks the answer after a tool, although it was asked for text.
      const options = { run_immediately: true, audio_response: true };
      if (text !== undefined) send('send-text', { content: text, options });
      const id = `${PROBES.settle}-${++count}`;
      if (settles) sendOwn(PROBES.settle, { greets: text === undefined }, id);
      return id;
    },
    interrupt: () => sendOwn(PROBES.interrupt, {}),
    /** Resolves once the bot has ended the conversation. */
    closed,
    close: () => socket.close(),
  };
}

/** A message of the bot's, in the framework's protocol. */
interface Message {
  type: string;
  id?: string;
  data: Readonly<Record<string, unknown>>;
}

interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
  result: unknown;
  seconds: number;
}

/** What a person said, and what the bot did about it. */
export interface Turn {
  said: string;
  calls: readonly ToolCall[];
  answer: string;
  /** The part of it that the model wrote. Evals in text don't hear fixed words. */
  written: string;
  /** The part of that after the last call, or all of it. Empty if it's from before the call. */
  last: string;
  /** Why it's neither kept nor compared: the person interrupted the answer, or the bot failed. */
  flaw?: 'interrupted' | 'failed';
}

/** Something that the bot did, as `--json` prints it. Times are in milliseconds. */
export type Happening =
  | { kind: 'bot'; text: string; firstToken?: number | undefined; ms: number; tokens?: Tokens | undefined }
  | { kind: 'tool'; call: ToolCall; isStopped: boolean }
  | { kind: 'error'; message: string }
  | { kind: 'details'; services: Readonly<Record<string, number>>; characters: number };

interface Tokens {
  prompt: number;
  completion: number;
}

type Data = Message['data'];

const LABEL = 'rtvi-ai';

/** A message of the protocol; undefined if it's none, or belongs to another one. */
function readMessage(raw: string): Message | undefined {
  const found = parsedJson(raw) ?? parsedJson(raw.replace(STRING_OR_NUMBER, asText));
  if (!isObject(found) || found.label !== LABEL || typeof found.type !== 'string') return undefined;
  const { type, id, data } = found;
  return { type, ...(typeof id === 'string' && { id }), data: isObject(data) ? data : {} };
}

/** Python writes numbers that JSON doesn't have. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;
const asText = (found: string): string => (found.startsWith('"') ? found : `"${found}"`);

/** Follows what the bot does about one message. Of an answer that was `cut` before, the late rest doesn't count. */
export function createAnswer(now: () => number, cut?: string) {
  /** What was said before it, as long as the rest of that may come. */
  let before = cut;
  /** When the bot got what it is answering: the message, or a tool's result. */
  let since = now();
  let firstToken: number | undefined;
  let tokens: Tokens | undefined;
  let text = '';
  let characters = 0;
  const said: string[] = [];
  const written: string[] = [];
  /** How much of that is from before the last call. */
  let early = 0;
  const calls: ToolCall[] = [];
  /** What the messages say about its end: whether a response began, one is owed, and an error came. */
  let hasBegun = false;
  let isOwed = false;
  let hasFailed = false;
  const running = new Map<string, { name: string; arguments: Record<string, unknown>; start: number }>();
  const services = new Map<string, number>();

  const endText = (): Happening[] => {
    const whole = text.trim();
    const spoken = { kind: 'bot', text: whole, firstToken, ms: now() - since, tokens } as const;
    text = '';
    firstToken = undefined;
    tokens = undefined;
    if (whole === '') return [];
    said.push(whole);
    written.push(whole);
    return [spoken];
  };

  const handlers: Readonly<Record<string, (data: Data) => Happening[]>> = {
    'bot-llm-started': () => {
      before = undefined;
      hasBegun = isOwed = true;
      return endText();
    },
    'bot-llm-text': data => {
      if (before !== undefined) return [];
      firstToken ??= now() - since;
      text += textIn(data.text);
      return [];
    },
    'bot-llm-stopped': () => {
      isOwed = false;
      return endText();
    },
    // What the bot says without its model is only here.
    'bot-output': data => {
      const output = textIn(data.text);
      if (data.spoken_status === 'completed' || isIn(output, [before ?? '', ...said, text].join(' '))) return [];
      said.push(output.trim());
      return [{ kind: 'bot', text: output.trim(), ms: now() - since }];
    },
    'llm-function-call-in-progress': data => {
      const own = isObject(data.arguments) ? data.arguments : {};
      early = written.length + (text.trim() === '' ? 0 : 1);
      running.set(textIn(data.tool_call_id), { name: textIn(data.function_name), arguments: own, start: now() });
      return [];
    },
    'llm-function-call-stopped': data => {
      isOwed = true;
      const id = textIn(data.tool_call_id);
      const known = running.get(id);
      // It may belong to an answer that was interrupted.
      if (!known) return [];
      running.delete(id);
      since = now();
      const { start, ...call } = known;
      const done = { ...call, result: data.result ?? null, seconds: (since - start) / 1000 };
      const isStopped = data.cancelled === true;
      if (!isStopped) calls.push(done);
      return [{ kind: 'tool', call: done, isStopped }];
    },
    metrics: data => {
      for (const { prompt_tokens: prompt, completion_tokens: completion } of rowsIn(data.tokens)) {
        tokens = {
          prompt: (tokens?.prompt ?? 0) + (Number(prompt) || 0),
          completion: (tokens?.completion ?? 0) + (Number(completion) || 0),
        };
      }
      for (const { processor, value } of rowsIn(data.processing)) {
        const name = textIn(processor).replace(/#\d+$/, '');
        const seconds = Number(value) || 0;
        if (seconds > 0) services.set(name, (services.get(name) ?? 0) + seconds);
      }
      for (const { value } of rowsIn(data.characters)) characters += Number(value) || 0;
      return [];
    },
    error: data => {
      hasFailed = true;
      return [{ kind: 'error', message: textIn(data.error) }];
    },
  };
  return {
    take: ({ type, data }: Message): Happening[] =>
      Object.hasOwn(handlers, type) ? (handlers[type]?.(data) ?? []) : [],
    /** What is left once it is over. */
    end: (): Happening[] => [
      ...endText(),
      ...(services.size + characters > 0
        ? [{ kind: 'details' as const, services: Object.fromEntries(services), characters }]
        : []),
    ],
    /** The beginning of what it is saying. */
    begun: () => text.replaceAll(/\s+/g, ' ').trim(),
    /** The tool that it is waiting for. */
    waitsFor: () => [...running.values()].at(-1)?.name,
    /** How long a bot that doesn't say when an answer is over must be quiet for that; undefined if more is owed. */
    quietMs(greets: boolean): number | undefined {
      const isWaiting = greets && !hasBegun;
      const isAnswered = running.size === 0 && !isOwed && (isWaiting || said.length > 0);
      if (!hasFailed && !isAnswered) return undefined;
      return isWaiting ? GREETING_MS : QUIET_MS;
    },
    /** What the bot has done so far. */
    result: (): Omit<Turn, 'said'> => ({
      calls: [...calls],
      answer: said.join(' '),
      written: written.join(' '),
      last: written.slice(early).join(' '),
    }),
  };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const rowsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether the model has said this. What is to be spoken may be spelled in another way. */
function isIn(output: string, text: string): boolean {
  const words = wordsOf(output);
  const known = new Set(wordsOf(text));
  return 2 * words.filter(word => known.has(word)).length >= words.length;
}
