"""What a text is, as far as a program can see: it points at something else, talks to its readers, breaks off, names code."""

from __future__ import annotations

from functools import lru_cache

from deckgen.extract.text import CODE_SPAN, code_spans, has_words, plain, plain_width, width, without_code
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_FENCE = pattern(r"(?ms)^ {0,3}(`{3,}|~{3,}).*?^ {0,3}\1`*\s*$")
_PICTURE = pattern(r"!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>")
_LINK = pattern(r"\[[^\]]*\]\([^)]*\)|<?https?://[^\s>)]+>?")
_SENTENCE = pattern(r"(?<=[。！？!?])|(?<=[.;；])\s")
_UNFINISHED = (":", "：", ",", "，", "、", "(", "（")
_GOES_ON = pattern(
    r"(?!(?<=«worth.before_sum»)«grammar.plus»)«worth.goes_on»[^\w。.!！?？]*$"
)  # 总和 and 求和 are sums, and no `and`
_SHORT = 8
"""Columns of an answer of a word: `is`, `是`."""
_DEBRIS = pattern(r"¶|\]\(#|</?(?:div|span|img|a|br|p|table|center|font)\b|(?<!\*)\*\*(?!\*)|&[a-z]+;|\{%|%\}")

_BOLD = pattern(r"\*\*(?=\S)(?:(?!\*\*).)+?(?<=\S)\*\*(?!\*)|\*{3}.+?\*{3}")
_IDENTIFIER = pattern(
    r"[A-Za-z_]\w*\((?!s\))|(?<![\w./:])(?:[A-Za-z_]\w+(?:\.[A-Za-z_]\w*)+|[a-z]\.[a-z_]{3,})(?![\w/])|\b[a-z]\w*_\w+|__\w+__|<\w+>"
)
"""`f(x)`, `nn.Linear`, `x.reshape`, `in_features`; not the end of a page's address, and no `GPU(s)`."""
_LETTERS = pattern(r"[A-Za-z]")


@lru_cache(maxsize=4096)
def prose_of(markdown: str) -> str:
    """The text without its fences and pictures."""
    return _PICTURE.sub("", _without_fences(markdown)).strip()


def _without_fences(markdown: str) -> str:
    return _FENCE.sub("", markdown) if "```" in markdown or "~~~" in markdown else markdown


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, roughly; a line ends one."""
    return [part.strip() for line in text.split("\n") for part in _SENTENCE.split(line) if part and part.strip()]


def breaks_off(text: str) -> bool:
    """True for a text that ends in the middle: with a colon, a comma, an open bracket or half of a mark."""
    text = _without_fences(text).rstrip()
    words = plain(text.rpartition("\n")[2])
    rest = without_code(text)
    opened = sum(map(rest.count, "([（{")) - sum(map(rest.count, ")]）}"))
    goes_on = width(words) > _SHORT and _GOES_ON.search(words) is not None
    return text.endswith(_UNFINISHED) or rest.count("`") % 2 == 1 or opened > 0 or goes_on


def leads_elsewhere(text: str, least: int) -> bool:
    """True for a text of links with fewer than so many columns of words beside each."""
    rest, links = _LINK.subn("", text)
    return links > 0 and (plain_width(rest) < least * links or not has_words(plain(rest)))


def has_debris(text: str) -> bool:
    """True for a text with marks that a card would show as they stand: `¶`, half of a bold mark, tags."""
    return _DEBRIS.search(_BOLD.sub("", without_code(_without_fences(text)))) is not None


def names_code(text: str) -> bool:
    """True for a text in which something of a program stands: a code span, a fence, a call, a dotted name."""
    return "```" in text or any(map(_LETTERS.search, code_spans(text))) or _IDENTIFIER.search(plain(text)) is not None


def is_code(text: str) -> bool:
    """True for a text that is names of a program and nothing else: `nn.Linear`, `children()` / `modules()`."""
    if not names_code(text):
        return False
    if "\n" not in text and parsed(text.replace("`", "")) is not None:
        return True
    words = plain(CODE_SPAN.sub(" ` ", text))
    return not has_words(_IDENTIFIER.sub(" ", words).replace("True", "").replace("False", ""))
