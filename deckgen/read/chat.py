"""Chat transcripts: `You:` / `ChatGPT:`, `**User:**`, `## Assistant`, `我：`, and their kin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from deckgen.model.document import Block, Document, Speaker, Turn
from deckgen.model.source import Source, Span
from deckgen.read import markdown
from deckgen.read.assemble import document, shifted
from deckgen.read.plain import page
from deckgen.text.pattern import pattern

_VERSION = r"(?:[ -]?[\w.]*\d[\w.]*|[ -](?:mini|pro|plus|turbo|flash|sonnet|opus|haiku|thinking))"
_LABEL = pattern(
    rf"""(?P<head>\#{{1,6}}\s+)?(?:>\s*)?          # as a heading
    (?:[\[(（]?\d[\d:./T-]*(?:[ ,]+\d[\d:.]*)?(?:\s*[ap]m)?[\])）]?\s+)?  # behind a time
    [*_\[【〔]{{0,3}}\s*(?:role\s*::\s*)?      # bold, or in brackets; as a field
    (?:[^\w\s*_#>\[【|`"'(（:：.,-]{{1,4}}\s*)?  # an emoji
    (?:(?P<pupil>«read.pupil_label»)|(?P<tutor>«read.tutor_label»)|(?P<system>«read.system_label»)){_VERSION}*
    (?:\s*«read.said»)?
    (?:\s*<span[^<>]*>[^<>]*</span>)?      # the name of the model
    \s*(?P<when>[(（\[]?\s*\d(?:[\d\s:./,-]|«read.date»)*(?:[ap]m)?\s*[)）\]]?)?
    \s*(?P<marks>[*_\]】〕]{{0,3}}\s*(?P<colon>[:：])?\s*[*_\]】〕]{{0,3}})
    (?P<rest>(?(colon).*|\s*))$              # text only behind a colon""",
    re.I | re.X,
)
_STAMP = pattern(
    r"\s*(?:>\s*)?(?:[*_(（]{0,2}(?:\d{1,4}(?:[/.-]|«read.date»)\d{1,2}(?:[/.-]|«read.date»)\d{1,4}«read.date»?)?[,，\s]*(?:\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AP]M)?)?[*_)）]{0,2}"
    r"|«read.thinking»(?:[^。.?？!！]{0,70}?\d+\s*\w{1,8}(?: \d+\s*\w{1,8})?)?[^\w?？!！]*)\s*",
    re.I,
)
"""When something was said, and how long a model thought before it."""
_WHEN = pattern(r"(?:[\d\s:./,apm-]|«read.date»)+")
_BLANKS = pattern(r"\s{40}")
"""No label has so many; trying where each part of one begins would take time by their square."""
_LONGEST = 20_000
"""Characters of a line that may be a label."""


class Label(NamedTuple):
    """A line with which somebody begins to speak."""

    line: int
    speaker: Speaker
    rest: str
    """What the speaker says on the same line."""
    marks: str
    """What makes it a label, apart from the name: a colon, bold, a heading, a time."""
    look: tuple[str, str]
    """Who speaks and how that is written; times differ from turn to turn."""


def read(source: Source) -> Document | None:
    """Turns, and below each the Markdown of what was said."""
    labels = turns(source.lines)
    return document(source, "chat", blocks_of(source.lines, labels), chat=True) if labels else None


def turns(lines: Sequence[str]) -> Sequence[Label]:
    """The labels of a transcript's turns; none if the lines are no transcript.

    Notes mention `AI:` and `model:` too: a transcript has two speakers, each with labels that look the
    same, who take turns.
    """
    found = [label for number in _outside_fences(lines) if (label := _label(lines[number], number))]
    marked = [label for label in found if label.marks]
    alone = [label for label in marked if not label.rest]
    looks = {label.look for label in alone}
    # A paragraph must end above a label with text behind it: `AI: ...` may stand in the middle of what somebody says.
    alike = [
        label
        for label in marked
        if not label.rest or (label.look in looks and not (label.line and lines[label.line - 1].strip()))
    ]
    for labels in (alike, alone, marked):
        if _converse(labels):
            return labels
    return found if not marked and _take_strict_turns(found, lines) else []


def _label(line: str, number: int) -> Label | None:
    match = _LABEL.match(line) if 0 < len(line) < _LONGEST and not _BLANKS.search(line) else None
    if match is None:
        return None
    marks = (match["head"] or "").strip()[:1] + match["marks"].strip() + (match["when"] or "")
    speaker: Speaker = "pupil" if match["pupil"] else "tutor" if match["tutor"] else "system"
    look = match[speaker].lower(), _WHEN.sub("", marks)
    return Label(number, speaker, (match["rest"] or "").strip(), marks, look)


def _converse(labels: Sequence[Label]) -> bool:
    speakers = [label.speaker for label in labels if label.speaker != "system"]
    changes = sum(before != after for before, after in pairwise(speakers))
    enough = 2 if any(label.rest for label in labels) else 1
    return len(set(speakers)) == 2 and changes >= enough and changes >= (len(speakers) - 1) / 2


def _take_strict_turns(labels: Sequence[Label], lines: Sequence[str]) -> bool:
    """`You` and `ChatGPT` on lines of their own, without so much as a colon: only if all is regular."""
    alternate = all(before.speaker != after.speaker for before, after in pairwise(labels))
    above = {bool(lines[label.line - 1].strip()) for label in labels if label.line}
    return len(labels) >= 4 and alternate and len(above) == 1


def _outside_fences(lines: Sequence[str]) -> list[int]:
    """Lines that lie in no fence; a fence that never closes is none."""
    outside: list[int] = []
    inside: list[int] = []
    fence = ""
    for number, line in enumerate(lines):
        before, fence = fence, markdown.fence_after(line, fence)
        if not before and fence:
            inside = []
        elif before == fence:
            (inside if fence else outside).append(number)
    return sorted(outside + inside) if fence else outside


def blocks_of(lines: Sequence[str], labels: Sequence[Label]) -> list[Block]:
    """The blocks of a transcript with these labels."""
    blocks = markdown.blocks_of(lines[: labels[0].line])
    copied = not page.fenced(lines)
    for label, end in zip(labels, [*(one.line for one in labels[1:]), len(lines)], strict=True):
        start = at = label.line
        while not label.rest and (at := at + 1) < end and _STAMP.fullmatch(lines[at]):
            start = at + 1 if lines[at].strip() else start
        said = list(lines[start:end])
        if start == label.line:
            said[0] = label.rest
        blocks.append(Turn(Span(label.line, max(start, label.line + (not label.rest))), label.speaker))
        if copied and label.speaker == "tutor" and page.lost_its_fences(said):
            blocks += shifted(page.blocks_of(said, page.markdown_text), start)
        else:
            blocks += markdown.blocks_of(said, start)
    return blocks
