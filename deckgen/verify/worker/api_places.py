"""Where API names live: customary aliases, the usual places, and how to walk from a module to a name."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import re
import sys
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Tuple

ALIASES = {
    "torch": "torch",
    "F": "torch.nn.functional",
    "nn": "torch.nn",
    "functional": "torch.nn.functional",
    "init": "torch.nn.init",
    "optim": "torch.optim",
    "lr_scheduler": "torch.optim.lr_scheduler",
    "autograd": "torch.autograd",
    "data": "torch.utils.data",
    "dist": "torch.distributed",
    "Module": "torch.nn.Module",
    "Function": "torch.autograd.Function",
    "SummaryWriter": "torch.utils.tensorboard.SummaryWriter",
    "DDP": "torch.nn.parallel.DistributedDataParallel",
    "FSDP": "torch.distributed.fsdp.FullyShardedDataParallel",
    "Scheduler": "torch.optim.lr_scheduler.LRScheduler",
    "ctx": "torch.autograd.function.FunctionCtx",
}
"""What the first word of a written name stands for by custom."""
HOMES = (
    "torch torch.nn torch.utils.data torch.optim torch.optim.lr_scheduler torch.autograd torch.autograd.function"
    " torch.utils.checkpoint torch.utils.benchmark torch.utils torch.nn.utils torch.nn.utils.rnn torch.nn.init"
    " torch.nn.functional torch.nn.parallel torch.cuda torch.amp torch.profiler torch.Tensor torch.nn.Module"
    " torch.optim.Optimizer"
).split()
"""Where a bare name is looked for, in this order; the first that has it wins."""
MISSING: Any = object()
ON_INSTANCES: Any = object()
"""Stands for an attribute that instances have and their class does not show."""


def member(value: Any, name: str) -> Any:
    """`getattr` that survives anything a lazy module may raise."""
    try:
        return getattr(value, name, MISSING)
    except Exception:
        return MISSING


@functools.lru_cache(maxsize=None)
def reach(path: str) -> Any:
    """The object at a full path that starts with `torch`; MISSING if there is none."""
    value, _, left, _ = follow(path.split(".")[1:])
    return MISSING if left else value


def follow(parts: Sequence[str]) -> Tuple[Any, str, List[str], Optional[str]]:
    """Walk from `torch` as far as `parts` lead: (object, its path, parts left, what went wrong)."""
    torch = importlib.import_module("torch")
    value: Any = torch
    path, left = "torch", list(parts)
    problem: Optional[str] = None
    while left:
        if path == "torch.autograd.Variable":  # it makes tensors, and is a class in name only
            value, path = torch.Tensor, "torch.Tensor"
        found = member(value, left[0])
        if found is MISSING and inspect.ismodule(value):
            found, problem = _submodule(value, left[0])
        elif found is MISSING and inspect.isclass(value) and _is_on_instances(value, path, left[0]):
            found = ON_INSTANCES
        if found is MISSING:
            break
        value, path = found, path + "." + left.pop(0)
    return value, path, left, problem


def _submodule(package: Any, name: str) -> Tuple[Any, Optional[str]]:
    """Import a submodule of torch by name; private modules and scripts are left alone."""
    full = package.__name__ + "." + name
    try:
        if hasattr(package, "__path__") and not name.startswith("_") and importlib.util.find_spec(full):
            return importlib.import_module(full), None
    except ModuleNotFoundError as error:
        return MISSING, "missing-module {}".format(error.name or full)
    except (Exception, SystemExit) as error:
        return MISSING, "{}: {}".format(type(error).__name__, error)
    return MISSING, None


def home_of(name: str) -> Optional[str]:
    """The full path of a bare public name in the first of the usual places that has it."""
    home = next((home for home in HOMES if not name.startswith("_") and _has(reach(home), home, name)), None)
    return home and home + "." + name


def _has(value: Any, path: str, name: str) -> bool:
    return member(value, name) is not MISSING or (inspect.isclass(value) and _is_on_instances(value, path, name))


# What the class does not show


def _is_on_instances(cls: type, path: str, name: str) -> bool:
    if path == ALIASES["ctx"]:  # a mixin of the class whose instances people hold
        cls = reach("torch.autograd.function.BackwardCFunction")
    return member(cls, name) is not MISSING or any(name in instance_names(base) for base in cls.__mro__[:-1])


_SELF = re.compile(r"\bself\.([A-Za-z_]\w*)\s*(?::[^=\n]+)?=[^=]|register_(?:buffer|parameter)\(\s*['\"](\w+)['\"]")


@functools.lru_cache(maxsize=None)
def instance_names(cls: type) -> FrozenSet[str]:
    """Names that a class itself annotates, keeps in slots, assigns on `self` or registers as buffer or parameter."""
    slots = vars(cls).get("__slots__", ())
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    assigned = (one or two for one, two in _SELF.findall(_classes_of_file(file).get(cls.__name__, "")))
    annotated = vars(cls).get("__annotations__", {})
    return frozenset((*([slots] if isinstance(slots, str) else slots), *annotated, *assigned))


@functools.lru_cache(maxsize=None)
def _classes_of_file(path: str) -> Dict[str, str]:
    """The text of every top-level class in a file, by its name; far cheaper than `inspect.getsource` for each."""
    try:
        with open(path if path.endswith(".py") else "", encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return {}
    return {one[1]: one[0] for one in re.finditer(r"^class (\w+).*\n(?:(?:[ \t#)].*)?\n)*", text, re.MULTILINE)}


# What is there


@functools.lru_cache(maxsize=None)
def public_names(path: str) -> Tuple[str, ...]:
    """Public names of the module or class at a path, sorted: with `__all__`, and with what only instances show."""
    value = reach(path)
    names = {name for name in dir(value) if not _is_leftover(value, name)}
    if inspect.isclass(value):
        names.update(*map(instance_names, value.__mro__[:-1]))
    names = {name for name in names if not name.startswith("_")}
    return tuple(sorted(names.union(getattr(value, "__all__", ()) or ())))


def own_names(path: str) -> Tuple[str, ...]:
    """Public names that a module exports, or that a class has from its own module: no names all modules share."""
    value = reach(path)
    if not inspect.isclass(value):
        return tuple(getattr(value, "__all__", None) or public_names(path))
    bases = [base for base in value.__mro__ if base.__module__ == value.__module__]
    names = {name for base in bases for name in (*vars(base), *instance_names(base))}
    return tuple(sorted(name for name in names if not name.startswith("_")))


def _is_leftover(value: Any, name: str) -> bool:
    """A module that another one merely imported: `torch.os`, `torch.torch`."""
    found = member(value, name) if inspect.ismodule(value) else None
    return inspect.ismodule(found) and found.__name__ != value.__name__ + "." + name
