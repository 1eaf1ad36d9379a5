import type { Terminal } from '../../shell/terminal.ts';
import { createAnswer, type Happening } from './answer.ts';
import { connect, type Message } from './connection.ts';
import type { Turn } from './turn.ts';

/** How to talk with a bot, and who follows. */
interface Manner {
  port: number;
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

/** How long a tool may take, in milliseconds. */
const TOOL_MS = 300_000;

/**
 * Begins a conversation with a running bot.
 *
 * @throws {UserError} The bot doesn't begin one. Or the reason of `signal`.
 */
export async function beginConversation(manner: Manner, signal: AbortSignal, { sleep }: Pick<Terminal, 'sleep'>) {
  const { port, isVoiced, patience, onHappening, onProgress } = manner;
  const now = () => performance.now();
  /** Takes what comes while nobody waits for it, such as a question whether the person is still there. */
  const unasked = () => {
    const answer = createAnswer(now);
    return (message: Message) => answer.take(message).forEach(onHappening);
  };
  let take = unasked();
  let interrupt = () => {};
  const connection = await connect(port, isVoiced, message => take(message), signal);

  return {
    /** Says something, and follows the answer until it ends. Without a text, it waits for the greeting. */
    async say(text?: string): Promise<Answered> {
      signal.throwIfAborted();
      const answer = createAnswer(now);
      const over = new AbortController();
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
          const doing = answer.waitsFor === undefined ? answer.begun : `→ ${answer.waitsFor}`;
          if (doing !== '') onProgress(doing);
          if (message.id === id) resolve('complete');
          onSign();
        };
        connection.closed.then(() => resolve('left'));
        untilSilent(
          () => (answer.waitsFor === undefined ? patience : Math.max(patience, TOOL_MS)),
          onNext => {
            onSign = onNext;
          },
          { sleep, signal: over.signal },
        ).then(() => resolve('silent'));
      });
      try {
        const end = await ended;
        answer.end().forEach(onHappening);
        return { calls: answer.calls, answer: answer.text, end };
      } finally {
        over.abort();
        take = unasked();
        interrupt = () => {};
      }
    },
    /** Ends what the bot is saying. */
    interrupt: () => interrupt(),
    close: () => connection.close(),
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
