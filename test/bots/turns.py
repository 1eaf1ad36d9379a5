"""A spoken conversation over any transport."""

import asyncio
import os
import time
import wave
from functools import cache
from typing import Any

import numpy as np
import soxr

CHUNK_SECONDS = 0.02
LOUD_RMS = 300

# How many times as long everything takes as on a quiet machine: see `slowness.ts`.
SLOWNESS = float(os.environ.get("TIMES_SLOWER", "1"))

# A bot that gets little of the processor can't analyze sound as fast as it comes, and would never
# catch up. So people speak in slow motion: the same sound, with more time between its pieces. With
# much more, the bot would take a pause between words for the end of a turn.
SLOW_MOTION = min(SLOWNESS, 4)

# A pause this long is the end of the bot's turn. Pauses between words are much shorter, unless the
# machine is slow. The pause between a reply and the next one is longer.
PAUSE_SECONDS = min(0.8 * SLOWNESS, 2)
EXTRA_PAUSE_SECONDS = PAUSE_SECONDS - 0.8


async def take_turns(person: Any, turns: int, interrupts: bool) -> list[dict]:
    """Hears the greeting, then speaks and hears the reply in each turn. Returns what was heard.

    A person can `say()` something, `hear_out()` the bot's next utterance, or `hear_a_little()` of it. With
    `interrupts`, they interrupt each reply except the last.
    """
    heard = [await person.hear_out()]
    for turn in range(turns):
        person.say()
        if interrupts and turn > 0:
            heard.append(await person.hear_out())
        if interrupts and turn + 1 < turns:
            await person.hear_a_little()
        else:
            heard.append(await person.hear_out())
    return heard


@cache
def read_speech(path: str, rate: int) -> np.ndarray:
    """A recording as samples at a rate."""
    with wave.open(path) as recording:
        pcm = np.frombuffer(recording.readframes(recording.getnframes()), dtype=np.int16)
        return soxr.resample(pcm, recording.getframerate(), rate)


def loudness(pcm: np.ndarray) -> float:
    """The root mean square of samples."""
    return float(np.sqrt(np.mean(pcm.astype(np.float64) ** 2)))


class Ears:
    """What somebody hears of the bot, without its silence."""

    def __init__(self):
        self._loud: list[float] = []
        self.seconds = 0.0

    def take(self, pcm: np.ndarray, seconds: float) -> bool:
        """Hears a piece of sound. Returns whether it's loud."""
        if is_loud := (rms := loudness(pcm)) > LOUD_RMS:
            self._loud.append(rms)
            self.seconds += seconds
        return is_loud

    def report(self) -> dict:
        """The length and loudness of the sound since the last call."""
        rms = round(sum(self._loud) / len(self._loud)) if self._loud else 0
        heard = {"seconds": round(self.seconds, 2), "rms": rms}
        self._loud, self.seconds = [], 0.0
        return heard


class Receiver(Ears):
    """A phone's receiver. Only a pause in the sound marks the end of the bot's words."""

    def __init__(self):
        super().__init__()
        self._last_loud = 0.0

    def take(self, pcm: np.ndarray, seconds: float) -> bool:
        if is_loud := super().take(pcm, seconds):
            self._last_loud = time.monotonic()
        return is_loud

    async def hear_out(self) -> dict:
        while not self._loud or time.monotonic() - self._last_loud < PAUSE_SECONDS:
            await asyncio.sleep(CHUNK_SECONDS)
        return self.report()

    def cut(self) -> None:
        """The bot's words end here, although the pause may be short."""
        self._last_loud = 0.0


class Mouthpiece:
    """A phone's microphone. It's silent until the person speaks."""

    def __init__(self, speech: np.ndarray):
        self._speech = speech
        self._pending = speech[:0]

    def say(self) -> None:
        """Starts to play the recording."""
        self._pending = self._speech

    async def chunks(self, rate: int):
        """Yields the sound in real time or slow motion, endlessly."""
        size, start, sent = int(rate * CHUNK_SECONDS), time.monotonic(), 0
        while True:
            chunk, self._pending = self._pending[:size], self._pending[size:]
            yield np.pad(chunk, (0, size - len(chunk))).astype(np.int16)
            sent += 1
            due = start + sent * CHUNK_SECONDS * SLOW_MOTION
            await asyncio.sleep(max(0, due - time.monotonic()))
