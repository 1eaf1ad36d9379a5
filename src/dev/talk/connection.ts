import WebSocket from 'ws';
import { UserError } from '../../errors.ts';
import { isObject, parsedJson } from '../../json.ts';
import { INTERRUPT, SETTLE } from './settling.ts';

/** A message of the bot's, in the framework's protocol. */
export interface Message {
  type: string;
  id?: string;
  data: Readonly<Record<string, unknown>>;
}

/** A connection to a running bot. */
export interface Connection {
  /** Says something, or waits for the greeting. Returns the `id` of the message that comes after the answer. */
  say(text: string | undefined): string;
  /** Ends what the bot is saying. */
  interrupt(): void;
  /** Resolves once the bot has ended the conversation. */
  readonly closed: Promise<void>;
  close(): void;
}

const LABEL = 'rtvi-ai';
/** The oldest release of the protocol with all that is used here. */
const PROTOCOL = '2.0.0';

/**
 * Begins a conversation with the bot on a port. It answers in text, which the framework's evals use, too.
 *
 * @param isVoiced Whether the bot's text-to-speech works as well.
 * @throws {UserError} The bot ends the conversation before it is ready. Or the reason of `signal`.
 */
export async function connect(
  port: number,
  isVoiced: boolean,
  take: (message: Message) => void,
  signal: AbortSignal,
): Promise<Connection> {
  signal.throwIfAborted();
  const socket = new WebSocket(`ws://localhost:${port}/ws`, { perMessageDeflate: false });
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
    socket.on('message', raw => {
      const message = readMessage(String(raw));
      if (message?.type === 'bot-ready') resolve(true);
      else if (message) take(message);
    });
    closed.then(() => resolve(false));
  });
  const isReady = await ready;
  signal.throwIfAborted();
  if (!isReady) throw new UserError('The bot ended the conversation before it was ready', { reason: 'part-ended' });
  let count = 0;
  return {
    say(text) {
      // Without `audio_response`, the framework speaks the answer after a tool, although it was asked for text.
      const options = { run_immediately: true, audio_response: true };
      if (text !== undefined) send('send-text', { content: text, options });
      const id = `${SETTLE}-${++count}`;
      sendOwn(SETTLE, { greets: text === undefined }, id);
      return id;
    },
    interrupt: () => sendOwn(INTERRUPT, {}),
    closed,
    close: () => socket.close(),
  };
}

/** A message of the protocol; undefined if it's something else. */
function readMessage(raw: string): Message | undefined {
  const found = parsedJson(raw);
  if (!isObject(found) || found.label !== LABEL || typeof found.type !== 'string') return undefined;
  const { type, id, data } = found;
  return { type, ...(typeof id === 'string' && { id }), data: isObject(data) ? data : {} };
}
