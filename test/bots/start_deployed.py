"""Lets a project's server_utils start a deployed bot in a cloud that is busy twice, then hangs up.

    start_deployed.py

It runs in a project's `server/` and prints the received requests as JSON.
"""

import asyncio
import json
import os
import sys

import aiohttp
from aiohttp import web

from serving import serve

sys.path.insert(0, os.getcwd())
import server_utils  # noqa: E402

HANGS_UP = 0
ANSWERS = [429, 503, 200, HANGS_UP]


async def main() -> None:
    asked = []

    async def start(request: web.Request) -> web.Response:
        key = request.headers["Authorization"]
        asked.append({"path": request.path, "key": key, "order": await request.json()})
        status = ANSWERS[len(asked) - 1]
        if status == HANGS_UP:
            request.transport.close()
        return web.json_response({"sessionId": "one"}, status=status or 200)

    url, runner = await serve(web.post("/{path:.*}", start))
    server_utils.CLOUD = f"{url}/v1/public"
    os.environ |= {"PIPECAT_AGENT_NAME": "my-agent", "PIPECAT_API_KEY": ""}
    async with aiohttp.ClientSession() as http:
        try:
            await server_utils.start_bot(http, {}, {})
        except server_utils.BotNotStartedError as error:
            assert "PIPECAT_API_KEY" in str(error) and not asked, error
        os.environ["PIPECAT_API_KEY"] = "pk_test"
        started = await server_utils.start_bot(http, {"call": "one"}, {"enable_dialout": True})
        assert started == {"sessionId": "one"}, started
        try:
            await server_utils.start_bot(http, {"call": "one"}, {})
            raise AssertionError("started without an answer")
        except server_utils.BotNotStartedError as error:
            assert "didn't respond" in str(error), error
    await runner.cleanup()
    print(json.dumps(asked))


if __name__ == "__main__":
    asyncio.run(main())
