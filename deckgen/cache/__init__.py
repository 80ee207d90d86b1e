"""Recalling: what was worked out before, from the user's cache folder. Never a verdict.

Verdicts come from observations alone (`verify.cache`); here is what follows from texts: what was found in a source, how a
note looks, and what a whole run said when nothing has changed since.
"""

from __future__ import annotations

from deckgen.cache.extractions import Asked, Extractions, Kept, together
from deckgen.cache.faces import Faces
from deckgen.cache.folder import Folder, place
from deckgen.cache.pickles import UnusableError, packed, unpacked
from deckgen.cache.runs import Run, Runs
from deckgen.cache.tools import digest, tools

__all__ = [
    "Asked",
    "Extractions",
    "Faces",
    "Folder",
    "Kept",
    "Run",
    "Runs",
    "UnusableError",
    "digest",
    "packed",
    "place",
    "together",
    "tools",
    "unpacked",
]
