"""Signs that told good cards from bad on rated samples (docs/design.md): each is a doubt, and none refuses anything."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from deckgen.extract.code.in_place import point_of, printed_by
from deckgen.extract.code.statements import Statement, statements
from deckgen.extract.text import code_spans, plain
from deckgen.extract.worth.asked import question_of, row_and_column
from deckgen.extract.worth.code_names import is_code
from deckgen.extract.worth.whole import Whole
from deckgen.model.note import Api, Basic, Note, Output
from deckgen.text.pattern import pattern

_NUMBER = pattern(r"(?<![A-Za-z_\d.])\d+(?:\.\d*)?")
_FEWEST = 2
"""Numbers of an output that stand in its code by more than chance."""
_ONE_VALUE = pattern(r"(?:tensor|torch\.Size|array)?[(\[][^a-z]*+(?:dtype=[\w.]++)?[^a-z]*+")
"""A tensor or a shape."""
_PLAIN = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Expr)
_SENTENCE = pattern(r"[.!?](?=\s)|[。！？]")
_COMMA = pattern(r"[,，、;；]")
_COMMAS = 2
_NAMES = 4
_METHOD = pattern(r"__\w+__|forward|train|eval|step|backward")
"""What objects of many classes have."""
_CLASS = pattern(
    r"(?<![\w.])(?:[A-Za-z_]\w*\.)*(?!PyTorch|TensorFlow|TensorBoard|NumPy|GitHub|OpenAI|DeepSpeed|HuggingFace)[A-Z][a-z]+[A-Z]\w*"
    r"|(?<![\w.])(?:[A-Za-z_]\w*\.)+[A-Z]\w+|\b(?:Module|Dataset|Optimizer|Function|Tensor|Sampler|Trainer)\b",
    re.ASCII,
)
_ABOVE = 2
"""Headings that may name the class."""


# methods


def with_class(note: Note) -> Note:
    """A method with its class, where the headings above name one: `Dataset.__getitem__`. Its key stays."""
    owner = _class_above(note) if is_bare_method(note) else ""
    if not owner or not isinstance(note.body, Api):
        return note
    name, signature = f"{owner}.{note.body.name}", f"{owner}.{note.body.signature}"
    return replace(note, body=replace(note.body, name=name, signature=signature))


def is_bare_method(note: Note) -> bool:
    """`forward`, `__init__()`: a name that says nothing without its class."""
    return isinstance(note.body, Api) and _METHOD.fullmatch(note.body.name.partition("(")[0].strip()) is not None


def is_without_class(note: Note) -> bool:
    """A method of which nothing says whose it is."""
    return is_bare_method(note) and not _class_above(note)


def _class_above(note: Note) -> str:
    for heading in reversed(note.headings[-_ABOVE:]):
        if found := {one[0] for one in _CLASS.finditer(plain(heading))}:
            return found.pop() if len(found) == 1 else ""
    return ""


# outputs


def has_numbers_of_code(note: Note) -> bool:
    """All numbers of a tensor or a shape stand in the code side by side; not where a call might have changed them and has not.

    What a loop or a function does with numbers is another question.
    """
    body = note.body
    if not isinstance(body, Output) or _ONE_VALUE.fullmatch(body.output.strip()) is None:
        return False
    found = statements(body.code) or ()
    if point_of(found, body.target) is not None or not all(isinstance(one.node, _PLAIN) for one in found):
        return False
    typed = [float(one) for one in _NUMBER.findall(body.code)]
    told = [float(one) for one in _NUMBER.findall(body.output)]
    return len(told) >= _FEWEST and any(typed[at : at + len(told)] == told for at in range(len(typed)))


def prints_twice(note: Note) -> bool:
    """Two prints are two questions, unless they stand in a loop, or are tried."""
    body = note.body
    if not isinstance(body, Output) or body.asked != "output":
        return False
    return sum(bool(printed_by(one.node)) for one in statements(body.code) or ()) > 1


def has_dead_code(note: Note) -> bool:
    """A name is given that nothing below uses."""
    body = note.body
    if not isinstance(body, Output):
        return False
    found = statements(body.code) or ()
    point = point_of(found, body.target)
    used: set[str] = set(_names(body.target))
    for one in reversed(found):
        if one is not found[-1] and one is not point and _only_names(one) and used.isdisjoint(one.binds):
            return True
        used |= one.loads | one.changes
    return False


def _names(code: str) -> list[str]:
    found = statements(code) if code else ()
    return [name for one in found or () for name in one.loads]


def _only_names(statement: Statement) -> bool:
    return isinstance(statement.node, ast.Assign | ast.AnnAssign) and bool(statement.binds)


def shows_what_a_sister_shows(note: Note, whole: Whole) -> bool:
    """A card above of the same code has this output."""
    return isinstance(note.body, Output) and whole.shows_again(note)


def is_asked_again(note: Note, whole: Whole) -> bool:
    """A card above under other headings asks this in the same words, or of the same code."""
    return not is_bare_method(note) and whole.is_asked_again(note)


# answers


def tells_several(note: Note) -> bool:
    """An answer with two commas in a sentence, or four names."""
    if not question_of(note) or not isinstance(note.body, Basic) or "\n" in note.body.answer.strip():
        return False
    answer = note.body.answer
    most = max(len(_COMMA.findall(one)) for one in _SENTENCE.split(plain(answer)))
    return most >= _COMMAS or len(set(code_spans(answer))) >= _NAMES


def asks_of_name_above(note: Note) -> bool:
    """A column with the name of a call at its head, and rows that are aspects of it: `Memory — reshape?`."""
    row, column = row_and_column(note)
    return bool(row) and is_code(column) and not is_code(row)
