"""Calls a bot as a phone provider does, over a media stream, and prints the bot's output.

It runs in the virtual environment of the project whose bot it calls.
"""

import argparse
import asyncio
import json
import sys

import aiohttp

from phone_providers import PROVIDERS, RATE, Twilio
from turns import CHUNK_SECONDS, SLOWNESS, Mouthpiece, Receiver, read_speech, take_turns

# How much of a reply the caller hears before interrupting it.
PATIENCE_SECONDS = 1


class Call:
    """The caller's side."""

    def __init__(self, provider: Twilio, socket: aiohttp.ClientWebSocketResponse, recording: str):
        self._provider = provider
        self._socket = socket
        self._mouthpiece = Mouthpiece(read_speech(recording, RATE))
        self._receiver = Receiver()
        self._sent = 0
        self.say = self._mouthpiece.say
        self.hear_out = self._receiver.hear_out
        self.clears = 0

    async def talk(self) -> None:
        """Sends the microphone's sound."""
        async for chunk in self._mouthpiece.chunks(RATE):
            self._sent += 1
            await self._send(self._provider.media(self._sent, self._provider.encode(chunk)))

    async def listen(self) -> None:
        """Handles the bot's messages: sound in the provider's codec, and commands to clear it."""
        async for raw in self._socket:
            message = json.loads(raw.data)
            if message.get("event") == self._provider.clear:
                self.clears += 1
                self._receiver.cut()
            if payload := self._provider.sound(message):
                self._receiver.take(self._provider.decode(payload), RATE)
        sys.exit("the bot hung up")

    async def hear_a_little(self) -> None:
        """Waits until the bot begins to speak."""
        while self._receiver.seconds < PATIENCE_SECONDS:
            await asyncio.sleep(CHUNK_SECONDS)

    async def greet(self) -> None:
        """Sends the messages that start the call."""
        for message in self._provider.greet():
            await self._send(message)

    async def hang_up(self) -> None:
        """Ends the call, if the bot has not."""
        if self._socket.closed:
            return
        await self._send(self._provider.stop(self._sent + 1))
        await self._socket.close()

    async def _send(self, message: dict) -> None:
        await self._socket.send_str(json.dumps(message))


async def hold(call: Call, turns: int, interrupts: bool) -> list[dict]:
    """Makes the call, from the provider's first message to the last."""
    await call.greet()
    tasks = [asyncio.create_task(call.talk()), asyncio.create_task(call.listen())]
    try:
        conversation = asyncio.create_task(take_turns(call, turns, interrupts))
        done, _ = await asyncio.wait([conversation, *tasks], return_when="FIRST_COMPLETED")
        if conversation not in done:
            sys.exit("the bot hung up")
        return await conversation
    finally:
        for task in tasks:
            task.cancel()
        await call.hang_up()


async def main() -> None:
    """Reads the command line, makes the call, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the bot's runner, such as http://localhost:7860")
    parser.add_argument("recording", help="the caller's speech, a 16-bit mono WAV")
    parser.add_argument("--provider", choices=PROVIDERS, required=True)
    parser.add_argument("--turns", type=int, default=1, help="how often they say it")
    parser.add_argument("--interrupt", action="store_true", help="don't hear the replies out")
    parser.add_argument(
        "--deadline", type=float, default=60 * SLOWNESS, help="seconds for all of it"
    )
    args = parser.parse_args()
    async with aiohttp.ClientSession(args.url) as http, http.ws_connect("/ws") as socket:
        call = Call(PROVIDERS[args.provider](), socket, args.recording)
        try:
            async with asyncio.timeout(args.deadline):
                sounds = await hold(call, args.turns, args.interrupt)
        except TimeoutError:
            sys.exit(f"the call did not end in {args.deadline:.0f} s")
    print(json.dumps({"sounds": sounds, "clears": call.clears}))


if __name__ == "__main__":
    asyncio.run(main())
