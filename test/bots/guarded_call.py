"""Plays scripted phone calls to the guard of a bot, and reports what callers hear wrongly.

The frames are the framework's, in the order in which its services push them. The clock jumps from event to event, so a
call of minutes takes milliseconds. A call is a list of steps; each waits until it's over.
"""

import asyncio
import importlib.util
import selectors
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from pipecat.frames import frames

# How long the voice detector takes to notice the beginning of a sound, and its end.
VAD_SECONDS = 0.2

# How long a service takes that never answers, and a call of five minutes.
FOREVER, MINUTES = 1_000_000, 300

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
    sentences = ("WAIT", "REPEAT", "GOODBYE", "RESUME")
    names = {getattr(guard, name): name for name in sentences if hasattr(guard, name)}

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
