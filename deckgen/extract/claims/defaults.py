"""Defaults of parameters as notes state them: in a column of their own, in brackets, in a half-sentence behind the parameter."""

from __future__ import annotations

from deckgen.extract.text import code_spans, unescaped
from deckgen.text.pattern import pattern

_WORD = r"«claim.default»(?:\s*«claim.default_tail»)*"
_NUMBER = r"[-+−]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+−]?\d+)?"
_LITERAL = (
    rf"{_NUMBER}|[Tt]rue|[Ff]alse|[Nn]one|[-+]?inf|'[^'\n]{{0,40}}'|\"[^\"\n]{{0,40}}\"|"
    rf"[(\[]\s*{_NUMBER}(?:\s*,\s*{_NUMBER}){{0,7}}\s*,?\s*[)\]]"
)
_COLUMN = pattern(rf"\W*{_WORD}\W*")
_ANY = pattern("«claim.default»")
_STATED = pattern(
    rf"{_WORD}\s*[:：=]?\s*(?:`([^`\n]{{1,60}})`|({_LITERAL}))(?=`?\s*(?:$|[)）\]】。；;，,\n]|\.(?:\s|$)))"
)
_SIMPLE = pattern(rf"{_LITERAL}|[a-z][a-z_]*")
_EMPHASIS = pattern(r"(?<![\d.)*])\*+|\*+(?![\d(*])")
"""Stars that are marks, not the powers of `2.**16`."""
_SENTENCE_END = pattern(r"[.;。；\n]|[(（](?=[^(（]*$)")
_OTHER_VERSION = pattern(r"\d\.\d+\s*\+|«claim.other_version»")
"""Another torch's default is told as well: which of the two is meant cannot be said."""
_CONDITION = pattern(r"`?\s*(?:[,，]\s*«claim.except»|[(（][^)）]{0,80}?«claim.except»)")
_NAME = pattern(r"[A-Za-z_][\w.]*")


def tells_default(text: str) -> bool:
    """False for most texts, at next to no cost."""
    return "efault" in text or "默认" in text or "缺省" in text or "DEFAULT" in text


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
    found = list(_STATED.finditer(text)) if tells_default(text) else []
    if not found or _OTHER_VERSION.search(text) or len(found) != len(_ANY.findall(text)):
        return None
    values = {(match[1] or match[2]).strip() for match in found}
    for match in found:
        before = _SENTENCE_END.split(text[: match.start()].rstrip(" (（"))[-1]
        names = [span for span in code_spans(before) if _NAME.fullmatch(span) and span not in ("True", "False", "None")]
        if names or _CONDITION.match(text[match.end() :]) or not _SIMPLE.fullmatch(match[1] or match[2]):
            return None
    return values.pop() if len(values) == 1 else None
