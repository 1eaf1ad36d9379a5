"""Holds one conversation with a bot over WebRTC, as a browser would, and prints the bot's output.

It reads `Options` as JSON from stdin, and runs in the virtual environment of the bot's project. The `webrtc` extra
includes the packages that it imports.
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial

import aiohttp
from aiortc import MediaStreamTrack, RTCConfiguration, RTCDataChannel, RTCPeerConnection, RTCSessionDescription

from turns import EXTRA_PAUSE_SECONDS, SLOWNESS, Ears, take_turns
from webrtc_media import Color, Microphone, Picture, Screen, listen, wall

RTVI_VERSION = "2.2.0"
PING_SECONDS = 1
ERRORS = ("error", "error-response")

# Nobody talks longer, in seconds.
DEADLINE = 60 * SLOWNESS

# How much of a reply the person hears before interrupting it.
PATIENCE_SECONDS = 1

# Of a reply that is cut off, this much may still be on its way.
REMAINDER_SECONDS = 0.4


@dataclass
class Options:
    """What `talk.ts` asks for. What each means is there."""

    url: str
    recording: str
    turns: int = 1
    type: str | None = None
    interrupt: bool = False
    camera: Color | None = None
    ready: int = 1
    wait: float = 0


class Session:
    """The person's side of a conversation."""

    def __init__(self, recording: str, camera: Color | None, turns: list[str | None]):
        self._turns = iter(turns)
        self.channel: RTCDataChannel | None = None
        self.microphone = Microphone(recording)
        self.camera = camera and Picture(partial(wall, camera))
        self.ears = Ears()
        self.screen = Screen()
        self.messages: list[dict] = []
        self.replies = 0
        self._interrupts = False
        self.changed = asyncio.Event()
        self.ended = asyncio.Event()

    def receive(self, text: str) -> None:
        message = json.loads(text)
        self.messages.append(message)
        if message.get("type") in ("bot-started-speaking", "bot-stopped-speaking"):
            self.screen.speaking = message["type"] == "bot-started-speaking"
        self.changed.set()

    def end(self) -> None:
        self.ended.set()
        self.changed.set()

    async def wait_for(self, kind: str, count: int) -> None:
        """Waits for `count` messages of a type. Fails if the bot reports an error."""
        while self._count(kind) < count:
            if errors := [m for m in self.messages if m.get("type") in ERRORS]:
                sys.exit(f"the bot reported an error: {errors}")
            if self.ended.is_set():
                sys.exit("the bot ended the session")
            self.changed.clear()
            await self.changed.wait()

    def _count(self, kind: str) -> int:
        return sum(message.get("type") == kind for message in self.messages)

    def say(self) -> None:
        """Starts to play the recording, or types instead."""
        self._interrupts = self._count("bot-started-speaking") > self._count("bot-stopped-speaking")
        typed = next(self._turns)
        if typed and self.channel:
            options = {"run_immediately": True, "audio_response": True}
            send(self.channel, "send-text", {"content": typed, "options": options})
        else:
            self.microphone.play()

    async def hear_out(self) -> dict:
        while True:
            self.replies += 1
            await self.wait_for("bot-stopped-speaking", self.replies)
            if not self._interrupts:
                await self._hear_rest()
            self._interrupts = False
            sound = self.ears.report()
            if sound["seconds"] > REMAINDER_SECONDS:
                return sound

    async def _hear_rest(self) -> None:
        """On a slow machine, the bot may fall silent in the middle of its words."""
        if EXTRA_PAUSE_SECONDS <= 0:
            return
        with suppress(TimeoutError):
            while True:
                async with asyncio.timeout(EXTRA_PAUSE_SECONDS):
                    await self.wait_for("bot-started-speaking", self.replies + 1)
                self.replies += 1
                await self.wait_for("bot-stopped-speaking", self.replies)

    async def hear_a_little(self) -> None:
        await self.wait_for("bot-started-speaking", self.replies + 1)
        while self.ears.seconds < PATIENCE_SECONDS:
            await asyncio.sleep(0.02)

    def transcripts(self) -> list[str]:
        told = [m["data"] for m in self.messages if m.get("type") == "user-transcription"]
        return [data["text"] for data in told if data["final"]]


async def offer(url: str, peer: RTCPeerConnection) -> None:
    await peer.setLocalDescription(await peer.createOffer())
    local = peer.localDescription
    async with aiohttp.ClientSession(url, raise_for_status=True) as http:
        start = {"transport": "webrtc", "createDailyRoom": False}
        async with http.post("/start", json=start) as response:
            session = (await response.json())["sessionId"]
        description = {"sdp": local.sdp, "type": local.type}
        async with http.post(f"/sessions/{session}/api/offer", json=description) as response:
            answer = await response.json()
    await peer.setRemoteDescription(RTCSessionDescription(answer["sdp"], answer["type"]))


async def keep_alive(channel) -> None:
    """Sends pings. Without them, the transport would consider the client gone."""
    while True:
        channel.send("ping")
        await asyncio.sleep(PING_SECONDS)


def send(channel, kind: str, data: dict) -> None:
    channel.send(json.dumps({"label": "rtvi-ai", "type": kind, "id": "1", "data": data}))


async def wait_in(session: Session, seconds: float) -> dict:
    """Only listens for some seconds, or until the bot ends the session."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await session.ended.wait()
    kinds = [message.get("type") for message in session.messages]
    return {
        "speeches": kinds.count("bot-started-speaking"),
        "seconds": session.ears.seconds,
        "errors": [m["data"] for m in session.messages if m.get("type") in ERRORS],
        "ended": session.ended.is_set(),
    }


@asynccontextmanager
async def connected(url: str, session: Session, ready: int):
    """Joins a session, for as long as the conversation takes."""
    peer, opened = RTCPeerConnection(RTCConfiguration(iceServers=[])), asyncio.Event()
    tasks: list[asyncio.Task] = []

    def take(track: MediaStreamTrack) -> None:
        sensing = listen(session.ears, track) if track.kind == "audio" else session.screen.watch(track)
        tasks.append(asyncio.create_task(sensing))

    channel = session.channel = peer.createDataChannel("chat")
    channel.on("open", opened.set)
    channel.on("close", session.end)
    channel.on("message", session.receive)
    peer.on("track", take)
    # The protocol defines the order: the first track is the microphone, the second the camera.
    peer.addTrack(session.microphone)
    if session.camera:
        peer.addTrack(session.camera)
    else:
        peer.addTransceiver("video", direction="sendrecv")
    try:
        await offer(url, peer)
        await opened.wait()
        tasks.append(asyncio.create_task(keep_alive(channel)))
        if not session.camera:
            # The second track is muted.
            status = {"type": "trackStatus", "receiver_index": 1, "enabled": False}
            channel.send(json.dumps({"type": "signalling", "message": status}))
        for _ in range(ready):
            send(channel, "client-ready", {"version": RTVI_VERSION, "about": {"library": "conversation-test"}})
        yield
    finally:
        for task in tasks:
            task.cancel()
        await peer.close()


async def main() -> None:
    args = Options(**json.load(sys.stdin))
    turns = [None] * (args.turns - 1) + [args.type]
    session = Session(args.recording, args.camera, turns)
    try:
        async with asyncio.timeout(DEADLINE), connected(args.url, session, args.ready):
            if args.wait:
                print(json.dumps(await wait_in(session, args.wait)))
                return
            sounds = await take_turns(session, args.turns, args.interrupt)
    except TimeoutError:
        kinds = [message.get("type") for message in session.messages]
        sys.exit(f"the conversation did not end in {DEADLINE:.0f} s; messages: {kinds}")
    heard = session.transcripts()
    print(json.dumps({"sounds": sounds, "heard": heard, "screen": session.screen.describe()}))


if __name__ == "__main__":
    asyncio.run(main())
