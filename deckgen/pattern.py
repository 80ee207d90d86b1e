"""Regular expressions that are compiled when they are first used.

There are some four hundred in the program, and a run needs a fifth of them: compiling them all at import takes a
quarter of a second, most of what starting takes.
"""

from __future__ import annotations

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
            self._compiled = re.compile(self.pattern, self._flags)
            return self._compiled
        asked = getattr(self._compiled, name)
        setattr(self, name, asked)
        return asked


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, for the patterns of a module; a fault in `text` shows at the first use."""
    return cast("re.Pattern[str]", _Waiting(text, flags))


class Words:
    """Ways to say something, looked for in any case.

    The text is put in small letters, and not the pattern set to ignore case: so `re` passes over all that cannot begin one, which
    takes a fraction of the time, and compiling half of it. A match is one of the text in small letters.
    """

    def __init__(self, words: tuple[str, ...]) -> None:
        self.pattern = "|".join(words)
        self._english = pattern(words[-1])
        self._all = pattern(self.pattern) if len(words) > 1 else self._english

    def search(self, text: str) -> re.Match[str] | None:
        return (self._english if text.isascii() else self._all).search(text.lower())

    def match(self, text: str) -> re.Match[str] | None:
        return (self._english if text.isascii() else self._all).match(text.lower())

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return (self._english if text.isascii() else self._all).fullmatch(text.lower())


def any_of(*words: str) -> Words:
    """Alternatives in small letters. All that can stand in a text of ASCII alone are in the last."""
    return Words(words)
