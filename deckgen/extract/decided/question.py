"""Questions whose answer is a value, a shape, a dtype, an exception, a default: a row each.

A question claims something only if nothing but the words of its form stands in it besides its code: a condition, a reason or any
other word may change what is asked.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass, replace

from deckgen.extract.claims.values import written_shape
from deckgen.extract.decided.facts import (
    INPUTS,
    Default,
    Fact,
    Failure,
    Parameter,
    Shape,
    Signature,
    Value,
    computes,
    expression,
)
from deckgen.extract.decided.relations import alias, in_place, shared
from deckgen.extract.decided.text import (
    CODE,
    Template,
    bare,
    bare_line,
    count_of,
    device_of,
    dtype_of,
    exception_of,
    is_name,
    literal_of,
    template,
    truth_of,
    truths_as_words,
    value_of,
)
from deckgen.lexicon import names_in
from deckgen.text.pattern import pattern

Names = Container[str]
_SIGNS = r"[\s,.:;?!\"'()~=、—–-]"
_VETO = pattern("«decided.veto»")
_WHETHER = pattern("«decided.whether»")
_TRUTHS = frozenset("requires_grad training allclose equal isclose isinstance issubclass can_cast any all eq".split())
"""Names that give a truth value, besides those that begin with `is_` and `has_`."""
_SHAPED = pattern(r"\.(?:shape|size\(\))$")


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A form of question, the claim of its answer, and a case of both sides."""

    name: str
    words: str
    """Roles of the lexicon of which one must stand in the question, besides fillers; separated by a blank."""
    also: str
    """Roles that may."""
    says: Callable[[str, str, Names], Fact | None]
    """(code, answer, bound names) -> what the answer says of it."""
    example: str
    counter: str


def _expression(code: str, bound: Names) -> ast.expr | None:
    node = expression(code, bound)
    return node if node is not None and (computes(node) or code.split(".", maxsplit=1)[0] in bound) else None


def _value(code: str, answer: str, bound: Names) -> Fact | None:
    if _expression(code, bound) is None:
        return None
    text = value_of(answer)
    if text is None and code.endswith(".dtype"):
        text = dtype_of(answer)
    sizes = written_shape(text) if text is not None else None
    if text is not None and sizes is not None and _SHAPED.search(code):
        return Shape(_SHAPED.sub("", code), text, sizes)
    if code.endswith(".device") and (device := device_of(answer)):
        return Value(f"{code}.type" if ":" not in device else f"str({code})", device, code)
    return Value(code, text) if text is not None else None


def _shape(code: str, answer: str, bound: Names) -> Fact | None:
    text = value_of(answer)
    sizes = written_shape(text) if text is not None else None
    if _expression(code, bound) is None or text is None or sizes is None:
        return None
    return Shape(_SHAPED.sub("", code), text, sizes)


def _attribute(name: str, value: Callable[[str], str | None]) -> Callable[[str, str, Names], Fact | None]:
    def says(code: str, answer: str, bound: Names) -> Fact | None:
        text = value(answer)
        if text is None or _expression(code, bound) is None:
            return None
        return Value(code if code.endswith(name) else f"({code}){name}" if " " in code else f"{code}{name}", text, code)

    return says


def _truth(code: str, answer: str, bound: Names) -> Fact | None:
    node, text = _expression(code, bound), truth_of(answer)
    if node is None or text is None or not _is_truth(node):
        return None
    return Value(f"bool({code})", text, code)


def _is_truth(node: ast.expr) -> bool:
    if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return True
    called = node.func if isinstance(node, ast.Call) else node
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in _TRUTHS or name.startswith(("is_", "has_"))


def _raises(code: str, answer: str, bound: Names) -> Fact | None:
    name = exception_of(answer)
    return Failure(code, name) if name and expression(code, bound) is not None else None


def _fails(code: str, answer: str, bound: Names) -> Fact | None:
    """An exception, or whether there is one."""
    truth = truth_of(answer)
    if exception_of(answer) or not truth or expression(code, bound) is None:
        return _raises(code, answer, bound)
    return Failure(code, "", truth == "True")


_E = "torch.arange(6).reshape(2, 3)"
FORMS = (
    QuestionForm("fails", "fails", "error", _fails, "Q: Does `torch.ones(3) + torch.ones(1)` raise an error?\nA: No", "Q: Does `torch.ones(3) + torch.ones(1)` ever raise an error?\nA: No"),
    QuestionForm("raises", "raises", "value", _raises, "Q: Which exception does `torch.ones(2) + torch.ones(3)` raise?\nA: `RuntimeError`", "Q: Why does `torch.ones(2) + torch.ones(3)` raise?\nA: `RuntimeError` is raised since the shapes differ."),
    QuestionForm("error", "error", "value raises error_filler", _raises, "Q: Which error do you get from `torch.ones(2) + torch.ones(3)`?\nA: `RuntimeError`", "Q: Which error message do you get from `torch.ones(2) + torch.ones(3)`?\nA: `RuntimeError`"),
    QuestionForm("shape", "shape", "value", _shape, f"Q: What is the shape of `{_E}`?\nA: `(2, 3)`", f"Q: What is the shape of `{_E}` after `flatten()`?\nA: `(6,)`"),
    QuestionForm("dtype", "dtype", "value default", _attribute(".dtype", dtype_of), "Q: What is the dtype of `torch.tensor([1])`?\nA: `torch.int64`", "Q: What is the dtype of `torch.tensor([1])` if `dtype=float` is given?\nA: `torch.float64`"),
    QuestionForm("device", "device", "value default", _attribute(".device.type", device_of), "Q: On which device is `torch.ones(2)`?\nA: `cpu`", "Q: On which device is `torch.ones(2)` under `torch.device('meta')`?\nA: `meta`"),
    QuestionForm("dimensions", "ndim", "value", _attribute(".ndim", count_of), f"Q: How many dimensions does `{_E}` have?\nA: 2", f"Q: How many dimensions does `{_E}` have after `sum(0)`?\nA: 1"),
    QuestionForm("elements", "numel", "value", _attribute(".numel()", count_of), f"Q: How many elements does `{_E}` have?\nA: 6", f"Q: How many elements does a row of `{_E}` have?\nA: 3"),
    QuestionForm("gradient", "grad", "", _attribute(".requires_grad", truth_of), "Q: Does `torch.ones(2)` require grad?\nA: No", "Q: Does `torch.ones(2)` require grad by design?\nA: No"),
    QuestionForm("leaf", "leaf", "", _attribute(".is_leaf", truth_of), "Q: Is `torch.ones(2)` a leaf?\nA: Yes", "Q: Why is `torch.ones(2)` a leaf?\nA: Yes, since nobody computed it."),
    QuestionForm("contiguous", "contiguous", "", _attribute(".is_contiguous()", truth_of), f"Q: Is `{_E}.t()` contiguous?\nA: No", f"Q: When is `{_E}.t()` contiguous?\nA: No, never."),
    QuestionForm("truth", "", "truth value", _truth, "Q: Is `torch.ones(2).is_leaf` true?\nA: Yes", "Q: Is `torch.ones(2).is_leaf` true after `detach()`?\nA: Yes"),
    QuestionForm("value", "", "value", _value, "Q: What does `torch.arange(4).sum()` return?\nA: `tensor(6)`", "Q: What does `torch.arange(4)` return if `dtype=float` is given?\nA: `tensor([0., 1., 2., 3.])`"),
)  # fmt: skip
"""The first whose words fit and whose answer is of its kind decides."""


def _words(form: QuestionForm) -> str:
    roles = ["now", "filler", *form.words.split(), *form.also.split()]
    allowed = "|".join(f"«decided.{role}»" for role in roles)
    return rf"(?:{allowed}|{_SIGNS})*"


_ALL = {form.name: pattern(_words(form) + CODE + _words(form)) for form in FORMS}
_ONE = {form.name: pattern("|".join(f"«decided.{role}»" for role in form.words.split()[:1])) for form in FORMS}
_WITH_DEFAULT = "|".join(f"«decided.{role}»" for role in ("filler", "default", "default_filler", "parameter"))
_DEFAULT_WORDS = pattern(rf"(?:{_WITH_DEFAULT}|{_SIGNS}|{CODE})*")
_DEFAULT = pattern("«decided.default»")
_TAKES_WORDS = pattern(rf"(?:«decided.filler»|«decided.takes»|«decided.parameter»|{_SIGNS}|{CODE})*")
_TAKES = pattern("«decided.takes»")
_PARAMETER = pattern("«decided.parameter»")
_ACCEPTS = pattern("«decided.accepts»")
"""Said of parameters alone; and of types, which Python names."""


def _is_conditional(words: str) -> bool:
    """True if a question asks for a reason or under a condition; `有没有` denies nothing."""
    return _VETO.search(_WHETHER.sub("", words)) is not None


def asks_of_part(text: str) -> bool:
    """True for a question about a part of some code, about another state of it, or under a condition."""
    words = _NOW.sub(" ", template(text).words)
    return _OF_PART.search(words) is not None or _is_conditional(words)


_NOW = pattern("«decided.now»")
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
        fact = _of_alias(asked, answer) or _of_spoken(asked, answer) or _of_copy(asked, answer, bound)
    if fact is None and (every := [*_of_signature(asked, answer)]):
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


def _only(*roles: str) -> re.Pattern[str]:
    """A question in which nothing stands but code and words of these roles."""
    return pattern("(?:" + "|".join(f"«decided.{role}»" for role in ("filler", *roles)) + f"|{_SIGNS}|{CODE})*")


_SHARE, _SHARE_WORDS = pattern("«decided.share»"), _only("share_question")
_PLACE, _PLACE_WORDS = pattern("«decided.place_question»"), _only("place_question")
_COPY, _COPY_WORDS = pattern("«decided.copy»"), _only("copy", "copy_question")
_ALIAS, _ALIAS_WORDS = pattern("«decided.alias_word»"), _only("alias_question")


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
    return _of_parameter(asked, answer)


def _of_copy(asked: Template, answer: str, bound: Names) -> Fact | None:
    """`Does torch.from_numpy(arr) copy the data?`: of the one thing that it is given."""
    given = [name for name in INPUTS if pattern(rf"\b{name}\b").search(asked.spans[0])]
    truth = truth_of(answer)
    if len(given) != 1 or not truth or not (_COPY.search(asked.words) and _COPY_WORDS.fullmatch(asked.words)):
        return None
    return shared(asked.spans[0], given[0], "False" if truth == "True" else "True", bound)


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
_LAYER_WORDS = _only("layer_question", "shape", "value")
_SHAPE_ASKED = pattern("«decided.shape»")


def _of_signature(asked: Template, answer: str) -> Iterator[Fact]:
    """`What are the first two parameters of nn.Linear?`: a call with their names and defaults, or the names alone."""
    if not _SIGNATURE.search(asked.words):
        return
    said = template(bare_line(answer))
    if said.words.startswith(CODE) and _CALLED.fullmatch(said.spans[0]):
        owner = said.spans[0].partition("(")[0]
        if any(is_name(span) and _last(span) != _last(owner) for span in asked.spans):
            return
        yield Signature(_DEFAULTS.sub(r"\1", said.spans[0]))
        if _WITH_DEFAULTS.search(asked.words):  # else they may be the values of a use
            yield from (Default(owner, found[1], found[2].strip()) for found in _DEFAULTS.finditer(said.spans[0]))
        return
    owners = [span.removesuffix("()") for span in asked.spans if is_name(span)]
    names = [name.strip() for span in said.spans for name in span.split(",")]
    listed = len(owners) == len(asked.spans) == 1 and len(names) > 1 and all(name.isidentifier() for name in names)
    if listed and _IN_ORDER.search(asked.words) and _LISTED.fullmatch(said.words):
        yield Signature(f"{owners[0]}({', '.join(names)})")


def _last(name: str) -> str:
    return name.removesuffix("()").rpartition(".")[2]


_SIGNATURE = pattern("«decided.signature»")
_WITH_DEFAULTS = pattern("«decided.with_defaults»")
_IN_ORDER = pattern("«decided.in_order»")
_CALLED = pattern(
    r"(?:torch|nn|F|optim)\.[\w.]+\((?:[a-z_]\w*(?:\s*=[^,]*)?\s*,\s*)*(?:[a-z_]\w*(?:\s*=[^,]*)?|\.\.\.)\)"
)
_DEFAULTS = pattern(r"(?<=[(,\s])([a-z_]\w*)\s*=(?!=)\s*([^,()]+)")
_LISTED = pattern(rf"(?:{CODE}|«decided.pair»|[\s,、;.])+")


def _of_spoken(asked: Template, answer: str) -> Fact | None:
    """`What is the default learning rate of \\0?`: the parameter has the name that people give it."""
    owner, value = asked.spans[0].removesuffix("()"), literal_of(answer)
    if value is None or not is_name(owner) or not _DEFAULT.search(asked.words):
        return None
    for name in names_in("parameter"):
        rest = pattern(f"«parameter.{name}»").sub(" ", asked.words, count=1)
        if rest != asked.words and _DEFAULT_WORDS.fullmatch(rest):
            return Default(owner, name, value)
    return None


def _is_type(name: str) -> bool:
    """True for a name of Python, of a dtype or of an array, which a call may accept as it does a parameter."""
    return hasattr(builtins, name) or dtype_of(name) is not None or name == "ndarray"


def _of_parameter(asked: Template, answer: str) -> Fact | None:
    """The default of a parameter, or that there is one: of two names one is the owner, the other its parameter."""
    owner, name = owned(asked.spans)
    if not owner:
        return None
    if _DEFAULT.search(asked.words) and _DEFAULT_WORDS.fullmatch(asked.words):
        value = literal_of(answer)
        return Default(owner, name, value) if value is not None else None
    named = _PARAMETER.search(asked.words) or (_ACCEPTS.search(asked.words) and not _is_type(name))
    if named and _TAKES.search(asked.words) and _TAKES_WORDS.fullmatch(asked.words):
        truth = truth_of(answer)
        return Parameter(owner, name, truth == "True") if truth else None
    return None


_KEYWORD = pattern(r"(?<=\w)\s*=(?!=).*$")
"""Of `bidirectional=True`: what is given to it."""


def owned(spans: Collection[str]) -> tuple[str, str]:
    """(owner, parameter) of two names, in either order; empty if they are no such pair."""
    names = [_KEYWORD.sub("", span).removesuffix("()") for span in spans]
    names = [name for name in names if is_name(name)]
    if len(names) != 2:
        return "", ""
    owners = [name for name in names if "." in name or name[:1].isupper() or f"{name}()" in spans]
    if len(owners) != 1:
        return "", ""
    other = names[1 - names.index(owners[0])]
    return (owners[0], other) if other.isidentifier() else ("", "")
