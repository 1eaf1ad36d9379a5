import { isObject, parsedJson } from '../../std.ts';
import { excerpt } from '../../text.ts';

/** A message of the bot's, in the framework's protocol. */
export interface Message {
  type: string;
  id?: string;
  data: Readonly<Record<string, unknown>>;
}

/** A call of one of the bot's tools. */
export interface ToolCall {
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
  | { kind: 'unreadable'; message: string }
  | { kind: 'details'; services: Readonly<Record<string, number>>; characters: number };

/** What a language model counted. */
interface Tokens {
  prompt: number;
  completion: number;
}

type Data = Message['data'];

export const LABEL = 'rtvi-ai';
/** The type of what isn't a message of the protocol, although it must be. */
const UNREADABLE = 'botcli-unreadable';

/** A message of the protocol; undefined if it belongs to another one. */
export function readMessage(raw: string): Message | undefined {
  const found = parsedJson(raw) ?? parsedJson(raw.replace(STRING_OR_NUMBER, asText));
  if (isObject(found) && found.label !== LABEL) return undefined;
  if (!isObject(found) || typeof found.type !== 'string') return { type: UNREADABLE, data: { raw } };
  const { type, id, data } = found;
  return { type, ...(typeof id === 'string' && { id }), data: isObject(data) ? data : {} };
}

/** Python writes numbers that JSON doesn't have. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;
const asText = (found: string): string => (found.startsWith('"') ? found : `"${found}"`);

/**
 * Follows what the bot does about one message, from the framework's messages as they come.
 *
 * @param now The time in milliseconds.
 * @param cut What the bot had said when it was interrupted, if it was: the late rest of that doesn't count.
 */
export function createAnswer(now: () => number, cut?: string) {
  /** What was said before it, as long as the rest of that may come. */
  let before = cut;
  let isReadable = true;
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
      return endText();
    },
    'bot-llm-text': data => {
      if (before !== undefined) return [];
      firstToken ??= now() - since;
      text += textIn(data.text);
      return [];
    },
    'bot-llm-stopped': endText,
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
    error: data => [{ kind: 'error', message: textIn(data.error) }],
    [UNREADABLE]: data => {
      if (!isReadable) return [];
      isReadable = false;
      const message = `The bot sent something that can't be read, which isn't shown: ${excerpt(textIn(data.raw))}`;
      return [{ kind: 'unreadable', message }];
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
    get begun(): string {
      return text.replaceAll(/\s+/g, ' ').trim();
    },
    /** The tool that it is waiting for. */
    get waitsFor(): string | undefined {
      return [...running.values()].at(-1)?.name;
    },
    get calls(): readonly ToolCall[] {
      return [...calls];
    },
    /** All that the bot has said. */
    get text(): string {
      return said.join(' ');
    },
    /** What its model has written of that. */
    get written(): string {
      return written.join(' ');
    },
    /** What it has written of that since its last call. */
    get last(): string {
      return written.slice(early).join(' ');
    },
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
