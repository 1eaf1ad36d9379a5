"""Points a bot's services whose address no variable gives to the stand-in at STAND_IN_URL.

The framework runs it, named by PIPECAT_SETUP_FILES, for each session, before the services connect.
"""

import os
from collections.abc import Iterator

from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameProcessor


def every(processor: FrameProcessor) -> Iterator[FrameProcessor]:
    """A processor and all those within it."""
    yield processor
    for inner in processor.processors:
        yield from every(inner)


async def setup_pipeline_worker(worker: PipelineWorker) -> None:
    """Changes the addresses, and nothing else."""
    url = os.environ["STAND_IN_URL"]
    for processor in every(worker.pipeline):
        match type(processor).__name__:
            case "OpenAIRealtimeLLMService":
                _, _, query = getattr(processor, "base_url").partition("?")
                setattr(processor, "base_url", f"{url}?{query}")
            case "SimliVideoService":
                client = getattr(processor, "_simli_client")
                client.simliHTTPURL, client.simliWSURL = url, url.replace("http", "ws")
