"""old: a voice bot built on Pipecat.

- speech-to-text: OpenAI
- language model: OpenAI
- text-to-speech: OpenAI

Fill in .env, run `uv run bot.py`, and open http://localhost:7860 to talk to it.
See README.md for how to connect a phone number.
"""

import asyncio
import os
import struct
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from dotenv import load_dotenv
from loguru import logger
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.evals.transport import EvalTransportParams
from pipecat.frames.frames import LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.audio.audio_buffer_processor import AudioBufferProcessor
from pipecat.runner.types import CallData, RunnerArguments
from pipecat.runner.utils import create_transport
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.transports.base_transport import BaseTransport, TransportParams
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams
from pipecat.workers.runner import WorkerRunner

from guard import CallGuard
from shutdown import run_session

REQUIRED_ENV = ["OPENAI_API_KEY"]
# The variables of the transports, which the cloud may provide in its own way.
TRANSPORT_ENV = ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"]

SYSTEM_INSTRUCTION = (
    "You are a friendly assistant in a voice conversation. Your words are spoken aloud, so answer "
    "in one or two sentences of plain speech, without lists, emojis or formatting."
)
GREETING = "Greet the person and say in one sentence what you can help with."
RECORDINGS = Path(__file__).parent / "recordings"
# RIFF, the size of the rest, the format of the samples, and the size of the data.
WAV_HEADER = struct.Struct("<4sI8sIHHIIHH4sI")

# How many seconds a browser has to report that it's ready. Some never do; then the bot just begins.
READY = 3


def optional_env(**names: str) -> dict[str, Any]:
    """Return the arguments whose variables are set; the others keep the library's defaults."""
    return {argument: os.environ[name] for argument, name in names.items() if os.getenv(name)}


def missing_env(names: list[str]) -> str:
    """Return a message about those of these variables that aren't set, or nothing."""
    missing = ", ".join(name for name in names if not os.getenv(name))
    place = ".env, or in the cloud in the secret set (see .env.example)"
    return f"Set these variables in {place}: {missing}" if missing else ""


def append_to_wav(path: Path, audio: bytes, sample_rate: int, num_channels: int) -> None:
    """Add 16-bit audio to a WAV file, which is complete after each part, whatever happens next."""
    path.parent.mkdir(exist_ok=True)
    path.touch()
    with path.open("r+b") as file:
        begin = max(file.seek(0, os.SEEK_END), WAV_HEADER.size)
        file.seek(begin)
        file.write(audio)
        size, frame = begin - WAV_HEADER.size + len(audio), 2 * num_channels
        file.seek(0)
        shape = (num_channels, sample_rate, sample_rate * frame, frame, 16)
        file.write(WAV_HEADER.pack(b"RIFF", size + 36, b"WAVEfmt ", 16, 1, *shape, b"data", size))


def phone_line(runner_args: RunnerArguments) -> CallData | None:
    """Return the call that a phone provider streams, or None for a browser or an eval."""
    call = runner_args.call_data
    return call if call and call.call_id else None


async def run_bot(transport: BaseTransport, runner_args: RunnerArguments) -> None:
    """Run one conversation, until the person leaves."""
    line = phone_line(runner_args)
    if line:
        logger.info(f"Call from {line.from_number or 'an unknown number'}")
    stt = OpenAISTTService(
        api_key=os.environ["OPENAI_API_KEY"],
        settings=OpenAISTTService.Settings(**optional_env(model="OPENAI_STT_MODEL")),
    )
    llm = OpenAILLMService(
        api_key=os.environ["OPENAI_API_KEY"],
        settings=OpenAILLMService.Settings(
            system_instruction=SYSTEM_INSTRUCTION,
            **optional_env(model="OPENAI_MODEL"),
        ),
    )
    tts = OpenAITTSService(
        api_key=os.environ["OPENAI_API_KEY"],
        settings=OpenAITTSService.Settings(
            **optional_env(model="OPENAI_TTS_MODEL"),
            **optional_env(voice="OPENAI_VOICE_ID"),
        ),
    )

    context = LLMContext(
        tools=[
            # The functions that the model can call.
        ],
    )
    user_aggregator, assistant_aggregator = LLMContextAggregatorPair(
        context,
        user_params=LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer()),
    )
    # Parts of 10 seconds at 24 kHz, or of 30 seconds at a phone's 8 kHz.
    recorder = AudioBufferProcessor(num_channels=2, buffer_size=480_000, auto_start_recording=True)
    recording = RECORDINGS / f"{datetime.now():%Y%m%d-%H%M%S-%f}.wav"
    pipeline = Pipeline(
        [
            transport.input(),  # Receives the person's audio
            stt,  # Transcribes what they say
            user_aggregator,  # Adds the person's turn to the context
            llm,  # Writes the reply
            tts,  # Turns the reply into speech
            transport.output(),  # Sends the bot's audio to the person
            recorder,  # Records both sides
            assistant_aggregator,  # Adds what the bot really said, so it comes last
        ]
    )
    params = PipelineParams(enable_metrics=True, enable_usage_metrics=True)
    if line:
        # A phone call carries audio at 8000 Hz; a higher rate would add nothing.
        params.audio_in_sample_rate = 8000
    worker = PipelineWorker(
        pipeline,
        params=params,
        idle_timeout_secs=runner_args.pipeline_idle_timeout_secs,
    )
    runner = WorkerRunner(handle_sigint=runner_args.handle_sigint)
    await runner.add_workers(worker)

    async def begin(instruction: str) -> None:
        context.add_message({"role": "developer", "content": instruction})
        await worker.queue_frames([LLMRunFrame()])

    if line:
        worker.add_observer(CallGuard(worker, runner, stt=stt, llm=llm, tts=tts))

    is_greeted = False

    async def greet() -> None:
        """Greet the person, unless that happened already."""
        nonlocal is_greeted
        if not is_greeted:
            is_greeted = True
            await begin(GREETING)

    @worker.rtvi.event_handler("on_client_ready")
    async def on_client_ready(rtvi):
        await greet()

    @transport.event_handler("on_client_connected")
    async def on_client_connected(transport, client):
        # A phone never reports that it's ready.
        if not line:
            await asyncio.sleep(READY)
        await greet()

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(transport, client):
        logger.info("Client disconnected: ending the session")
        await runner.cancel()

    @recorder.event_handler("on_audio_data")
    async def on_audio_data(recorder, audio, sample_rate, num_channels):
        append_to_wav(recording, audio, sample_rate, num_channels)

    @recorder.event_handler("on_recording_stopped")
    async def on_recording_stopped(recorder):
        logger.info(f"Saved the recording as {recording}")

    await run_session(runner)


async def bot(runner_args: RunnerArguments) -> None:
    """Start a session. The runner calls this for each one, locally and in the cloud."""
    if problem := missing_env(REQUIRED_ENV):
        raise RuntimeError(problem)
    transport = await create_transport(
        runner_args,
        {
            "twilio": lambda: FastAPIWebsocketParams(audio_in_enabled=True, audio_out_enabled=True),
            "webrtc": lambda: TransportParams(audio_in_enabled=True, audio_out_enabled=True),
            "eval": lambda: EvalTransportParams(audio_in_enabled=True, audio_out_enabled=True),
        },
    )
    await run_bot(transport, runner_args)


if __name__ == "__main__":
    shell = dict(os.environ)
    load_dotenv(override=True)
    # This reads .env, too.
    from pipecat.runner.run import main

    # A variable that .env leaves empty keeps its value from the shell.
    os.environ.update({name: value for name, value in shell.items() if not os.environ[name]})
    if problem := missing_env(REQUIRED_ENV + TRANSPORT_ENV):
        sys.exit(problem)
    main()
