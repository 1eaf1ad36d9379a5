import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalAi, startLocalAi } from '../support/local-ai.ts';
import { textOf } from '../support/local-ai-answers.ts';
import { lastLines, run, runWell, type Service, startService } from './processes.ts';
import type { Report } from './report.ts';
import {
  cleanEnvironment,
  ensureUv,
  LOGS,
  listVariables,
  makeProject,
  type Project,
  QUICKSTART,
  ROOT,
  WORKSHOP,
} from './workshop.ts';

/** How one talks to the bot of a project. */
type Conversation = (bot: RunningBot) => Promise<string>;

interface RunningBot {
  server: string;
  url: string;
  ai: LocalAi;
}

const OPENAI_FLAGS = ['--mode', 'cascade', '--stt', 'openai_stt', '--llm', 'openai_llm', '--tts', 'openai_tts'];

/** The bots that run, each with the conversations held with it. */
const BOTS: { project: Project; conversations: Record<string, Conversation> }[] = [
  { project: QUICKSTART, conversations: { 'talks over WebRTC': talkOverWebRtc } },
  {
    project: { name: 'evals', flags: ['-t', 'rtc_local', ...OPENAI_FLAGS, '--eval'] },
    conversations: { 'passes its own evals': passEvals, 'talks over WebRTC': talkOverWebRtc },
  },
];

const READY_MS = 60_000;
const SYNC_MS = 600_000;
const RECORDING = join(ROOT, 'test/support/speech.wav');
const WEBRTC_CLIENT = join(import.meta.dirname, 'webrtc_client.py');

/** Level 3: each bot is generated, installed, started by the framework's own runner, and talked to. */
export async function holdConversations(report: Report, only?: string): Promise<void> {
  for (const { project, conversations } of BOTS) {
    if (only && project.name !== only) continue;
    let server = '';
    const installed = await report.check(project.name, 'generates and installs', async () => {
      server = join(await makeProject(project, join(WORKSHOP, 'running')), 'server');
      await runWell([await ensureUv(), 'sync', '--quiet'], { cwd: server, env: cleanEnvironment(), deadline: SYNC_MS });
      return 'uv sync';
    });
    if (!installed) continue;
    await report.check(project.name, 'names all missing variables', () => nameMissing(server));
    await fillVariables(server);
    for (const [name, converse] of Object.entries(conversations)) {
      await report.check(project.name, name, () => withBot(`${project.name} ${name}`, server, converse));
    }
  }
}

/** Without any key set, the bot says in one message what is missing and where it belongs. */
async function nameMissing(server: string): Promise<string> {
  const { required, all } = await listVariables(server);
  const command = [await ensureUv(), 'run', 'bot.py', '--port', String(await findPort())];
  const { code, stdout, stderr } = await run(command, { cwd: server, env: cleanEnvironment(all), deadline: READY_MS });
  const said = stdout + stderr;
  expect(code !== 0, `exit code ${code}`, said);
  expect(!said.includes('Traceback'), 'a traceback', said);
  const message = said.split('\n').find(line => line.includes('.env')) ?? '';
  for (const name of required) expect(said.includes(name), `${name} is not named`, said);
  expect(message !== '', '.env is not named', said);
  return required.join(' ');
}

/** Does what the README says: copies `.env.example` to `.env` and fills in the keys. */
async function fillVariables(server: string): Promise<void> {
  const example = await readFile(join(server, '.env.example'), 'utf8');
  await writeFile(join(server, '.env'), example.replaceAll(/^([A-Z][A-Z0-9_]*)=$/gm, '$1=test'));
}

/** Runs the bot, and the AI services that it uses, for as long as a conversation takes. */
async function withBot(name: string, server: string, converse: Conversation): Promise<string> {
  const ai = await startLocalAi();
  const port = await findPort();
  const { all } = await listVariables(server);
  const logFile = join(LOGS, `${name.replaceAll(' ', '-')}.log`);
  const env = cleanEnvironment(all, { OPENAI_BASE_URL: ai.url });
  const service = startService(
    [await ensureUv(), 'run', 'bot.py', '--port', String(port)],
    { cwd: server, env },
    logFile,
  );
  try {
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(`${url}/client/`, service);
    return await converse({ server, url, ai });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n--- the bot's last lines\n${service.log()}`);
  } finally {
    await service.stop();
    await ai.close();
  }
}

/** Waits for the page that a person would open first. */
async function waitUntilReady(page: string, service: Service): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(200)) {
    if (service.ended()) throw new Error('the bot ended before it was ready');
    const response = await fetch(page).catch(() => undefined);
    if (response?.ok && (await response.text()).includes('<html')) return;
  }
  throw new Error(`${page} did not answer in ${READY_MS / 1000} s`);
}

async function passEvals({ server, url, ai }: RunningBot): Promise<string> {
  const command = [await ensureUv(), 'run', 'pipecat', 'eval', 'run', 'evals/starter_text.yaml', '-v'];
  const { all } = await listVariables(server);
  const env = cleanEnvironment(all, { OPENAI_BASE_URL: ai.url });
  const address = `${url.replace('http', 'ws')}/ws`;
  const { code, stdout, stderr } = await run([...command, '--bot-url', address], { cwd: server, env });
  expect(code === 0, `exit code ${code}`, lastLines(stdout + stderr));
  const chats = expectChat(ai, 'What can you help me with?');
  return `${chats} requests to the LLM, greeting and answer judged`;
}

/** What the WebRTC client prints. */
interface Heard {
  greeting: { seconds: number; rms: number };
  reply: { seconds: number; rms: number };
  heard: string[];
}

/** A spoken conversation: greeting heard, question said, answer heard, all as sound. */
async function talkOverWebRtc({ server, url, ai }: RunningBot): Promise<string> {
  ai.say('What is the capital of France?');
  const command = [join(server, '.venv/bin/python'), WEBRTC_CLIENT, url, RECORDING];
  const { stdout } = await runWell(command, { cwd: server, env: cleanEnvironment(), deadline: 90_000 });
  const { greeting, reply, heard }: Heard = JSON.parse(stdout);
  const sound = ai.journal.find(entry => entry.path.endsWith('/transcriptions'))?.sound;
  expect(greeting.seconds > 0.5, 'no greeting was heard', stdout);
  expect(
    sound !== undefined && sound.seconds > 1 && sound.rms > 300,
    'no speech was transcribed',
    JSON.stringify(sound),
  );
  expect(heard.includes('What is the capital of France?'), 'no transcript came back', stdout);
  expectChat(ai, 'What is the capital of France?');
  expect(reply.seconds > 0.5, 'no reply was heard', stdout);
  return `greeting ${greeting.seconds} s, speech ${sound!.seconds.toFixed(1)} s to the STT, reply ${reply.seconds} s`;
}

/** The greeting was asked for, and then the user's words reached the LLM, in one conversation. */
function expectChat(ai: LocalAi, words: string): number {
  const chats = ai.journal.filter(({ path, stream }) => path.endsWith('/chat/completions') && stream);
  const asked = chats.at(-1)?.messages ?? [];
  const seen = JSON.stringify(chats, null, 1);
  expect(chats.length >= 2, 'the LLM was asked less than twice', seen);
  expect(
    asked.some(message => message.role === 'user' && textOf(message).includes(words)),
    'the user was not heard',
    seen,
  );
  expect(
    asked.some(({ role }) => role === 'assistant'),
    'the greeting is not part of the conversation',
    seen,
  );
  return chats.length;
}

function expect(condition: boolean, problem: string, seen: string): asserts condition {
  if (!condition) throw new Error(`${problem}\n${lastLines(seen)}`);
}

/** A port that is free now. */
function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
