"""What two pieces of code have to do with each other: the same object, the same memory, the one changed by the other."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

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
    code = f"{_STORAGE.format(made)} == {_STORAGE.format(name)}"
    of = f"{made}, the memory of {name}"
    return _with_input(name, made, Value(code, expected, of), bound, changes="_(" in made)


def in_place(made: str, name: str, expected: str, bound: Names) -> Fact | None:
    """`x.add_(1)` gives `x` itself, changed."""
    found = re.fullmatch(r"(\w+)\.(\w+)\(.*\)", made)
    if found is None or found[1] != name:
        return None
    code = _CHANGED.format(made, name, found[2].endswith("_"))
    return _with_input(name, made, Value(code, expected, f"{made}, changes {name}"), bound, changes=True)


def _with_input(name: str, made: str, fact: Value, bound: Names, *, changes: bool) -> Fact | None:
    """With a fixed input for a name that nothing above binds. What is bound is copied before it is changed: the notes go on with it."""
    if expression(f"(lambda {name}: {made})({INPUTS.get(name, _TENSOR)})", bound) is None:
        return None
    if name in bound:
        copied = f"(lambda {name}: {fact.code})(__import__('copy').deepcopy({name}))"
        return replace(fact, code=copied) if changes else fact
    if name not in INPUTS:
        return None
    return replace(fact, code=f"(lambda {name}: {fact.code})({INPUTS[name]})", given=f"{name} = {INPUTS[name]}")
