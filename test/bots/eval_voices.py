"""The speech of audio evals, where the models that they would download can't be had.

A scenario names these functions as its factories; the services speak to OPENAI_BASE_URL.
"""

from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService


def speech(_config: dict) -> OpenAITTSService:
    """What speaks for the person."""
    return OpenAITTSService(api_key="test")


def transcription(_config: dict) -> OpenAISTTService:
    """What hears the bot."""
    return OpenAISTTService(api_key="test")
