"""Sentences that torch can decide, whole ones: `` `torch.arange(3).sum()` returns `tensor(3)` ``; a row each."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from deckgen.extract.decided.facts import Default, Fact, Parameter, Value, computes, expression
from deckgen.extract.decided.forms import FORMS
from deckgen.extract.decided.parameters import owned
from deckgen.extract.decided.relations import alias, in_place, shared
from deckgen.extract.decided.text import CODE, literal_of, template, without_stop
from deckgen.text.pattern import pattern

Names = Container[str]
_OF_QUESTIONS = {form.name: form.says for form in FORMS}


class _Sentence(NamedTuple):
    """The spans of code of a sentence before its verb, and what it says behind it."""

    spans: list[str]
    said: str
    bound: Names


@dataclass(frozen=True, slots=True)
class SentenceForm:
    """A form of sentence, what it says, and a case of both sides."""

    name: str
    words: re.Pattern[str]
    """Of the whole sentence, in small letters, with `CODE` for each span; the group `said` is what stands behind the verb."""
    says: Callable[[_Sentence], Fact | None]
    example: str
    counter: str


def _as_answer(name: str) -> Callable[[_Sentence], Fact | None]:
    """What the form of a question of this name makes of the first span, answered with what is said."""
    return lambda one: _OF_QUESTIONS[name](one.spans[0], one.said, one.bound)


def _default(one: _Sentence) -> Fact | None:
    (owner, name), value = owned(one.spans), literal_of(one.said)
    return Default(owner, name, value) if owner and value is not None else None


def _predicate(name: str) -> Callable[[_Sentence], Fact | None]:
    return lambda one: _OF_QUESTIONS[name](one.spans[0], "yes", one.bound)


def _parameter(there: bool) -> Callable[[_Sentence], Fact | None]:
    def says(one: _Sentence) -> Fact | None:
        owner, name = owned(one.spans)
        return Parameter(owner, name, there) if owner else None

    return says


def _alias(one: _Sentence) -> Fact | None:
    return alias(one.spans[0], one.spans[1])


def _shares(one: _Sentence) -> Fact | None:
    return shared(one.spans[0], one.spans[1], "True", one.bound)


def _copies(one: _Sentence) -> Fact | None:
    return shared(one.spans[0], one.spans[1], "False", one.bound)


def _in_place(one: _Sentence) -> Fact | None:
    made = one.spans[0]
    return in_place(made, one.spans[1] if len(one.spans) == 2 else made.partition(".")[0], "True", one.bound)


_A = r"(?:«decided.article»\s*)?"
_FILLED = r"(?:«decided.filler»\s*)*"
_SAID = r"\s*(?P<said>.+)"
_NOTHING = r"(?P<said>)"
_P = r"(?:«decided.parameter»\s*)?"


def _property(role: str) -> re.Pattern[str]:
    """`The shape of E is V`, `E has shape V`, `E 的形状是 V`."""
    word = f"«decided.{role}»"
    return pattern(
        rf"(?:{_FILLED}{word}\s*{_FILLED}{CODE}\s*«decided.is»|{_FILLED}{CODE}\s*(?:«decided.has»\s*)?{_A}{word}\s*(?:«decided.is»)?"
        rf"|{_FILLED}{CODE}\s*(?:«decided.now»\s*)?«decided.becomes»\s*(?:{word})?){_SAID}"
    )


FORMS_OF_SENTENCES = (
    SentenceForm("shape", _property("shape"), _as_answer("shape"), "`torch.ones(2, 3)` has shape `(2, 3)`.", "`torch.ones(2, 3)` has the shape that was given."),
    SentenceForm("dtype", _property("dtype"), _as_answer("dtype"), "The dtype of `torch.tensor([1])` is `torch.int64`.", "The dtype of `torch.tensor([1])` is that of Python."),
    SentenceForm("elements", pattern(rf"{_FILLED}{CODE}\s*(?:«decided.lead»|«decided.has»|\s)+(?P<said>(?:{CODE}|\d+|«decided.numbers»)\s*«decided.elements»)"), _as_answer("elements"), "`torch.ones(2, 3)` has 6 elements.", "`torch.ones(2, 3)` has 2 elements in a column."),
    SentenceForm("dimensions", pattern(rf"{_FILLED}{CODE}\s*(?:«decided.lead»|«decided.has»|\s)+(?P<said>(?:{CODE}|\d+|«decided.numbers»)\s*«decided.dimensions»)"), _as_answer("dimensions"), "`torch.ones(2, 3)` has 2 dimensions.", "`torch.ones(2, 3)` has 2 dimensions more."),
    SentenceForm("raises", pattern(rf"{_FILLED}{CODE}\s*«decided.throws»\s*{_A}{_SAID}"), _as_answer("raises"), "`torch.ones(2) + torch.ones(3)` raises a `RuntimeError`.", "`torch.ones(2) + torch.ones(3)` raises, as one would expect."),
    SentenceForm("default", pattern(rf"{_FILLED}(?:«decided.default»\s*)?{_FILLED}{_P}{CODE}(?:'s)?\s*,?\s*(?:«decided.in»\s*)?{_FILLED}{_P}{CODE}\s*,?\s*{_P}(?:«decided.defaults»|«decided.is»){_SAID}"), _default, "`lr` of `torch.optim.SGD` defaults to `0.001`.", "`lr` of `torch.optim.SGD` defaults to a small value."),
    SentenceForm("alias", pattern(rf"(?:{CODE}\s*«decided.alias»\s*{CODE}|{CODE}\s*«decided.is»\s*{CODE}\s*«decided.its_alias»|{CODE}\s*«decided.pair»\s*{CODE}\s*«decided.same»){_NOTHING}"), _alias, "`torch.absolute` is an alias of `torch.abs`.", "`torch.absolute` is like `torch.abs`."),
    SentenceForm("shares", pattern(rf"(?:{CODE}\s*«decided.shares»\s*{CODE}|{CODE}\s*«decided.pair»\s*{CODE}\s*«decided.shares»){_NOTHING}"), _shares, "`x.view(-1)` shares memory with `x`.", "`x.view(-1)` shares a name with `x`."),
    SentenceForm("copies", pattern(rf"(?:{CODE}\s*«decided.copies»\s*{CODE}|{CODE}\s*«decided.pair»\s*{CODE}\s*«decided.copies»){_NOTHING}"), _copies, "`x.clone()` does not share memory with `x`.", "`x.clone()` does not share a graph with `x`."),
    SentenceForm("in place", pattern(rf"{CODE}\s*«decided.in_place»(?:\s*{CODE})?(?:\s*in[- ]place)?{_NOTHING}"), _in_place, "`x.add_(1)` works in place.", "`x.add_(1)` works in most places."),
    SentenceForm("contiguous", pattern(rf"{CODE}\s*(?:«decided.is»\s*)?«decided.contiguous»«decided.of»?{_NOTHING}"), _predicate("contiguous"), "`torch.ones(2, 3)` is contiguous.", "`torch.ones(2, 3)` is mostly contiguous."),
    SentenceForm("leaf", pattern(rf"{CODE}\s*(?:«decided.is»\s*)?{_A}«decided.leaf»{_NOTHING}"), _predicate("leaf"), "`torch.ones(2, 3)` is a leaf.", "`torch.ones(2, 3)` is a leaf of the tree."),
    SentenceForm("no parameter", pattern(rf"{CODE}\s*«decided.lacks»\s*«decided.parameter»\s*«decided.called»?\s*{CODE}{_NOTHING}"), _parameter(there=False), "`torch.sum` has no parameter `beta`.", "`torch.sum` has no use for `beta`."),
    SentenceForm("parameter", pattern(rf"{CODE}\s*(?:«decided.owns»\s*«decided.parameter»\s*«decided.called»?\s*{CODE}|«decided.of»?«decided.parameter»?\s*«decided.owns»\s*{CODE}\s*«decided.which»?\s*«decided.parameter»(?:\s*,.*)?){_NOTHING}"), _parameter(there=True), "`torch.sum` has a parameter `dim`.", "`torch.sum` has a use for `dim`."),
    SentenceForm("value", pattern(rf"{_FILLED}{CODE}\s*«decided.returns»{_SAID}"), _as_answer("value"), "`torch.arange(5).sum()` returns `tensor(10)`.", "`torch.arange(5).sum()` returns a tensor."),
)  # fmt: skip
_SENTENCE = pattern(r"(?<=[.;!?])\s+|(?<=[。；！？])|\n+")
_COMMENT = pattern(r"\s*[,;:(，；：（]\s*(?P<rest>.+)")
_CONDITION = pattern("«decided.condition»")
_LEADS_IN = pattern(r"^\W*«decided.lead_in»[\s,:，：]*(?=`)")
"""What leads to a sentence and says nothing of its code: `Note that`. Other words before a colon may deny it: `A myth: ...`."""
_MOST_SPANS = 4
_LONGEST = 300


def says(text: str, bound: Names) -> Iterator[Fact]:
    """What the sentences of a text say that torch can decide."""
    for sentence in _SENTENCE.split(text) if "`" in text else ():
        if len(sentence) <= _LONGEST and (fact := _of(sentence, bound)) is not None:
            yield fact


def is_one(text: str) -> bool:
    """True for a single sentence."""
    return len([part for part in _SENTENCE.split(text.strip()) if part.strip()]) == 1


def says_of_filled(code: str, filled: Container[str], bound: Names) -> Iterator[Fact]:
    """That `torch.ones(1).item()` has an attribute `item`, where that is what a gap hides. What it gives is not said."""
    node = expression(code, bound)
    for one in ast.walk(node) if node is not None else ():
        if isinstance(one, ast.Attribute) and one.attr in filled and computes(one.value):
            base = ast.unparse(one.value)
            if expression(base, bound) is not None:
                yield Value(f"hasattr({base}, {one.attr!r})", "True", f"{base}.{one.attr}")


def _of(sentence: str, bound: Names) -> Fact | None:
    sentence = _LEADS_IN.sub("", sentence, count=1)
    asked = template(sentence)
    words = without_stop(asked.words)
    if not 1 <= len(asked.spans) <= _MOST_SPANS or not any("(" in span or "." in span for span in asked.spans):
        return None
    for form in FORMS_OF_SENTENCES:
        found = form.words.fullmatch(words)
        if found is None:
            continue
        before = found.string.count(CODE, 0, found.start("said")) if found["said"] else len(asked.spans)
        said = _said(found["said"], asked.spans[before:], sentence)
        if said is not None and (fact := form.says(_Sentence([*asked.spans[:before]], said, bound))) is not None:
            return fact
    return None


def _said(words: str, spans: list[str], sentence: str) -> str | None:
    """What stands behind a verb with its code and in its own letters; None where more follows that may be a condition."""
    if words.startswith(CODE):
        comment = _COMMENT.match(words, 1)
        if CODE in words[1:] or comment:
            return f"`{spans[0]}`" if comment and not _CONDITION.search(comment["rest"]) else None
        return f"`{spans[0]}`{words[1:]}"
    at = sentence.lower().rfind(words)
    return None if CODE in words or at < 0 else sentence[at : at + len(words)]
