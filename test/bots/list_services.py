"""Lists the services in a wheel of the framework that people could choose.

    list_services.py WHEEL_DIRECTORY > services.json

It reads the wheel's sources and imports nothing. Each service is
{kind, module, className, extras, parameters: [{name, type}], hasVoice}. `extras` have the
provider's name or appear in its error messages. `parameters` are the constructor's parameters that
need a value: all without a default, the key, the session. Base classes and deprecated classes are
excluded.
"""

import ast
import json
import re
import sys
from pathlib import Path

from framework import Class, Framework, required_parameters

framework = Framework(Path(sys.argv[1]))
EXTRAS = framework.extras()

# The base class of each kind. Speech-to-speech services are language models that hear.
ROOTS = {"STTService": "stt", "LLMService": "llm", "TTSService": "tts"}
ROOT_MODULE = re.compile(r"pipecat\.services\.\w+_service")
BASE_NAME = re.compile(r"^_|Base(?![a-z])")


def kind_of(cls: Class) -> str | None:
    """The kind of service, or None if the class isn't one."""
    family = [one for one in framework.lineage(cls) if not ROOT_MODULE.fullmatch(one.module)]
    ancestors = {one.name for one in framework.lineage(cls)}
    for root, kind in ROOTS.items():
        if root in ancestors:
            return "realtime" if kind == "llm" and any(map(hears, family)) else kind
    is_video = cls.module.endswith(".video") and "AIService" in ancestors
    return "video" if is_video else None


def hears(cls: Class) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "InputAudioRawFrame" for n in ast.walk(cls.node))


def is_offered(cls: Class, tree: ast.Module) -> bool:
    """Whether a class is public and not deprecated."""
    is_base = BASE_NAME.search(cls.name) or ROOT_MODULE.fullmatch(cls.module)
    decorators = [d.func if isinstance(d, ast.Call) else d for d in cls.node.decorator_list]
    is_deprecated = any(isinstance(d, ast.Name) and d.id == "deprecated" for d in decorators)
    return not (is_base or is_deprecated or ".. deprecated::" in (ast.get_docstring(tree) or ""))


def describe(cls: Class, kind: str, tree: ast.Module) -> dict:
    """The data for a catalog row about a class."""
    provider = cls.module.split(".")[2]
    named = re.findall(r"pipecat-ai\[([\w-]+)\]", ast.unparse(tree))
    guesses = [*named, provider, provider.replace("_", "-")]
    settings = framework.settings(cls)
    return {
        "kind": kind,
        "module": cls.module,
        "className": cls.name,
        "extras": sorted({extra for extra in guesses if extra in EXTRAS}),
        "parameters": parameters_of(cls),
        "hasVoice": bool(settings and "voice" in framework.fields(settings)),
    }


def parameters_of(cls: Class) -> list[dict]:
    """The parameters of the constructor that need a value."""
    found = []
    for args in framework.constructors(cls)[:1]:
        required = required_parameters(args)
        for arg in [*args.args[1:], *args.kwonlyargs]:
            kind = ast.unparse(arg.annotation) if arg.annotation else "Any"
            if arg in required or arg.arg == "api_key" or "ClientSession" in kind:
                found.append({"name": arg.arg, "type": kind})
    return found


def main() -> None:
    services = []
    for module in framework.modules("pipecat.services"):
        tree = framework.parse(module)
        for node in tree.body if tree else ():
            if isinstance(node, ast.ClassDef):
                cls = Class(module, node)
                kind = kind_of(cls)
                if tree and kind and is_offered(cls, tree):
                    services.append(describe(cls, kind, tree))
    json.dump(services, sys.stdout)


if __name__ == "__main__":
    main()
