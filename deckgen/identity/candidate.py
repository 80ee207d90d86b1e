"""What is known of a note before it has an identity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deckgen.identity.content import digest, plain
from deckgen.model.deck import Kind, Rendered
from deckgen.model.note import Key

ANSWER_LENGTH = 160
"""Characters of an answer that the lock keeps: enough to know it by, little enough to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A note that seeks its line in the lock."""

    kind: Kind
    key: Key
    explicit_id: str | None
    answer: str
    answer_hash: str
    where: str
    """`notes.md:47`."""
    title: str
    hash: str
    """`content_hash` of the note as it was rendered."""
    files: tuple[str, ...]
    """The sources that it stands in, relative to the lock."""


def candidate(rendered: Rendered, found: str, files: Mapping[str, str], folder: str = "") -> Candidate:
    """What can be known of a rendered note whose content hash is `found`; `files` maps sources to files.

    `folder` comes before sources in messages.
    """
    text = plain_answer(rendered)
    place = rendered.places[0]
    return Candidate(
        kind=rendered.kind,
        key=rendered.key,
        explicit_id=rendered.explicit_id,
        answer=text[:ANSWER_LENGTH],
        answer_hash=digest(text),
        where=f"{folder}{place.source}:{place.span.first}",
        title=plain(rendered.fields[0]),
        hash=found,
        files=tuple(files.get(place.source, place.source) for place in rendered.places),
    )


def plain_answer(rendered: Rendered) -> str:
    return " ".join(rendered.answer_text.split())
