"""Cards that their author began and of which a side is missing: they make no note, and every command tells how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckgen.extract.labels import Kind, labels
from deckgen.model.document import Remark
from deckgen.model.note import Skipped
from deckgen.text.wiki import NOT_HERE

NO_SIDE = "a card with one side: write `front :: back`, or the front, `?` and the back on lines of their own"
NO_BACK = "a card of another tool without an answer, or with nothing that asks"
NO_TEXT = "a card with nothing behind `Q:` or `A:`"
_EMPTY = "with an empty side"
_LACKS = {NO_SIDE: _EMPTY, NO_BACK: _EMPTY, NO_TEXT: _EMPTY, NOT_HERE: "with text that stands elsewhere"}


def incomplete_cards(skipped: Sequence[Skipped]) -> Iterator[Remark]:
    """A remark on the first card of which a side is missing, with how many there are, for each kind."""
    for kind in dict.fromkeys(_LACKS.values()):
        found = sorted(one.span for one in skipped if _LACKS.get(one.reason) == kind)
        if len(found) == 1:
            yield Remark(found[0], f"a card {kind} makes no note: `deckgen inspect` says more")
        elif found:
            yield Remark(
                found[0], f"{len(found)} cards {kind} make no notes, the first here: `deckgen inspect` lists them"
            )


def lacks_a_side(text: str) -> bool:
    """True for `Q: ...` and `A: ...` in one paragraph, one of them with nothing behind it."""
    kinds = (Kind.DECLARED_QUESTION, Kind.DECLARED_ANSWER)
    lines = [line.strip(" \t*_") for line in text.split("\n")]
    every = all(any(kind in labels(line) for line in lines) for kind in kinds)
    return every and any(line.endswith((":", "：")) and labels(line).any_of(kinds) for line in lines)
