"""A conversation with a bot of the framework, for recipes: only its providers are stand-ins."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from aiohttp import web
from pipecat.frames import frames
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams
from pipecat.workers.runner import WorkerRunner

from serving import serve

# A sentence lasts so many seconds, at the framework's rate for this service.
SENTENCE, RATE = 0.4, 24_000

# In seconds: all recipes run at once, perhaps next to other checks, so only what never happens takes so long.
PATIENCE = 300

Call = tuple[str, dict[str, Any]]


class Provider:
    """OpenAI's API: replies as scripted, with words or a call of a tool."""

    def __init__(self, *replies: str | Call):
        self._replies = list(replies)
        self.asked: list[dict[str, Any]] = []
        self.spoken: list[dict[str, Any]] = []

    async def __aenter__(self) -> str:
        complete, speak = self._complete, self._speak
        routes = web.post("/v1/chat/completions", complete), web.post("/v1/audio/speech", speak)
        url, self._server = await serve(*routes)
        return f"{url}/v1"

    async def __aexit__(self, *_args: object) -> None:
        await self._server.cleanup()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        reply = self._replies.pop(0) if self._replies else "I see."
        if not body.get("stream"):
            return web.json_response({"choices": [{"message": {"content": reply}}]})
        if isinstance(reply, str):
            delta: dict[str, Any] = {"content": reply}
        else:
            name, arguments = reply
            function = {"name": name, "arguments": json.dumps(arguments)}
            call = {"index": 0, "id": f"call_{len(self.asked)}", "type": "function"}
            delta = {"tool_calls": [{**call, "function": function}]}
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        for one in (delta, {}):
            choice = {"index": 0, "delta": one, "finish_reason": None if one else "stop"}
            line = json.dumps({**chunk, "choices": [choice]})
            await response.write(f"data: {line}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        return response

    async def _speak(self, request: web.Request) -> web.Response:
        self.spoken.append(await request.json())
        return web.Response(body=b"\x01\x00" * int(SENTENCE * RATE))


class Line(BaseOutputTransport):
    """What the person hears: sound takes as long as on a phone."""

    def __init__(self, log: list[str]):
        super().__init__(TransportParams(audio_out_enabled=True))
        self._log = log
        # The seconds of sound that were played to their end.
        self.seconds = 0.0

    @property
    def played(self) -> int:
        """How many sentences were played to their end."""
        return int(self.seconds / SENTENCE + 0.05)

    async def start(self, frame: frames.StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame: frames.OutputAudioRawFrame) -> bool:
        seconds = len(frame.audio) / 2 / frame.sample_rate
        await asyncio.sleep(seconds)
        if any(frame.audio):
            self.seconds += seconds
        return True

    async def write_transport_frame(self, frame: frames.Frame) -> None:
        """Take a frame that is for the transport, at its place among the sounds."""
        if "Transfer" in (name := type(frame).__name__):
            self._log.append(f"{name}: {self.played} played")

    async def write_dtmf(self, frame: Any) -> None:
        self._log += [f"key {button.value}" for button in frame.buttons]


class Witness(BaseObserver):
    """Writes down what the person hears."""

    def __init__(self, log: list[str], line: Line):
        super().__init__()
        self._log, self._line = log, line

    async def on_push_frame(self, data: FramePushed) -> None:
        if data.source is not self._line:
            return
        match data.frame:
            case frames.BotStartedSpeakingFrame() if data.direction.name == "DOWNSTREAM":
                self._log.append("starts")
            case frames.BotStoppedSpeakingFrame() if data.direction.name == "DOWNSTREAM":
                self._log.append("stops")


class Conversation:
    """A bot, and what has happened in its conversation."""

    def __init__(self, *replies: str | Call, tools: Sequence[Any] = (), resources: Any = None):
        self.provider = Provider(*replies)
        self.log: list[str] = []
        self.context = LLMContext(tools=list(tools)) if tools else LLMContext()
        self.pair: LLMContextAggregatorPair | None = None
        self.resources = resources
        # What a recipe puts into the pipeline.
        self.after_line: list[FrameProcessor] = []
        self.before_user: list[FrameProcessor] = []
        self.after_tts: list[FrameProcessor] = []

    async def __aenter__(self) -> "Conversation":
        self.url = url = await self.provider.__aenter__()
        self.llm = OpenAILLMService(api_key="k", base_url=url)
        self.tts = OpenAITTSService(api_key="k", base_url=url)
        self.line = Line(self.log)
        return self

    async def run(self, **worker: Any) -> None:
        pair = self.pair or LLMContextAggregatorPair(self.context)
        stages = [*self.before_user, pair.user(), self.llm, self.tts, *self.after_tts, self.line]
        pipeline = Pipeline([*stages, *self.after_line, pair.assistant()])
        params = PipelineParams(audio_out_sample_rate=RATE)
        self.worker = PipelineWorker(pipeline, params=params, app_resources=self.resources, enable_rtvi=False, **worker)
        self.worker.add_observer(Witness(self.log, self.line))
        self.runner = WorkerRunner(handle_sigint=False)
        await self.runner.add_workers(self.worker)
        started = asyncio.Event()

        @self.worker.event_handler("on_pipeline_started")
        async def on_pipeline_started(worker, frame):
            started.set()

        self._running = asyncio.create_task(self.runner.run())
        async with asyncio.timeout(PATIENCE):
            await started.wait()

    async def ask(self, text: str, until: Callable[[], Any] | None = None) -> None:
        """Begin, let the person say something, and wait until something is so, or the conversation is over."""
        await self.run()
        await self.say(text)
        await self.until(until or self._running.done)

    async def say(self, text: str) -> None:
        """The person says something, and the bot replies."""
        message: Any = {"role": "user", "content": text}
        await self.push(frames.LLMMessagesAppendFrame([message], run_llm=True))

    async def push(self, *some: frames.Frame) -> None:
        await self.worker.queue_frames(list(some))

    async def until(self, what: Callable[[], Any]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not what():
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"it never was so: {self.log}, {self.provider.spoken}") from None

    async def until_over(self) -> None:
        await self.until(self._running.done)

    @property
    def played(self) -> int:
        """How many sentences the person has heard to their end."""
        return self.line.played

    def said(self) -> list[str]:
        return [one["input"] for one in self.provider.spoken]

    def results(self) -> list[str]:
        """What the tools have returned to the model."""
        messages: list[Any] = self.context.get_messages()
        texts = [str(one["content"]) for one in messages if one.get("role") == "tool"]
        return [text for text in texts if text != "IN_PROGRESS"]

    async def __aexit__(self, *_args: object) -> None:
        if not self._running.done():
            await self.runner.cancel()
            await self._running
        await self.provider.__aexit__()
