"""Items of lists that lead somewhere else and say nothing by themselves."""

from __future__ import annotations

from deckgen.extract.text import has_words, plain, tells
from deckgen.pattern import pattern

_ANY_LINK = pattern(r"\[[^\]]*\]\([^)]*\)")
_LINK = pattern(r"^\W*(?:\[[^\]]*\]\([^)]*\)|<https?:[^>]*>|https?://\S+)")


def is_link(text: str) -> bool:
    """True for an item that is a link, or begins with one."""
    if tells(text):
        return False
    words = plain(text)
    return bool(_LINK.match(text)) or not has_words(_ANY_LINK.sub("", words) if "](" in words else words)
