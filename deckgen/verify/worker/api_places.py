"""Where API names live: customary aliases, the usual places, and how to walk from a module to a name."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import re
import sys
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Set, Tuple

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
    "torch",
    "torch.nn",
    "torch.utils.data",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.autograd",
    "torch.autograd.function",
    "torch.utils.checkpoint",
    "torch.utils.benchmark",
    "torch.utils",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
    "torch.nn.init",
    "torch.nn.functional",
    "torch.nn.parallel",
    "torch.cuda",
    "torch.amp",
    "torch.profiler",
    "torch.Tensor",
    "torch.nn.Module",
    "torch.optim.Optimizer",
)
"""Where a bare name is looked for, in this order; the first that has it wins."""

STAND_INS = {
    # The documented class is a mixin of the class whose instances people hold.
    "torch.autograd.function.FunctionCtx": "torch.autograd.function.BackwardCFunction",
}

MISSING: Any = object()


class InstanceAttribute:
    """An attribute that instances have and their class does not show."""

    def __init__(self, owner: type, name: str) -> None:
        self.owner = owner
        self.__name__ = name
        self.__doc__ = None


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
    value, path = importlib.import_module("torch"), "torch"
    problem = None
    left = list(parts)
    while left:
        step, problem = _step(value, path, left[0])
        if step is MISSING:
            break
        value, path = step, path + "." + left.pop(0)
    return value, path, left, problem


def _step(value: Any, path: str, name: str) -> Tuple[Any, Optional[str]]:
    found = member(value, name)
    if found is not MISSING:
        return found, None
    if inspect.ismodule(value):
        return _submodule(value, name)
    if inspect.isclass(value) and _on_instances(value, path, name):
        return InstanceAttribute(value, name), None
    return MISSING, None


def _submodule(package: Any, name: str) -> Tuple[Any, Optional[str]]:
    """Import a submodule of torch by name; private modules and scripts are left alone."""
    if not hasattr(package, "__path__") or name.startswith("_") or not name.isidentifier():
        return MISSING, None
    full = package.__name__ + "." + name
    try:
        if importlib.util.find_spec(full) is None:
            return MISSING, None
        return importlib.import_module(full), None
    except ModuleNotFoundError as error:
        return MISSING, "missing-module {}".format(error.name or full)
    except (Exception, SystemExit) as error:
        return MISSING, "{}: {}".format(type(error).__name__, error)


def home_of(name: str) -> Optional[str]:
    """The full path of a bare public name in the first of the usual places that has it."""
    if not name.isidentifier() or name.startswith("_"):
        return None
    for home in HOMES:
        if member(reach(home), name) is not MISSING:
            return home + "." + name
    return None


# What the class does not show


def _on_instances(cls: type, path: str, name: str) -> bool:
    if path in STAND_INS and member(reach(STAND_INS[path]), name) is not MISSING:
        return True
    return any(name in instance_names(base) for base in cls.__mro__[:-1])


@functools.lru_cache(maxsize=None)
def instance_names(cls: type) -> FrozenSet[str]:
    """Names that a class itself annotates, keeps in slots, assigns on `self` or registers as buffer or parameter."""
    slots = cls.__dict__.get("__slots__", ())
    annotated = vars(cls).get("__annotations__", {})
    return frozenset((*([slots] if isinstance(slots, str) else slots), *annotated, *_assigned_on_self(cls)))


_SELF = re.compile(r"\bself\.([A-Za-z_]\w*)\s*(?::[^=\n]+)?=[^=]|register_(?:buffer|parameter)\(\s*['\"](\w+)['\"]")


def _assigned_on_self(cls: type) -> FrozenSet[str]:
    text = _classes_of_file(getattr(sys.modules.get(cls.__module__), "__file__", None) or "").get(cls.__name__, "")
    return frozenset(one or two for one, two in _SELF.findall(text))


@functools.lru_cache(maxsize=None)
def _classes_of_file(path: str) -> Dict[str, str]:
    """The text of every top-level class in a file, by its name; far cheaper than `inspect.getsource` for each."""
    if not path.endswith(".py"):
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return {}
    found: Dict[str, str] = {}
    for match in re.finditer(r"^class (\w+).*\n(?:(?:[ \t#)].*)?\n)*", text, re.MULTILINE):
        found[match.group(1)] = match.group()
    return found


# What is there


@functools.lru_cache(maxsize=None)
def public_names(path: str) -> Tuple[str, ...]:
    """Public names of the module or class at a path, sorted: with `__all__`, and with what only instances show."""
    value = reach(path)
    names = {name for name in dir(value) if not name.startswith("_") and not is_leftover(value, name)}
    names.update(getattr(value, "__all__", ()) or ())
    if inspect.isclass(value):
        for base in value.__mro__[:-1]:
            names.update(name for name in instance_names(base) if not name.startswith("_"))
    return tuple(sorted(names))


def own_names(path: str) -> Tuple[str, ...]:
    """Public names that a module exports, or that a class has from its own module: no names all modules share."""
    value = reach(path)
    if not inspect.isclass(value):
        exported = getattr(value, "__all__", None)
        return tuple(exported) if exported else public_names(path)
    names: Set[str] = set()
    for base in value.__mro__:
        if base is value or base.__module__ == value.__module__:
            names.update(base.__dict__)
            names.update(instance_names(base))
    return tuple(sorted(name for name in names if not name.startswith("_")))


def is_leftover(value: Any, name: str) -> bool:
    """A module that another one merely imported: `torch.os`, `torch.torch`."""
    found = member(value, name) if inspect.ismodule(value) else None
    return inspect.ismodule(found) and found.__name__ != value.__name__ + "." + name
