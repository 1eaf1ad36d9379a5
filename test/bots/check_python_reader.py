"""Compare our reader of Python with Python's own, on modules of the standard library.

Reads what ours says from a file of JSON objects, one a line, and prints every difference:

    {"path": …, "tokens": [[kind, code, line, column]], "statements": [[line, column, depth, scope]],
     "scopes": [{"kind", "name", "line", "parent", "defines", "uses": {name: index of its scope, or null}}],
     "problems": [...]}

Lines are counted from 0, and columns in UTF-16 units. Modules that Python can't compile aren't compared.
"""

import ast
import io
import json
import symtable
import sys
import tokenize
import warnings
from pathlib import Path

WORDS = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP)
FSTRING_START = getattr(tokenize, "FSTRING_START", -1)
FSTRING_END = getattr(tokenize, "FSTRING_END", -1)
FUTURE = "from __future__ import annotations"
"""With it, types are texts, so that symtable doesn't read them."""
IMPLICIT = {"__class__", "*"}


def units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def read_tokens(source: str) -> tuple[list, dict]:
    """Return the place of each token, and the depth of the block of each logical line."""
    lines = source.split("\n")
    places, depths = [], {}
    depth, texts, is_start = 0, 0, True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line, column = token.start
        depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        texts -= token.type == FSTRING_END
        if texts == 0 and (token.type in WORDS or token.type == FSTRING_START):
            if token.type != FSTRING_END and token.string != ";":
                places.append([line - 1, units(lines[line - 1][:column])])
            if is_start:
                depths[line - 1] = depth
        if token.type in WORDS or token.type == FSTRING_START:
            is_start = False
        if token.type == tokenize.NEWLINE:
            is_start = True
        texts += token.type == FSTRING_START
    return places, depths


def our_places(tokens: list) -> list:
    """The places of our tokens, without those in f-strings."""
    places, holes = [], 0
    for kind, code, line, column in tokens:
        if kind == "hole" and code == "{":
            holes += 1
        elif kind == "hole":
            holes -= 1
        elif holes == 0:
            places.append([line, column])
    return places


def read_statements(source: str) -> set:
    """Return each statement: its line, its column, and the functions and classes around it."""
    lines = source.split("\n")
    found = set()

    def visit(node: ast.AST, path: str) -> None:
        inner = path
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{path}.{node.name}" if path else node.name
        if isinstance(node, ast.stmt):
            line = lines[node.lineno - 1]
            column = units(line.encode()[: node.col_offset].decode())
            found.add((node.lineno - 1, column, path))
        for child in ast.iter_child_nodes(node):
            visit(child, inner)

    visit(ast.parse(source), "")
    return found


def read_scopes(source: str) -> list[dict]:
    """Return what Python says about each scope, in the form of ours."""
    scopes, outermost = [], set()

    def visit(table: symtable.SymbolTable) -> None:
        kind, name = table.get_type(), table.get_name()
        symbols = [one for one in table.get_symbols() if not one.get_name().startswith(".")]
        if len(symbols) < len(table.get_symbols()):
            kind = name = "comprehension"
        elif name == "lambda":
            kind = name
        bound = [one for one in symbols if one.is_assigned() or one.is_parameter() or one.is_imported()]
        outermost.update(one.get_name() for one in bound if one.is_declared_global())
        nonlocal_names = {one.get_name() for one in symbols if one.is_nonlocal()}
        global_names = {one.get_name() for one in symbols if one.is_declared_global()}
        scopes.append(
            {
                "kind": kind,
                "name": "" if kind == "module" else name,
                "line": max(table.get_lineno() - 1, 0),
                "defines": {one.get_name() for one in bound} - nonlocal_names - global_names,
                "declared": nonlocal_names | global_names,
                "uses": {
                    one.get_name(): "own" if one.is_local() else "outer" if one.is_free() else "global"
                    for one in symbols
                    if one.is_referenced()
                },
            }
        )
        for child in table.get_children():
            visit(child)

    visit(symtable.symtable(source, "module", "exec"))
    scopes[0]["defines"] |= outermost
    return scopes


def our_scopes(scopes: list[dict]) -> list[dict]:
    """Return our scopes with private names as Python changes them, and where each name is found."""

    def class_of(index: int | None) -> str:
        while index is not None and scopes[index]["kind"] != "class":
            index = scopes[index]["parent"]
        return "" if index is None else scopes[index]["name"].lstrip("_")

    def place_of(index: int, found: int | None) -> str:
        if found == index:
            return "own"
        return "global" if not found else "outer"

    result = []
    for index, scope in enumerate(scopes):
        owner = class_of(index)
        is_private = lambda name: owner and name.startswith("__") and not name.endswith("__")  # noqa: E731
        mangle = lambda name: f"_{owner}{name}" if is_private(name) else name  # noqa: E731
        result.append(
            {
                **scope,
                "defines": {mangle(name) for name in scope["defines"]},
                "uses": {mangle(name): place_of(index, at) for name, at in scope["uses"].items()},
            }
        )
    return result


def compare_scopes(ours: list[dict], theirs: list[dict]):
    """Yield the differences of scopes, which are paired by kind, name, line, and then by their names."""

    def key(scope: dict) -> tuple:
        free = {name for name in scope["uses"] if name not in scope["defines"]}
        return (
            *(scope[part] for part in ("kind", "name", "line")),
            sorted(scope["defines"] - IMPLICIT),
            sorted(free - IMPLICIT),
        )

    if len(ours) != len(theirs):
        yield f"{len(ours)} scopes instead of {len(theirs)}"
        return
    for one, other in zip(sorted(ours, key=key), sorted(theirs, key=key), strict=True):
        place = f"{other['kind']} {other['name']}, line {other['line'] + 1}"
        if [one[part] for part in ("kind", "name", "line")] != [other[part] for part in ("kind", "name", "line")]:
            yield f"{place}: is {one['kind']} {one['name']}, line {one['line'] + 1}"
            continue
        defined = (one["defines"] ^ other["defines"]) - IMPLICIT
        if defined:
            yield f"{place} defines, or doesn't: {sorted(defined)}"
        # To Python, `x += 1`, `del x` and a change of a nonlocal name aren't uses.
        changed = other["defines"] | other["declared"]
        used = {name for name in one["uses"].keys() ^ other["uses"].keys() if name not in changed}
        missing = other["uses"].keys() - one["uses"].keys()
        if (used | missing) - IMPLICIT:
            yield f"{place} uses, or doesn't: {sorted((used | missing) - IMPLICIT)}"
        for name in (one["uses"].keys() & other["uses"].keys()) - IMPLICIT:
            if one["uses"][name] != other["uses"][name]:
                yield f"{place}: {name} is {one['uses'][name]} instead of {other['uses'][name]}"


def compare(module: dict, source: str):
    places, depths = read_tokens(source)
    ours = our_places(module["tokens"])
    if ours != places:
        at = next((at for at, pair in enumerate(zip(ours, places)) if pair[0] != pair[1]), -1)
        yield f"tokens differ at {ours[at]} and {places[at]}, or in number: {len(ours)}, {len(places)}"
    first = {}
    for line, _, depth, _ in module["statements"]:
        first.setdefault(line, depth)
    for line, depth in depths.items():
        if first.get(line) != depth:
            yield f"line {line + 1} is in {first.get(line)} blocks instead of {depth}"
    known = {(line, column, path) for line, column, _, path in module["statements"]}
    for line, column, path in sorted(read_statements(source) - known):
        yield f"no statement at line {line + 1}, column {column}, in {path or 'the module'}"
    if module["problems"]:
        yield f"has problems: {module['problems']}"
    without = source.replace(FUTURE, "import annotations") if FUTURE in source else source
    yield from compare_scopes(our_scopes(module["scopes"]), read_scopes(without))


def main() -> None:
    """Compare each module, and print the differences and how many names were compared."""
    warnings.simplefilter("ignore")
    modules = names = 0
    with Path(sys.argv[1]).open() as lines:
        for line in lines:
            module = json.loads(line)
            source = Path(module["path"]).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
            try:
                compile(source, module["path"], "exec")
            except (SyntaxError, ValueError):
                continue
            modules += 1
            names += sum(len(one["defines"]) + len(one["uses"]) for one in module["scopes"])
            for difference in compare(module, source):
                print(f"{module['path']}: {difference}")
    print(f"compared {names} names in {modules} modules", file=sys.stderr)


main()
