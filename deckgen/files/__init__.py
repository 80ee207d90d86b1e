"""Files: where decks are, what their sources say, and how results are written."""

from __future__ import annotations

from deckgen.files.alone import alone
from deckgen.files.beside import Beside, Request, answers_as_before, snippet_text
from deckgen.files.folders import CONFIG_NAME, DeckFolder, deck_folders
from deckgen.files.own import first_time, package, read_text, utf8
from deckgen.files.sources import SIZE_LIMIT, decode, encode, load
from deckgen.files.writing import write_together, write_whole

__all__ = [
    "CONFIG_NAME",
    "SIZE_LIMIT",
    "Beside",
    "DeckFolder",
    "Request",
    "alone",
    "answers_as_before",
    "deck_folders",
    "decode",
    "encode",
    "first_time",
    "load",
    "package",
    "read_text",
    "snippet_text",
    "utf8",
    "write_together",
    "write_whole",
]
