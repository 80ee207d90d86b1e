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


def any_of(*words: str) -> re.Pattern[str]:
    """A pattern of alternatives, in any case."""
    return pattern("|".join(words), re.IGNORECASE)
