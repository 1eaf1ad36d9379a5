"""Checks generated projects separately, and prints the problems as JSON.

    check_project.py < order.json > results.json

It needs the framework to be installed. The order is {projects: [{directory, ambient: [name]}],
extras: [name]}: `extras` are the framework's installed extras, `ambient` the variables that the
framework or a provider's own library reads. The answer maps each check to its result:
{passed: count, inapplicable: count, problems: [text]}.
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

import pipecatcloud.cli.config as cloud_config
import yaml
from loguru import logger
from packaging.requirements import Requirement
from pipecat.evals.scenario import EvalScenarioFile
from pipecatcloud._utils.deploy_utils import load_deploy_config_file

# The framework's runner and botcli set these, so people must not.
RUNNER_VARIABLES = {"ENV", "BOTCLI_STARTED_BY"}


@dataclass
class Project:
    """A generated project."""

    directory: Path
    ambient: set[str]
    extras: set[str]

    @property
    def server(self) -> Path:
        """The directory of the bot."""
        return self.directory / "server"

    @property
    def sources(self) -> list[Path]:
        """The Python files of the bot."""
        return sorted(self.server.glob("*.py"))

    @property
    def python(self) -> list[Path]:
        """Its Python files, and those of its evals."""
        return [*self.sources, *self.server.glob("evals/*.py")]

    @property
    def pyproject(self) -> dict:
        """The contents of pyproject.toml."""
        return tomllib.loads(read(self.server / "pyproject.toml"))

    def find(self, pattern: str) -> list[Path]:
        """The project's own files that match."""
        foreign = {"node_modules", ".venv"}
        return [p for p in self.directory.rglob(pattern) if not foreign & set(p.parts)]


class InapplicableError(Exception):
    """The check doesn't apply to this project."""


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def expect(condition: object, problem: str) -> None:
    """Fails a check unless the condition is true."""
    if not condition:
        raise AssertionError(problem)


def python_compiles(project: Project) -> None:
    with warnings.catch_warnings(action="error"):
        for path in project.python:
            compile(read(path), str(path), "exec")


def data_parses(project: Project) -> None:
    for path in project.find("*.toml"):
        tomllib.loads(read(path))
    for path in [*project.find("*.yaml"), *project.find("*.yml")]:
        yaml.safe_load(read(path))
    for path in project.find("*.json"):
        json.loads(read(path))


def dependencies_are_valid(project: Project) -> None:
    groups = project.pyproject.get("dependency-groups", {}).values()
    for requirement in sum(groups, project.pyproject["project"]["dependencies"]):
        Requirement(requirement)


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


def variables_match(project: Project) -> None:
    """.env.example lists exactly the variables that the bot and its libraries read."""
    read_by_bot, required = set(), set()
    for path in project.python:
        for node in ast.walk(ast.parse(read(path))):
            read_by_bot |= variables_read(node)
            required |= required_list(node)
    example = read(project.server / ".env.example")
    listed = set(re.findall(r"^(?:# ?)?([A-Z][A-Z0-9_]*)=", example, re.MULTILINE))
    to_fill = set(re.findall(r"^([A-Z][A-Z0-9_]*)=", example, re.MULTILINE))
    known = read_by_bot | project.ambient
    expect(not (lost := known - listed - RUNNER_VARIABLES), f"not listed: {sorted(lost)}")
    expect(not (extra := listed - known), f"listed, but nothing reads it: {sorted(extra)}")
    bot = ast.parse(read(project.server / "bot.py"))
    always = set().union(*(required_list(node, "REQUIRED_ENV") for node in ast.walk(bot)))
    transports = transport_table(bot)
    expect(always <= to_fill, f"to fill in: {sorted(to_fill)}, REQUIRED_ENV: {sorted(always)}")
    works = not transports or any(set(names) <= to_fill for names in transports.values())
    expect(works, f"no transport starts with {sorted(to_fill)}: {transports}")
    needed = required.union(*transports.values())
    expect(to_fill <= needed, f"needed by nothing: {sorted(to_fill - needed)}")


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
    words, variables = sys.argv, dict(os.environ)
    try:
        for name in [name for names in transports.values() for name in names]:
            os.environ.pop(name, None)
        for key, names in transports.items():
            for line in (["-t", key], [f"--transport={key}"], ["--host", "x", f"-t{key}"]):
                sys.argv = ["bot.py", *line]
                expect(start(transports) == names, f"{line}: {start(transports)}")
        sys.argv = ["bot.py"]
        least = min(transports.values(), key=bool)
        expect(start(transports) == least, f"without -t: {start(transports)}")
    finally:
        sys.argv = words
        os.environ.clear()
        os.environ.update(variables)


def variables_read(node: ast.AST) -> set[str]:
    """The variables that an expression reads, in any of the ways that bots use."""
    match node:
        case ast.Subscript(
            value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str(name))
        ):
            return {name}
        case ast.Call(func=ast.Attribute(attr="getenv"), args=[ast.Constant(value=str(name)), *_]):
            return {name}
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="get"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return {name}
        case ast.Call(func=ast.Name(id="optional_env"), keywords=keywords):
            return {str(k.value.value) for k in keywords if isinstance(k.value, ast.Constant)}
    return required_list(node)


def required_list(node: ast.AST, *lists: str) -> set[str]:
    """The names in `REQUIRED_ENV = […]`, or those of calls."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=names)) if name in (
            lists or ("REQUIRED_ENV", "CALL_ENV")
        ):
            return {str(name.value) for name in names if isinstance(name, ast.Constant)}
    return set()


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
    variables, modules, path = dict(os.environ), set(sys.modules), list(sys.path)
    listed = re.findall(r"([A-Z][A-Z0-9_]*)=", read(project.server / ".env.example"))
    os.environ.update(dict.fromkeys(listed, "x"))
    sys.path.insert(0, str(project.server))
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(variables)
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if str(project.server) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


CHECKS: dict[str, Callable[[Project], None]] = {
    "Python compiles without a warning": python_compiles,
    "toml, yaml and json parse": data_parses,
    "dependencies are valid requirements": dependencies_are_valid,
    "the platform's CLI loads cloud-deploy.toml": cloud_configuration_loads,
    "the framework loads the evals": evals_load,
    ".env.example lists exactly the variables that the bot reads": variables_match,
    "bot.py asks for what its transport needs": start_follows_transport,
    "bot.py imports": bot_imports,
}


def run(check: Callable[[Project], None], projects: list[Project]) -> dict:
    """Applies a check to all projects."""
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
    """Reads the projects from stdin. Output of imported modules goes to stderr."""
    order = json.load(sys.stdin)
    extras = set(order["extras"])
    projects = [Project(Path(p["directory"]), set(p["ambient"]), extras) for p in order["projects"]]
    with redirect_stdout(sys.stderr), redirect_stderr(sys.stderr):
        results = {name: run(check, projects) for name, check in CHECKS.items()}
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
