"""What a document as a whole tells about each of its notes; found out once, when it is first asked."""

from __future__ import annotations

from functools import cached_property

from deckgen.model.document import Code, Document
from deckgen.text.pattern import pattern

_TELLING = 400
"""Characters of a text that tell what it is about."""
_LONG = 2000
"""Characters of a text that names torch, or several things of torch's, if it is about it; a shorter one may say only `model`."""
_TORCHS = pattern(r"(?i:torch)|\bnn\.[A-Z]|\brequires_grad\b|\.backward\(")
_WORDS_OF_TORCH = 4
_DEFINED = pattern(r"(?m)^(?:class|(?:async\s+)?def)\s+(\w+)")
_NAME = pattern(r"(?<![\w'\"])[A-Z][a-z]\w+")
FIELD = pattern(r"«worth.field»")
OF_TORCH = pattern(r"«worth.torch_word»")


class Whole:
    """A document, seen from its notes."""

    def __init__(self, document: Document) -> None:
        self._text = document.source.text
        self._code = [block.text for block in document.blocks if isinstance(block, Code)]

    @property
    def is_short(self) -> bool:
        """True for a few lines, which tell too little of what they are about."""
        return len(self._text) < _TELLING

    @cached_property
    def is_about_torch(self) -> bool:
        """True if it names torch, or several things that torch has a name for."""
        if any(_TORCHS.search(one) for one in (self._text, *self._code)):
            return True
        brief = len(self._text) < _LONG
        words = {one.lower() for one in (FIELD if brief else OF_TORCH).findall(self._text)}
        return len(words) >= (1 if brief else _WORDS_OF_TORCH)

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Functions and classes that its code defines."""
        return frozenset(name for code in self._code for name in _DEFINED.findall(code))

    @cached_property
    def _written(self) -> frozenset[str]:
        return frozenset(name for code in self._code for name in _NAME.findall(code))

    def writes(self, term: str) -> bool:
        """True if its code writes a name of a term: `DataLoader`, `Subset`."""
        return not self._written.isdisjoint(_NAME.findall(term))
