"""What a document as a whole tells about each of its notes; found out once, when it is first asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cached_property

from deckgen.extract.key import code_anchor
from deckgen.extract.text import plain
from deckgen.extract.worth.code_names import names_code
from deckgen.model.document import Code, Document
from deckgen.model.note import Api, Basic, FoundAs, Note, Output
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
_OWNERS = 2
"""Headings above a name that may say whose it is."""
_TERMS = (FoundAs.TERM, FoundAs.ENTRY)
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

    @cached_property
    def _again(self) -> frozenset[int]:
        """Ids of the notes that ask what one above asks, too: in the same words, or of the same code."""
        seen: set[Hashable] = set()
        return frozenset(id(note) for note in self._notes if (asked := _asked_of(note)) and _is_old(asked, seen))

    @cached_property
    def _shown_again(self) -> frozenset[int]:
        """Ids of the notes whose output one above of the same code has, too."""
        seen: set[Hashable] = set()
        return frozenset(
            id(note)
            for note in self._notes
            if isinstance(note.body, Output) and _is_old((note.span.start, note.body.output, note.body.asked), seen)
        )

    def is_asked_again(self, note: Note) -> bool:
        """True if a note above asks the same, under whatever headings."""
        return id(note) in self._again

    def shows_again(self, note: Note) -> bool:
        """True if a note above, of the same code, has the same output."""
        return id(note) in self._shown_again

    def lists_parameters(self, headings: tuple[str, ...]) -> bool:
        """True for headings below which names stand with their types: parameters of a call."""
        return headings in self._typed

    def is_shared(self, meaning: str) -> bool:
        """True for a meaning that its notes give for several names: that of a heading above them all."""
        return len(self._names_by_meaning[plain(meaning)]) > 1


def _asked_of(note: Note) -> Hashable:
    """What a note asks without its headings; None of those that may well be asked of two things."""
    body = note.body
    if isinstance(body, Output):
        return body.prompt, code_anchor(body.code), body.target
    if isinstance(body, Basic | Api) and note.found_as in _TERMS:
        owners = tuple(heading for heading in note.headings[-_OWNERS:] if names_code(heading))
        return plain(body.prompt if isinstance(body, Basic) else body.signature), owners
    return None


def _is_old(one: Hashable, seen: set[Hashable]) -> bool:
    """True if it was seen before; it is seen now."""
    old = one in seen
    seen.add(one)
    return old
