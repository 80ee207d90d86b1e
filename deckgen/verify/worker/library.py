"""Every public name of torch, with the first sentence of its docstring. Standard library and torch only."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import Any, Dict, Iterator, List, Tuple

from .api_facts import first_sentence
from .api_places import HOMES, MISSING, member, reach

_DEPTH = 3
"""Parts of a module's name at most: what lies deeper is seldom named in notes."""


def library() -> List[List[Any]]:
    """[sentence, names] of every object that has a docstring; names of one object stand together, the shortest first."""
    for home in HOMES:
        reach(home)  # imports those that `import torch` leaves out
    names: Dict[int, Tuple[Any, List[str]]] = {}
    for path, value in _public():
        names.setdefault(id(value), (value, []))[1].append(path)
    found = [
        [first_sentence(value), sorted(set(paths), key=lambda one: (len(one), one))] for value, paths in names.values()
    ]
    return [[sentence, paths] for sentence, paths in found if sentence]


def _public() -> Iterator[Tuple[str, Any]]:
    """Functions and classes of the public modules, and what the classes themselves define."""
    for name in sorted(sys.modules):
        module = sys.modules[name]
        parts = name.split(".")
        private = any(part.startswith("_") for part in parts)
        if parts[0] != "torch" or private or len(parts) > _DEPTH or not isinstance(module, ModuleType):
            continue
        for inner in _exported(module):
            value = member(module, inner)
            if value is MISSING or inspect.ismodule(value) or not callable(value) or not _is_torch(value):
                continue
            path = name + "." + inner
            yield path, value
            if inspect.isclass(value):
                yield from ((path + "." + one, held) for one, held in _members(value))


def _exported(module: ModuleType) -> List[str]:
    named = vars(module).get("__all__")
    return [
        str(one) for one in (named if isinstance(named, (list, tuple)) else dir(module)) if not str(one).startswith("_")
    ]


def _members(cls: type) -> Iterator[Tuple[str, Any]]:
    """What a class has of its own, without constants; what it inherits stands with its base."""
    for name, value in list(vars(cls).items()):
        if not name.startswith("_") and (inspect.isdatadescriptor(value) or inspect.isroutine(value)):
            yield name, value


def _is_torch(value: Any) -> bool:
    """True for what torch defines; builtins of it have no module."""
    return str(member(value, "__module__") or "torch").startswith("torch")
