"""Stands in for a tool that takes traces over OpenTelemetry's protocol (OTLP over HTTP).

It prints each span: the call that it belongs to, what it's about, and the name of the bot.
"""

import asyncio

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from serving import record, serve_forever


async def take(request: web.Request) -> web.Response:
    for resource in ExportTraceServiceRequest.FromString(await request.read()).resource_spans:
        names = {one.key: one.value.string_value for one in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                record(call=span.trace_id.hex(), span=span.name, bot=names.get("service.name"))
    return web.Response(content_type="application/x-protobuf")


if __name__ == "__main__":
    asyncio.run(serve_forever(web.post("/v1/traces", take)))
