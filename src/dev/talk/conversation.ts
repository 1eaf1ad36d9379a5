import WebSocket from 'ws';
import { UserError } from '../../errors.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { createAnswer, type Happening, LABEL, type Message, readMessage, type Turn } from './answer.ts';
import { INTERRUPT, SETTLE } from './settling.ts';

/** How to talk with a bot, and who follows. */
interface Manner {
  url: string;
  /** Whether the bot says when an answer is over. A deployed one doesn't have botcli's code for that. */
  settles: boolean;
  /** Whether its text-to-speech works, too. */
  isVoiced: boolean;
  /** How long the bot may be silent, in milliseconds. */
  patience: number;
  /** Called for all that the bot does. */
  onHappening(happening: Happening): void;
  /** Called with what the bot is doing, in a few words. */
  onProgress(doing: string): void;
}

/** How an answer ended: it's complete, or the bot was silent, was interrupted, or ended the conversation. */
type End = 'complete' | 'silent' | 'interrupted' | 'left';

/** What the bot did about a message. */
type Answered = Omit<Turn, 'said'> & { end: End };

/** How long a tool may take, and a bot that was started here until it talks, which may load models. In milliseconds. */
const TOOL_MS = 300_000;
/** How long a deployed bot may take until it talks, with the wait for an instance. In milliseconds. */
const DEPLOYED_MS = 120_000;

/**
 * Begins a conversation with a running bot.
 *
 * @throws {UserError} The bot doesn't begin one. Or the reason of `signal`.
 */
export async function beginConversation(manner: Manner, signal: AbortSignal, { sleep }: Pick<Terminal, 'sleep'>) {
  const { url, settles, isVoiced, patience, onHappening, onProgress } = manner;
  const now = () => performance.now();
  /** What the bot had said when it was interrupted, until it answers something else. */
  let cut: string | undefined;
  /** Takes what comes while nobody waits for it, such as a question whether the person is still there. */
  const unasked = () => {
    const answer = createAnswer(now, cut);
    return (message: Message) => answer.take(message).forEach(onHappening);
  };
  let take = unasked();
  let interrupt = () => {};
  let leave = () => {};
  let hasLeft = false;
  const start = { ms: Math.max(patience, settles ? TOOL_MS : DEPLOYED_MS), sleep };
  const connection = await connect({ url, isVoiced, settles }, message => take(message), start, signal);
  connection.closed.then(() => {
    hasLeft = true;
    leave();
  });

  return {
    /** Says something, and follows the answer until it ends. Without a text, it waits for the greeting. */
    async say(text?: string): Promise<Answered> {
      signal.throwIfAborted();
      const answer = createAnswer(now, cut);
      cut = undefined;
      const over = new AbortController();
      const rest = createRest(text === undefined);
      const isResting = () => !settles && rest.isResting(answer);
      let onSign = () => {};
      const ended = new Promise<End>((resolve, reject) => {
        const id = connection.say(text);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal });
        interrupt = () => {
          connection.interrupt();
          resolve('interrupted');
        };
        take = message => {
          answer.take(message).forEach(onHappening);
          rest.take(message);
          const doing = answer.waitsFor === undefined ? answer.begun : `→ ${answer.waitsFor}`;
          if (doing !== '') onProgress(doing);
          if (message.id === id) resolve('complete');
          onSign();
        };
        leave = () => resolve('left');
        if (hasLeft) leave();
        untilSilent(
          () => {
            if (isResting()) return rest.ms;
            return answer.waitsFor === undefined ? patience : Math.max(patience, TOOL_MS);
          },
          onNext => {
            onSign = onNext;
          },
          { sleep, signal: over.signal },
        ).then(() => resolve(isResting() ? 'complete' : 'silent'));
      });
      try {
        const end = await ended;
        answer.end().forEach(onHappening);
        if (end === 'interrupted') cut = answer.text;
        return { calls: answer.calls, answer: answer.text, written: answer.written, last: answer.last, end };
      } finally {
        over.abort();
        take = unasked();
        interrupt = () => {};
        leave = () => {};
      }
    },
    /** Ends what the bot is saying. */
    interrupt: () => interrupt(),
    close: () => connection.close(),
  };
}

/** How long a bot that doesn't say when an answer is over must be quiet, and before its greeting. In milliseconds. */
const QUIET_MS = 3000;
const GREETING_MS = 8000;

/** Knows whether an answer is over, as far as the framework's messages say so: if nothing is owed, and nothing comes. */
function createRest(greets: boolean) {
  let isOwed = false;
  let hasFailed = false;
  return {
    /** How long it must be quiet. */
    get ms() {
      return greets && !isOwed ? GREETING_MS : QUIET_MS;
    },
    take({ type }: Message) {
      if (type === 'bot-llm-started' || type === 'llm-function-call-stopped') isOwed = true;
      if (type === 'bot-llm-stopped') isOwed = false;
      if (type === 'bot-llm-started') greets = false;
      hasFailed ||= type === 'error';
    },
    isResting: ({ waitsFor, text }: Pick<ReturnType<typeof createAnswer>, 'waitsFor' | 'text'>) =>
      hasFailed || (waitsFor === undefined && !isOwed && (greets || text !== '')),
  };
}

/** Resolves once nothing has come for so long. */
async function untilSilent(
  patience: () => number,
  watch: (onSign: () => void) => void,
  { sleep, signal }: { sleep: Terminal['sleep']; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const sign = new AbortController();
    watch(() => sign.abort());
    const isSilent = await sleep(patience(), AbortSignal.any([sign.signal, signal])).then(
      () => true,
      () => false,
    );
    if (isSilent && !signal.aborted) return;
  }
  // Somebody else has ended it.
  await new Promise(() => {});
}

/** A connection to a running bot. */
interface Connection {
  /** Says something, or waits for the greeting. Returns the `id` of the message that comes after the answer. */
  say(text: string | undefined): string;
  /** Ends what the bot is saying. */
  interrupt(): void;
  /** Resolves once the bot has ended the conversation. */
  readonly closed: Promise<void>;
  close(): void;
}

/** The oldest release of the protocol with all that is used here. */
const PROTOCOL = '2.0.0';

/**
 * Begins a conversation with the bot at an address. It answers in text, which the framework's evals use, too.
 *
 * @param isVoiced Whether the bot's text-to-speech works as well.
 * @throws {UserError} The bot ends the conversation before it is ready, or isn't ready in time. Or the reason of `signal`.
 */
async function connect(
  { url, isVoiced, settles }: Pick<Manner, 'url' | 'isVoiced' | 'settles'>,
  take: (message: Message) => void,
  { ms, sleep }: { ms: number; sleep: Terminal['sleep'] },
  signal: AbortSignal,
): Promise<Connection> {
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
    say(text) {
      // Without `audio_response`, the framework speaks the answer after a tool, although it was asked for text.
      const options = { run_immediately: true, audio_response: true };
      if (text !== undefined) send('send-text', { content: text, options });
      const id = `${SETTLE}-${++count}`;
      if (settles) sendOwn(SETTLE, { greets: text === undefined }, id);
      return id;
    },
    interrupt: () => sendOwn(INTERRUPT, {}),
    closed,
    close: () => socket.close(),
  };
}
