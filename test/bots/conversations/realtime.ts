import { GREETING } from '../../support/local-ai-answers.ts';
import { SPEECH_RATE, speakText } from '../../support/sound.ts';
import { audible, expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import type { StandInProgram } from '../stand-in.ts';
import { type Conversation, talk } from '../talk.ts';
import { expectPicture, expectWall, WALL } from './pictures.ts';
import { keepRecords } from './records.ts';
import { isCut } from './spoken.ts';

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

const LONG =
  'Could you please explain to me, slowly and in great detail, everything that there is to know about bread, from the ' +
  'grain in the field to the slice on my plate?';
const TYPED = 'What does it cost?';

/** The stand-ins of a bot whose spoken reply is so long that the person types meanwhile. */
export const longWinded = (standIn: StandInProgram): StandInProgram => ({ ...standIn, args: [LONG] });

/** The person speaks, and then types: after the long reply, or in the middle of it. Each turn gets one spoken reply. */
export const typeTo =
  ({ interrupt }: { interrupt: boolean }): Conversation =>
  async bot => {
    const { sounds } = await talk(bot, { turns: 2, type: TYPED, interrupt });
    const journal = bot.journal();
    const seen = journal.map(entry => JSON.stringify(entry).slice(0, 200)).join('\n');
    const spoken = audible(sounds[1], 'reply to what was said');
    const replied = audible(sounds[2], 'reply to what was typed');
    const planned = speakText(LONG).length / 2 / SPEECH_RATE;
    const wasCut = isCut(sounds[1]?.seconds ?? 0, planned);
    expect(wasCut === interrupt, `${spoken} of ${planned.toFixed(1)} s were heard`, seen);
    const written = journal.flatMap(({ written }) => (written === TYPED ? TYPED : []));
    expect(written.length === 1, `the service got ${written.length} typed messages`, seen);
    // Ultravox gets the request to greet as typed text, too, and answers it first.
    const answers = journal.flatMap(({ said }) => (String(said).startsWith('You said') ? said : []));
    const said = answers.slice(-2).join('|');
    expect(said === `You said: ${LONG}|You said: ${TYPED}`, `something else was said: ${said}`, seen);
    return `the spoken reply ${interrupt ? 'stops after' : 'takes'} ${spoken}, the one to typed text ${replied}`;
  };

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
