"""Stands in for Simli, which needs an account: it implements the API for Simli's client.

It draws no face. It returns the speech that it receives, with a plain picture that is bright
meanwhile. It prints its address first, then each request, as lines of JSON. It runs in the virtual
environment of the project, whose extras include the packages that it imports.
"""

import asyncio
import json
from fractions import Fraction

import av
import numpy as np
from aiohttp import WSMsgType, web
from aiortc import MediaStreamTrack, RTCPeerConnection, RTCSessionDescription

from webrtc_media import FRAME_SECONDS, VIDEO_CLOCK, Color, Pace

RATE = 16_000
SIZE = (512, 512)
PICTURES_PER_SECOND = 15
LIT: Color = (240, 208, 48)
DARK: Color = (48, 80, 112)


def record(**entry) -> None:
    """Adds a line to the journal."""
    print(json.dumps(entry), flush=True)


class Voice(MediaStreamTrack):
    """The avatar's speech in real time, with silence in between."""

    kind = "audio"

    def __init__(self):
        super().__init__()
        self.pending = b""
        self._sent = 0
        self._pace = Pace()

    async def recv(self) -> av.AudioFrame:
        """The next 20 ms."""
        samples = int(RATE * FRAME_SECONDS)
        await self._pace.wait(self._sent / RATE)
        chunk, self.pending = self.pending[: samples * 2], self.pending[samples * 2 :]
        pcm = np.frombuffer(chunk.ljust(samples * 2, b"\0"), dtype=np.int16)
        frame = av.AudioFrame.from_ndarray(pcm.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, self._sent, Fraction(1, RATE)
        self._sent += samples
        return frame


class Face(MediaStreamTrack):
    """A plain picture, bright while the voice speaks."""

    kind = "video"

    def __init__(self, voice: Voice):
        super().__init__()
        self._voice = voice
        self._sent = 0
        self._pace = Pace()

    async def recv(self) -> av.VideoFrame:
        """The next picture."""
        await self._pace.wait(self._sent / PICTURES_PER_SECOND)
        color = LIT if self._voice.pending else DARK
        picture = np.full((*SIZE, 3), color, dtype=np.uint8)
        frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
        frame.pts = self._sent * VIDEO_CLOCK // PICTURES_PER_SECOND
        frame.time_base = Fraction(1, VIDEO_CLOCK)
        self._sent += 1
        return frame


async def give_token(request: web.Request) -> web.Response:
    """Opens a session."""
    config = await request.json()
    record(key=request.headers.get("x-simli-api-key"), face=config["faceId"])
    return web.json_response({"session_token": "local"})


async def give_servers(_request: web.Request) -> web.Response:
    """No ICE servers, because both ends are on this machine."""
    return web.json_response([])


async def perform(request: web.Request) -> web.WebSocketResponse:
    """Connects, then plays the speech that it receives until it's asked to stop."""
    socket, peer, voice = web.WebSocketResponse(), RTCPeerConnection(), Voice()
    await socket.prepare(request)
    peer.addTrack(voice)
    peer.addTrack(Face(voice))
    await peer.setRemoteDescription(RTCSessionDescription(**await socket.receive_json()))
    await peer.setLocalDescription(await peer.createAnswer())
    local = peer.localDescription
    await socket.send_json({"sdp": local.sdp, "type": local.type})
    played = 0
    async for message in socket:
        if message.data == "SKIP":
            voice.pending = b""
        elif message.data == b"DONE":
            break
        elif message.type == WSMsgType.BINARY:
            voice.pending += message.data
            played += len(message.data)
    record(seconds=round(played / 2 / RATE, 1))
    await peer.close()
    return socket


async def main() -> None:
    """Serves until it's stopped."""
    app = web.Application()
    app.router.add_post("/compose/token", give_token)
    app.router.add_get("/compose/ice", give_servers)
    app.router.add_get("/compose/webrtc/p2p", perform)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    record(url=f"http://127.0.0.1:{runner.addresses[0][1]}")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
