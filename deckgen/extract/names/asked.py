"""Names that cards ask for: each is a claim that torch has it, also where no mention holds it (`Adam` in a column of optimizers)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from deckgen.extract.names.place import Place, mention, names_in_heading
from deckgen.model.claim import Exists, Site
from deckgen.model.document import Document
from deckgen.model.note import Api, Note
from deckgen.text.pattern import pattern

_PLAIN = pattern(r"[A-Za-z]\w*")
"""A word without a dot or a call, which may be the name of anything."""


def with_asked(
    notes: Sequence[Note], found: Sequence[Exists], document: Document
) -> tuple[tuple[Note, ...], tuple[Exists, ...]]:
    """The notes and the names, with those that notes of torch ask for and rest on no mention of."""
    known = {one.id for one in found}
    asking = ((at, note.body.name) for at, note in enumerate(notes) if isinstance(note.body, Api))
    unasked = [(at, name) for at, name in asking if _PLAIN.fullmatch(name) and known.isdisjoint(notes[at].rests_on)]
    if not unasked or "torch" not in document.source.text.lower():
        return tuple(notes), tuple(found)
    place = Place(document)
    numbers = Counter(one.span.start for one in found)
    resting, names = list(notes), list(found)
    for at, name in unasked:
        note, line = notes[at], notes[at].span.start
        around = (place.code.expanded(one) for heading in reversed(note.headings) for one in names_in_heading(heading))
        for one in place.placed([replace(mention(line, name, Site.PROSE), scopes=tuple(around))]):
            numbers[line] += 1
            names.append(replace(one, id=f"a{line + 1}.{numbers[line]}"))
            resting[at] = replace(note, rests_on=(*note.rests_on, names[-1].id))
    return tuple(resting), tuple(sorted(names, key=lambda one: one.span))
