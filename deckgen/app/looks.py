"""Looks: notes as HTML, each rendered only once while it stays as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from deckgen import cache as recall
from deckgen.app.loaded import Loaded
from deckgen.files import Beside
from deckgen.model.decision import Decision, Disposition
from deckgen.model.deck import Rendered
from deckgen.model.document import Document
from deckgen.model.note import Body, Key, Note, Place
from deckgen.model.note_text import is_english
from deckgen.model.source import Span

if TYPE_CHECKING:
    from deckgen.render.words import Language


def rendered(deck: Loaded, decisions: Sequence[Decision], folder: recall.Folder) -> Iterator[Rendered]:
    """The notes that are shipped, in order."""
    looks = {
        extraction.document.source.name: _look(deck, extraction.document, folder) for extraction in deck.extractions
    }
    for decision in decisions:
        if decision.disposition is not Disposition.WITHHOLD:
            places = tuple(Place(looks[place.source].file, place.span) for place in decision.note.places)
            yield looks[decision.note.source].of(decision, places)
    for look in looks.values():
        look.faces.save()


def _look(deck: Loaded, document: Document, folder: recall.Folder) -> _Look:
    path = Path(document.source.name)
    return _Look(
        folder=path.parent.as_posix(),
        file=deck.folder.relative(path),
        language=document.language,
        chosen=deck.folder.config.language is not None,
        source_url=deck.folder.config.source_url,
        beside=deck.beside,
        faces=recall.Faces(folder, path.absolute().as_posix()),
    )


class Shown(NamedTuple):
    """All of a decision that a card can show. A note is rendered from nothing else, so this is what a look is known by."""

    headings: tuple[str, ...]
    body: Body
    tags: tuple[str, ...]
    disposition: Disposition
    claimed: str | None
    observed: str | None
    corrections: tuple[tuple[str, str], ...]
    stamp: str
    unverified: bool

    def decision(self, file: str) -> Decision:
        """A decision of which the rest is empty: no key, no place in its file, no words."""
        note = Note(
            key=Key((), ""),
            places=(Place(file, Span(0, 0)),),
            headings=self.headings,
            body=self.body,
            tags=self.tags,
        )
        return Decision(
            note=note,
            disposition=self.disposition,
            claimed=self.claimed,
            observed=self.observed,
            corrections=self.corrections,
            stamp=self.stamp,
            unverified=self.unverified,
        )


def _digest(value: object) -> bytes:
    try:
        data = msgspec.msgpack.encode(value)
    except UnicodeEncodeError:  # half a character, which JSON can write and UTF-8 cannot
        data = repr(value).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).digest()


@dataclass(frozen=True, slots=True)
class _Look:
    """What the notes of one source share."""

    folder: str
    file: str
    language: Language
    chosen: bool
    """True if the author chose the language."""
    source_url: str | None
    beside: Beside
    faces: recall.Faces

    def of(self, decision: Decision, places: tuple[Place, ...]) -> Rendered:
        """A note as HTML."""
        note = decision.note
        shown = (
            note.headings,
            note.body,
            note.tags,
            decision.disposition,
            decision.claimed,
            decision.observed,
            decision.corrections,
            decision.stamp,
            decision.unverified,
        )
        language = self._language(note)
        name = _digest((type(note.body).__name__, shown, self.file, language, self.source_url))
        face = self.faces.get(name)
        if face is None:
            made = self._rendered(Shown(*shown), language)
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

    def _language(self, note: Note) -> Language:
        """The source's language, or the author's choice; English for an English note of a mixed source."""
        return "en" if self.language == "zh" and not self.chosen and is_english(note) else self.language

    def _rendered(self, shown: Shown, language: Language) -> Rendered:
        from deckgen.render import render

        pictures = self.beside.pictures(Path(self.folder))
        return render(shown.decision(self.file), language=language, media=pictures, source_url=self.source_url)
