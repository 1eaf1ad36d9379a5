"""Stands in for the parts of OpenAI's Realtime API that the framework's services use.

xAI's and Inworld's services use the same ones.

    realtime_ai.py [--mood FILE] TRANSCRIPT ...

The file's content makes it fail: "refuses" the key, "closes" a connection that it hears something on, each time or only
"twice", or "hangs" without answering. If it "ignores" what it hears, that is noise. It replaces only the model: it
receives sound, and its speech goes through the bot's real pipeline. Each time someone speaks, it uses the next
transcript. It runs in the virtual environment of the project, which includes numpy and websockets.
"""

import argparse
import asyncio
import base64
import http
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from websockets import ConnectionClosed
from websockets.asyncio.server import ServerConnection, serve

from serving import record
from turns import LOUD_RMS, loudness, read_speech

RATE = 24_000
SILENCE_SECONDS = 0.5

# A transcript takes a while. The answer starts before it arrives.
TRANSCRIPTION_SECONDS = 0.3
CHUNK_SECONDS = 0.2
CHUNK_EVERY_SECONDS = 0.05
SECONDS_PER_LETTER = 0.05

# A response that is canceled ends after a moment, and until then there can't be another one.
CANCELLATION_SECONDS = 0.1

# Moods in which it closes a connection, and what they become then.
CLOSING = {"closes": "closes", "closes twice": "closes once", "closes once": ""}

# A recorded voice, and the end of its last word. Voice detection would ignore plain tones.
SPEECH = str(Path(__file__).parent.parent / "support/speech.wav")
SPEECH_SECONDS = 1.56

GREETING = "Hello! I'm your assistant. It's good to hear from you."
USAGE = {"total_tokens": 3, "input_tokens": 2, "output_tokens": 1}


def speak(text: str, rate: int = RATE) -> bytes:
    """Repeats the recorded voice without a pause, for a time in proportion to the text."""
    voice = read_speech(SPEECH, rate)[: int(SPEECH_SECONDS * rate)]
    return np.resize(voice, int(len(text) * SECONDS_PER_LETTER * rate)).astype("<i2").tobytes()


class Voice:
    """Notices when the person starts and stops speaking."""

    def __init__(self, rate: int):
        self._rate = rate
        self.seconds = 0.0
        self._loud_at: float | None = None

    def take(self, samples: np.ndarray) -> str:
        """Hears a piece of sound. Returns what the person does: "starts", "stops" or nothing new."""
        self.seconds += len(samples) / self._rate
        before = self._loud_at
        if loudness(samples) > LOUD_RMS:
            self._loud_at = self.seconds
            return "starts" if before is None else ""
        if before is None or self.seconds - before <= SILENCE_SECONDS:
            return ""
        self._loud_at = None
        return "stops"


class Session:
    """One connection: the session's settings, its conversation, and who is speaking."""

    def __init__(
        self,
        socket: ServerConnection,
        transcripts: list[str],
        mood: Callable[[], str],
        set_mood: Callable[[str], object],
    ):
        self._socket, self._mood, self._set_mood = socket, mood, set_mood
        self._is_closed = False
        self._transcripts = iter(transcripts)
        self._ids = itertools.count(1)
        self._transcribes = False
        self._said = ""
        self._voice = Voice(RATE)
        self._item = ""
        self._response: asyncio.Task | None = None
        self._tasks: set[asyncio.Task] = set()

    async def run(self) -> None:
        """Handles events until the connection closes."""
        if self._mood() != "hangs":
            await self.send("session.created", session={"type": "realtime"})
            conversation = {"id": self.new_id("conv"), "object": "realtime.conversation"}
            await self.send("conversation.created", conversation=conversation)
        try:
            async for message in self._socket:
                if self._mood() != "hangs":
                    await self.take(json.loads(message))
        except ConnectionClosed:
            pass
        finally:
            for task in self._tasks:
                task.cancel()
            record(heard_seconds=round(self._voice.seconds, 1))

    async def send(self, kind: str, **fields) -> None:
        event = {"type": kind, "event_id": self.new_id("event"), **fields}
        await self._socket.send(json.dumps(event))

    def new_id(self, kind: str) -> str:
        return f"{kind}_{next(self._ids)}"

    def start(self, work) -> asyncio.Task:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def take(self, event: dict) -> None:
        match event["type"]:
            case "session.update":
                session = event["session"]
                record(session=session)
                sound = (session.get("audio") or {}).get("input") or {}
                self._transcribes = bool(sound.get("transcription"))
                await self.send("session.updated", session={"type": "realtime"})
            case "conversation.item.create":
                await self.add(event["item"])
            case "conversation.item.truncate":
                record(truncated=event["audio_end_ms"])
                fields = {key: event[key] for key in ("item_id", "content_index", "audio_end_ms")}
                await self.send("conversation.item.truncated", **fields)
            case "response.create" if self.is_answering():
                await self.refuse("conversation_already_has_active_response")
            case "response.create":
                self.answer()
            case "response.cancel" if not self.is_answering():
                await self.refuse("response_cancel_not_active")
            case "response.cancel":
                self.be_quiet()
            case "input_audio_buffer.append":
                await self.listen(base64.b64decode(event["audio"]))
            case other:
                await self.refuse(f"unknown event: {other}")

    async def refuse(self, code: str) -> None:
        record(refused=code)
        await self.send("error", error={"type": "invalid_request_error", "code": code, "message": code})

    async def add(self, item: dict) -> None:
        """Adds an item to the conversation. Text counts as speech; a picture is only stored."""
        for part in item.get("content", []):
            if part["type"] == "input_image":
                record(picture=part["image_url"])
            elif item["role"] == "user":
                self._said = part["text"]
                record(role=item["role"], written=self._said)
        await self.send("conversation.item.added", item=item)
        await self.send("conversation.item.done", item=item)

    async def listen(self, sound: bytes) -> None:
        """Detects when the person starts and stops speaking."""
        if self._is_closed:
            return
        if self._mood() in CLOSING:
            self._is_closed = True
            self._set_mood(CLOSING[self._mood()])
            await self._socket.close(1011, "stand-in: closed")
            return
        samples = np.frombuffer(sound, dtype="<i2")
        does = self._voice.take(samples * 0 if self._mood() == "ignores" else samples)
        milliseconds = int(self._voice.seconds * 1000)
        if does == "starts":
            self._item = self.new_id("item")
            self.be_quiet()
            fields = {"audio_start_ms": milliseconds, "item_id": self._item}
            await self.send("input_audio_buffer.speech_started", **fields)
        elif does == "stops":
            fields = {"audio_end_ms": milliseconds, "item_id": self._item}
            await self.send("input_audio_buffer.speech_stopped", **fields)
            await self.hear()

    async def hear(self) -> None:
        """Adds the person's words to the conversation, and answers them."""
        self._said = next(self._transcripts, "")
        record(heard=self._said)
        await self.send("input_audio_buffer.committed", item_id=self._item)
        content = [{"type": "input_audio"}]
        item = {"id": self._item, "type": "message", "role": "user", "content": content}
        await self.send("conversation.item.added", item=item)
        if self._transcribes:
            self.start(self.transcribe(self._item, self._said))
        self.answer()

    async def transcribe(self, item: str, text: str) -> None:
        """Sends the transcript after a while."""
        await asyncio.sleep(TRANSCRIPTION_SECONDS)
        kind = "conversation.item.input_audio_transcription"
        where = {"item_id": item, "content_index": 0}
        await self.send(f"{kind}.delta", **where, delta=text)
        await self.send(f"{kind}.completed", **where, transcript=text)

    def is_answering(self) -> bool:
        return self._response is not None and not self._response.done()

    def be_quiet(self) -> None:
        if self._response:
            self._response.cancel()

    def answer(self) -> None:
        """Starts to answer, and keeps listening."""
        greets = re.search(r"introduc|greet", self._said, re.IGNORECASE)
        text = GREETING if greets or not self._said else f"You said: {self._said}"
        self._response = self.start(self.respond(text))

    async def respond(self, text: str) -> None:
        """Sends speech faster than real time, as the real service does."""
        record(said=text)
        response = {"id": self.new_id("resp"), "object": "realtime.response", "output": []}
        message = {"id": self.new_id("item"), "type": "message", "role": "assistant", "content": []}
        await self.send("response.created", response={**response, "status": "in_progress"})
        where = {"response_id": response["id"], "output_index": 0}
        await self.send("response.output_item.added", **where, item=message)
        await self.send("conversation.item.added", item=message)
        part = {**where, "item_id": message["id"], "content_index": 0}
        status = "cancelled"
        try:
            await self.stream(part, text)
            status = "completed"
            content = [{"type": "output_audio", "transcript": text}]
            message = {**message, "status": status, "content": content}
            await self.send("response.output_item.done", **where, item=message)
            await self.send("conversation.item.done", item=message)
        except asyncio.CancelledError:
            record(cut=text)
            await asyncio.sleep(CANCELLATION_SECONDS)
        finally:
            done = {**response, "status": status, "output": [message], "usage": USAGE}
            await self.send("response.done", response=done)

    async def stream(self, part: dict, text: str) -> None:
        words = iter(text.split(" "))
        sound, size = speak(text), int(CHUNK_SECONDS * RATE) * 2
        for at in range(0, len(sound), size):
            if word := next(words, ""):
                delta = f" {word}" if at else word
                await self.send("response.output_audio_transcript.delta", **part, delta=delta)
            delta = base64.b64encode(sound[at : at + size]).decode()
            await self.send("response.output_audio.delta", **part, delta=delta)
            await asyncio.sleep(CHUNK_EVERY_SECONDS)
        for word in words:
            await self.send("response.output_audio_transcript.delta", **part, delta=f" {word}")
        await self.send("response.output_audio.done", **part)
        await self.send("response.output_audio_transcript.done", **part, transcript=text)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mood", type=Path)
    parser.add_argument("transcripts", nargs="*")
    args = parser.parse_args()

    def mood() -> str:
        return args.mood.read_text() if args.mood and args.mood.exists() else ""

    def receive(socket: ServerConnection, request):
        refuses = mood() == "refuses"
        return socket.respond(http.HTTPStatus.UNAUTHORIZED, "stand-in") if refuses else None

    async def talk(socket: ServerConnection) -> None:
        request = socket.request
        assert request
        record(path=request.path, authorized="Authorization" in request.headers)
        await Session(socket, args.transcripts, mood, args.mood and args.mood.write_text).run()

    async with serve(talk, "127.0.0.1", 0, max_size=None, process_request=receive) as server:
        record(url=f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/realtime")
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
