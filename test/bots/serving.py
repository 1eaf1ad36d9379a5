"""What stand-ins have in common: they print the address first, and then each request, as lines of JSON."""

import asyncio
import json

from aiohttp import web


def record(**entry) -> None:
    """Adds a line to the journal."""
    print(json.dumps(entry), flush=True)


async def serve(*routes: web.RouteDef) -> tuple[str, web.AppRunner]:
    """Serves routes on loopback. Returns the address, and what to clean up."""
    app = web.Application()
    app.router.add_routes(routes)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return "http://{}:{}".format(*runner.addresses[0][:2]), runner


async def serve_forever(*routes: web.RouteDef) -> None:
    url, _ = await serve(*routes)
    record(url=url)
    await asyncio.Event().wait()
