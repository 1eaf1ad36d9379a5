"""Calls a bot over a media stream, perhaps from a noisy place, and prints when it speaks and hangs up.

It runs in the virtual environment of the project whose bot it calls. The output is a JSON object:
{sounds: [{from, to}], said_at: seconds or null, hung_up_at: seconds or null}, in seconds since the
call began. `said_at` is the end of the caller's first words.
"""

import argparse
import asyncio
import itertools
import json
import time
from collections.abc import Coroutine

import aiohttp
import numpy as np

from noises import NOISES
from phone_providers import PROVIDERS, RATE, Twilio
from turns import CHUNK_SECONDS, LOUD_RMS, PAUSE_SECONDS, SLOW_MOTION, Mouthpiece, read_speech

# How loud the bot's voice is in the caller's microphone, and when, if the phone doesn't remove it.
ECHO, ECHO_SECONDS = 0.1, 0.2

# When noise begins at the earliest, how long it lasts, and how often it comes.
NOISE_FROM, NOISE_SECONDS, NOISE_EVERY = 5, 2.5, 7


class Line:
    """The caller's line."""

    def __init__(
        self, socket: aiohttp.ClientWebSocketResponse, provider: Twilio, speech: np.ndarray
    ):
        self._socket, self._provider = socket, provider
        self._mouthpiece = Mouthpiece(speech)
        self.noise = np.zeros(0, dtype=np.int16)
        self.echoes = False
        self._start = time.monotonic()
        self._sent = 0
        self.sounds: list[dict] = []
        self.spoke_at: list[float] = []
        self._speech_seconds = len(speech) / RATE * SLOW_MOTION
        self.hung_up_at: float | None = None

    def now(self) -> float:
        """The seconds since the call began."""
        return round(time.monotonic() - self._start, 3)

    async def greet(self) -> None:
        """Sends the messages that start the call."""
        for message in self._provider.greet():
            await self._socket.send_str(json.dumps(message))

    async def live(
        self, patience: float, *habits: Coroutine, goal: Coroutine | None = None
    ) -> None:
        """Keeps the line open for some seconds, unless the bot hangs up or the goal is reached.

        The habits go on meanwhile.
        """
        tasks = [asyncio.create_task(habit) for habit in (self.send(), *habits)]
        ends = [asyncio.create_task(end) for end in (self.hear(), goal) if end]
        await asyncio.wait(ends, timeout=patience, return_when="FIRST_COMPLETED")
        for task in (*tasks, *ends):
            task.cancel()

    async def hear_out(self, after: float = 0) -> None:
        """Waits until the bot has spoken after some second of the call, and paused."""
        while not self.first_after(after) or self.now() - self.sounds[-1]["to"] < PAUSE_SECONDS:
            await asyncio.sleep(CHUNK_SECONDS)

    def first_after(self, second: float) -> float | None:
        """When the bot first began to speak after some second of the call."""
        return next((sound["from"] for sound in self.sounds if sound["from"] > second), None)

    async def send(self) -> None:
        """Sends the microphone's sound."""
        async for chunk in self._mouthpiece.chunks(RATE):
            noise, self.noise = self.noise[: len(chunk)], self.noise[len(chunk) :]
            chunk = np.clip(
                chunk + np.pad(noise.astype(np.int32), (0, len(chunk) - len(noise))), -32768, 32767
            ).astype(np.int16)
            self._sent += 1
            message = self._provider.media(self._sent, self._provider.encode(chunk))
            await self._socket.send_str(json.dumps(message))

    async def hear(self) -> None:
        """Receives the bot's sound until it hangs up."""
        async for raw in self._socket:
            payload = self._provider.sound(json.loads(raw.data))
            if payload is None:
                continue
            pcm = self._provider.decode(payload)
            if np.sqrt(np.mean(pcm.astype(np.float64) ** 2)) > LOUD_RMS:
                self._take()
            if self.echoes:
                self._echo(pcm)
        self.hung_up_at = self.now()

    def _echo(self, pcm: np.ndarray) -> None:
        """Plays the bot's voice quietly into the microphone. It arrives faster than it's heard."""
        delay = max(0, int(ECHO_SECONDS * RATE) - len(self.noise)) if not len(self.noise) else 0
        self.noise = np.concatenate(
            [self.noise, np.zeros(delay, np.int16), (pcm * ECHO).astype(np.int16)]
        )

    async def hum(self, kinds: list[str], voice: np.ndarray, until: float) -> None:
        """Plays noises in turn, with pauses, from the greeting's end until some second of the call."""
        await self.hear_out()
        await asyncio.sleep(max(0, NOISE_FROM - self.now()))
        for kind in itertools.cycle(kinds):
            if self.now() + NOISE_SECONDS * SLOW_MOTION > until:
                return
            self.noise = NOISES[kind](voice, RATE, NOISE_SECONDS)
            await asyncio.sleep(NOISE_EVERY * SLOW_MOTION)

    def _take(self) -> None:
        now = self.now()
        if not self.sounds or now - self.sounds[-1]["to"] > PAUSE_SECONDS:
            self.sounds.append({"from": now, "to": now})
        self.sounds[-1]["to"] = now

    def said_at(self) -> float | None:
        """When the caller's first words ended, or will end."""
        return self.spoke_at[0] + self._speech_seconds if self.spoke_at else None

    async def speak(self, times: list[float]) -> None:
        """Speaks at these seconds of the call, and not before the greeting has ended.

        The words take about two seconds.
        """
        await self.hear_out()
        for at in times:
            await asyncio.sleep(max(0, at - self.now()))
            self._mouthpiece.say()
            self.spoke_at.append(self.now())


async def main() -> None:
    """Reads the command line, makes the call, and prints what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the bot's runner, such as http://localhost:7860")
    parser.add_argument("recording", help="the caller's speech, a 16-bit mono WAV")
    parser.add_argument("--speak", type=float, nargs="*", default=[], help="when to speak")
    parser.add_argument("--provider", choices=PROVIDERS, default="twilio")
    parser.add_argument("--noise", nargs="*", default=[], choices=NOISES, help="what comes in turn")
    parser.add_argument("--quiet", type=float, default=0, help="when the noise ends")
    parser.add_argument("--echo", action="store_true", help="whether the bot's voice comes back")
    parser.add_argument("--patience", type=float, default=30, help="when the caller hangs up")
    args = parser.parse_args()
    async with aiohttp.ClientSession(args.url) as http, http.ws_connect("/ws") as socket:
        speech = read_speech(args.recording, RATE)
        line = Line(socket, PROVIDERS[args.provider](), speech)
        line.echoes = args.echo
        await line.greet()
        habits = line.speak(args.speak), line.hum(args.noise, speech, args.quiet)
        await line.live(args.patience, *habits)
    result = {"sounds": line.sounds, "said_at": line.said_at(), "hung_up_at": line.hung_up_at}
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main())
