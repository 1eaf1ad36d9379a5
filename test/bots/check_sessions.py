"""Plays phone calls to the guard of a speech-to-speech bot, and prints what callers hear wrongly.

It runs in the virtual environment of such a project, in `server/`. The service is scripted.
"""

import asyncio
import json
from types import ModuleType

from loguru import logger
from pipecat.frames import frames
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

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
    meanwhile,
    play,
    push,
    stop,
    times,
    until,
    wait,
)

GREETING, REPLY, REPEAT, RESUME = "GREETING", "REPLY", "REPEAT", "RESUME"
UP, DOWN = FrameDirection.UPSTREAM, FrameDirection.DOWNSTREAM
REPLY_SECONDS = 2


class Call(GuardedCall):
    """A call, which is also the service."""

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


def noise(seconds: float = 2) -> Step:
    return do("sound", seconds)


def tool(seconds: float, **wishes: bool) -> Step:
    return do("use_tool", seconds, **wishes)


SAY, ANSWER, LOST = do("turn", "Look it up."), do("reply", REPLY), do("fail", "connection lost")
ASK = times(1, do("turn", "What is the capital of France?"), ANSWER)
STUCK = become(seconds=FOREVER)

CASES = [
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
        "words that nothing reacts to, after each reply",
        [noise(), until(30), ASK, noise(), until(70), noise(), wait(20)],
        [REPEAT, REPLY, REPEAT],
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
    opening = [push(frames.LLMContextFrame(LLMContext()), DOWN)]
    problems = [play("guard.py", Call, opening, case) for case in CASES]
    print(json.dumps({"checked": len(CASES), "wrong": [problem for problem in problems if problem]}))


if __name__ == "__main__":
    main()
