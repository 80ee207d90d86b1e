"""What was found in a source, by everything that it was found from.

Of a long source by the passages that it is cut into, so that an edit of one leaves what was found in the others.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from deckgen.cache.folder import Folder
from deckgen.cache.pickles import UnusableError, packed, pickled, unpacked, unpickled
from deckgen.cache.tools import digest, tools
from deckgen.model.document import Document
from deckgen.model.extraction import Extraction
from deckgen.model.passage import Finds, Passage
from deckgen.model.source import Source

Asked = tuple[tuple[tuple[str, str, str], str], ...]
"""What was asked for beside the source, (kind, folder, name), each with a digest of the answer."""


_TEXT = 64
"""Characters of the digest of a text."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a source, or of an earlier version of it."""

    current: bool
    """True if it was found in this very text."""
    document: Document
    """Without blocks."""
    asked: Asked
    passages: tuple[Passage, ...]

    def extraction(self) -> Extraction:
        """All finds of all passages. Raises UnusableError."""
        first = 0
        parts: list[Finds] = []
        for passage in self.passages:
            parts.append(unpacked(passage, first))
            first += passage.lines
        return together(self.document, parts)


def together(document: Document, parts: Iterable[Finds]) -> Extraction:
    """The finds of the passages of a document, in order."""
    every = tuple(parts)
    return Extraction(
        document=document,
        notes=tuple(note for part in every for note in part.notes),
        snippets=tuple(snippet for part in every for snippet in part.snippets),
        apis=tuple(api for part in every for api in part.apis),
        skipped=tuple(skip for part in every for skip in part.skipped),
        remarks=tuple(remark for part in every for remark in part.remarks),
    )


@dataclass(frozen=True, slots=True)
class Extractions:
    """The extractions of all sources that were ever read, one a source."""

    folder: Folder

    def get(self, source: Source, *settings: object) -> tuple[Extraction, Asked] | None:
        """What was found in this very text under these settings; its document comes without blocks."""
        kept = self.look(source, *settings)
        try:
            return (kept.extraction(), kept.asked) if kept is not None and kept.current else None
        except UnusableError:
            return None

    def look(self, source: Source, *settings: object) -> Kept | None:
        """What is kept of a source, whether its text has changed since or not."""
        data = self.folder.read(_name(source, settings))
        wanted = _key(source, settings)
        if data is None or not data.startswith(wanted):
            return None
        behind = len(wanted) + _TEXT
        try:
            document, asked, passages = unpickled(data[behind:])
            return Kept(data[len(wanted) : behind] == _text(source), replace(document, source=source), asked, passages)
        except Exception:
            return None

    def put(self, source: Source, extraction: Extraction, asked: Asked, *settings: object) -> None:
        """Keeps what was found as a whole; instead of what was found in an earlier version of the source."""
        found = extraction
        finds = packed(Finds(found.notes, found.snippets, found.apis, found.skipped, found.remarks))
        whole = Passage(text=b"", lines=len(source.lines), first=0, finds=finds)
        self.keep(source, extraction.document, asked, (whole,), *settings)

    def keep(
        self, source: Source, document: Document, asked: Asked, passages: Sequence[Passage], *settings: object
    ) -> None:
        """Keeps what was found by passages."""
        bare = replace(document, source=Source(source.name, ""), blocks=(), code_words=None)
        data = pickled((bare, asked, tuple(passages)))
        self.folder.write(_name(source, settings), _key(source, settings) + _text(source) + data)


def _name(source: Source, settings: tuple[object, ...]) -> str:
    return digest(os.path.abspath(source.name), settings)


def _key(source: Source, settings: tuple[object, ...]) -> bytes:
    return digest(tools(), source.name, source.newline, source.encoding, source.bom, settings).encode()


def _text(source: Source) -> bytes:
    return hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest().encode()
