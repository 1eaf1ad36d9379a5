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


def redirect_twilio(url: str) -> None:
    """Sends what Twilio's library asks to the stand-in; it is there in bots that need it alone."""
    try:
        from twilio.http.http_client import TwilioHttpClient
    except ModuleNotFoundError:
        return
    request = TwilioHttpClient.request
    if request.__name__ == "redirected":
        return

    def redirected(self, method, uri, *args, **kwargs):
        return request(self, method, uri.replace("https://api.twilio.com", url), *args, **kwargs)

    TwilioHttpClient.request = redirected


async def setup_pipeline_worker(worker: PipelineWorker) -> None:
    """Changes the addresses, and nothing else."""
    url = os.environ["STAND_IN_URL"]
    redirect_twilio(url)
    for processor in every(worker.pipeline):
        match type(processor).__name__:
            case "OpenAIRealtimeLLMService":
                _, _, query = getattr(processor, "base_url").partition("?")
                setattr(processor, "base_url", f"{url}?{query}")
            case "SimliVideoService":
                client = getattr(processor, "_simli_client")
                client.simliHTTPURL, client.simliWSURL = url, url.replace("http", "ws")
