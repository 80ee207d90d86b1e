"""What was found, at its lines of the source, where the document counts others (JSON or HTML on one line)."""

from __future__ import annotations

from dataclasses import replace

from deckgen.model.claim import Snippet
from deckgen.model.document import Document
from deckgen.model.extraction import Extraction
from deckgen.model.note import Note


def placed(found: Extraction) -> Extraction:
    """The same finds with the places of the source; ids stay as they are, which tell apart what shares a line."""
    document = found.document
    return replace(
        found,
        notes=tuple(_note(note, document) for note in found.notes),
        snippets=tuple(_snippet(snippet, document) for snippet in found.snippets),
        apis=tuple(replace(api, span=document.place(api.span)) for api in found.apis),
        skipped=tuple(replace(skip, span=document.place(skip.span)) for skip in found.skipped),
        remarks=tuple(replace(remark, span=document.place(remark.span)) for remark in found.remarks),
    )


def _note(note: Note, document: Document) -> Note:
    return replace(note, places=tuple(replace(place, span=document.place(place.span)) for place in note.places))


def _snippet(snippet: Snippet, document: Document) -> Snippet:
    return replace(
        snippet,
        span=document.place(snippet.span),
        lines=tuple(document.places[line] for line in snippet.lines),
        claims=tuple(replace(claim, span=document.place(claim.span)) for claim in snippet.claims),
    )
