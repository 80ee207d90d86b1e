"""Where a cell's output begins, in text that sets no blank line between the two; and what no cell can have printed."""

from __future__ import annotations

import ast

from deckgen.model.source import Span
from deckgen.read.indentation.pylines import Logical
from deckgen.read.unfenced import outputs
from deckgen.read.unfenced.lines import Lines
from deckgen.text.pattern import pattern
from deckgen.text.syntax import dotted, nodes

_RULE = pattern(r"-{20,}\s*$|Traceback \(most recent call last\)")
_CONSTRUCTED = ("torch.tensor(", "torch.Tensor(", "array(", "Parameter(", "set(", "range(", "device(", "deque(")
"""Values that code writes as often as torch or Python prints them."""
_TITLE = pattern(r"[A-Z][A-Za-z]*(?:[ -][A-Za-z]+){0,6}$")
"""Words alone, as a heading has them that lost its mark."""
_SILENT = frozenset({"import", "def", "class", "decorator", "comment", "pass", "return", "del", "global", "nonlocal"})
_QUIET_ROOTS = frozenset({"torch", "nn", "F", "np", "optim", "data", "transforms", "T", "pd"})
_QUIET_NAMES = frozenset(
    "len range list tuple dict set zip enumerate sorted sum min max abs float int str open iter next".split()
)


def output_start(known: Lines, span: Span, *, valued: bool) -> int:
    """The line of a cell where its output begins; the end of the cell if its output does not touch it.

    `valued` tells that the value of the last expression stands apart (`Out[7]:`), so that only prints can have
    written what is glued to the code.
    """
    spoke = False
    patterns: list[outputs.Template] = []
    number = span.start
    while number < span.stop:
        if known.blank(number):
            number += 1
            continue
        line = known.lines[number]
        if number > span.start and _RULE.match(line):
            return number
        logical = known.logical(number)
        if spoke and _is_output(line, logical, patterns):
            return number
        if logical is None:
            number += 1
            continue
        patterns += outputs.templates([logical])
        spoke = spoke or "print" in logical.text or (not valued and _shows(logical))
        number = logical.stop
    return span.stop


def _is_output(line: str, logical: Logical | None, patterns: list[outputs.Template]) -> bool:
    if line[0].isspace() or line.startswith(_CONSTRUCTED):
        return False
    if logical is not None and logical.kind not in ("expr", "call", "string", "annotate"):
        return False
    return outputs.looks_like_value(line) or outputs.printed(line, patterns)


def _shows(logical: Logical) -> bool:
    """An expression at the margin, which may be the last of its cell."""
    return logical.kind in ("expr", "call") and not logical.text[:1].isspace()


def is_silent(logical: list[Logical]) -> bool:
    """True for code that prints nothing: imports, definitions, and values made by well-known calls."""
    return all(line.kind in _SILENT or (line.kind == "assign" and _calls_are_quiet(line)) for line in logical)


def _calls_are_quiet(line: Logical) -> bool:
    calls = [node for node in nodes(line.node) if isinstance(node, ast.Call)] if line.node else []
    return all(_is_quiet(dotted(call.func)) for call in calls)


def _is_quiet(name: str) -> bool:
    root, dot, _ = name.partition(".")
    return root in _QUIET_ROOTS if dot else name in _QUIET_NAMES or name[:1].isupper()


def is_title(known: Lines, part: Span, patterns: list[outputs.Template]) -> bool:
    """True for words on a line of their own that no print of the cell can have written."""
    return (
        part.stop - part.start == 1
        and bool(_TITLE.match(known.lines[part.start]))
        and not outputs.printed(known.lines[part.start], patterns)
    )
