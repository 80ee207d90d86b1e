"""The foot of a card: where its source can be read, and what torch's documentation says of what it asks.

Links are no part of what a note is known by, nor of what a lock keeps of it: they are entered when a package is written.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from deckgen.model.deck import FIELDS, Rendered
from deckgen.render import escape

DOCUMENTATION = "https://docs.pytorch.org/docs/stable/search.html?q={name}"
"""A search, which finds every name: on which page one stands depends on the release."""
_SOURCE = FIELDS.index("Source")


def with_links(note: Rendered, source_url: str | None, folder: str) -> Rendered:
    """The note with its links; `folder` stands before the names of sources for a path from where deckgen was started: `cards/tensors/`.

    `source_url` may have `{file}`, `{path}` and `{line}`.
    """
    source = note.fields[_SOURCE]
    if source_url and note.places and not source.startswith("<a "):  # locks of older releases keep a link
        place = note.places[0]
        values = {"{file}": place.source, "{path}": f"{folder}{place.source}", "{line}": str(place.span.first)}
        for name, value in values.items():
            source_url = source_url.replace(name, quote(value))
        source = _link(source_url, source)
    if note.documented:
        source += f" · {_link(DOCUMENTATION.format(name=quote(note.documented)), escape.text(note.documented))}"
    if source == note.fields[_SOURCE]:
        return note
    return replace(note, fields=(*note.fields[:_SOURCE], source, *note.fields[_SOURCE + 1 :]))


def _link(address: str, text: str) -> str:
    return f'<a href="{escape.attribute(address)}" rel="noreferrer">{text}</a>'
