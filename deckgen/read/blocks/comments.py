"""Comments, which no reader is meant to see; Obsidian's are `%% ... %%` on a line, or between two lines.

An answer in one (`<!-- answer: B -->`, `%% 答案：B %%`) is hidden as if it stood in `<details>`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.model.document import Block, Details, Directive
from deckgen.model.source import Span, line_span
from deckgen.read.blocks.fences import fence_after
from deckgen.text.pattern import pattern

_INLINE = pattern(r"(?:(?<=\s)|^)%%[^%\n]+%%(?=$|[\s.,;:!?。，；：！？])")
_INDENTED = ("    ", "\t")
_ANSWER = pattern(
    r"(?:%%)?\s*(?P<label>(?:参考|正确)?(?:答案|解答)|(?:the\s+|correct\s+)*(?:answers?|solution|ans))\s*[:：]\s*(?P<text>\S.*?)\s*(?:%%)?",
    re.IGNORECASE | re.DOTALL,
)
LONGEST = 200
"""Lines in which a comment must end."""


def without_comments(lines: Sequence[str]) -> Sequence[str]:
    """The same lines without comments; lines keep their numbers, and code is left alone."""
    if not any("%%" in line for line in lines):
        return lines
    kept = list(lines)
    number, fence = 0, ""
    while number < len(kept):
        line = kept[number]
        fence = fence_after(line, fence)
        stop = number + 1
        if "%%" in line and not fence and not line.startswith(_INDENTED):
            kept[number] = _INLINE.sub("", line).rstrip()
            stop = _end(lines, number)
            kept[number:stop] = [""] * (stop - number) if stop > number + 1 else kept[number:stop]
        number = stop
    return kept


def with_comments(blocks: Sequence[Block], lines: Sequence[str], kept: Sequence[str]) -> list[Block]:
    """The same blocks, with a directive that says nothing for each line of a comment that stands between them."""
    covered = {line for block in blocks for line in range(block.span.start, block.span.stop)}
    hidden = (at for at, line in enumerate(lines) if line.strip() and not kept[at].strip() and at not in covered)
    told = (commented(line_span(at), lines[at]) for at in hidden)
    return sorted([*blocks, *told], key=lambda block: block.span.start)


def commented(span: Span, comment: str) -> Details | Directive:
    """The answer that a comment hides, or else a directive that says nothing."""
    match = _ANSWER.fullmatch(comment.strip())
    return Details(span, match["label"], match["text"]) if match else Directive(span, ())


def _end(lines: Sequence[str], start: int) -> int:
    """The line after a comment of several lines that begins here; the next line if none does."""
    first = lines[start].strip()
    if first != "%%" and not (first.startswith("%% ") and "%%" not in first[2:]):
        return start + 1
    for number in range(start + 1, min(len(lines), start + LONGEST)):
        if lines[number].rstrip().endswith("%%"):
            return number + 1
    return start + 1
