"""Plays the platform's gateway for phone calls of botcli, until stdin ends."""

import asyncio
import base64
import json
import math
import struct
import sys

from aiohttp import WSMsgType, web

RATE = 8000


def tone(provider: str, seconds: float, volume: int) -> str:
    """A tone in the provider's codec, in base64."""
    count = int(RATE * seconds)
    samples = [round(volume * math.sin(2 * math.pi * 440 * at / RATE)) for at in range(count)]
    if provider == "exotel":
        return base64.b64encode(struct.pack(f"<{count}h", *samples)).decode()
    return base64.b64encode(bytes(map(mulaw, samples))).decode()


def mulaw(sample: int) -> int:
    """G.711, from its definition: the segment in which a magnitude is, and the step in it."""
    magnitude = min(abs(sample), 32635) + 132
    exponent = magnitude.bit_length() - 8
    mantissa = (magnitude >> (exponent + 3)) & 15
    return ~((128 if sample < 0 else 0) | exponent << 4 | mantissa) & 255


def sound(provider: str, ids: dict, payload: str) -> dict:
    """A message with the bot's sound."""
    if provider == "plivo":
        return {"event": "playAudio", "media": {"payload": payload}}
    name = {"twilio": "streamSid", "exotel": "stream_sid"}.get(provider)
    return {"event": "media", "media": {"payload": payload}} | ({name: ids[name]} if name else {})


async def take_call(request: web.Request) -> web.WebSocketResponse:
    """Takes a call of botcli, and speaks as the query says. Prints what it heard."""
    provider = request.match_info["provider"]
    volume, host = int(request.query["volume"]), request.query.get("serviceHost")
    socket = web.WebSocketResponse(heartbeat=2)
    await socket.prepare(request)
    events, ids = [], {}
    async for message in socket:
        if message.type != WSMsgType.TEXT:
            continue
        heard = json.loads(message.data)
        events.append(heard["event"])
        if heard["event"] == "start":
            ids = heard
            parameters = heard["start"].get("customParameters", {})
            host = host or parameters.get("_pipecatCloudServiceHost")
        if events.count("media") == 3:
            await socket.send_str("not JSON")
            await socket.send_bytes(b"\0" * 70_000)
            # A message of over 64 KiB has the longest kind of header.
            await socket.send_str(json.dumps({"event": "noise", "more": "x" * 70_000}))
            for _ in range(50):
                await socket.send_str(json.dumps(sound(provider, ids, tone(provider, 0.02, volume))))
    order = list(dict.fromkeys(events))
    print(json.dumps({"provider": provider, "host": host, "events": order, "code": socket.close_code}), flush=True)
    return socket


async def serve() -> None:
    app = web.Application()
    app.router.add_get("/ws/{provider}", take_call)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(serve())
