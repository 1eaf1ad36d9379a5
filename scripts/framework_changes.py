"""Prints the table of what changed in the framework: src/catalog/framework-changes.json.

    python3 scripts/framework_changes.py 1.14.0 > src/catalog/framework-changes.json

It reads the sources of every release since 1.0.0 from its wheel, and the numbers of changes from the newest change log.
`framework-notes.json` next to it has what only a person can say. It's Python, because Python reads its own code best.
`--cache DIRECTORY` keeps what pip downloads. It needs Python 3.11 or newer and access to PyPI.
"""

import argparse
import ast
import functools
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "pipecat-ai"

# Parts that bots don't import.
OTHERS = ("pipecat.cli", "pipecat.tests")


def version_key(version):
    return tuple(int(part) for part in version.split("."))


def releases_until(newest):
    """All releases since 1.0.0, oldest first."""
    command = [sys.executable, "-m", "pip", "index", "versions", PACKAGE]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    listed = re.search(r"Available versions: (.*)", said)[1].split(", ")
    stable = [version for version in listed if re.fullmatch(r"[1-9]\d*\.\d+\.\d+", version)]
    return sorted((one for one in stable if version_key(one) <= version_key(newest)), key=version_key)


def download(version, cache, kind):
    """The path of a release's wheel or source archive."""
    name = f"{PACKAGE.replace('-', '_')}-{version}"
    pattern = f"{name}-*.whl" if kind == "wheel" else f"{name}.tar.gz"
    if not list(cache.glob(pattern)):
        only = ["--only-binary", ":all:"] if kind == "wheel" else ["--no-binary", PACKAGE]
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *only, "-d", str(cache)]
        subprocess.run([*command, f"{PACKAGE}=={version}"], check=True, stdout=sys.stderr)
    return next(cache.glob(pattern))


def count_changes(archive):
    """How many changes the change log lists for each release."""
    with tarfile.open(archive) as tar:
        member = next(one for one in tar.getmembers() if re.fullmatch(r"[^/]+/CHANGELOG\.md", one.name))
        text = tar.extractfile(member).read().decode()
    parts = re.split(r"^## \[(\d+\.\d+\.\d+)\].*$", text, flags=re.M)
    return {version: len(re.findall(r"^- ", body, re.M)) for version, body in zip(parts[1::2], parts[2::2])}


class Release:
    """The modules of a release, and what they define."""

    def __init__(self, version, wheel):
        self.version = version
        self.modules = {}
        self.names = {}
        self.starred = {}
        with zipfile.ZipFile(wheel) as files:
            for path in files.namelist():
                if not (path.startswith("pipecat/") and path.endswith(".py")):
                    continue
                module = path[:-3].replace("/", ".").removesuffix(".__init__")
                if not module.startswith(OTHERS):
                    self.modules[module] = ast.parse(files.read(path))
        for module, tree in self.modules.items():
            self.names[module] = {}
            self.starred[module] = []
            self.bind(module, tree.body)

    def bind(self, module, body):
        names = self.names[module]
        for node in body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                names[node.name] = node
                # Names that a module has only when asked for.
                if node.name == "__getattr__":
                    for one in ast.walk(node):
                        if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value.isidentifier():
                            names.setdefault(one.value, one)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for one in ast.walk(target):
                        if isinstance(one, ast.Name):
                            names[one.id] = node
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    names[(alias.asname or alias.name).split(".")[0]] = node
            elif isinstance(node, ast.ImportFrom):
                source = node.module or ""
                if node.level:
                    package = module.split(".")
                    is_package = any(one.startswith(module + ".") for one in self.modules)
                    package = package[: len(package) - node.level + (1 if is_package else 0)]
                    source = ".".join([*package, *([node.module] if node.module else [])])
                for alias in node.names:
                    if alias.name == "*":
                        self.starred[module].append(source)
                    else:
                        names[alias.asname or alias.name] = f"{source}.{alias.name}"
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                self.bind(module, [*node.body, *getattr(node, "orelse", []), *getattr(node, "finalbody", [])])
                for handler in getattr(node, "handlers", []):
                    self.bind(module, handler.body)

    def find(self, module, name, seen=()):
        """Where a module's name is defined, and its node: `(module, name, node)`; nothing if there is no such name."""
        if module not in self.names or (module, name) in seen:
            return None
        known = self.names[module].get(name)
        if isinstance(known, str):
            source, _, own = known.rpartition(".")
            if known in self.modules:
                return known, "", self.modules[known]
            if not source.startswith("pipecat"):
                return module, name, None
            return self.find(source, own, (*seen, (module, name)))
        if known is not None:
            return module, name, known
        for source in self.starred[module]:
            found = self.find(source, name, (*seen, (module, name))) if source in self.modules else (source, name, None)
            if found:
                return found
        return None

    def has(self, module, name):
        return self.find(module, name) is not None or f"{module}.{name}" in self.modules

    def lookup(self, module, node):
        """The class that an expression such as a base names."""
        if isinstance(node, ast.Subscript):
            node = node.value
        path = ast.unparse(node).split(".") if isinstance(node, (ast.Name, ast.Attribute)) else []
        found = self.find(module, path[0]) if path else None
        for part in path[1:]:
            inner = found and isinstance(found[2], ast.ClassDef) and self.member(found[0], found[2], part)
            found = (inner[0], f"{found[1]}.{part}", inner[1]) if inner else None
        return found if found and isinstance(found[2], ast.ClassDef) else None

    def bases(self, module, node):
        for base in node.bases:
            found = self.lookup(module, base)
            if found:
                yield found[0], found[2]

    def lineage(self, module, node, seen=()):
        """A class and those that it inherits from, nearest first."""
        if node in seen:
            return
        yield module, node
        for source, base in self.bases(module, node):
            yield from self.lineage(source, base, (*seen, node))

    @functools.cache
    def is_known(self, module, node):
        """Whether all classes that it inherits from are the framework's, or plain ones."""
        plain = ("object", "ABC", "Enum", "Protocol", "Generic", "BaseModel", "str", "int", "Exception", "TypedDict")
        return all(
            self.lookup(one, base) or ast.unparse(base).split("[")[0].split(".")[-1] in plain
            for one, cls in self.lineage(module, node)
            for base in cls.bases
        )

    def member(self, module, node, name):
        for source, cls in self.lineage(module, node):
            for one in cls.body:
                if isinstance(one, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and one.name == name:
                    return source, one
                if isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == name:
                    return source, one
                if isinstance(one, ast.Assign) and name in [ast.unparse(target) for target in one.targets]:
                    alias = isinstance(one.value, (ast.Name, ast.Attribute)) and self.lookup(source, one.value)
                    return (alias[0], alias[2]) if alias else (source, one)
        return None

    @functools.cache
    def signature(self, module, node):
        """The keyword arguments of a class with their defaults; `**` if it takes others. Fields are arguments too."""
        own = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        known = {}
        if own is None:
            for source, base in reversed(list(self.bases(module, node))):
                known.update(self.signature(source, base))
            for one in node.body:
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                    known[one.target.id] = (module, one.value)
            if len(list(self.bases(module, node))) < len(node.bases) and not self.is_known(module, node):
                known["**"] = (module, None)
            return known
        args = own.args
        if args.kwarg:
            for source, base in self.bases(module, node):
                known.update(self.signature(source, base))
            if not list(self.bases(module, node)) or not self.is_known(module, node):
                known["**"] = (module, None)
        plain = [*args.posonlyargs, *args.args]
        for one, default in zip(reversed(plain), [*reversed(args.defaults), *[None] * len(plain)]):
            known[one.arg] = (module, default)
        for one, default in zip(args.kwonlyargs, args.kw_defaults):
            known[one.arg] = (module, default)
        known.pop("self", None)
        return known

    def value(self, module, default):
        """The text of a default that says something by itself."""
        if isinstance(default, ast.Name):
            found = self.find(module, default.id)
            default = found[2].value if found and isinstance(found[2], (ast.Assign, ast.AnnAssign)) else None
        if isinstance(default, ast.Constant) and type(default.value) in (bool, int, float, str):
            return default.value if len(str(default.value)) < 60 else None
        return None

    def set_defaults(self, module, node):
        """The model and the voice that a service uses if none is given."""
        own = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        for call in ast.walk(own) if own else []:
            if isinstance(call, ast.Call) and re.search(r"Settings$", ast.unparse(call.func)):
                for keyword in call.keywords:
                    if keyword.arg in ("model", "voice"):
                        value = self.value(module, keyword.value)
                        if isinstance(value, str):
                            yield keyword.arg, value

    def classes(self):
        for module in self.modules:
            for name, node in self.names[module].items():
                if isinstance(node, ast.ClassDef) and not name.startswith("_"):
                    yield module, name, node


DIRECTIVE = re.compile(r"^( *)\.\. deprecated:: (\d+\.\d+\.\d+)\n((?:\1 +.*\n|\n)*)", re.M)


def directives(node):
    """What a docstring says is deprecated: the parameter, or nothing for the whole; since when; and the text."""
    text = (ast.get_docstring(node) or "") + "\n"
    for match in DIRECTIVE.finditer(text):
        parameter = None
        for line in reversed(text[: match.start()].split("\n")) if match[1] else []:
            entry = re.match(r"^( *)\*{0,2}(\w+)(?: \(.*?\))?:", line)
            if entry and len(entry[1]) < len(match[1]):
                parameter = entry[2]
                break
        yield parameter, match[2], " ".join(match[3].split())


ROLE = re.compile(r":\w+:`[~!]?([^`]+)`")


def replacement(text):
    """What a directive names instead, if it names one thing."""
    plain = ROLE.sub(lambda match: f"``{match[1]}``", text)
    match = re.match(r"(?:Use|Moved to|Import from|Merged into|Read)(?: the)? ``([^`]+)``(?: event handler| parameter)?(.*)", plain)
    if not match:
        return None
    rest = re.match(r" (?:instead|directly|in |for |\(|and |or |with )|\.|:|$", match[2])
    complex_ = re.match(r" (?:(?:and|or|in|for|with)\b|\()", match[2])
    found = match[1] if "=" in match[1] else match[1].removesuffix("()")
    return found if rest and not complex_ else None


def resolve(release, module, name):
    """The full name of a replacement: where bots import it from."""
    if name is None or not re.fullmatch(r"[\w.]+", name):
        return None
    if name in release.modules:
        return name
    source, _, own = name.rpartition(".")
    if source in release.modules:
        return name if release.has(source, own) else None
    if "." not in name:
        found = release.find(module, name)
        if found and found[2] is not None:
            return f"{found[0]}.{found[1]}"
        homes = {one for one, other, _ in release.classes() if other == name}
        return f"{homes.pop()}.{name}" if len(homes) == 1 else None
    return None


def is_alias(release, module, node, target):
    """Whether a deprecated class is another one under an old name."""
    if not isinstance(node, ast.ClassDef):
        return False
    body = [one for one in node.body if not isinstance(one, (ast.Pass, ast.Expr))]
    bases = [f"{source}.{base.name}" for source, base in release.bases(module, node)]
    return not body and bases[:1] == [target]


def is_moved(release, module, target):
    """Whether everything that bots import from a module is in another one."""
    old = [name for name in release.names[module] if not name.startswith("_") and name[0].isupper()]
    return target in release.modules and all(release.has(target, name) for name in old)


def deprecations(release):
    for module, tree in release.modules.items():
        for parameter, since, text in directives(tree):
            use = resolve(release, module, replacement(text))
            if parameter is None:
                is_module = use in release.modules
                rename = is_module and is_moved(release, module, use)
                yield {"kind": "module", "name": module, "since": since, "use": use, "rename": rename}
            elif release.has(module, parameter):
                # The value of a name in a module's own text.
                yield {"kind": "name", "name": f"{module}.{parameter}", "since": since, "use": use, "rename": use is not None}
        for name, node in release.names[module].items():
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and not name.startswith("_"):
                yield from deprecations_in(release, module, name, node)


# Methods of which only some values of an argument are deprecated.
FOR_SOME_VALUES = ("capture_participant_video",)


def deprecations_in(release, module, path, node):
    """Those of a function, or of a class and what is in it."""
    full = f"{module}.{path}"
    for parameter, since, text in directives(node):
        found = replacement(text)
        if parameter is None:
            use = resolve(release, module, found)
            kind = "member" if "." in path else "name"
            rename = kind == "name" and use is not None and is_alias(release, module, node, use)
            yield {"kind": kind, "name": full, "since": since, "use": use or found, "rename": rename}
        elif isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases):
            yield {"kind": "member", "name": f"{full}.{parameter}", "since": since, "use": found}
        elif not parameter.startswith("_") and not path.endswith(FOR_SOME_VALUES):
            found = None if found == parameter else found
            row = {"kind": "argument", "name": full, "argument": parameter, "since": since, "use": found}
            yield {**row, "position": position_of(node, parameter) if "." in path else None}
    if isinstance(node, ast.ClassDef):
        for one in node.body:
            if isinstance(one, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                if one.name == "__init__":
                    for row in deprecations_in(release, module, path, one):
                        if row["kind"] == "argument":
                            yield row
                elif not one.name.startswith("_"):
                    yield from deprecations_in(release, module, f"{path}.{one.name}", one)


def position_of(node, parameter):
    """Where a method takes a parameter without its name."""
    if isinstance(node, ast.ClassDef) or node.name == "__init__":
        return None
    names = [one.arg for one in [*node.args.posonlyargs, *node.args.args][1:]]
    return names.index(parameter) if parameter in names else None


def inherited(release):
    """What classes have from those they inherit from."""
    own = {}
    for module, name, node in release.classes():
        own[module, name] = list(deprecations_in(release, module, name, node))
    for module, name, node in release.classes():
        known = {(row["name"], row.get("argument")) for row in own[module, name]}
        accepted = None
        for source, base in list(release.lineage(module, node))[1:]:
            for row in own.get((source, base.name), []):
                rest = row["name"].removeprefix(f"{source}.{base.name}")
                full = f"{module}.{name}{rest}"
                if (full, row.get("argument")) in known or (rest == "" and row["kind"] != "argument"):
                    continue
                if row["kind"] == "argument" and rest == "":
                    accepted = accepted or release.signature(module, node)
                    parameter = accepted.get(row["argument"])
                    defined = next((one for one in node.body if getattr(one, "name", "") == "__init__"), None)
                    direct = defined and [one.arg for one in [*defined.args.args, *defined.args.kwonlyargs]]
                    if parameter is None or row["argument"] in (direct or []):
                        continue
                elif not is_inherited(release, module, node, source, base, rest):
                    continue
                known.add((full, row.get("argument")))
                yield {**row, "name": full}


# Bots make objects of classes that inherit from these, and call their methods.
SERVICES = ("LLMService", "STTService", "TTSService", "MCPClient")


def is_inherited(release, module, node, source, base, rest):
    """Whether bots write it after the name of a class, as in `Service.InputParams`, or call it on a service."""
    parts = rest.strip(".").split(".")
    mine, found = release.member(module, node, parts[0]), release.member(source, base, parts[0])
    if len(parts) > 1 or mine is None or found is None:
        return False
    if isinstance(found[1], ast.ClassDef):
        return True
    return mine[1] is found[1] and base.name in SERVICES


def removals(older, newer):
    for module in older.modules:
        if module not in newer.modules:
            if "._" not in module:
                yield {"kind": "module", "name": module}
            continue
        for name, node in older.names[module].items():
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign, ast.Constant)):
                if not name.startswith("_") and name[0] != "_" and name not in ("logger", "T") and not newer.has(module, name):
                    yield {"kind": "name", "name": f"{module}.{name}"}
    for module, name, node in older.classes():
        now = newer.find(module, name)
        if not now or not isinstance(now[2], ast.ClassDef) or not newer.is_known(now[0], now[2]):
            continue
        for one in node.body:
            if isinstance(one, ast.ClassDef) and not one.name.startswith("_") and not newer.member(now[0], now[2], one.name):
                yield {"kind": "member", "name": f"{module}.{name}.{one.name}"}
        before, after = older.signature(module, node), newer.signature(now[0], now[2])
        if "**" not in after and any(one.name == "__init__" for one in node.body if hasattr(one, "name")):
            for argument in before:
                if argument not in after and argument not in ("args", "**") and not argument.startswith("_"):
                    yield {"kind": "argument", "name": f"{module}.{name}", "argument": argument}


# Estimates that nobody sets.
UNSEEN = ("ttfs_p99_latency",)


def new_defaults(older, newer):
    for module, name, node in older.classes():
        now = newer.find(module, name)
        if not now or not isinstance(now[2], ast.ClassDef):
            continue
        before, after = older.signature(module, node), newer.signature(now[0], now[2])
        changed = {}
        for argument in before.keys() & after.keys():
            changed[argument] = older.value(*before[argument]), newer.value(*after[argument])
        old, new = dict(older.set_defaults(module, node)), dict(newer.set_defaults(now[0], now[2]))
        for argument in old.keys() & new.keys():
            changed[argument] = old[argument], new[argument]
        for argument, (was, value) in sorted(changed.items()):
            if was is not None and value is not None and was != value and argument not in UNSEEN:
                yield {"kind": "default", "name": f"{module}.{name}", "argument": argument, "was": was, "is": value}


def make_table(newest, cache):
    versions = releases_until(newest)
    releases = [Release(version, download(version, cache, "wheel")) for version in versions]
    last = releases[-1]
    rows = {}

    def add(row):
        compact = {key: value for key, value in row.items() if value is not None and value is not False or key in ("was", "is")}
        rows.setdefault((row["name"], row.get("argument"), row.get("effect"), row["kind"] in ("default", "note") and row["since"]), compact)

    advice = {}
    for release in releases:
        for row in deprecations(release):
            advice[row["name"], row.get("argument")] = row
    for older, newer in zip(releases, releases[1:]):
        for row in removals(older, newer):
            module = row["name"] if row["kind"] == "module" else None
            is_back = module in last.modules if module else gone_is_back(last, row)
            if not is_back:
                said = advice.get((row["name"], row.get("argument")), {})
                add({**row, "effect": "gone", "since": newer.version, "use": said.get("use")})
        for row in new_defaults(older, newer):
            add({**row, "effect": "changed", "since": newer.version})
    for row in json.loads(Path(__file__).with_name("framework-notes.json").read_text()):
        if row["kind"] != "module" and not gone_is_back(last, {**row, "kind": "name"}):
            sys.exit(f"framework-notes.json: {newest} has no {row['name']}")
        add(row)
    for row in [*deprecations(last), *inherited(last)]:
        add({**row, "effect": "deprecated"})
    counts = count_changes(download(newest, cache, "sdist"))
    return {version: counts.get(version, 0) for version in versions}, grouped(last, rows.values())


EFFECTS = ("gone", "changed", "deprecated")


def place_of(row):
    """The class or module whose line has a row, and what it's about: `method(argument)`, or nothing for all of it."""
    module, name, rest = re.match(r"([a-z_]\w*(?:\.[a-z_]\w*)*)(?:\.([A-Z]\w*))?(?:\.(.+))?$", row["name"]).groups()
    if row["kind"] == "module":
        place, rest = row["name"], None
    elif rest or name and row["kind"] != "name":
        place = f"{module}.{name}"
    else:
        place, _, rest = row["name"].rpartition(".")
    return place, (rest or "") + (f"({row['argument']})" if "argument" in row else "")


def grouped(release, rows):
    """The rows by class or module; a class that has all those of one that it inherits from is only `like` that."""
    places = {}
    order = lambda row: (EFFECTS.index(row["effect"]), version_key(row["since"]), row["name"], row.get("argument", ""))
    for row in sorted(rows, key=order):
        place, about = place_of(row)
        more = {key: value for key, value in row.items() if key not in ("kind", "name", "argument", "effect", "since")}
        known = places.setdefault(place, {}).setdefault(f"{row['effect']} {row['since']}", {})
        if about in known:
            sys.exit(f"Two rows say that {place} {about} is {row['effect']} since {row['since']}")
        known[about] = more.get("use") if more.keys() <= {"use"} else more
    lines = {}
    for place, changes in sorted(places.items()):
        module, _, name = place.rpartition(".")
        found = release.find(module, name) if module in release.modules else None
        like, left = [], {when: dict(abouts) for when, abouts in changes.items()}
        lineage = release.lineage(found[0], found[2]) if found and isinstance(found[2], ast.ClassDef) else []
        for base in [f"{source}.{node.name}" for source, node in lineage]:
            given = [(when, *one) for when, abouts in places.get(base, {}).items() for one in abouts.items()]
            if base != place and given and all(left.get(when, {}).get(about, 0) == more for when, about, more in given):
                like.append(base)
                for when, about, _ in given:
                    del left[when][about]
        lines[place] = {**({"like": like} if like else {}), **{when: abouts for when, abouts in left.items() if abouts}}
    return lines


def gone_is_back(release, row):
    parts = row["name"].split(".")
    for at in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:at])
        if module in release.modules:
            found = release.find(module, parts[at])
            if not found:
                return False
            if row["kind"] == "name":
                return True
            if not isinstance(found[2], ast.ClassDef):
                return True
            if row["kind"] == "member":
                return release.member(found[0], found[2], parts[at + 1]) is not None
            after = release.signature(found[0], found[2])
            return row["argument"] in after or "**" in after
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("release")
    parser.add_argument("--cache")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        cache = Path(options.cache or temporary)
        releases, lines = make_table(options.release, cache)
    print('{\n  "releases": ' + json.dumps(releases) + ',\n  "changes": {')
    print(",\n".join(f"    {json.dumps(place)}: {json.dumps(line)}" for place, line in lines.items()))
    print("  }\n}")


if __name__ == "__main__":
    main()
