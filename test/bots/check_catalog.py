"""Checks rows of the service catalog, or whether all services are known, against a wheel of the framework.

    check_catalog.py WHEEL_DIRECTORY < {rows, languages} or {known} > problems.json

It reads the wheel's sources and imports nothing, so no service needs its packages. The languages are those that people
can choose. A row is there once for each language that it's checked with: {id, module, className, extras, languages,
args, settings}, and ownTurns, ignoresContext, typed and sees for speech-to-speech, answersEach for speech-to-text,
socket for both; an argument is {name}, and {usual} if it has a default. `known` are the classes of services that are
offered, or left out for a reason. The arguments' values are a matter of pyright, in level 2.
"""

import ast
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from framework import Class, Framework, parameters, required_parameters

# Services that know fewer languages than the maps that their classes reach, and the release's list
# for their default model, if it has one.
ELEVENLABS = "pipecat.services.elevenlabs.tts_base"
KNOW_FEWER = {
    "elevenlabs_tts": (ELEVENLABS, "ELEVENLABS_V2_5_LANGUAGES"),
    "elevenlabs_dialogue_tts": (ELEVENLABS, "ELEVENLABS_V4_LANGUAGES"),
    "gemini_tts": ("pipecat.services.google.tts", "language_to_gemini_tts_language"),
}

# Languages that can't be chosen: other spellings, and regions that only one provider has.
NOT_OFFERED = {
    *("cmn", "cmn-CN", "jv-JV", "jw", "mymr", "tl"),
    *("ar-XA", "en-AB", "en-WL"),
    *(f"zh-CN-{province}" for province in ("guangxi", "henan", "liaoning")),
    *(f"zh-CN-{province}" for province in ("shaanxi", "shandong", "sichuan")),
}

framework = Framework(Path(sys.argv[1]))


def names(arguments: list[dict]) -> set[str]:
    return {argument["name"] for argument in arguments}


def check(row: dict) -> list[str]:
    extras = framework.extras()
    problems = [f"no extra {extra}" for extra in row["extras"] if extra not in extras]
    if framework.parse(row["module"]) is None:
        return [*problems, f"no module {row['module']}"]
    cls = framework.find_class(row["module"], row["className"])
    if cls is None:
        return [*problems, f"no class {row['className']} in {row['module']}"]
    for name, find in FACTS.items():
        if name in row and row[name] != (fact := find(cls)):
            problems.append(f"{name} must be {fact}")
    if "socket" in row and row["socket"] not in (found := sockets(cls)):
        problems.append(f"socket must be one of {found}")
    problems += check_languages(cls, row)
    given = names(row["args"]) | ({"settings"} if row["settings"] else set())
    problems += check_parameters(cls, given)
    if row["settings"]:
        settings = framework.settings(cls)
        known = framework.fields(settings) if settings else {}
        problems += [f"no setting {name}" for name in names(row["settings"]) if name not in known]
        problems += check_usual(cls, row["settings"])
    return problems


def check_usual(cls: Class, settings: list[dict]) -> list[str]:
    """Checks that the defaults that a row shows are the release's."""
    defaults = framework.defaults(cls)
    return [
        f"usual {setting['name']} must be {defaults.get(setting['name'])}"
        for setting in settings
        if "usual" in setting and defaults.get(setting["name"]) != setting["usual"]
    ]


def check_languages(cls: Class, row: dict) -> list[str]:
    """Checks the languages of a service against the release's own map for it, if it has one."""
    listed = set(row["languages"] or ())
    fewer = KNOW_FEWER.get(row["id"])
    mapped = framework.codes_at(*fewer) if fewer else framework.language_map(cls)
    unknown = listed - set(framework.languages().values())
    beyond = listed - mapped if mapped else set()
    return [
        *(f"no language {code}" for code in sorted(unknown)),
        *(f"language {code} is not in the release's map" for code in sorted(beyond)),
        *(f"language {code} is missing" for code in sorted(mapped - listed) if mapped),
    ]


def detects_turns(cls: Class) -> bool:
    """Whether a service itself detects the person's turns."""
    for owner in framework.lineage(cls):
        for node in owner.node.body:
            if isinstance(node, ast.FunctionDef) and node.name == "service_metadata_frame":
                return "ExternalUserTurnStrategies" in ast.unparse(node)
    return False


def takes_text_alone(cls: Class) -> bool:
    """Whether a speech-to-speech service takes typed text, but no messages in the context."""
    methods = [node for owner in framework.lineage(cls) for node in owner.node.body]
    code = "\n".join(ast.unparse(node) for node in methods)
    return "InputTextRawFrame" in code and "get_llm_invocation_params" not in code


def typed_way(cls: Class) -> str | None:
    """How a speech-to-speech service gets what people type."""
    methods: dict[str, str] = {}
    for owner in framework.lineage(cls):
        for node in owner.node.body:
            if isinstance(node, ast.AsyncFunctionDef):
                methods.setdefault(node.name, ast.unparse(node))
    appends = methods.get("_handle_messages_append", "")
    if "self._send_user_text(frame.text)" in methods.get("process_frame", ""):
        return "frame"
    if "'input_text'" in methods.get("_handle_context", ""):
        return "context"
    if "Role.USER" in appends or "'user'" in appends:
        return "message"
    # An appended message asks for a reply, but it would be one of the system's.
    return "item" if "'system'" in appends and "send_client_event" in methods else None


def takes_pictures(cls: Class) -> bool:
    """Whether a speech-to-speech service passes on the person's pictures."""
    functions = [node for owner in framework.lineage(cls) for node in owner.node.body]
    return any(getattr(node, "name", "") == "_send_user_video" for node in functions)


def gets_requests(cls: Class) -> bool:
    """Whether speech-to-text gets a request for each utterance, whose end is an answer."""
    return any(owner.name == "SegmentedSTTService" for owner in framework.lineage(cls))


FACTS: dict[str, Callable[[Class], object]] = {
    "ownTurns": detects_turns,
    "ignoresContext": takes_text_alone,
    "sees": takes_pictures,
    "typed": typed_way,
    "answersEach": gets_requests,
}

# Where the objects of other libraries that services use have their connections. Those that aren't
# here have none of the `websockets` library.
INNER = {
    "self._client.listen.v1.connect": "_connection._websocket",
    "self._client.audio.realtime.connect": "_connection._websocket",
    "aio.live.connect": "_session._ws",
    "speech_to_text_streaming.connect": "_socket_client._websocket",
}


def sockets(cls: Class) -> list[str | None]:
    """The attributes that may lead to a service's connection, or None if it has none with pings."""
    owners = framework.lineage(cls)
    code = "\n".join(ast.unparse(owner.node) for owner in owners)
    if gets_requests(cls) or "ping_interval=None" in code:
        return [None]
    inner = [path for call, path in INNER.items() if call in code]
    connects = re.findall(r"websocket_connect\(|websocket_client\.connect\(", code)
    own = re.findall(r"self\.(_websocket|_socket)\b(?:: [^=]+)? = (?!None)", code)
    return inner or (sorted(set(own)) if connects and own else [None])


def check_parameters(cls: Class, given: set[str]) -> list[str]:
    """Checks that a call of the class has only known arguments, and all required ones."""
    reached = framework.constructors(cls)
    if reached:
        taken = set().union(*map(parameters, reached))
        needed = {arg.arg for arg in required_parameters(reached[0])}
    else:
        fields = framework.fields(cls)
        taken = set(fields)
        needed = {name for name, field in fields.items() if field.value is None}
    return [
        *(f"no parameter {name} of {cls.name}" for name in sorted(given - taken)),
        *(f"required parameter {name} is not given" for name in sorted(needed - given)),
    ]


def check_choice(chosen: set[str]) -> list[str]:
    """Compares the languages that people can choose with those of the framework."""
    known = set(framework.languages().values())
    unknown, missing = sorted(chosen - known), sorted(known - NOT_OFFERED - chosen)
    return [*(f"no language {code}" for code in unknown), *(f"{code} can't be chosen" for code in missing)]


# The base classes of services, except those for video.
ROOTS = {"STTService", "LLMService", "TTSService"}
ROOT_MODULE = re.compile(r"pipecat\.services\.\w+_service")
BASE_NAME = re.compile(r"^_|Base(?![a-z])")


def is_service(cls: Class) -> bool:
    ancestors = {one.name for one in framework.lineage(cls)}
    return bool(ROOTS & ancestors) or cls.module.endswith(".video") and "AIService" in ancestors


def is_offered(cls: Class, tree: ast.Module) -> bool:
    """Whether a class is public, no base class, and not deprecated."""
    is_base = BASE_NAME.search(cls.name) or ROOT_MODULE.fullmatch(cls.module)
    decorators = [d.func if isinstance(d, ast.Call) else d for d in cls.node.decorator_list]
    is_deprecated = any(isinstance(d, ast.Name) and d.id == "deprecated" for d in decorators)
    return not (is_base or is_deprecated or ".. deprecated::" in (ast.get_docstring(tree) or ""))


def find_unknown(known: list[str]) -> list[str]:
    """The services that people could choose, and that aren't known."""
    trees = {module: framework.parse(module) for module in framework.modules("pipecat.services")}
    classes = [
        (Class(module, node), tree)
        for module, tree in trees.items()
        for node in (tree.body if tree else ())
        if isinstance(node, ast.ClassDef)
    ]
    services = [cls for cls, tree in classes if is_service(cls) and is_offered(cls, tree)]
    return [f"{one.module}.{one.name} is neither offered nor excluded" for one in services if one.name not in known]


def main() -> None:
    asked = json.load(sys.stdin)
    problems = find_unknown(asked["known"]) if "known" in asked else check_choice(set(asked["languages"]))
    problems += [f"{row['id']}: {problem}" for row in asked.get("rows", ()) for problem in check(row)]
    json.dump(list(dict.fromkeys(problems)), sys.stdout)


if __name__ == "__main__":
    main()
