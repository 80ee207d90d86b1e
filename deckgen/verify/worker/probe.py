"""What can be known of an interpreter without importing torch. Another interpreter runs this as a program."""

import importlib.util
import json
import os
import platform
import sys
from typing import Any, Dict, Iterable


def is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except Exception:  # a package of the same name that breaks
        return False


def facts(modules: Iterable[str]) -> Dict[str, Any]:
    """Its version, numpy's, the text of torch's `version.py`, and which of these packages it has."""
    spec = importlib.util.find_spec("torch") if is_there("torch") else None
    path = os.path.join(os.path.dirname(spec.origin), "version.py") if spec and spec.origin else ""
    text = ""
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
    try:
        from importlib.metadata import version

        numpy = version("numpy")
    except Exception:
        numpy = ""
    return {
        "python": platform.python_version(),
        "numpy": numpy,
        "version": text,
        "torch": bool(path),
        "modules": {name: is_there(name) for name in modules},
    }


if __name__ == "__main__":
    print(json.dumps(facts(json.loads(sys.argv[1]))))
