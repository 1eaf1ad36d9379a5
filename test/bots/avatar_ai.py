"""Stands in for Simli, which needs an account: it implements the API for Simli's client.

It draws no face. It returns the speech that it receives, with a plain picture that is bright meanwhile. It runs in the
virtual environment of the project, whose extras include the packages that it imports.
"""

import asyncio

import numpy as np
from aiohttp import WSMsgType, web
from aiortc import RTCPeerConnection, RTCSessionDescription

from serving import record, serve_forever
from webrtc_media import Picture, Voice

RATE = 16_000
SIZE = (512, 512)
LIT, DARK = (240, 208, 48), (48, 80, 112)


async def give_token(request: web.Request) -> web.Response:
    config = await request.json()
    record(key=request.headers.get("x-simli-api-key"), face=config["faceId"])
    return web.json_response({"session_token": "local"})


async def give_servers(_request: web.Request) -> web.Response:
    """No ICE servers, because both ends are on this machine."""
    return web.json_response([])


async def perform(request: web.Request) -> web.WebSocketResponse:
    """Connects, then plays the speech that it receives until it's asked to stop."""
    socket, peer, voice = web.WebSocketResponse(), RTCPeerConnection(), Voice(RATE)
    await socket.prepare(request)
    peer.addTrack(voice)
    peer.addTrack(Picture(lambda _: np.full((*SIZE, 3), LIT if voice.pending else DARK, dtype=np.uint8)))
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


ROUTES = (
    web.post("/compose/token", give_token),
    web.get("/compose/ice", give_servers),
    web.get("/compose/webrtc/p2p", perform),
)

if __name__ == "__main__":
    asyncio.run(serve_forever(*ROUTES))
