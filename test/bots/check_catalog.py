"""Checks the catalogue's rows against an unpacked wheel of pipecat-ai.

    check_catalog.py WHEEL < rows.json > problems.json

It parses the wheel's sources and imports nothing, so no service needs its packages. Each row is
{id, module, className, extras, args: [name], settings: [name]}; the answer maps each id to the
list of what is wrong with its row.
"""

import ast
import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

WHEEL = Path(sys.argv[1])


@dataclass(frozen=True)
class Class:
    """A class of the framework, and the module that defines it."""

    module: str
    node: ast.ClassDef


@cache
def parse(module: str) -> ast.Module | None:
    """The syntax tree of a module of the wheel, or None where the wheel has none."""
    path = WHEEL / module.replace(".", "/")
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return ast.parse(file.read_text(encoding="utf-8"))
    return None


def find_class(module: str, name: str) -> Class | None:
    """The class that a name means in a module, followed through imports within the wheel."""
    tree = parse(module)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.ClassDef) and node.name == name:
            return Class(module, node)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return find_class(node.module, alias.name)
    return None


def evaluate(module: str, expression: ast.expr) -> Class | None:
    """The class that an expression means: a name, `Name.Settings`, or either with `[…]` behind."""
    if isinstance(expression, ast.Subscript):
        return evaluate(module, expression.value)
    if isinstance(expression, ast.Name):
        return find_class(module, expression.id)
    if isinstance(expression, ast.Attribute):
        owner = evaluate(module, expression.value)
        return find_settings(owner) if owner and expression.attr == "Settings" else None
    return None


def lineage(cls: Class) -> list[Class]:
    """The class and those that it inherits from, as far as the wheel has them, nearest first."""
    bases = [evaluate(cls.module, base) for base in cls.node.bases]
    return [cls, *(ancestor for base in bases if base for ancestor in lineage(base))]


def find_settings(cls: Class) -> Class | None:
    """The class that `cls.Settings` means: nested, or assigned, here or in an ancestor."""
    for owner in lineage(cls):
        for node in owner.node.body:
            if isinstance(node, ast.ClassDef) and node.name == "Settings":
                return Class(owner.module, node)
            value = assigned(node, "Settings")
            if value is not None:
                return evaluate(owner.module, value)
    return None


def assigned(node: ast.stmt, name: str) -> ast.expr | None:
    """What a statement assigns to a name, with or without an annotation."""
    match node:
        case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=found), value=value) if found == name:
            return value
    return None


def constructors(cls: Class) -> list[ast.arguments]:
    """The constructors that a call reaches: `**kwargs` hands arguments on to the next base."""
    reached = []
    for owner in lineage(cls):
        for node in owner.node.body:
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                reached.append(node.args)
                if node.args.kwarg is None:
                    return reached
    return reached


def parameters(args: ast.arguments) -> set[str]:
    """The names that a constructor takes as keywords."""
    return {arg.arg for arg in [*args.args, *args.kwonlyargs]} - {"self"}


def required_parameters(args: ast.arguments) -> set[str]:
    """Those of them that have no default."""
    positional = args.args[: len(args.args) - len(args.defaults)]
    keywords = [a for a, value in zip(args.kwonlyargs, args.kw_defaults) if value is None]
    return {arg.arg for arg in [*positional, *keywords]} - {"self"}


def fields(cls: Class) -> set[str]:
    """The fields of a dataclass, inherited ones included."""
    body = [node for owner in lineage(cls) for node in owner.node.body]
    annotated = [node.target for node in body if isinstance(node, ast.AnnAssign)]
    return {target.id for target in annotated if isinstance(target, ast.Name)}


def known_extras() -> set[str]:
    """The extras that the wheel's metadata declares."""
    (metadata,) = WHEEL.glob("pipecat_ai-*.dist-info/METADATA")
    lines = metadata.read_text(encoding="utf-8").splitlines()
    return {line.split(": ")[1] for line in lines if line.startswith("Provides-Extra: ")}


def check(row: dict, extras: set[str]) -> list[str]:
    """What is wrong with a row."""
    problems = [f"no extra {extra}" for extra in row["extras"] if extra not in extras]
    if parse(row["module"]) is None:
        return [*problems, f"no module {row['module']}"]
    cls = find_class(row["module"], row["className"])
    if cls is None:
        return [*problems, f"no class {row['className']} in {row['module']}"]
    reached = constructors(cls)
    taken = set().union(*map(parameters, reached))
    given = {*row["args"], *(["settings"] if row["settings"] else [])}
    problems += [f"no parameter {name}" for name in sorted(given - taken)]
    missing = required_parameters(reached[0]) - given if reached else set()
    problems += [f"required parameter {name} is not given" for name in sorted(missing)]
    if row["settings"]:
        settings = find_settings(cls)
        known = fields(settings) if settings else set()
        problems += [f"no setting {name}" for name in row["settings"] if name not in known]
    return problems


def main() -> None:
    """Reads rows from stdin, writes their problems to stdout."""
    extras = known_extras()
    json.dump({row["id"]: check(row, extras) for row in json.load(sys.stdin)}, sys.stdout)


if __name__ == "__main__":
    main()
