"""Plays calls to the guard of a bot that transcribes, thinks and speaks, and prints what callers hear wrongly.

    check_calls.py answers|pings|nothing|slow GUARD

It runs in the virtual environment of a project with phone calls, in `server/`. The first word is how the guard learns
that speech-to-text works, or that the services run on the bot's own computer, and may take long.
"""

import asyncio
import json
import sys
from types import ModuleType

from loguru import logger
from pipecat.frames import frames
from pipecat.observers.base_observer import FramePushed
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.utils.errors import ErrorCategory, classify_http_exception
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from guarded_call import (
    FOREVER,
    MINUTES,
    VAD_SECONDS,
    Case,
    GuardedCall,
    Socket,
    Step,
    again,
    become,
    do,
    finish,
    load,
    meanwhile,
    play,
    push,
    stop,
    times,
    until,
    wait,
)

WAIT, REPEAT, GOODBYE = "WAIT", "REPEAT", "GOODBYE"
QUESTION, REPLY = "What is the capital of France?", "It is Paris."
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

    def __init__(self, call: "Call"):
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


class Call(GuardedCall):
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


def noise(seconds: float, **more) -> Step:
    return do("sound", seconds, **more)


def tools(thinks: float, *takes: float) -> Step:
    return do("use_tools", thinks, *takes)


STARTS, ENDS = frames.LLMFullResponseStartFrame(), frames.LLMFullResponseEndFrame()
HEARD_IT = push(frames.TranscriptionFrame("What is the capital?", "", ""), "stt")
LLM_FAILS, STT_FAILS = do("fail", "llm", "Error code: 500"), do("fail", "stt", "Error code: 500")
BAD_MOMENT = [say(), push(STARTS), LLM_FAILS, push(ENDS), do("retries")]

CASES = [
    # Noise, silence and pauses are no failures.
    Case(
        "a crowd for minutes, and then a question",
        [ask(), again(noise(2.5), wait(4.5)), ask()],
        [REPLY, REPEAT, REPLY],
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
        [noise(2), until(20), ask(), noise(2), until(80), ask(), noise(2)],
        [REPEAT, REPLY, REPLY, REPEAT],
    ),
    Case("a pause of 6 seconds in a number", [say("My number is 555"), wait(6), say("01 23"), think(1)], [REPLY]),
    Case("a model that gets the words late", [say("What is"), wait(8), think(1)], [REPLY]),
    Case(
        "final words before the end of the sound",
        [meanwhile(noise(2)), wait(1.8), HEARD_IT, finish, wait(6), think(1)],
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
    Case("errors with words between them", [times(4, noise(2), STT_FAILS, wait(7), ask())], [REPEAT, REPLY] * 4),
    Case("lost words because of an error", [noise(2), STT_FAILS], [REPEAT]),
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
        [do("break_stt"), times(3, noise(2), STT_FAILS, wait(7))],
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
            [become(stt__seconds=6), ask(), until(30), become(stt__seconds=FOREVER), noise(2)],
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
    "nothing": [
        Case("words that are never there", [again(noise(2), wait(4), to=34)], [REPEAT, GOODBYE], ends=50),
    ],
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


def main() -> None:
    logger.remove()
    kind, path = sys.argv[1:]
    cases = [*KINDS[kind], *(CASES if kind != "slow" else [])]
    opening = [push(frames.ClientConnectedFrame()), do("think", 0.5, "Hello!")]
    problems = [*judge_errors(load(path)), *(play(path, Call, opening, case) for case in cases)]
    checked = len(cases) + len(FINAL) + len(PASSING)
    print(json.dumps({"checked": checked, "wrong": [problem for problem in problems if problem]}))


if __name__ == "__main__":
    main()
