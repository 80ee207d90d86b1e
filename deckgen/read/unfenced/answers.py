"""Where the answer below a prompt ends, in text that sets no blank line between an answer and what follows."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.read.indentation.pylines import Scan, logical_at, logical_lines
from deckgen.read.unfenced import outputs
from deckgen.read.unfenced.glued import is_silent
from deckgen.read.unfenced.lines import bulleted, numbered
from deckgen.text.pattern import pattern

_LETTERS = pattern(r"[\u0370-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Of other scripts than that of Python's own words."""
_SENTENCE = pattern(r"(?:[A-Za-z][\w'’,()/-]* ){4}|[A-Z][a-z]+(?: [\w'’,()/-]+)+[.:?!]$")
_STRING = pattern(r"[bru]?['\"]")
_ERROR = pattern(r"(?:\w+\.)*\w*(?:Error|Exception|Interrupt|Warning|Exit|Iteration)\b")


class Answer:
    """What one prompt has been answered so far; fed line by line."""

    def __init__(self, code: Sequence[str] | None = None) -> None:
        """`code` are the lines behind the prompt; without any, it is the value behind `Out[7]:`."""
        logical = logical_lines(code) if code is not None else []
        self._printed = outputs.templates(logical or ())
        self._silent = bool(logical) and is_silent(logical or [])
        last = logical[-1].kind if logical else ""
        self._one_value = code is None or (last in ("expr", "call") and not self._printed)
        self._scan = Scan()
        self._shown = False
        self._traced = False

    def feed(self, line: str) -> None:
        """Take a line into the answer."""
        self._shown = self._shown or bool(line.strip())
        self._scan.triple = ""
        self._scan.feed(line[:2000])
        if line.startswith("Traceback (most recent"):
            self._traced = True
        elif self._traced and _ERROR.match(line):
            self._traced = False

    def ends_before(self, lines: Sequence[str], number: int) -> bool:
        """Whether a line is no longer part of it, but the text, the code or the heading that follows."""
        line = lines[number]
        if self._traced or outputs.printed(line, self._printed):
            return False
        whole = self._shown and self._one_value and not self._scan.open
        if whole and _LETTERS.search(line):
            return True
        if outputs.looks_like_value(line) or (self._scan.open and not _LETTERS.search(line)):
            return False
        if self._silent:
            return True
        if whole:
            return not (line[:1].isspace() or "  " in line.strip())
        return _is_code(lines, number) or ((self._one_value or self._shown) and _is_text(line))


def _is_text(line: str) -> bool:
    if _STRING.match(line):
        return False
    return bool(_LETTERS.search(line) or _SENTENCE.match(line)) or numbered(line) or bulleted(line)


def _is_code(lines: Sequence[str], number: int) -> bool:
    found = logical_at(lines, number)
    return found is not None and found.kind not in ("expr", "string", "comment", "annotate")
