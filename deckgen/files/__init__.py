"""Files: where decks are, what their sources say, and how results are written."""

from __future__ import annotations

from deckgen.files.folders import PIPE, DeckFolder, as_name, as_text, deck_folders, folder_here, own_lock, piped
from deckgen.files.reading import (
    PACKAGE_LIMIT,
    PACKAGES,
    SIZE_LIMIT,
    Assets,
    Request,
    answers_as_before,
    decode,
    digest,
    edited,
    first_time,
    lies_inside,
    load,
    opened,
    package,
    read_text,
    real,
    snippet_text,
    source_bytes,
    utf8,
)
from deckgen.files.walking import CONFIG_NAME, folders_below
from deckgen.files.writing import exclusive, write_through, write_together, write_whole

__all__ = [
    "CONFIG_NAME",
    "PACKAGES",
    "PACKAGE_LIMIT",
    "PIPE",
    "SIZE_LIMIT",
    "Assets",
    "DeckFolder",
    "Request",
    "answers_as_before",
    "as_name",
    "as_text",
    "deck_folders",
    "decode",
    "digest",
    "edited",
    "exclusive",
    "first_time",
    "folder_here",
    "folders_below",
    "lies_inside",
    "load",
    "opened",
    "own_lock",
    "package",
    "piped",
    "read_text",
    "real",
    "snippet_text",
    "source_bytes",
    "utf8",
    "write_through",
    "write_together",
    "write_whole",
]
