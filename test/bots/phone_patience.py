"""Calls a bot over Twilio's media stream, and prints when it speaks and when it hangs up.

It runs in the virtual environment of the project whose bot it calls. The output is a JSON object:
{sounds: [{from, to}], spoke_at: [...], hung_up_at: seconds or null}, in seconds since the call began.
"""

import argparse
import asyncio
import json
import time

import aiohttp
import numpy as np

from phone_providers import RATE, Twilio
from turns import LOUD_RMS, PAUSE_SECONDS, Mouthpiece, read_speech


class Line:
    """The caller's line."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, recording: str):
        self._socket, self._provider = socket, Twilio()
        self._mouthpiece = Mouthpiece(read_speech(recording, RATE))
        self._start = time.monotonic()
        self._sent = 0
        self.sounds: list[dict] = []
        self.spoke_at: list[float] = []
        self.hung_up_at: float | None = None

    def now(self) -> float:
        """The seconds since the call began."""
        return round(time.monotonic() - self._start, 3)

    async def greet(self) -> None:
        """Sends the messages that start the call."""
        for message in self._provider.greet():
            await self._socket.send_str(json.dumps(message))

    async def send(self) -> None:
        """Sends the microphone's sound."""
        async for chunk in self._mouthpiece.chunks(RATE):
            self._sent += 1
            message = self._provider.media(self._sent, self._provider.encode(chunk))
            await self._socket.send_str(json.dumps(message))

    async def hear(self) -> None:
        """Receives the bot's sound until it hangs up."""
        async for raw in self._socket:
            payload = self._provider.sound(json.loads(raw.data))
            if payload is None:
                continue
            pcm = self._provider.decode(payload)
            if np.sqrt(np.mean(pcm.astype(np.float64) ** 2)) > LOUD_RMS:
                self._take()
        self.hung_up_at = self.now()

    def _take(self) -> None:
        now = self.now()
        if not self.sounds or now - self.sounds[-1]["to"] > PAUSE_SECONDS:
            self.sounds.append({"from": now, "to": now})
        self.sounds[-1]["to"] = now

    async def speak(self, times: list[float]) -> None:
        """Speaks at these seconds of the call. The words take about two seconds."""
        for at in times:
            await asyncio.sleep(max(0, at - self.now()))
            self._mouthpiece.say()
            self.spoke_at.append(self.now())


async def main() -> None:
    """Reads the command line, makes the call, and prints what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the bot's runner, such as http://localhost:7860")
    parser.add_argument("recording", help="the caller's speech, a 16-bit mono WAV")
    parser.add_argument("--speak", type=float, nargs="*", default=[], help="when to speak")
    parser.add_argument("--patience", type=float, default=30, help="when the caller hangs up")
    args = parser.parse_args()
    async with aiohttp.ClientSession(args.url) as http, http.ws_connect("/ws") as socket:
        line = Line(socket, args.recording)
        await line.greet()
        sending = asyncio.create_task(line.send())
        speaking = asyncio.create_task(line.speak(args.speak))
        try:
            async with asyncio.timeout(args.patience):
                await line.hear()
        except TimeoutError:
            pass
        sending.cancel()
        speaking.cancel()
    result = {"sounds": line.sounds, "spoke_at": line.spoke_at, "hung_up_at": line.hung_up_at}
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main())
