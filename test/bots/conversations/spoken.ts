import { textOf } from '../../support/local-ai-answers.ts';
import { type Sound, SPEECH_RATE, speakText } from '../../support/sound.ts';
import { audible, chatsOf, expect, expectChat } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { patient } from '../slowness.ts';
import { type Conversation, listen, talk } from '../talk.ts';

export const QUESTION = 'What is the capital of France?';
export const LONG_QUESTION =
  'Could you please explain to me, slowly and in great detail, everything that there is to know about bread, from the ' +
  'grain in the field over the mill, the dough and the oven to the slice on my plate, and leave nothing out?';

/** A spoken conversation: the person hears the greeting, asks a question, and hears the answer. */
export async function talkOverWebRtc(bot: RunningBot): Promise<string> {
  bot.ai.say(QUESTION);
  const { sounds, heard } = await talk(bot);
  const greeted = audible(sounds[0], 'greeting');
  const replied = audible(sounds[1], 'reply');
  const transcription = bot.ai.journal.find(({ path }) => path.endsWith('/transcriptions'));
  const spoken = audible(transcription?.sound, 'speech to transcribe');
  expect(heard.includes(QUESTION), 'the client got no transcript', heard.join('\n'));
  expectChat(bot.ai, QUESTION);
  return `greeting ${greeted}, user ${spoken}, reply ${replied}`;
}

/** The user interrupts a long reply. It stops, and the bot answers. */
export async function interrupt(bot: RunningBot): Promise<string> {
  bot.ai.say(LONG_QUESTION, QUESTION);
  return expectInterruption(bot, (await talk(bot, { turns: 2, interrupt: true })).sounds);
}

/** Whether so many seconds of a reply were cut short: it was half over at most, and on a slow machine not all over. */
export const isCut = (seconds: number, planned: number): boolean =>
  seconds < Math.min(patient(planned / 2), planned * 0.8);

/** Checks that the long reply was cut short, and that another reply followed. */
export function expectInterruption(bot: RunningBot, [, cut, reply]: readonly Sound[]): string {
  const texts = bot.ai.journal.flatMap(({ path, text }) => (path.endsWith('/completions') && text ? text : []));
  const planned = speakText(texts.find(text => text.includes(LONG_QUESTION)) ?? '').length / 2 / SPEECH_RATE;
  const begun = audible(cut, 'beginning of a reply');
  expect(isCut(cut?.seconds ?? 0, planned), `the reply was not cut short: ${begun} of ${planned.toFixed(1)} s`);
  const replied = audible(reply, 'reply to the interruption');
  expectChat(bot.ai, QUESTION);
  return `a reply of ${planned.toFixed(1)} s stops after ${begun}, the next is ${replied}`;
}

/** Clients that report that they're ready: never, once, and twice. */
const READY = [0, 1, 2];

/** Greets everyone, once. */
export async function greetOnce(bot: RunningBot): Promise<string> {
  const seen: string[] = [];
  for (const ready of READY) {
    const before = chatsOf(bot.ai).length;
    const { seconds, errors } = await listen(bot, 8, ready);
    const greetings = chatsOf(bot.ai).length - before;
    expect(greetings === 1, `${greetings} greetings for a client that is ready ${ready} times`, JSON.stringify(errors));
    expect(seconds > 1, `${seconds} s of sound for a client that is ready ${ready} times`);
    seen.push(`ready ${ready} times: ${seconds.toFixed(1)} s`);
  }
  return seen.join(', ');
}

/** A spoken conversation in which speech-to-text gets this code of the language, and the models get this name of it. */
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
