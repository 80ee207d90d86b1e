"""Notes as HTML, each rendered only once while it stays as it is: Pygments takes most of the time of a build."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from deckgen.app.load import Loaded
from deckgen.cache import Folder, digest, packed, tools
from deckgen.model.decision import Decision, Disposition
from deckgen.model.deck import Rendered
from deckgen.model.note import Key, Output, Place
from deckgen.model.note_text import is_english
from deckgen.model.source import Span

_NOWHERE = Key((), "")


def rendered(deck: Loaded, decisions: Sequence[Decision], folder: Folder) -> Iterator[Rendered]:
    """The notes that are shipped, in order. What was rendered from a source is one entry of the folder."""
    documents = {one.document.source.name: one.document for one in deck.extractions}
    paths = {name: Path(name) for name in documents}
    files = {name: deck.folder.relative(path) for name, path in paths.items()}
    entries = {name: digest("rendered", tools(), path.absolute()) for name, path in paths.items()}
    known = {name: folder.get(entry, dict[bytes, Rendered]) or {} for name, entry in entries.items()}
    used: dict[str, dict[bytes, Rendered]] = {name: {} for name in documents}
    config = deck.folder.config
    for decision in decisions:
        if decision.disposition is Disposition.WITHHOLD:
            continue
        note, source = decision.note, decision.note.source
        # the language of the source, or the author's choice; English for an English note of a mixed source
        language = documents[source].language
        language = "en" if language == "zh" and not config.language and is_english(note) else language
        # a note is rendered from nothing but what stands here, and that is what its fields are known by
        place = Place(files[source], Span(0, 0))
        body = replace(note.body, claims=()) if isinstance(note.body, Output) else note.body
        bare = replace(note, key=_NOWHERE, places=(place,), body=body, explicit_id=None, rests_on=(), rule="")
        shown = replace(decision, note=bare, why=None, words=(), waived=False)
        key = _digest((type(body).__name__, shown, language, config.source_url))
        found = known[source].get(key) or used[source].get(key)
        if found is None:
            from deckgen.render import render

            pictures = deck.assets.pictures(paths[source].parent)
            found = replace(render(shown, language=language, media=pictures, source_url=config.source_url), words=())
        if not found.media and not found.missing_media:  # a picture may be another one tomorrow
            used[source][key] = found
        places = tuple(Place(files[one.source], one.span) for one in note.places)
        yield replace(found, key=note.key, explicit_id=note.explicit_id, places=places, words=decision.words)
    for name, entry in entries.items():
        if used[name] != known[name]:
            folder.put(entry, used[name])


def _digest(value: object) -> bytes:
    try:
        data = packed(value)
    except UnicodeEncodeError:  # half a character, which JSON can write and UTF-8 cannot
        data = repr(value).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).digest()
