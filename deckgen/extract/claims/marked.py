"""Output after a marker inside the block: `''' 运行结果 '''`, `# Output:`, and plain lines after it."""

from __future__ import annotations

import re

from deckgen.extract.claims.cut import Cut, Pasted, code_line, looks_like_code
from deckgen.extract.claims.words import is_label
from deckgen.text.pattern import pattern

FORM = "marked"
_MARKER = pattern(r"\s*(?:(?P<quote>'''|\"\"\")(?P<quoted>[^'\"]*)(?P=quote)|(?P<hash>#+|//)(?P<comment>.*))\s*$")

_MARKS = frozenset("'\"#/")
"""With one of them a marker begins."""


def cut(lines: tuple[str, ...]) -> Cut | None:
    """Take the output after each marker; a marker whose comment lines follow belongs to another form."""
    code: list[int] = []
    pasted: list[Pasted] = []
    at = 0
    while at < len(lines):
        if not (code and _opens(lines, at)):
            code.append(at)
            at += 1
            continue
        stop = _end(lines, at + 1)
        taken = [n for n in range(at + 1, stop) if not _decoration(lines[n])]
        pasted.append(Pasted(FORM, tuple(taken), tuple(lines[n] for n in taken)))
        at = stop
    if not pasted:
        return None
    return Cut(tuple(lines[n] for n in code), tuple(code), tuple(pasted))


def _opens(lines: tuple[str, ...], at: int) -> bool:
    """True if a line is a marker and what follows it is output."""
    found = _MARKER.match(lines[at]) if lines[at].lstrip()[:1] in _MARKS else None
    if not found or not is_label(found["quoted"] or found["comment"] or ""):
        return False
    rest = [line for line in lines[at + 1 :] if line.strip()]
    if not rest or rest[0].lstrip().startswith("#"):
        return False
    if found["quote"]:
        return True
    return not code_line(rest[0]) and not looks_like_code("\n".join(rest))


def _end(lines: tuple[str, ...], start: int) -> int:
    """Output runs to the end, or to a line that can only be code with another marker somewhere below it."""
    for at in range(start, len(lines)):
        resumes = code_line(lines[at]) and not re.match(r"[\w., ]+=\s*(?:tensor|\[|\()", lines[at])
        if resumes and any(_opens(lines, later) for later in range(at + 1, len(lines))):
            return at
    return len(lines)


def _decoration(line: str) -> bool:
    return line.strip() in ("'''", '"""', "```")
