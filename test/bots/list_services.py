"""Lists the services of a wheel of the framework that a person could choose.

    list_services.py WHEEL_DIRECTORY > services.json

It reads the wheel's sources and imports nothing. Each service is
{kind, module, className, extras, parameters: [{name, type}], hasVoice}: `extras` are those of its
provider's name or named in its error messages, `parameters` those of the constructor that a person
has to fill: all without a default, the key, the session. Base classes and deprecated ones are left
out.
"""

import ast
import json
import re
import sys
from pathlib import Path

from framework import Class, Framework, required_parameters

framework = Framework(Path(sys.argv[1]))
EXTRAS = framework.extras()

# The root of each kind's family. Speech-to-speech services are language models that hear.
ROOTS = {"STTService": "stt", "LLMService": "llm", "TTSService": "tts"}
ROOT_MODULE = re.compile(r"pipecat\.services\.\w+_service")
BASE_NAME = re.compile(r"^_|Base(?![a-z])")


def kind_of(cls: Class) -> str | None:
    """The kind of service that a class is, if any."""
    family = [one for one in framework.lineage(cls) if not ROOT_MODULE.fullmatch(one.module)]
    ancestors = {one.name for one in framework.lineage(cls)}
    for root, kind in ROOTS.items():
        if root in ancestors:
            return "realtime" if kind == "llm" and any(map(hears, family)) else kind
    is_video = cls.module.endswith(".video") and "AIService" in ancestors
    return "video" if is_video else None


def hears(cls: Class) -> bool:
    """Whether a class works on the person's audio."""
    return any(isinstance(n, ast.Name) and n.id == "InputAudioRawFrame" for n in ast.walk(cls.node))


def is_offered(cls: Class, tree: ast.Module) -> bool:
    """Whether a class is for people to use, and to stay."""
    is_base = BASE_NAME.search(cls.name) or ROOT_MODULE.fullmatch(cls.module)
    decorators = [d.func if isinstance(d, ast.Call) else d for d in cls.node.decorator_list]
    is_deprecated = any(isinstance(d, ast.Name) and d.id == "deprecated" for d in decorators)
    return not (is_base or is_deprecated or ".. deprecated::" in (ast.get_docstring(tree) or ""))


def describe(cls: Class, kind: str, tree: ast.Module) -> dict:
    """What a row of the catalog has to say about a class."""
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
    """The parameters of the constructor that a person has to fill."""
    found = []
    for args in framework.constructors(cls)[:1]:
        required = required_parameters(args)
        for arg in [*args.args[1:], *args.kwonlyargs]:
            kind = ast.unparse(arg.annotation) if arg.annotation else "Any"
            if arg in required or arg.arg == "api_key" or "ClientSession" in kind:
                found.append({"name": arg.arg, "type": kind})
    return found


def main() -> None:
    """Writes the services to stdout."""
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
