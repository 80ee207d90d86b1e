"""Files: where decks are, what their sources say, and how results are written."""

from __future__ import annotations

from deckgen.files.beside import Beside, Request, answers_as_before, snippet_text
from deckgen.files.folders import CONFIG_NAME, DeckFolder, as_name, as_text, deck_folders
from deckgen.files.own import first_time, package, read_text, write_whole
from deckgen.files.sources import decode, encode, load

__all__ = [
    "CONFIG_NAME",
    "Beside",
    "DeckFolder",
    "Request",
    "answers_as_before",
    "as_name",
    "as_text",
    "deck_folders",
    "decode",
    "encode",
    "first_time",
    "load",
    "package",
    "read_text",
    "snippet_text",
    "write_whole",
]
