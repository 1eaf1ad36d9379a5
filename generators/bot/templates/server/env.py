"""Reads the bot's variables from .env, and finds those that are missing."""

import argparse
import io
import os
import sys
from typing import Any

from dotenv import load_dotenv

# The shell's variables, before anything reads .env.
SHELL = dict(os.environ)


def load_env() -> None:
    """Read .env. It wins over the shell, except for variables that it leaves empty."""
    for stream in (sys.stdout, sys.stderr):
        # Into a file, Python on Windows writes an old code page, without the runner's emoji.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    load_dotenv(override=True)
    empty = [name for name in SHELL if not os.environ.get(name)]
    os.environ.update({name: SHELL[name] for name in empty})


def missing_env(names: list[str]) -> str:
    """Return a message about those of these variables that aren't set, or nothing."""
    missing = ", ".join(name for name in names if not os.getenv(name))
    place = ".env, or in the secrets of a deployed bot (see .env.example)"
    return f"Set these variables in {place}: {missing}" if missing else ""


def transport_env(transports: dict[str, list[str]]) -> list[str]:
    """Return the variables of the transport that -t names. Without -t, one that works is enough."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-t", "--transport")
    chosen = parser.parse_known_args()[0].transport
    if chosen:
        return transports.get(chosen, [])
    return min(transports.values(), key=lambda names: bool(missing_env(names)))


def optional_env(convert: type = str, /, **names: str) -> dict[str, Any]:
    """Return the arguments whose variables are set; the others keep the library's defaults."""
    return {key: convert(os.environ[name]) for key, name in names.items() if os.getenv(name)}
