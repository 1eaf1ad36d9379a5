"""Reads the framework's classes from the wheel's sources, without importing or installing it."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Class:
    """A class in the framework, and the module that defines it."""

    module: str
    node: ast.ClassDef

    @property
    def name(self) -> str:
        return self.node.name


class Framework:
    def __init__(self, directory: Path):
        """Modules are read on first use."""
        self.directory = directory
        self.parse = cache(self._parse)
        self.find_class = cache(self._find_class)
        self.languages = cache(self._languages)

    def _parse(self, module: str) -> ast.Module | None:
        """The syntax tree of a module, or None if the wheel doesn't contain it."""
        path = self.directory / module.replace(".", "/")
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.is_file():
                return ast.parse(file.read_text(encoding="utf-8"))
        return None

    def modules(self, package: str) -> list[str]:
        root = self.directory / package.replace(".", "/")
        paths = (path.relative_to(self.directory) for path in root.rglob("*.py"))
        return sorted(".".join(path.with_suffix("").parts) for path in paths)

    def extras(self) -> set[str]:
        """The extras that the wheel's metadata declares."""
        (metadata,) = self.directory.glob("pipecat_ai-*.dist-info/METADATA")
        lines = metadata.read_text(encoding="utf-8").splitlines()
        return {line.split(": ")[1] for line in lines if line.startswith("Provides-Extra: ")}

    def _languages(self) -> dict[str, str]:
        """The members of `Language`, and their codes."""
        enum = self.find_class("pipecat.transcriptions.language", "Language")
        body = enum.node.body if enum else []
        return {
            target.id: node.value.value
            for node in body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def language_map(self, cls: Class) -> set[str]:
        """The languages in the maps that a class reaches, through the functions it names."""
        return self.codes_in([(owner.module, owner.node) for owner in self.lineage(cls)])

    def codes_at(self, module: str, name: str) -> set[str]:
        """The languages in one map, or in one set of codes."""
        return self.codes_in(self.find_data(module, name))

    def codes_in(self, due: list[tuple[str, ast.AST]]) -> set[str]:
        """The languages in maps and sets, followed through the names in these nodes."""
        codes: set[str] = set()
        seen: set[tuple[str, str]] = set()
        members = self.languages()
        while due:
            module, node = due.pop()
            for part in ast.walk(node):
                if isinstance(part, ast.Dict):
                    codes |= {members[key.attr] for key in part.keys if is_language(key)}
                if isinstance(part, ast.Set):
                    codes |= {one.value for one in part.elts if is_code(one)} & set(members.values())
                if isinstance(part, ast.Name) and (module, part.id) not in seen:
                    seen.add((module, part.id))
                    due += self.find_data(module, part.id)
        return codes

    def find_data(self, module: str, name: str) -> list[tuple[str, ast.AST]]:
        """The function or the assignment that a name in a module refers to, following imports."""
        tree = self.parse(module)
        for node in tree.body if tree else ():
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return [(module, node)]
            if isinstance(node, ast.stmt) and assigned(node, name) is not None:
                return [(module, node)]
            if isinstance(node, ast.ImportFrom) and node.module and "pipecat" in node.module:
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self.find_data(node.module, alias.name)
        return []

    def _find_class(self, module: str, name: str) -> Class | None:
        """The class that a name in a module refers to, following imports within the wheel."""
        tree = self.parse(module)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.ClassDef) and node.name == name:
                return Class(module, node)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self.find_class(node.module, alias.name)
        return None

    def evaluate(self, module: str, expression: ast.expr) -> Class | None:
        """The class for an expression: `Name`, `Name.Settings`, or either with `[…]`."""
        if isinstance(expression, ast.Subscript):
            return self.evaluate(module, expression.value)
        if isinstance(expression, ast.Name):
            return self.find_class(module, expression.id)
        if isinstance(expression, ast.Attribute):
            owner = self.evaluate(module, expression.value)
            return self.settings(owner) if owner and expression.attr == "Settings" else None
        return None

    def lineage(self, cls: Class) -> list[Class]:
        """The class and its base classes in the wheel, nearest first."""
        bases = [self.evaluate(cls.module, base) for base in cls.node.bases]
        return [cls, *(ancestor for base in bases if base for ancestor in self.lineage(base))]

    def settings(self, cls: Class) -> Class | None:
        """The class of `cls.Settings`: nested or assigned, in the class or a base class."""
        for owner in self.lineage(cls):
            for node in owner.node.body:
                if isinstance(node, ast.ClassDef) and node.name == "Settings":
                    return Class(owner.module, node)
                value = assigned(node, "Settings")
                if value is not None:
                    return self.evaluate(owner.module, value)
        return None

    def defaults(self, cls: Class) -> dict[str, object]:
        """The settings that a constructor starts with, of the nearest class that names any."""
        for owner in self.lineage(cls):
            for node in ast.walk(owner.node):
                match node:
                    case ast.Assign(targets=[ast.Name(id="default_settings")], value=ast.Call(keywords=keywords)):
                        values = [(k.arg, k.value) for k in keywords]
                        return {str(name): value.value for name, value in values if isinstance(value, ast.Constant)}
        return {}

    def constructors(self, cls: Class) -> list[ast.arguments]:
        """The constructors that a call reaches: `**kwargs` passes arguments to the next base."""
        reached = []
        for owner in self.lineage(cls):
            for node in owner.node.body:
                if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                    reached.append(node.args)
                    if node.args.kwarg is None:
                        return reached
        return reached

    def fields(self, cls: Class) -> dict[str, ast.AnnAssign]:
        """The fields of a dataclass or model, inherited ones included."""
        body = [node for owner in reversed(self.lineage(cls)) for node in owner.node.body]
        annotated = [node for node in body if isinstance(node, ast.AnnAssign)]
        return {node.target.id: node for node in annotated if isinstance(node.target, ast.Name)}


def is_code(item: ast.expr) -> bool:
    """Whether an item of a set may be the code of a language."""
    return isinstance(item, ast.Constant) and isinstance(item.value, str)


def is_language(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Attribute) and ast.unparse(key.value) == "Language"


def assigned(node: ast.stmt, name: str) -> ast.expr | None:
    """The value that a statement assigns to a name, with or without an annotation."""
    match node:
        case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=found), value=value) if found == name:
            return value
    return None


def parameters(args: ast.arguments) -> set[str]:
    return {arg.arg for arg in [*args.args, *args.kwonlyargs]} - {"self"}


def required_parameters(args: ast.arguments) -> list[ast.arg]:
    """The keyword arguments without a default."""
    positional = args.args[: len(args.args) - len(args.defaults)]
    keywords = [a for a, value in zip(args.kwonlyargs, args.kw_defaults) if value is None]
    return [arg for arg in [*positional, *keywords] if arg.arg != "self"]
