"""What a learner's note consists of: its content hash, its GUID, and the numbers of its holes.

A note is updated when, and only when, its hash moves. The history of a card hangs on the number of its hole, so a hole
keeps it for good.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from deckgen.identity.likeness import letters_alike
from deckgen.identity.lock import LockedHole
from deckgen.model.deck import FIELDS, NoteType, Rendered
from deckgen.model.note import Key
from deckgen.text.pattern import pattern, unescaped, untagged

STAMP_FIELDS = ("Source", "Checked")
"""The fields that stand as they stood when the note last changed: a new torch, a renamed file or an
inserted paragraph is nothing to learn. All others make the note, the switches for further cards too:
Anki adds the card of a switched-on template even to a note that it does not update, and it would be empty."""
_HASHED = itemgetter(*(index for index, name in enumerate(FIELDS) if name not in STAMP_FIELDS))
_PLAIN = str.maketrans("-_", "xy")
"""So that a GUID can be typed after a command, where a leading `-` would be an option."""
SIDE = 12
"""Characters kept of the text on either side of a hole."""
SAME = 0.75
_HOLE = pattern(r"\{\{c(\d+)::(.*?)(?:::.*?)?\}\}", re.DOTALL)
_OPENING = pattern(r"\{\{c(\d+)::")
_CUT_TAG = pattern(r"^[^<]*(?<=[\"\w])>|<[^>]*$")


def digest(text: str) -> str:
    """128 bits of a text, in 22 characters that any file can hold."""
    data = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(data[:16])[:22].decode()


def _json_digest(value: list[Any]) -> str:
    return digest(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def content_hash(rendered: Rendered) -> str:
    """Of the kind and all fields but the stamp; of nothing that a verdict or an environment may change."""
    # the separator is Anki's own, so no field can hold it
    return digest("\x1f".join((rendered.kind, *_HASHED(rendered.fields))))


def notetypes_hash(notetypes: Iterable[NoteType]) -> str:
    """Of names, fields, templates and styling of all note types."""
    return _json_digest([_schema(notetype) for notetype in sorted(notetypes, key=lambda one: one.id)])


def _schema(notetype: NoteType) -> list[Any]:
    fields = [[field.id, field.name, field.collapsed] for field in notetype.fields]
    templates = [[one.id, one.name, one.front, one.back] for one in notetype.templates]
    return [notetype.id, notetype.name, notetype.cloze, fields, templates, notetype.css]


def guid(deck_id: int, key: Key, explicit_id: str | None, attempt: int = 0) -> str:
    """The GUID of a new note. Frozen: a lost lock is survived only because this never changes.

    `attempt` counts up while the GUID is taken, by a note that had this key before, or by one of another kind.
    """
    known_by = ["id", explicit_id] if explicit_id else ["key", *key.headings, key.anchor]
    return _json_digest([deck_id, known_by, attempt] if attempt else [deck_id, known_by]).translate(_PLAIN)[:14]


def renumbered(rendered: Rendered, locked: Sequence[LockedHole]) -> tuple[Rendered, tuple[LockedHole, ...]]:
    """The note with the numbers that its holes have had before, and the holes for the lock.

    A hole is known by its text, else by what stands on both sides of it (its text was corrected), else by a
    text much like it. A new one keeps the number that it has, if no other hole ever had that, else it gets the next that none had;
    gaps are left as they are.
    """
    if rendered.kind != "cloze":
        return rendered, ()
    asked = _asked(rendered.fields)
    numbers = _numbers(asked, locked)
    holes = {numbers[one.number]: replace(one, number=numbers[one.number]) for one in asked}
    retired = {hole.number: replace(hole, retired=True) for hole in locked if hole.number not in holes}
    kept = tuple(hole for _, hole in sorted((holes | retired).items()))
    if all(old == new for old, new in numbers.items()):
        return rendered, kept

    def mark(opening: re.Match[str]) -> str:
        return f"{{{{c{numbers.get(int(opening[1]), opening[1])}::"

    fields = tuple(_OPENING.sub(mark, text) for text in rendered.fields)
    ordinals = tuple(sorted(numbers.get(ordinal + 1, ordinal + 1) - 1 for ordinal in rendered.ordinals))
    return replace(rendered, fields=fields, ordinals=ordinals), kept


def _asked(fields: Sequence[str]) -> list[LockedHole]:
    """What each card asks, as rendered: the holes of one number are one."""
    found: dict[int, LockedHole] = {}
    for text in fields:
        for hole in _HOLE.finditer(text):
            number, inside = int(hole[1]), _plain(hole[2])
            if number in found:
                found[number] = replace(found[number], text=f"{found[number].text}\n{inside}")
                continue
            # one line is more than enough for a side, and looking no further keeps this linear
            before = _plain(text[max(0, hole.start() - 40 * SIDE) : hole.start()])[-SIDE:]
            after = _plain(text[hole.end() : hole.end() + 40 * SIDE])[:SIDE]
            found[number] = LockedHole(number=number, text=inside, before=before, after=after)
    return list(found.values())


def _plain(markup: str) -> str:
    """HTML as text; a tag may have been cut in two where the side of a hole begins or ends."""
    return unescaped(_CUT_TAG.sub("", untagged(_OPENING.sub("", markup).replace("}}", ""))))


def _same_spot(one: LockedHole, hole: LockedHole) -> bool:
    return not hole.retired and (one.before, one.after) == (hole.before, hole.after)


_SAME: Sequence[Callable[[LockedHole, LockedHole], bool]] = (
    lambda one, hole: one.text == hole.text and _same_spot(one, hole),
    lambda one, hole: one.text == hole.text,
    _same_spot,
    lambda one, hole: not hole.retired and letters_alike(one.text, hole.text) >= SAME,
)
"""What a hole of the lock is known by, the surest first."""


def _numbers(asked: Sequence[LockedHole], locked: Sequence[LockedHole]) -> dict[int, int]:
    """Rendered number -> number for good."""
    free = {hole.number: hole for hole in locked}
    had = frozenset(free)
    top = max(free, default=0)
    numbers: dict[int, int] = {}
    for same in _SAME:
        for one in asked:
            match = next((hole for hole in free.values() if same(one, hole)), None)
            if match and one.number not in numbers:
                numbers[one.number] = free.pop(match.number).number
    for one in asked:
        if one.number not in numbers:
            taken = one.number in had or one.number in numbers.values()
            numbers[one.number] = top + 1 if taken else one.number
            top = max(top, numbers[one.number])
    return numbers
