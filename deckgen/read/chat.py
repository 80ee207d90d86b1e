"""Chat transcripts: `You:` / `ChatGPT:`, `**User:**`, `## Assistant`, `我：`, and their kin."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.model.document import Block, Directive, Document, Turn
from deckgen.model.source import Source, Span, line_span
from deckgen.read import markdown, scraped
from deckgen.read.assemble import document, shifted
from deckgen.read.frontmatter import front_matter
from deckgen.read.labels import TIMED, Label, may_speak, turns
from deckgen.read.messages import next_question
from deckgen.text.pattern import pattern

_STAMP = pattern(
    r"\s*(?:>\s*)?(?:[*_(（]{0,2}(?:\d{1,4}[/.年-]\d{1,2}[/.月-]\d{1,4}日?)?[,，\s]*(?:\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AP]M)?)?[*_)）]{0,2}"
    r"|(?:thought|reasoned|worked|thinking) (?:about .{1,60} )?for (?:a few|a couple of|\d+)\s*\w+(?: \d+\s*\w+)?[.…]?"
    r"|(?:show |hide )?(?:thinking|reasoning)(?: process)?(?:\s*[>›…])?"
    r"|已?(?:深度)?(?:思考|推理)(?:完成|了|完毕)?\s*[（(]?(?:用时|耗时)?\s*(?:约|几)?\s*\d*\s*(?:秒|分钟?)?(?:\s*\d+\s*秒)?[）)]?"
    r"|(?:显示|隐藏|收起|展开)思(?:路|考过程))\s*",
    re.I,
)
"""When something was said, and how long a model thought before it."""


def claims_source(source: Source) -> bool:
    return may_speak(source.text) and bool(turns(_below_matter(source)))


def _below_matter(source: Source) -> tuple[str, ...]:
    matter = front_matter(source.lines)
    return source.lines[matter.stop :] if matter else source.lines


def read(source: Source) -> Document:
    """Turns, and below each the Markdown of what was said."""
    matter = front_matter(source.lines)
    if matter is None:
        return document(source, "chat", blocks_of(source.lines))
    top = Directive(Span(0, matter.stop), ())
    blocks = shifted(blocks_of(_below_matter(source)), matter.stop)
    return document(source, "chat", [top, *blocks], title=matter.title, tags=matter.tags)


def blocks_of(lines: tuple[str, ...]) -> list[Block]:
    """The blocks of a transcript's lines: those in which somebody speaks."""
    labels = turns(lines)
    blocks: list[Block] = markdown.blocks_of(lines[: labels[0].line])
    ends = [label.line for label in labels[1:]] + [len(lines)]
    copied = not scraped.fenced(lines)
    above: Label | None = None
    for label, end in zip(labels, ends, strict=True):
        goes_on = above is not None and above.dress == TIMED and above.speaker == label.speaker
        blocks += _turn(lines, label, end, goes_on=goes_on, copied=copied and label.speaker == "tutor" and not goes_on)
        above = above if label.aside else label
    return blocks


def _turn(lines: Sequence[str], label: Label, end: int, *, goes_on: bool, copied: bool) -> list[Block]:
    """The blocks of what a label begins; who goes on begins no new turn."""
    if label.aside:
        return [Directive(Span(label.line, end), ())]
    if label.dress == TIMED and not label.rest:
        head = line_span(label.line)
        first: Block = Directive(head, ()) if goes_on else Turn(head, label.speaker)
        return [first, *_message(lines[label.line + 1 : end], label, copied=copied)]
    if goes_on:
        return _said([label.rest, *lines[label.line + 1 : end]], label.line, copied=False)
    start = _said_from(lines, label, end)
    turn = Turn(Span(label.line, max(start, label.line + (not label.rest))), label.speaker)
    said = [label.rest, *lines[label.line + 1 : end]] if start == label.line else lines[start:end]
    return [turn, *_said(said, start, copied=copied)]


def _message(lines: Sequence[str], label: Label, *, copied: bool) -> list[Block]:
    """The blocks of a message: the next question in it is a paragraph of its own, and whom it calls is not in it."""
    told = list(lines)
    if label.called and told:
        told[0] = re.sub(rf"^\s*@?{re.escape(label.called)}[\s,，:：]*", "", told[0])
    start, cut = label.line + 1, next_question(told) if label.speaker == "tutor" else 0
    pieces = [(0, told[:cut]), (cut, told[cut:])] if cut else [(0, told)]
    return [block for at, piece in pieces for block in _said(piece, start + at, copied=copied)]


def _said_from(lines: Sequence[str], label: Label, end: int) -> int:
    """The line on which a turn begins to say something: its label's, or the one below times and the like."""
    start = at = label.line
    while not label.rest and (at := at + 1) < end and _STAMP.fullmatch(lines[at]):
        start = at + 1 if lines[at].strip() else start
    return start


def _said(lines: Sequence[str], start: int, *, copied: bool) -> list[Block]:
    """The blocks of one turn; text that was copied off a page has lost its fences."""
    if copied and scraped.unfenced(lines):
        return shifted(scraped.blocks_of(lines, scraped.markdown_text), start)
    return markdown.blocks_of(lines, start)
