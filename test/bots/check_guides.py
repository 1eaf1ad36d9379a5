"""Checks the code blocks of guides, and the framework's modules that guides name.

    check_guides.py BLOCKS GUIDE...

BLOCKS is a directory with one file for each block. Problems end the program.
"""

import importlib
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import yaml
from loguru import logger
from opentelemetry.sdk import environment_variables
from pipecat.cli.main import app
from pipecat.evals.scenario import EvalScenarioFile
from pipecat.evals.suite import EvalManifest
from typer.main import get_command

BOTCLI = Path(__file__).parents[2] / "dist/src/bin/botcli.js"

# In a table's last column, the first part of a name, `pipecat`, is omitted.
NAME = r"`(pipecat(?:\.\w+)+)`"
CELL = r"\|([^|\n]*)\|$"
SHORT = r"`([a-z]\w*(?:\.\w+)+)`"


def run_python(path: Path) -> None:
    """The block's imports exist, none of them is deprecated, and its definitions work."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        runpy.run_path(str(path), run_name="page")
    deprecations = [str(one.message) for one in caught if "is deprecated since" in str(one.message)]
    assert not deprecations, deprecations


def load_yaml(path: Path) -> None:
    """The framework's loaders accept the block."""
    loaded = yaml.safe_load(path.read_text())
    if "suite" in loaded:
        for name in ("starter_text", "starter_simulation"):
            turns = "scenarios: [{name: a, turns: [{expect: [{event: response}]}]}]"
            path.with_name(f"{name}.yaml").write_text(f"name: {name}\n{turns}\n")
        assert EvalManifest.load(path)
        return
    warned: list[str] = []
    sink = logger.add(warned.append, level="WARNING", format="{message}")
    assert list(EvalScenarioFile.load(path))
    logger.remove(sink)
    assert not warned, warned


def check_lines(path: Path) -> None:
    """The framework's command line has the commands and options of the block."""
    for line in path.read_text().splitlines():
        match line.split():
            case ["uv", "run", "pipecat", "eval", *words]:
                check_command(["eval", *words])
            case ["pipecat", *words]:
                check_command(words)
            case ["gh", "secret" | "variable", "set", _] | ["docker", "run", *_]:
                pass
            case [word] if "=" in word:
                # OpenTelemetry reads it.
                assert hasattr(environment_variables, word.split("=")[0]), line
            case ["botcli", *words] | ["npx", "--yes", "botcli@VERSION", *words]:
                subprocess.run(["node", BOTCLI, *words, "--help"], check=True, capture_output=True)
            case _:
                raise AssertionError(f"an unknown command: {line}")


def check_command(words: list[str]) -> None:
    command = get_command(app)
    rest = list(words)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    assert not hasattr(command, "commands"), f"no such command: {words}"
    options = {name for param in command.params for name in param.opts}
    for word in rest:
        assert not word.startswith("-") or word in options, f"{words}: no option {word}"


def names_in(text: str) -> set[str]:
    short = {name for cell in re.findall(CELL, text, re.MULTILINE) for name in re.findall(SHORT, cell)}
    return {*re.findall(NAME, text), *(f"pipecat.{name.removeprefix('pipecat.')}" for name in short)}


def find(name: str) -> None:
    """A dotted name is a module, or something in one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return


CHECKS = {".py": run_python, ".yaml": load_yaml, ".sh": check_lines}


def main() -> None:
    blocks, guides = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    files = [path for path in sorted(blocks.iterdir()) if path.suffix in CHECKS and path.stem != "uses"]
    for path in files:
        try:
            CHECKS[path.suffix](path)
        except Exception as error:
            raise AssertionError(f"{path.name}: {error!r}") from error
    names = {name for guide in guides for name in names_in(guide.read_text())}
    for name in sorted(names):
        find(name)
    assert files and names, "nothing to check"
    print(f"{len(files)} blocks, {len(names)} names")


if __name__ == "__main__":
    main()
