"""The docstrings of a package, as JSON on standard output: `python docstrings.py torch`.

Standard library only; imports the package that is named. Written for torch, whose functions get their
docstrings at run time, so that its files do not hold them.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import pkgutil
import sys
import types
import warnings
from typing import Any, Dict, Iterator, List, Set, Tuple

SKIPPED = (
    "testing",
    "_",
    "csrc",
    "fx.experimental",
    "distributed.elastic",
    "onnx",
    "ao.pruning",
    "utils.benchmark.examples",
)


def modules(package: str) -> Iterator[Any]:
    """The package and its public modules, as far as they can be imported."""
    root = importlib.import_module(package)
    yield root
    for info in pkgutil.walk_packages(getattr(root, "__path__", []), package + ".", onerror=lambda _name: None):
        inner = info.name[len(package) + 1 :]
        if any(part.startswith("_") for part in inner.split(".")) or inner.startswith(SKIPPED):
            continue
        try:
            yield importlib.import_module(info.name)
        except BaseException:  # noqa: S112 - optional parts miss their packages, some call sys.exit
            continue


def members(thing: Any, name: str) -> Iterator[Tuple[str, Any]]:
    """Public attributes of a module or a class, those of a class with what it inherits within the package."""
    bases = thing.__mro__ if isinstance(thing, type) else ()
    package = name.partition(".")[0]
    own = {attribute for base in bases if base.__module__.startswith(package) for attribute in vars(base)}
    for attribute in sorted(own if bases else set(dir(thing))):
        if attribute.startswith("_"):
            continue
        try:
            yield f"{name}.{attribute}", getattr(thing, attribute)
        except Exception:  # noqa: S112 - a property that wants more than a class
            continue


class Collection:
    """Docstrings that show an example, each once."""

    def __init__(self) -> None:
        self.found: List[Dict[str, str]] = []
        self._seen: Set[str] = set()

    def take(self, name: str, thing: Any) -> None:
        try:
            text = inspect.getdoc(thing) or ""
        except Exception:
            return
        if ">>>" in text and text not in self._seen:
            self._seen.add(text)
            self.found.append({"name": name, "text": text})

    def take_class(self, kind: type, package: str) -> None:
        name = f"{kind.__module__}.{kind.__qualname__}"
        self.take(name, kind)
        for place, method in members(kind, name):
            here = isinstance(method, types.FunctionType) and method.__module__.startswith(package)
            self.take(f"{method.__module__}.{method.__qualname__}" if here else place, method)


def foreign(thing: Any, package: str) -> bool:
    """True for modules, for what belongs to another package, and for the old typed tensors: they repeat Tensor."""
    owner = getattr(thing, "__module__", None)
    typed = isinstance(thing, type) and thing.__name__.endswith("Tensor") and thing.__name__ != "Tensor"
    return typed or isinstance(thing, types.ModuleType) or (isinstance(owner, str) and not owner.startswith(package))


def collect(package: str) -> List[Dict[str, str]]:
    """Name and docstring of everything public that shows an example."""
    collection = Collection()
    for module in modules(package):
        collection.take(module.__name__, module)
        for name, thing in members(module, module.__name__):
            if foreign(thing, package.partition(".")[0]):
                continue
            if isinstance(thing, type):
                collection.take_class(thing, package.partition(".")[0])
            else:
                collection.take(name, thing)
    return collection.found


def main() -> None:
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        found = collect(sys.argv[1])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
