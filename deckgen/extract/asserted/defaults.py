"""Defaults of parameters as notes state them: in a column, in brackets, in a half-sentence."""

from __future__ import annotations

import re
from functools import lru_cache

from deckgen.extract.text import code_spans, unescaped
from deckgen.text.pattern import pattern

_COLUMN = pattern(r"\W*(?:默认|缺省)(?:值|参数|取值)?\W*|\W*(?i:defaults?(?:\s+(?:values?|settings?))?)\W*")
_WORD = r"(?:(?:默认|缺省)(?:值|情况下)?|\b(?i:defaults?)(?:\s+(?:value|setting))?)"
_LINK = r"(?:设置为|设为|等于|为|是|to\b|is\b|[:：=])"
_NUMBER = r"[-+−]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+−]?\d+)?"
LITERAL = (
    rf"{_NUMBER}|[Tt]rue|[Ff]alse|[Nn]one|[-+]?inf|'[^'\n]{{0,40}}'|\"[^\"\n]{{0,40}}\"|"
    rf"[(\[]\s*{_NUMBER}(?:\s*,\s*{_NUMBER}){{0,7}}\s*,?\s*[)\]]"
)
_VALUE = rf"(?:`([^`\n]{{1,60}})`|({LITERAL}))"
_END = r"(?=`?\s*(?:$|[)）\]】。；;，,\n]|\.(?:\s|$)))"
_DEFAULT = pattern(_WORD)
_OWN = pattern(rf"{_WORD}\s*(?:{_LINK}\s*)?{_VALUE}{_END}")
_BY_DEFAULT = pattern(rf"(?:^|[:：(（,，;；—–])\s*{_VALUE}\s+by default\b")
_NAMED_AFTER = pattern(
    rf"{_WORD}\s*(?:(?:for|of)\s+|的\s*)?(?:`([a-z_]\w*)`\s*{_LINK}|`?([a-z_]\w*)\s*=)\s*{_VALUE}{_END}"
)
_NAMED_BEFORE = pattern(rf"`([a-z_]\w*)`\s*(?:的|[(（,，])?\s*{_WORD}\s*(?:{_LINK}\s*)?{_VALUE}{_END}")
SIMPLE = pattern(rf"{LITERAL}|[a-z][a-z_]*")
EMPHASIS = pattern(r"(?<![\d.)*])\*+|\*+(?![\d(*])")
"""Stars that are marks, not the powers of `2.**16`."""
_CLAUSE_END = pattern(r"[.;。；,，(（:：\n]")
_SENTENCE_END = pattern(r"[.;。；(（\n]")
_CAPITAL = pattern(r"(?<![A-Za-z])(?!The\b|Its\b|By\b|If\b|This\b)[A-Z]\w+")
VERSIONED = pattern(
    r"\d\.\d+\s*(?:\+|起|版|之前|以前|开始|以后|之后|and later|onwards?)|版本|旧版|曾|原来|以前"
    r"|(?i:\b(?:since|before|until|version|torch|pytorch|v)\s*\d+\.\d|\b(?:was|were|used to|formerly|previously)\b)"
)
"""Another torch's default is told as well: which of the two is meant cannot be said."""
_CONDITION = pattern(
    r"`?\s*(?:[,，]\s*(?:否则|但|而|除非|当|如果|若|(?i:but|otherwise|unless|except|if|when|while|for)\b)"
    r"|[(（][^)）]{0,80}?(?:否则|除非|如果|若|时|(?i:\b(?:but|otherwise|unless|except|if|when|while|for)\b)))"
)


def tells_default(text: str) -> bool:
    """False for most texts, at next to no cost."""
    return "efault" in text or "默认" in text or "缺省" in text or "DEFAULT" in text


@lru_cache(maxsize=512)
def is_default_column(head: str) -> bool:
    return tells_default(head) and _COLUMN.fullmatch(head) is not None


def default_of_cell(cell: str) -> str | None:
    """The value that a cell of a column of defaults consists of; None for prose, dashes and `required`."""
    value = EMPHASIS.sub("", unescaped(cell)).strip().strip("`").strip()
    return value if SIMPLE.fullmatch(value) else None


def default_of(text: str) -> str | None:
    """What the text behind a parameter's name says that its default is: `(default: True)`, `默认为 0.5`.

    None where several values, another torch version, a condition or another subject is told of.
    """
    text = _clear(text)
    if not tells_default(text) or VERSIONED.search(text):
        return None
    found = [match for match in _OWN.finditer(text) if _is_about_itself(text, match.start())]
    found += _BY_DEFAULT.finditer(text)
    if len(found) != len(_DEFAULT.findall(text)):  # another one is told in words
        return None
    return _only({_value(match[1], match[2]) if sure(text, match) else None for match in found})


def named_defaults(text: str) -> tuple[tuple[str, str], ...]:
    """(parameter, value) pairs of a text about one function: ``default `p` is 0.9``, `` `p` 默认为 0.5``."""
    text = _clear(text)
    if not tells_default(text) or VERSIONED.search(text):
        return ()
    found: dict[str, set[str | None]] = {}
    for form in (_NAMED_AFTER, _NAMED_BEFORE):
        for match in form.finditer(text):
            *names, marked, bare = match.groups()
            name = next(one for one in names if one)
            found.setdefault(name, set()).add(_value(marked, bare) if sure(text, match) else None)
    return tuple((name, value) for name, values in found.items() if (value := _only(values)))


def _clear(text: str) -> str:
    return EMPHASIS.sub("", unescaped(text[:2000]).replace("``", "`"))


def _value(marked: str | None, bare: str | None) -> str | None:
    value = (marked or bare or "").strip()
    return value if SIMPLE.fullmatch(value) else None


def _only(values: set[str | None]) -> str | None:
    return values.pop() if len(values) == 1 else None


def sure(text: str, match: re.Match[str]) -> bool:
    """No exception follows: `default: 0.5, otherwise 1`, `default: 0 (1 if it is given)`."""
    return _CONDITION.match(text[match.end() :]) is None


def _is_about_itself(text: str, start: int) -> bool:
    """True unless the sentence up to "default" names something else: ``with `bias` (default: True)``."""
    before = text[:start].rstrip()
    if before.endswith(("(", "（")) and before[:-1].rstrip().endswith("`"):
        return not _names(before[:-1].rstrip().rpartition("`")[0].rpartition("`")[2])
    clause = _CLAUSE_END.split(before)[-1]
    if _CAPITAL.search(clause):
        return False
    return not any(_names(span) for span in code_spans(_SENTENCE_END.split(before)[-1]))


def _names(span: str) -> bool:
    """True if a code span is the name of something, not a value."""
    return re.fullmatch(r"[A-Za-z_][\w.]*", span) is not None and span not in ("True", "False", "None")
