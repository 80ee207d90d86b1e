"""Looks: notes as HTML, each rendered only once while it stays as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import recall
from deckgen.decision import Decision, Ruling
from deckgen.deck import Rendered
from deckgen.loaded import Loaded
from deckgen.note import Key, Note, Place
from deckgen.source import Span

if TYPE_CHECKING:
    from deckgen.render.words import Language

_NO_KEY = Key((), "")


def rendered(deck: Loaded, decisions: Sequence[Decision], folder: recall.Folder) -> Iterator[Rendered]:
    """The notes that are shipped, in order."""
    languages = {each.document.source.name: each.document.language for each in deck.extractions}
    files = {name: deck.folder.relative(Path(name)) for name in languages}
    drawers: dict[str, recall.Faces] = {}
    for decision in decisions:
        if decision.ruling is Ruling.WITHHOLD:
            continue
        note = decision.note
        if note.source not in drawers:
            drawers[note.source] = recall.Faces(folder, Path(note.source).absolute().as_posix())
        look = _Look(deck, languages[note.source], drawers[note.source])
        places = tuple(Place(files[place.source], place.span) for place in note.places)
        yield look.of(decision, places)
    for drawer in drawers.values():
        drawer.save()


@dataclass(frozen=True, slots=True)
class _Look:
    """What the notes of one source share."""

    deck: Loaded
    language: Language
    faces: recall.Faces

    def of(self, decision: Decision, places: tuple[Place, ...]) -> Rendered:
        """A note as HTML. Only what `_bare` leaves of it can be seen on a card, so that is what a look is known by."""
        bare = _bare(decision, places[0].source)
        name = hashlib.sha256(repr((bare, self.language, self.deck.folder.config.source_url)).encode()).digest()
        face = self.faces.get(name)
        note = decision.note
        if face is None:
            made = self._rendered(bare, note)
            # a picture may be another one tomorrow
            if not made.media and not made.missing_media:
                self.faces.put(name, (made.kind, made.fields, made.tags, made.answer_text, made.ordinals))
            return replace(made, key=note.key, explicit_id=note.explicit_id, places=places, words=decision.words)
        kind, fields, tags, answer, ordinals = face
        return Rendered(
            kind=kind,
            key=note.key,
            explicit_id=note.explicit_id,
            places=places,
            fields=fields,
            tags=tags,
            answer_text=answer,
            ordinals=ordinals,
            words=decision.words,
        )

    def _rendered(self, bare: Decision, note: Note) -> Rendered:
        from deckgen.render import render

        pictures = self.deck.beside.pictures(Path(note.source).parent)
        return render(bare, language=self.language, media=pictures, source_url=self.deck.folder.config.source_url)


def _bare(decision: Decision, file: str) -> Decision:
    """A decision without what no card shows: where the note stands in its file, its key, and its verdicts' words."""
    note = decision.note
    shown = Note(key=_NO_KEY, places=(Place(file, Span(0, 0)),), headings=note.headings, body=note.body, tags=note.tags)
    return replace(decision, note=shown, why=None, words=())
