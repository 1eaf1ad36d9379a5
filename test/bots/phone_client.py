"""Calls a bot as a phone provider does, perhaps from a noisy place, and prints what callers hear.

It runs in the virtual environment of the project whose bot it calls. With `--turns`, it prints {sounds, clears}: the
{seconds, rms} of the greeting and of each reply, and how often the provider was asked to drop sound. Otherwise it's a
list with an object for each call, {answered, sounds: [{from, to}], said_at, hung_up_at}: the seconds from dialing until
the call began, and then seconds since. `said_at` is the end of the caller's first words. What didn't happen is null.
"""

import argparse
import asyncio
import itertools
import json
import sys
import time
from collections.abc import Coroutine
from typing import Any

import aiohttp
import numpy as np

from noises import NOISES
from phone_providers import PROVIDERS, RATE, Twilio
from turns import (
    CHUNK_SECONDS,
    LOUD_RMS,
    PAUSE_SECONDS,
    SLOW_MOTION,
    SLOWNESS,
    Mouthpiece,
    Receiver,
    read_speech,
    take_turns,
)

# How loud the bot's voice is in the caller's microphone, and when, if the phone doesn't remove it.
ECHO, ECHO_SECONDS = 0.1, 0.2

# When noise begins at the earliest, how long it lasts, and how often it comes.
NOISE_FROM, NOISE_SECONDS, NOISE_EVERY = 5, 2.5, 7

# How much of a reply the caller hears before interrupting it, and how long all turns may take.
LITTLE_SECONDS, TURNS_SECONDS = 1, 60 * SLOWNESS


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
            self._receiver.take(pcm, RATE)
            if np.sqrt(np.mean(pcm.astype(np.float64) ** 2)) > LOUD_RMS:
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


async def call(http: aiohttp.ClientSession, args: argparse.Namespace) -> dict:
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the bot's runner, such as http://localhost:7860")
    parser.add_argument("recording", help="the callers' speech, a 16-bit mono WAV")
    parser.add_argument("--provider", choices=PROVIDERS, default="twilio")
    parser.add_argument("--turns", type=int, help="how often they speak and hear a reply")
    parser.add_argument("--interrupt", action="store_true", help="don't hear the replies out")
    parser.add_argument("--calls", type=int, default=1, help="how many calls at once")
    parser.add_argument("--speak", type=float, nargs="*", default=[], help="when to speak")
    parser.add_argument("--noise", nargs="*", default=[], choices=NOISES, help="what comes in turn")
    parser.add_argument("--quiet", type=float, default=0, help="when the noise ends")
    parser.add_argument("--echo", action="store_true", help="whether the bot's voice comes back")
    parser.add_argument("--brief", action="store_true", help="hang up after the answer")
    parser.add_argument("--patience", type=float, default=30, help="when the callers hang up")
    args = parser.parse_args()
    async with aiohttp.ClientSession(args.url) as http:
        results = await asyncio.gather(*(call(http, args) for _ in range(args.calls)))
        print(json.dumps(results[0] if args.turns else results))


if __name__ == "__main__":
    asyncio.run(main())
