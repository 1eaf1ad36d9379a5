"""Holds one conversation with a bot over WebRTC, as a browser would, and prints what it heard.

It runs in the virtual environment of the project whose bot it talks to: the `webrtc` extra brings
what it imports.
"""

import argparse
import asyncio
import json
import sys
import time
import wave
from fractions import Fraction

import aiohttp
import av
import numpy as np
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription

RTVI_VERSION = "2.2.0"
FRAME_SECONDS = 0.02
LOUD_RMS = 300
PING_SECONDS = 1
ERRORS = ("error", "error-response")


class Microphone(MediaStreamTrack):
    """Silence, in real time, until it is told to play a recording."""

    kind = "audio"

    def __init__(self, path: str):
        super().__init__()
        with wave.open(path) as recording:
            self._rate = recording.getframerate()
            self._recording = recording.readframes(recording.getnframes())
        self._pending = b""
        self._sent = 0
        self._start: float | None = None

    def play(self) -> None:
        """Speaks the recording, once, from the next frame on."""
        self._pending = self._recording

    async def recv(self) -> av.AudioFrame:
        """The next 20 ms, when they are due."""
        samples = int(self._rate * FRAME_SECONDS)
        self._start = self._start or time.monotonic()
        await asyncio.sleep(max(0, self._start + self._sent / self._rate - time.monotonic()))
        chunk, self._pending = self._pending[: samples * 2], self._pending[samples * 2 :]
        pcm = np.frombuffer(chunk.ljust(samples * 2, b"\0"), dtype=np.int16)
        frame = av.AudioFrame.from_ndarray(pcm.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate, frame.pts = self._rate, self._sent
        frame.time_base = Fraction(1, self._rate)
        self._sent += samples
        return frame


class Listener:
    """What came from the bot: its audio, and its messages on the data channel."""

    def __init__(self):
        self.messages: list[dict] = []
        self._loud: list[float] = []
        self._seconds = 0.0

    async def listen(self, track: MediaStreamTrack) -> None:
        """Measures the bot's audio, frame by frame, for as long as it comes."""
        while True:
            frame = await track.recv()
            assert isinstance(frame, av.AudioFrame)
            rms = float(np.sqrt(np.mean(frame.to_ndarray().astype(np.float64) ** 2)))
            if rms > LOUD_RMS:
                self._loud.append(rms)
                self._seconds += frame.samples / frame.sample_rate

    def take_audio(self) -> dict:
        """How much sound the bot made since the last call, and how loud it was."""
        heard = {
            "seconds": round(self._seconds, 2),
            "rms": round(sum(self._loud) / len(self._loud)) if self._loud else 0,
        }
        self._loud, self._seconds = [], 0.0
        return heard

    async def wait_for(self, kind: str, count: int) -> None:
        """Waits until `count` messages of a kind have come; gives up when the bot has an error."""
        while sum(message.get("type") == kind for message in self.messages) < count:
            if errors := [m for m in self.messages if m.get("type") in ERRORS]:
                sys.exit(f"the bot reported an error: {errors}")
            await asyncio.sleep(0.05)

    def texts(self, kind: str) -> list[str]:
        """The texts of the messages of one kind."""
        return [m["data"]["text"] for m in self.messages if m.get("type") == kind]


async def connect(url: str, peer: RTCPeerConnection) -> None:
    """Starts a session at the bot's runner and exchanges the session descriptions."""
    await peer.setLocalDescription(await peer.createOffer())
    local = peer.localDescription
    async with aiohttp.ClientSession(url, raise_for_status=True) as http:
        start = {"transport": "webrtc", "createDailyRoom": False}
        async with http.post("/start", json=start) as response:
            session = (await response.json())["sessionId"]
        offer = {"sdp": local.sdp, "type": local.type}
        async with http.post(f"/sessions/{session}/api/offer", json=offer) as response:
            answer = await response.json()
    await peer.setRemoteDescription(RTCSessionDescription(answer["sdp"], answer["type"]))


async def keep_alive(channel) -> None:
    """The transport calls a client that sends no pings gone."""
    while True:
        channel.send("ping")
        await asyncio.sleep(PING_SECONDS)


def send_ready(channel) -> None:
    """Tells the bot that the client is ready, which is when it greets."""
    about = {"library": "conversation-test"}
    ready = {"version": RTVI_VERSION, "about": about}
    channel.send(json.dumps({"label": "rtvi-ai", "type": "client-ready", "id": "1", "data": ready}))


async def converse(url: str, recording: str) -> dict:
    """Hears the greeting, says the recording, hears the reply."""
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    microphone, listener, opened = Microphone(recording), Listener(), asyncio.Event()
    tasks: list[asyncio.Task] = []
    channel = peer.createDataChannel("chat")
    channel.on("open", opened.set)
    channel.on("message", lambda text: listener.messages.append(json.loads(text)))
    # The order is the protocol's: the first track is the microphone.
    peer.addTrack(microphone)
    peer.on("track", lambda track: tasks.append(asyncio.create_task(listener.listen(track))))
    try:
        await connect(url, peer)
        await opened.wait()
        tasks.append(asyncio.create_task(keep_alive(channel)))
        send_ready(channel)
        await listener.wait_for("bot-stopped-speaking", 1)
        greeting = listener.take_audio()
        microphone.play()
        await listener.wait_for("bot-stopped-speaking", 2)
        return {
            "greeting": greeting,
            "reply": listener.take_audio(),
            "heard": listener.texts("user-transcription"),
        }
    finally:
        for task in tasks:
            task.cancel()
        await peer.close()


async def main() -> None:
    """Reads the command line, holds the conversation, prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the bot's runner, such as http://localhost:7860")
    parser.add_argument("recording", help="a 16-bit mono WAV: what the user says")
    parser.add_argument("--deadline", type=float, default=60, help="seconds for all of it")
    args = parser.parse_args()
    try:
        async with asyncio.timeout(args.deadline):
            print(json.dumps(await converse(args.url, args.recording)))
    except TimeoutError:
        sys.exit(f"the conversation did not end in {args.deadline:.0f} s")


if __name__ == "__main__":
    asyncio.run(main())
