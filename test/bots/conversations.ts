import { join } from 'node:path';
import type { LocalAi } from '../support/local-ai.ts';
import { textOf } from '../support/local-ai-answers.ts';
import type { Sound } from '../support/sound.ts';
import { lastLines, run, runWell } from './processes.ts';
import { makeProject, OPENAI, type Project, QUICKSTART } from './projects.ts';
import type { Report } from './report.ts';
import { fillVariables, type RunningBot, startInVain, withBot } from './running-bot.ts';
import { cleanEnvironment, ensureUv, listVariables, ROOT, runUv, WORKSHOP } from './workshop.ts';

/** Talks with a bot, and says what it heard. */
type Conversation = (bot: RunningBot) => Promise<string>;

/** The bots that run, each with the conversations held with it. */
const BOTS: { project: Project; conversations: Record<string, Conversation> }[] = [
  { project: QUICKSTART, conversations: { 'talks over WebRTC': talkOverWebRtc } },
  {
    project: { name: 'evals', config: { ...OPENAI, transports: ['rtc_local'], enable_eval: true } },
    conversations: { 'passes its own evals': passEvals },
  },
];

const SPEECH = join(ROOT, 'test/support/speech.wav');
const WEBRTC_CLIENT = join(import.meta.dirname, 'webrtc_client.py');
const QUESTION = 'What is the capital of France?';

/** Louder than noise, of 32767. */
const AUDIBLE_RMS = 300;

/** Level 3: each bot is generated, installed, started by the framework's own runner, and talked to. */
export async function holdConversations(report: Report, only?: string): Promise<void> {
  for (const { project, conversations } of BOTS) {
    if (only && project.name !== only) continue;
    let server = '';
    const installed = await report.check(project.name, 'generates and installs', async () => {
      server = join(await makeProject(project, join(WORKSHOP, 'running')), 'server');
      await runUv(['sync', '--quiet'], server);
      return 'uv sync';
    });
    if (!installed) continue;
    await report.check(project.name, 'names the variables that are missing', () => nameMissing(server));
    await fillVariables(server);
    for (const [name, converse] of Object.entries(conversations)) {
      const log = `${project.name} ${name}`.replaceAll(' ', '-');
      await report.check(project.name, name, () => withBot(log, server, converse));
    }
  }
}

/** Without any key, the bot says in one message what is missing and where it belongs. */
async function nameMissing(server: string): Promise<string> {
  const { required } = await listVariables(server);
  const { code, stdout, stderr } = await startInVain(server);
  const said = stdout + stderr;
  expect(code !== 0, `exit code ${code}`, said);
  expect(!said.includes('Traceback'), 'a traceback', said);
  const message = said.split('\n').find(line => line.includes('.env')) ?? '';
  for (const name of required) expect(message.includes(name), `${name} is not named`, said);
  return message;
}

async function passEvals({ server, url, ai }: RunningBot): Promise<string> {
  const { all } = await listVariables(server);
  const address = `${url.replace('http', 'ws')}/ws`;
  const evals = ['eval', 'run', 'evals/starter_text.yaml', '-v', '--bot-url', address];
  const env = cleanEnvironment(all, { OPENAI_BASE_URL: ai.url });
  const { code, stdout, stderr } = await run([await ensureUv(), 'run', 'pipecat', ...evals], { cwd: server, env });
  expect(code === 0, `exit code ${code}`, stdout + stderr);
  expectChat(ai, 'What can you help me with?');
  const verdicts = ai.journal.filter(({ path, stream }) => path.endsWith('/chat/completions') && !stream);
  return `${stdout.match(/\d+\/\d+ passed/)?.[0]}, ${verdicts.length} replies judged`;
}

/** What the WebRTC client prints: the bot's sound, and the transcripts of the user's words. */
interface Heard {
  greeting: Sound;
  reply: Sound;
  heard: string[];
}

/** A spoken conversation: the greeting heard, a question said, the answer heard, all of it as sound. */
async function talkOverWebRtc({ server, url, ai }: RunningBot): Promise<string> {
  ai.say(QUESTION);
  const command = [join(server, '.venv/bin/python'), WEBRTC_CLIENT, url, SPEECH];
  const { stdout } = await runWell(command, { cwd: server, env: cleanEnvironment(), deadline: 90_000 });
  const { greeting, reply, heard }: Heard = JSON.parse(stdout);
  const greeted = audible(greeting, 'greeting');
  const spoken = audible(
    ai.journal.find(({ path }) => path.endsWith('/transcriptions'))?.sound,
    'speech to transcribe',
  );
  expect(heard.includes(QUESTION), 'the transcript did not come back', stdout);
  expectChat(ai, QUESTION);
  return `greeting ${greeted}, user ${spoken}, reply ${audible(reply, 'reply')}`;
}

/** How long a sound was, in words. It has to be one. */
function audible(sound: Sound | undefined, what: string): string {
  expect(sound !== undefined && sound.seconds > 0.5 && sound.rms > AUDIBLE_RMS, `no ${what}`, JSON.stringify(sound));
  return `${sound.seconds.toFixed(1)} s`;
}

/** The greeting was asked for, and then the user's words reached the LLM, in one conversation. */
function expectChat(ai: LocalAi, words: string): void {
  const chats = ai.journal.filter(({ path, stream }) => path.endsWith('/chat/completions') && stream);
  const asked = chats.at(-1)?.messages ?? [];
  const seen = JSON.stringify(chats, null, 1);
  const heard = asked.some(message => message.role === 'user' && textOf(message).includes(words));
  expect(heard, `the LLM was not asked: ${words}`, seen);
  const greeted = asked.some(({ role }) => role === 'assistant');
  expect(greeted, 'the greeting is not part of the conversation', seen);
}

function expect(condition: boolean, problem: string, seen = ''): asserts condition {
  if (!condition) throw new Error(`${problem}\n${lastLines(seen)}`);
}
