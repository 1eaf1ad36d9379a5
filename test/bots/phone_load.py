"""Makes phone calls at once over Twilio's media stream, and prints when callers heard the bot.

It runs in the virtual environment of the project whose bot it calls. The output is a JSON list with an object for each
call, {first_sound, answer, hung_up_at}, in seconds: from dialing to the first sound, from the end of the caller's words
to the answer, and from dialing until the bot hung up. A value is null if it didn't happen.
"""

import argparse
import asyncio
import json
import math
import time

import aiohttp
import numpy as np

from phone_patience import Line
from phone_providers import RATE, Twilio
from turns import CHUNK_SECONDS, read_speech


async def call(http: aiohttp.ClientSession, speech: np.ndarray, args: argparse.Namespace) -> dict:
    """Calls, says one sentence, and hangs up."""
    dialed = time.monotonic()
    async with http.ws_connect("/ws") as socket:
        line = Line(socket, Twilio(), speech)
        answered = time.monotonic() - dialed
        await line.greet()

        async def hear_answer() -> None:
            while (said := line.said_at()) is None:
                await asyncio.sleep(CHUNK_SECONDS)
            await line.hear_out(said)

        goal = None if args.stay else hear_answer()
        await line.live(args.patience - answered, line.speak([args.speak]), goal=goal)
    said = line.said_at() or math.inf
    first, answer = line.first_after(0), line.first_after(said)
    return {
        "first_sound": None if first is None else first + answered,
        "answer": None if answer is None else answer - said,
        "hung_up_at": line.hung_up_at,
    }


async def main() -> None:
    """Reads the command line, makes the calls, and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the bot's runner, such as http://localhost:7860")
    parser.add_argument("recording", help="the callers' speech, a 16-bit mono WAV")
    parser.add_argument("--calls", type=int, default=1, help="how many calls at once")
    parser.add_argument("--speak", type=float, required=True, help="when the callers speak")
    parser.add_argument("--stay", action="store_true", help="don't hang up after the answer")
    parser.add_argument("--patience", type=float, required=True, help="when the callers hang up")
    args = parser.parse_args()
    speech = read_speech(args.recording, RATE)
    async with aiohttp.ClientSession(args.url) as http:
        calls = (call(http, speech, args) for _ in range(args.calls))
        print(json.dumps(await asyncio.gather(*calls)))


if __name__ == "__main__":
    asyncio.run(main())
