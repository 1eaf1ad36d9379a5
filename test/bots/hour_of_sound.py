"""Plays an hour of sound to a bot's recorder, faster than real time, and prints the growth of its memory.

It runs in the virtual environment of the project, in `server/`, and writes to the directory in its argument.
The output is a JSON object: {megabytes, seconds, missing, apart}: the growth, the length of the recording,
how many seconds it lacked before it was closed, and by how many seconds the two channels are apart.
"""

import asyncio
import json
import os
import sys
import time
import types
import wave
from pathlib import Path

import numpy as np
from pipecat.frames.frames import InputAudioRawFrame, OutputAudioRawFrame
from pipecat.processors.audio import audio_buffer_processor
from pipecat.processors.audio.audio_buffer_processor import AudioBufferProcessor

RATE = 16_000
FRAME_SECONDS = 0.02
HOUR = 3600

# The bot speaks for ten seconds, then is quiet for ten.
SPEECH_FRAMES = 500


def megabytes() -> float:
    """The memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def record(recorder: AudioBufferProcessor, clock: list[float]) -> float:
    """Records an hour, and returns by how much the memory grew at most."""
    samples = int(RATE * FRAME_SECONDS)
    person, bot = (np.full(samples, level, np.int16).tobytes() for level in (1, 2))
    before, growth = megabytes(), 0.0
    for frame in range(int(HOUR / FRAME_SECONDS)):
        clock[0] += FRAME_SECONDS
        await recorder._process_recording(InputAudioRawFrame(person, RATE, 1))
        if frame // SPEECH_FRAMES % 2:
            await recorder._process_recording(OutputAudioRawFrame(bot, RATE, 1))
        if frame % 1000 == 0:
            await asyncio.sleep(0)
            growth = max(growth, megabytes() - before)
    return growth


async def main() -> None:
    """Uses the project's recorder."""
    sys.path.insert(0, os.getcwd())
    import recording

    recording.RECORDINGS = Path(sys.argv[1])
    clock = [time.monotonic()]
    setattr(audio_buffer_processor, "time", types.SimpleNamespace(monotonic=lambda: clock[0]))
    recorder = recording.Recorder()
    recorder._sample_rate = RATE
    await recorder.start_recording()

    given = 0

    @recorder.event_handler("on_audio_data")
    async def on_audio_data(recorder, audio, sample_rate, num_channels):
        nonlocal given
        given += len(audio) // (2 * num_channels)

    growth = await record(recorder, clock)
    await asyncio.sleep(0.1)
    [path] = recording.RECORDINGS.glob("*.wav")
    # This is what stays if the bot is killed now.
    with wave.open(str(path)) as file:
        missing = (given - file.getnframes()) / RATE
    await recorder.stop_recording()
    await asyncio.sleep(0.1)
    with wave.open(str(path)) as file:
        seconds = file.getnframes() / file.getframerate()
        channels = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)
    loud = np.flatnonzero(channels[:, 1]) / RATE
    # The moments at which the bot begins to speak, after a silence.
    starts = loud[1:][np.diff(loud) > 1]
    period = SPEECH_FRAMES * FRAME_SECONDS
    apart = max(abs((start + period / 2) % period - period / 2) for start in starts)
    result = {"megabytes": round(growth, 1), "seconds": seconds, "missing": missing}
    print(json.dumps({**result, "apart": round(apart, 3)}))


if __name__ == "__main__":
    asyncio.run(main())
