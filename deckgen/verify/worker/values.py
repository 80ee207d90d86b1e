"""Values: a live object described as JSON-able data (see `deckgen.model.observation.Value`).

A value is taken when its object is seen; a later change in place cannot alter it.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from itertools import islice
from typing import Any, Dict, List, Optional

# Not `import torch`: type checkers would follow it through all of torch's own sources.
torch: Any = import_module("torch")

REPR_LIMIT = 100_000
ELEMENTS = 10_000
ITEMS = 1_000
DEPTH = 6
OBJECTS = 20_000
"""Objects that one description looks at, whatever holds what: a list may hold itself a thousand times."""
TEXT = 1_000_000
"""Characters that the reprs of what a thing holds may have together."""
DIGITS = 4_000
"""Bits from which a whole number is written in hexadecimal: Python itself refuses to write more decimals."""

Json = Dict[str, Any]

_LEFT = [OBJECTS, TEXT]
"""Objects that the description under way may still look at, and characters that it may still write."""


def type_name(kind: type) -> str:
    """`torch.Tensor`, `builtins.list`, `__main__.Net`."""
    try:
        return f"{kind.__module__}.{kind.__qualname__}"
    except BaseException:  # a metaclass may do anything
        return "builtins.object"


def safe_repr(thing: object) -> str:
    try:
        return exact(repr(thing))[:REPR_LIMIT]
    except BaseException as error:  # a broken __repr__ is the snippet's own affair
        return f"<repr raised {type_name(type(error)).rpartition('.')[2]}>"


def exact(text: str) -> str:
    """A text without what a subclass of `str` may have made of its methods."""
    return text if type(text) is str else str.__str__(text)


def plain(element: Any) -> Any:
    """An element as JSON: complex numbers as a tagged pair, subclasses as what they are, anything odd as its text."""
    if type(element) in (float, bool, type(None)):
        return element
    if isinstance(element, complex):
        return {"re": float(element.real), "im": float(element.imag)}
    if isinstance(element, int):
        number = int.__index__(element)
        return number if number.bit_length() < DIGITS else hex(number)
    if isinstance(element, float):
        return float.__float__(element)
    return exact(element) if isinstance(element, str) else safe_repr(element)


def _whole(sizes: Any) -> List[int]:
    """Dimensions as numbers; -1 for what is none (the symbols of jagged tensors)."""
    return [int.__index__(size) if isinstance(size, int) else -1 for size in sizes]


def _items(items: Any, depth: int, light: bool) -> List[Json]:
    if depth >= DEPTH:
        return []
    return [describe(item, depth=depth + 1, light=light) for item in islice(items, min(ITEMS, _LEFT[0]))]


def _facts(thing: Any, depth: int, light: bool) -> Json:  # noqa: C901 (a column of early returns)
    """What kind of object it is, and the facts of that kind."""
    numpy = sys.modules.get("numpy")
    if thing is None:
        return {"kind": "none"}
    if isinstance(thing, bool) or (numpy is not None and isinstance(thing, numpy.bool_)):
        return {"kind": "bool", "data": [bool(thing)]}
    if numpy is not None and isinstance(thing, numpy.number):
        return {"kind": "number", "dtype": type(thing).__name__, "data": [plain(thing.item())]}
    for kind in (int, float, complex):
        if isinstance(thing, kind):
            return {"kind": "number", "dtype": kind.__name__, "data": [plain(thing)]}
    if isinstance(thing, str):
        return {"kind": "str", "data": [exact(thing)[:REPR_LIMIT]]}
    if isinstance(thing, torch.Tensor):
        return _tensor(thing, light)
    if isinstance(thing, torch.Size):
        return {"kind": "size", "shape": _whole(thing), "data": _whole(thing)}
    if isinstance(thing, torch.dtype):
        return {"kind": "dtype", "dtype": str(thing).replace("torch.", "")}
    if isinstance(thing, torch.device):
        return {"kind": "device", "device": str(thing)}
    if isinstance(thing, (list, tuple)):
        return {"kind": "sequence", "items": _items(thing, depth, light)}
    if isinstance(thing, dict):
        keys = _items(thing.keys(), depth, light)
        return {"kind": "mapping", "keys": keys, "items": _items(thing.values(), depth, light)}
    if isinstance(thing, (set, frozenset)):
        return {"kind": "set", "items": _items(thing, depth, light)}
    if numpy is not None and isinstance(thing, numpy.ndarray):
        found: Json = {"kind": "array", "shape": list(thing.shape), "dtype": str(thing.dtype)}
        if not light and thing.size <= ELEMENTS and thing.dtype.kind in "biufcSU":
            found["data"] = [plain(element) for element in thing.reshape(-1).tolist()]
        return found
    return {"kind": "module" if isinstance(thing, torch.nn.Module) else "other"}


def _tensor(tensor: Any, light: bool) -> Json:
    found: Json = {
        "kind": "tensor",
        "shape": _whole(tensor.shape),
        "dtype": str(tensor.dtype).replace("torch.", ""),
        "device": str(tensor.device),
        "requires_grad": bool(tensor.requires_grad),
        "grad_fn": None if tensor.grad_fn is None else type(tensor.grad_fn).__name__,
    }
    if light or tensor.layout is not torch.strided or tensor.device.type == "meta" or tensor.numel() > ELEMENTS:
        return found
    try:
        flat = tensor.detach()
        flat = flat.dequantize() if flat.is_quantized else flat
        found["data"] = [plain(element) for element in flat.cpu().reshape(-1).tolist()]
    except (RuntimeError, NotImplementedError, TypeError):  # fake tensors, exotic dtypes
        pass
    return found


HEAVY = frozenset("tensor array module other sequence mapping set".split())
"""Kinds whose repr may be slow to make."""


def describe(thing: object, text: Optional[str] = None, depth: int = 0, light: bool = False) -> Json:
    """The description of one object; never raises, draws no random number.

    `text` is its repr where that is known already (printing a tensor costs more than running most
    snippets). A `light` description leaves out what is slow: the repr and the elements of large things.
    """
    if depth == 0:
        _LEFT[:] = [OBJECTS, TEXT]
    _LEFT[0] -= 1
    try:
        found = _facts(thing, depth, light)
    except BaseException:  # an object that lies about what it is: only what is certain
        found = {"kind": "other"}
    found["type"] = type_name(type(thing))
    if text is not None:
        found["repr"] = exact(text)[:REPR_LIMIT]
    elif _LEFT[1] < 0 or (light and found["kind"] in HEAVY):
        found["repr"] = ""
    else:
        found["repr"] = safe_repr(thing)
        _LEFT[1] -= len(found["repr"]) if depth else 0
    return found


SILENT = (type(None), bool, int, float, complex, str, torch.Size, torch.dtype, torch.device)
"""Looking at these causes no warning. For others all warnings are off meanwhile, after which Python forgets which it has shown."""


def describe_quietly(thing: object, text: Optional[str] = None, light: bool = False) -> Json:
    """`describe` without the warnings that looking at an object may cause."""
    if type(thing) in SILENT or (type(thing) is torch.Tensor and (light or text is not None)):
        return describe(thing, text=text, light=light)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return describe(thing, text=text, light=light)
