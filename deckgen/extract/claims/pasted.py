"""Output pasted as plain lines: one claim for each thing that was printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from deckgen.model.claim import Claim, Prints, Raises
from deckgen.model.source import line_span
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import COLOUR
from deckgen.written import is_left_out
from deckgen.written.lines import WARNED, paragraphs

Stream = Literal["stdout", "stderr", "any"]
_EXCEPTION = pattern(
    r"(?P<type>(?:\w+\.)*_?[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning|Exit))(?::\s*(?P<message>.*))?", re.S
)
_OTHER = pattern(r"(?P<type>(?:\w+\.)+[A-Z]\w*)(?::\s*(?P<message>.*))?", re.S)
"""Behind a traceback any class may stand: `torch._dynamo.exc.Unsupported: ...`."""
STDERR = pattern(r".*\d+%\|.*\||.*Warning: ")
"""Progress bars and warnings."""


TIMED = pattern(r"(?:CPU times: |Wall time: ).*|.* per loop \(mean ± std\. dev\. of .*", re.DOTALL)
"""What `%time` and `%timeit` write: no word of the code's own."""


def claims_of_output(
    texts: Sequence[str], lines: Sequence[int], form: str, code_line: int | None, stream: Stream = "stdout"
) -> Iterator[Claim]:
    """Claims of pasted lines. `lines` are their 0-based source lines; a lone `...` leaves lines out."""
    texts = [COLOUR.sub("", text) for text in texts]
    elided = False
    for start, stop in _with_messages(texts):
        text = _untorn("\n".join(texts[start:stop]))
        if TIMED.match(text):
            continue
        if is_left_out(text):
            elided = True
            continue
        if "Warning: " in text and WARNED.match(text):
            continue  # it tells a path and a version of the author's machine
        span = line_span(lines[start]) | line_span(lines[stop - 1])
        failure = raised(text)
        if failure:
            yield Raises(
                id="", span=span, text=text, form=form, code_line=code_line, exception=failure[0], message=failure[1]
            )
            continue
        kind: Stream = "stderr" if stream == "any" and STDERR.match(text) else stream
        yield Prints(id="", span=span, text=text, form=form, code_line=code_line, stream=kind, elided=elided)
        elided = False


def _with_messages(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Paragraphs; the indented lines below an exception are the rest of its message."""
    until = 0
    for start, stop in paragraphs(texts):
        if start < until:
            continue
        until = stop
        if raised("\n".join(texts[start:stop])):
            while until < len(texts) and texts[until][:1].isspace() and texts[until].strip():
                until += 1
        yield start, until


def _untorn(text: str) -> str:
    """Put a number together that was torn over two lines: torch ends every line of numbers with a comma."""
    return re.sub(r"(?<=[\d.])\s*\n\s*(?=\d)", "", text) if "tensor(" in text else text


def raised(text: str) -> tuple[str, str] | None:
    """(type, message) of a traceback, or of a line that is nothing but `RuntimeError: ...`."""
    last = text.strip()
    if "Traceback (most recent call last)" in text:
        found = list(re.finditer(rf"^(?=\S){_EXCEPTION.pattern}$", text, re.M))
        last = text[found[-1].start() :].strip() if found else text.strip().rsplit("\n", 1)[-1]
    match = _EXCEPTION.fullmatch(last) or _OTHER.fullmatch(last if "Traceback" in text else "")
    if not match or match["type"].endswith("Warning"):
        return None
    return match["type"].rsplit(".", 1)[-1], (match["message"] or "").strip()
