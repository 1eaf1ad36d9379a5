"""A phone call with scripted services, for the guard of a bot that transcribes, thinks and speaks.

The frames are the framework's, in the order in which its services push them. The clock jumps from
event to event, so a call of minutes takes milliseconds.
"""

import asyncio
import time
from types import ModuleType

from pipecat.frames import frames
from pipecat.observers.base_observer import FramePushed
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

LETTERS_PER_SECOND = 16
VAD_START, VAD_STOP = 0.2, 0.2

# How long a service takes that never answers.
FOREVER = 1_000_000


class Socket:
    """A connection that answers pings, or doesn't."""

    def __init__(self):
        self.pong: float = 0

    async def ping(self) -> asyncio.Future:
        """Send a ping, and return what waits for its answer."""
        return asyncio.ensure_future(asyncio.sleep(self.pong))


class SpeechToText(FrameProcessor):
    """Answers each utterance, or streams, or is silent."""

    def __init__(self):
        super().__init__()
        self.seconds = 0.5
        self.error: frames.ErrorFrame | None = None
        self._websocket = self.socket = Socket()

    async def run_stt(self, audio: bytes):
        """Answer a request: without words, because they are scripted."""
        await asyncio.sleep(self.seconds)
        yield self.error


class Voice(FrameProcessor):
    """Speaks what the bot says, or is silent."""

    def __init__(self, call: "Call"):
        super().__init__()
        self._register_event_handler("on_tts_request", sync=True)
        self._call = call
        self.seconds = 0.3

    async def queue_frame(self, frame: frames.Frame, *_args) -> None:
        """Speak the guard's sentences."""
        assert isinstance(frame, frames.TTSSpeakFrame)
        self._call.start(self.speak(frame.text))

    async def speak(self, text: str) -> None:
        """Speak, and let the caller hear it."""
        await self._call_event_handler("on_tts_request", "context", text)
        await asyncio.sleep(self.seconds)
        await self._call.push(frames.TTSAudioRawFrame(b"", 8000, 1))
        await self._call.push(frames.BotStartedSpeakingFrame())
        self._call.heard.append((round(self._call.now, 1), text))
        await asyncio.sleep(len(text) / LETTERS_PER_SECOND)
        await self._call.push(frames.BotStoppedSpeakingFrame())


class Call:
    """A call, and what the caller hears in it. It's also the guard's worker and runner."""

    def __init__(self, guard: ModuleType):
        self.heard: list[tuple[float, str]] = []
        self.hung_up_at: float | None = None
        self.problems: list[str] = []
        self._tasks: set[asyncio.Task] = set()
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda _loop, what: self.problems.append(str(what)))
        self.stt, self.llm, self.tts = SpeechToText(), FrameProcessor(), Voice(self)
        self.retry = asyncio.Event()
        guard.time = time = ModuleType("time")
        time.monotonic = self._loop.time
        self.guard = guard.CallGuard(self, self, stt=self.stt, llm=self.llm, tts=self.tts)

    @property
    def now(self) -> float:
        """The seconds since the call began."""
        return self._loop.time()

    def start(self, work) -> asyncio.Task:
        """Do something meanwhile."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        return task

    async def until(self, at: float) -> None:
        """Wait until this second of the call."""
        await asyncio.sleep(max(0, at - self.now))

    async def push(self, frame: frames.Frame, source: FrameProcessor | None = None) -> None:
        """Let the guard see a frame."""
        source = source or self.llm
        down = FrameDirection.DOWNSTREAM
        await self.guard.on_push_frame(FramePushed(source, self.tts, frame, down, self.now))

    async def queue_frame(self, frame: frames.Frame) -> None:
        """Take a frame as the worker."""
        match frame:
            case frames.TTSSpeakFrame():
                await self.tts.queue_frame(frame)
            case frames.LLMRunFrame():
                self.retry.set()
            case _:
                await self.push(frame)

    async def queue_frames(self, queued: list[frames.Frame]) -> None:
        """Take frames as the worker."""
        for frame in queued:
            await self.queue_frame(frame)

    async def cancel(self) -> None:
        """Hang up as the runner."""
        self.hung_up_at = self.hung_up_at or self.now

    async def sound(
        self, seconds: float, words: str = "", *, interim: str = "", interrupts: bool = True
    ) -> None:
        """Something sounds like speech for some time. Perhaps it has words."""
        await asyncio.sleep(VAD_START)
        start = frames.VADUserStartedSpeakingFrame(start_secs=VAD_START, timestamp=self.now)
        await self.push(start)
        if interrupts:
            await self.push(frames.InterruptionFrame())
        if interim:
            await self.push(frames.InterimTranscriptionFrame(interim, "", ""), self.stt)
        await asyncio.sleep(seconds - VAD_START + VAD_STOP)
        stop = frames.VADUserStoppedSpeakingFrame(stop_secs=VAD_STOP, timestamp=self.now)
        await self.push(stop)
        transcribing = self.start(self._transcribe(words))
        if words:
            await transcribing

    async def _transcribe(self, words: str) -> None:
        async for _ in self.stt.run_stt(b""):
            if words:
                await self.push(frames.TranscriptionFrame(words, "", ""), self.stt)

    async def think(self, seconds: float, text: str = "", *, end: bool = True) -> None:
        """The model gets a request, and writes some text, or nothing."""
        await self.push(frames.LLMFullResponseStartFrame())
        await asyncio.sleep(seconds)
        if text:
            await self.push(frames.LLMTextFrame(text))
        if end:
            await self.push(frames.LLMFullResponseEndFrame())
        if text.strip():
            await self.tts.speak(text)

    async def use_tool(self, thinks: float, takes: float) -> None:
        """The model calls a tool, without words, and the tool returns."""
        call = frames.FunctionCallFromLLM("look_up", "call", {}, None)
        await self.push(frames.LLMFullResponseStartFrame())
        await asyncio.sleep(thinks)
        await self.push(frames.FunctionCallsStartedFrame([call]))
        await self.push(frames.LLMFullResponseEndFrame())
        await asyncio.sleep(takes)
        await self.push(frames.FunctionCallResultFrame("look_up", "call", {}, "42"))

    async def fail(self, service: FrameProcessor, text: str) -> None:
        """A service reports an error."""
        await self.push(frames.ErrorFrame(text, processor=service), service)
