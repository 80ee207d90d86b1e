"""What a block of code holds besides code: the forms that cut pasted output out of it return a `Cut`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from deckgen.extract.claims.reading import is_print
from deckgen.extract.claims.words import value_then_reason
from deckgen.text.pattern import pattern
from deckgen.text.syntax import dotted, parsed
from deckgen.written.values import may_be_repr


@dataclass(frozen=True, slots=True)
class Pasted:
    """Output lines: indices into the block's lines, their texts, and the code line they belong to."""

    form: str
    at: tuple[int, ...]
    texts: tuple[str, ...]
    code_line: int | None = None
    """None = in order of output."""
    shows: bool = False
    """True if the statement is an expression whose value a prompt echoes."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A block taken apart. `code[i]` stood on line `at[i]` of the block."""

    code: tuple[str, ...]
    at: tuple[int, ...]
    pasted: tuple[Pasted, ...] = ()


def whole(lines: tuple[str, ...]) -> Cut:
    """Nothing cut off."""
    return Cut(lines, tuple(range(len(lines))))


_STRONG = pattern(
    r"(?:from [\w.]+ import |import \w|(?:async )?(?:def|class|for|while|with|if|try|elif|else|return)\b.*:\s*(?:#.*)?$|@\w)"
    r"|[\w.]*\b(?:print|display)\("
    r"|[\w., \[\]]+\s*[-+*/@]?=\s*[^=\s].*[\w)\]'\"]\s*(?:#.*)?$"
)


def looks_like_code(text: str) -> bool:
    """True if text parses and does something: imports, defines, assigns, calls; not if it only shows values."""
    tree = parsed(text)
    return tree is not None and any(_does(node) for node in tree.body)


def certainly_code(text: str) -> bool:
    """True if text parses and does what no output looks like: it imports, defines, or prints what it has assigned."""
    tree = parsed(text)
    if tree is None:
        return False
    if any(isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef) for node in tree.body):
        return True
    assigned = any(isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) for node in tree.body)
    return assigned and any(isinstance(node, ast.Expr) and is_print(node.value) for node in tree.body)


def _does(node: ast.stmt) -> bool:
    if isinstance(node, ast.AnnAssign):
        return node.value is not None  # `a: tensor([1])` is a printed label, not an annotation
    if isinstance(node, ast.Expr):
        value = node.value
        if is_print(value):
            return True
        return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and not _is_shown(value)
    if isinstance(node, ast.Assign):
        return isinstance(node.value, ast.Constant) or not _is_shown(node.value)
    return True


def _is_shown(node: ast.expr) -> bool:
    """True for what a value looks like that is printed; most calls look otherwise, which is cheap to see."""
    name = dotted(node.func) if isinstance(node, ast.Call) else ""
    computes = name.isascii() and name[:1].isidentifier() and not may_be_repr(name)
    return not computes and value_then_reason(ast.unparse(node)) is not None


def code_line(text: str) -> bool:
    """True for a line that by itself can only be code."""
    return _STRONG.match(text) is not None
