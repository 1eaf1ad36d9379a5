import { appendFileSync, renameSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, resolve, sep } from 'node:path';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { explainSystemError, isSystemError, UserError } from '../errors.ts';
import { usualPorts } from '../project/client.ts';
import type { Terminal } from '../shell/terminal.ts';
import { withoutChatter } from './bot-log.ts';
import { commandIn, partsOf, untilReady } from './parts.ts';
import { describeEnding, startProcess } from './supervise.ts';
import type { Stop } from './surroundings.ts';

interface FreshBot {
  facts: Facts;
  log: ReturnType<typeof createLog>;
  command: 'talk' | 'test';
  /** Takes a line of its output. `gone` ends what the bot is used for, with an error. */
  onLine(line: string, gone: (error: UserError) => void): void;
}

/** Runs a bot on a free port while it's used. Throws if it never gets ready, or ends, which also aborts `within`. */
export async function withFreshBot<Result>(
  { facts, log, command, onLine }: FreshBot,
  stop: Stop,
  terminal: Terminal,
  use: (url: string, within: Stop, port: number) => Promise<Result>,
): Promise<Result> {
  const port = await anyPort();
  const ports = { ...usualPorts(facts.project.config), bot: port };
  const [part] = partsOf(facts.project.config, ports, { startedBy: command });
  if (!part) throw new Error('no bot');
  const failure = (message: string) => {
    const problems = withoutChatter(bot.lastLines).map(terminal.hidden.inError);
    return new UserError(message, { reason: 'part-ended', problems });
  };
  const gone = new AbortController();
  let isReady = false;
  const path = join(log.directory, 'botcli_settling.py');
  await writeFile(path, SETTLING);
  // The user may have such files, too.
  const files = [valueFor('PIPECAT_SETUP_FILES', facts.env), path].filter(Boolean).join(delimiter);
  const order = commandIn(facts, { ...part, env: { ...part.env, PIPECAT_SETUP_FILES: files } }, terminal);
  const bot = startProcess(order, lines => {
    log.take(lines);
    for (const line of lines) onLine(line, error => gone.abort(error));
    return undefined;
  });
  bot.ended.then(ending => {
    const during = command === 'talk' ? 'during the conversation' : 'during the conversations';
    gone.abort(failure(`The bot ended ${isReady ? during : 'before it was ready'}, ${describeEnding(ending)}`));
  });
  // What talks to a bot that is gone has nothing to end well.
  const within = {
    signal: AbortSignal.any([stop.signal, gone.signal]),
    hurry: AbortSignal.any([stop.hurry, gone.signal]),
  };
  try {
    isReady = await untilReady(port, () => within.signal.aborted, terminal);
    within.signal.throwIfAborted();
    if (!isReady) throw failure(`The bot didn't answer on port ${port} within 2 minutes`);
    return await use(`ws://localhost:${port}/ws`, within, port);
  } catch (error) {
    await bot.stop(stop);
    // What the bot said about it has arrived now.
    const why = faultIn(bot.lastLines, facts);
    if (!(error instanceof UserError && error.reason === 'part-ended' && error.problems.length === 0 && why))
      throw error;
    throw error.withMessage(error.message, { problems: [terminal.hidden.inError(why)] });
  } finally {
    await bot.stop(stop);
    await rm(path, { force: true });
  }
}

/** A port that nothing listens on. */
const anyPort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** The line with the last error of a program of Python, after its traceback; -1 if there is none. */
export const pythonErrorAt = (lines: readonly string[]): number =>
  lines.findLastIndex(line => /^[\w.]+(?:Error|Exception)\b/.test(line));

/** The last error in a log of Python, with its place in the project. */
function faultIn(lines: readonly string[], { project: { root } }: Facts): string | undefined {
  const end = pythonErrorAt(lines);
  const places = lines.slice(0, Math.max(0, end)).flatMap(line => {
    const [, path = '', at] = /^ +File "(.+)", line (\d+)/.exec(line) ?? [];
    const name = relative(root, path).split(sep).join('/');
    return path && !/^\.\.|\.venv/.test(name) ? [`(${name}, line ${at})`] : [];
  });
  return lines[end] && [lines[end], ...places.slice(-1)].join(' ');
}

/** A directory for a command's log of the bot, outside the project. */
export async function makeDirectory({ cwd, env }: Terminal, command = 'test'): Promise<string> {
  // The framework runs in another directory.
  const parent = resolve(cwd, tmpdir());
  try {
    return await mkdtemp(join(parent, `botcli-${command}-`));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const [name = 'TMPDIR'] = ['TMPDIR', 'TMP', 'TEMP'].filter(one => env[one]);
    throw new UserError(`Can't create a directory for the bot's log in "${parent}": ${explainSystemError(error)}`, {
      reason: 'disk',
      hint: `Set ${name} to another directory for temporary files.`,
    });
  }
}

/** How long a log may get before it begins again, in bytes. What was in it is kept once, next to it. */
const MOST_BYTES = 32 * 2 ** 20;

/** Writes a bot's output into a file of at most `most` bytes in a directory. A full disk doesn't end the bot. */
export function createLog(directory: string, most = MOST_BYTES) {
  const path = join(directory, 'bot.log');
  let size = 0;
  let problem: string | undefined;
  const write = (text: string) => {
    if (problem !== undefined) return;
    const more = Buffer.byteLength(text);
    try {
      if (size > 0 && size + more > most) {
        renameSync(path, `${path}.1`);
        size = 0;
      }
      appendFileSync(path, text);
      size += more;
    } catch (error) {
      problem = explainSystemError(error);
    }
  };
  // It's there even if the bot says nothing.
  write('');
  return {
    directory,
    path,
    take(lines: readonly string[]): void {
      write(`${lines.join('\n')}\n`);
    },
    get place(): string {
      return problem === undefined ? `The bot's log is ${path}` : `The bot's log ${path} is incomplete: ${problem}`;
    },
  };
}

/** The messages that ask a bot to report when it has finished an answer, and to stop one. */
export const PROBES = { settle: 'botcli-settle', interrupt: 'botcli-interrupt' };

/**
 * The code that a bot loads next to its own in `talk` and `test`, to know for sure when an answer is over. No message
 * of the framework's says so: a tool ends one response and begins another, or none. Everything in the pipeline has been
 * processed once a probe has passed through it. A speech-to-speech service answers outside of the pipeline, so what it
 * owes is counted.
 */
const SETTLING = `"""Says when the bot has finished an answer, and lets it wait. botcli deletes this file at the end."""

import asyncio

from pipecat.frames import frames
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameDirection
from pipecat.processors.frameworks.rtvi.frames import RTVIServerResponseFrame
from pipecat.services.llm_service import LLMService
from pipecat.services.stt_service import STTService
from pipecat.services.tts_service import TTSService
from pipecat.workers.runner import WorkerRunner

# How many seconds a bot has to begin its greeting, and how often to look whether it's still busy.
GREETING = 2
POLL = 0.02
FOREVER = 86_400


class Marker(frames.SystemFrame):
    """Reaches the observer after everything that was pushed before it."""

    def __init__(self):
        super().__init__()
        self.seen = asyncio.Event()


class Watch(BaseObserver):
    """Knows what the bot was asked for and hasn't finished."""

    def __init__(self):
        super().__init__()
        self.count = 0
        self._asked = self._taken = self._answered = 0
        self._calls = set()
        self._is_answering = self._is_speaking = False

    @property
    def is_busy(self) -> bool:
        is_owed = self._answered < self._asked or self._is_answering
        return is_owed or bool(self._calls) or self._is_speaking

    async def on_push_frame(self, data: FramePushed) -> None:
        frame, is_new = data.frame, data.first_push
        if isinstance(frame, frames.LLMContextFrame):
            # Others get it, too, to know what was said.
            is_new = isinstance(data.destination, LLMService)
        is_copy = frame.broadcast_sibling_id and data.direction is not FrameDirection.DOWNSTREAM
        if is_copy or not is_new:
            return
        match frame:
            case Marker():
                frame.seen.set()
                return
            case frames.LLMContextFrame() | frames.InputTextRawFrame():
                self._asked += 1
            case frames.LLMMessagesAppendFrame(run_llm=True):
                self._asked += 1
            case frames.LLMFullResponseStartFrame():
                self._taken, self._is_answering = self._asked, True
            case frames.LLMFullResponseEndFrame():
                self._answered = max(self._answered, self._taken)
                self._is_answering = False
            case frames.ErrorFrame() if not isinstance(frame.processor, STTService | TTSService):
                self._answered, self._is_answering = self._asked, False
            case frames.InterruptionFrame():
                self._answered = self._asked
                self._is_answering = self._is_speaking = False
            case frames.FunctionCallInProgressFrame():
                self._calls.add(frame.tool_call_id)
            case frames.FunctionCallCancelFrame():
                self._calls.discard(frame.tool_call_id)
            case frames.FunctionCallResultFrame():
                if not frame.properties or frame.properties.is_final:
                    self._calls.discard(frame.tool_call_id)
            case frames.TTSStartedFrame() | frames.BotStartedSpeakingFrame():
                self._is_speaking = True
            case frames.BotStoppedSpeakingFrame():
                self._is_speaking = False
            case _:
                return
        self.count += 1


async def settle(worker: PipelineWorker, watch: Watch, greets: bool) -> None:
    """Wait until nothing is on its way, and nothing is owed."""
    for _ in range(int(GREETING / POLL)):
        if watch.count or not greets:
            break
        await asyncio.sleep(POLL)
    while True:
        before = watch.count
        await worker.flush_pipeline(timeout=FOREVER)
        marker = Marker()
        await worker.rtvi.push_frame(marker)
        await marker.seen.wait()
        if not watch.is_busy and watch.count == before:
            return
        while watch.is_busy:
            await asyncio.sleep(POLL)


async def setup_worker_runner(runner: WorkerRunner) -> None:
    """Do nothing. The framework warns if this is missing."""


async def setup_pipeline_worker(worker: PipelineWorker) -> None:
    """Answer botcli's messages."""
    # The framework knows only speech: to it, a person who types is idle, and the call ends.
    worker._cancel_on_idle_timeout = False
    watch = Watch()
    worker.add_observer(watch)

    @worker.rtvi.event_handler("on_client_message")
    async def on_client_message(rtvi, message):
        match message.type:
            case "${PROBES.settle}":
                await settle(worker, watch, bool((message.data or {}).get("greets")))
                await rtvi.push_frame(RTVIServerResponseFrame(client_msg=message, data={}))
            case "${PROBES.interrupt}":
                await rtvi.interrupt_bot()
`;
