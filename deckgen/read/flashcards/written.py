"""What formats of other tools share: the lines that they look at, what they find there, and blocks made of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from deckgen.model.document import Block, Flashcard
from deckgen.model.source import Span
from deckgen.read import markdown
from deckgen.read.assemble import moved_to
from deckgen.text.pattern import pattern
from deckgen.text.wiki import with_pictures, without_wiki_marks

_SIZE = pattern(r"(!\[[^\]\n]*\]\([^)\n]*\))\{\s*:?(?:width|height)\b[^{}\n]*\}")
_ID = pattern(r"[\w.:-]{1,80}")
LONGEST = 300
"""Lines of a paragraph, or of a question, that is still looked at as one."""
_LABELLED = pattern(r"(?:[ \t]*[-*+][ \t]+|[A-Z]{1,3}\d?:[ ]+)(?=`{3}|~{3})")
"""What a fence may stand behind: the bullet of its entry, the label of a field."""
_TAG_SIGNS = pattern(r"[\s,]+")


class Line(NamedTuple):
    """A line of a card: where it stands, and what it says without the marks of its format."""

    number: int
    text: str


Side = Sequence[Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A card as its author wrote it."""

    span: Span
    """All its lines, those of its marks among them."""
    front: Side
    back: Side = ()
    options: Sequence[Side] = ()
    right: tuple[int, ...] = ()
    """Of the options, from 0; the back of such a card explains them."""
    both: bool = False
    gaps: Callable[[str], str] | None = None
    """Writes the gaps of the format as `{{c1::text}}`."""
    id: str = ""
    tags: tuple[str, ...] = ()
    deck: str = ""


@dataclass(slots=True)
class Found:
    """What a format found in a text."""

    cards: list[Written] = field(default_factory=list)
    marks: set[int] = field(default_factory=set)
    """Lines that only say something about cards: their deck, their tags, where they end."""
    left: dict[int, str] = field(default_factory=dict)
    """What is left of lines that hold other text, too."""

    @property
    def lines(self) -> set[int]:
        """All lines of the cards."""
        return {at for card in self.cards for at in range(card.span.start, card.span.stop)}


class Text:
    """The lines of a source, what its front matter says, and which lines are code or formulas."""

    def __init__(self, name: str, lines: Sequence[str], matter: Mapping[str, object]) -> None:
        self.name = name
        self.lines = lines
        self.matter = matter

    @cached_property
    def code(self) -> frozenset[int]:
        """The lines of fences and formulas."""
        return frozenset(_code(self.lines))

    def without(self, found: Found) -> Text:
        """The text without what a format found in it."""
        taken = found.lines | found.marks
        lines = ("" if at in taken else line for at, line in enumerate(self.lines))
        left = tuple(found.left.get(at, line) for at, line in enumerate(lines))
        return Text(self.name, left, self.matter)

    def plain(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, str]]:
        """The lines outside of code, with their numbers."""
        for at in range(start, len(self.lines) if stop is None else stop):
            if at not in self.code:
                yield at, self.lines[at]

    def side(self, start: int, stop: int, first: str | None = None) -> list[Line]:
        """The lines from `start` to `stop`, without empty ones around them; `first` = what the first one says."""
        lines = [Line(at, self.lines[at].rstrip()) for at in range(start, stop)]
        if first is not None and lines:
            lines[0] = Line(start, first.rstrip())
        return trimmed(lines)


def trimmed(lines: Sequence[Line]) -> list[Line]:
    """The lines without empty ones around them."""
    said = [at for at, line in enumerate(lines) if line.text.strip()]
    return list(lines[said[0] : said[-1] + 1]) if said else []


def text_of(side: Side) -> str:
    """What the lines of a side say."""
    return "\n".join(line.text for line in side)


def between(cuts: Iterable[int], start: int, stop: int) -> list[Span]:
    """The lines from `start` to `stop` in parts, without the lines that cut them."""
    return [Span(above + 1, below) for above, below in pairwise((start - 1, *cuts, stop))]


def joined(*sides: Side) -> list[Line]:
    """The lines of some sides, with an empty one between them."""
    lines: list[Line] = []
    for side in filter(None, sides):
        lines += [*([side[0]._replace(text="")] if lines else []), *side]
    return lines


def tags_of(text: str) -> tuple[str, ...]:
    """Tags with blanks or commas between them."""
    return tuple(tag.strip("#").replace("/", "::") for tag in _TAG_SIGNS.split(text) if tag.strip("#"))


def value(matter: Mapping[str, object], key: str) -> str:
    """What front matter says of a key, as a text; empty if it is a list or not there."""
    found = matter.get(key)
    return str(found).strip() if isinstance(found, str | int) and not isinstance(found, bool) else ""


def flashcard(card: Written, *, comments: bool = False) -> Flashcard:
    """The block of a card; `comments` = its tool shows no `%%text%%`."""
    sides = [_shown(side, comments=comments) for side in (card.front, card.back, *card.options)]
    front, back, *options = map(text_of, sides)
    blocks = [block for side in sides for block in _blocks(side)]
    return Flashcard(
        span=card.span,
        front=card.gaps(front) if card.gaps else front,
        back="" if options else back,
        explanation=back if options else "",
        blocks=tuple(sorted(blocks, key=lambda block: block.span)),
        options=tuple(options),
        right=card.right,
        both=card.both,
        id=card.id if _ID.fullmatch(card.id) else "",
        tags=tuple(dict.fromkeys(card.tags)),
        deck=card.deck.strip(),
    )


def _shown(side: Side, *, comments: bool) -> list[Line]:
    """The lines of a side with pictures as Markdown writes them, and links as the words that they show; code as it is."""
    code = frozenset(_code([line.text for line in side]))
    return [
        line if at in code else line._replace(text=_shown_text(line.text, comments)) for at, line in enumerate(side)
    ]


def _shown_text(text: str, comments: bool) -> str:
    if "![" in text:
        text = _SIZE.sub(r"\1", with_pictures(text))
    return without_wiki_marks(text, comments=comments).rstrip()


def _blocks(side: Side) -> list[Block]:
    return moved_to(markdown.blocks_of([line.text for line in side]), [line.number for line in side])


def _code(lines: Sequence[str]) -> Iterator[int]:
    """The lines of fences and formulas that are closed, with their marks; not the label that a fence may stand behind."""
    fence, start = "", 0
    for at, line in enumerate(lines):
        labelled = _LABELLED.match(line) if not fence else None
        before, fence = fence, _fence_after(line[labelled.end() :] if labelled else line, fence)
        if fence and not before:
            start = at + bool(labelled)
        elif before and not fence:
            yield from range(start, at + 1)


def _fence_after(line: str, fence: str) -> str:
    if fence == "$$" or (not fence and line.strip() == "$$"):
        return "" if fence and "$$" in line else "$$"
    return markdown.fence_after(line, fence)
