"""What another interpreter is asked, as programs that it runs: `facts '["torchvision"]'` and `docstrings torch`.

Standard library only. The docstrings are asked of the live package: torch's functions get theirs at run time, so that its files
do not hold them.
"""

import contextlib
import importlib.util
import inspect
import io
import json
import os
import pkgutil
import platform
import sys
import types
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Tuple

SKIPPED = tuple("testing _ csrc fx.experimental distributed.elastic onnx ao.pruning utils.benchmark.examples".split())


def is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except Exception:  # a package of the same name that breaks
        return False


def facts(modules: Iterable[str]) -> Dict[str, Any]:
    """Without importing torch: the interpreter's version and path, the text of torch's `version.py`, which packages it has."""
    spec = importlib.util.find_spec("torch") if is_there("torch") else None
    path = os.path.join(os.path.dirname(spec.origin), "version.py") if spec and spec.origin else ""
    text = ""
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
    return {
        "python": platform.python_version(),
        "path": [folder for folder in sys.path if folder],
        "version": text,
        "torch": bool(path),
        "modules": {name: is_there(name) for name in modules},
    }


def docstrings(package: str) -> List[Dict[str, str]]:
    """Name and docstring of everything public in a package that shows an example, each text once."""
    found: Dict[str, str] = {}
    top = package.partition(".")[0]

    def take(name: str, thing: Any) -> None:
        with contextlib.suppress(Exception):
            text = inspect.getdoc(thing) or ""
            if ">>>" in text:
                found.setdefault(text, name)

    for module in _modules(package):
        take(module.__name__, module)
        for name, thing in _members(module, module.__name__):
            owner = getattr(thing, "__module__", None)
            if isinstance(thing, types.ModuleType) or (isinstance(owner, str) and not owner.startswith(top)):
                continue
            if not isinstance(thing, type):
                take(name, thing)
            elif not thing.__name__.endswith("Tensor") or thing.__name__ == "Tensor":  # the old typed ones repeat it
                kind = f"{thing.__module__}.{thing.__qualname__}"
                take(kind, thing)
                for place, method in _members(thing, kind):
                    here = isinstance(method, types.FunctionType) and method.__module__.startswith(top)
                    take(f"{method.__module__}.{method.__qualname__}" if here else place, method)
    return [{"name": name, "text": text} for text, name in found.items()]


def _modules(package: str) -> Iterator[Any]:
    """The package and its public modules, as far as they can be imported."""
    root = importlib.import_module(package)
    yield root
    for info in pkgutil.walk_packages(getattr(root, "__path__", []), package + ".", onerror=lambda _name: None):
        inner = info.name[len(package) + 1 :]
        if "._" in inner or inner.startswith(SKIPPED):
            continue
        try:
            module = importlib.import_module(info.name)
        except BaseException:  # noqa: S112 (optional parts miss their packages, some call sys.exit)
            continue
        yield module


def _members(thing: Any, name: str) -> Iterator[Tuple[str, Any]]:
    """Public attributes of a module or a class, those of a class with what it inherits within the package."""
    bases = thing.__mro__ if isinstance(thing, type) else ()
    package = name.partition(".")[0]
    own = {attribute for base in bases if base.__module__.startswith(package) for attribute in vars(base)}
    for attribute in sorted(own if bases else set(dir(thing))):
        if attribute.startswith("_"):
            continue
        try:
            member = getattr(thing, attribute)
        except Exception:  # noqa: S112 (a property that wants more than a class)
            continue
        yield f"{name}.{attribute}", member


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        answer: Any = docstrings(sys.argv[2]) if sys.argv[1] == "docstrings" else facts(json.loads(sys.argv[2]))
    json.dump(answer, sys.stdout)
