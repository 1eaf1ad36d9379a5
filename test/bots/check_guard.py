"""Checks which errors end a call at once, and prints those that the project's guard judges wrongly.

It runs in the virtual environment of a project with phone calls, in `server/`. The texts are those that
services of the framework report, with the exceptions behind them.
"""

import json
import os
import sys

from pipecat.frames.frames import ErrorFrame
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.utils.errors import ErrorCategory, classify_http_exception
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

FINAL: list[tuple[str, Exception | ErrorCategory | None]] = [
    ("Unknown error occurred: Error code: 401 - {'error': {'code': 'invalid_api_key'}}", None),
    ("Error during completion: Error code: 429 - {'code': 'insufficient_quota'}", None),
    ("Error getting audio (status: 402, error: credit limit reached)", None),
    ("server rejected WebSocket connection: HTTP 403", None),
    ("UnrecognizedClientException: The security token included in the request is invalid.", None),
    ("Unable to locate credentials", None),
    ("Error during completion: Connection error.", None),
    ("Cannot connect to host api.example.com:443 ssl:default [Connection refused]", None),
    ("All connection attempts failed", None),
    ("reconnection attempt 1 failed", ConnectionRefusedError(111, "Connect call failed")),
    ("no credit left", ErrorCategory.QUOTA),
]
PASSING: list[tuple[str, Exception | ErrorCategory | None]] = [
    ("Error during completion: Error code: 429 - {'code': 'rate_limit_exceeded'}", None),
    ("Error during completion: Error code: 500 - {'message': 'request req_4011'}", None),
    ("Error code: 503 - The engine is overloaded", ErrorCategory.SERVER),
    ("connection error: received 1011 (internal error)", ConnectionClosedError(Close(1011, ""), None)),
    ("connection error: no close frame received or sent", ConnectionClosedError(None, None)),
    ("LLM completion timeout", None),
    ("audio context completed with no audio", None),
]


def frame(text: str, reason: Exception | ErrorCategory | None) -> ErrorFrame:
    """An error as a service reports it."""
    if isinstance(reason, ErrorCategory):
        return ErrorFrame(text, processor=FrameProcessor(), category=reason)
    category = classify_http_exception(reason) if reason else ErrorCategory.UNKNOWN
    return ErrorFrame(text, processor=FrameProcessor(), exception=reason, category=category)


def main() -> None:
    """Compares each text with the guard's judgment."""
    sys.path.insert(0, os.getcwd())
    from guard import is_final

    wrong = [text for text, reason in FINAL if not is_final(frame(text, reason))]
    wrong += [text for text, reason in PASSING if is_final(frame(text, reason))]
    print(json.dumps({"checked": len(FINAL) + len(PASSING), "wrong": wrong}))


if __name__ == "__main__":
    main()
