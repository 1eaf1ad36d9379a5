"""Creates a bot's noise filter as on a local machine and as in the cloud.

It runs in a project's `server/`, with the Python of the project. It replaces the SDK `krisp_audio`,
which only the cloud's image has, with one that negates each sample, and its model with an empty
file. The bot's own code and the framework's filter are real.
"""

import asyncio
import json
import os
import sys
import tempfile
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock

import numpy as np

RATE = 16_000


class Sdk(ModuleType):
    """The parts of the SDK that the framework's filter uses."""

    def __init__(self):
        super().__init__("krisp_audio")
        self.filtered = 0
        self.SamplingRate = self.FrameDuration = self.LogLevel = MagicMock()
        self.ModelInfo = self.NcSessionConfig = SimpleNamespace
        self.NcInt16 = SimpleNamespace(create=lambda _config: SimpleNamespace(process=self.process))

    def globalInit(self, *_args) -> None:
        """Starts nothing."""

    def getVersion(self) -> SimpleNamespace:
        """The first version with the current bindings."""
        return SimpleNamespace(major=1, minor=11, patch=0)

    def process(self, samples: np.ndarray, _level: float) -> np.ndarray:
        """Filters one frame."""
        self.filtered += len(samples)
        return -samples


async def main() -> None:
    """Creates both filters, filters some sound with the cloud's one, and prints the results."""
    sdk = Sdk()
    sys.modules["krisp_audio"] = sdk
    sys.path.insert(0, os.getcwd())
    import bot  # pyright: ignore[reportMissingImports]

    os.environ["ENV"] = "local"
    local = bot.noise_filter()
    os.environ["ENV"] = "production"
    with tempfile.NamedTemporaryFile(suffix=".kef") as model:
        os.environ["KRISP_VIVA_FILTER_MODEL_PATH"] = model.name
        cloud = bot.noise_filter()
    await cloud.start(RATE)
    sound = np.arange(RATE // 10, dtype=np.int16)
    out = np.frombuffer(await cloud.filter(sound.tobytes()), dtype=np.int16)
    await cloud.stop()
    assert np.array_equal(out, -sound)
    kinds = {"local": type(local).__name__, "cloud": type(cloud).__name__}
    print(json.dumps({**kinds, "samples": len(out), "filtered": sdk.filtered}))


if __name__ == "__main__":
    asyncio.run(main())
