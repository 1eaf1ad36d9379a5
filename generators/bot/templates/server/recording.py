"""Records conversations as WAV files in recordings/, while they go on."""

import wave
from datetime import datetime
from pathlib import Path

from loguru import logger
from pipecat.processors.audio.audio_buffer_processor import AudioBufferProcessor

RECORDINGS = Path(__file__).parent / "recordings"


class Recorder(AudioBufferProcessor):
    """Records the person on the left channel and the bot on the right, from the session's start."""

    def __init__(self):
        """Write parts of 10 seconds at 24 kHz, or of 30 seconds at a phone's 8 kHz."""
        super().__init__(num_channels=2, buffer_size=480_000, auto_start_recording=True)
        self._path = RECORDINGS
        self._file: wave.Wave_write | None = None
        self.add_event_handler("on_audio_data", self.append)
        self.add_event_handler("on_recording_stopped", self.finish)

    async def append(self, recorder, audio: bytes, sample_rate: int, num_channels: int) -> None:
        """Write a part. The file is then complete, even if the bot is killed."""
        if self._file is None:
            RECORDINGS.mkdir(exist_ok=True)
            self._path = RECORDINGS / f"{datetime.now():%Y%m%d-%H%M%S-%f}.wav"
            self._file = wave.open(str(self._path), "wb")
            self._file.setparams((num_channels, 2, sample_rate, 0, "NONE", "not compressed"))
        self._file.writeframes(audio)

    async def finish(self, recorder) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
            logger.info(f"Saved the recording as {self._path}")
