"""Cards as Anki itself shows them, without a package in between."""

from __future__ import annotations

import html
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anki.collection import Collection

from deckgen.model.deck import FIELDS, Rendered
from deckgen.render import NOTETYPES

_TAG = re.compile(r'<[^>"]*(?:"[^"]*"[^>"]*)*>')


class Viewer:
    """A collection with the five note types; renders notes and throws them away."""

    def __init__(self, collection: Any) -> None:
        self._collection = collection
        self._models: dict[str, Any] = {}
        for kind, notetype in NOTETYPES.items():
            model = collection.models.new(notetype.name)
            model["type"] = int(notetype.cloze)
            model["css"] = notetype.css
            for field in FIELDS:
                collection.models.add_field(model, collection.models.new_field(field))
            for template in notetype.templates:
                card = collection.models.new_template(template.name)
                card["qfmt"], card["afmt"] = template.front, template.back
                collection.models.add_template(model, card)
            collection.models.add(model)
            self._models[kind] = collection.models.by_name(notetype.name)

    def sides(self, rendered: Rendered) -> dict[int, tuple[str, str]]:
        """HTML of question and answer by card ordinal, for every card that Anki makes of the note."""
        note = self._collection.new_note(self._models[rendered.kind])
        note.fields = list(rendered.fields)
        self._collection.add_note(note, 1)
        try:
            outputs = {card.ord: card.render_output() for card in note.cards()}
            return {ord_: (out.question_text, out.answer_text) for ord_, out in outputs.items()}
        finally:
            self._collection.remove_notes([note.id])


@contextmanager
def viewer() -> Iterator[Viewer]:
    """A viewer on a collection of its own."""
    with tempfile.TemporaryDirectory() as folder:
        collection = Collection(str(Path(folder) / "collection.anki2"))
        try:
            yield Viewer(collection)
        finally:
            collection.close()


def text(markup: str) -> str:
    """What a person reads of HTML, white space as it stands."""
    return html.unescape(_TAG.sub("", markup))


def boxes(markup: str) -> list[str]:
    """The text of every `<pre>`; a browser drops a line end right after the tag."""
    return [text(inner) for inner in re.findall(r"<pre[^>]*>\n?(.*?)</pre>", markup, re.DOTALL)]
