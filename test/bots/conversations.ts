import { existsSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as evals from './conversations/evals.ts';
import * as failures from './conversations/failures.ts';
import * as phone from './conversations/phone.ts';
import * as pictures from './conversations/pictures.ts';
import * as realtime from './conversations/realtime.ts';
import * as records from './conversations/records.ts';
import * as rooms from './conversations/rooms.ts';
import * as spoken from './conversations/spoken.ts';
import { expect } from './expect.ts';
import type { Level } from './levels.ts';
import { type Environment, run, runWell } from './processes.ts';
import { makeProject, OPENAI, type Project, QUICKSTART, REALTIME } from './projects.ts';
import { prepareAhead, type Report, setUp } from './report.ts';
import { explain, fillVariables, type StartedBot, startBot, startInVain } from './running-bot.ts';
import type { StandInProgram } from './stand-in.ts';
import { type Conversation, pythonOf } from './talk.ts';
import { cleanEnvironment, listVariables, runUv, WORKSHOP } from './workshop.ts';

/** A bot, the checks before it runs, and the conversations with it. A conversation that leaves a session open comes last. */
interface Bot extends Project {
  /** The stand-ins for providers that the local AI doesn't replace. */
  standIns?: readonly StandInProgram[];
  checks?: Record<string, (server: string) => Promise<string>>;
  conversations: Record<string, Conversation>;
  /** Whether `botcli dev --tunnel` starts it. */
  byDev?: boolean;
}

const LOCAL = { ...OPENAI, transports: ['rtc_local'] };
const SPEECH_TO_SPEECH = { ...REALTIME, transports: ['rtc_local'] };
const RECORDS = { recording: true, transcription: true, enable_observability: true, enable_noisecancel: true };
const PICTURES = { video_input: true, video_output: true };

/** A service for each way of taking typed text. */
const TYPED_TO: Record<string, StandInProgram> = {
  inworld_realtime: realtime.realtimeAi,
  openai_realtime: realtime.realtimeAi,
  ultravox_realtime: realtime.ultravoxAi,
  xai_realtime: realtime.realtimeAi,
};

const callsBy = (provider: string): Record<string, Conversation> => ({
  'holds a call': phone.callBy(provider),
  'stops when the caller interrupts': phone.interruptBy(provider),
});

const noisyCalls = (mode: 'cascade' | 'realtime', conversations: Record<string, Conversation>): Bot => ({
  name: `noisy-${mode}`,
  config: { ...(mode === 'cascade' ? OPENAI : REALTIME), transports: ['tel_a', 'tel_b', 'tel_c', 'tel_d'] },
  standIns: mode === 'realtime' ? [failures.moodyAi] : [],
  conversations,
});

const A_MINUTE_OF_NOISE = { 'stays on the line in a noisy place': failures.surviveNoise(55) };

/** Each provider's calls from each noisy place, of five minutes. */
const FIVE_MINUTES_OF_NOISE = Object.fromEntries(
  [0, 1, 2, 3].map(shift => [`stays on the line, round ${shift + 1}`, failures.surviveNoise(290, shift)]),
);

const BOTS: Bot[] = [
  // Those that take longest come first, but only one of them has four calls at once.
  noisyCalls('cascade', A_MINUTE_OF_NOISE),
  {
    name: 'failing-phone',
    config: { ...OPENAI, transports: ['tel_a'] },
    checks: { 'hangs up for failures, and not for silence': failures.judgeCalls },
    conversations: { 'leaves nobody in silence when a service fails': failures.surviveCascade },
  },
  {
    ...QUICKSTART,
    conversations: {
      'talks over WebRTC': spoken.talkOverWebRtc,
      'stops when it is interrupted': spoken.interrupt,
      'greets everyone once': spoken.greetOnce,
      'goes on after an error': failures.goOn,
    },
    checks: {
      'uses an exported variable that .env leaves empty': useExported,
      'says in a session which variables are missing': nameMissingInSession,
      'writes down the rest of a call when a full disk has room again': fillDisk,
    },
  },
  {
    name: 'tel_a',
    config: { ...OPENAI, transports: ['tel_a', 'rtc_local'], enable_eval: true },
    conversations: {
      ...callsBy('twilio'),
      'answers three calls at once': phone.callThreeAtOnce,
      'talks over WebRTC': spoken.talkOverWebRtc,
      'passes its text evals': evals.passTextEvals,
    },
  },
  // They differ from the first one only in the protocol of the call.
  ...Object.entries({ tel_b: 'telnyx', tel_c: 'plivo', tel_d: 'exotel' }).map(([name, provider]) => ({
    name,
    config: { ...OPENAI, transports: [name, 'rtc_local'] },
    conversations: callsBy(provider),
    byDev: name === 'tel_b',
  })),
  {
    name: 'realtime-phone',
    config: { ...REALTIME, transports: ['tel_a', 'rtc_local'] },
    standIns: [failures.moodyAi],
    checks: { 'hangs up for failures, and not for silence': failures.judgeSessions },
    conversations: {
      'holds a call': phone.callInRealtime,
      'leaves nobody in silence when its service fails': failures.surviveRealtime,
      'reports an error once': failures.reportOnce,
    },
  },
  {
    name: 'daily-dial-in',
    config: { ...OPENAI, transports: ['rtc_hosted_pstn_dialin', 'rtc_local'] },
    standIns: [rooms.rooms()],
    conversations: { 'takes a call': rooms.takeDailyCall, 'talks over WebRTC': spoken.talkOverWebRtc },
  },
  {
    name: 'sip-dial-in',
    config: { ...OPENAI, transports: ['tel_a_rtc_sip_dialin'] },
    standIns: [rooms.rooms()],
    checks: {
      'apologizes to a caller when the bot is not running': rooms.apologize,
      'requires the key of a deployed bot': rooms.missKey,
      'starts a deployed bot': rooms.startDeployed,
    },
    conversations: { 'takes a call': rooms.takeSipCall },
  },
  {
    name: 'daily-dial-out',
    config: { ...OPENAI, transports: ['rtc_hosted_pstn_dialout', 'rtc_hosted'], enable_eval: true },
    standIns: [rooms.refusingRooms],
    conversations: {
      'calls somebody': rooms.dialOut({ phone_number: '+15550002222', caller_id: 'number-1' }),
      'passes its text evals': evals.passTextEvals,
    },
  },
  // Their project is installed once.
  ...Object.entries(rooms.FAILING_CALLS).map(([about, [standIn, fail]]) => ({
    name: 'dial-out',
    config: { ...OPENAI, transports: ['rtc_hosted_pstn_dialout'] },
    standIns: [standIn],
    conversations: { [about]: fail },
  })),
  ...['openai_realtime', 'ultravox_realtime'].map(id => ({
    name: `dial-out-${id}`,
    config: { ...REALTIME, realtime_service: id, transports: ['rtc_hosted_pstn_dialout'], transcription: true },
    standIns: [rooms.roomsThatListen, TYPED_TO[id] as StandInProgram],
    conversations: { 'speaks first in the call': rooms.openCall },
  })),
  ...Object.entries(TYPED_TO).map(([id, standIn]) => ({
    name: `typed-${id}`,
    config: { ...SPEECH_TO_SPEECH, realtime_service: id },
    standIns: [realtime.longWinded(standIn)],
    // The framework doesn't cancel a reply that Inworld is still producing.
    conversations: { 'answers what is typed': realtime.typeTo({ interrupt: id !== 'inworld_realtime' }) },
  })),
  {
    name: 'sip-dial-out',
    config: { ...OPENAI, transports: ['tel_a_rtc_sip_dialout'] },
    standIns: [rooms.refusingRooms],
    conversations: { 'calls somebody': rooms.dialOut({ sip_uri: 'sip:+15550002222@me.sip.twilio.com' }) },
  },
  noisyCalls('realtime', A_MINUTE_OF_NOISE),
  {
    name: 'german',
    config: { ...LOCAL, language: 'de', enable_eval: true },
    conversations: { 'talks in German': spoken.talkIn('de', 'German'), 'passes its text evals': evals.passTextEvals },
  },
  {
    name: 'brazilian',
    config: { ...LOCAL, language: 'pt-BR' },
    conversations: { 'talks in Portuguese': spoken.talkIn('pt', 'Brazilian Portuguese') },
  },
  {
    name: 'german-realtime',
    config: { ...SPEECH_TO_SPEECH, language: 'de' },
    standIns: [realtime.realtimeAi],
    conversations: { 'talks in German': spoken.talkInRealtimeIn('German', '"language":"de"') },
  },
  {
    name: 'japanese-ultravox',
    config: { ...SPEECH_TO_SPEECH, realtime_service: 'ultravox_realtime', language: 'ja' },
    standIns: [realtime.ultravoxAi],
    conversations: { 'talks in Japanese': spoken.talkInRealtimeIn('Japanese', '"languageHint":"ja"') },
  },
  {
    name: 'evals',
    config: { ...LOCAL, enable_eval: true },
    conversations: {
      'passes and fails as botcli test reports it': evals.passTests,
      'ends as botcli test should': evals.endTests,
      'answers in text, as botcli talk shows it': evals.talkInText,
      'passes its simulation': evals.passSimulation,
      'passes its audio evals': evals.passAudioEvals,
    },
  },
  {
    name: 'records',
    config: { ...LOCAL, ...RECORDS },
    standIns: [records.traces],
    checks: { 'filters noise only in the cloud': filterNoise },
    conversations: {
      'records two sessions at once': records.recordTwoAtOnce,
      'ends with Ctrl-C': records.stopWith(1),
      'ends with Ctrl-C, pressed twice': records.stopWith(2),
      'keeps its recording when it is killed': records.survivesKill,
    },
  },
  {
    name: 'avatar',
    config: { ...LOCAL, video_service: 'simli_video' },
    standIns: [{ script: 'avatar_ai.py' }],
    conversations: { 'shows its avatar': pictures.appear },
  },
  {
    name: 'everything',
    config: { ...LOCAL, ...RECORDS, ...PICTURES, enable_eval: true },
    conversations: {
      'does it all in one conversation': pictures.doEverything,
      'works without a camera': pictures.missCamera,
    },
  },
  {
    name: 'realtime',
    config: { ...SPEECH_TO_SPEECH, ...RECORDS, ...PICTURES, enable_eval: true },
    standIns: [realtime.realtimeAi],
    conversations: {
      'talks and sees': realtime.talkInRealtime,
      'passes its audio evals': evals.passAudioEvals,
      'passes its text evals': evals.passTypedEvals,
      'answers in text, as botcli talk shows it': evals.talkInTextInRealtime,
    },
  },
];

/** How many bots have a conversation at once. They mostly wait, but a busy machine distorts sound. */
const AT_ONCE = 3;

/** Level 3: generates each bot, installs it, starts it with the framework's own runner, and talks to it. */
export const holdConversations: Level = (report, only) => holdAll(BOTS, report, only);

/** Level 4: the calls of five minutes. */
export const holdLongCalls: Level = (report, only) =>
  holdAll(
    (['cascade', 'realtime'] as const).map(mode => noisyCalls(mode, FIVE_MINUTES_OF_NOISE)),
    report,
    only,
  );

async function holdAll(all: readonly Bot[], report: Report, only?: string): Promise<void> {
  const prepared = new Map<string, Promise<string | undefined>>();
  const started = new Set<string>();
  await prepareAhead(
    all.filter(({ name }) => !only || only === name),
    bot => {
      const server = prepared.get(bot.name) ?? prepare(report, bot, started);
      prepared.set(bot.name, server);
      return server;
    },
    async (bot, server) => {
      if (server) await converse(report, bot, server);
    },
    AT_ONCE,
  );
}

/** Holds a bot's conversations, in one process as long as each conversation leaves it running without a session. */
async function converse(report: Report, { name, standIns, conversations, byDev }: Bot, server: string): Promise<void> {
  let bot: StartedBot | undefined;
  for (const [about, hold] of Object.entries(conversations)) {
    const passed = await report.converse(name, about, async ({ isSecond, logs }) => {
      if (isSecond || !(await bot?.renew())) {
        await bot?.close();
        bot = undefined;
        const log = `${name} ${about}${isSecond ? ' again' : ''}`.replaceAll(/[ ,]+/g, '-');
        bot = await setUp(startBot({ name: log, server, standIns, byDev }));
      }
      const running = bot as StartedBot;
      logs.push(running.logFile);
      return explain(running, () => hold(running));
    });
    if (passed) continue;
    await bot?.close();
    bot = undefined;
  }
  await bot?.close();
}

/**
 * Generates a bot, installs it, fills in its keys and makes the checks that need no conversation, all in the background.
 * Returns its `server/`, or undefined if it can't be installed.
 *
 * @param started The ways to start a bot that were tried without its variables: one bot of each is enough.
 */
async function prepare(report: Report, { name, config, checks = {} }: Bot, started: Set<string>) {
  let server = '';
  const installed = await report.check(name, 'generates and installs', async () => {
    server = join(await makeProject({ name, config }, join(WORKSHOP, 'running')), 'server');
    await runUv(['sync', '--quiet'], server);
    return 'uv sync';
  });
  if (!installed) return undefined;
  const starts = startsOf(server);
  const kind = JSON.stringify(starts);
  if (!started.has(kind)) await report.check(name, 'reports missing variables', () => nameMissing(server, starts));
  started.add(kind);
  await fillVariables(server);
  for (const [about, check] of Object.entries(checks)) await report.check(name, about, () => check(server));
  return server;
}

/** `.env` as it was copied leaves the keys empty. They may be exported instead, but not be missing. */
async function useExported(server: string): Promise<string> {
  const { required } = await listVariables(server);
  await copyFile(join(server, '.env.example'), join(server, '.env'));
  const start = (env: Environment) => startInVain(server, 'bot.py', env, ['--help']);
  const exported = await start(Object.fromEntries(required.map(name => [name, 'test'])));
  expect(exported.code === 0, `exit code ${exported.code}`, exported.stdout + exported.stderr);
  const without = await start({});
  expect(without.code === 1, `exit code ${without.code} without them`, without.stdout + without.stderr);
  await fillVariables(server);
  return required.join(', ');
}

/** In the cloud, `bot.py` isn't the program that starts: a session reports what is missing. */
async function nameMissingInSession(server: string): Promise<string> {
  const { all, required } = await listVariables(server);
  const command = [pythonOf(server), '-c', 'import asyncio, bot; asyncio.run(bot.bot(None))'];
  const { stderr } = await run(command, { cwd: server, env: cleanEnvironment(all) });
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const isWhole = ['secrets of a deployed bot', ...required].every(name => said.includes(name));
  expect(isWhole, 'another error', stderr);
  return said;
}

/** To a process that may write only so many bytes into a file, the disk is full. */
const FULL_DISK = `
import journal, resource
path, unwritten = journal.CALLS / "full.jsonl", bytearray()
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
lines = [letter * 600 for letter in "abc"]
for limit, line in zip((1000, 1000, most), lines):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    journal.append(path, unwritten, line)
    print(path.stat().st_size)
print(path.read_text() == "".join(lines))
path.unlink()
`;

async function fillDisk(server: string): Promise<string> {
  const { stdout, stderr } = await runWell([pythonOf(server), '-c', FULL_DISK], {
    cwd: server,
    env: cleanEnvironment(),
  });
  expect(stdout === '600\n1000\n1800\nTrue\n', 'another file', stdout + stderr);
  expect(stderr.match(/calls\/ is incomplete: /g)?.length === 1, 'no warning, or several', stderr);
  return '600, 1000 and 1800 bytes';
}

/** Only the cloud's image has the SDK of the noise filter: in its place, the filter gets one that does nothing. */
const FILTERS = `
import os, sys
from types import SimpleNamespace
from unittest.mock import MagicMock
sys.modules["krisp_audio"] = sdk = MagicMock()
sdk.getVersion.return_value = SimpleNamespace(major=1, minor=11, patch=0)
import bot
open("model.kef", "w").close()
os.environ["KRISP_VIVA_FILTER_MODEL_PATH"] = "model.kef"
for place in ("local", "production"):
    os.environ["ENV"] = place
    print(type(bot.noise_filter()).__name__)
os.remove("model.kef")
`;

/** There is no noise filter on this machine. In the cloud, it's the framework's. */
async function filterNoise(server: string): Promise<string> {
  const { stdout } = await runWell([pythonOf(server), '-c', FILTERS], { cwd: server, env: cleanEnvironment() });
  expect(stdout === 'NoneType\nKrispVivaFilter\n', `the filters are ${stdout}`);
  return 'none here; KrispVivaFilter in the cloud';
}

/** The ways to start a project: each program with its arguments. For one transport, the bot asks for what that needs. */
function startsOf(server: string): { name: string; args: string[] }[] {
  const programs = ['bot.py', 'server.py'].filter(name => existsSync(join(server, name)));
  const table = /^TRANSPORT_ENV.*?\}$/ms.exec(readFileSync(join(server, 'bot.py'), 'utf8'))?.[0] ?? '';
  const transports = [...table.matchAll(/"(\w+)": \["/g)].map(([, key = '']) => ['-t', key]);
  return [...programs.map(name => ({ name, args: [] })), ...transports.map(args => ({ name: 'bot.py', args }))];
}

/** Without any keys, each program reports in one message which variables are missing and where to set them. */
async function nameMissing(server: string, starts: ReturnType<typeof startsOf>): Promise<string> {
  const { required } = await listVariables(server);
  const messages: string[] = [];
  for (const { name, args } of starts) {
    const { code, stdout, stderr } = await startInVain(server, name, {}, args);
    const said = stdout + stderr;
    expect(code !== 0, `exit code ${code}`, said);
    expect(!said.includes('Traceback'), 'a traceback', said);
    messages.push(said.split('\n').find(line => line.includes('.env')) ?? '');
  }
  for (const name of required) expect(messages.join().includes(name), `${name} is not named`, messages.join('\n'));
  return messages.join(' | ');
}
