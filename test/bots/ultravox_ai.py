"""Stands in for the parts of Ultravox that the framework's service uses.

    ultravox_ai.py TRANSCRIPT ...

Like the real one, it speaks as soon as the bot joins, unless the call says that the person speaks
first. From then on it answers what it hears or reads. Each time someone speaks, it uses the next
transcript.
"""

import asyncio
import sys
from collections.abc import Iterator

import numpy as np
from aiohttp import WSMsgType, web

from realtime_ai import CHUNK_EVERY_SECONDS, CHUNK_SECONDS, GREETING, Voice, speak
from serving import record, serve

RATE = 48_000


class Call:
    """One call: who speaks first, and then who is speaking."""

    def __init__(self, socket: web.WebSocketResponse, transcripts: Iterator[str]):
        self._socket = socket
        self._transcripts = transcripts
        self._voice = Voice(RATE)
        self._response: asyncio.Task | None = None

    async def run(self, agent_begins: bool) -> None:
        if agent_begins:
            self.answer(GREETING)
        async for message in self._socket:
            if message.type == WSMsgType.BINARY:
                await self.listen(message.data)
            elif message.json()["type"] == "user_text_message":
                text = message.json()["text"]
                record(written=text)
                self.answer(f"You said: {text}")

    async def listen(self, sound: bytes) -> None:
        does = self._voice.take(np.frombuffer(sound, dtype="<i2"))
        if does == "starts" and self._response and not self._response.done():
            self._response.cancel()
            await self._socket.send_json({"type": "playback_clear_buffer"})
        elif does == "stops":
            await self.hear(next(self._transcripts, ""))

    async def hear(self, text: str) -> None:
        """Sends the transcript, and answers it."""
        record(heard=text)
        said = {"type": "transcript", "role": "user", "medium": "voice", "text": text}
        await self._socket.send_json({**said, "final": True})
        self.answer(f"You said: {text}")

    def answer(self, text: str) -> None:
        self._response = asyncio.create_task(self.respond(text))

    async def respond(self, text: str) -> None:
        """Sends speech faster than real time."""
        record(said=text)
        saying = {"type": "transcript", "role": "agent", "medium": "voice"}
        await self._socket.send_json({"type": "state", "state": "speaking"})
        sound, size = speak(text, RATE), int(CHUNK_SECONDS * RATE) * 2
        await self._socket.send_bytes(sound[:size])
        await self._socket.send_json({**saying, "delta": text, "final": False})
        for at in range(size, len(sound), size):
            await asyncio.sleep(CHUNK_EVERY_SECONDS)
            await self._socket.send_bytes(sound[at : at + size])
        await self._socket.send_json({**saying, "text": text, "final": True})
        await self._socket.send_json({"type": "state", "state": "listening"})


async def main() -> None:
    agent_begins, url = True, ""

    async def make_call(request: web.Request) -> web.Response:
        nonlocal agent_begins
        body = await request.json()
        record(call=body)
        agent_begins = "user" not in body.get("firstSpeakerSettings", {})
        return web.json_response({"joinUrl": url.replace("http", "ws") + "/join"}, status=201)

    async def join(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await Call(socket, iter(sys.argv[1:])).run(agent_begins)
        return socket

    url, _ = await serve(web.post("/api/calls", make_call), web.get("/join", join))
    record(url=url)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
