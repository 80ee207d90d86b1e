"""Small packages for looking at cards with Anki's own eyes: genanki, without deckgen's lock."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import genanki

from deckgen.model.deck import NoteType, Rendered
from deckgen.render import NOTETYPES


def model(notetype: NoteType) -> genanki.Model:
    """The note type as genanki wants it."""
    return genanki.Model(
        notetype.id,
        notetype.name,
        fields=[{"name": f.name, "id": f.id, "collapsed": f.collapsed} for f in notetype.fields],
        templates=[{"name": t.name, "id": t.id, "qfmt": t.front, "afmt": t.back} for t in notetype.templates],
        css=notetype.css,
        model_type=genanki.Model.CLOZE if notetype.cloze else genanki.Model.FRONT_BACK,
    )


def write(notes: Sequence[Rendered], path: Path, deck: str = "deckgen samples") -> Path:
    """A package with a card for every ordinal that `render` promised."""
    models = {kind: model(notetype) for kind, notetype in NOTETYPES.items()}
    made = genanki.Deck(1783400200001, deck)
    for number, rendered in enumerate(notes):
        note = genanki.Note(
            models[rendered.kind], list(rendered.fields), tags=list(rendered.tags), guid=f"sample-{number}", due=number
        )
        note.cards[:] = [genanki.Card(ordinal) for ordinal in rendered.ordinals]
        made.add_note(note)
    with tempfile.TemporaryDirectory() as folder:
        media = []
        for file in {m.name: m for rendered in notes for m in rendered.media}.values():
            (Path(folder) / file.name).write_bytes(file.data)
            media.append(str(Path(folder) / file.name))
        genanki.Package(made, media).write_to_file(str(path), timestamp=1_783_400_000)
    return path
