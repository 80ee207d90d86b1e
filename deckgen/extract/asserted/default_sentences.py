"""Defaults told in sentences: `DataLoader 的 num_workers 默认为 4`, `The default momentum for torch.optim.SGD is 0.9`.

What a text is about is put as one sign first, so that each way of telling is one pattern whatever the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from deckgen.extract.apis.text import is_rooted, is_written_name
from deckgen.extract.asserted.defaults import EMPHASIS, LITERAL, SIMPLE, VERSIONED, sure, tells_default
from deckgen.extract.text import unescaped
from deckgen.text.pattern import any_of, pattern

O = "\N{WHITE DIAMOND SUIT}"  # noqa: E741 - the owner, in patterns that are long enough as they are
"""What stands for the API that a text is about."""


class Told(NamedTuple):
    """A default as a sentence tells it."""

    owner: str
    parameter: str
    value: str


_P = r"(?<![A-Za-z0-9_.`])`?(?P<name>[a-z_][A-Za-z0-9_]*)`?(?![A-Za-z0-9_.(`])"
_V = rf"(?:`(?P<marked>[^`\n]{{1,60}})`|(?P<bare>{LITERAL}))"
_END = rf"(?=`?\s*(?:(?:in|for|of|with|on) (?:the )?{O})?\s*(?:by default)?\s*(?:$|[()（）\]】。；;，,、!！\n]|\.(?:\s|$)|[—–]|and\b|但|而|且))"
_LED = r"(?:(?:[a-z]+\s+){1,3}\()?"
"""`learning rate (` before `lr`."""
_NOUN = r"(?:\s*(?:parameter|argument|option|keyword|flag|attribute|value|参数|选项|属性))?"
_OF = rf"(?:\s*(?:of|in|for|on)\s+(?:the\s+)?{O}(?:['’]s)?(?:\s+(?:constructor|class|function|layer|module|optimi[sz]er))?)?"
_IS_ZH = r"(?:设置为|设为|等于|取值?为|为|是|取|[:：=])"


class _Forms:
    """Ways to tell a default, by the language of their word for it."""

    def __init__(self, english: Sequence[str], chinese: Sequence[str]) -> None:
        self._english, self._chinese = (
            [pattern(form, re.IGNORECASE) for form in forms] for forms in (english, chinese)
        )

    def found(self, text: str) -> Iterator[re.Match[str]]:
        for form in self._english if "default" in text.lower() else ():
            yield from form.finditer(text)
        for form in self._chinese if "默认" in text or "缺省" in text else ():
            yield from form.finditer(text)


_VALUED = _Forms(
    english=(
        rf"\bdefaults?(?:\s+(?:value|setting))?(?:\s+(?:of|for))?(?:\s+the)?\s+{_LED}{_P}\)?{_NOUN}{_OF}\s*(?:\bis|=|:|\bof|\bequals)\s*{_V}{_END}",
        rf"{_P}{_NOUN}{_OF}\s+(?:defaults?\s+to|(?:has|with)\s+(?:an?\s+|the\s+)?default\s+(?:value\s+)?(?:of\s+)?|default(?:\s+value)?\s+is|is\s+by\s+default|by\s+default\s+is|defaults?\s*[:=]?)\s*{_V}{_END}",
        rf"{_P}{_NOUN}{_OF}\s*(?:\bis(?:\s+set\s+to)?|\bare|\bequals|=)\s*{_V}`?\s+by\s+default\b",
        rf"\b(?:defaults?(?:\s+to)?|by\s+default[^.;。；=]{{0,40}}?)\s+{_P}\s*=\s*{_V}{_END}",
        rf"\b(?:uses?|has|takes|with|applies)\s+(?:an?\s+|the\s+)?{_P}\s+of\s+{_V}`?\s+by\s+default\b",
        rf"\bby\s+default\b[^.;。；=]{{0,40}}?\b(?:uses?|has|takes|applies)\s+an?\s+{_P}\s+of\s+{_V}{_END}",
        rf"\bby\s+default\s*\(\s*{_P}\s*=\s*{_V}`?\s*\)",
    ),
    chinese=(
        rf"{_P}{_NOUN}\s*(?:在\s*{O}\s*(?:中|里))?\s*的?\s*(?:默认|缺省)(?:值|情况下)?(?:都|就)?\s*{_IS_ZH}?\s*{_V}{_END}",
        rf"(?:默认|缺省)(?:情况下|[的值以用采使设置,，\s中里会]|{O})*{_P}\s*(?:参数|值)*\s*{_IS_ZH}\s*{_V}{_END}",
        rf"(?:默认|缺省)(?:情况下)?\s*(?:沿着?|在|按|以|对)\s*{_P}\s*=\s*{_V}(?![A-Za-z0-9_.(])",
        rf"(?:默认|缺省)[^。；;=（(]{{0,12}}[（(]\s*{_P}\s*=\s*{_V}`?\s*[)）]",
    ),
)
_MAY_HOLD_VALUE = any_of(r"[`\d'\"(\[]|true|false|none|inf")
_MORE = pattern(rf"`?\s*(?:[,，、]|and\b|和)\s*(?:and\s+)?{_P}\s*=\s*{_V}{_END}")
"""`, eps=1e-8` behind `lr=0.001`."""
_WITHOUT = _Forms(
    english=(
        rf"{O}\s+(?:has|uses|comes with|applies|adds|includes)\s+no\s+{_P}\s+by\s+default\b",
        rf"{O}\s+does\s+not\s+(?:have|use|apply|add|include)\s+(?:an?\s+|the\s+)?{_P}\s+by\s+default\b",
    ),
    chinese=(
        rf"{O}\s*(?:的|层|类|函数)*\s*默认(?:情况下)?\s*(?:没有|不带|无|不使用|不用|不含|不启用|不开启|不加)\s*{_P}(?=\s*(?:$|[。，,；;.（(]))",
    ),
)
_WITH = _Forms(
    english=(rf"{O}\s+(?:has|uses|comes with|applies|adds|includes)\s+(?:an?\s+|the\s+)?{_P}\s+by\s+default\b",),
    chinese=(
        rf"{O}\s*(?:的|层|类|函数)*\s*默认(?:情况下)?\s*(?:有|带有?|使用|启用|开启|包含)\s*{_P}(?=\s*(?:$|[。，,；;.（(]))",
    ),
)
_NO_PARAMETER = frozenset(
    "the a an by is its it this that whose with and or has as to of for in on value values setting behavior behaviour"
    " default defaults not no which parameter argument option are be also therefore so then 一 the_default".split()
)
_WHOLE_CALL = pattern(rf"{O}\s*(?:is|are|being|就?是|为)\s*(?:the\s+)?(?:default|默认)", re.IGNORECASE)
_KEYWORD = pattern(rf"(?P<name>[a-z_]\w*)\s*=\s*(?P<value>{LITERAL})(?=\s*[,)])")


def named(text: str) -> tuple[tuple[str, str], ...]:
    """(parameter, value) pairs of a text about one API, which is written `O` where the text names it."""
    if not tells_default(text) or VERSIONED.search(text):
        return ()
    found: dict[str, set[str | None]] = {}
    for name, value in (*_valued(text), *_had(text)):
        found.setdefault(name, set()).add(value)
    return tuple(
        (name, value)
        for name, values in found.items()
        if len(values) == 1
        and name not in _NO_PARAMETER
        and not name[0].isupper()
        and (value := next(iter(values))) is not None
    )


def _valued(text: str) -> Iterator[tuple[str, str | None]]:
    for match in _VALUED.found(text) if _MAY_HOLD_VALUE.search(text) else ():
        yield match["name"], _value(text, match)
        more = _MORE.match(text, match.end()) if "=" in match.group() else None
        while more:
            yield more["name"], _value(text, more)
            more = _MORE.match(text, more.end())


def _value(text: str, match: re.Match[str]) -> str | None:
    value = match["marked"] or match["bare"].removesuffix(".")
    return value.strip() if SIMPLE.fullmatch(value.strip()) and sure(text, match) else None


def _had(text: str) -> Iterator[tuple[str, str | None]]:
    """`nn.Linear has no bias by default`: a truth value."""
    for forms, value in ((_WITHOUT, "False"), (_WITH, "True")) if O in text else ():
        for match in forms.found(text):
            yield match["name"], value if sure(text, match) else None


# --- what a text is about ---------------------------------------------------------------------------

_CALL = r"(?:\((?:[^()`\n]|\([^()`\n]*\)){0,120}\))?"
_MARKED = pattern(rf"`(?P<name>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?P<call>{_CALL})`(?:['’]s\b)?", re.ASCII)
_BARE = pattern(
    rf"(?<![A-Za-z0-9_./`@])(?P<name>(?:torch|nn|F|optim)(?:\.[A-Za-z_]\w*)+|[A-Z][a-z]+[A-Z0-9]\w*|[A-Z]{{3,}}[a-z]?\w*)(?P<call>{_CALL})(?![A-Za-z0-9_`])",
    re.ASCII,
)
_PLAIN = pattern(
    r"(?<![A-Za-z0-9_.`])(?P<name>[A-Z][a-z]{2,})(?P<call>)(?=['’]s|[^A-Za-z0-9_`.]|\.(?:\s|$)|$)", re.ASCII
)
_PLAIN_NAMES = frozenset(
    "Adam Adagrad Adadelta Adamax Adafactor Rprop Dropout Linear Bilinear Embedding Softmax Sigmoid Tanh Threshold Softplus"
    " Hardtanh Softshrink Transformer Flatten Unflatten Upsample Fold Unfold Identity Timer Dataset".split()
)
"""Classes of torch whose names are words like any other: beyond doubt in Chinese only."""
_NO_API = frozenset(
    {"PyTorch", "TensorFlow", "NumPy", "TensorBoard", "GitHub", "CUDA", "GPU", "CPU", "API", "True", "False", "None"}
    | {"DataFrame", "NLP", "CNN", "RNNs", "MLP", "DEFAULT", "NOTE", "TODO", "FAQ"}
)
_SENTENCE = pattern(r"(?<=[。！!；;])|(?<=\.)\s+(?=\S)")
_CLAUSE = pattern(r"(?<=[，,])|(?:，)?(?:而|但)|\s+(?:and|while|but|whereas)\s+")


def told_defaults(line: str, about: str = "") -> tuple[Told, ...]:
    """Every default that a line of Markdown tells of an API that it names, or else of the one that stands above it."""
    if not tells_default(line):
        return ()
    text = EMPHASIS.sub("", unescaped(line[:2000]).replace("``", "`"))
    found: list[Told] = []
    for part in _parts(text, bool(about)):
        found += _told(part, about)
    return tuple(dict.fromkeys(found))


def _parts(text: str, headed: bool) -> Sequence[str]:
    """The line if it is about one API, else its sentences, and of those with several their clauses."""
    if len(_owners(text)) <= 1 and (headed or _owners(text)):
        return [text]
    parts: list[str] = []
    for sentence in _SENTENCE.split(text):
        parts += [sentence] if len(_owners(sentence)) <= 1 else _CLAUSE.split(sentence)
    return parts


def _owners(text: str) -> frozenset[str]:
    return frozenset(match["name"] for match in _mentions(text))


@lru_cache(maxsize=64)
def _mentions(text: str) -> Sequence[re.Match[str]]:
    """The APIs that a text names beyond doubt."""
    marked = [match for match in _MARKED.finditer(text) if _is_owner(match["name"], match["call"])]
    bare = [match for match in _BARE.finditer(text) if match["name"] not in _NO_API]
    foreign = not text.isascii()
    bare += [
        match
        for match in _PLAIN.finditer(text)
        if match["name"] in _PLAIN_NAMES or (foreign and match["name"] not in _NO_API)
    ]
    return sorted([*marked, *(one for one in bare if not _inside(one, marked))], key=lambda match: match.start())


def _inside(one: re.Match[str], others: Sequence[re.Match[str]]) -> bool:
    return any(other.start() <= one.start() < other.end() for other in others)


def _is_owner(name: str, call: str) -> bool:
    """True for a marked name that is no parameter and no value."""
    if name in _NO_API or not is_written_name(name):
        return False
    return bool(call) or "." in name or name[:1].isupper()


def _told(text: str, about: str) -> Iterator[Told]:
    names, mentions = _owners(text), _mentions(text)
    if not names and about:
        yield from (Told(about, *pair) for pair in named(text))
    if len(names) != 1:
        return
    owner = mentions[0]["name"]
    put = text
    for match in reversed(mentions):
        put = put[: match.start()] + O + put[match.end() :]
    yield from (Told(owner, *pair) for pair in named(put))
    if _WHOLE_CALL.search(put) and (is_rooted(owner) or owner[:1].isupper()):
        yield from (Told(owner, one["name"], one["value"]) for one in _KEYWORD.finditer(mentions[0]["call"]))
