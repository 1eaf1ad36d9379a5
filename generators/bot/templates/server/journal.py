"""Writes down each call in calls/: who said what, what took how long, and what was used.

A call is a file with a JSON object per line, which `botcli calls` reads. In the cloud, the lines up
to somebody's words are a line of the log instead. Nothing of this may slow or stop a call.

Variables: BOTCLI_CALLS=0 turns it off, and =1 on in the cloud. BOTCLI_CALLS_KEEP is how many days
the files are kept (30). BOTCLI_CALLS_TEXT=0 leaves out what was said.
"""

import json
import os
import re
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from loguru import logger
from pipecat.frames import frames
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.observers.error_observer import ErrorEvent, ErrorObserver
from pipecat.observers.function_call_observer import FunctionCallEvent, FunctionCallObserver
from pipecat.observers.service_metrics_observer import (
    ServiceLatencyRecord,
    ServiceMetricsObserver,
    ServiceUsageRecord,
)
from pipecat.observers.user_bot_latency_observer import LatencyBreakdown, UserBotLatencyObserver
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameDirection
from pipecat.processors.frameworks.rtvi.frames import RTVISendTextFrame
from pipecat.runner.types import RunnerArguments
from pipecat.services.llm_service import LLMService
from pipecat.transports.base_transport import BaseTransport

CALLS = Path(__file__).parent / "calls"

# The thread that writes, so that no call waits for the disk.
disk = ThreadPoolExecutor(max_workers=1)

# The calls since the bot was started. The first one waits for what the others find loaded.
numbers = count(1)


@logger.catch(level="WARNING", message="This call isn't written down")
def keep_journal(
    worker: PipelineWorker, transport: BaseTransport, runner_args: RunnerArguments
) -> None:
    """Write down this call, unless that is turned off."""
    is_local = os.getenv("ENV") == "local"
    if (os.getenv("BOTCLI_CALLS") or str(int(is_local))) != "0":
        worker.add_observer(Journal(transport, runner_args, is_local))


class Journal(BaseObserver):
    """Follows a call with the framework's observers.

    It's one observer rather than five, and keeps the sound from them: that takes less of the CPU.
    """

    def __init__(self, transport: BaseTransport, runner_args: RunnerArguments, is_local: bool):
        """Begin a file, or lines of the log in the cloud."""
        super().__init__(observe_every_push=False)
        self._start = time.time()
        start = datetime.fromtimestamp(self._start, UTC)
        self._name = f"{start:%Y-%m-%dT%H-%M-%SZ}-{secrets.token_hex(2)}"
        self._has_text = os.getenv("BOTCLI_CALLS_TEXT") != "0"
        self._started_by = os.getenv("BOTCLI_STARTED_BY")
        self._is_written, self._is_logged = is_local, not is_local or self._started_by == "dev"
        self._is_broken = False
        # The lines since somebody's last words.
        self._lines: list[str] = []
        # What isn't in the file yet. Only the thread that writes uses it.
        self._unwritten = bytearray()
        # When the bot began to speak, if it is speaking.
        self._spoke_at: float | None = None
        self._has_left, self._reason = False, None
        transport.add_event_handler("on_client_disconnected", self._on_left)

        latency = UserBotLatencyObserver()
        calls = FunctionCallObserver(include_results=True)
        services, errors = ServiceMetricsObserver(), ErrorObserver()
        latency.add_event_handler("on_latency_breakdown", self._on_answer)
        calls.add_event_handler("on_function_call_event", self._on_tool)
        services.add_event_handler("on_service_latency", self._on_wait)
        services.add_event_handler("on_service_usage", self._on_usage)
        errors.add_event_handler("on_error", self._on_error)
        self._observers = (latency, calls, services, errors)

        self._note(
            "start",
            time=f"{start:%Y-%m-%dT%H:%M:%SZ}",
            started_by=self._started_by,
            nth=next(numbers),
            **person_in(transport, runner_args),
        )
        self._write()

    async def on_pipeline_started(self) -> None:
        """Write down how long the start took."""
        await self._observers[0].on_pipeline_started()
        self._note("ready")

    # As a context manager, it would make a class per frame, which delays calls that begin at once.
    @logger.catch(level="WARNING", message="calls/ lacks the rest of this call")
    async def on_push_frame(self, data: FramePushed) -> None:
        """Follow the call. If that fails, the call goes on without it."""
        if self._is_broken or self._is_mere_sound(data.frame):
            return
        self._is_broken = True
        await self._follow(data)
        self._is_broken = False

    def _is_mere_sound(self, frame: frames.Frame) -> bool:
        """Return whether this is sound, of which only the first of an answer matters."""
        if isinstance(frame, frames.TTSAudioRawFrame):
            return self._spoke_at is not None
        return isinstance(frame, (frames.InputAudioRawFrame, frames.OutputAudioRawFrame))

    async def _follow(self, data: FramePushed) -> None:
        frame = data.frame
        # A frame that is broadcast comes twice.
        if frame.broadcast_sibling_id and data.direction is not FrameDirection.DOWNSTREAM:
            return
        match frame:
            case RTVISendTextFrame():
                self._note("user", text=self._words(frame.text), typed=True)
                self._write()
            case frames.LLMContextUserTurnFrame():
                self._note("user", text=self._words(frame.text))
                self._write()
            case frames.LLMContextAssistantTurnFrame():
                self._note("bot", text=self._words(frame.text))
                self._write()
            case frames.BotStartedSpeakingFrame():
                self._spoke_at = time.time()
                self._note("speaks")
            case frames.BotStoppedSpeakingFrame():
                self._spoke_at = None
            case frames.InterruptionFrame():
                if self._spoke_at is not None:
                    self._note("interrupted", seconds=round(time.time() - self._spoke_at, 3))
                self._spoke_at = None
            case frames.CancelFrame():
                self._reason = frame.reason
        for observer in self._observers:
            await observer.on_push_frame(data)

    async def cleanup(self) -> None:
        """Write down the end."""
        for observer in self._observers:
            await observer.cleanup()
        self._note("end", left=self._has_left, reason=self._reason)
        self._write()
        if self._is_written:
            disk.submit(clean)
        await super().cleanup()

    async def _on_left(self, *_) -> None:
        self._has_left = True

    async def _on_answer(self, observer, breakdown: LatencyBreakdown) -> None:
        parts = [
            {"key": one.key, "owner": one.owner, "seconds": round(one.duration_secs, 4)}
            for one in breakdown.contributions
        ]
        start = breakdown.measured_from
        self._note("answer", seconds=round(breakdown.total_secs, 4), start=start, parts=parts)

    async def _on_tool(self, observer, event: FunctionCallEvent) -> None:
        if event.in_progress_at is None:
            # It begins. Arguments are a part of what was said.
            if event.started_at is not None:
                said = event.arguments if self._has_text else None
                self._note("calls", id=event.tool_call_id, tool=event.function_name, arguments=said)
            return
        seconds = round(event.timestamp - event.in_progress_at, 3)
        missing = LLMService.MISSING_FUNCTION_CALL_MESSAGE_TEMPLATE
        is_missing = event.result == missing.format(function_name=event.function_name)
        result = "missing" if is_missing else event.kind.removeprefix("function_call_")
        self._note("called", id=event.tool_call_id, seconds=seconds, result=result)

    async def _on_wait(self, observer, record: ServiceLatencyRecord) -> None:
        if record.kind == "ttfa" or record.seconds == 0:
            return
        self._note(
            "wait",
            kind=record.kind,
            processor=record.processor,
            seconds=round(record.seconds, 3),
            thinking=record.thinking_time_secs and round(record.thinking_time_secs, 3),
        )

    async def _on_usage(self, observer, record: ServiceUsageRecord) -> None:
        self._note("usage", **record.model_dump(exclude={"timestamp", "total_tokens"}))

    async def _on_error(self, observer, event: ErrorEvent) -> None:
        self._note(
            "error",
            processor=event.processor,
            category=event.category.value,
            message=self._words(re.sub(r"(\+\d{5,}|\d{8,})(?=\d\d)", "..", event.message)),
            usable=event.processor_usable,
        )

    def _words(self, text: str) -> str | None:
        return text if self._has_text else None

    def _note(self, event: str, **facts: Any) -> None:
        """Add a line, without what isn't known."""
        at = round(time.time() - self._start, 3)
        known = {key: value for key, value in facts.items() if value is not None}
        line = json.dumps({"event": event, "at": at, **known}, ensure_ascii=False, default=str)
        self._lines.append(line)

    def _write(self) -> None:
        """Pass on the lines so far."""
        lines, self._lines = self._lines, []
        if not lines:
            return
        if self._is_logged:
            logger.info(f"Call {self._name}: [{', '.join(lines)}]")
        if self._is_written:
            text = "\n".join([*lines, ""])
            disk.submit(append, CALLS / f"{self._name}.jsonl", self._unwritten, text)


def person_in(transport: BaseTransport, runner_args: RunnerArguments) -> dict[str, str | None]:
    """Return how somebody reaches the bot and, of a phone number, the last two digits."""
    if type(transport).__name__.startswith("Eval"):
        return {"by": "text"}
    body = runner_args.body if isinstance(runner_args.body, dict) else {}
    data = getattr(runner_args, "call_data", None)
    call = body.get("dialin_settings") or body.get("dialout_settings") or body.get("call") or {}
    if data and data.call_id:
        call = {"from": data.from_number}
    if not call:
        return {"by": "browser"}
    numbers = [call.get(name) for name in ("From", "from", "phone_number")]
    digits = re.findall(r"\d", "".join(filter(None, numbers)))
    return {"by": "phone", "number": "".join(["..", *digits[-2:]]) if digits else None}


def append(path: Path, unwritten: bytearray, text: str) -> None:
    """Write lines into a file. What a full disk doesn't take is tried again with the next ones."""
    unwritten += text.encode(errors="replace")
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("ab", buffering=0) as file:
            while unwritten:
                del unwritten[: file.write(unwritten)]
    except OSError as error:
        warn(f"calls/ is incomplete: {error}")


def clean() -> None:
    """Delete what is older than BOTCLI_CALLS_KEEP days."""
    try:
        oldest = time.time() - float(os.getenv("BOTCLI_CALLS_KEEP") or 30) * 86_400
        for path in CALLS.glob("????-??-??T*Z-*.*"):
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        warn(f"Old files in calls/ stay: {error}")


@cache
def warn(problem: str) -> None:
    """Report a problem, once."""
    logger.warning(problem)
