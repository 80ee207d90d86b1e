"""Extraction: a document becomes notes, snippets with claims, and APIs to look up.

Idioms are asked in order, the surest first; each is one module and one line in `IDIOMS`.
"""

from __future__ import annotations

from deckgen.document import Document
from deckgen.extract.apis import mentions
from deckgen.extract.blanks import blanks
from deckgen.extract.choices import choices
from deckgen.extract.definitions import definitions
from deckgen.extract.entries import entries
from deckgen.extract.outputs import outputs
from deckgen.extract.page import Idiom, Page
from deckgen.extract.questions import questions
from deckgen.extract.rhymes import rhymes
from deckgen.extract.snippets import snippets
from deckgen.extract.tables import tables
from deckgen.extraction import Extraction
from deckgen.note import Note, Skipped

IDIOMS: tuple[Idiom, ...] = (choices, blanks, tables, rhymes, outputs, questions, entries, definitions)


def extract(document: Document) -> Extraction:
    """Everything that a document holds, before anything is run."""
    page = Page(document, snippets(document), mentions(document))
    notes: list[Note] = []
    skipped: list[Skipped] = []
    for idiom in IDIOMS:
        finds = idiom(page)
        notes += finds.notes
        skipped += finds.skipped
        page = page.after(finds)
    return Extraction(
        document=document,
        notes=tuple(sorted(notes, key=lambda note: note.span)),
        snippets=page.snippets,
        apis=page.apis,
        skipped=tuple(sorted(skipped, key=lambda skip: skip.span)),
    )
