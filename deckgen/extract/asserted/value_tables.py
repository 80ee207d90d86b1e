"""Tables of expressions and what they give: `| Expression | Result |`, `| 表达式 | dtype | 形状 |`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from deckgen.extract.asserted.asked_values import answered_value
from deckgen.extract.asserted.aspects import Aspect, ToldValue, told_value
from deckgen.extract.asserted.expressions import expression, layer
from deckgen.extract.text import code_spans, plain, unescaped
from deckgen.model.document import Row, Table
from deckgen.text.pattern import any_of, pattern

_HEADERS: tuple[tuple[Aspect, str, str], ...] = (
    ("dtype", r"^(?:结果)?的?\s*数据类型$|^(?:结果的?|的)\s*dtype$", r"^(?:result(?:ing)? |output )?d(?:ata )?type$"),
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
    if not _may_tell(table.header):
        return
    found = next(((at, code) for at, cell in enumerate(row.cells[:2]) if (code := _alone(cell))), None)
    if found is None:
        return
    given = [cell for head, cell in zip(table.header, row.cells, strict=False) if _GIVEN.search(plain(head))]
    if given:
        yield from _of_layer(table, row, found[1], given[0])
        return
    for at, (head, cell) in enumerate(zip(table.header, row.cells, strict=False)):
        if at == found[0]:
            continue
        attribute = _ATTRIBUTE.fullmatch(head)
        aspect: Aspect | None = "value" if attribute else _aspect(head)
        value = answered_value(cell) if aspect else None
        code = f"({found[1]}).{attribute['name']}" if attribute else found[1]
        told = told_value(code, aspect, value) if aspect and value else None
        if told:
            yield told


@lru_cache(maxsize=256)
def _may_tell(header: tuple[str, ...]) -> bool:
    """True for a header over what an expression gives, or over what it is given."""
    return any(_GIVEN.search(plain(head)) or _ATTRIBUTE.fullmatch(head) or _aspect(head) for head in header)


_ATTRIBUTE = pattern(
    r"\W*(?P<name>is_leaf|requires_grad|itemsize|nbytes|(?:is_contiguous|is_floating_point|is_complex|element_size|storage_offset|stride)\(\))\W*"
)
"""A header that is what is looked at: `is_leaf`."""
_GIVEN = any_of(r"^\W*输入(?:张量)?(?:的)?(?:形状|尺寸|维度)?\W*$", r"^\W*inputs?(?: tensor)?(?: shape| size)?\W*$")
_MADE = any_of(
    r"^\W*输出(?:张量)?(?:的)?(?:形状|尺寸|维度)?\W*$", r"^\W*(?:output|result)s?(?: tensor)?(?: shape| size)?\W*$"
)
_SIZES = pattern(r"\W*(?P<sizes>\[[\d\s,]+\]|\([\d\s,]+\))\W*")
_NOT_PLAIN = pattern(
    r"Embedding|RNN|LSTM|GRU|Attention|Transformer|Bilinear|Loss|Cosine|Pairwise|List|Dict|Unpool|Fold"
)
"""Layers that take something else than one tensor of numbers, or give more than one."""


def _of_layer(table: Table, row: Row, made: str, given: str) -> Iterator[ToldValue]:
    """`| nn.Linear(20, 30) | (128, 20) | (128, 30) |` under layer, input and output."""
    sizes = _SIZES.fullmatch(given)
    output = next((cell for head, cell in zip(table.header, row.cells, strict=False) if _MADE.search(plain(head))), "")
    if sizes is None or not _SIZES.fullmatch(output) or not layer(made) or _NOT_PLAIN.search(made):
        return
    told = told_value(f"{made}.train(False)(torch.zeros({sizes['sizes']}))", "shape", answered_value(output) or "")
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
