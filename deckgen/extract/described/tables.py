"""Tables: a row about an API or a parameter, or a row of a comparison, is one note."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from deckgen.extract import columns
from deckgen.extract.apis.names import api_names, bare_names, signature
from deckgen.extract.described.no_facts import not_for_cards
from deckgen.extract.described.table_reading import Reading, read_table
from deckgen.extract.key import key
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import code_spans, has_words, plain, without_emoji
from deckgen.model.document import Prose, Row, Table
from deckgen.model.note import Api, Basic, Note, Skipped
from deckgen.text.pattern import pattern

_SAYS_LITTLE = pattern(
    r"\W*(?:(?:torch\.)?(?:b?float|u?int|complex)\d+|yes|no|true|false|none|是|否|有|无|支持|不支持|需要|不需要|safe|unsafe|[\d.,]+\w{0,3}|\([\d, ]*\)|)\W*",
    re.IGNORECASE,
)
"""A cell that answers its column's question and says nothing alone."""
_REMARKS = pattern(r"\bnotes?\b|\bremarks?\b|\bcomments?\b|备注|注意", re.IGNORECASE)
_POLAR = pattern(
    r"是否.*[?？]?|.*吗[?？]|(?!(?:what|how|when|why|which|where|who)\b)[A-Za-z]+(?: [A-Za-z]+)?\?", re.IGNORECASE
)
"""A header that asks for yes or no: `View?`."""


def tables(page: Page) -> Finds:
    """One note a row, of every table that has something to learn."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Table) or not page.free(index):
            continue
        used.add(index)
        reason = not_for_cards(page, index, block)
        rows = [] if reason else list(_row_notes(page, index, block))
        notes += rows
        if not rows:
            skipped.append(Skipped(block.span, reason or "a table without two filled columns"))
    return Finds(tuple(notes), tuple(skipped), frozenset(used))


def _row_notes(page: Page, index: int, table: Table) -> Iterator[Note]:
    reading = read_table(table)
    if not reading.content:
        return
    caption = _caption(page, index)
    compared, told_apart = _compares(reading), _needs_second(reading)
    for row in reading.rows:
        if row.cells == reading.header:
            continue  # two tables that grew together
        made = None if compared else _api_note(page, index, reading, row)
        made = made or _fact_note(page, index, reading, _joined(row) if told_apart else row, caption)
        if made:
            yield made


def _compares(reading: Reading) -> bool:
    """`per epoch`, `per batch`, `per epoch`: a column that sorts the rows, or `Input`, says of none what it is for."""
    column = next((c for c in reading.content if not _tells_value(reading.header[c])), None)
    if column is None or any(_tells_meaning(reading.header[c]) for c in reading.content):
        return False
    filled = [cell for row in reading.rows if (cell := row.cells[column].strip())]
    head = reading.header[column]
    if columns.PROPERTY.search(plain(head)):
        return True
    sorts = has_words(head) and not _REMARKS.search(plain(head))
    return sorts and len(filled) > 2 and len(set(filled)) * 2 <= len(filled)


def _needs_second(reading: Reading) -> bool:
    """The first cells repeat, each with another second one: `| nn.BatchNorm2d | momentum | 0.1 |` and `| ... | eps | 1e-5 |`."""
    if reading.api != 0 or len(reading.content) < 2:
        return False
    firsts = [row.cells[0] for row in reading.rows]
    both = {row.cells[:2] for row in reading.rows}
    return len(set(firsts)) < len(firsts) == len(both) and all(row.cells[1].strip() for row in reading.rows)


def _joined(row: Row) -> Row:
    first, second, *others = row.cells
    return Row(row.span, (f"{first} · {second}", "", *others))


def _api_note(page: Page, index: int, reading: Reading, row: Row) -> Note | None:
    if reading.api is None:
        return None
    if reading.api == 0 and has_words(row.cells[0]) and not _names(reading, row, 0):
        return None  # `Hessian of a function` among names: what a cell further on calls is not what it is about
    named_in = [reading.api, *(c for c in reading.content if _is_api_cell(row.cells[c]))]
    named = next((c for c in named_in if _names(reading, row, c)), None)
    if named is None:
        return None
    facts = [(reading.header[c], row.cells[c]) for c in reading.content if c != named and row.cells[c].strip()]
    spoken = [fact for fact in facts if not _is_api_cell(fact[1])] or facts
    if not spoken:
        return None
    if len(spoken) == 1 and has_words(spoken[0][0]) and _asks_more(spoken[0]):
        return None  # `pickle`: `no` is asked as `pickle — safe?`
    meaning = _meaning(spoken)
    if meaning is None or _is_asked(meaning):
        return None  # `batch_size`: `1`, `int` is asked as `batch_size — Default / Type?`
    unnamed = [cell for head, cell in facts if not has_words(head) and cell != meaning[1]]
    written = signature(row.cells[named]) or " / ".join(_names(reading, row, named))
    body = Api(
        name=" / ".join(_names(reading, row, named)),
        signature=written,
        meaning="\n".join([meaning[1], *unnamed]),
        details=tuple((plain(head), cell) for head, cell in facts if (head, cell) != meaning and has_words(head)),
    )
    headings = _with_owner(page.context(index), reading.header[reading.api])
    anchor = key(page.path(index), written)
    return page.note(body, row.span, index, anchor, headings=headings, rests_on=page.apis_on(row.span))


def _with_owner(headings: tuple[str, ...], header: str) -> tuple[str, ...]:
    """The headings, and the header of the column of names, if that alone says whose they are."""
    shown = plain(" ".join(headings))
    return (*headings, header) if any(name not in shown for name in code_spans(header)) else headings


def _asks_more(fact: tuple[str, str]) -> bool:
    """The cell answers its header and says nothing alone."""
    little = _SAYS_LITTLE.fullmatch(plain(fact[1])) or _is_api_cell(fact[1])
    return bool(little) and not _tells_meaning(fact[0])


@lru_cache(maxsize=256)
def _tells_meaning(head: str) -> bool:
    return columns.MEANING.search(plain(head)) is not None


@lru_cache(maxsize=256)
def _tells_value(head: str) -> bool:
    return columns.VALUE.search(plain(head)) is not None


def _is_asked(fact: tuple[str, str]) -> bool:
    """`View?`: `always`, `Recursive`: `❌`: the cell needs its header to be understood."""
    head = plain(fact[0]).strip()
    return bool(_POLAR.fullmatch(head)) or (has_words(head) and not has_words(plain(fact[1])) and _asks_more(fact))


def _meaning(facts: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """The cell that tells what the thing is: by its header, or else the first that is more than a number.

    A default, a type or a version is none, whatever stands beside it.
    """
    told = (fact for fact in facts if _tells_meaning(fact[0]))
    others = [fact for fact in facts if not _tells_value(fact[0])]
    speaking = (fact for fact in others if not _SAYS_LITTLE.fullmatch(plain(fact[1])))
    return next(told, None) or next(speaking, None) or next((fact for fact in others if not has_words(fact[0])), None)


def _names(reading: Reading, row: Row, column: int) -> list[str]:
    """Names in a cell; in the column of names also a bare word."""
    cell = row.cells[column]
    return api_names(cell) or (bare_names(cell) if column == reading.api else [])


@lru_cache(maxsize=256)
def _is_api_cell(cell: str) -> bool:
    """Nothing but names in code."""
    spans = code_spans(cell)
    return bool(spans) and not has_words(plain(re.sub(r"`[^`]*`", "", cell))) and bool(api_names(cell))


def _fact_note(page: Page, index: int, reading: Reading, row: Row, caption: str) -> Note | None:
    subject = next((cell for cell in row.cells if cell.strip()), "")
    columns_ = sorted({*reading.content, *([] if reading.api is None else [reading.api])})
    facts = [(reading.header[c], row.cells[c]) for c in columns_ if c and row.cells[c].strip()]
    facts = [(head, cell) for head, cell in facts if cell != subject]
    if not facts or not (has_words(subject) or "`" in subject):
        return None
    heads = [without_emoji(head) for head, _ in facts if has_words(head)]
    asked = " / ".join(heads)
    prompt = f"{without_emoji(subject)} — {asked}" if asked else without_emoji(subject)
    if not prompt.rstrip().endswith(("?", "？")):
        prompt += "？" if page.chinese else "?"
    answer = facts[0][1] if len(facts) == 1 else "\n".join(f"- {without_emoji(head)}: {cell}" for head, cell in facts)
    rests_on = page.apis_on(row.span) if reading.api is not None else ()
    return page.note(Basic(prompt=prompt, answer=answer), row.span, index, f"{subject} {caption}", rests_on=rests_on)


def _caption(page: Page, index: int) -> str:
    """A line with a colon right above the table."""
    above = page.blocks[index - 1] if index else None
    text = above.text.strip() if isinstance(above, Prose) else ""
    return text if text.endswith((":", "：")) and "\n" not in text else ""
