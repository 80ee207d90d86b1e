"""Extraction: everything that was found in one document, before anything is run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deckgen.model.claim import Exists, Snippet
from deckgen.model.document import Document
from deckgen.model.note import Note, Skipped
from deckgen.model.source import Span


@dataclass(frozen=True, slots=True)
class Remark:
    """What an author should know of a line."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The finds of one document, each in document order."""

    document: Document
    notes: tuple[Note, ...]
    snippets: tuple[Snippet, ...]
    apis: tuple[Exists, ...]
    skipped: tuple[Skipped, ...]
    remarks: tuple[Remark, ...] = ()

    def in_source(self) -> Extraction:
        """The same finds at their lines of the source, where the document counts others (JSON or HTML on one line).

        Ids stay as they are, which tell apart what shares a line.
        """
        place, places = self.document.place, self.document.places
        return replace(
            self,
            notes=tuple(
                replace(note, places=tuple(replace(one, span=place(one.span)) for one in note.places))
                for note in self.notes
            ),
            snippets=tuple(
                replace(
                    snippet,
                    span=place(snippet.span),
                    lines=tuple(places[line] for line in snippet.lines),
                    claims=tuple(replace(claim, span=place(claim.span)) for claim in snippet.claims),
                )
                for snippet in self.snippets
            ),
            apis=tuple(replace(api, span=place(api.span)) for api in self.apis),
            skipped=tuple(replace(skip, span=place(skip.span)) for skip in self.skipped),
            remarks=tuple(replace(remark, span=place(remark.span)) for remark in self.remarks),
        )
