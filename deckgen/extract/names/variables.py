"""What the variables of a document's code are: the expression that the assignment nearest above a line gives them.

So prose and tables that call a method of a variable can be looked up: `t1.sum()` is one of what `torch.ones(...)` returns.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from deckgen.extract.claims.outputs import PYTHON
from deckgen.model.document import Block, Code
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed, without_magics

UNKNOWN = ""
"""What a variable is of which the code does not tell it."""
_LONGEST = 200
"""Characters of an expression: `x = x.relu()` a thousand times over tells no more."""
_PROMPT = pattern(r"^\s*(?:>>> ?|\.\.\. )?")


def trees(block: Block) -> Sequence[tuple[int, ast.Module]]:
    """(lines above it, tree) of the code of a block: one if all of it is Python, else of each line that is."""
    if not isinstance(block, Code) or (block.language and block.language not in PYTHON):
        return ()
    return _parsed(block.text)


@lru_cache(maxsize=256)
def _parsed(text: str) -> Sequence[tuple[int, ast.Module]]:
    if tree := parsed(without_magics(text)):
        return [(0, tree)]
    lines = (parsed(_PROMPT.sub("", line).strip().rstrip(":")) if "." in line else None for line in text.split("\n"))
    return [(at, tree) for at, tree in enumerate(lines) if tree]


class Variables:
    """Every variable of a document, with what is assigned to it and where."""

    def __init__(self, blocks: Iterable[Code], imports: Mapping[str, str]) -> None:
        """Read the code once, in its order; `imports` says what the first words of its names stand for."""
        self._imports = imports
        self._bindings: dict[str, list[tuple[int, str]]] = {}
        for block in blocks:
            for above, tree in trees(block):
                for bound, value in _bindings(tree):
                    self._bind(bound, block.lines[min(above + bound.lineno, len(block.lines)) - 1], value)

    def _bind(self, bound: ast.Name | ast.arg, line: int, value: ast.expr | None) -> None:
        if isinstance(bound, ast.Name):
            made = UNKNOWN if value is None else self._made(value)
            self._bindings.setdefault(bound.id, []).append((line, made if len(made) <= _LONGEST else UNKNOWN))
        elif bound.arg not in self._imports:  # a parameter has no say outside of its function
            self._bindings.setdefault(bound.arg, [(line, UNKNOWN)])

    def at(self, name: str, line: int) -> str | None:
        """`torch.ones().view()`: what makes the variable, without arguments, `UNKNOWN`, or None if nothing binds it.

        Above the first assignment that is what it will be.
        """
        bindings = self._bindings.get(name)
        if not bindings:
            return None
        return bindings[max(0, bisect_right(bindings, line, key=lambda one: one[0]) - 1)][1]

    def _made(self, value: ast.expr) -> str:
        """An element of a tensor and a sum with one are tensors: so they stand for what they are taken from."""
        match value:
            case ast.Name(id=name):
                bindings = self._bindings.get(name)
                return bindings[-1][1] if bindings else self._imports.get(name, name)
            case ast.Attribute(value=owner, attr=name):
                return f"{made}.{name}" if (made := self._made(owner)) else UNKNOWN
            case ast.Call(func=called):
                made = self._made(called)
                return f"{made}()" if made and not made.endswith(")") else UNKNOWN
            case ast.Subscript(value=owner) | ast.UnaryOp(operand=owner):
                return self._made(owner)
            case ast.BinOp(left=ast.Constant(value=int() | float()), right=owner) | ast.BinOp(left=owner):
                return self._made(owner)
            case _:
                return UNKNOWN


_BINDING = (ast.Name, ast.arg, ast.Assign, ast.AnnAssign, ast.comprehension)


def _bindings(tree: ast.Module) -> Iterator[tuple[ast.Name | ast.arg, ast.expr | None]]:
    """Each place that binds a variable, in order, with the value; without one for what loops and functions bind."""
    values: dict[ast.expr, ast.expr] = {}
    inner: set[ast.AST] = set()
    """Variables of comprehensions, which are gone behind them."""
    bound: list[ast.Name | ast.arg] = []
    for node in nodes(tree):
        if not isinstance(node, _BINDING):
            continue
        match node:
            case ast.Assign(targets=targets, value=value):
                values.update(pair for target in targets for pair in _pairs(target, value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                values[target] = value
            case ast.comprehension(target=target):
                inner.update(nodes(target))
            case ast.arg() | ast.Name(ctx=ast.Store()):
                bound.append(node)
            case _:
                pass
    for one in sorted(bound, key=lambda one: (one.lineno, one.col_offset)):
        if one not in inner:
            yield one, values.get(one) if isinstance(one, ast.Name) else None


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """`x, y = torch.ones(2), 3` assigns to two names, each its own value."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from zip(target.elts, value.elts, strict=False)
    yield target, value
