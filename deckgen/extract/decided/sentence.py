"""Sentences that torch can decide, whole ones: `` `torch.arange(3).sum()` returns `tensor(3)` ``; a row each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from deckgen.extract.decided.facts import INPUTS, Default, Fact, Value, expression
from deckgen.extract.decided.question import FORMS, owned
from deckgen.extract.decided.text import (
    CODE,
    Template,
    dtype_of,
    exception_of,
    is_name,
    literal_of,
    template,
    value_of,
    without_stop,
)
from deckgen.text.pattern import pattern

Names = Collection[str]
_VALUE = {form.name: form.says for form in FORMS}
_A = r"(?:«decided.article»\s*)?"


@dataclass(frozen=True, slots=True)
class SentenceForm:
    """A form of sentence, what it says, and a case of both sides."""

    name: str
    words: re.Pattern[str]
    """Of the whole sentence, with `CODE` for each span; `said` is what stands behind the verb."""
    says: Callable[[Template, str, Names], Fact | None]
    example: str
    counter: str


def _said(asked: Template, said: str) -> str:
    """What stands behind the verb, with its code."""
    return asked.spans[-1] if said == CODE else said


def _of(name: str) -> Callable[[Template, str, Names], Fact | None]:
    """What the form of a question of this name makes of the first span and of what is said."""
    return lambda asked, said, bound: _VALUE[name](asked.spans[0], _said(asked, said), bound)


def _default(asked: Template, said: str, bound: Names) -> Fact | None:
    owner, name = owned(asked.spans[:2])
    value = literal_of(_said(asked, said))
    return Default(owner, name, value) if owner and value is not None else None


def _alias(asked: Template, _said: str, _bound: Names) -> Fact | None:
    one, other = (span.removesuffix("()") for span in asked.spans)
    if not (is_name(one) and is_name(other) and "." in one and "." in other):
        return None
    if expression(one) is None or expression(other) is None:
        return None
    names = f"{one} is {other} or {other.rpartition('.')[2]!r} in ({one}.__doc__ or '')[:200] or {one.rpartition('.')[2]!r} in ({other}.__doc__ or '')[:200]"
    return Value(names, "True", f"{one} is {other}")


def _shared(expected: str) -> Callable[[Template, str, Names], Fact | None]:
    def says(asked: Template, _said: str, bound: Names) -> Fact | None:
        made, name = asked.spans
        if not name.isidentifier() or (name not in INPUTS and name not in bound):
            return None
        code = "torch.as_tensor({}).untyped_storage().data_ptr()"
        return _with_input(name, made, f"{code.format(made)} == {code.format(name)}", expected, bound)

    return says


def _in_place(asked: Template, _said: str, bound: Names) -> Fact | None:
    made = asked.spans[0]
    found = re.fullmatch(r"(\w+)\.\w+\(.*\)", made)
    if not found or (len(asked.spans) == 2 and asked.spans[1] != found[1]):
        return None
    return _with_input(found[1], made, f"({made}) is {found[1]}", "True", bound)


def _with_input(name: str, made: str, code: str, expected: str, bound: Names) -> Fact | None:
    """With a fixed input for a name that nothing above binds."""
    if name in bound:
        return Value(code, expected, made) if expression(made, bound) is not None else None
    if name not in INPUTS or expression(f"lambda {name}: {made}") is None:
        return None
    return Value(f"(lambda {name}: {code})({INPUTS[name]})", expected, f"{made} with {name} = {INPUTS[name]}")


_END = r"(?P<said>.+)"
FORMS_OF_SENTENCES = (
    SentenceForm("shape", pattern(rf"(?:{_A}«decided.shape»\s*«decided.of»\s*{CODE}\s*«decided.is»|{CODE}\s*(?:«decided.has»\s*)?(?:«decided.article»\s*)?«decided.shape»\s*(?:«decided.is»)?)\s*{_END}"), _of("shape"), "`torch.ones(2, 3)` has shape `(2, 3)`.", "`torch.ones(2, 3)` has the shape that was given."),
    SentenceForm("dtype", pattern(rf"(?:{_A}«decided.dtype»\s*«decided.of»\s*{CODE}\s*«decided.is»|{CODE}\s*(?:«decided.has»\s*)?(?:«decided.article»\s*)?«decided.dtype»\s*(?:«decided.is»)?)\s*{_END}"), _of("dtype"), "The dtype of `torch.tensor([1])` is `torch.int64`.", "The dtype of `torch.tensor([1])` is that of Python."),
    SentenceForm("raises", pattern(rf"(?:«decided.filler»\s*)*{CODE}\s*«decided.throws»\s*{_A}{_END}"), _of("raises"), "`torch.ones(2) + torch.ones(3)` raises a `RuntimeError`.", "`torch.ones(2) + torch.ones(3)` raises, as one would expect."),
    SentenceForm("default", pattern(rf"(?:{_A}«decided.default»\s*(?:«decided.of»\s*)?{CODE}\s*«decided.in»\s*{CODE}\s*«decided.is»|{CODE}\s*«decided.in»\s*{CODE}\s*(?:«decided.parameter»\s*)?«decided.defaults»|{CODE}(?:'s)?\s*{CODE}\s*(?:«decided.parameter»\s*)?«decided.defaults»)\s*{_END}"), _default, "`lr` of `torch.optim.SGD` defaults to `0.001`.", "`lr` of `torch.optim.SGD` defaults to a small value."),
    SentenceForm("alias", pattern(rf"(?:{CODE}\s*(?:«decided.alias»)\s*{CODE}|{CODE}\s*是\s*{CODE}\s*的别名)(?P<said>)"), _alias, "`torch.absolute` is an alias of `torch.abs`.", "`torch.absolute` is like `torch.abs`."),
    SentenceForm("shares", pattern(rf"(?:{CODE}\s*«decided.shares»\s*{CODE}|{CODE}\s*(?:与|和)\s*{CODE}\s*«decided.shares»)(?P<said>)"), _shared("True"), "`x.view(-1)` shares memory with `x`.", "`x.view(-1)` shares a name with `x`."),
    SentenceForm("copies", pattern(rf"(?:{CODE}\s*«decided.copies»\s*{CODE}|{CODE}\s*(?:与|和)\s*{CODE}\s*«decided.copies»)(?P<said>)"), _shared("False"), "`x.clone()` does not share memory with `x`.", "`x.clone()` does not share a graph with `x`."),
    SentenceForm("in place", pattern(rf"{CODE}\s*«decided.in_place»(?:\s*{CODE})?(?P<said>)(?:\s*in[- ]place)?"), _in_place, "`x.add_(1)` works in place.", "`x.add_(1)` works in most places."),
    SentenceForm("value", pattern(rf"(?:«decided.filler»\s*)*{CODE}\s*«decided.returns»\s*{_END}"), _of("value"), "`torch.arange(5).sum()` returns `tensor(10)`.", "`torch.arange(5).sum()` returns a tensor."),
)  # fmt: skip
_SENTENCE = pattern(r"(?<=[.;!?。；！？])\s+|(?<=[。；！？])|\n+")
_MOST_SPANS = 3


def says(text: str, bound: Names) -> Iterator[Fact]:
    """What the sentences of a text say that torch can decide."""
    for sentence in _SENTENCE.split(text) if "`" in text else ():
        asked = template(sentence)
        if not 1 <= len(asked.spans) <= _MOST_SPANS:
            continue
        words = without_stop(asked.words)
        for form in FORMS_OF_SENTENCES:
            found = form.words.fullmatch(words)
            fact = (
                form.says(asked, _original(sentence, found["said"]), bound)
                if found and _closed(found["said"])
                else None
            )
            if fact is not None:
                yield fact
                break


def _closed(said: str) -> bool:
    """True for a value alone: what follows it might be a condition."""
    return said in ("", CODE) or (CODE not in said and bool(value_of(said) or dtype_of(said) or exception_of(said)))


def _original(sentence: str, said: str) -> str:
    """What is said in its own letters, for a template is in small ones."""
    at = sentence.lower().rfind(said) if said not in ("", CODE) else -1
    return sentence[at : at + len(said)] if at >= 0 else said
