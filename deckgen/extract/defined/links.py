"""Items of lists that lead somewhere else and say nothing by themselves."""

from __future__ import annotations

from deckgen.extract.text import has_words, plain, tells
from deckgen.text.pattern import pattern

_ANY_LINK = pattern(r"\[[^\]]*\]\([^)]*\)")
_LINK = pattern(r"^\W*(?:\[[^\]]*\]\([^)]*\)|<https?:[^>]*>|https?://\S+)")


_NOTES = pattern(r"!?\[\[[^\]\n]*\]\]|\[[^\]\n]*\]\([^)\n]*\)|https?://\S+")
"""Links to other notes, to pages, addresses."""


def only_links(text: str) -> bool:
    """True for what says nothing but where to go on: `[[04 - Loss]] · **Next:** [[06 - Optimizers]]`."""
    if "[[" not in text and "](" not in text and "://" not in text:
        return False
    rest = _NOTES.sub("", text)
    return rest != text and not any(has_words(part) for part in _LABELS.sub("", rest).split("·"))


_LABELS = pattern(r"\*\*[^*\n]{1,16}[:：]?\*\*\s*[:：]?|(?:^|[·|•])\s*\w{1,12}[:：]")


def is_link(text: str) -> bool:
    """True for an item that is a link, or begins with one."""
    if tells(text):
        return False
    words = plain(text)
    return bool(_LINK.match(text)) or not has_words(_ANY_LINK.sub("", words) if "](" in words else words)
