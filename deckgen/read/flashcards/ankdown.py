"""ankdown: front, `%`, back, and perhaps `%` and tags; cards are parted by `---`."""

from __future__ import annotations

from deckgen.model.source import Span
from deckgen.read.flashcards.written import Found, Text, Written, between, tags_of
from deckgen.text.pattern import pattern

SIGNS = ("\n%",)
_HEADING = pattern(r"#{1,2} ")


def find(text: Text, *, chosen: bool = False) -> Found:
    """The cards of a file with several parts between rules, each with a `%`, and no heading that begins several of them."""
    found = Found()
    for part in between((at for at, line in text.plain() if line.strip() == "---"), 0, len(text.lines)):
        cuts = [at for at, line in text.plain(part.start, part.stop) if line.strip() == "%"]
        said = [at for at in range(part.start, part.stop) if text.lines[at].strip()]
        if not said:
            continue
        headings = [at for at, line in text.plain(part.start, part.stop) if _HEADING.match(line)]
        if not cuts or len(headings) > 1 or (headings and headings[0] > cuts[0]):
            return Found()
        fields = [text.side(field.start, field.stop) for field in between(cuts, part.start, part.stop)]
        tags = " ".join(line.text for line in fields[2]) if len(fields) > 2 else ""
        span = Span(said[0], said[-1] + 1)
        found.cards.append(Written(span=span, front=fields[0], back=fields[1], tags=tags_of(tags)))
        found.marks |= {part.stop} if part.stop < len(text.lines) else set()
    return found if chosen or len(found.cards) > 1 else Found()
