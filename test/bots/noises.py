"""What a phone picks up besides its caller, made from a recorded voice.

Each noise is a function of the voice, its rate and the seconds, and returns 16-bit samples.
"""

from collections.abc import Callable

import numpy as np
import soxr

Noise = Callable[[np.ndarray, int, float], np.ndarray]

_random = np.random.default_rng(1)


def _fill(voice: np.ndarray, length: int) -> np.ndarray:
    return np.resize(voice, length).astype(np.float64)


def _sound(samples: np.ndarray, rms: float) -> np.ndarray:
    samples = samples * (rms / max(1.0, float(np.sqrt(np.mean(samples**2)))))
    return np.clip(samples, -32768, 32767).astype(np.int16)


def crowd(voice: np.ndarray, rate: int, seconds: float) -> np.ndarray:
    """Five people who talk at the same time, each with another voice."""
    length = int(rate * seconds)
    pitches = (0.82, 0.91, 1.0, 1.12, 1.24)
    voices = [soxr.resample(voice, rate * pitch, rate) for pitch in pitches]
    talks = [np.roll(_fill(one, length), at * length // 7) for at, one in enumerate(voices)]
    return _sound(np.sum(talks, axis=0), 2500)


def distant(voice: np.ndarray, rate: int, seconds: float) -> np.ndarray:
    """Somebody else in the room, 20 dB quieter than a caller."""
    return (_fill(voice, int(rate * seconds)) / 10).astype(np.int16)


def hiss(voice: np.ndarray, rate: int, seconds: float) -> np.ndarray:
    return _sound(_random.normal(size=int(rate * seconds)), 1500)


def coughs(voice: np.ndarray, rate: int, seconds: float) -> np.ndarray:
    """Short bursts of noise that fade."""
    at = np.arange(int(rate * seconds)) / rate
    return _sound(_random.normal(size=len(at)) * np.exp(-12 * (at % 0.7)) * (at % 0.7 < 0.35), 2500)


def music(voice: np.ndarray, rate: int, seconds: float) -> np.ndarray:
    """Chords, as while somebody is on hold."""
    at = np.arange(int(rate * seconds)) / rate
    chords = np.array([(262, 330, 392), (220, 262, 330), (175, 220, 262), (196, 247, 294)])
    pitches = chords[(at // 0.8).astype(int) % 4]
    tones = sum(np.sin(2 * np.pi * pitches[:, one] * k * at) / k for one in range(3) for k in (1, 2, 3))
    return _sound(np.asarray(tones) * np.exp(-2 * (at % 0.8)), 2500)


NOISES: dict[str, Noise] = {"crowd": crowd, "distant": distant, "hiss": hiss, "coughs": coughs, "music": music}
