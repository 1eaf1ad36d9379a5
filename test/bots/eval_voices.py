"""Speech services for audio evals, so that they needn't download their speech models.

A scenario names these functions as its factories. The services connect to OPENAI_BASE_URL.
"""

from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService


def speech(_config: dict) -> OpenAITTSService:
    """The service that speaks for the person."""
    return OpenAITTSService(api_key="test")


def transcription(_config: dict) -> OpenAISTTService:
    """The service that transcribes the bot."""
    return OpenAISTTService(api_key="test")
