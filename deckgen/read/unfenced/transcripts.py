"""Sessions of the interpreter in exported text: `>>> x.sum()` and what it printed, up to where the text goes on."""

from __future__ import annotations

from collections.abc import Sequence

from deckgen.model.document import Code
from deckgen.model.source import Span
from deckgen.read.indentation.pylines import Scan
from deckgen.read.unfenced.answers import Answer
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import CHINESE

PROMPT = pattern(r">>>(?: |$)")
REMARK = pattern(r"#(?:\s|[^\W\d_])")


def transcript(lines: Sequence[str], start: int) -> Code:
    """A run of `>>>` and what they print, up to what cannot have been printed, or to the text after a blank line."""
    stop = number = start
    code: list[str] = []
    answer: Answer | None = None
    while number < len(lines):
        line = lines[number]
        if not line.strip():
            number = _next_filled(lines, number)
            if number == len(lines) or not PROMPT.match(lines[number]):
                break
            continue
        if is_prompt(line):
            code, answer = [line[4:]], None
        elif answer is None and line.startswith("..."):
            code.append(line[4:])
        elif not _is_remark(lines, number):
            answer = answer or Answer(code)
            if answer.ends_before(lines, number):
                break
            answer.feed(line)
        stop = number = number + 1
    numbers = tuple(range(start, stop))
    return Code(Span(start, stop), "\n".join(lines[start:stop]), "pycon", numbers)


def is_prompt(line: str) -> bool:
    """Whether Python stands behind a prompt; `>>> 转置之后:` is what a print wrote."""
    if not PROMPT.match(line):
        return False
    if not CHINESE.search(line):
        return True
    scan = Scan()
    scan.feed(line[4:])
    return not CHINESE.search(scan.bare) or scan.bare.lstrip().startswith(("def ", "class "))


def _next_filled(lines: Sequence[str], number: int) -> int:
    while number < len(lines) and not lines[number].strip():
        number += 1
    return number


def _is_remark(lines: Sequence[str], number: int) -> bool:
    """A comment right above a prompt."""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    return bool(REMARK.match(lines[number]) and PROMPT.match(below))
