"""What a document as a whole tells about each of its notes; found out once, when it is first asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from deckgen.extract.text import plain
from deckgen.model.document import Code, Document
from deckgen.model.note import Api, Basic, Note
from deckgen.text.pattern import pattern

_TELLING = 400
"""Characters of a text that tell what it is about."""
_LONG = 2000
"""Characters of a text that names torch, or several things of torch's, if it is about it; a shorter one may say only `model`."""
_TORCHS = pattern(r"(?i:torch)|\bnn\.[A-Z]|\brequires_grad\b|\.backward\(")
_WORDS_OF_TORCH = 4
_DEFINED = pattern(r"(?m)^(?:class|(?:async\s+)?def)\s+(\w+)")
_NAME = pattern(r"(?<![\w'\"])[A-Z][a-z]\w+")
_CALLED = pattern(r"(?<=\w\.)[A-Z][a-z]\w+|(?<![\w'\"])[A-Z][a-z]\w+(?=\()")
_SETTING = pattern(r"`(?P<name>\w+)\s*=\s*(?P<value>[^`]*)`")
FIELD = pattern(r"«worth.field»")
OF_TORCH = pattern(r"«worth.torch_word»")


class Whole:
    """A document and all its notes, seen from one of them."""

    def __init__(self, document: Document, notes: Iterable[Note]) -> None:
        self._notes = tuple(notes)
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
    def _called(self) -> frozenset[str]:
        return frozenset(name for code in self._code for name in _CALLED.findall(code))

    def calls(self, term: str) -> bool:
        """True if its code calls, or takes from a module, a name of a term: `DataLoader`, `Subset`."""
        return not self._called.isdisjoint(_NAME.findall(term))

    @cached_property
    def _names_by_meaning(self) -> dict[str, set[str]]:
        found = defaultdict[str, set[str]](set)
        for note in self._notes:
            if isinstance(note.body, Api):
                found[plain(note.body.meaning)].add(note.body.name.rpartition(".")[2])
        return found

    @cached_property
    def _typed(self) -> frozenset[tuple[str, ...]]:
        return frozenset(
            note.headings for note in self._notes if isinstance(note.body, Api) and dict(note.body.details).get("type")
        )

    @cached_property
    def settings(self) -> dict[str, set[str]]:
        """Values that its terms give to each name: 0 and 1 to `dim` by `dim=0` and `dim=1`."""
        found = defaultdict[str, set[str]](set)
        for note in self._notes:
            if isinstance(note.body, Basic) and (setting := _SETTING.fullmatch(note.body.prompt.strip())):
                found[setting["name"]].add(setting["value"])
        return found

    def lists_parameters(self, headings: tuple[str, ...]) -> bool:
        """True for headings below which names stand with their types: parameters of a call."""
        return headings in self._typed

    def is_shared(self, meaning: str) -> bool:
        """True for a meaning that its notes give for several names: that of a heading above them all."""
        return len(self._names_by_meaning[plain(meaning)]) > 1
