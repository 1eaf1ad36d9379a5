"""Redirects services whose address can't be set with a variable to the running stand-ins.

PIPECAT_SETUP_FILES names this file, so the framework runs it for each session, before the services
connect. The address of a stand-in is in a variable with the name of its program.
"""

import os
from collections.abc import Iterator

import aiohttp
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameProcessor


def every(processor: FrameProcessor) -> Iterator[FrameProcessor]:
    """A processor and all nested processors."""
    yield processor
    for inner in processor.processors:
        yield from every(inner)


def redirect_twilio(url: str) -> None:
    """Redirects Twilio's library, which only some bots have, to the stand-in."""
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


def redirect_ultravox(url: str) -> None:
    post = aiohttp.ClientSession.post

    def redirected(self, address, **kwargs):
        return post(self, address.replace("https://api.ultravox.ai", url), **kwargs)

    aiohttp.ClientSession.post = redirected


async def setup_pipeline_worker(worker: PipelineWorker) -> None:
    if rooms := os.getenv("ROOM_SERVICE_URL"):
        redirect_twilio(rooms)
    for processor in every(worker.pipeline):
        match type(processor).__name__:
            case "OpenAIRealtimeLLMService" | "GrokRealtimeLLMService" | "InworldRealtimeLLMService":
                url = os.environ["REALTIME_AI_URL"]
                _, _, query = getattr(processor, "base_url").partition("?")
                setattr(processor, "base_url", f"{url}?{query}")
            case "UltravoxRealtimeLLMService":
                redirect_ultravox(os.environ["ULTRAVOX_AI_URL"])
            case "SimliVideoService":
                url = os.environ["AVATAR_AI_URL"]
                client = getattr(processor, "_simli_client")
                client.simliHTTPURL, client.simliWSURL = url, url.replace("http", "ws")
