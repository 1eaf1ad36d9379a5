import { GREETING } from '../../support/local-ai-answers.ts';
import { audible, expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import type { StandInProgram } from '../stand-in.ts';
import { talk } from '../talk.ts';
import { expectPicture, expectWall, WALL } from './pictures.ts';
import { keepRecords } from './records.ts';

/** The transcripts of the speech-to-speech stand-in, turn by turn. */
export const SPOKEN = ['What is the capital of France?', 'And of Spain?'];

/** The stand-ins for speech-to-speech services. */
export const realtimeAi: StandInProgram = { script: 'realtime_ai.py', args: SPOKEN };
export const ultravoxAi: StandInProgram = { script: 'ultravox_ai.py', args: SPOKEN };

export const ANSWERS = SPOKEN.map(words => `You said: ${words}`);

/** A spoken conversation with two turns with a speech-to-speech service that sees, and all its records. */
export function talkInRealtime(bot: RunningBot): Promise<string> {
  const turns = SPOKEN.flatMap((words, at) => [`person: ${words}`, `bot: ${ANSWERS[at]}`]);
  const lines = [`bot: ${GREETING}`, ...turns];
  return keepRecords(bot, { converse: () => converse(bot), lines, model: 'OpenAIRealtimeLLMService' });
}

/** Checks that the bot greets the person, hears and answers each turn, and sees the person meanwhile. */
async function converse(bot: RunningBot): Promise<string> {
  const heard = await talk(bot, { turns: SPOKEN.length, camera: WALL });
  const greeted = audible(heard.sounds[0], 'greeting');
  const replies = SPOKEN.map((_, at) => audible(heard.sounds[at + 1], `reply ${at + 1}`));
  const journal = bot.journal();
  const seen = journal.map(entry => JSON.stringify(entry).slice(0, 200)).join('\n');
  expect(journal[0]?.authorized === true, 'no API key', seen);
  const said = journal.flatMap(({ said }) => said ?? []);
  expect(said.join('|') === [GREETING, ...ANSWERS].join('|'), `something else was said: ${said.join('|')}`, seen);
  expect(heard.heard.join('|') === SPOKEN.join('|'), `the transcripts: ${heard.heard.join('|')}`, seen);
  const pictures = journal.flatMap(({ picture }) => (typeof picture === 'string' ? picture : []));
  expect(pictures.length > 1, `${pictures.length} pictures reached the service`, seen);
  const wall = await expectWall(bot, pictures.at(-1));
  return `on a stand-in of the service: greeting ${greeted}, replies ${replies.join(' and ')}; ${pictures.length} pictures, ${wall}; ${expectPicture(heard)}`;
}
