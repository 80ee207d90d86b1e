"""The words with which people announce an output, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from deckgen.text.pattern import pattern
from deckgen.written import Angle, Call, Group, Mark, Number, Quoted, Row, half_width
from deckgen.written.lines import paragraphs
from deckgen.written.parsing import Piece, pieces
from deckgen.written.values import leading_values

_OUTPUT_ZH = (
    r"(?:程序|代码|控制台|终端|最终|预期|期望|实际)?(?:的)?"
    r"(?:运行|执行|打印|输出|返回|显示|得到|计算)?(?:的)?(?:结果|输出|打印|返回值)(?:内容|信息|示例|结果)?"
)
_OUTPUT_EN = (
    r"(?:the |sample |example |expected |console |program |this |code )*"
    r"(?:std)?(?:outputs?|out|results?|prints?|printed|returns|displays|shows|gives|yields)"
)
_IS = r"(?:如下所示|如下|为|是|像这样|大概是|类似(?:于)?|大致如下|\s*(?:is|are|looks? like|will be|should be))?"
_ASIDE = r"(?:(?:\s+|(?<=(?-i:[一-鿿])))\([^)]*\))?"
"""Chinese has no capitals, and `re` takes long to learn that of each character."""
LABEL = pattern(rf"(?:[\W_]*)(?:{_OUTPUT_ZH}|{_OUTPUT_EN})\s*(?:\[\d+\])?{_IS}{_ASIDE}(?:[\W_]*)", re.IGNORECASE)
"""A line that is nothing but the announcement of an output: `''' 运行结果 '''`, `# Output:`, `**输出：**`."""
_ANNOUNCED = pattern(
    r"[\W_]*(?:.{0,40}?)(?:输出|运行结果|结果|打印|会得到|得到|返回|outputs?|results?|prints?|produces|gives|yields|returns)"
    rf"{_IS}{_ASIDE}[\s*_`]*[::](?:[\W_]*)",
    re.IGNORECASE | re.DOTALL,
)
_MARKER = pattern(
    rf"""\s*(?:
        (?P<strong>
            (?:{_OUTPUT_ZH}|{_OUTPUT_EN}|expected)\s*{_IS}{_ASIDE}\s*[::]
          | (?:\#?=+>|\#?-+>|\#?>+|→|⇒|➜|➡️?|⟹|>>>)
          | (?:should|must|will)\ (?:be|print|output|give|return|show)\b\s*:?
        )
      | (?P<weak>
            (?:(?:这里|此处|这|会|将|就|则)*(?:输出|打印|返回)|输出|打印|返回|得到|显示|结果|变为|变成|现在是|应(?:该)?(?:是|为)|等于|即|默认(?=值|为|是|\s|\d)|(?:大)?约(?:为|等于)?|大概|差不多|近似|值)(?:结果|出|了|的值)?(?:为|是|了)?
          | (?:prints?|outputs?|returns?|gives|yields|shows|equals|becomes|is|now|i\.e\.|approx(?:imately)?\.?|about|roughly|around)(?=\W)
          | [=≈]+
        )
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_LONG = 300
"""No announcement has more characters."""
_EXPLAINS = pattern(
    r"\s*(?:$|[(,;。.!]|[-—–]{1,2}\s|\#|<-|←|//|:\s|(?:->|→)\s*[一-鿿]|\s(?:because|since|as|so|due|if|when)\b|因为|由于|所以|表示|说明|即)"
)

_LEGEND = pattern(r"\s*(?:if|when|means?|表示|代表)(?=\s|[^\x00-\x7f])")
"""`True if there is a GPU` tells what a truth value means, not which it is."""


def is_label(line: str) -> bool:
    """True if a line only announces an output."""
    return len(line) < _LONG and LABEL.fullmatch(half_width(line).strip()) is not None


@lru_cache(maxsize=1024)
def announces(text: str) -> bool:
    """True if the last line of a paragraph or heading announces an output: `会得到：`, `This prints:`."""
    last = text.strip().rsplit("\n", 1)[-1].strip()
    if len(last) >= _LONG:
        return False
    last = half_width(last)
    return LABEL.fullmatch(last) is not None or (":" in last and _ANNOUNCED.fullmatch(last) is not None)


_FAILS = pattern(
    r"(?:.{0,60}?(?:报错|出错|抛出|抛异常|异常|错误)(?:信息|内容|提示|了|一个)?(?:如下(?:所示)?|为|是)?"
    r"|.{0,60}?\b(?:errors?|raises?|raised|throws?|exception|traceback|fails|crashes)\b(?: with| message| says| is)?)[\s*_`]*:?[\W_]*",
    re.IGNORECASE | re.DOTALL,
)
_MAY = pattern(
    r"如果|若|否则|可能|有时|常见|类似|例如|比如|以前|旧版|\b(?:if|unless|otherwise|may|might|could|sometimes|common|typical|e\.g\.|like|older?)\b",
    re.IGNORECASE,
)


def announces_failure(text: str) -> bool:
    """True if the last line of a paragraph announces an exception of the code above it: `会报错：`, `This raises`."""
    last = half_width(text.strip().rsplit("\n", 1)[-1].strip())
    return len(last) < _LONG and _FAILS.fullmatch(last) is not None and not _MAY.search(last)


@lru_cache(maxsize=2048)
def marker(text: str) -> tuple[str, str]:
    """(`strong`, `weak` or ``, rest) of a comment: `输出: False` -> (`strong`, `False`)."""
    found = _MARKER.match(half_width(text[:_LONG]))
    if not found:
        return "", text
    return (found.lastgroup or ""), text[found.end() :]


def strongly_marked(text: str) -> str | None:
    """The rest of a text that begins with a strong marker: `输出: False` -> `False`."""
    if not (":" in text or "：" in text or _ARROW.match(text)):
        return None
    kind, rest = marker(text)
    return rest if kind == "strong" else None


_ARROW = pattern(r"\s*(?:\#?[=-]*[>＞]|[→⇒➜➡⟹]|(?:should|must|will) )", re.IGNORECASE)
"""What makes a marker strong, but for a word and a colon."""


@lru_cache(maxsize=2048)
def value_then_reason(text: str) -> str | None:
    """The value at the start of a text, if nothing but an explanation follows it. (Several forms ask of one comment.)

    `False (因为...)` -> `False`; `3 layers` -> None, because it describes.
    """
    values = leading_values(text)
    if not values:
        return None
    first, end = values[0].node, values[-1].stop
    if isinstance(first, Call | Angle):
        return text[:end]
    if len(values) == 1 and isinstance(first, Group) and not _filled(first):
        # brackets without any content say too little to be a value, unless nothing else is said
        return text[:end] if text.strip() in ("[]", "{}") else None
    rest = half_width(text[end:])
    if text[:end] in ("True", "False") and _LEGEND.match(rest):
        return None
    if _EXPLAINS.match(rest):
        return text[:end]
    listed = isinstance(first, Row) or (isinstance(first, Group) and _filled(first))
    return _first_of(text, values) if len(values) > 1 and listed else None


def _first_of(text: str, values: Sequence[Piece]) -> str | None:
    """`(32, 4)` of `(32, 4), 4 gates in one`: the number begins what explains it."""
    end = values[0].stop
    return text[:end] if _ASIDE_FOLLOWS.match(half_width(text[end:])) else None


_ASIDE_FOLLOWS = pattern(r"\s*[,;(]\s*(?:[a-z]+ )?\d+\s*(?:[^\W\d_]|-d)")


def _filled(group: Group) -> bool:
    return any(
        isinstance(node, Number | Row | Quoted | Call | Group | Angle) or not isinstance(node, Mark)
        for item in group.items
        for node in item
        if node.__class__.__name__ != "Dots"
    )


def only_values(lines: Sequence[str]) -> bool:
    """True if each of the things that the lines print is a value, and there is one."""
    shown = (value_then_reason("\n".join(lines[a:b]).strip()) for a, b in paragraphs(lines))
    return next(shown, None) is not None and None not in shown


def bare_number(text: str) -> bool:
    """True if a value is nothing but one number: too little to be a claim without a sign of one."""
    nodes = [piece.node for piece in pieces(text)]
    return len(nodes) == 1 and isinstance(nodes[0], Number)
