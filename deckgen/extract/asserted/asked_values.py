"""Questions about the value of one expression, with their answers: ``What does `torch.arange(5).sum()` return?``, `tensor(10)`."""

from __future__ import annotations

import re

from deckgen.extract.asserted.aspects import END, LITERAL, SHAPE_WORD, Aspect, ToldValue, told_value
from deckgen.extract.asserted.expressions import DTYPE, expression
from deckgen.extract.text import unescaped
from deckgen.text.pattern import pattern
from deckgen.written import half_width

_ASKING: tuple[tuple[Aspect, str], ...] = (
    ("shape", rf"{SHAPE_WORD}"),
    ("dtype", r"dtype|数据类型|\bdata type"),
    ("ndim", r"how many (?:dim|axes)|几维|多少维|几个维度|number of dim"),
    ("numel", r"how many elements|多少个?元素|几个元素|number of elements"),
    (
        "value",
        r"return|print|give|output|evaluate|\bvalue\b|result|what(?:'s| is)|equal|yield|返回|输出|打印|得到|结果|的?值|等于|是(?:什么|多少)?\W*$|多少",
    ),
)
_ASKS = tuple((aspect, pattern(form, re.IGNORECASE)) for aspect, form in _ASKING)
_CODE = pattern(r"(`+)([^`]+)\1")
_OTHERWISE = pattern(
    r"\b(?:why|when|if|difference|type of|which (?:function|method|argument)|how (?:do|can|to))\b|为什么|区别|如果|类型|哪个|怎么|如何",
    re.IGNORECASE,
)
_EITHER = pattern(r"\W*(?:is|does|will)\s+`\s*(?:be\s+|return\s+)?(?:true or false)\W*", re.IGNORECASE)
_DATA_TYPE = pattern(r"数据类型|\bdata type|dtype", re.IGNORECASE)


def asked_value(question: str, answer: str) -> ToldValue | None:
    """What the answer to a question about one expression says of it."""
    if "`" not in question:
        return None
    text = unescaped(question).replace("``", "`")
    codes = [match[2].strip() for match in _CODE.finditer(text)]
    if len(codes) != 1 or expression(codes[0]) is None:
        return None
    words = _CODE.sub(" ` ", text)
    if _EITHER.fullmatch(words):
        return told_value(codes[0], "value", answered_value(answer) or "")
    if _OTHERWISE.search(words) and not _DATA_TYPE.search(words):
        return None
    code = codes[0]
    given = answered_value(answer)
    asks = next((aspect for aspect, form in _ASKS if form.search(words)), None)
    if given is None or (asks is None and words.strip(" ?？`：:=") != ""):
        return None
    shaped = code.endswith((".shape", ".size()")) or (asks or "value") == "value"
    return told_value(code, "value" if shaped or asks is None else asks, given)


def answered_value(answer: str) -> str | None:
    """The value with which an answer begins, if only an explanation follows."""
    first = unescaped(answer).strip().partition("\n")[0].replace("**", "").strip()
    found = _ANSWER.match(half_width(first))
    return (found["marked"] or found["bare"]).strip() if found else None


_ANSWER = pattern(
    rf"(?:`(?P<marked>[^`\n]{{1,300}})`|(?P<bare>{LITERAL}|{DTYPE}))(?:\s*(?:dim(?:ension)?s?|elements|维|个元素)\b)?{END}"
)
