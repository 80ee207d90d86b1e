"""What counts as a value: of written nodes, those that an output may consist of."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.text.pattern import pattern
from deckgen.written import (
    CONSTANTS,
    Address,
    Angle,
    Call,
    Dots,
    Group,
    Mark,
    Node,
    Number,
    Piece,
    Quoted,
    Row,
    Word,
    read_pieces,
)

_REPR_NAMES = frozenset(
    set("tensor array torch.Size Size device Parameter OrderedDict odict_keys dict_keys".split())
    | set("dict_values dict_items set frozenset range defaultdict Counter deque finfo iinfo".split())
)
_DEVICE = pattern(r"(?:cpu|cuda|mps|xpu|meta|hpu)(?::\d+)?")
_SIZE = pattern(r"\s*(?:torch\.)?(?:Size\s*\()?[(\[（［][\d\s,，]{1,100}[)\]）］]\)?\s*")
_TORCH_NAME = pattern(
    r"torch\.(?:(?:cuda\.|sparse\.)?\w+Tensor|(?:float|int|uint|bfloat|complex|qint|quint|double|half|long|short|bool|cfloat|cdouble)\d*"
    r"|float8_\w+|strided|sparse_\w+|contiguous_format|channels_last\w*|preserve_format)"
)


def is_constant(node: Node) -> bool:
    """True for `True`, `None`, `torch.float32`: words that are values by themselves."""
    return isinstance(node, Word) and (
        node.text in CONSTANTS or _TORCH_NAME.fullmatch(node.text) is not None or is_device(node.text)
    )


def is_device(text: str) -> bool:
    """True for the name of a device: `cpu`, `cuda:0`."""
    return _DEVICE.fullmatch(text) is not None


def is_size(text: str) -> bool:
    """True for numbers in brackets and nothing else: `(3,)`, `[2, 3]`, `torch.Size([2])`."""
    return _SIZE.fullmatch(text) is not None


def may_be_repr(name: str) -> bool:
    """False for the name of a call that no repr writes: `torch.randn`."""
    return _is_repr_name(name) or (name.lstrip("_")[:1].isupper() and "." not in name)


def _is_repr_name(name: str) -> bool:
    return name in _REPR_NAMES or name.startswith(("torch.return_types.", "np.", "numpy."))


def _is_repr(call: Call) -> bool:
    """True for a call that only a repr writes: `tensor(...)`, `torch.return_types.max(...)`.

    Behind the name of a class, `Linear(in_features=2, bias=True)`, `ReLU()`, and trees `Net(\\n  (l0): Linear(...)`: no bare names.
    """
    return _is_repr_name(call.name) or (
        may_be_repr(call.name)
        and all(
            any(isinstance(node, Mark) and node.text in "=:" for node in item) or is_value(item)
            for item in call.group.items
        )
    )


_HANGING = (Word("Parameter"), Word("containing"), Mark(":"))
"""What stands before the value of a parameter, on a line of its own."""


def is_value(nodes: Sequence[Node]) -> bool:
    """True if the nodes are one value, or one `key: value` or `key=value` inside a bracket."""
    todo: list[tuple[Node, ...]] = [tuple(nodes)]
    while todo:
        item = _without_key(todo.pop())
        if item[:2] == _HANGING[:2]:
            item = item[3:] or (Dots(),)
        if len(item) != 1:
            return False
        node = item[0]
        if isinstance(node, Group):
            todo.extend(node.items)
        elif not (
            isinstance(node, Number | Row | Quoted | Angle | Dots | Address)
            or is_constant(node)
            or (isinstance(node, Call) and _is_repr(node))
        ):
            return False
    return True


def _without_key(item: tuple[Node, ...]) -> tuple[Node, ...]:
    if len(item) >= 3 and isinstance(item[1], Mark) and item[1].text in ("=", ":"):
        return item[2:] if isinstance(item[0], Word | Quoted | Number) else item
    return item


def value_prefix(text: str) -> int:
    """Length of the value, or run of values, at the start of a text; 0 if it does not start with one.

    `False (because ...)` -> 5; `torch.Size([2]) torch.Size([3]), both` -> 31.
    """
    values = leading_values(text)
    return values[-1].stop if values else 0


def leading_values(text: str) -> list[Piece]:
    """The value, or run of values, at the start of a text; without the commas between them."""
    values: list[Piece] = []
    run: list[Piece] = []
    for piece in read_pieces(text):
        if values and isinstance(piece.node, Mark) and piece.node.text == ",":
            continue
        run.append(piece)
        nodes = tuple(one.node for one in run)
        if nodes in (_HANGING[:1], _HANGING[:2], _HANGING):
            continue
        if not is_value(nodes):
            break
        values += run
        run.clear()
    return values
