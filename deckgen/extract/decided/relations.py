"""What two pieces of code have to do with each other: the same object, the same memory, the one changed by the other."""

from __future__ import annotations

import re
from collections.abc import Container

from deckgen.extract.decided.facts import INPUTS, Fact, Value, expression
from deckgen.extract.decided.text import is_name
from deckgen.text.pattern import pattern

Names = Container[str]
_TENSOR = "torch"
"""In the place of a name that code above binds."""
_CHANGED = "(lambda before: any([({0}) is {1} and {2}, {1}._version > before]))({1}._version)"
"""Torch counts the changes of a tensor; a name with `_` at its end says that it makes one."""
_BY_LAYOUT = frozenset(
    "reshape reshape_as flatten ravel contiguous to type type_as float double half int long short bool bfloat16 cpu cuda as_tensor"
    " asarray array tensor_split".split()
)
"""What copies or shares as its input is laid out, or of which type it is: no input decides it for all."""
_CALLED = pattern(r"(\w+)\(")
_STORAGE = "torch.as_tensor({}).untyped_storage().data_ptr()"
_DOCUMENTED = "('lias' in ({0}.__doc__ or '')[:200] and {2!r} in ({0}.__doc__ or '')[:200])"


def alias(one: str, other: str) -> Fact | None:
    """Two names of one function: the same object, or what its docstring calls its alias."""
    one, other = one.removesuffix("()"), other.removesuffix("()")
    if not all(is_name(name) and "." in name and expression(name) is not None for name in (one, other)):
        return None
    last = [name.rpartition(".")[2] for name in (one, other)]
    told = [_DOCUMENTED.format(one, other, f".{last[1]}"), _DOCUMENTED.format(other, one, f".{last[0]}")]
    return Value(f"{one} is {other} or {' or '.join(told)}", "True", f"{one} is {other}")


def shared(made: str, name: str, expected: str, bound: Names) -> Fact | None:
    """`x.view(-1)` has the memory of `x`, or a copy of it."""
    if not name.isidentifier():
        made, name = name, made
    if not name.isidentifier() or not _BY_LAYOUT.isdisjoint(_CALLED.findall(made)):
        return None
    return _with_input(
        name, made, f"{_STORAGE.format(made)} == {_STORAGE.format(name)}", f"the memory of {name}", expected, bound
    )


def in_place(made: str, name: str, expected: str, bound: Names) -> Fact | None:
    """`x.add_(1)` gives `x` itself, changed."""
    if name == made.rpartition(".")[0] or name.isidentifier():
        found = re.fullmatch(r"(\w+)\.(\w+)\(.*\)", made)
        if found and found[1] == name:
            return _with_input(
                name, made, _CHANGED.format(made, name, found[2].endswith("_")), f"changes {name}", expected, bound
            )
    return None


def _with_input(name: str, made: str, code: str, relation: str, expected: str, bound: Names) -> Fact | None:
    """With a fixed input for a name that nothing above binds. What is bound is copied first: the notes go on with it."""
    of = f"{made}, {relation}"
    if expression(f"(lambda {name}: {made})({INPUTS.get(name, _TENSOR)})", bound) is None:
        return None
    if name in bound:
        copied = f"(lambda {name}: {code})(__import__('copy').deepcopy({name}))"
        given = copied if relation.startswith("changes") or "_(" in made else code
        return Value(given, expected, of)
    if name not in INPUTS:
        return None
    return Value(f"(lambda {name}: {code})({INPUTS[name]})", expected, of, f"{name} = {INPUTS[name]}")
