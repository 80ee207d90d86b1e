"""The lines of text without fences: how much each of them is code, and what else a single line is."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from deckgen.read.reindent.logical import ASIAN, LONGEST, Logical, Scan, logical_at
from deckgen.text.pattern import CHINESE, pattern
from deckgen.text.syntax import dotted

NUMBERED = pattern(r"\s*(?:\*\*)?\d+(?:\.\d+)*[.、)）]\s|\s*(?:\*\*)?\d+(?:\.\d+)+\s|\s*\d+\.[^\d\s]")
"""`3. x`, `3.1 x`, `3）x`"""
BULLETED = pattern(r"\s*(?:[-*+•·●○▪]\s|[-—]{1,2}\s)")
_NEVER_CODE = pattern(r"\#{2,6}\s|\s*(?:[\[{<|\d]|[-*+]\s|--\s|$)")
"""Numbers and bullets among them: `3. x` and `- x` are Python, too."""
_NEVER_CLOSED = pattern(r"\s*[\w.]+\s*=\s*[\w.]+\(\s*(?:#.*)?$")
_STRONG = frozenset(
    "import assign augment return raise assert print del global nonlocal decorator def class for while if elif else with try except "
    "finally match case yield broken".split()
)
"""Kinds of statements that are code wherever they stand."""
_WEAK = frozenset(["call", "string", "comment", "annotate", "pass", "break", "continue"])
"""Kinds that are code only beside other code."""
_VARIABLE = pattern(r"[A-Za-z_]\w*(?:\[|\s*@\s|\.\w+\[|(?:\.\w+)+\()")
"""`x[0]`, `a @ b`: but not a bare word or a number."""
_FLATTENED = (
    pattern(r"\s*(?:PYTHON|BASH|SHELL|CPP|JAVA|JSON|YAML|SQL|HTML|TEXT)(?=[a-z#@$]).*(?:[=(#]|--)"),
    pattern(
        r"\s*(?:(?:async )?def \w+\(.*?\)(?:\s*->.*?)?|class \w+(?:\(.*?\))?|try|with .*?|for \w.*? in .*?)\s*:\s\S"
    ),
    pattern(r"\s*[\w.]+\s*=\s*\S.*\s(?:def \w+\(.*?\)|class \w+.*?|for \w.*? in .*?|with .*?):\s"),
    pattern(r"[\w.]+\s*=\s*[\w.]+\(\s+\w"),
)
"""How a snippet on one line begins: with the name of its language, with a block, or with a call."""
_SHELL = pattern(
    r"\s*(?:[$%]\s+\w|(?:pip3?|conda|mamba|uv|apt(?:-get)?|brew) (?:install|uninstall|create|activate|add)\b"
    r"|(?:torchrun|accelerate launch|nvidia-smi|tensorboard --|git (?:clone|checkout|pull)\b"
    r"|python3?\s+(?:-m\s+)?[\w./-]+(?:\.py)?\s*(?:-|$)|cd \S|export \w+=|wget |curl |CUDA_VISIBLE_DEVICES=))"
)


class Lines:
    """The lines of a text, with what was found out about them; each is asked at most once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._logical: dict[int, Logical | None] = {}

    def __len__(self) -> int:
        return len(self.lines)

    def next_filled(self, number: int) -> int:
        """The first line from here on that is not blank."""
        while number < len(self.lines) and not self.lines[number].strip():
            number += 1
        return number

    def logical(self, number: int) -> Logical | None:
        """The logical line of Python that begins on a line."""
        if number not in self._logical:
            line = self.lines[number]
            never = line.lstrip()[:1] >= ASIAN or _NEVER_CODE.match(line) or len(line) > 2000
            found = None if never else logical_at(self.lines, number)
            broken = not never and found is None and _NEVER_CLOSED.match(line)
            self._logical[number] = self._broken(number) if broken else found
        return self._logical[number]

    def _broken(self, start: int) -> Logical | None:
        """A call whose bracket never closes: its lines up to the next text."""
        scan, stop = Scan(), start
        for line in self.lines[start : start + LONGEST]:
            if stop > start and (
                not line.strip() or CHINESE.match(line) or NUMBERED.match(line) or BULLETED.match(line)
            ):
                break
            scan.feed(line)
            stop += 1
        if stop < start + 2 or not scan.open:
            return None
        return Logical(start, stop, "\n".join(self.lines[start:stop]), "broken")

    def strength(self, number: int) -> Literal["strong", "weak", ""]:
        """Whether a line is code by itself, only beside other code, or not at all."""
        found = self.logical(number)
        if found is None:
            return ""
        if found.kind in _STRONG or (found.comment and found.kind == "call"):
            return "strong"
        if found.kind == "annotate" and isinstance(getattr(found.node, "annotation", None), ast.Call):
            return ""  # `a: tensor([1, 2])` is what a print wrote
        return "weak" if found.kind in _WEAK or (found.kind == "expr" and _of_a_variable(found)) else ""


def _of_a_variable(line: Logical) -> bool:
    """`x.shape`, `x[0]`, `a @ b`."""
    value = getattr(line.node, "value", None)
    name = dotted(value) if value is not None else ""
    return "." in name and not name.startswith(".") if name else bool(_VARIABLE.match(line.text))


def is_row(line: str) -> bool:
    """A row of a table."""
    return line.lstrip().startswith("|") and line.count("|") >= 2


def is_shell(line: str) -> bool:
    """A command for a shell."""
    return bool(_SHELL.match(line)) and not CHINESE.search(line.split("#", maxsplit=1)[0])


def is_flattened(line: str) -> bool:
    """Whether a line is a whole snippet whose line ends are gone."""
    if not any(form.match(line) for form in _FLATTENED):
        return False
    if _FLATTENED[0].match(line) or len(line) <= 60:
        return len(line) > 20 and bool(_FLATTENED[0].match(line))
    found = logical_at([line], 0)
    if found is None:
        return line.count("=") + line.count("(") >= 3
    # `def f(x): # note y = x + 1 return y`: all that follows the first mark is a comment to Python.
    return found.header and (found.comment.count("=") + found.comment.count("(") >= 3 or " return " in found.comment)
