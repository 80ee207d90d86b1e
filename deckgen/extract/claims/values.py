"""Values and shapes in text, and the words that announce them: what is one, and where it ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from deckgen.extract.text import code_spans, unescaped
from deckgen.lexicon import roles
from deckgen.text.pattern import HAN, pattern
from deckgen.written import Angle, Call, Dots, Group, Mark, Number, half_width, pieces
from deckgen.written.lines import paragraphs
from deckgen.written.values import leading_values

TRACEBACK = "Traceback (most recent call last)"
_LONG = 300
"""No announcement has more characters."""
_OUTPUT = (
    r"(?:«claim.output_qualifier»\s*)*«claim.output»\s*(?:«claim.output_tail»\s*)?"
    rf"(?:\[\d+\]\s*)?(?:«claim.is»\s*)*(?:(?:\s|(?<=[{HAN}]))\([^)]*\))?"
)
_LABEL = pattern(rf"[\W_]*{_OUTPUT}[\W_]*")
_ANNOUNCED = pattern(rf"[\W_]*.{{0,40}}?{_OUTPUT}[\s*_`]*:[\W_]*", re.DOTALL)
_FAILS = pattern(r".{0,60}?«claim.fails»(?:\s*«claim.fails_tail»)*[\s*_`]*:?[\W_]*", re.DOTALL)
_MAYBE = pattern("«claim.maybe»")
MARKER = pattern(
    rf"\s*(?:(?P<strong>{_OUTPUT}\s*:|#?(?:[=-]+>+|>{{2,}}|>(?!>|\s*[-+]?[\d.]))|[→⇒➜➡⟹]|«claim.should»\s*:?)|(?P<about>=*[≈~]|(?:«claim.about»(?:«claim.is»)?\s*)+)"
    r"|(?P<weak>(?:«claim.gives»\s*)+|=+))?\s*:?\s*"
)
"""What announces a value in a comment: `输出:`, `=>`, `should be`, `≈`, `prints`, or nothing."""


def is_label(line: str) -> bool:
    """True if a line only announces an output: `''' 运行结果 '''`, `# Output:`, `**输出：**`."""
    return len(line) < _LONG and _LABEL.fullmatch(half_width(line).strip()) is not None


@lru_cache(maxsize=1024)
def announces(text: str) -> bool:
    """True if the last line of a paragraph or heading announces an output: `会得到：`, `This prints:`."""
    last = text.strip().rsplit("\n", 1)[-1]
    return is_label(last) or (len(last) < _LONG and _ANNOUNCED.fullmatch(half_width(last).strip()) is not None)


def announces_failure(text: str) -> bool:
    """True if the last line of a paragraph announces an exception of the code above it: `会报错：`, `This raises`."""
    last = half_width(text.strip().rsplit("\n", 1)[-1].strip())
    return len(last) < _LONG and _FAILS.fullmatch(last) is not None and not _MAYBE.search(last)


@lru_cache(maxsize=2048)
def marker(text: str) -> tuple[str, str]:
    """(`strong`, `weak`, `about` or ``, the rest) of a comment: `输出: False` -> (`strong`, `False`)."""
    found = MARKER.match(half_width(text[:_LONG]))
    return (found.lastgroup or "", text[found.end() :]) if found and found.lastgroup else ("", text)


# --- values -----------------------------------------------------------------------------------------

_EXPLAINS = pattern(rf"\s*(?:$|[(,;。.!#]|[-—–]{{1,2}}\s|<-|←|//|:\s|(?:->|→)\s*[{HAN}]|«claim.because»)")
_MEANS = pattern(r"\s*«claim.means»")


@lru_cache(maxsize=2048)
def leading_value(text: str) -> str | None:
    """The value at the start of a text, if nothing but an explanation follows it.

    `False (因为...)` -> `False`; `3 layers` -> None, because it describes; `True if there is a GPU` -> None, because it is a legend.
    """
    values = leading_values(text)
    if not values:
        return None
    first, end = values[0].node, values[-1].stop
    if isinstance(first, Call | Angle):
        return text[:end]
    if len(values) == 1 and isinstance(first, Group) and not _is_filled(first):
        return text[:end] if text.strip() in ("[]", "{}") else None  # brackets without content say too little
    rest = half_width(text[end:])
    if text[:end] in ("True", "False") and _MEANS.match(rest):
        return None
    return text[:end] if _EXPLAINS.match(rest) else None


_DTYPE = r"(?:torch\.)?(?:u?int(?:8|16|32|64)|b?float(?:16|32|64)|float8_\w+|complex(?:32|64|128)|bool)(?![\w.])"
_DTYPES = pattern(rf"{_DTYPE}(?:\s+{_DTYPE})*")


def leading_dtype(text: str) -> str | None:
    """`float32` of `float32 (always)`, or several: values only where dtypes are shown; of a tensor they tell one thing of many."""
    found = _DTYPES.match(half_width(text))
    return found[0] if found and _EXPLAINS.match(half_width(text[found.end() :])) else None


def _is_filled(group: Group) -> bool:
    return any(not isinstance(node, Dots | Mark) for item in group.items for node in item)


_REMARK = pattern(r"(?<=[\])}>,'\"\d])\s+(?:#\s|←|<-).*$")


def without_remarks(lines: Sequence[str]) -> list[str]:
    """Lines of output without the remarks behind them: `tensor([1., 2.])  # as before`, `tensor(1.) ← the sum`; a traceback shows
    code, as it is.
    """
    if any(TRACEBACK in line for line in lines):
        return list(lines)
    return [_REMARK.sub("", line) for line in lines]


def without_repeated_marks(lines: Sequence[str]) -> list[str]:
    """Lines of which each begins with the arrow of the first, `=> 1` and `=> 2`, as one output."""
    marks = {line[: len(line) - len(marker(line)[1])].strip() for line in lines}
    strong = all(marker(line)[0] == "strong" and not is_label(line) for line in lines)
    return [*lines[:1], *(marker(line)[1] for line in lines[1:])] if strong and len(marks) == 1 else list(lines)


def only_values(lines: Sequence[str]) -> bool:
    """True if each of the things that the lines print is a value, and there is one."""
    shown = (leading_value("\n".join(lines[a:b]).strip()) for a, b in paragraphs(lines))
    return next(shown, None) is not None and None not in shown


def is_number(text: str) -> bool:
    """True if a value is nothing but one number: too little to be a claim without a sign of one."""
    nodes = [piece.node for piece in pieces(text)]
    return len(nodes) == 1 and isinstance(nodes[0], Number)


# --- shapes -----------------------------------------------------------------------------------------

_SHAPE = r"(?:(?:torch\.)?(?:Size\s*)?[(\[]+\s*(?:\d++\s*(?:,\s*\d++\s*)*,?)?\s*[)\]]+|\d++(?:\s*[x×*]\s*\d++)+(?!\w))"
_ONE = pattern(_SHAPE)
_CHANGED = r"->|→|=>|«claim.changed»«claim.to»?"
_STATED = pattern(
    rf"(?P<of>(?<![\w.\[\]])[A-Za-z_][\w.\[\]]*?)?\s*(?P<the>\.|«claim.of»\s*)?(?P<word>«claim.shape»)(?:\(\))?"
    rf"\s*(?:«claim.is»|:|=+|->|=>|→|of\b|\s)*[`'\"]?\s*(?P<shapes>{_SHAPE}(?:\s*(?:,|;|\||«claim.and»|{_CHANGED})*\s*{_SHAPE})*)"
)
_BECOMES = pattern(_CHANGED)
_BEFORE = pattern(r"«claim.before»(?:\s*«claim.before_tail»)*\s*$")
_SCALAR = pattern(r"«claim.output»\s*(?:«claim.is»|:|\s)*«claim.scalar»")


class Shapes(NamedTuple):
    """Shapes that a text states, and the written text; `of` is what has them, if that is said."""

    of: str
    sizes: tuple[tuple[int, ...], ...]
    text: str


def stated_shapes(text: str) -> Shapes | None:
    """The shapes in a text: `结果形状为 (2, 4)`, `y.shape: (5, 3, 2)`, `3 tensors, shapes (2, 10), (1, 10)`, `结果是一个标量`."""
    plain = half_width(text[:600])
    for found in _STATED.finditer(plain):
        sizes = tuple(_sizes(one) for one in _ONE.findall(found["shapes"]))
        if _BECOMES.search(found["shapes"]):
            sizes = sizes[-1:]
        if not _BEFORE.search(plain[: found.start("word")]) and (sizes[0] or found["the"]):
            of_torch = found["of"] == "torch" and found["the"] == "."  # `torch.Size([2])` is a shape as it stands
            owner = found["of"] if found["the"] and not of_torch else None
            return Shapes(owner or "", sizes, text[found.start("of" if of_torch else "shapes") : found.end("shapes")])
    return Shapes("", ((),), text.strip()) if _SCALAR.search(plain) else None


def written_shape(text: str) -> tuple[int, ...] | None:
    """The shape that a text is, if it is nothing else: `(2, 3)`, `torch.Size([2])`, `2 x 3`."""
    found = _ONE.fullmatch(half_width(text.strip()))
    return _sizes(found[0]) if found else None


def _sizes(written: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", written)))


# --- defaults of parameters: in a column of their own, in brackets, in a half-sentence behind the parameter ---

_WORD = r"«claim.default»(?:\s*«claim.default_tail»)*"
_REAL = r"[-+−]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+−]?\d+)?"
_LITERAL = (
    rf"{_REAL}|[Tt]rue|[Ff]alse|[Nn]one|[-+]?inf|'[^'\n]{{0,40}}'|\"[^\"\n]{{0,40}}\"|"
    rf"[(\[]\s*{_REAL}(?:\s*,\s*{_REAL}){{0,7}}\s*,?\s*[)\]]"
)
_COLUMN = pattern(rf"\W*{_WORD}\W*")
_ANY = pattern("«claim.default»")
_DEFAULT = pattern(
    rf"{_WORD}\s*[:：=]?\s*(?:`([^`\n]{{1,60}})`|({_LITERAL}))(?=`?\s*(?:$|[)）\]】。；;，,\n]|\.(?:\s|$)))"
)
_SIMPLE = pattern(rf"{_LITERAL}|[a-z][a-z_]*")
_EMPHASIS = pattern(r"(?<![\d.)*])\*+|\*+(?![\d(*])")
"""Stars that are marks, not the powers of `2.**16`."""
_SENTENCE_END = pattern(r"[.;。；\n]|[(（](?=[^(（]*$)")
_OTHER_VERSION = pattern(r"\d\.\d+\s*\+|«claim.other_version»")
"""Another torch's default is told as well: which of the two is meant cannot be said."""
_CONDITION = pattern(r"`?\s*(?:[,，]\s*«claim.except»|[(（][^)）]{0,80}?«claim.except»)")
_API_NAME = pattern(r"[A-Za-z_][\w.]*")


def tells_default(text: str) -> bool:
    """False for most texts, at next to no cost."""
    return (
        "efault" in text
        or "DEFAULT" in text
        or (not text.isascii() and any(word in text for word in roles("zh")["claim.default"]))
    )


def is_default_column(head: str) -> bool:
    """True for the header of a column of defaults: `Default`, `默认值`."""
    return tells_default(head) and _COLUMN.fullmatch(head) is not None


def default_of_cell(cell: str) -> str | None:
    """The value that a cell of a column of defaults consists of; None for prose, dashes and `required`."""
    value = _EMPHASIS.sub("", unescaped(cell)).strip().strip("`").strip()
    return value if _SIMPLE.fullmatch(value) else None


def default_of(text: str) -> str | None:
    """What the text behind a parameter's name says that its default is: `(default: True)`, `默认为 0.5`.

    None where several values, another torch version, a condition or another name is told of.
    """
    text = _EMPHASIS.sub("", unescaped(text[:2000]).replace("``", "`"))
    found = list(_DEFAULT.finditer(text)) if tells_default(text) else []
    if not found or _OTHER_VERSION.search(text) or len(found) != len(_ANY.findall(text)):
        return None
    values = {(match[1] or match[2]).strip() for match in found}
    for match in found:
        before = _SENTENCE_END.split(text[: match.start()].rstrip(" (（"))[-1]
        names = [
            span for span in code_spans(before) if _API_NAME.fullmatch(span) and span not in ("True", "False", "None")
        ]
        if names or _CONDITION.match(text[match.end() :]) or not _SIMPLE.fullmatch(match[1] or match[2]):
            return None
    return values.pop() if len(values) == 1 else None
