"""Lines for IPython and the shell: `%timeit`, `!pip`."""

from __future__ import annotations

from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_SILENT = pattern(r"\s*%{1,2}(?:matplotlib|load_ext|reload_ext|autoreload|config|env|cd|pylab|capture|time)\b")


def is_magic(line: str) -> bool:
    """A line for IPython or the shell."""
    return line.lstrip().startswith(("%", "!"))


def without_magic(code: str) -> str:
    """Code without its lines for IPython and the shell; in what parses, a line that begins with `%` is Python."""
    if parsed(code) is not None:
        return code
    return "\n".join(line for line in code.split("\n") if not is_magic(line))


def only_magic(code: str) -> bool:
    """True if all lines of a text are for IPython or the shell."""
    return all(is_magic(line) for line in code.split("\n") if line.strip())


def prints_by_magic(code: str) -> bool:
    """A line for IPython or the shell writes something: a time, a list of files, what an installer says."""
    return any(is_magic(line) and not _SILENT.match(line) for line in code.split("\n"))
