"""Tables of expressions and what they give: `| Expression | Result |`, `| 表达式 | dtype | 形状 |`."""

from __future__ import annotations

from collections.abc import Iterator

from deckgen.document import Row, Table
from deckgen.extract.api_text import code_spans
from deckgen.extract.text import plain, unescaped
from deckgen.extract.told_values import Aspect, ToldValue, answered_value, expression, told_value
from deckgen.pattern import any_of

_HEADERS: tuple[tuple[Aspect, str, str], ...] = (
    ("dtype", r"^(?:结果)?(?:的)?\s*(?:dtype|数据类型)$", r"^(?:result(?:ing)? |output )?d(?:ata )?type$"),
    ("shape", r"^(?:结果|输出)?(?:的)?\s*(?:形状|尺寸)$", r"^(?:result(?:ing)? |output )?(?:shape|size)$"),
    ("ndim", r"^(?:维数|维度数|几维)$", r"^(?:ndim|dims?|dimensions|number of dim(?:ension)?s)$"),
    ("numel", r"^(?:元素(?:个数|数量?|总数))$", r"^(?:numel|elements|number of elements)$"),
    (
        "value",
        r"^(?:运行|返回|输出|计算)?(?:的)?(?:结果|值|输出|返回)$",
        r"^(?:returned |return |resulting )?(?:results?|values?|outputs?|returns?|gives|prints|evaluates to)$",
    ),
)
_COLUMNS = tuple((aspect, any_of(zh, en)) for aspect, zh, en in _HEADERS)


def told_in_row(table: Table, row: Row) -> Iterator[ToldValue]:
    """What a row says of the one expression in its first or second cell."""
    found = next(((at, code) for at, cell in enumerate(row.cells[:2]) if (code := _alone(cell))), None)
    if found is None:
        return
    for at, (head, cell) in enumerate(zip(table.header, row.cells, strict=False)):
        aspect = _aspect(head) if at != found[0] else None
        value = answered_value(cell) if aspect else None
        told = told_value(found[1], aspect, value) if aspect and value else None
        if told:
            yield told


def _aspect(head: str) -> Aspect | None:
    words = plain(head).strip().rstrip(":：?？").strip()
    return next((aspect for aspect, form in _COLUMNS if form.search(words)), None)


def _alone(cell: str) -> str | None:
    """The expression that a cell consists of."""
    spans = list(code_spans(cell))
    text = (
        spans[0] if len(spans) == 1 and unescaped(cell).strip() == f"`{spans[0]}`" else "" if spans else unescaped(cell)
    )
    return expression(text.replace("\\|", "|")) if text else None
