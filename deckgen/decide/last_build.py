"""What is asked of the last build: which notes are known from it, and what was checked then and is not any more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from deckgen.model.decision import Decision
from deckgen.model.note import Key
from deckgen.model.verdict import Word


def identity(explicit_id: str | None, key: Key) -> str:
    """What a note is known by before it has a GUID: its author's id, else its key."""
    return explicit_id or "\x1f".join((*key.headings, key.anchor))


def lost(decisions: Iterable[Decision], known: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Notes that were checked at the last build and cannot be any more, as `notes.md:47: what`.

    `known` has the verdict words of the last build by `identity`. A device that is not here is no loss.
    """
    for decision in decisions:
        note = decision.note
        words = known.get(identity(note.explicit_id, note.key), ())
        was_checked = words and Word.UNVERIFIED.value not in words and not decision.waived
        reason = decision.stamp.removeprefix("not checked: ")
        if was_checked and decision.unverified and not reason.startswith("needs-cuda"):
            yield f"{note.source}:{note.span.first}: was checked at the last build, and now: {reason}"
