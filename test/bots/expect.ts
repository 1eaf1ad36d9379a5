import type { LocalAi } from '../support/local-ai.ts';
import { type ChatMessage, isPersona, textOf } from '../support/local-ai-answers.ts';
import type { Sound } from '../support/sound.ts';
import { lastLines } from './processes.ts';

/** Anything louder isn't noise. The maximum is 32767. */
const AUDIBLE_RMS = 300;

/** Fails a check, with the last lines of the output. */
export function expect(condition: boolean, problem: string, seen = ''): asserts condition {
  if (!condition) throw new Error(`${problem}\n${lastLines(seen)}`);
}

/** Whether a sound is no silence. */
export const isAudible = (sound: Sound | undefined): sound is Sound =>
  sound !== undefined && sound.seconds > 0.5 && sound.rms > AUDIBLE_RMS;

/** Describes the length of a sound. Fails on silence. */
export function audible(sound: Sound | undefined, what: string): string {
  expect(isAudible(sound), `no ${what}`, JSON.stringify(sound));
  return `${sound.seconds.toFixed(1)} s`;
}

/** The conversations that the bot's LLM was asked to continue, in order. A simulated person has one of their own. */
export function chatsOf(ai: LocalAi): ChatMessage[][] {
  return ai.journal
    .filter(({ path, stream }) => path.endsWith('/chat/completions') && stream)
    .map(({ messages }) => messages ?? [])
    .filter(messages => !messages.some(isPersona));
}

/** Checks that the bot requested the greeting, and then sent the user's words to the LLM, in one conversation. */
export function expectChat(ai: LocalAi, words: string): void {
  const chats = chatsOf(ai);
  const asked = chats.at(-1) ?? [];
  const seen = JSON.stringify(chats, null, 1);
  const heard = asked.some(message => message.role === 'user' && textOf(message).includes(words));
  expect(heard, `the LLM was not asked: ${words}`, seen);
  const greeted = asked.some(({ role }) => role === 'assistant');
  expect(greeted, 'the greeting is not part of the conversation', seen);
}
