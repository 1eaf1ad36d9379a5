"""The language model that judges the evals, and plays the person in simulations.

Scenarios name it as `factory: evals.judge.language_model`. To use another one, change it here.
"""

import os
from typing import Any

from pipecat.services.openai.llm import OpenAILLMService


def optional_env(**names: str) -> dict[str, Any]:
    """Return the arguments whose variables are set; the others keep the library's defaults."""
    return {argument: os.environ[name] for argument, name in names.items() if os.getenv(name)}


def language_model(config: dict[str, Any]) -> OpenAILLMService:
    """Return the model, for the block of a scenario that names it."""
    return OpenAILLMService(
        api_key=os.environ["OPENAI_API_KEY"],
        settings=OpenAILLMService.Settings(**optional_env(model="OPENAI_MODEL")),
    )
