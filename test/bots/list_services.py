"""Lists the services in a wheel of the framework that people could choose.

    list_services.py WHEEL_DIRECTORY > services.json

It reads the wheel's sources and imports nothing. Each service is {module, className}. Base classes and deprecated
classes are excluded.
"""

import ast
import json
import re
import sys
from pathlib import Path

from framework import Class, Framework

framework = Framework(Path(sys.argv[1]))

# The base classes of services, except those for video.
ROOTS = {"STTService", "LLMService", "TTSService"}
ROOT_MODULE = re.compile(r"pipecat\.services\.\w+_service")
BASE_NAME = re.compile(r"^_|Base(?![a-z])")


def is_service(cls: Class) -> bool:
    ancestors = {one.name for one in framework.lineage(cls)}
    return bool(ROOTS & ancestors) or cls.module.endswith(".video") and "AIService" in ancestors


def is_offered(cls: Class, tree: ast.Module) -> bool:
    """Whether a class is public and not deprecated."""
    is_base = BASE_NAME.search(cls.name) or ROOT_MODULE.fullmatch(cls.module)
    decorators = [d.func if isinstance(d, ast.Call) else d for d in cls.node.decorator_list]
    is_deprecated = any(isinstance(d, ast.Name) and d.id == "deprecated" for d in decorators)
    return not (is_base or is_deprecated or ".. deprecated::" in (ast.get_docstring(tree) or ""))


def main() -> None:
    services = []
    for module in framework.modules("pipecat.services"):
        tree = framework.parse(module)
        for node in tree.body if tree else ():
            if isinstance(node, ast.ClassDef):
                cls = Class(module, node)
                if tree and is_service(cls) and is_offered(cls, tree):
                    services.append({"module": module, "className": cls.name})
    json.dump(services, sys.stdout)


if __name__ == "__main__":
    main()
