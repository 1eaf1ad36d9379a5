"""Plays phone calls to the guard of a speech-to-speech bot, and prints what callers hear wrongly.

    check_sessions.py [GUARD]

It runs in the virtual environment of such a project, in `server/`. By default, the guard is the
project's. The service is scripted, and the clock jumps.
"""

import asyncio
import json
import sys
from types import ModuleType

from loguru import logger
from pipecat.frames import frames
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from check_calls import MINUTES, Script, load
from guard_clock import JumpingLoop
from guarded_call import FOREVER, VAD_START, VAD_STOP, Socket

GREETING, REPLY, REPEAT, RESUME = "GREETING", "REPLY", "REPEAT", "RESUME"
UP, DOWN = FrameDirection.UPSTREAM, FrameDirection.DOWNSTREAM
REPLY_SECONDS = 2

CASES: dict[str, tuple[Script, list[str], float | None]] = {}


def case(name: str, *heard: str, ends: float | None = None):
    """A call, what its caller hears, and the second until which it's over if the bot hangs up."""

    def add(script: Script) -> Script:
        CASES[name] = (script, list(heard), ends)
        return script

    return add


class Call:
    """A call, and what the caller hears in it. It's also the service."""

    def __init__(self, guard: ModuleType):
        self._loop = asyncio.get_running_loop()
        self.heard: list[tuple[float, str]] = []
        self.hung_up_at: float | None = None
        self.problems: list[str] = []
        self._loop.set_exception_handler(lambda _loop, what: self.problems.append(str(what)))
        self._tasks: set[asyncio.Task] = set()
        # How long the service takes to reply, and after how many attempts a new connection works.
        self.seconds, self.attempts = 0.5, FOREVER
        # How long it takes to connect, and how wrong the wall clock is.
        self.delay = self.clock = 0
        guard.time = time = ModuleType("time")
        time.monotonic, time.time = self._loop.time, self.wall_clock
        self._resume = guard.RESUME
        self.llm = FrameProcessor()
        self.llm._websocket = self.socket = Socket()
        self.guard = guard.CallGuard(self.llm, reconnect=self.reconnect)
        self.guard.create_task = self.start
        self.guard.cancel_task = self.stop
        self.guard.push_frame = self.take

    @property
    def now(self) -> float:
        """The seconds since the call began."""
        return self._loop.time()

    def wall_clock(self) -> float:
        """The time of day."""
        return self._loop.time() + self.clock

    def start(self, work) -> asyncio.Task:
        """Do something meanwhile."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        return task

    async def stop(self, task: asyncio.Task, timeout: float | None = None) -> None:
        """Stop doing something."""
        task.cancel()
        await asyncio.wait([task])

    async def until(self, at: float) -> None:
        """Wait until this second of the call."""
        await asyncio.sleep(max(0, at - self.now))

    async def reconnect(self) -> None:
        """Connect again. Some attempt revives the service."""
        await asyncio.sleep(self.delay)
        self.attempts -= 1
        if self.attempts <= 0:
            self.seconds = 0.5
            self.socket.pong = 0

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
        """Let the guard see a frame."""
        await self.guard.process_frame(frame, direction)

    async def reply(self, text: str) -> None:
        """Speak."""
        await asyncio.sleep(self.seconds)
        await self.push(frames.BotStartedSpeakingFrame())
        self.heard.append((round(self.now, 1), text))
        await asyncio.sleep(REPLY_SECONDS)
        await self.push(frames.BotStoppedSpeakingFrame())

    async def sound(self, seconds: float) -> None:
        """Something sounds like speech for some time."""
        await asyncio.sleep(VAD_START)
        start = frames.VADUserStartedSpeakingFrame(
            start_secs=VAD_START, timestamp=self.wall_clock()
        )
        await self.push(start, DOWN)
        await asyncio.sleep(seconds - VAD_START + VAD_STOP)
        stop = frames.VADUserStoppedSpeakingFrame(stop_secs=VAD_STOP, timestamp=self.wall_clock())
        await self.push(stop, DOWN)

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

    async def ask(self) -> None:
        """The caller asks something, and gets a reply."""
        await self.turn("What is the capital of France?")
        await self.reply(REPLY)

    async def use_tool(
        self, seconds: float, wishes: frames.FunctionCallResultProperties | None = None
    ) -> None:
        """The service calls a tool, and the tool returns."""
        call = frames.FunctionCallFromLLM("look_up", "call", {}, None)
        await self.push(frames.FunctionCallsStartedFrame([call]))
        await asyncio.sleep(seconds)
        result = frames.FunctionCallResultFrame("look_up", "call", {}, "42", properties=wishes)
        await self.push(result)


async def greet(call: Call) -> None:
    """The call begins."""
    await call.push(frames.LLMContextFrame(LLMContext()), DOWN)
    await call.until(5)


@case("a crowd that the service ignores, and then a question", REPEAT, REPLY)
async def _(call: Call) -> None:
    while call.now < MINUTES:
        await call.sound(1.5)
        await asyncio.sleep(6)
    await call.ask()


@case("coughs for minutes")
async def _(call: Call) -> None:
    while call.now < MINUTES:
        await call.sound(0.5)
        await asyncio.sleep(6)


@case("a crowd that the service takes for a caller, without replying", REPEAT, REPLY)
async def _(call: Call) -> None:
    for _ in range(10):
        await call.turn()
        await asyncio.sleep(20)
    await call.ask()


@case("a silent caller")
async def _(call: Call) -> None:
    await call.until(MINUTES)


@case("the bot's own echo", REPLY, REPLY)
async def _(call: Call) -> None:
    for at in (10, 40):
        await call.until(at)
        reply = call.start(call.reply(REPLY))
        await asyncio.sleep(0.7)
        await call.sound(1.2)
        await reply


@case("a pause of 6 seconds in a number", REPLY)
async def _(call: Call) -> None:
    await call.turn("My number is 555")
    await asyncio.sleep(6)
    await call.ask()


@case("a reply that takes 12 seconds", REPLY)
async def _(call: Call) -> None:
    call.seconds = 12
    await call.ask()


@case("tools of 40 and 12 seconds", REPLY)
async def _(call: Call) -> None:
    await call.turn("Look it up.")
    await call.use_tool(40)
    await asyncio.sleep(1)
    await call.use_tool(12)
    await call.reply(REPLY)


@case("a tool that wants no reply")
async def _(call: Call) -> None:
    await call.turn("Note that.")
    await call.use_tool(1, frames.FunctionCallResultProperties(run_llm=False))


@case("a tool that reports its progress", REPLY)
async def _(call: Call) -> None:
    await call.turn("Look it up.")
    await call.use_tool(1, frames.FunctionCallResultProperties(run_llm=False, is_final=False))
    await asyncio.sleep(40)
    await call.push(frames.FunctionCallResultFrame("look_up", "call", {}, "42"))
    await call.reply(REPLY)


@case("a tool that takes too long, and a stuck service", ends=40)
async def _(call: Call) -> None:
    call.seconds = FOREVER
    await call.turn("Look it up.")
    tool = call.start(call.use_tool(FOREVER))
    await asyncio.sleep(10)
    await call.push(frames.FunctionCallCancelFrame("look_up", "call", run_llm=True))
    tool.cancel()


@case("noise during a tool", REPLY)
async def _(call: Call) -> None:
    await call.turn("Look it up.")
    tool = call.start(call.use_tool(20))
    await asyncio.sleep(2)
    await call.sound(2)
    await tool
    await call.reply(REPLY)


@case("words that nothing reacts to, after each reply", REPEAT, REPLY, REPEAT)
async def _(call: Call) -> None:
    await call.sound(2)
    await call.until(30)
    await call.ask()
    await call.sound(2)
    await call.until(70)
    await call.sound(2)
    await asyncio.sleep(20)


@case("a stuck service that a new connection revives", RESUME)
async def _(call: Call) -> None:
    call.seconds, call.attempts = FOREVER, 1
    await call.sound(2)


@case("a stuck service", ends=25)
async def _(call: Call) -> None:
    call.seconds = FOREVER
    await call.sound(2)


@case("a stuck service, and a caller who keeps asking", ends=60)
async def _(call: Call) -> None:
    call.seconds = FOREVER
    for _ in range(4):
        await call.sound(2)
        await asyncio.sleep(9)


@case("an error, and a service that comes back", RESUME)
async def _(call: Call) -> None:
    call.attempts = 1
    await call.push(frames.ErrorFrame("connection lost", processor=call.llm))


@case("an error, and connections that take too long", ends=22)
async def _(call: Call) -> None:
    call.delay = FOREVER
    await call.push(frames.ErrorFrame("connection lost", processor=call.llm))


@case("an error, and a caller who keeps asking", ends=22)
async def _(call: Call) -> None:
    call.seconds = FOREVER
    await call.push(frames.ErrorFrame("connection lost", processor=call.llm))
    for _ in range(10):
        await call.sound(1)
        await asyncio.sleep(2)


@case("a clock that is set back, and a stuck service", REPLY, ends=40)
async def _(call: Call) -> None:
    await call.ask()
    call.seconds, call.clock = FOREVER, -3600
    await call.sound(2)


@case("a refused key", ends=6)
async def _(call: Call) -> None:
    await call.push(frames.ErrorFrame("Error code: 401", processor=call.llm))


@case("a dead connection in a crowd, and a new one", REPEAT, RESUME)
async def _(call: Call) -> None:
    await call.sound(2)
    await call.until(20)
    call.seconds, call.socket.pong, call.attempts = FOREVER, FOREVER, 1
    await call.sound(2)


@case("a dead connection", ends=25)
async def _(call: Call) -> None:
    call.seconds = call.socket.pong = FOREVER
    await call.sound(2)


def play(path: str, script: Script, heard: list[str], ends: float | None) -> str:
    """Plays a call, and returns what is wrong with it, if anything."""
    guard = load(path)

    async def run() -> str:
        call = Call(guard)
        await greet(call)
        playing = call.start(script(call))
        await call.until(2 * MINUTES)
        if playing.done() and not playing.cancelled() and playing.exception():
            call.problems.append(repr(playing.exception()))
        said = [text for _, text in call.heard]
        is_over = call.hung_up_at is not None and call.hung_up_at <= (ends or 0)
        is_fine = said == [GREETING, *heard] and is_over == (ends is not None)
        if is_fine and (ends is not None) == (call.hung_up_at is not None) and not call.problems:
            return ""
        return f"{call.heard}, hung up at {call.hung_up_at}, {call.problems}"

    loop = JumpingLoop()
    try:
        return loop.run_until_complete(run())
    finally:
        loop.close()


def main() -> None:
    """Plays all calls."""
    logger.remove()
    path = (sys.argv[1:] or ["guard.py"])[0]
    problems = {name: play(path, *one) for name, one in CASES.items()}
    wrong = [f"{name}: {problem}" for name, problem in problems.items() if problem]
    print(json.dumps({"checked": len(CASES), "wrong": wrong}))


if __name__ == "__main__":
    main()
