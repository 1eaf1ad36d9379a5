import { GREETING } from '../../support/local-ai-answers.ts';
import { audible, expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { talk } from '../talk.ts';

/** What the speech-to-speech stand-in hears, turn by turn. */
export const SPOKEN = ['What is the capital of France?', 'And of Spain?'];

/** A spoken conversation of two turns with a speech-to-speech service: it greets, hears, answers. */
export async function talkInRealtime(bot: RunningBot): Promise<string> {
  const { sounds, heard } = await talk(bot, { turns: SPOKEN.length });
  const greeted = audible(sounds[0], 'greeting');
  const replies = SPOKEN.map((_, at) => audible(sounds[at + 1], `reply ${at + 1}`));
  const journal = bot.journal();
  const seen = journal.map(entry => JSON.stringify(entry)).join('\n');
  expect(journal[0]?.authorized === true, 'no API key', seen);
  const said = journal.flatMap(({ said }) => said ?? []);
  const answers = SPOKEN.map(words => `You said: ${words}`);
  expect(said.join('|') === [GREETING, ...answers].join('|'), 'something else was said', seen);
  expect(heard.join('|') === SPOKEN.join('|'), `the transcripts did not come back: ${heard.join('|')}`, seen);
  const lines = [...bot.log().matchAll(/Transcript: (.*)/g)].map(([, line = '']) => line);
  const expected = [`bot: ${GREETING}`, ...SPOKEN.flatMap((words, at) => [`person: ${words}`, `bot: ${answers[at]}`])];
  expect(lines.join('\n') === expected.join('\n'), 'the transcript', lines.join('\n'));
  return `greeting ${greeted}, replies ${replies.join(' and ')}; ${lines.length} lines of transcript`;
}
