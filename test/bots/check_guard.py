"""Plays scripted phone calls to the guard of a bot, and prints what callers hear wrongly.

    check_guard.py answers|pings|nothing|slow|realtime GUARD

It runs in the virtual environment of a project with phone calls, in `server/`. The first word is how the guard learns
that speech-to-text works, or that the services run on the bot's own computer, and may take long, or that there is one
service for all. The frames are the framework's, in the order in which its services push them. The clock jumps from
event to event, so a call of minutes takes milliseconds. A call is a list of steps; each waits until it's over.
"""

import asyncio
import importlib.util
import json
import selectors
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from loguru import logger
from pipecat.frames import frames
from pipecat.observers.base_observer import FramePushed
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.utils.errors import ErrorCategory, classify_http_exception
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

# How long the voice detector takes to notice the beginning of a sound, and its end.
VAD_SECONDS = 0.2

# How long a service takes that never answers, and a call of five minutes.
FOREVER, MINUTES = 1_000_000, 300

# What callers hear: the guard's sentences, and others.
WAIT, REPEAT, GOODBYE, RESUME = "WAIT", "REPEAT", "GOODBYE", "RESUME"
GREETING, QUESTION, REPLY = "GREETING", "What is the capital of France?", "It is Paris."

Step = Callable[[Any], Awaitable[object]]


@dataclass
class Case:
    """A call, what its caller hears after the greeting, and the second until which the bot hangs up, if it does."""

    name: str
    steps: list[Step]
    heard: list[str]
    ends: float | None = None


class JumpingSelector(selectors.DefaultSelector):
    """Waits for nothing: it moves the clock instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list:
        ready = super().select(0)
        if not ready and timeout:
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop with such a clock."""

    def __init__(self):
        self._clock = JumpingSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


class Socket:
    """A connection that answers pings after some seconds."""

    pong: float = 0

    async def ping(self) -> asyncio.Future:
        return asyncio.ensure_future(asyncio.sleep(self.pong))


class GuardedCall:
    """A call, and what the caller hears in it."""

    def __init__(self, guard: ModuleType):
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda _loop, what: self.problems.append(str(what)))
        self._tasks: set[asyncio.Task] = set()
        self.heard: list[tuple[float, str]] = []
        self.hung_up_at: float | None = None
        self.problems: list[str] = []
        # What goes on during the next steps.
        self.meanwhile: asyncio.Task | None = None
        # By how much the wall clock is wrong.
        self.clock = 0
        guard.time = time = ModuleType("time")
        time.monotonic, time.time = self._loop.time, self.wall_clock

    @property
    def now(self) -> float:
        return self._loop.time()

    def wall_clock(self) -> float:
        return self.now + self.clock

    def start(self, work) -> asyncio.Task:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        return task

    async def play(self, steps: list[Step]) -> None:
        for step in steps:
            await step(self)

    def sound_starts(self) -> frames.Frame:
        return frames.VADUserStartedSpeakingFrame(start_secs=VAD_SECONDS, timestamp=self.wall_clock())

    def sound_stops(self) -> frames.Frame:
        return frames.VADUserStoppedSpeakingFrame(stop_secs=VAD_SECONDS, timestamp=self.wall_clock())


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("guard", path)
    assert spec and spec.loader
    guard = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(guard)
    return guard


def do(name: str, *args: Any, **more: Any) -> Step:
    """A step that a call has a method for."""
    return lambda call: getattr(call, name)(*args, **more)


def wait(seconds: float) -> Step:
    return lambda _call: asyncio.sleep(seconds)


def until(at: float) -> Step:
    """Wait until this second of the call."""
    return lambda call: asyncio.sleep(max(0, at - call.now))


def push(frame: frames.Frame, *more: Any) -> Step:
    return do("push", frame, *more)


def noise(seconds: float = 2, **more) -> Step:
    return do("sound", seconds, **more)


def become(**values: Any) -> Step:
    """Change a part of the call, such as `tts__seconds`."""

    async def step(call: GuardedCall) -> None:
        for name, value in values.items():
            *path, last = name.split("__")
            owner: Any = call
            for part in path:
                owner = getattr(owner, part)
            setattr(owner, last, value)

    return step


def meanwhile(*steps: Step) -> Step:
    """Begin these steps, and go on with the next ones."""

    async def step(call: GuardedCall) -> None:
        call.meanwhile = call.start(call.play(list(steps)))

    return step


async def finish(call: GuardedCall) -> None:
    """Wait until those steps are over."""
    assert call.meanwhile
    await call.meanwhile


async def stop(call: GuardedCall) -> None:
    """Cancel those steps."""
    assert call.meanwhile
    call.meanwhile.cancel()


def times(count: int, *steps: Step) -> Step:
    return lambda call: call.play(list(steps) * count)


def again(*steps: Step, to: float = MINUTES) -> Step:
    """Repeat steps until some second of the call."""

    async def step(call: GuardedCall) -> None:
        while call.now < to:
            await call.play(list(steps))

    return step


def play(path: str, kind: type[GuardedCall], opening: list[Step], case: Case) -> str:
    """Plays a call, and returns what is wrong with it, if anything."""
    guard = load(path)
    names = {getattr(guard, name): name for name in (WAIT, REPEAT, GOODBYE, RESUME) if hasattr(guard, name)}

    async def run() -> str:
        call = kind(guard)
        await call.play([*opening, until(5)])
        playing = call.start(call.play(case.steps))
        await until(2 * MINUTES)(call)
        if playing.done() and not playing.cancelled() and playing.exception():
            call.problems.append(repr(playing.exception()))
        said = [(at, names.get(text, text)) for at, text in call.heard[1:]]
        ends = call.hung_up_at is not None and call.hung_up_at <= (case.ends or call.hung_up_at)
        if [text for _, text in said] == case.heard and ends == (case.ends is not None) and not call.problems:
            return ""
        return f"{case.name}: {said}, hung up at {call.hung_up_at}, {call.problems}"

    loop = JumpingLoop()
    try:
        return loop.run_until_complete(run())
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


THANKS = "Goodbye, and thank you very much for your call."
LETTERS_PER_SECOND = 16


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

    def __init__(self, call: "CascadeCall"):
        super().__init__()
        self._register_event_handler("on_tts_request", sync=True)
        self._call = call
        self.seconds = 0.3

    async def speak(self, text: str) -> None:
        await self._call_event_handler("on_tts_request", "context", text)
        await asyncio.sleep(self.seconds)
        await self._call.push(frames.TTSAudioRawFrame(b"", 8000, 1))
        await self._call.push(frames.BotStartedSpeakingFrame())
        self._call.heard.append((round(self._call.now, 1), text))
        await asyncio.sleep(len(text) / LETTERS_PER_SECOND)
        await self._call.push(frames.BotStoppedSpeakingFrame())


class CascadeCall(GuardedCall):
    """A call whose services are scripted. It's also the guard's worker and runner."""

    def __init__(self, guard: ModuleType):
        super().__init__(guard)
        self.stt, self.llm, self.tts = SpeechToText(), FrameProcessor(), Voice(self)
        # As the guard speaks its sentences.
        self.tts.queue_frame = self.queue_frame
        self.retry = asyncio.Event()
        self.guard = guard.CallGuard(self, self, stt=self.stt, llm=self.llm, tts=self.tts)

    async def push(self, frame: frames.Frame, source: str = "llm") -> None:
        """Let the guard see a frame of a service."""
        down = FrameDirection.DOWNSTREAM
        await self.guard.on_push_frame(FramePushed(getattr(self, source), self.tts, frame, down, self.now))

    async def queue_frame(self, frame: frames.Frame, *_args) -> None:
        """Take a frame as the worker."""
        match frame:
            case frames.TTSSpeakFrame():
                self.start(self.tts.speak(frame.text))
            case frames.LLMRunFrame():
                self.retry.set()
            case _:
                await self.push(frame)

    async def queue_frames(self, queued: list[frames.Frame]) -> None:
        for frame in queued:
            await self.queue_frame(frame)

    async def cancel(self, reason: str) -> None:
        """Hang up as the runner."""
        self.hung_up_at = self.hung_up_at or self.now

    async def sound(self, seconds: float, words: str = "", *, interim: str = "", interrupts: bool = True) -> None:
        """Something sounds like speech for some time. Perhaps it has words."""
        await asyncio.sleep(VAD_SECONDS)
        await self.push(self.sound_starts())
        if interrupts:
            await self.push(frames.InterruptionFrame())
        if interim:
            await self.push(frames.InterimTranscriptionFrame(interim, "", ""), "stt")
        await asyncio.sleep(seconds)
        await self.push(self.sound_stops())
        transcribing = self.start(self._transcribe(words))
        if words:
            await transcribing

    async def _transcribe(self, words: str) -> None:
        async for _ in self.stt.run_stt(b""):
            if words:
                await self.push(frames.TranscriptionFrame(words, "", ""), "stt")

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

    async def speak(self, text: str) -> None:
        await self.tts.speak(text)

    async def use_tools(self, thinks: float, *takes: float) -> None:
        """The model calls tools at once, without words, and one after the other returns."""
        calls = [frames.FunctionCallFromLLM("look_up", f"{at}", {}, None) for at, _ in enumerate(takes)]
        await self.push(frames.LLMFullResponseStartFrame())
        await asyncio.sleep(thinks)
        await self.push(frames.FunctionCallsStartedFrame(calls))
        await self.push(frames.LLMFullResponseEndFrame())
        for at, seconds in enumerate(takes):
            await asyncio.sleep(seconds)
            await self.push(frames.FunctionCallResultFrame("look_up", f"{at}", {}, "42"))

    async def fail(self, service: str, text: str, category: ErrorCategory = ErrorCategory.UNKNOWN) -> None:
        error = frames.ErrorFrame(text, processor=getattr(self, service), category=category)
        await self.push(error, service)

    async def retries(self) -> None:
        await self.retry.wait()

    async def end(self) -> None:
        await self.guard.cleanup()

    async def break_stt(self) -> None:
        self.stt.error = frames.ErrorFrame("Error code: 500", processor=self.stt)


def say(words: str = QUESTION, **more) -> Step:
    return do("sound", 2, words, **more)


def think(seconds: float, text: str = REPLY, **more) -> Step:
    return do("think", seconds, text, **more)


def ask(thinks: float = 1) -> Step:
    """The caller asks something, and the bot answers."""
    return times(1, say(), think(thinks))


def tools(thinks: float, *takes: float) -> Step:
    return do("use_tools", thinks, *takes)


STARTS, ENDS = frames.LLMFullResponseStartFrame(), frames.LLMFullResponseEndFrame()
HEARD_IT = push(frames.TranscriptionFrame("What is the capital?", "", ""), "stt")
LLM_FAILS, STT_FAILS = do("fail", "llm", "Error code: 500"), do("fail", "stt", "Error code: 500")
BAD_MOMENT = [say(), push(STARTS), LLM_FAILS, push(ENDS), do("retries")]

CASCADES = [
    # Noise, silence and pauses are no failures.
    Case(
        "a crowd for minutes, and then a question", [ask(), again(noise(2.5), wait(4.5)), ask()], [REPLY, REPEAT, REPLY]
    ),
    Case("a distant voice for minutes", [again(noise(1.2), wait(2.8))], [REPEAT]),
    Case("coughs for minutes", [again(noise(0.5), wait(4.5))], []),
    Case("a silent caller", [until(MINUTES)], []),
    Case(
        "the bot's own echo",
        [
            step
            for at in (10, 30, 50)
            for step in (until(at), meanwhile(think(1)), until(at + 1.5), noise(1.2, interrupts=False), finish)
        ],
        [REPLY] * 3,
    ),
    Case(
        "lost words after each reply, twice within a minute",
        [noise(), until(20), ask(), noise(), until(80), ask(), noise()],
        [REPEAT, REPLY, REPLY, REPEAT],
    ),
    Case("a pause of 6 seconds in a number", [say("My number is 555"), wait(6), say("01 23"), think(1)], [REPLY]),
    Case("a model that gets the words late", [say("What is"), wait(8), think(1)], [REPLY]),
    Case(
        "final words before the end of the sound",
        [meanwhile(noise()), wait(1.8), HEARD_IT, finish, wait(6), think(1)],
        [REPLY],
    ),
    Case(
        "interim words whose final ones take 8 seconds",
        [noise(2, interim="What"), wait(8), HEARD_IT, think(1)],
        [REPLY],
    ),
    Case("interim words without final ones", [noise(2, interim="What")], [REPEAT]),
    Case("a fixed greeting, or none", [push(frames.ClientConnectedFrame()), do("speak", "Hello!")], ["Hello!"]),
    Case(
        "a clock that is corrected",
        [
            push(frames.VADUserStartedSpeakingFrame(VAD_SECONDS, timestamp=0)),
            push(frames.VADUserStoppedSpeakingFrame(VAD_SECONDS, timestamp=3600)),
        ],
        [],
    ),
    # Services and tools that take long.
    Case("a model that thinks for 12 seconds", [ask(thinks=12)], [WAIT, REPLY]),
    Case(
        "noise while the model thinks",
        [say(), meanwhile(think(12)), wait(1), noise(2, interrupts=False), finish],
        [WAIT, REPLY],
    ),
    Case(
        "a model that writes slowly",
        [
            *(say(), push(STARTS)),
            *(step for word in REPLY.split() for step in (push(frames.LLMTextFrame(word)), wait(10))),
            *(push(ENDS), do("speak", REPLY)),
        ],
        [WAIT, WAIT, REPLY],
    ),
    Case(
        "a model with long thoughts",
        [say(), meanwhile(think(17)), times(3, wait(5), push(frames.LLMThoughtTextFrame("Hm."))), finish],
        [WAIT, REPLY],
    ),
    Case("a tool of 40 seconds", [say(), tools(1, 40), think(1)], [WAIT, WAIT, REPLY]),
    Case("two tools in a row", [say(), tools(12, 2), tools(12, 2), think(1)], [WAIT, WAIT, REPLY]),
    Case(
        "a tool after words",
        [say(), think(1, "Let me look.", end=False), tools(0, 15), think(1)],
        ["Let me look.", WAIT, REPLY],
    ),
    Case("a tool after which the model isn't asked", [say("Note that."), tools(1, 10)], [WAIT]),
    Case("two tools at once", [say(), tools(0, 1, 35), think(1)], [WAIT, WAIT, REPLY]),
    Case(
        "a canceled tool",
        [say(), meanwhile(tools(1, FOREVER)), wait(10), push(frames.FunctionCallCancelFrame("look_up", "0")), stop],
        [WAIT],
    ),
    Case(
        "a tool that ends the call",
        [say(), meanwhile(tools(0, FOREVER)), wait(1), push(frames.EndFrame()), do("speak", THANKS), stop],
        [THANKS],
    ),
    Case("an interruption during a tool", [say(), meanwhile(tools(1, 10)), wait(5), ask(), finish], [WAIT, REPLY]),
    Case(
        "a tool that raises",
        [
            *(say(), meanwhile(tools(1, 5)), wait(3)),
            *(do("fail", "llm", "KeyError", ErrorCategory.APPLICATION), finish, think(1)),
        ],
        [WAIT, REPLY],
    ),
    Case("a caller who speaks over WAIT", [say(), meanwhile(think(12)), wait(2.8), stop, ask()], [WAIT, REPLY]),
    Case("a model that writes only spaces", [say(), think(1, "  \n")], [REPEAT]),
    Case("text without sound", [become(tts__seconds=20), think(1, "🙂")], ["🙂"]),
    # Services that fail for a moment.
    Case("a model with a bad moment", [*BAD_MOMENT, think(2)], [WAIT, REPLY]),
    Case("a model with a bad moment that then writes only spaces", [*BAD_MOMENT, think(2, " ")], [WAIT, REPEAT]),
    Case(
        "a model that fails in its reply",
        [say(), think(1, "It is", end=False), LLM_FAILS, push(ENDS), do("retries"), think(2)],
        ["It is", WAIT, REPLY],
    ),
    Case("errors with words between them", [times(4, noise(), STT_FAILS, wait(7), ask())], [REPEAT, REPLY] * 4),
    Case("lost words because of an error", [noise(), STT_FAILS], [REPEAT]),
    Case("errors while nobody waits", [do("fail", "stt", "received 1011"), do("fail", "tts", "received 1011")], []),
    # Failures: the bot hangs up.
    Case("a model that never writes", [say(), think(FOREVER)], [WAIT, GOODBYE], ends=30),
    Case("a model that never greets", [push(frames.ClientConnectedFrame()), think(FOREVER)], [WAIT, GOODBYE], ends=30),
    Case("a model that stops in its reply", [say(), think(1, "It is", end=False)], ["It is", GOODBYE], ends=30),
    Case("a voice that never sounds", [become(tts__seconds=FOREVER), ask()], [], ends=20),
    Case(
        "a voice without a second sentence",
        [
            *(say("Count."), meanwhile(do("speak", "One.")), wait(0.4)),
            *(become(tts__seconds=FOREVER), do("speak", "Two.")),
        ],
        ["One."],
        ends=20,
    ),
    Case("a refused key", [do("fail", "llm", "Error code: 401")], [GOODBYE], ends=11),
    Case("a refused key of the voice", [do("fail", "tts", "Error code: 401")], [], ends=6),
    Case(
        "three errors in a row",
        [do("break_stt"), times(3, noise(), STT_FAILS, wait(7))],
        [REPEAT, REPEAT, GOODBYE],
        ends=40,
    ),
    Case(
        "a caller who hangs up during GOODBYE",
        [do("fail", "llm", "Error code: 401"), wait(1), push(frames.CancelFrame())],
        [GOODBYE],
        ends=12,
    ),
    Case(
        "a caller who hangs up while the model thinks", [say(), meanwhile(think(FOREVER)), wait(1), do("end"), stop], []
    ),
]

# Calls for each kind of guard: with speech-to-text that died, in its own way.
KINDS = {
    # A request stays without an answer, after one that took long.
    "answers": [
        Case(
            "an answer that never comes",
            [become(stt__seconds=6), ask(), until(30), become(stt__seconds=FOREVER), noise()],
            [WAIT, REPLY, WAIT, GOODBYE],
            ends=50,
        )
    ],
    "pings": [
        Case(
            "a dead connection, and an impatient caller",
            [ask(), become(stt__socket__pong=FOREVER), again(noise(1), wait(2), to=34)],
            [REPLY, GOODBYE],
            ends=50,
        )
    ],
    "nothing": [Case("words that are never there", [again(noise(), wait(4), to=34)], [REPEAT, GOODBYE], ends=50)],
    "slow": [
        Case("a local model whose first word takes 25 seconds", [ask(thinks=25)], [WAIT, WAIT, REPLY]),
        Case("a local voice that takes 20 seconds", [become(tts__seconds=20), ask()], [REPLY]),
        Case("a local model that hangs", [ask(thinks=FOREVER)], [WAIT, WAIT, WAIT, GOODBYE], ends=90),
    ],
}

# Errors as services report them, with the exceptions that caused them: those that no retry fixes end a call.
FINAL: list[tuple[str, Exception | ErrorCategory | None]] = [
    ("Unknown error occurred: Error code: 401 - {'error': {'code': 'invalid_api_key'}}", None),
    ("Error during completion: Error code: 429 - {'code': 'insufficient_quota'}", None),
    ("Error getting audio (status: 402, error: credit limit reached)", None),
    ("server rejected WebSocket connection: HTTP 403", None),
    ("UnrecognizedClientException: The security token included in the request is invalid.", None),
    ("Unable to locate credentials", None),
    ("Error during completion: Connection error.", None),
    ("Cannot connect to host api.example.com:443 ssl:default [Connection refused]", None),
    ("All connection attempts failed", None),
    ("reconnection attempt 1 failed", ConnectionRefusedError(111, "Connect call failed")),
    ("no credit left", ErrorCategory.QUOTA),
]
PASSING: list[tuple[str, Exception | ErrorCategory | None]] = [
    ("Error during completion: Error code: 429 - {'code': 'rate_limit_exceeded'}", None),
    ("Error during completion: Error code: 500 - {'message': 'request req_4011'}", None),
    ("Error code: 503 - The engine is overloaded", ErrorCategory.SERVER),
    ("connection error: received 1011 (internal error)", ConnectionClosedError(Close(1011, ""), None)),
    ("connection error: no close frame received or sent", ConnectionClosedError(None, None)),
    ("LLM completion timeout", None),
    ("audio context completed with no audio", None),
]


def judge_errors(guard: ModuleType) -> list[str]:
    def judge(text: str, reason: Exception | ErrorCategory | None) -> bool:
        is_exception = isinstance(reason, Exception)
        category = classify_http_exception(reason) if is_exception else reason or ErrorCategory.UNKNOWN
        exception = reason if is_exception else None
        return guard.is_final(frames.ErrorFrame(text, exception=exception, category=category))

    wrong = [f"not final: {text}" for text, reason in FINAL if not judge(text, reason)]
    return [*wrong, *(f"final: {text}" for text, reason in PASSING if judge(text, reason))]


UP, DOWN = FrameDirection.UPSTREAM, FrameDirection.DOWNSTREAM
REPLY_SECONDS = 2


class RealtimeCall(GuardedCall):
    """A call with a speech-to-speech bot. It's also the service."""

    def __init__(self, guard: ModuleType):
        super().__init__(guard)
        # How long the service takes to reply and to connect, and after how many attempts a new connection works.
        self.seconds, self.delay, self.attempts = 0.5, 0, FOREVER
        self._resume = guard.RESUME
        self.llm = FrameProcessor()
        self.llm._websocket = self.socket = Socket()
        self.guard = guard.CallGuard(self.llm, reconnect=self.reconnect)
        self.guard.create_task, self.guard.cancel_task = self.start, self.cancel_task
        self.guard.push_frame = self.take

    async def cancel_task(self, task: asyncio.Task, timeout: float | None = None) -> None:
        task.cancel()
        await asyncio.wait([task])

    async def reconnect(self) -> None:
        """Connect again. Some attempt revives the service."""
        await asyncio.sleep(self.delay)
        self.attempts -= 1
        if self.attempts <= 0:
            self.seconds, self.socket.pong = 0.5, 0

    async def take(self, frame: frames.Frame, direction: FrameDirection = DOWN) -> None:
        """Receive what the guard sends."""
        match frame:
            case frames.CancelWorkerFrame():
                self.hung_up_at = self.now
            case frames.LLMContextFrame():
                self.start(self.reply(GREETING))
            case frames.LLMMessagesAppendFrame(messages=[{"content": text}]):
                self.start(self.reply(RESUME if text == self._resume else REPEAT))

    async def push(self, frame: frames.Frame, direction: FrameDirection = UP) -> None:
        await self.guard.process_frame(frame, direction)

    async def reply(self, text: str) -> None:
        await asyncio.sleep(self.seconds)
        await self.push(frames.BotStartedSpeakingFrame())
        self.heard.append((round(self.now, 1), text))
        await asyncio.sleep(REPLY_SECONDS)
        await self.push(frames.BotStoppedSpeakingFrame())

    async def sound(self, seconds: float) -> None:
        """Something sounds like speech for some time."""
        await asyncio.sleep(VAD_SECONDS)
        await self.push(self.sound_starts(), DOWN)
        await asyncio.sleep(seconds)
        await self.push(self.sound_stops(), DOWN)

    async def turn(self, words: str = "") -> None:
        """The service notices that somebody speaks."""
        speech = self.start(self.sound(2))
        await asyncio.sleep(0.3)
        await self.push(frames.ProposedUserStartedSpeakingFrame())
        await asyncio.sleep(1.6)
        await self.push(frames.ProposedUserStoppedSpeakingFrame())
        if words:
            await self.push(frames.TranscriptionFrame(words, "", ""))
        await speech

    async def use_tool(self, seconds: float, **wishes: bool) -> None:
        call = frames.FunctionCallFromLLM("look_up", "call", {}, None)
        await self.push(frames.FunctionCallsStartedFrame([call]))
        await asyncio.sleep(seconds)
        properties = frames.FunctionCallResultProperties(**wishes) if wishes else None
        await self.push(frames.FunctionCallResultFrame("look_up", "call", {}, "42", properties=properties))

    async def fail(self, text: str) -> None:
        await self.push(frames.ErrorFrame(text, processor=self.llm))


def tool(seconds: float, **wishes: bool) -> Step:
    return do("use_tool", seconds, **wishes)


SAY, ANSWER, LOST = do("turn", "Look it up."), do("reply", REPLY), do("fail", "connection lost")
ASK = times(1, do("turn", QUESTION), ANSWER)
STUCK = become(seconds=FOREVER)

SESSIONS = [
    # Noise, silence and pauses are no failures.
    Case("a crowd that the service ignores, and then a question", [again(noise(1.5), wait(6)), ASK], [REPEAT, REPLY]),
    Case("coughs for minutes", [again(noise(0.5), wait(6))], []),
    Case(
        "a crowd that the service takes for a caller, without replying",
        [times(10, do("turn"), wait(20)), ASK],
        [REPEAT, REPLY],
    ),
    Case("a silent caller", [until(MINUTES)], []),
    Case(
        "the bot's own echo",
        [step for at in (10, 40) for step in (until(at), meanwhile(ANSWER), wait(0.7), noise(1.2), finish)],
        [REPLY, REPLY],
    ),
    Case("a pause of 6 seconds in a number", [do("turn", "My number is 555"), wait(6), ASK], [REPLY]),
    Case(
        "words that nothing reacts to after each reply, twice within a minute",
        [noise(), until(20), ASK, noise(), until(40), ASK, until(75), noise(), wait(20)],
        [REPEAT, REPLY, REPLY, REPEAT],
    ),
    # Replies and tools that take long.
    Case("a reply that takes 12 seconds", [become(seconds=12), ASK], [REPLY]),
    Case("tools of 40 and 12 seconds", [SAY, tool(40), wait(1), tool(12), ANSWER], [REPLY]),
    Case("a tool that wants no reply", [SAY, tool(1, run_llm=False)], []),
    Case(
        "a tool that reports its progress",
        [
            *(SAY, tool(1, run_llm=False, is_final=False), wait(40)),
            *(push(frames.FunctionCallResultFrame("look_up", "call", {}, "42")), ANSWER),
        ],
        [REPLY],
    ),
    Case(
        "a tool that takes too long, and a stuck service",
        [
            *(STUCK, SAY, meanwhile(tool(FOREVER)), wait(10)),
            *(push(frames.FunctionCallCancelFrame("look_up", "call", run_llm=True)), stop),
        ],
        [],
        ends=40,
    ),
    Case("noise during a tool", [SAY, meanwhile(tool(20)), wait(2), noise(), finish, ANSWER], [REPLY]),
    # A service that fails is reconnected, or the bot hangs up.
    Case("a stuck service that a new connection revives", [STUCK, become(attempts=1), noise()], [RESUME]),
    Case("a stuck service", [STUCK, noise()], [], ends=25),
    Case("a stuck service, and a caller who keeps asking", [STUCK, times(4, noise(), wait(9))], [], ends=60),
    Case("an error, and a service that comes back", [become(attempts=1), LOST], [RESUME]),
    Case("an error, and connections that take too long", [become(delay=FOREVER), LOST], [], ends=22),
    Case("an error, and a caller who keeps asking", [STUCK, LOST, times(10, noise(1), wait(2))], [], ends=22),
    Case("a clock that is set back, and a stuck service", [ASK, STUCK, become(clock=-3600), noise()], [REPLY], ends=40),
    Case("a refused key", [do("fail", "Error code: 401")], [], ends=6),
    Case(
        "a dead connection in a crowd, and a new one",
        [noise(), until(20), STUCK, become(socket__pong=FOREVER, attempts=1), noise()],
        [REPEAT, RESUME],
    ),
    Case("a dead connection", [STUCK, become(socket__pong=FOREVER), noise()], [], ends=25),
]


def main() -> None:
    logger.remove()
    kind, path = sys.argv[1:]
    if kind == "realtime":
        call, opening, cases = RealtimeCall, [push(frames.LLMContextFrame(LLMContext()), DOWN)], SESSIONS
        errors, checked = [], len(cases)
    else:
        call, opening = CascadeCall, [push(frames.ClientConnectedFrame()), do("think", 0.5, "Hello!")]
        cases = [*KINDS[kind], *(CASCADES if kind != "slow" else [])]
        errors, checked = judge_errors(load(path)), len(cases) + len(FINAL) + len(PASSING)
    problems = [*errors, *(play(path, call, opening, case) for case in cases)]
    print(json.dumps({"checked": checked, "wrong": [problem for problem in problems if problem]}))


if __name__ == "__main__":
    main()
