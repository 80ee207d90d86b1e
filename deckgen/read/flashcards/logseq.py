"""Logseq: a block of an outline with `#card`, answered by the blocks below it, and blocks with `{{cloze text}}`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deckgen.model.source import Span
from deckgen.read.flashcards.gaps import has, macro
from deckgen.read.flashcards.written import Found, Line, Text, Written, tags_of, text_of, trimmed
from deckgen.text.pattern import pattern

SIGNS = ("card", "Card", "{{c")
_BULLET = pattern(r"(?P<margin>[ \t]*)-(?:[ \t]+(?P<text>.*)|[ \t]*)")
_PROPERTY = pattern(r"[ \t]*(?P<key>[A-Za-z][\w.-]*):: ?(?P<value>.*)")
_OWN = frozenset(
    "id deck tags direction collapsed extra heading alias background-color background-image created-at updated-at icon public template"
    " template-including-parent title ls-type".split()
)
_CARD = pattern(r"(?<![\w#`/])(?:#?\[\[(?:flash)?card\]\]|#(?:flash)?card)(?![\w/-])", re.IGNORECASE)
_TAGS = pattern(r"(?:(?<=\s)|^)#(?:\[\[(?P<long>[^\[\]]+)\]\]|(?P<tag>[\w/-]+))[ \t]*$")
_SIDES = pattern(r"(?:^|\s):::?\s|\{\{c\d+::")
_DEEPEST = 400
"""Columns of a margin."""
_ENTRY = pattern(r"- (?P<text>[^`~].*)")
_TASK = pattern(r"(?:(?:TODO|DOING|DONE|NOW|LATER|WAIT(?:ING)?|IN-PROGRESS|CANCELL?ED)[ \t]+)?(?:\[#[ABC]\][ \t]+)?")
"""What a block is as a task: its state and its priority."""
_PLANNED = pattern(r"[ \t]*(?:(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[].*[>\]]|#\+(?:BEGIN|END)_(?!SRC)[A-Z]+)[ \t]*")
_DRAWER = pattern(r"[ \t]*:LOGBOOK:[ \t]*")
_DRAWER_END = pattern(r"[ \t]*:END:[ \t]*")
_REFERENCE = pattern(
    r"\{\{embed[ ]+\(\((?P<embedded>[\w-]{36})\)\)[ ]*\}\}|(?:\[(?P<label>[^\[\]\n]+)\]\()?\(\((?P<id>[\w-]{36})\)\)(?(label)\))"
)
_WAYS = frozenset({"forward", "reversed", "bidirectional", "incremental", "hide-all-test-one"})


@dataclass(slots=True)
class _Block:
    """A block of the outline."""

    start: int
    margin: int
    lines: list[Line] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    marks: list[int] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)

    @property
    def stop(self) -> int:
        return max([self.start, *self.marks, *(line.number for line in self.lines)]) + 1

    @property
    def text(self) -> str:
        return text_of(self.lines)


def find(text: Text) -> Found:
    """The cards: a block that parts its sides itself, `front :: back`, is one without this."""
    found = Found()
    blocks = list(_outline(text))
    page, marks = _of_page(text, blocks[0].start if blocks else 0)
    cards = {at for at, block in enumerate(blocks) if _is_tagged(block)}
    ends = _ends(blocks)
    _resolve(blocks, ends)
    taken: set[int] = set()
    for at, block in enumerate(blocks):
        if at in taken or _SIDES.search(block.text) or not (at in cards or has(macro, block.text)):
            continue
        below = _below(at, ends, cards) if at in cards else []
        stop = next(n for n in range(at + 1, len(blocks) + 1) if n not in below)
        span = Span(block.start, blocks[stop - 1].stop)
        found.cards.append(_card(block, [blocks[n] for n in below], page, span))
        # what answers it below a card of its own
        found.marks |= {line for n in below if n > stop for line in range(blocks[n].start, blocks[n].stop)}
        taken |= {*below}
    if not any(card.back or card.gaps for card in found.cards):
        return Found()  # a tag in a list of anybody's
    found.marks |= marks.union(*(block.marks for block in blocks))
    return found


def _is_tagged(block: _Block) -> bool:
    own = any(key.startswith("card-") for key in block.said)
    return any(found[0].startswith("#") or own for found in _CARD.finditer(block.text))


def _ends(blocks: Sequence[_Block]) -> Sequence[int]:
    """For each block the one behind it and what stands below it."""
    ends = [len(blocks)] * len(blocks)
    above: list[int] = []
    for at, block in enumerate(blocks):
        while above and block.margin <= blocks[above[-1]].margin:
            ends[above.pop()] = at
        above.append(at)
    return ends


def _below(at: int, ends: Sequence[int], cards: Container[int]) -> list[int]:
    """The blocks that answer one: those below it, but for cards of their own and what answers these."""
    below: list[int] = []
    n = at + 1
    while n < ends[at]:
        if n in cards:
            n = ends[n]
        else:
            below.append(n)
            n += 1
    return below


def _resolve(blocks: Sequence[_Block], ends: Sequence[int]) -> None:
    """Puts the text of a block of this page for each reference to it, `((uuid))`; those to other pages stay."""
    named = {block.said["id"]: at for at, block in enumerate(blocks) if "id" in block.said}

    def shown(found: re.Match[str]) -> str:
        at = named.get(found["embedded"] or found["id"], -1)
        if found["label"] or at < 0 or len(blocks[at].lines) > 1 or (found["embedded"] and ends[at] > at + 1):
            return found["label"] or found[0]
        return _CARD.sub("", blocks[at].text).strip()

    for block in blocks:
        block.lines = [
            line._replace(text=_REFERENCE.sub(shown, line.text)) if "((" in line.text else line for line in block.lines
        ]


def _card(block: _Block, below: Sequence[_Block], page: Mapping[str, str], span: Span) -> Written:
    """A block, and the ones below it that answer; gaps of either are asked with the whole text."""
    _untag(block)
    ways = {tag for tag in block.tags if tag in _WAYS}
    front, back, gaps = trimmed(block.lines), list(_listed(below)), None
    if has(macro, text_of(back)):
        front, back = [*front, *back], []
    if has(macro, text_of(front)):
        gaps = macro
    elif "incremental" in ways:
        front, back = [*front, *_hidden(back)], []
    direction = block.said.get("direction", "")
    both = "bidirectional" in ways or {"forward", "reversed"} <= ways or direction == "<->"
    if not both and ("reversed" in ways or direction == "<-"):
        front, back = back, front
    tags = (tag for tag in block.tags if tag not in _WAYS)
    return Written(
        span=span,
        front=front,
        back=back,
        both=both,
        gaps=gaps,
        id=block.said.get("id", ""),
        tags=(*tags, *_linked(block.said.get("tags", "")), *_linked(page.get("tags", ""))),
        deck=_plain(block.said.get("deck") or page.get("deck", "")).replace("/", "::"),
    )


def _of_page(text: Text, stop: int) -> tuple[dict[str, str], set[int]]:
    """What the properties above the outline say, and their lines."""
    lines = {at: found for at, line in text.plain(0, stop) if (found := _PROPERTY.fullmatch(line))}
    return {found["key"]: found["value"].strip() for found in lines.values()}, {*lines}


def _linked(tags: str) -> tuple[str, ...]:
    """Tags of a property, which may be links: `[[torch]], views`."""
    return tags_of(_plain(tags))


def _plain(links: str) -> str:
    return links.replace("[[", "").replace("]]", "")


def _hidden(answer: Sequence[Line]) -> Iterator[Line]:
    """The entries of an answer as gaps of their own, asked one after the other."""
    number = 0
    for line in answer:
        entry = _ENTRY.fullmatch(line.text)
        number += entry is not None
        yield line._replace(text=f"- {{{{c{number}::{entry['text']}}}}}") if entry else line


def _outline(text: Text) -> Iterator[_Block]:
    """The blocks of the outline, each with its own lines."""
    block: _Block | None = None
    drawer = False
    for at, line in enumerate(text.lines):
        bullet = (
            _BULLET.fullmatch(line) if at not in text.code or line.lstrip().startswith(("- ```", "- ~~~")) else None
        )
        indent = len(line) - len(line.lstrip())
        if bullet:
            if block:
                yield block
            block = _Block(at, _width(bullet["margin"]))
            said = bullet["text"] or ""
            drawer = False
            _add(text, block, at, _TASK.sub("", said, count=1) if at not in text.code else said, cut=0)
        elif block is None:
            continue
        elif line.strip() and _width(line[:indent]) <= block.margin:
            yield block
            block = None
        elif at not in text.code and (drawer or _DRAWER.fullmatch(line) or _PLANNED.fullmatch(line)):
            block.marks.append(at)
            drawer = (drawer or bool(_DRAWER.fullmatch(line))) and not _DRAWER_END.fullmatch(line)
        else:
            _add(text, block, at, line)
    if block:
        yield block


def _add(text: Text, block: _Block, at: int, line: str, cut: int | None = None) -> None:
    said = _PROPERTY.fullmatch(line) if at not in text.code else None
    if said and (cut is None or said["key"] in _OWN or said["key"].startswith(("card-", "logseq.", "."))):
        block.said[said["key"]] = said["value"].strip()
        block.marks.append(at)
    else:
        if cut is None:
            spaces = range(min(len(line) - len(line.lstrip()), _DEEPEST) + 1)
            cut = max(end for end in spaces if _width(line[:end]) <= block.margin + 2)
        block.lines.append(Line(at, line[cut:].rstrip()))


def _width(margin: str) -> int:
    return len(margin.expandtabs(2))


def _untag(block: _Block) -> None:
    """Takes the tags off the text of a block."""
    for n, line in enumerate(block.lines):
        said = _CARD.sub("", line.text).rstrip()
        while found := _TAGS.search(said):
            block.tags.insert(0, (found["long"] or found["tag"]).replace("/", "::"))
            said = said[: found.start()].rstrip()
        block.lines[n] = line._replace(text=said)


def _listed(blocks: Sequence[_Block]) -> Iterator[Line]:
    """Blocks as a list of Markdown; a single one as its text."""
    levels = sorted({block.margin for block in blocks})
    for block in blocks:
        margin = "    " * levels.index(block.margin)
        lines = trimmed(block.lines)
        for n, line in enumerate(lines):
            if len(blocks) == 1:
                yield line
            else:
                yield line._replace(text=f"{margin}{'  ' if n else '- '}{line.text}" if line.text else "")
