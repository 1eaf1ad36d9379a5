"""Attaches to a session's debugger, as its web page would, and prints all data until the end.

    watch_frames.py PORT

It runs in the virtual environment of the project, which includes msgpack and websockets.
"""

import asyncio
import json
import sys

import msgpack
from websockets import ConnectionClosed
from websockets.asyncio.client import connect


async def watch(port: int) -> dict:
    """The names of the pipeline's processors and of the frames that passed through it."""
    processors: set[str] = set()
    frames: set[str] = set()
    events = msgpack.Unpacker()
    async with connect(f"ws://localhost:{port}", max_size=None) as socket:
        try:
            async for message in socket:
                events.feed(message)
                for event in events:
                    for worker in event.get("workers", []):
                        processors |= {p["type"] for p in worker["topology"]["processors"]}
                    if event["type"] == "frame":
                        frames.add(event["name"].partition("#")[0])
        except ConnectionClosed:
            pass
    return {"processors": sorted(processors), "frames": sorted(frames)}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(watch(int(sys.argv[1])))))
