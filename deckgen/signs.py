"""Signs in text that several stations look for: Chinese characters, tags of HTML, colours of a terminal."""

from __future__ import annotations

from deckgen.pattern import pattern

CHINESE = pattern(r"[\u3400-\u9fff\uf900-\ufaff]")
"""A character of it; its punctuation is no sign, since people type it in English, too."""
TAG = pattern(r"<[^>]*>")
"""In HTML whose attributes hold no `>`."""
COLOUR = pattern(r"\x1b\[[0-9;?]*[A-Za-z]")
"""An escape sequence, of colours or of the cursor."""
