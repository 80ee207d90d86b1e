"""Values: a live object described as JSON-able data (see `deckgen.observation.Value`).

A value is taken when its object is seen; a later change in place cannot alter it.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Any, Callable, Dict, List, Optional, Tuple

# Not `import torch`: type checkers would follow it through all of torch's own sources.
torch: Any = import_module("torch")

REPR_LIMIT = 100_000
ELEMENTS = 10_000
ITEMS = 1_000
DEPTH = 6

Json = Dict[str, Any]


def type_name(kind: type) -> str:
    """`torch.Tensor`, `builtins.list`, `__main__.Net`."""
    return f"{kind.__module__}.{kind.__qualname__}"


def safe_repr(thing: object) -> str:
    try:
        return repr(thing)[:REPR_LIMIT]
    except Exception as error:  # a broken __repr__ is the snippet's own affair
        return f"<repr raised {type(error).__name__}: {error}>"[:REPR_LIMIT]


def plain(element: Any) -> Any:
    """A number as JSON: complex ones as a tagged pair; anything odd as its text."""
    if isinstance(element, complex):
        return {"re": element.real, "im": element.imag}
    if element is None or isinstance(element, (bool, int, float, str)):
        return element
    return str(element)


def describe_tensor(tensor: Any, _depth: int, light: bool) -> Json:
    found: Json = {
        "kind": "tensor",
        "shape": list(tensor.shape),
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


def describe_items(items: Any, depth: int, light: bool) -> List[Json]:
    if depth >= DEPTH:
        return []
    return [describe(item, depth=depth + 1, light=light) for item in list(items)[:ITEMS]]


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
    dtype = type(number).__name__ if type(number).__module__ == "numpy" else number_kind(number)
    value = number.item() if hasattr(number, "item") else number
    return {"kind": "number", "dtype": dtype, "data": [plain(value)]}


def number_kind(number: Any) -> str:
    for kind in (int, float, complex):
        if isinstance(number, kind):
            return kind.__name__
    return type(number).__name__


def _fixed(kind: str) -> Callable[[Any, int, bool], Json]:
    return lambda _thing, _depth, _light: {"kind": kind}


Describer = Callable[[Any, int, bool], Json]

DESCRIBERS: List[Tuple[Any, Describer]] = [
    (type(None), _fixed("none")),
    (bool, lambda thing, _depth, _light: {"kind": "bool", "data": [thing]}),
    ((int, float, complex), describe_number),
    (str, lambda thing, _depth, _light: {"kind": "str", "data": [thing[:REPR_LIMIT]]}),
    (torch.Tensor, describe_tensor),
    (torch.Size, lambda thing, _depth, _light: {"kind": "size", "shape": list(thing), "data": list(thing)}),
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


def describe(thing: object, text: Optional[str] = None, depth: int = 0, light: bool = False) -> Json:
    """The description of one object; never raises, draws no random number, warns nobody.

    `text` is its repr where that is known already (printing a tensor costs more than running most
    snippets). A `light` description leaves out what is slow: the repr and the elements of large things.
    """
    found: Json
    try:
        found = _describer(thing)(thing, depth, light)
    except Exception:  # an object that lies about what it is: say only what is certain
        found = {"kind": "other"}
    found["type"] = type_name(type(thing))
    if text is not None:
        found["repr"] = text[:REPR_LIMIT]
    elif light and found["kind"] in ("tensor", "array", "module", "other", "sequence", "mapping", "set"):
        found["repr"] = ""
    else:
        found["repr"] = safe_repr(thing)
    return found


def describe_quietly(thing: object, text: Optional[str] = None, light: bool = False) -> Json:
    """`describe` without the warnings that looking at an object may cause."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return describe(thing, text=text, light=light)
