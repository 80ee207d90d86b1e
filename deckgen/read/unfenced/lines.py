"""The lines of unfenced text, and how much each of them is code."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Literal

from deckgen.model.source import Span
from deckgen.read.indentation.pylines import ASIAN, LONGEST, Logical, Scan, logical_at
from deckgen.read.unfenced.outputs import looks_like_value
from deckgen.text.pattern import pattern
from deckgen.text.syntax import dotted
from deckgen.text.text_patterns import CHINESE

_NUMBERED = pattern(r"\s*(?:\*\*)?\d+(?:\.\d+)*[.、)）]\s|\s*(?:\*\*)?\d+(?:\.\d+)+\s|\s*\d+\.[^\d\s]")
_BULLET = pattern(r"\s*(?:[-*+•·●○▪]\s|[-—]{1,2}\s)")
_NEVER_CODE = pattern(r"\#{2,6}\s|\s*(?:[\[{<|\d]|[-*+]\s|--\s|$)")
"""Numbers and bullets among them: `3. x` and `- x` are Python, too."""
_COLUMN = pattern(r"[\w.]+(?:\([\w, ]*\))? {2,}[(\[]")
"""`flatten     (2, 3)`: a name and a value in columns, which Python would read as a call."""
_NEVER_CLOSED = pattern(r"\s*[\w.]+\s*=\s*[\w.]+\(\s*(?:#.*)?$")
_STRONG = frozenset(
    (
        *("import", "assign", "augment", "return", "raise", "assert", "print", "del", "global", "nonlocal"),
        *("decorator", "def", "class", "for", "while", "if", "elif", "else", "with", "try", "except", "finally"),
        *("match", "case", "yield", "broken"),
    )
)
"""Kinds of statements that are code wherever they stand."""
_WEAK = frozenset(["call", "string", "comment", "annotate", "pass", "break", "continue"])
"""Kinds that are code only beside other code."""
_TYPES = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.Constant)
"""What an annotation can be made of."""


def numbered(line: str) -> bool:
    return bool(_NUMBERED.match(line))


def bulleted(line: str) -> bool:
    return bool(_BULLET.match(line))


class Lines:
    """The lines of a text, up to `stop`, with what was found out about them; each is asked at most once."""

    def __init__(self, lines: Sequence[str], stop: int | None = None) -> None:
        self.lines = lines
        self.stop = len(lines) if stop is None else stop
        self._logical: dict[int, Logical | None] = {}

    def __len__(self) -> int:
        return self.stop

    def blank(self, number: int) -> bool:
        return not self.lines[number].strip()

    def next_filled(self, number: int) -> int:
        """The first line from here on that is not blank."""
        while number < self.stop and self.blank(number):
            number += 1
        return number

    def logical(self, number: int) -> Logical | None:
        if number not in self._logical:
            self._logical[number] = self._find(number)
        return self._logical[number]

    def _find(self, number: int) -> Logical | None:
        line = self.lines[number]
        if line.lstrip()[:1] >= ASIAN or _NEVER_CODE.match(line) or len(line) > 2000:
            return None
        if ("  (" in line or "  [" in line) and _COLUMN.match(line):
            return None
        found = logical_at(self.lines, number, self.stop)
        if found is None and _NEVER_CLOSED.match(line):
            return self._broken(number)
        return found

    def _broken(self, start: int) -> Logical | None:
        """A call whose bracket never closes: its lines up to the next text."""
        scan, stop = Scan(), start
        while stop < min(self.stop, start + LONGEST):
            line = self.lines[stop]
            if stop > start and (self.blank(stop) or CHINESE.match(line) or numbered(line) or bulleted(line)):
                break
            scan.feed(line)
            stop += 1
        if stop < start + 2 or not scan.open:
            return None
        return Logical(start, stop, "\n".join(self.lines[start:stop]), "broken")

    def all_logical(self, span: Span) -> list[Logical]:
        """The logical lines that begin in a span."""
        found = (self.logical(number) for number in range(span.start, span.stop) if not self.blank(number))
        return [line for line in found if line is not None]

    def strength(self, number: int) -> Literal["strong", "weak", ""]:
        """Whether a line is code by itself, only beside other code, or not at all."""
        found = self.logical(number)
        if found is None:
            return ""
        if found.kind in _STRONG or (found.comment and (found.kind == "call" or _tells_its_value(found))):
            return "strong"
        if found.kind == "annotate" and not isinstance(getattr(found.node, "annotation", None), _TYPES):
            return ""  # `a: tensor([1, 2])` is what a print wrote
        if found.kind in _WEAK:
            return "weak"
        return "weak" if found.kind == "expr" and _of_a_variable(found) else ""


def _tells_its_value(line: Logical) -> bool:
    """`x.dtype  # torch.int64`."""
    return line.kind == "expr" and looks_like_value(line.comment.lstrip("# "))


def _of_a_variable(line: Logical) -> bool:
    """`x.shape`, `x[0]`, `a @ b`: but not a bare word or a number."""
    value = getattr(line.node, "value", None)
    name = dotted(value) if value is not None else ""
    if name:
        return "." in name and not name.startswith(".")
    return bool(re.match(r"[A-Za-z_]\w*(?:\[|\s*@\s|\.\w+\[|(?:\.\w+)+\()", line.text))
