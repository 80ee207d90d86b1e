"""Which question is of which form, and what its answer then says (`forms.py`, `parameters.py`, `relations.py`).

A question claims something only if nothing but the words of its form stands in it besides its code: a condition, a reason or any
other word may change what is asked.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from deckgen.extract.claims.values import written_shape
from deckgen.extract.decided.facts import INPUTS, Fact, Failure, Shape, Value, computes, expression
from deckgen.extract.decided.forms import FORMS, QuestionForm
from deckgen.extract.decided.parameters import of_parameter, of_signature, of_spoken
from deckgen.extract.decided.relations import alias, in_place, shared
from deckgen.extract.decided.text import (
    CODE,
    SIGNS,
    Template,
    bare,
    bare_line,
    only,
    template,
    truth_of,
    truths_as_words,
    value_of,
)
from deckgen.extract.text import without_number
from deckgen.text.pattern import pattern

Names = Container[str]
_VETO = pattern("«decided.veto»")
_WHETHER = pattern("«decided.whether»")


def _words(form: QuestionForm) -> str:
    roles = ["now", "filler", *form.words.split(), *form.also.split()]
    allowed = "|".join(f"«decided.{role}»" for role in roles)
    return rf"(?:{allowed}|{SIGNS})*"


_ALL = {form.name: pattern(_words(form) + CODE + _words(form)) for form in FORMS}
_ONE = {form.name: pattern("|".join(f"«decided.{role}»" for role in form.words.split()[:1])) for form in FORMS}


def _is_conditional(words: str) -> bool:
    """True if a question asks for a reason or under a condition; `有没有` denies nothing."""
    return _VETO.search(_WHETHER.sub("", words)) is not None


def asks_of_part(text: str) -> bool:
    """True for a question about a part of some code, about another state of it, under a condition, or with a value of its own."""
    words = without_now(template(without_number(text)).words)
    return any(one.search(words) for one in (_OF_PART, _OF_VALUE)) or _is_conditional(words)


def without_now(words: str) -> str:
    """Words of a question without those that only say that the code has run: `when this runs`, `from the last line`."""
    return _NOW.sub(" ", words)


_NOW = pattern("«decided.now»")
_OF_VALUE = pattern(r"[A-Za-z_]\w*\s*=\s*[^\s=]|(?<![\w.])\d")
"""`with x = 5`, `for a batch of 5`: the code says something else."""
_OF_PART = pattern("«decided.context»|«decided.part»")


def asks_what(text: str) -> bool:
    """True for a question for a thing: not for a reason, a way or a time."""
    words = template(text).words
    return _WHAT.match(words) is not None and not _is_conditional(words)


_WHAT = pattern(r"\W*(?:«decided.what»)")


def says(question: str, answer: str, bound: Names) -> Iterator[Fact]:
    """What a question with its answer says that torch can decide: nothing, or one thing."""
    asked = _joined(template(truths_as_words(question)), bound)
    if _is_conditional(asked.words):
        return
    own = [name for name, _ in asked.given]
    fact = None
    if len(asked.spans) == 2 and not own:
        fact = _of_two(asked, answer, bound) or _of_layer(asked, answer)
    if fact is None and len(asked.spans) == 1 and not own:
        fact = _of_alias(asked, answer) or of_spoken(asked, answer) or _of_copy(asked, answer, bound)
    if fact is None and (every := [*of_signature(asked, answer)]):
        yield from every
        return
    if fact is None and len(asked.spans) == 1:
        fact = _of_code(asked, answer, frozenset(own) if own else bound)
    if fact is not None and own:
        fact = _with_given(fact, asked.given, bound)
    if fact is not None:
        yield fact


def _with_given(fact: Fact, given: Sequence[tuple[str, str]], bound: Names) -> Fact | None:
    """A fact about code in which the names that the question gives have their values; names of the session stay as they are."""
    if not isinstance(fact, Value | Shape | Failure):
        return None
    code = fact.code
    for name, value in reversed(given):
        code = f"(lambda {name}: {code})({value})"
    return replace(fact, code=code, of=fact.of or fact.code) if expression(code, bound) is not None else None


def _joined(asked: Template, bound: Names) -> Template:
    """`` the `weight` of `nn.Linear(2, 3)` `` and `` `torch.ones(2)`.`sum()` `` as one span of code."""
    if len(asked.spans) != 2:
        return asked
    for of_first, words in ((True, _OF_FIRST.sub(CODE, asked.words)), (False, _OF_SECOND.sub(CODE, asked.words))):
        owner, part = asked.spans if of_first else reversed(asked.spans)
        node = expression(owner, bound) if words.count(CODE) == 1 and _PART.fullmatch(part) else None
        if node is not None and (computes(node) or owner in bound):
            return asked._replace(words=words, spans=[f"{owner}.{part.removeprefix('.')}"])
    return asked


_PART = pattern(r"\.?[A-Za-z_]\w*(?:\([^()]*\))?")
_OF_FIRST = pattern(rf"{CODE}\s*(?:'s\b|«decided.of»|«decided.then_call»)\s*{CODE}(?:\s*«decided.attribute»)?")
_OF_SECOND = pattern(
    rf"(?:«decided.attribute»\s*)?{CODE}\s*(?:«decided.attribute»\s*)?«decided.of»\s*(?:«decided.article»\s*)?{CODE}"
)


def _of_code(asked: Template, answer: str, bound: Names) -> Fact | None:
    if expression(asked.spans[0], bound) is None:
        return None
    for form in FORMS:
        fact = form.says(asked.spans[0], answer, bound)  # most answers are no values: that costs less to see
        if fact is not None and _fits(form, asked.words):
            return fact
    return None


FAILS = next(form for form in FORMS if form.name == "fails")


def form_of(words: str) -> frozenset[str]:
    """The names of the forms that these words are, whatever is answered; none of a reason or a condition."""
    return frozenset(() if _is_conditional(words) else (form.name for form in FORMS if _fits(form, words)))


def fact_of(names: Container[str], code: str, answer: str, bound: Names) -> Fact | None:
    """What an answer says of code in the first of these forms that fits it."""
    facts = (form.says(code, answer, bound) for form in FORMS if form.name in names)
    return next((fact for fact in facts if fact is not None), None)


def says_of_option(stem: str, option: str, bound: Names) -> Iterator[Fact]:
    """`Which expression is True?`: the option is the expression, and the stem has its value."""
    asked, marked = template(stem), template(option)  # a truth value is what the option has
    if _is_conditional(asked.words) or len(asked.spans) != 1 or marked.words != CODE:
        return
    code, answer = marked.spans[0], f"`{asked.spans[0]}`"
    for form in FORMS:
        if form.name in _OF_OPTIONS and _fits(form, asked.words) and (fact := form.says(code, answer, bound)):
            yield fact
            return


_OF_OPTIONS = ("raises", "shape", "dtype", "value")


def _fits(form: QuestionForm, words: str) -> bool:
    """True if words are a question of this form, or one whose example the code is."""
    if form.words and _ONE[form.name].search(words) is None:
        return False
    return _ALL[form.name].fullmatch(words) is not None or (bool(form.words) and _is_example(form, words))


def _is_example(form: QuestionForm, words: str) -> bool:
    """True if the code of a question is the example of what it asks: `which dtype does true division give, e.g. \\0?`."""
    general = _EXAMPLE.sub("", words)
    return CODE not in general and _ONE[form.name].search(general) is not None and not _ELSEWHERE.search(general)


_EXAMPLE = pattern(rf"[,:;(]?\s*«decided.example»[\s,:.]*{CODE}\)?")
_ELSEWHERE = pattern("«decided.veto»|«decided.given»|«decided.context»|_")


_SHARE, _SHARE_WORDS = pattern("«decided.share»"), only("share_question")
_PLACE, _PLACE_WORDS = pattern("«decided.place_question»"), only("place_question")
_COPY, _COPY_WORDS = pattern("«decided.copy»"), only("copy", "copy_question")
_ALIAS, _ALIAS_WORDS = pattern("«decided.alias_word»"), only("alias_question")


def _of_two(asked: Template, answer: str, bound: Names) -> Fact | None:
    """Of two spans of code: a parameter of an owner, or what the one does to the other."""
    truth = truth_of(answer)
    if truth and _SHARE.search(asked.words) and _SHARE_WORDS.fullmatch(asked.words):
        return shared(asked.spans[0], asked.spans[1], truth, bound)
    if truth and _ALIAS.search(asked.words) and _ALIAS_WORDS.fullmatch(asked.words):
        same = alias(asked.spans[0], asked.spans[1])
        return replace(same, text=truth) if isinstance(same, Value) else None
    if truth and _PLACE.search(asked.words) and _PLACE_WORDS.fullmatch(asked.words):
        return in_place(asked.spans[0], asked.spans[1], truth, bound)
    return of_parameter(asked, answer)


_WORD = pattern(r"\w+")


def _of_copy(asked: Template, answer: str, bound: Names) -> Fact | None:
    """`Does torch.from_numpy(arr) copy the data?`: of the one thing that it is given."""
    truth = truth_of(answer)
    if not truth or not (_COPY.search(asked.words) and _COPY_WORDS.fullmatch(asked.words)):
        return None
    given = INPUTS.keys() & set(_WORD.findall(asked.spans[0]))
    if len(given) != 1:
        return None
    return shared(asked.spans[0], given.pop(), "False" if truth == "True" else "True", bound)


def _of_alias(asked: Template, answer: str) -> Fact | None:
    """`torch.absolute`, and the name of which the answer says that it is the same."""
    if not (_ALIAS.search(asked.words) and _ALIAS_WORDS.fullmatch(asked.words)):
        return None
    said = template(bare_line(answer))
    if len(said.spans) != 1:
        return alias(asked.spans[0], bare(answer).rstrip(" .。"))
    return alias(asked.spans[0], said.spans[0]) if _ALIAS_WORDS.fullmatch(said.words) else None


def _of_layer(asked: Template, answer: str) -> Fact | None:
    """`A batch of shape S goes through E. Which shape comes out?`: of a layer that takes any numbers."""
    sizes = [written_shape(span) for span in asked.spans]
    layers = [span for span in asked.spans if _LAYER.match(span) and expression(span) is not None]
    if (
        _ASKS_INPUT.search(asked.words)
        or len(layers) != 1
        or [bool(one) for one in sizes].count(True) != 1
        or not _LAYER_WORDS.fullmatch(asked.words)
    ):
        return None
    given, text = next(span for span in asked.spans if span != layers[0]), value_of(answer)
    shape = written_shape(text) if text is not None else None
    if text is None or shape is None or not _SHAPE_ASKED.search(asked.words):
        return None
    return Shape(f"({layers[0]})(torch.zeros({given}))", text, shape, of=f"{layers[0]}(torch.zeros({given}))")


_LAYER = pattern(
    r"(?:torch\.)?nn\.(?:Conv|ConvTranspose|MaxPool|AvgPool|AdaptiveAvgPool|AdaptiveMaxPool|BatchNorm|LayerNorm|Linear|Flatten|ReLU|Dropout)\w*\("
)
_ASKS_INPUT = pattern(rf"«decided.asks_input»|«decided.gives»\s*(?:«decided.shape»\s*)?{CODE}")
_LAYER_WORDS = only("layer_question", "shape", "value")
_SHAPE_ASKED = pattern("«decided.shape»")
