import { delimiter, join } from 'node:path';
import { type Facts, valueFor } from '../../check/checks/facts.ts';

/** What asks a bot to report when it has finished an answer, and what stops one. */
export const SETTLE = 'botcli-settle';
export const INTERRUPT = 'botcli-interrupt';

/**
 * The code that a bot loads next to its own in `talk` and `test`, to know for sure when an answer is over. No message
 * of the framework's says so: a tool ends one response and begins another, or none. Everything in the pipeline has been
 * processed once a probe has passed through it. A speech-to-speech service answers outside of the pipeline, so what it
 * owes is counted.
 */
const CODE = `"""Says when the bot has finished an answer, and lets it wait. botcli deletes this file at the end."""

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
            case "${SETTLE}":
                await settle(worker, watch, bool((message.data or {}).get("greets")))
                await rtvi.push_frame(RTVIServerResponseFrame(client_msg=message, data={}))
            case "${INTERRUPT}":
                await rtvi.interrupt_bot()
`;

/** This code as a file in a directory, and the variable that makes a bot load it in addition to the user's own. */
export function setupFile(directory: string, { env }: Facts) {
  const path = join(directory, 'botcli_settling.py');
  const files = [valueFor('PIPECAT_SETUP_FILES', env), path].filter(Boolean).join(delimiter);
  return { path, code: CODE, env: { PIPECAT_SETUP_FILES: files } };
}
