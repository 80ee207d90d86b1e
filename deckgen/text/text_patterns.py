"""Signs in text that several stations look for: Chinese characters, tags of HTML, colours of a terminal."""

from __future__ import annotations

import html
import re

from deckgen.text.pattern import pattern

CHINESE = pattern(r"[\u3400-\u9fff\uf900-\ufaff]")
"""A character of it; its punctuation is no sign, since people type it in English, too."""
COLOUR = pattern(r"\x1b\[[0-9;?]*[A-Za-z]")
"""An escape sequence, of colours or of the cursor."""
_TAG = pattern(r"<[^>]*>")
_ENDLESS = pattern(r"&#[0-9]{100,};?")


def untagged(markup: str, instead: str = "", tag: re.Pattern[str] = _TAG) -> str:
    """HTML whose attributes hold no `>`, without its tags, or without those that `tag` means.

    Behind the last `>` none ends, and is looked for: from each `<` to the end would take time by the square.
    """
    end = markup.rfind(">") + 1
    return tag.sub(instead, markup[:end]) + markup[end:]


def unescaped(text: str) -> str:
    """HTML's entities as characters. A number that no character has is U+FFFD, also one of more digits than Python reads."""
    return html.unescape(_ENDLESS.sub("\ufffd", text))
