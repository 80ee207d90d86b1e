"""TOML of strangers: `deck.toml`, and front matter between `+++`."""

from __future__ import annotations

import tomllib
from typing import Any

from deckgen.text.pattern import pattern

_DEEP_KEY = pattern(r"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){32}")
"""`a.b.c...`: reading it takes a time that grows with the square of its length."""


def parsed_toml(text: str) -> dict[str, Any]:
    """The table that a text is. Raises ValueError, whatever is wrong with it, with a line if it can be told."""
    if _DEEP_KEY.search(text):
        raise ValueError("nested too deeply")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
