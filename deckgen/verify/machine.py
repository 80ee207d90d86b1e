"""What is the machine's and no fact about torch: versions, numbers of threads, devices that are taken if they are there.

`of` follows the names of a claim through the code, and through the snippets that they come from. A value that was asked of
the machine (`torch.__version__`) depends on it as it stands. Where a tensor lies says nothing of its elements, but its
device does, if the code has asked which there are: `device = "cuda" if torch.cuda.is_available() else "cpu"`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed
from deckgen.verify.bindings import bindings, conditions, expression, names, statement
from deckgen.verify.sources import MACHINE, called, is_of_module, says_where


@dataclass(frozen=True, slots=True)
class Machine:
    """What of the thing that a claim is about the machine decides."""

    value: bool = False
    place: bool = False
    """Its device alone."""
    clock: bool = False
    """It tells the time, perhaps in a function of a snippet above."""

    def __or__(self, other: Machine) -> Machine:
        return Machine(self.value or other.value, self.place or other.place, self.clock or other.clock)


NOTHING = Machine()
_DEVICE_FACTS = frozenset(("device", "is_cuda", "get_device"))
_MOVES = frozenset(("to", "cuda", "cpu"))
_CLOCKS = frozenset(
    "now today utcnow ctime asctime localtime gmtime strftime perf_counter monotonic process_time time_ns".split()
)
_WORDS = pattern(rf"\b(?:{'|'.join(sorted(MACHINE | _CLOCKS))}|version|show|config|platform|machine|processor)\b")
_DEFAULTS = frozenset(("set_default_device", "set_default_tensor_type"))
"""They decide where all tensors lie that are made below them."""

Wanted = tuple[str, bool]
"""A name, and whether only the device of what it stands for counts."""


def of(code: str, above: Sequence[str], line: int | None, target: str | None) -> Machine:
    """What the machine decides of the statement at a line (or of an expression after it).

    `above` is the code of the snippets that its names come from, in order.
    """
    if not (_asks(code) or any(map(_asks, above)) or "except" in code):
        return NOTHING
    found, free = _within(code, line, target)
    if free and above:
        found |= _of_names("\n".join(above), free)
    return found | Machine(place=True) if any(map(_moves_all, (*above, code))) else found


@lru_cache(maxsize=1024)
def _moves_all(code: str) -> bool:
    """True if a device that was chosen by asking is made the default."""
    if not any(name in code for name in _DEFAULTS):
        return False
    calls = [node for node in nodes(parsed(code) or ast.Module([], [])) if isinstance(node, ast.Call)]
    given = [argument for call in calls if called(call) in _DEFAULTS for argument in call.args]
    return _followed(code, None, given, frozenset())[0].value


@lru_cache(maxsize=1024)
def _asks(code: str) -> bool:
    return _WORDS.search(code) is not None


@lru_cache(maxsize=512)
def _within(code: str, line: int | None, target: str | None) -> tuple[Machine, frozenset[Wanted]]:
    """The same for one snippet, and the names that it takes from elsewhere."""
    tree = parsed(code)
    if tree is None or line is None:
        return NOTHING, frozenset()
    shown = expression(target) or statement(tree, line)
    starts = [shown] if shown is not None else []
    found, free = _followed(code, line, [*starts, *conditions(tree, line)], frozenset())
    return (found | Machine(value=True) if _is_in_handler(tree, line) else found), free


@lru_cache(maxsize=512)
def _of_names(code: str, wanted: frozenset[Wanted]) -> Machine:
    return _followed(code, None, [], wanted)[0]


def _is_in_handler(tree: ast.Module, line: int) -> bool:
    """True for what runs if a GPU or a package is not there: `try: x.cuda()` / `except: print("no gpu")`."""
    for node in nodes(tree):
        if isinstance(node, ast.Try) and node.lineno - 1 < line < (node.end_lineno or node.lineno):
            imports = any(isinstance(one, ast.Import | ast.ImportFrom) for one in node.body)
            if imports or any("cuda" in ast.unparse(one) for one in node.body):
                return True
    return False


def _followed(
    code: str, line: int | None, starts: Sequence[ast.AST], wanted: frozenset[Wanted]
) -> tuple[Machine, frozenset[Wanted]]:
    bound, moved, chosen = bindings(code, line), _moves(code), _chosen(code)
    found = NOTHING
    free: set[Wanted] = set()
    todo: list[tuple[ast.AST, bool]] = [(node, False) for node in starts]
    seen: set[Wanted] = set()
    waiting = [*wanted]
    while todo or waiting:
        if todo:
            node, place = todo.pop()
            asked, more = _looked_at(node, place)
            found |= asked
            if chosen.get(id(node)) is node:  # bound below `if torch.cuda.is_available():`
                found |= Machine(place=True) if place or _is_device(node) else Machine(value=True)
            waiting += more
            continue
        name, place = waiting.pop()
        if (name, place) in seen:
            continue
        seen.add((name, place))
        if name not in bound:
            free.add((name, place))
        todo += [(node, place) for node in bound.get(name, ())]
        todo += [(node, True) for node in moved.get(name, ())]
    return found, frozenset(free)


@lru_cache(maxsize=64)
def _chosen(code: str) -> dict[int, ast.AST]:
    """By id, what is assigned where the machine decides whether it is."""
    tree = parsed(code)
    branches = [node for node in nodes(tree) if isinstance(node, ast.If)] if tree else []
    asking = [one for one in branches if _looked_at(one.test, False)[0].value]
    assigned = [node.value for one in asking for node in nodes(one) if isinstance(node, ast.Assign | ast.AnnAssign)]
    return {id(value): value for value in assigned if value is not None}


def _is_device(node: ast.AST) -> bool:
    """`"cuda"`, `torch.device("cuda")`, `x.to("cuda")`: where something is, and not what."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and _DEVICE.fullmatch(node.value) is not None
    return isinstance(node, ast.Call) and called(node) in ("device", *_MOVES)


def _looked_at(node: ast.AST, place: bool) -> tuple[Machine, list[Wanted]]:
    """How the machine is asked within a node, and the names in it."""
    asked = NOTHING
    found: list[Wanted] = []
    todo: list[tuple[ast.AST, bool]] = [(node, place)]
    while todo:
        one, placed = todo.pop()
        name = called(one)
        placed = placed or (name in _DEVICE_FACTS and not isinstance(one, ast.Call))
        if name in MACHINE or is_of_module(name, one):
            asked |= Machine(place=True) if placed else Machine(value=True)
        if name in _CLOCKS:
            asked |= Machine(clock=True)
        if isinstance(one, ast.Name):
            found.append((one.id, placed))
        todo.extend((child, placed or says_where(one, child)) for child in ast.iter_child_nodes(one))
    return asked, found


@lru_cache(maxsize=64)
def _moves(code: str) -> dict[str, list[ast.AST]]:
    """By name, what a module was moved with: `model.to(device)` on a line of its own."""
    tree = parsed(code)
    found: dict[str, list[ast.AST]] = {}
    for node in nodes(tree) if tree else ():
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _MOVES:
            for name in names(call.func.value):
                found.setdefault(name, []).extend(call.args)
    return found


_DEVICE = pattern(r"(?<![\w.])(?:cuda(?::\d+)?|cpu|mps(?::\d+)?|xpu(?::\d+)?)(?![\w.])", re.IGNORECASE)
_NO_VALUE = pattern(r"[^\w]*(?:(?:torch\.)?device|type|index|\d+|the|is|on|using|used)?[^\w]*", re.IGNORECASE)


def tells_device(text: str) -> bool:
    """True if a text names a device: `tensor([1.], device='cuda:0')`, `cpu`."""
    return _DEVICE.search(text) is not None


def only_tells_device(text: str) -> bool:
    """True if it says nothing else: `cuda`, `device(type='cpu')`, `device: cpu`."""
    return tells_device(text) and all(
        _NO_VALUE.fullmatch(part) for part in re.split(r"[\s=(),:]+", _DEVICE.sub(" ", text))
    )
