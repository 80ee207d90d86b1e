"""Logical lines of Python whose indentation may be lost, and what each of them is."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from deckgen.text.pattern import pattern
from deckgen.text.syntax import dotted, parsed

_ASIDE = pattern(
    r"\#.*|'''.*?'''|\"\"\".*?\"\"\"|(?P<open>(?:'''|\"\"\").*)"
    r"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\""
)
"""Comments and strings, and one that goes on below the line."""
_BRACKET = pattern(r"[\[({\])}]")
ASIAN = "\u3000"
"""From this sign on stand the scripts of East Asia, with their punctuation: code has them in strings and comments alone."""
LONGEST = 25
"""Lines that a bracket or a triple quote may stay open."""


@dataclass(slots=True)
class Scan:
    """What is still open after some lines, and their text without strings and comments."""

    depth: int = 0
    triple: str = ""
    bare: str = ""
    """The last line scanned, strings as `""`, comments left out."""
    comment: str = ""
    """The last line's comment, with its mark."""

    @property
    def open(self) -> bool:
        return self.depth > 0 or bool(self.triple)

    def feed(self, line: str) -> None:
        """Scan one more line."""
        self.comment = closed = ""
        if self.triple:
            _, end, line = line.partition(self.triple)
            closed, self.triple = ('""', "") if end else ("", self.triple)
        self.bare = closed + (_ASIDE.sub(self._aside, line) if "'" in line or '"' in line or "#" in line else line)
        for bracket in _BRACKET.findall(self.bare):
            self.depth = max(0, self.depth + (1 if bracket in "[({" else -1))

    def _aside(self, match: re.Match[str]) -> str:
        """What is left of a comment or a string."""
        if match["open"]:
            self.triple = match["open"][:3]
            return ""
        if match[0][0] != "#":
            return '""'
        self.comment = match[0]
        return ""


@dataclass(frozen=True, slots=True)
class Logical:
    """One logical line: a statement, the header of a block, or a comment."""

    start: int
    """Index of its first line."""
    stop: int
    text: str
    """Its lines, each stripped."""
    kind: str
    """`assign`, `import`, `print`, `call`, `expr`, `string`, `comment`, or the keyword that begins it."""
    header: bool = False
    """A block must follow."""
    node: ast.stmt | None = field(default=None, compare=False)
    comment: str = ""
    """A comment behind it."""


def logical_at(lines: Sequence[str], start: int, stop: int | None = None) -> Logical | None:
    """The logical line that begins at a line; None if it is no Python, or not closed before `stop`."""
    scan, parts = Scan(), []
    end = len(lines) if stop is None else stop
    for number in range(start, min(end, start + LONGEST)):
        line = lines[number].strip()
        if scan.open and not scan.triple and line[:1] >= ASIAN:
            return None
        scan.feed(line)
        parts.append(line)
        if not scan.triple and not scan.bare.isascii() and max(scan.bare) >= ASIAN:
            return None
        if not scan.open and not scan.bare.endswith("\\"):
            return _logical(start, number + 1, "\n".join(parts), scan)
    return None


def _logical(start: int, stop: int, text: str, scan: Scan) -> Logical | None:
    bare = scan.bare.strip()
    if not bare and text.startswith("#"):
        return Logical(start, stop, text, "comment", comment=text)
    header = bare.endswith(":")
    node = _parse(text, header)
    if node is None:
        return None
    return Logical(start, stop, text, _kind(node, text), header, node, scan.comment)


_CLAUSE = {
    "elif": ("if 1:\n pass\n", ""),
    "else": ("if 1:\n pass\n", ""),
    "except": ("try:\n pass\n", ""),
    "finally": ("try:\n pass\n", ""),
    "case": ("match 1:\n ", ""),
    "try": ("", "finally:\n pass\n"),
    "@": ("", "def f(): pass\n"),
}
"""What makes a lone clause a whole statement: text before it, and text after its body."""
_WORD = pattern(r"@|[A-Za-z_]\w*|")


def _keyword(text: str) -> str:
    match = _WORD.match(text)
    return match[0] if match else ""


def _parse(text: str, header: bool) -> ast.stmt | None:
    """The statement; of a clause (`else:`) the whole statement around it."""
    word = _keyword(text)
    before, after = _CLAUSE.get(word, ("", ""))
    body = "\n case _:\n   pass\n" if word == "match" else "\n  pass\n"
    module = parsed(before + text + (body if header else "\n") + after if header or word != "case" else text)
    return module.body[0] if module and module.body else None


_SIMPLE: dict[type[ast.stmt], str] = {
    ast.ImportFrom: "import",
    ast.AugAssign: "augment",
    ast.AnnAssign: "annotate",
    ast.Delete: "del",
}
_NAMED_ALIKE = ("import", "assign", "return", "raise", "assert", "pass", "break", "continue", "global", "nonlocal")
"""Kinds that are called as `ast` calls them."""
_COMPOUND = frozenset("if elif else for while with try except finally def class match case @".split())


def _kind(node: ast.stmt, text: str) -> str:
    word = _keyword(text.removeprefix("async").lstrip())
    if word in _COMPOUND and not isinstance(node, ast.Assign | ast.Expr):
        return "decorator" if word == "@" else word
    if isinstance(node, ast.Expr):
        return _expression(node.value)
    name = type(node).__name__.lower()
    return _SIMPLE.get(type(node), name if name in _NAMED_ALIKE else "expr")


def _expression(value: ast.expr) -> str:
    if isinstance(value, ast.Await):
        return _expression(value.value)
    if isinstance(value, ast.Yield | ast.YieldFrom):
        return "yield"
    if isinstance(value, ast.Call):
        return "print" if dotted(value.func) == "print" else "call"
    if isinstance(value, ast.Constant) and (isinstance(value.value, str) or value.value is ...):
        return "string"
    return "expr"


def logical_lines(lines: Sequence[str]) -> list[Logical] | None:
    """All logical lines of a snippet, blank lines aside; None if one of them is no Python."""
    found: list[Logical] = []
    number = 0
    while number < len(lines):
        if not lines[number].strip():
            number += 1
            continue
        line = logical_at(lines, number)
        if line is None:
            return None
        found.append(line)
        number = line.stop
    return found
