"""What a learner's note consists of, as hashes: a note is updated when, and only when, its hash moves.

What is known of a note before it has an identity.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from deckgen.model.deck import FIELDS, Kind, NoteType, Rendered
from deckgen.model.note import Key
from deckgen.text.pattern import unescaped, untagged

STAMP_FIELDS = ("Source", "Checked")
"""The fields that stand as they stood when the note last changed: a new torch, a renamed file or an
inserted paragraph is nothing to learn. All others make the note, the switches for further cards too:
Anki adds the card of a switched-on template even to a note that it does not update, and it would be empty."""
MARK = "deckgen::"
"""The tags that belong to the stamp; they stand as they stood, too. An author's own tags are written as they
are now, and reach learners with the note's next change: Anki replaces tags, so an update for their sake
alone would wipe what learners tagged themselves."""

_HASHED = itemgetter(*(index for index, name in enumerate(FIELDS) if name not in STAMP_FIELDS))
UNVERIFIED = "deckgen::unverified"
"""The tag of notes that could not be checked when they were last sent."""
_PLAIN = str.maketrans("-_", "xy")
"""So that a GUID can be typed after a command, where a leading `-` would be an option."""


def digest(text: str) -> str:
    """128 bits of a text, in 22 characters that any file can hold."""
    data = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(data[:16])[:22].decode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def content_hash(rendered: Rendered) -> str:
    """Of the kind and all fields but the stamp; of nothing that a verdict or an environment may change."""
    # the separator is Anki's own, so no field can hold it
    return digest("\x1f".join((rendered.kind, *_HASHED(rendered.fields))))


def notetypes_hash(notetypes: Iterable[NoteType]) -> str:
    """Of names, fields, templates and styling of all note types."""
    return digest(_json([_schema(notetype) for notetype in sorted(notetypes, key=lambda one: one.id)]))


def _schema(notetype: NoteType) -> list[Any]:
    fields = [[field.id, field.name, field.collapsed] for field in notetype.fields]
    templates = [[one.id, one.name, one.front, one.back] for one in notetype.templates]
    return [notetype.id, notetype.name, notetype.cloze, fields, templates, notetype.css]


def guid(deck_id: int, key: Key, explicit_id: str | None, attempt: int = 0) -> str:
    """The GUID of a new note. Frozen: a lost lock is survived only because this never changes.

    `attempt` counts up while the GUID is taken, by a note that had this key before, or by one of another kind.
    """
    known_by: list[Any] = ["id", explicit_id] if explicit_id else ["key", *key.headings, key.anchor]
    made_of = [deck_id, known_by, attempt] if attempt else [deck_id, known_by]
    return digest(_json(made_of)).translate(_PLAIN)[:14]


def plain(markup: str) -> str:
    """HTML of a field as one line of text."""
    if "<" in markup or "&" in markup:
        markup = unescaped(untagged(markup, " "))
    return " ".join(markup.split())


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
