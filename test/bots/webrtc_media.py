"""A person's devices in a conversation with a bot: microphone, camera, headphones and screen."""

import asyncio
import time
import wave
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from statistics import median

import av
import numpy as np
from aiortc import MediaStreamTrack

from turns import SLOW_MOTION, Ears

FRAME_SECONDS = 0.02
PICTURES_PER_SECOND = 10
CAMERA_SIZE = (320, 240)
VIDEO_CLOCK = 90_000

Color = tuple[int, int, int]


class Pace:
    """Releases the frames of a track when they are due."""

    def __init__(self):
        self._start: float | None = None

    async def wait(self, seconds: float) -> None:
        """Waits until this much time has passed since the first frame, or more in slow motion."""
        self._start = self._start or time.monotonic()
        await asyncio.sleep(max(0, self._start + seconds * SLOW_MOTION - time.monotonic()))


class Voice(MediaStreamTrack):
    """16-bit sound in real time, with silence where there is none."""

    kind = "audio"

    def __init__(self, rate: int):
        super().__init__()
        self._rate = rate
        self.pending = b""
        self._sent = 0
        self._pace = Pace()

    async def recv(self) -> av.AudioFrame:
        samples = int(self._rate * FRAME_SECONDS)
        await self._pace.wait(self._sent / self._rate)
        chunk, self.pending = self.pending[: samples * 2], self.pending[samples * 2 :]
        pcm = np.frombuffer(chunk.ljust(samples * 2, b"\0"), dtype=np.int16)
        frame = av.AudioFrame.from_ndarray(pcm.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = self._rate, self._sent, Fraction(1, self._rate)
        self._sent += samples
        return frame


class Microphone(Voice):
    """Silence, until it is asked to play a recording."""

    def __init__(self, path: str):
        with wave.open(path) as recording:
            super().__init__(recording.getframerate())
            self._recording = recording.readframes(recording.getnframes())

    def play(self) -> None:
        """Plays the recording once, starting with the next frame."""
        self.pending = self._recording


class Picture(MediaStreamTrack):
    """Pictures that a function draws from their number."""

    kind = "video"

    def __init__(self, draw: Callable[[int], np.ndarray]):
        super().__init__()
        self._draw = draw
        self._sent = 0
        self._pace = Pace()

    async def recv(self) -> av.VideoFrame:
        await self._pace.wait(self._sent / PICTURES_PER_SECOND)
        frame = av.VideoFrame.from_ndarray(self._draw(self._sent), format="rgb24")
        frame.pts = self._sent * VIDEO_CLOCK // PICTURES_PER_SECOND
        frame.time_base = Fraction(1, VIDEO_CLOCK)
        self._sent += 1
        return frame


def wall(color: Color, number: int) -> np.ndarray:
    """What a camera sees: one color, with a dark bar that moves across it."""
    width, height = CAMERA_SIZE
    picture = np.full((height, width, 3), color, dtype=np.uint8)
    at = number * 4 % (width - 16)
    picture[:, at : at + 16] = 0
    return picture


async def listen(ears: Ears, track: MediaStreamTrack) -> None:
    """Hears the bot's sound."""
    while True:
        frame = await track.recv()
        assert isinstance(frame, av.AudioFrame)
        ears.take(frame.to_ndarray(), frame.samples / frame.sample_rate)


class Screen:
    """The bot's picture: the color of its center while the bot speaks and while it's quiet."""

    def __init__(self):
        self.speaking = False
        self._size = (0, 0)
        self._middles: dict[bool, list[Color]] = {False: [], True: []}

    async def watch(self, track: MediaStreamTrack) -> None:
        while True:
            frame = await track.recv()
            assert isinstance(frame, av.VideoFrame)
            self._size = (frame.width, frame.height)
            picture = frame.to_ndarray(format="rgb24")
            y, x = frame.height // 2, frame.width // 2
            middle = picture[y - 8 : y + 8, x - 8 : x + 8].reshape(-1, 3).mean(axis=0)
            self._middles[self.speaking].append((int(middle[0]), int(middle[1]), int(middle[2])))

    def describe(self) -> dict:
        """The size and number of the frames, and the center's colors: the main ones, and all."""
        quiet, speaking = self._middles[False], self._middles[True]
        return {
            "size": self._size,
            "frames": len(quiet) + len(speaking),
            "quiet": usual(quiet),
            "speaking": usual(speaking),
            "seen": frequent(quiet + speaking),
        }


def usual(colors: list[Color]) -> list[int] | None:
    """The median of each channel, or None if there are no colors."""
    return [int(median(channel)) for channel in zip(*colors)] if colors else None


def frequent(colors: list[Color]) -> list[Color]:
    """The colors that were visible for a while, rounded because of compression."""
    rough = Counter((red // 32 * 32, green // 32 * 32, blue // 32 * 32) for red, green, blue in colors)
    return [color for color, count in rough.items() if count >= PICTURES_PER_SECOND]
