import { textOf } from '../../support/local-ai-answers.ts';
import { audible, chatsOf, expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { type Conversation, talk } from '../talk.ts';
import { talkOverWebRtc } from './spoken.ts';

/** A spoken conversation in which speech-to-text is told this code, and the models this name of the language. */
export const talkIn =
  (code: string, name: string): Conversation =>
  async bot => {
    const talked = await talkOverWebRtc(bot);
    const { journal } = bot.ai;
    const seen = JSON.stringify(journal, null, 1);
    const heard = journal.filter(({ path }) => path.endsWith('/transcriptions'));
    const said = journal.filter(({ path }) => path.endsWith('/speech'));
    const others = [
      ...heard.filter(({ language }) => language !== code),
      ...said.filter(({ instructions }) => instructions !== `Speak ${name}.`),
    ];
    expect(others.length === 0, `transcribed or spoken in another language than ${name}`, seen);
    for (const [role, words] of [
      ['system', `Speak ${name}.`],
      ['developer', `in ${name} and`],
    ] as const) {
      const told = chatsOf(bot.ai).every(chat => chat.some(one => one.role === role && textOf(one).includes(words)));
      expect(told, `the ${role} message doesn't name ${name}`, seen);
    }
    return `${talked}; ${heard.length} transcripts, ${said.length} utterances in ${name}`;
  };

/** The same with a speech-to-speech service, which gets the language when a session begins. */
export const talkInRealtimeIn =
  (name: string, ...marks: readonly string[]): Conversation =>
  async (bot: RunningBot) => {
    const { sounds } = await talk(bot);
    const greeted = audible(sounds[0], 'greeting');
    const seen = JSON.stringify(bot.journal());
    for (const mark of [`Speak ${name}.`, `in ${name} and`, ...marks]) {
      expect(seen.includes(mark), `the service wasn't sent ${mark}`, seen);
    }
    return `greeting ${greeted}; the service was sent ${marks.join(', ')}`;
  };
