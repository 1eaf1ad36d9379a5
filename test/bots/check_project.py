"""Checks generated projects separately, and prints the problems as JSON.

    check_project.py < order.json > results.json

It needs the framework to be installed. The order is {projects: [directory], extras: [name]}: `extras` are the
framework's installed extras. The answer maps each check to {passed: count, inapplicable: count, problems: [text]}.
"""

import ast
import inspect
import json
import os
import re
import runpy
import sys
import tomllib
import warnings
from collections.abc import Callable
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pipecatcloud.cli.config as cloud_config
from loguru import logger
from packaging.requirements import Requirement
from pipecat.evals.scenario import EvalScenarioFile
from pipecatcloud._utils.deploy_utils import load_deploy_config_file


@dataclass
class Project:
    directory: Path
    extras: set[str]

    @property
    def server(self) -> Path:
        """The directory of the bot."""
        return self.directory / "server"

    @property
    def sources(self) -> list[Path]:
        return sorted(self.server.glob("*.py"))

    @property
    def python(self) -> list[Path]:
        """Its Python files, and those of its evals."""
        return [*self.sources, *self.server.glob("evals/*.py")]

    @property
    def pyproject(self) -> dict:
        return tomllib.loads(read(self.server / "pyproject.toml"))


class InapplicableError(Exception):
    """The check doesn't apply to this project."""


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def expect(condition: object, problem: str) -> None:
    if not condition:
        raise AssertionError(problem)


def python_compiles(project: Project) -> None:
    with warnings.catch_warnings(action="error"):
        for path in project.python:
            compile(read(path), str(path), "exec")


def cloud_configuration_loads(project: Project) -> None:
    """The platform's loader accepts cloud-deploy.toml, and the files that it refers to exist."""
    path = project.server / "cloud-deploy.toml"
    if not path.exists():
        raise InapplicableError
    cloud_config.deploy_config_path = str(path)
    config = load_deploy_config_file()
    expect(config, "the platform's loader can't read it")
    container_file = project.server / config.build_config.dockerfile
    expect(container_file.is_file(), f"no {container_file.name}")
    for line in read(container_file).splitlines():
        if match := re.match(r"COPY (?!--from)(.*) \S+$", line):
            for source in match[1].split():
                # A pattern may match nothing, because it's for files that people add.
                there = source.endswith("*") or (project.server / source).exists()
                expect(there, f"COPY {source}: no such file")


def evals_load(project: Project) -> None:
    """The framework's loader accepts the scenarios. It only warns about unknown events."""
    scenarios = list(project.server.glob("evals/*.yaml"))
    if not scenarios:
        raise InapplicableError
    warned: list[str] = []
    sink = logger.add(warned.append, level="WARNING", format="{message}")
    try:
        for path in scenarios:
            loaded = list(EvalScenarioFile.load(path))
            expect(loaded, f"{path.name} holds no scenario")
            if path.name == "kept.yaml":
                kept_is_said(loaded[0])
    finally:
        logger.remove(sink)
    expect(not warned, "".join(warned))


def kept_is_said(scenario) -> None:
    """Each message of the kept conversation is the argument of the call after it."""
    for turn in scenario.turns[1:]:
        [call] = turn.expect[0].calls
        said = call.args["said"]
        word = said if isinstance(said, str) else json.dumps(said)
        expect(word == turn.user, f"{turn.user!r} became {call.args}")


def transport_table(module: ast.Module) -> dict[str, list[str]]:
    """The variables of each transport, as the bot has them."""
    for node in module.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id="TRANSPORT_ENV"), value=ast.Dict() as table):
                return ast.literal_eval(table)
    return {}


def start_follows_transport(project: Project) -> None:
    """bot.py asks for the variables of the transport that it starts with, and no others."""
    transports = transport_table(ast.parse(read(project.server / "bot.py")))
    if not transports:
        raise InapplicableError
    start = runpy.run_path(str(project.server / "env.py"))["transport_env"]
    for key, names in [*transports.items(), ("", min(transports.values(), key=bool))]:
        ways = (["-t", key], [f"--transport={key}"], ["--host", "x", f"-t{key}"]) if key else ([],)
        for line in ways:
            with patch.dict(os.environ, clear=True), patch("sys.argv", ["bot.py", *line]):
                expect(start(transports) == names, f"{line}: {start(transports)}")


def bot_imports(project: Project) -> None:
    """bot.py can be imported, uses nothing deprecated, and has the coroutine that runners call."""
    requirements = map(Requirement, project.pyproject["project"]["dependencies"])
    extras = {extra for r in requirements if r.name == "pipecat-ai" for extra in r.extras}
    if not extras <= project.extras:
        raise InapplicableError
    with environment_of(project), warnings.catch_warnings(record=True) as caught:
        names = runpy.run_path(str(project.server / "bot.py"), run_name="generated_bot")
    deprecations = [str(one.message) for one in caught if "is deprecated since" in str(one.message)]
    expect(not deprecations, "; ".join(deprecations))
    expect(inspect.iscoroutinefunction(names.get("bot")), "no coroutine function bot")


@contextmanager
def environment_of(project: Project):
    """Adds the project's directory to the import path, and sets each of its variables."""
    listed = re.findall(r"([A-Z][A-Z0-9_]*)=", read(project.server / ".env.example"))
    modules = set(sys.modules)
    try:
        with patch.dict(os.environ, dict.fromkeys(listed, "x")), patch("sys.path", [str(project.server), *sys.path]):
            yield
    finally:
        for name in set(sys.modules) - modules:
            if str(project.server) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


CHECKS: dict[str, Callable[[Project], None]] = {
    "Python compiles without a warning": python_compiles,
    "the platform's CLI loads cloud-deploy.toml": cloud_configuration_loads,
    "the framework loads the evals": evals_load,
    "bot.py asks for what its transport needs": start_follows_transport,
    "bot.py imports": bot_imports,
}


def run(check: Callable[[Project], None], projects: list[Project]) -> dict:
    problems, inapplicable = [], 0
    for project in projects:
        try:
            check(project)
        except InapplicableError:
            inapplicable += 1
        except Exception as error:
            problems.append(f"{project.directory.name}: {type(error).__name__}: {error}")
    passed = len(projects) - len(problems) - inapplicable
    return {"passed": passed, "inapplicable": inapplicable, "problems": problems}


def main() -> None:
    order = json.load(sys.stdin)
    extras = set(order["extras"])
    projects = [Project(Path(path), extras) for path in order["projects"]]
    with redirect_stdout(sys.stderr), redirect_stderr(sys.stderr):
        results = {name: run(check, projects) for name, check in CHECKS.items()}
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
