"""Calls a bot as a phone provider does, perhaps from a noisy place, and prints what callers hear.

It reads `Options` as JSON from stdin, and runs in the virtual environment of the project whose bot it calls. With
`turns`, it prints `Called` of `talk.ts`, otherwise a list of `Waited`. What didn't happen is null.
"""

import asyncio
import itertools
import json
import sys
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import numpy as np

from noises import NOISES
from phone_providers import PROVIDERS, RATE, Twilio
from turns import CHUNK_SECONDS, PAUSE_SECONDS, SLOW_MOTION, SLOWNESS, Mouthpiece, Receiver, read_speech, take_turns

# How loud the bot's voice is in the caller's microphone, and when, if the phone doesn't remove it.
ECHO, ECHO_SECONDS = 0.1, 0.2

# When noise begins at the earliest, how long it lasts, and how often it comes.
NOISE_FROM, NOISE_SECONDS, NOISE_EVERY = 5, 2.5, 7

# How much of a reply the caller hears before interrupting it, and how long all turns may take.
LITTLE_SECONDS, TURNS_SECONDS = 1, 60 * SLOWNESS


@dataclass
class Options:
    """What `talk.ts` asks for. What each means is there."""

    url: str
    recording: str
    provider: str = "twilio"
    turns: int = 0
    interrupt: bool = False
    calls: int = 1
    patience: float = 30
    speak: list[float] = field(default_factory=list)
    noise: list[str] = field(default_factory=list)
    quiet: float = 0
    echo: bool = False
    brief: bool = False


class Line:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse, provider: Twilio, speech: np.ndarray):
        self._socket, self._provider = socket, provider
        self._mouthpiece, self._receiver = Mouthpiece(speech), Receiver()
        self.say, self.hear_out = self._mouthpiece.say, self._receiver.hear_out
        self.noise = np.zeros(0, dtype=np.int16)
        self.echoes = False
        self._start = time.monotonic()
        self._sent = self.clears = 0
        self.sounds: list[dict] = []
        self._spoke_at: float | None = None
        self._speech_seconds = len(speech) / RATE * SLOW_MOTION
        self.hung_up_at: float | None = None

    def now(self) -> float:
        return round(time.monotonic() - self._start, 3)

    async def live(self, patience: float, *habits: Coroutine, goal: Coroutine | None = None) -> Any:
        """Makes the call, until the bot hangs up, the goal is reached or some seconds are over.

        The habits go on meanwhile. Returns the result of the goal, if it was reached.
        """
        for message in self._provider.greet():
            await self._send(message)
        tasks = [asyncio.create_task(habit) for habit in (self._talk(), *habits)]
        hearing, reaching = asyncio.create_task(self._hear()), goal and asyncio.create_task(goal)
        ends = [end for end in (hearing, reaching) if end]
        done, _ = await asyncio.wait(ends, timeout=patience, return_when="FIRST_COMPLETED")
        for task in (*tasks, *ends):
            task.cancel()
        if not self._socket.closed:
            await self._send(self._provider.stop(self._sent + 1))
        results = [end.result() for end in done]
        return results[-1] if reaching in done else None

    async def hear_a_little(self) -> None:
        while self._receiver.seconds < LITTLE_SECONDS:
            await asyncio.sleep(CHUNK_SECONDS)

    async def until_pause(self, after: float = 0) -> None:
        """Waits until the bot has spoken after some second of the call, and paused."""
        while not any(sound["from"] > after for sound in self.sounds) or self._is_speaking():
            await asyncio.sleep(CHUNK_SECONDS)

    async def until_answer(self) -> None:
        while (said := self.said_at()) is None:
            await asyncio.sleep(CHUNK_SECONDS)
        await self.until_pause(said)

    def said_at(self) -> float | None:
        """When the caller's first words ended, or will end."""
        return self._spoke_at and self._spoke_at + self._speech_seconds

    async def speak(self, times: list[float]) -> None:
        """Speaks at these seconds of the call, and not before the greeting has ended.

        The words take about two seconds.
        """
        await self.until_pause()
        for at in times:
            await asyncio.sleep(max(0, at - self.now()))
            self.say()
            self._spoke_at = self._spoke_at or self.now()

    async def hum(self, kinds: list[str], voice: np.ndarray, until: float) -> None:
        """Plays noises in turn, with pauses, from the greeting's end until some second of the call."""
        await self.until_pause()
        await asyncio.sleep(max(0, NOISE_FROM - self.now()))
        for kind in itertools.cycle(kinds):
            if self.now() + NOISE_SECONDS * SLOW_MOTION > until:
                return
            self.noise = NOISES[kind](voice, RATE, NOISE_SECONDS)
            await asyncio.sleep(NOISE_EVERY * SLOW_MOTION)

    async def _send(self, message: dict) -> None:
        await self._socket.send_str(json.dumps(message))

    async def _talk(self) -> None:
        async for chunk in self._mouthpiece.chunks(RATE):
            noise, self.noise = self.noise[: len(chunk)], self.noise[len(chunk) :]
            noise = np.pad(noise.astype(np.int32), (0, len(chunk) - len(noise)))
            self._sent += 1
            sound = np.clip(chunk + noise, -32768, 32767).astype(np.int16)
            await self._send(self._provider.media(self._sent, self._provider.encode(sound)))

    async def _hear(self) -> None:
        """Receives the bot's sound and its commands to drop it, until it hangs up."""
        async for raw in self._socket:
            message = json.loads(raw.data)
            if message.get("event") == self._provider.clear:
                self.clears += 1
                self._receiver.cut()
            if (payload := self._provider.sound(message)) is None:
                continue
            pcm = self._provider.decode(payload)
            if self._receiver.take(pcm, len(pcm) / RATE):
                if not self._is_speaking():
                    self.sounds.append({"from": self.now()})
                self.sounds[-1]["to"] = self.now()
            if self.echoes:
                self._echo(pcm)
        self.hung_up_at = self.now()

    def _is_speaking(self) -> bool:
        return bool(self.sounds) and self.now() - self.sounds[-1]["to"] <= PAUSE_SECONDS

    def _echo(self, pcm: np.ndarray) -> None:
        """Plays the bot's voice quietly into the microphone. It arrives faster than it's heard."""
        delay = 0 if len(self.noise) else int(ECHO_SECONDS * RATE)
        self.noise = np.concatenate([self.noise, np.zeros(delay, np.int16), (pcm * ECHO).astype(np.int16)])


async def call(http: aiohttp.ClientSession, args: Options) -> dict:
    dialed = time.monotonic()
    async with http.ws_connect("/ws") as socket:
        answered = time.monotonic() - dialed
        speech = read_speech(args.recording, RATE)
        line = Line(socket, PROVIDERS[args.provider](), speech)
        if args.turns:
            goal = take_turns(line, args.turns, args.interrupt)
            sounds = await line.live(TURNS_SECONDS, goal=goal)
            if sounds is None:
                sys.exit("the bot hung up" if line.hung_up_at else f"the call took over {TURNS_SECONDS:.0f} s")
            return {"sounds": sounds, "clears": line.clears}
        line.echoes = args.echo
        habits = line.speak(args.speak), line.hum(args.noise, speech, args.quiet)
        goal = line.until_answer() if args.brief else None
        await line.live(args.patience - answered, *habits, goal=goal)
    times = {"said_at": line.said_at(), "hung_up_at": line.hung_up_at}
    return {"answered": answered, "sounds": line.sounds, **times}


async def main() -> None:
    args = Options(**json.load(sys.stdin))
    async with aiohttp.ClientSession(args.url) as http:
        results = await asyncio.gather(*(call(http, args) for _ in range(args.calls)))
        print(json.dumps(results[0] if args.turns else results))


if __name__ == "__main__":
    asyncio.run(main())
