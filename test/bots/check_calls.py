"""Plays calls to a guard with scripted services, and prints what callers hear that they shouldn't.

    check_calls.py [GUARD]

It runs in the virtual environment of a project with phone calls, in `server/`. By default, the
guard is the project's.
"""

import asyncio
import importlib.util
import json
import sys
from collections.abc import Awaitable, Callable

from loguru import logger
from pipecat.frames import frames

from guard_clock import JumpingLoop
from guarded_call import FOREVER, VAD_START, VAD_STOP, Call

WAIT, REPEAT, GOODBYE = "WAIT", "REPEAT", "GOODBYE"
REPLY = "It is Paris."
MINUTES = 300

Script = Callable[[Call], Awaitable[None]]
Cases = dict[str, tuple[Script, list[str], float | None]]
CASES: Cases = {}
# Those of a bot whose services run on its own computer, and may take long.
SLOW: Cases = {}


def case(name: str, *heard: str, ends: float | None = None, cases: Cases = CASES):
    """A call, what its caller hears, and the second until which it's over if the bot hangs up."""

    def add(script: Script) -> Script:
        cases[name] = (script, list(heard), ends)
        return script

    return add


async def greet(call: Call) -> None:
    """The call begins."""
    await call.push(frames.ClientConnectedFrame())
    await call.think(0.5, "Hello!")
    await call.until(5)


async def ask(call: Call, thinks: float = 1) -> None:
    """The caller asks something, and the bot answers."""
    await call.sound(2, "What is the capital of France?")
    await call.think(thinks, REPLY)


def noise(every: float, seconds: float, until: float) -> Script:
    """Something sounds like speech again and again."""

    async def script(call: Call) -> None:
        while call.now < until:
            await call.sound(seconds)
            await asyncio.sleep(every - seconds)

    return script


@case("a crowd for minutes, and then a question", REPLY, REPEAT, REPLY)
async def _(call: Call) -> None:
    await ask(call)
    await noise(7, 2.5, MINUTES)(call)
    await ask(call)


@case("a distant voice for minutes", REPEAT)
async def _(call: Call) -> None:
    await noise(4, 1.2, MINUTES)(call)


@case("coughs for minutes")
async def _(call: Call) -> None:
    await noise(5, 0.5, MINUTES)(call)


@case("a silent caller")
async def _(call: Call) -> None:
    await call.until(MINUTES)


@case("the bot's own echo", REPLY, REPLY, REPLY)
async def _(call: Call) -> None:
    for at in (10, 30, 50):
        await call.until(at)
        reply = call.start(call.think(1, REPLY))
        await call.until(at + 1.5)
        await call.sound(1.2, interrupts=False)
        await reply


@case("lost words after each reply, twice within a minute", REPEAT, REPLY, REPLY, REPEAT)
async def _(call: Call) -> None:
    await call.sound(2)
    await call.until(20)
    await ask(call)
    await call.sound(2)
    await call.until(80)
    await ask(call)
    await call.sound(2)


@case("a pause of 6 seconds in a number", REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "My number is 555")
    await asyncio.sleep(6)
    await call.sound(2, "01 23")
    await call.think(1, REPLY)


@case("a model that gets the words late", REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "What is")
    await asyncio.sleep(8)
    await call.think(1, REPLY)


@case("final words before the end of the sound", REPLY)
async def _(call: Call) -> None:
    speech = call.start(call.sound(2))
    await asyncio.sleep(1.8)
    await call.push(frames.TranscriptionFrame("What is the capital?", "", ""), call.stt)
    await speech
    await asyncio.sleep(6)
    await call.think(1, REPLY)


@case("interim words whose final ones take 8 seconds", REPLY)
async def _(call: Call) -> None:
    await call.sound(2, interim="What")
    await asyncio.sleep(8)
    await call.push(frames.TranscriptionFrame("What is the capital?", "", ""), call.stt)
    await call.think(1, REPLY)


@case("interim words without final ones", REPEAT)
async def _(call: Call) -> None:
    await call.sound(2, interim="What")


@case("a model that thinks for 12 seconds", WAIT, REPLY)
async def _(call: Call) -> None:
    await ask(call, thinks=12)


@case("noise while the model thinks", WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    reply = call.start(call.think(12, REPLY))
    await asyncio.sleep(1)
    await call.sound(2, interrupts=False)
    await reply


@case("a model that writes slowly", WAIT, WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    await call.push(frames.LLMFullResponseStartFrame())
    for word in REPLY.split():
        await call.push(frames.LLMTextFrame(word))
        await asyncio.sleep(10)
    await call.push(frames.LLMFullResponseEndFrame())
    await call.tts.speak(REPLY)


@case("a model with long thoughts", WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    reply = call.start(call.think(17, REPLY))
    for _ in range(3):
        await asyncio.sleep(5)
        await call.push(frames.LLMThoughtTextFrame("Hm."))
    await reply


@case("a tool of 40 seconds", WAIT, WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "Look it up.")
    await call.use_tool(1, 40)
    await call.think(1, REPLY)


@case("two tools in a row", WAIT, WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "Look it up.")
    await call.use_tool(12, 2)
    await call.use_tool(12, 2)
    await call.think(1, REPLY)


@case("a tool after words", "Let me look.", WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "Look it up.")
    await call.think(1, "Let me look.", end=False)
    await call.use_tool(0, 15)
    await call.think(1, REPLY)


@case("a tool after which the model isn't asked", WAIT)
async def _(call: Call) -> None:
    await call.sound(2, "Note that.")
    await call.use_tool(1, 10)


@case("two tools at once", WAIT, WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "Look it up.")
    await call.push(frames.LLMFullResponseStartFrame())
    calls = [frames.FunctionCallFromLLM("look_up", name, {}, None) for name in ("one", "two")]
    await call.push(frames.FunctionCallsStartedFrame(calls))
    for name, seconds in (("one", 1), ("two", 35)):
        await asyncio.sleep(seconds)
        await call.push(frames.FunctionCallResultFrame("look_up", name, {}, "42"))
    await call.think(1, REPLY)


@case("a canceled tool", WAIT)
async def _(call: Call) -> None:
    await call.sound(2, "Look it up.")
    tool = call.start(call.use_tool(1, FOREVER))
    await asyncio.sleep(10)
    await call.push(frames.FunctionCallCancelFrame("look_up", "call"))
    tool.cancel()


@case("a tool that ends the call", "Goodbye, and thank you very much for your call.")
async def _(call: Call) -> None:
    await call.sound(2, "Goodbye.")
    tool = call.start(call.use_tool(0, FOREVER))
    await asyncio.sleep(1)
    await call.push(frames.EndFrame())
    await call.tts.speak("Goodbye, and thank you very much for your call.")
    tool.cancel()


@case("an interruption during a tool", WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "Look it up.")
    tool = call.start(call.use_tool(1, 10))
    await asyncio.sleep(5)
    await ask(call)
    await tool


@case("a caller who speaks over WAIT", WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "Look it up.")
    slow = call.start(call.think(12, REPLY))
    await asyncio.sleep(2.8)
    slow.cancel()
    await ask(call)


@case("a model that writes only spaces", REPEAT)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    await call.think(1, "  \n")


@case("text without sound", "🙂")
async def _(call: Call) -> None:
    call.tts.seconds = 20
    await call.think(1, "🙂")


@case("a model with a bad moment", WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    await call.push(frames.LLMFullResponseStartFrame())
    await call.fail(call.llm, "Error code: 500")
    await call.push(frames.LLMFullResponseEndFrame())
    await call.retry.wait()
    await call.think(2, REPLY)


@case("a model with a bad moment that then writes only spaces", WAIT, REPEAT)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    await call.push(frames.LLMFullResponseStartFrame())
    await call.fail(call.llm, "Error code: 500")
    await call.push(frames.LLMFullResponseEndFrame())
    await call.retry.wait()
    await call.think(2, " ")


@case("a model that fails in its reply", "It is", WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    await call.think(1, "It is", end=False)
    await call.fail(call.llm, "Error code: 500")
    await call.push(frames.LLMFullResponseEndFrame())
    await call.retry.wait()
    await call.think(2, REPLY)


@case("errors with words between them", *[REPEAT, REPLY] * 4)
async def _(call: Call) -> None:
    for _ in range(4):
        await call.sound(2)
        await call.fail(call.stt, "Error code: 500")
        await asyncio.sleep(7)
        await ask(call)


@case("lost words because of an error", REPEAT)
async def _(call: Call) -> None:
    await call.sound(2)
    await call.fail(call.stt, "Error code: 500")


@case("errors while nobody waits")
async def _(call: Call) -> None:
    await call.fail(call.stt, "connection error: received 1011")
    await call.fail(call.tts, "connection error: received 1011")


@case("a tool that raises", WAIT, REPLY)
async def _(call: Call) -> None:
    await call.sound(2, "Look it up.")
    tool = call.start(call.use_tool(1, 5))
    await asyncio.sleep(3)
    error = frames.ErrorFrame("KeyError", processor=call.llm)
    error.category = frames.ErrorCategory.APPLICATION
    await call.push(error)
    await tool
    await call.think(1, REPLY)


@case("a model that never writes", WAIT, GOODBYE, ends=30)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    await call.think(FOREVER)


@case("a model that never greets", WAIT, GOODBYE, ends=30)
async def _(call: Call) -> None:
    await call.until(5)
    await call.push(frames.ClientConnectedFrame())
    await call.think(FOREVER)


@case("a model that stops in its reply", "It is", GOODBYE, ends=30)
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    await call.think(1, "It is", end=False)


@case("a voice that never sounds", ends=20)
async def _(call: Call) -> None:
    call.tts.seconds = FOREVER
    await ask(call)


@case("a voice without a second sentence", "One.", ends=20)
async def _(call: Call) -> None:
    await call.sound(2, "Count.")
    sentence = call.start(call.tts.speak("One."))
    await asyncio.sleep(0.4)
    call.tts.seconds = FOREVER
    call.start(call.tts.speak("Two."))
    await sentence


@case("a fixed greeting, or none", "Hello!")
async def _(call: Call) -> None:
    await call.push(frames.ClientConnectedFrame())
    await call.tts.speak("Hello!")


@case("a clock that is corrected")
async def _(call: Call) -> None:
    await call.push(frames.VADUserStartedSpeakingFrame(VAD_START, timestamp=0))
    await call.push(frames.VADUserStoppedSpeakingFrame(VAD_STOP, timestamp=3600))


@case("a refused key", GOODBYE, ends=11)
async def _(call: Call) -> None:
    await call.fail(call.llm, "Error code: 401")


@case("a refused key of the voice", ends=6)
async def _(call: Call) -> None:
    await call.fail(call.tts, "Error code: 401")


@case("three errors in a row", REPEAT, REPEAT, GOODBYE, ends=40)
async def _(call: Call) -> None:
    call.stt.error = frames.ErrorFrame("Error code: 500", processor=call.stt)
    for _ in range(3):
        await call.sound(2)
        await call.fail(call.stt, "Error code: 500")
        await asyncio.sleep(7)


@case("a caller who hangs up during GOODBYE", GOODBYE, ends=12)
async def _(call: Call) -> None:
    await call.fail(call.llm, "Error code: 401")
    await asyncio.sleep(1)
    await call.push(frames.CancelFrame())


@case("a caller who hangs up while the model thinks")
async def _(call: Call) -> None:
    await call.sound(2, "What is the capital of France?")
    slow = call.start(call.think(FOREVER))
    await asyncio.sleep(1)
    await call.guard.cleanup()
    slow.cancel()


@case("a local model whose first word takes 25 seconds", WAIT, WAIT, REPLY, cases=SLOW)
async def _(call: Call) -> None:
    await ask(call, thinks=25)


@case("a local voice that takes 20 seconds", REPLY, cases=SLOW)
async def _(call: Call) -> None:
    call.tts.seconds = 20
    await ask(call)


@case("a local model that hangs", WAIT, WAIT, WAIT, GOODBYE, ends=90, cases=SLOW)
async def _(call: Call) -> None:
    await ask(call, thinks=FOREVER)


class Mute:
    """Speech-to-text that died, in its own way. Each belongs to the guard of a kind of service."""

    @staticmethod
    async def answers(call: Call) -> None:
        """A request stays without an answer, after one that took long."""
        call.stt.seconds = 6
        await ask(call)
        await call.until(30)
        call.stt.seconds = FOREVER
        await call.sound(2)

    @staticmethod
    async def pings(call: Call) -> None:
        """The connection is dead, and the caller is impatient."""
        await ask(call)
        call.stt.socket.pong = FOREVER
        await noise(3, 1, 34)(call)

    @staticmethod
    async def nothing(call: Call) -> None:
        """Speech-to-text has never worked."""
        await noise(6, 2, 34)(call)


DEATHS = {
    "answers": (Mute.answers, [WAIT, REPLY, WAIT, GOODBYE]),
    "pings": (Mute.pings, [REPLY, GOODBYE]),
    "nothing": (Mute.nothing, [REPEAT, GOODBYE]),
}


def load(path: str):
    """The guard's module."""
    spec = importlib.util.spec_from_file_location("guard", path)
    assert spec and spec.loader
    guard = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(guard)
    return guard


def play(path: str, script: Script, heard: list[str], ends: float | None) -> str:
    """Plays a call, and returns what is wrong with it, if anything."""
    guard = load(path)
    names = {getattr(guard, name): name for name in (WAIT, REPEAT, GOODBYE)}

    async def run() -> str:
        call = Call(guard)
        await greet(call)
        playing = call.start(script(call))
        await call.until(2 * MINUTES)
        if playing.done() and not playing.cancelled() and playing.exception():
            call.problems.append(repr(playing.exception()))
        said = [(at, names.get(text, text)) for at, text in call.heard[1:]]
        is_over = call.hung_up_at is not None and call.hung_up_at <= (ends or 0)
        is_fine = [text for _, text in said] == heard and is_over == (ends is not None)
        if is_fine and (ends is not None) == (call.hung_up_at is not None) and not call.problems:
            return ""
        return f"{said}, hung up at {call.hung_up_at}, {call.problems}"

    loop = JumpingLoop()
    try:
        return loop.run_until_complete(run())
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


def main() -> None:
    """Plays all calls."""
    logger.remove()
    kind, path = sys.argv[1], (sys.argv[2:] or ["guard.py"])[0]
    if kind == "slow":
        cases = SLOW
    else:
        death, heard = DEATHS[kind]
        cases = CASES | {f"speech-to-text that died: {kind}": (death, heard, 50.0)}
    problems = {name: play(path, *one) for name, one in cases.items()}
    wrong = [f"{name}: {problem}" for name, problem in problems.items() if problem]
    print(json.dumps({"checked": len(cases), "wrong": wrong}))


if __name__ == "__main__":
    main()
