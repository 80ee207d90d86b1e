"""A comment that names an exception: `x.view(5)  # RuntimeError: shape '[5]' is invalid`, `# 报错`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckgen.extract.claims.reading import Reading, is_print
from deckgen.model.claim import Claim, Raises
from deckgen.text.pattern import pattern
from deckgen.written import half_width

FORM = "raising"
_NAMED = pattern(
    r"[\W_]*(?:(?:会|将|则|这里|此处|就会|throws?|raises?|will raise|gives|error|报错|抛出|异常|错误|输出|结果|output)\s*(?:an?\s+|了|一个)?[::]?\s*){0,3}"
    r"[\W_]*(?P<type>(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning))(?P<rest>.*)",
    re.DOTALL | re.IGNORECASE,
)
_ANONYMOUS = pattern(
    r"[\W_]*(?:(?:这|此处|这里)?(?:会|将会?)?(?:直接)?(?:报错|出错|抛(?:出)?异常)|(?:this )?(?:raises|throws|gives) an? (?:error|exception)|error!?|fails)[\W_]*",
    re.IGNORECASE,
)

_SAID = pattern(
    r".{1,30}?(?:报错|抛出|异常|错误|\b(?:raises?|throws?|error))\s*[:,]?\s*(?P<type>[A-Z]\w*(?:Error|Exception))(?P<rest>:.*)",
    re.DOTALL,
)
"""`再次反向传播会报错: RuntimeError: Trying to ...`: a type with its message, whatever is said before."""
_CONDITION = pattern(
    r"如果|若|否则|可能|避免|不会|防止|以免|\b(?:if|unless|otherwise|may|might|could|avoid|without|not|never|no)\b",
    re.IGNORECASE,
)


_MAY_RAISE = pattern(r"error|exception|interrupt|iteration|warning|报错|出错|异常|fails", re.IGNORECASE)
"""Cheap to look for, since most comments have nothing of it."""


def find(reading: Reading) -> Iterator[Claim]:
    """Claims of trailing comments that say that their statement raises."""
    for comment in reading.comments:
        statement = None if comment.alone else reading.ending_at(comment.line)
        said = exception_in(comment.text) if statement else None
        if statement and said and not (is_print(statement.node) and reading.handles(comment.line)):
            name, message = said
            yield Raises(
                id="",
                span=reading.place(comment.line),
                text=comment.text.strip(),
                form=FORM,
                code_line=statement.start,
                exception=name,
                message=message,
                caught=reading.handlers_of(comment.line),
            )


def exception_in(text: str) -> tuple[str, str] | None:
    """(type, message) of a text that says that something raises; the type is empty for `# 报错`."""
    if not _MAY_RAISE.search(text):
        return None
    plain = half_width(text[:2000])
    if _ANONYMOUS.fullmatch(plain):
        return "", ""
    found = _NAMED.fullmatch(plain) or _SAID.fullmatch(plain)
    if found and found.re is _SAID and _CONDITION.search(plain[: found.start("type")]):
        return None
    if not found or not found["type"].rsplit(".", 1)[-1][:1].isupper():
        return None
    rest = found["rest"].strip()
    if rest and rest[0] not in ":(!.,;-—❌~":
        return None
    message = rest[1:].strip() if rest.startswith(":") else ""
    return found["type"].rsplit(".", 1)[-1], "" if re.search(r"[一-鿿]", message) else message
