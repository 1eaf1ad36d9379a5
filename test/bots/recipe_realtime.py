"""A conversation with a speech-to-speech bot of the framework, for recipes."""

import asyncio
from typing import Any

from pipecat.frames import frames
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService
from pipecat.workers.runner import WorkerRunner
from websockets.asyncio.server import serve

import realtime_ai
from recipe_call import PATIENCE, Line

# How long the model thinks about a tool's result.
THINKING = 0.4


class Model(realtime_ai.Session):
    """Calls a tool when it's asked to greet, and says the words when the tool has returned."""

    def __init__(self, socket: Any, tool: str, words: str):
        super().__init__(socket, [], lambda: "", lambda _mood: None)
        self._tool, self._words = tool, words
        self.results: list[str] = []

    async def add(self, item: dict) -> None:
        if item["type"] == "function_call_output":
            self.results.append(item["output"])
        else:
            await super().add(item)

    def answer(self) -> None:
        self._response = self.start(self._say() if self.results else self._call())

    async def _say(self) -> None:
        await asyncio.sleep(THINKING)
        await self.respond(self._words)

    async def _call(self) -> None:
        response = {"id": "resp_call", "object": "realtime.response", "output": []}
        item = {"id": "item_call", "type": "function_call", "call_id": "call_1"}
        item |= {"name": self._tool, "arguments": "{}"}
        where = {"response_id": response["id"], "output_index": 0}
        ids = {"item_id": item["id"], "call_id": item["call_id"]}
        await self.send("response.created", response={**response, "status": "in_progress"})
        await self.send("response.output_item.added", **where, item=item)
        await self.send("conversation.item.added", item=item)
        await self.send("response.function_call_arguments.done", **where, **ids, arguments="{}")
        await self.send("response.output_item.done", **where, item=item)
        done = {**response, "status": "completed", "output": [item], "usage": realtime_ai.USAGE}
        await self.send("response.done", response=done)


async def seconds_heard(words: str, tool: Any) -> float:
    """Let a bot call a tool, and return the seconds that the person has heard when it has ended."""
    realtime_ai.record = lambda **_: None
    line = Line([])
    context = LLMContext(tools=[tool])
    pair = LLMContextAggregatorPair(context)

    async def talk(socket: Any) -> None:
        await Model(socket, tool.__name__, words).run()

    async with serve(talk, "127.0.0.1", 0, max_size=None) as server:
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/realtime"
        llm = OpenAIRealtimeLLMService(api_key="k", base_url=url)
        worker = PipelineWorker(
            Pipeline([pair.user(), llm, line, pair.assistant()]),
            params=PipelineParams(audio_out_sample_rate=realtime_ai.RATE),
            enable_rtvi=False,
        )
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(worker)
        running = asyncio.create_task(runner.run())
        context.add_message({"role": "developer", "content": "Greet."})
        await worker.queue_frame(frames.LLMRunFrame())
        async with asyncio.timeout(PATIENCE):
            await running
    return round(line.seconds, 1)


def seconds_of(words: str) -> float:
    return round(len(words) * realtime_ai.SECONDS_PER_LETTER, 1)
