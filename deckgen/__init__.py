"""deckgen turns PyTorch notes into Anki decks whose claims were checked against torch.

From Python: `from deckgen import api`; see docs/api.md.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PACKAGES = frozenset({"extract", "outcome", "read", "verify"})
"""A station and a function of the API have each of these names, and only a station can be `deckgen.NAME`."""

if os.path.splitext(os.path.basename("".join(sys.argv[:1])))[0] == "deckgen":
    # The command has started, and nothing but this file may be ours: that is said before `deckgen.cli` is imported.
    from deckgen import namesake

    namesake.tell()


def __getattr__(name: str) -> Any:
    """The names of the API that no station has, as `deckgen.NAME`, too."""
    api = import_module("deckgen.api")
    if name == "api":
        return api
    if name in api.__all__ and name not in _PACKAGES:
        return getattr(api, name)
    hint = f": the function is `deckgen.api.{name}`" if name in _PACKAGES else ""
    raise AttributeError(f"module 'deckgen' has no attribute '{name}'{hint}")
