"""What a question and its answer, or a sentence, says that can be evaluated; and which code may be evaluated for it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container
from dataclasses import dataclass

from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed


@dataclass(frozen=True, slots=True)
class Value:
    """`code` shows `text`: a value, a dtype, a device, a truth value."""

    code: str
    text: str
    of: str = ""
    """As people write it, where `code` is made of it."""
    given: str = ""
    """What stands for a name that the notes do not bind: `x = torch.arange(6.0).reshape(2, 3)`."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What `code` gives has the shape `sizes`, which is written as `text`."""

    code: str
    text: str
    sizes: tuple[int, ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """`code` raises `exception`, which is empty for any; or it raises nothing."""

    code: str
    exception: str
    raised: bool = True
    of: str = ""


@dataclass(frozen=True, slots=True)
class Default:
    """`parameter` of `owner` has the default `value`."""

    owner: str
    parameter: str
    value: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """`owner` has a parameter `name`, or the notes say that it has none."""

    owner: str
    name: str
    there: bool = True


@dataclass(frozen=True, slots=True)
class Signature:
    """What is called as `written`: `nn.Linear(in_features, out_features)`."""

    written: str


Fact = Value | Shape | Failure | Default | Parameter | Signature

KNOWN = frozenset(
    "torch nn F optim math np Tensor DataLoader Dataset TensorDataset Parameter Variable partial OrderedDict".split()
)
"""Names that readers take for granted, as the prelude of a run gives them (`verify/plan.py`)."""
INPUTS = dict.fromkeys(("x", "t", "a", "b", "y", "tensor", "input", "z"), "torch.arange(6.0).reshape(2, 3)") | {
    "arr": "np.arange(6.0)",
    "array": "np.arange(6.0)",
}
"""What stands for a name that the notes do not bind, in sentences that are true of any tensor."""
_ACTING = frozenset(
    "backward step zero_grad append extend pop update insert remove clear register_hook register_buffer register_parameter seed"
    " manual_seed set_default_dtype set_default_device set_grad_enabled load_state_dict train eval requires_grad_ save write".split()
)
"""Methods that leave something behind, besides those whose name ends with `_`."""
_PLACEHOLDER = pattern(r"\.\.\.|…|<\w+>")
_MOST = 200
"""Characters of an expression that a question shows in its text."""


def expression(code: str, bound: Container[str] = ()) -> ast.expr | None:
    """The syntax tree of code that may be evaluated: an expression whose names are known, that leaves nothing behind for others.

    One of its names must be torch's, or bound above. `bound`: the names that code above binds. What has none of these runs by itself, and may do what it likes.
    """
    if len(code) > _MOST or _PLACEHOLDER.search(code):
        return None
    tree = parsed(code)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    node = tree.body[0].value
    own = {one.arg for one in nodes(tree) if isinstance(one, ast.arg)}
    own |= {one.id for one in nodes(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    loaded = {one.id for one in nodes(tree) if isinstance(one, ast.Name)} - own
    foreign = {name for name in loaded if name not in KNOWN and not hasattr(builtins, name)}
    if not any(
        name in KNOWN or name in bound for name in loaded
    ):  # `(2, 3) @ (3, 2)` tells of shapes, and is no code of torch
        return None
    if not all(name in bound for name in foreign) or any(
        isinstance(one, ast.Await | ast.Yield | ast.NamedExpr) for one in nodes(tree)
    ):
        return None
    return None if foreign and leaves_something(node) else node


def leaves_something(node: ast.expr) -> bool:
    """True for an expression that may change what it works on."""
    return any(
        name in _ACTING or (name.endswith("_") and not name.endswith("__"))
        for one in nodes(node)
        if isinstance(one, ast.Call)
        for name in (one.func.attr if isinstance(one.func, ast.Attribute) else getattr(one.func, "id", ""),)
    )


def computes(node: ast.expr) -> bool:
    """False for a bare name or a path of names, of which a question asks for the meaning and not for the value."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return not isinstance(node, ast.Name | ast.Constant)


def bound_by(code: str) -> frozenset[str]:
    """The names that the statements of some code bind."""
    tree = parsed(code)
    if tree is None:
        return frozenset()
    stored = {one.id for one in nodes(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    defined = {one.name for one in nodes(tree) if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    imported = {
        (one.asname or one.name).partition(".")[0]
        for node in nodes(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    }
    return frozenset(stored | defined | imported)
