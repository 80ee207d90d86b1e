"""Names of a program in a text of the notes."""

from __future__ import annotations

from deckgen.extract.text import CODE_SPAN, code_spans, has_words, plain
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_IDENTIFIER = pattern(
    r"[A-Za-z_]\w*\((?!s\))|(?<![\w./:])(?:[A-Za-z_]\w+(?:\.[A-Za-z_]\w*)+|[a-z]\.[a-z_]{3,})(?![\w/])|\b[a-z]\w*_\w+|__\w+__|<\w+>"
)
"""`f(x)`, `nn.Linear`, `x.reshape`, `in_features`; not the end of a page's address, and no `GPU(s)`."""
_LETTERS = pattern(r"[A-Za-z]")


def names_code(text: str) -> bool:
    """True for a text in which something of a program stands: a code span, a fence, a call, a dotted name."""
    return "```" in text or any(map(_LETTERS.search, code_spans(text))) or _IDENTIFIER.search(plain(text)) is not None


def is_code(text: str) -> bool:
    """True for a text that is names of a program and nothing else: `nn.Linear`, `children()` / `modules()`."""
    if not names_code(text):
        return False
    if "\n" not in text and parsed(text.replace("`", "")) is not None:
        return True
    words = plain(CODE_SPAN.sub(" ` ", text))
    return not has_words(_IDENTIFIER.sub(" ", words).replace("True", "").replace("False", ""))
