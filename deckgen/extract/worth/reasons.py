"""Why code prints what it prints, in its author's words: the sentence beside the code that speaks of its output."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from deckgen.extract import wording
from deckgen.extract.claims.values import announces
from deckgen.extract.code.statements import statements
from deckgen.extract.notes.statement import says
from deckgen.extract.text import code_spans, has_words, plain, width
from deckgen.extract.worth.prose import (
    begins_midway,
    breaks_off,
    has_debris,
    instructs,
    is_personal,
    leads_elsewhere,
    points_away,
    sentences_of,
    talks,
)
from deckgen.model.document import Code, Document, Prose
from deckgen.model.document import Output as Stored
from deckgen.model.note import Note, Output
from deckgen.text.pattern import pattern

_SHORTEST = 24
_LONGEST = 180
"""Columns of a reason."""
_SENTENCES = 3
"""Of a paragraph that is about the code beside it alone."""
_OF_OUTPUT = pattern("«worth.of_output»")
_WHY = pattern("«worth.why»")
_UNCHECKED = pattern(r"tensor\(|\bError\b|https?:|[?？]\s*$")
_WORD = pattern(r"[A-Za-z_]\w+")


def with_reasons(notes: Iterable[Note], document: Document) -> tuple[Note, ...]:
    """The notes, those of code without an explanation with the sentence beside their code that gives one.

    Of several notes of the same code a sentence is about the one whose last line calls what it names.
    """
    every = tuple(notes)
    starts = [block.span.start for block in document.blocks]
    places = {id(note): bisect_right(starts, note.span.start) - 1 for note in every if isinstance(note.body, Output)}
    asked = Counter(places.values())
    made: list[Note] = []
    for note in every:
        at = places.get(id(note), -1)
        body = note.body
        if isinstance(body, Output) and not body.explanation:
            reason = _reason(document, at, note, body) if asked[at] == 1 else _of_several(document, at, body)
            made.append(replace(note, body=replace(body, explanation=reason)))
        else:
            made.append(note)
    return tuple(made)


def _of_several(document: Document, at: int, body: Output) -> str:
    """The sentence right above the code that names what the last line of this card calls."""
    called = frozenset(name for name in _names_at_end(body, 1) if f".{name}" in body.code.rpartition("\n")[2])
    return _sentence(document, at - 1, lambda one: _states(one, called))


def _reason(document: Document, at: int, note: Note, body: Output) -> str:
    """The sentence right below the code and its output that speaks of it, or the one right above."""
    blocks = document.blocks
    below = at + 1
    while below < len(blocks) and (isinstance(blocks[below], Stored) or blocks[below].span.start < note.span.stop):
        below += 1
    names = _names_at_end(body)
    leads_on = below + 1 < len(blocks) and isinstance(blocks[below + 1], Code)
    sentence = _sentence(document, below, lambda one: _is_why(one, names, strictly=leads_on))
    return sentence or _sentence(document, at - 1, lambda one: _states(one, names))


def _sentence(document: Document, at: int, speaks: Callable[[str], bool]) -> str:
    """The first sentence of a short paragraph that speaks of the output; empty if there is none."""
    block = document.blocks[at] if 0 <= at < len(document.blocks) else None
    if not isinstance(block, Prose) or announces(block.text) or block.text.rstrip().endswith((":", "：")):
        return ""
    sentences = sentences_of(" ".join(block.text.split()))
    if len(sentences) > _SENTENCES:
        return ""
    return next((one for one in sentences if _can_stand(one) and speaks(one)), "")


def _can_stand(sentence: str) -> bool:
    """True for a sentence that can stand below an answer."""
    leans = (talks, instructs, is_personal, points_away, breaks_off, has_debris, begins_midway)
    if any(one(sentence) for one in leans) or leads_elsewhere(sentence, _SHORTEST) or _UNCHECKED.search(sentence):
        return False
    chatter = wording.CHATTER.search(plain(sentence)) or wording.LEADS_ON.search(plain(sentence))
    return not chatter and has_words(sentence) and _SHORTEST <= width(plain(sentence)) <= _LONGEST


def _is_why(sentence: str, names: frozenset[str], *, strictly: bool) -> bool:
    """True if a sentence below the output gives a reason, or speaks of the output or of what made it.

    Before further code it may be about that: there it has to say why, or to name the output.
    """
    if _WHY.search(plain(sentence)) or _OF_OUTPUT.search(plain(sentence)):
        return True
    return not strictly and _mentions(sentence, names)


def _states(sentence: str, names: frozenset[str]) -> bool:
    """True if a sentence above the code states something of what the code does last."""
    return says(sentence) and _mentions(sentence, names)


def _mentions(sentence: str, names: frozenset[str]) -> bool:
    return any(not names.isdisjoint(_WORD.findall(span)) for span in code_spans(sentence))


def _names_at_end(body: Output, lines: int = 2) -> frozenset[str]:
    """What the last statements of the code call and look at, and the names that they give."""
    found = statements(body.code) or ()
    names: set[str] = set(_WORD.findall(body.target))
    for one in found[-lines:]:
        for part in one.within:
            if isinstance(part, ast.Attribute):
                names.add(part.attr)
        names |= one.binds if not isinstance(one.node, ast.Import | ast.ImportFrom) else set()
    return frozenset(names - {"torch", "nn", "print"})
