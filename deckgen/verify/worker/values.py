"""Values: a live object described as JSON-able data (see `deckgen.model.observation.Value`).

A value is taken when its object is seen; a later change in place cannot alter it.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from itertools import islice
from typing import Any, Callable, Dict, List, Optional, Tuple

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
"""Bits from which a whole number is told in hexadecimal: more decimals than that are refused by Python itself."""

Json = Dict[str, Any]


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
    kind = type(element)
    if kind is float or kind is bool or element is None:
        return element
    if isinstance(element, complex):
        return {"re": float(element.real), "im": float(element.imag)}
    if isinstance(element, int):
        number = int.__index__(element)
        return number if number.bit_length() < DIGITS else hex(number)
    if isinstance(element, float):
        return float.__float__(element)
    return exact(element) if isinstance(element, str) else safe_repr(element)


def whole(size: Any) -> int:
    """A dimension as a number; -1 where it is none (the symbols of jagged tensors)."""
    return int.__index__(size) if isinstance(size, int) else -1


def describe_tensor(tensor: Any, _depth: int, light: bool) -> Json:
    found: Json = {
        "kind": "tensor",
        "shape": [whole(size) for size in tensor.shape],
        "dtype": str(tensor.dtype).replace("torch.", ""),
        "device": str(tensor.device),
        "requires_grad": bool(tensor.requires_grad),
    }
    if tensor.grad_fn is not None:
        found["grad_fn"] = type(tensor.grad_fn).__name__
    if not light:
        elements = tensor_elements(tensor)
        if elements is not None:
            found["data"] = elements
    return found


def tensor_elements(tensor: Any) -> Optional[List[Any]]:
    """All elements in row-major order, or None where there are too many or none at all (meta, sparse)."""
    if tensor.layout is not torch.strided or tensor.device.type == "meta" or tensor.numel() > ELEMENTS:
        return None
    try:
        flat = tensor.detach()
        flat = flat.dequantize() if flat.is_quantized else flat
        return [plain(element) for element in flat.cpu().reshape(-1).tolist()]
    except (RuntimeError, NotImplementedError, TypeError):  # fake tensors, exotic dtypes
        return None


def describe_array(array: Any, _depth: int, light: bool) -> Json:
    found: Json = {"kind": "array", "shape": list(array.shape), "dtype": str(array.dtype)}
    if not light and array.size <= ELEMENTS and array.dtype.kind in "biufcSU":
        found["data"] = [plain(element) for element in array.reshape(-1).tolist()]
    return found


_LEFT = [OBJECTS, TEXT]
"""Objects that the description under way may still look at, and characters that it may still tell."""


def describe_items(items: Any, depth: int, light: bool) -> List[Json]:
    if depth >= DEPTH:
        return []
    return [describe(item, depth=depth + 1, light=light) for item in islice(items, min(ITEMS, _LEFT[0]))]


def describe_sequence(sequence: Any, depth: int, light: bool) -> Json:
    return {"kind": "sequence", "items": describe_items(sequence, depth, light)}


def describe_set(members: Any, depth: int, light: bool) -> Json:
    return {"kind": "set", "items": describe_items(members, depth, light)}


def describe_mapping(mapping: Any, depth: int, light: bool) -> Json:
    return {
        "kind": "mapping",
        "keys": describe_items(mapping.keys(), depth, light),
        "items": describe_items(mapping.values(), depth, light),
    }


def describe_number(number: Any, _depth: int, _light: bool) -> Json:
    of_numpy = type(number).__module__ == "numpy"
    dtype = type(number).__name__ if of_numpy else number_kind(number)
    return {"kind": "number", "dtype": dtype, "data": [plain(number.item() if of_numpy else number)]}


def number_kind(number: Any) -> str:
    for kind in (int, float, complex):
        if isinstance(number, kind):
            return kind.__name__
    return type(number).__name__


def _sizes(size: Any) -> List[int]:
    return [whole(one) for one in size]


def _fixed(kind: str) -> Callable[[Any, int, bool], Json]:
    return lambda _thing, _depth, _light: {"kind": kind}


Describer = Callable[[Any, int, bool], Json]

DESCRIBERS: List[Tuple[Any, Describer]] = [
    (type(None), _fixed("none")),
    (bool, lambda thing, _depth, _light: {"kind": "bool", "data": [thing]}),
    ((int, float, complex), describe_number),
    (str, lambda thing, _depth, _light: {"kind": "str", "data": [exact(thing)[:REPR_LIMIT]]}),
    (torch.Tensor, describe_tensor),
    (torch.Size, lambda thing, _depth, _light: {"kind": "size", "shape": _sizes(thing), "data": _sizes(thing)}),
    (torch.dtype, lambda thing, _depth, _light: {"kind": "dtype", "dtype": str(thing).replace("torch.", "")}),
    (torch.device, lambda thing, _depth, _light: {"kind": "device", "device": str(thing)}),
    ((list, tuple), describe_sequence),
    (dict, describe_mapping),
    ((set, frozenset), describe_set),
    (torch.nn.Module, _fixed("module")),
]


def _describer(thing: object) -> Describer:
    for kinds, describer in DESCRIBERS:
        if isinstance(thing, kinds):
            return describer
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(thing, numpy.ndarray):
        return describe_array
    if numpy is not None and isinstance(thing, numpy.number):
        return describe_number
    if numpy is not None and isinstance(thing, numpy.bool_):
        return lambda truth, _depth, _light: {"kind": "bool", "data": [bool(truth)]}
    return _fixed("other")


HEAVY = frozenset(["tensor", "array", "module", "other", "sequence", "mapping", "set"])
"""What may have a repr that is slow to make."""


def describe(thing: object, text: Optional[str] = None, depth: int = 0, light: bool = False) -> Json:
    """The description of one object; never raises, draws no random number, warns nobody.

    `text` is its repr where that is known already (printing a tensor costs more than running most
    snippets). A `light` description leaves out what is slow: the repr and the elements of large things.
    """
    found: Json
    if depth == 0:
        _LEFT[:] = [OBJECTS, TEXT]
    _LEFT[0] -= 1
    try:
        found = _describer(thing)(thing, depth, light)
    except BaseException:  # an object that lies about what it is: say only what is certain
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


SILENT = frozenset([type(None), bool, int, float, complex, str, torch.Size, torch.dtype, torch.device])
"""Looking at these warns of nothing, nor does looking at a tensor without writing it out."""


def describe_quietly(thing: object, text: Optional[str] = None, light: bool = False) -> Json:
    """`describe` without the warnings that looking at an object may cause."""
    kind = type(thing)
    if kind in SILENT or (kind is torch.Tensor and (light or text is not None)):
        return describe(thing, text=text, light=light)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return describe(thing, text=text, light=light)
