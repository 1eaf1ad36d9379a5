"""Stands in for a tool that takes traces over OpenTelemetry's protocol (OTLP over HTTP).

    traces.py

It prints each span: the call that it belongs to, what it's about, and the name of the bot.
"""

import json
import socket

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


def record(**entry) -> None:
    """Adds a line to the journal, which is stdout."""
    print(json.dumps(entry), flush=True)


async def take(request: web.Request) -> web.Response:
    """Take the spans of a request."""
    for resource in ExportTraceServiceRequest.FromString(await request.read()).resource_spans:
        names = {one.key: one.value.string_value for one in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                record(call=span.trace_id.hex(), span=span.name, bot=names.get("service.name"))
    return web.Response(content_type="application/x-protobuf")


async def ready(site: web.Application) -> None:
    """Say where it listens."""
    record(url=f"http://127.0.0.1:{site['port']}")


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    app = web.Application()
    app["port"] = listener.getsockname()[1]
    app.on_startup.append(ready)
    app.router.add_post("/v1/traces", take)
    web.run_app(app, sock=listener, print=None)


if __name__ == "__main__":
    main()
