"""Ends running sessions when you stop the bot with Ctrl-C.

Pipecat's web server would wait until everyone has left, and a second Ctrl-C would make it hang.
"""

import asyncio
import os
import signal
import threading
from functools import cache

from pipecat.workers.runner import WorkerRunner

# The seconds for sessions to finish, such as to close their recordings.
GRACE = 4

sessions: set[WorkerRunner] = set()


async def run_session(runner: WorkerRunner) -> None:
    """Run a session until it ends, or until the bot is stopped."""
    # The cloud stops sessions itself.
    if os.getenv("ENV") == "local":
        handle_signals(asyncio.get_running_loop())
    sessions.add(runner)
    try:
        await runner.run()
    finally:
        sessions.discard(runner)


@cache
def handle_signals(loop: asyncio.AbstractEventLoop) -> None:
    """At the first signal, end the sessions, then let the web server stop. Ignore further ones."""
    names = ["SIGINT", "SIGTERM", "SIGBREAK"]  # The last one is Ctrl-Break, on Windows.
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    stop_server = {number: signal.getsignal(number) for number in numbers}

    async def end_sessions() -> None:
        await asyncio.gather(*(runner.cancel(reason="the bot was stopped") for runner in sessions))

    def stop(number, frame):
        for each in stop_server:
            signal.signal(each, signal.SIG_IGN)
        timer = threading.Timer(GRACE, os._exit, [128 + number])
        timer.daemon = True
        timer.start()
        asyncio.run_coroutine_threadsafe(end_sessions(), loop)
        if callable(handler := stop_server[number]):
            handler(number, frame)

    for number in stop_server:
        signal.signal(number, stop)
