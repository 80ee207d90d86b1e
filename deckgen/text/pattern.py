"""Regular expressions that are compiled when they are first used.

There are some four hundred in the program, and a run needs a fifth of them: compiling them all at import takes a
quarter of a second, most of what starting takes.

Signs in text that several stations look for: Chinese characters, tags of HTML, colours of a terminal, clozes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cached_property
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
    """Alternatives with roles of the lexicon, looked for in any case, with the words of one language after the other.

    The text is put in small letters, and not the pattern set to ignore case: so `re` passes over all that cannot begin one, which
    takes a fraction of the time, and compiling half of it. A match is one of the text in small letters, the first in its language:
    what English or no language says is looked for in every text, and what Chinese says in text that is not ASCII alone.
    """

    def __init__(self, *alternatives: str) -> None:
        self.alternatives = alternatives

    @cached_property
    def english(self) -> re.Pattern[str]:
        return self._in("en", self.alternatives)

    @cached_property
    def chinese(self) -> re.Pattern[str]:
        return self._in("zh", [one for one in self.alternatives if "«" in one])

    @staticmethod
    def _in(language: str, alternatives: Iterable[str]) -> re.Pattern[str]:
        from deckgen.lexicon import in_small_letters  # reads files, which a quick command does without

        said = [text for one in alternatives if (text := in_small_letters(one, language)) is not None]
        return re.compile("|".join(said) or _NEVER)

    def _found(self, how: str, text: str) -> re.Match[str] | None:
        text = text.lower()
        found: re.Match[str] | None = getattr(self.english, how)(text)
        if found is None and not text.isascii():
            found = getattr(self.chinese, how)(text)
        return found

    def search(self, text: str) -> re.Match[str] | None:
        return self._found("search", text)

    def match(self, text: str) -> re.Match[str] | None:
        return self._found("match", text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._found("fullmatch", text)


_NEVER = r"(?!)"

HAN = r"\u3400-\u9fff\uf900-\ufaff"
"""Chinese characters, within the brackets of an expression; their punctuation is no sign, since people type it in English, too."""
CHINESE = pattern(f"[{HAN}]")
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
