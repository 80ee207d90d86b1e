"""What a note asks and says, and what its document tells about it: each is worked out once, when it is first asked."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from deckgen.extract.code.in_place import point_of
from deckgen.extract.code.prints import Shown, shown_by
from deckgen.extract.code.statements import Statement, statements
from deckgen.extract.key import code_anchor
from deckgen.extract.text import is_chinese, plain, width
from deckgen.extract.worth.prose import names_code, prose_of, sentences_of
from deckgen.model.document import Code, Document
from deckgen.model.note import Api, Basic, FoundAs, Note, Output
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

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
_ABOVE = 2
"""Headings above a name that may say whose it is."""
_METHOD = pattern(r"__\w+__|forward|train|eval|step|backward")
"""What objects of many classes have."""
_CLASS = pattern(
    r"(?<![\w.])(?:[A-Za-z_]\w*\.)*(?!PyTorch|TensorFlow|TensorBoard|NumPy|GitHub|OpenAI|DeepSpeed|HuggingFace)[A-Z][a-z]+[A-Z]\w*"
    r"|(?<![\w.])(?:[A-Za-z_]\w*\.)+[A-Z]\w+|\b(?:Module|Dataset|Optimizer|Function|Tensor|Sampler|Trainer)\b",
    re.ASCII,
)
FIELD = pattern(r"«worth.field»")
OF_TORCH = pattern(r"«worth.torch_word»")


@dataclass(frozen=True, eq=False)
class CodeFacts:
    """Code that a note asks about, and what it shows."""

    body: Output

    @cached_property
    def tree(self) -> ast.Module | None:
        return parsed(self.body.code)

    @cached_property
    def statements(self) -> Sequence[Statement]:
        return statements(self.body.code) or ()

    @cached_property
    def point(self) -> Statement | None:
        """The line above the last one that the note is about, if there is one."""
        return point_of(self.statements, self.body.target)

    @cached_property
    def shown(self) -> Sequence[Shown]:
        """The statements that print or show something, each with its part of the output."""
        return shown_by(self.body.code, self.body.cell, self.body.output) if self.body.asked == "output" else ()


class DocumentFacts:
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

    def is_shared(self, meaning: str) -> bool:
        """True for plain words that its notes give as the meaning of several names: those of a heading above them all."""
        return len(self._names_by_meaning[meaning]) > 1

    @cached_property
    def _typed(self) -> frozenset[tuple[str, ...]]:
        return frozenset(
            note.headings for note in self._notes if isinstance(note.body, Api) and dict(note.body.details).get("type")
        )

    def lists_parameters(self, headings: tuple[str, ...]) -> bool:
        """True for headings below which names stand with their types: parameters of a call."""
        return headings in self._typed

    @cached_property
    def settings(self) -> dict[str, set[str]]:
        """Values that its terms give to each name: 0 and 1 to `dim` by `dim=0` and `dim=1`."""
        found = defaultdict[str, set[str]](set)
        for note in self._notes:
            if isinstance(note.body, Basic) and (setting := _SETTING.fullmatch(note.body.prompt.strip())):
                found[setting["name"]].add(setting["value"])
        return found

    @cached_property
    def asked_again(self) -> frozenset[int]:
        """Ids of the notes that ask what one above asks, too, under whatever headings: in the same words, or of the same code."""
        seen: set[Hashable] = set()
        return frozenset(id(note) for note in self._notes if (asked := _asked_of(note)) and _is_old(asked, seen))

    @cached_property
    def shown_again(self) -> frozenset[int]:
        """Ids of the notes whose output one above of the same code has, too."""
        seen: set[Hashable] = set()
        return frozenset(
            id(note)
            for note in self._notes
            if isinstance(note.body, Output) and _is_old((note.span.start, note.body.output, note.body.asked), seen)
        )


@dataclass(frozen=True, eq=False)
class Facts:
    """What a note asks and says."""

    note: Note
    document: DocumentFacts

    # what it is

    @property
    def found_as(self) -> FoundAs:
        return self.note.found_as

    @cached_property
    def basic(self) -> Basic | None:
        return self.note.body if isinstance(self.note.body, Basic) else None

    @cached_property
    def api(self) -> Api | None:
        return self.note.body if isinstance(self.note.body, Api) else None

    @cached_property
    def code(self) -> CodeFacts | None:
        """The code that it asks about; None of other notes."""
        return CodeFacts(self.note.body) if isinstance(self.note.body, Output) else None

    @cached_property
    def is_term(self) -> bool:
        """True for a term or a name, and what it means."""
        return self.found_as is FoundAs.TERM and (self.basic or self.api) is not None

    @cached_property
    def entry(self) -> Api | None:
        """A call and what is said of it below its name."""
        return self.api if self.found_as is FoundAs.ENTRY else None

    # what it asks

    @cached_property
    def term(self) -> str:
        """The term whose meaning it asks for; empty of other notes."""
        return self.basic.prompt.strip() if self.basic and self.found_as is FoundAs.TERM else ""

    @cached_property
    def term_words(self) -> str:
        return plain(self.term)

    @cached_property
    def question(self) -> str:
        """The question of the author's that it asks; empty of other notes."""
        return self.basic.prompt if self.basic and self.found_as is FoundAs.QUESTION else ""

    @cached_property
    def question_words(self) -> str:
        return plain(self.question)

    @cached_property
    def cell(self) -> tuple[str, str]:
        """The first cell of a row and the header of a column, of a note that asks for a cell; empty of other notes."""
        if self.basic is None or self.found_as is not FoundAs.ROW:
            return "", ""
        row, _, column = self.basic.prompt.rstrip("?？").partition(" — ")
        return row, column

    @cached_property
    def row_words(self) -> str:
        return plain(self.cell[0])

    @cached_property
    def column_words(self) -> str:
        return plain(self.cell[1])

    @cached_property
    def language(self) -> str:
        return "zh" if is_chinese(f"{self.term}{self.answer}") else "en"

    @cached_property
    def has_owner(self) -> bool:
        """True below a heading that names a call."""
        return any(map(names_something, self.note.headings[-_ABOVE:]))

    # what it answers

    @cached_property
    def answer(self) -> str:
        """The answer of a Basic note or the meaning of an Api note; empty of other notes."""
        return self.basic.answer if self.basic else self.api.meaning if self.api else ""

    @cached_property
    def words(self) -> str:
        """The plain words of its answer."""
        return plain(self.answer)

    @cached_property
    def width(self) -> int:
        """Columns of the words of its answer."""
        return width(self.words)

    @cached_property
    def first(self) -> str:
        """The first sentence of its answer."""
        return next(iter(sentences_of(self.answer)), "")

    @cached_property
    def prose(self) -> str:
        """Its answer without fences and pictures."""
        return prose_of(self.answer)

    @cached_property
    def prose_words(self) -> str:
        return plain(self.prose)


_CAMEL = pattern(
    r"\b(?!PyTorch|TensorFlow|NumPy|GitHub|OpenAI|HuggingFace)(?:[A-Z][a-z]+){2,}\b|\b[A-Z]{1,3}[a-z]+[A-Z]\w*\b"
)


def names_something(text: str) -> bool:
    """True for a text with code, or with a name in capitals: `DataLoader`."""
    return names_code(text) or _CAMEL.search(plain(text)) is not None


def is_bare_method(note: Note) -> bool:
    """`forward`, `__init__()`: a name that says nothing without its class."""
    return isinstance(note.body, Api) and _METHOD.fullmatch(note.body.name.partition("(")[0].strip()) is not None


def class_above(note: Note) -> str:
    """The class that the headings above a method name; empty if they name none, or several."""
    for heading in reversed(note.headings[-_ABOVE:]):
        if found := {one[0] for one in _CLASS.finditer(plain(heading))}:
            return found.pop() if len(found) == 1 else ""
    return ""


def _asked_of(note: Note) -> Hashable:
    """What a note asks without its headings; None of those that may well be asked of two things."""
    body = note.body
    if isinstance(body, Output):
        return body.prompt, code_anchor(body.code), body.target
    if isinstance(body, Basic | Api) and note.found_as in (FoundAs.TERM, FoundAs.ENTRY):
        owners = tuple(heading for heading in note.headings[-_ABOVE:] if names_code(heading))
        return plain(body.prompt if isinstance(body, Basic) else body.signature), owners
    return None


def _is_old(one: Hashable, seen: set[Hashable]) -> bool:
    """True if it was seen before; it is seen now."""
    old = one in seen
    seen.add(one)
    return old
