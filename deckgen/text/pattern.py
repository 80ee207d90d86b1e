"""Regular expressions that are compiled when they are first used.

There are some four hundred in the program, and a run needs a fifth of them: compiling them all at import takes a
quarter of a second, most of what starting takes.

Signs in text that several stations look for: Chinese characters, tags of HTML, colours of a terminal, clozes.
"""

from __future__ import annotations

import html
import re
from typing import Any, cast


class _Waiting:
    """Stands for a compiled pattern; what was asked of it once is at hand without asking again."""

    def __init__(self, text: str, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # not for copying, pickling and the like
            raise AttributeError(name)
        if name == "_compiled":
            self._compiled = re.compile(_expand(self.pattern), self._flags)
            return self._compiled
        asked = getattr(self._compiled, name)
        setattr(self, name, asked)
        return asked


def _expand(text: str) -> str:
    if "«" not in text:
        return text
    from deckgen.lexicon import expand  # reads files, which a quick command does without

    return expand(text)


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, for the patterns of a module; a fault in `text` shows at the first use.

    `«quiz.right»` in it stands for the words of that role in the lexicon, in every language.
    """
    return cast("re.Pattern[str]", _Waiting(text, flags))


class Words:
    """Ways to say something in Chinese and in English, looked for in any case.

    The text is put in small letters, and not the pattern set to ignore case: so `re` passes over all that cannot begin one, which
    takes a fraction of the time, and compiling half of it. A match is one of the text in small letters, the first in its language.
    """

    def __init__(self, chinese: str, english: str) -> None:
        self.pattern = f"{chinese}|{english}" if chinese else english
        self._chinese = pattern(chinese) if chinese else None
        self._english = pattern(english)

    def _found(self, how: str, text: str) -> re.Match[str] | None:
        text = text.lower()
        found: re.Match[str] | None = getattr(self._english, how)(text)
        if found is None and self._chinese and not text.isascii():
            found = getattr(self._chinese, how)(text)
        return found

    def search(self, text: str) -> re.Match[str] | None:
        return self._found("search", text)

    def match(self, text: str) -> re.Match[str] | None:
        return self._found("match", text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._found("fullmatch", text)


def any_of(*words: str) -> Words:
    """Alternatives in small letters. All that can stand in a text of ASCII alone are in the last."""
    return Words("|".join(words[:-1]), words[-1])


CHINESE = pattern(r"[\u3400-\u9fff\uf900-\ufaff]")
"""A character of it; its punctuation is no sign, since people type it in English, too."""
COLOUR = pattern(r"\x1b\[[0-9;?]*[A-Za-z]")
"""An escape sequence, of colours or of the cursor."""
CLOZE = pattern(r"\{\{c[\d,]+::")
"""How a cloze deletion of Anki's begins."""
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
