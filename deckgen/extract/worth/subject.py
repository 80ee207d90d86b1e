"""Whether a note is about code: where nothing of it names any, knowing torch does not help to answer (CARDS.md, rule 6)."""

from __future__ import annotations

from deckgen.extract.text import plain
from deckgen.extract.worth.asked import question_of, row_and_column
from deckgen.extract.worth.code_names import is_code, names_code
from deckgen.extract.worth.whole import OF_TORCH, Whole
from deckgen.model.note import Api, Basic, FoundAs, Note
from deckgen.text.pattern import pattern

_CAMEL = pattern(
    r"\b(?!PyTorch|TensorFlow|NumPy|GitHub|OpenAI|HuggingFace)(?:[A-Z][a-z]+){2,}\b|\b[A-Z]{1,3}[a-z]+[A-Z]\w*\b"
)
_FORMULA = pattern(r"\$[^$]+\$")
_HERE = pattern(r"\b(?:this|these|here)\b|这|(?<![应活])该")
_DEFINED = pattern(r"^\W*(?:«worth.thing»|(?i:one)\b|[^，。；,;]*的[^的，。；]{1,10}(?:[。；]|$))")
"""`a tensor that ...`, `直接创建的张量`: what a thing is."""
_CALLS = pattern(r"`[^`]*[A-Za-z)\]]\.\w+\([^`]*`")
"""`x.argsort(dim=-1)`: how something is written, which is a row's answer."""
_SHOWS = pattern(r"```|!\[")
"""Code or a picture on the front, which `this` may be."""
_PARAMETER = pattern(r"[a-z][a-z0-9_]*(?:\s*\([A-Za-z, ]+\))?")
"""`kernel_size`, `preds (Tensor)`: a name that means something only for the call that has it."""
_TYPED = pattern(r"[a-z]\w*\s*[（(]")
"""`strict (bool)`: a parameter with its type."""
_OPINION = pattern(r"«worth.opinion_question»")
_COMPARES = pattern(r"\b(?:instead of|rather than|over)\b|而不")
_ABOVE = 2
"""Headings above a parameter that may say whose it is."""


def is_without_code(note: Note, whole: Whole) -> bool:
    """`What is overfitting?`, `Forward pass — What does it do?`: what is asked is no name of a program.

    A term counts that the code of its document writes as well; a question may have the code in its answer. Of a question in
    a few lines nobody knows what it is about.
    """
    if not isinstance(note.body, Basic):
        return False
    prompt, answer = note.body.prompt, note.body.answer
    if note.found_as is FoundAs.ROW:
        return not any(map(is_code, row_and_column(note))) and not _CALLS.fullmatch(answer.strip())
    if note.found_as is FoundAs.TERM:
        owned = _TYPED.match(plain(prompt)) and _has_owner(note)
        called = whole.calls(plain(prompt))
        defined = OF_TORCH.search(plain(prompt)) and _DEFINED.match(plain(answer))
        return not (owned or called or defined or names_code(prompt))
    if note.found_as is not FoundAs.QUESTION or whole.is_short:
        return False
    return not (any(map(_is_of_torch, (prompt, *note.headings[-1:]))) or _names(answer) or _FORMULA.search(answer))


def _is_of_torch(text: str) -> bool:
    return bool(OF_TORCH.search(plain(text)) or _FORMULA.search(text)) or _names(text)


def asks_of_lone_parameter(note: Note, whole: Whole) -> bool:
    """`dim` with what it means, where the card does not say of which call."""
    if not isinstance(note.body, Api) or note.found_as is not FoundAs.TERM:
        return False
    named = _PARAMETER.fullmatch(note.body.name) is not None
    return named and whole.lists_parameters(note.headings) and not _has_owner(note)


def _names(text: str) -> bool:
    """True for a text with code, or with a name in capitals: `DataLoader`."""
    return names_code(text) or _CAMEL.search(plain(text)) is not None


def asks_for_opinion(note: Note) -> bool:
    """`Why choose a notebook?`, `What are the benefits of hooks?`: as many answers as there are people."""
    asked = plain(question_of(note))
    return _OPINION.search(asked) is not None and _COMPARES.search(asked) is None


def asks_of_this(note: Note) -> bool:
    """`What is this package for?`: nobody knows a year later what `this` was."""
    asked = question_of(note)
    return _HERE.search(plain(asked)) is not None and _SHOWS.search(asked) is None


def _has_owner(note: Note) -> bool:
    """True for a note below a heading that names a call."""
    return any(map(_names, note.headings[-_ABOVE:]))
