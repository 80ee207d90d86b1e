"""Tables: a row about an API or a parameter, or a row of a comparison, is one note."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.extract.key import key
from deckgen.extract.labels import Kind, labels
from deckgen.extract.names.written import api_names, bare_names, signature
from deckgen.extract.notes.no_facts import why_no_table
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import code_spans, has_words, plain, without_code, without_emoji
from deckgen.model.document import Row, Table
from deckgen.model.note import Api, Basic, Note, Skipped, Standing
from deckgen.text.pattern import pattern

_COUNTS = pattern(r"\W*«definition.number»?\W*")
_NUMBER = pattern(r"\W*(?:\d{1,3}|[①-⑳])\W*")
_ADDRESS = pattern(
    r"<?https?://\S+>?|\[[^\]]*\]\(\s*<?https?://[^)]*\)|(?:`?[\w./-]+\.\w{1,4}:\d[\d,\s-]*`?[,;、\s]*)+"
)
"""A cell that only leads somewhere else: to a page, or to lines of a file."""
_LITTLE = pattern(r"\W*(?:«definition.little»|[\d.,]+\w{0,3}|\([\d, ]*\)|)\W*")
"""A cell that answers its column's question and says nothing alone."""
_BOLD = pattern(r"^\*\*(.+)\*\*$")
_TORCHS = pattern(r"[A-Za-z_)\]]\.[A-Za-z_]\w*|\w\(|\b[A-Z][a-z]+[A-Z]\w*|@")
"""`torch.add`, `x.view(2)`, `backward()`, `DataLoader`"""
_SEVERAL = 2
"""Further columns that are too many for one answer."""
_BREAK = pattern(r"\s*<br\s*/?>\s*", 2)
_PARTS = r"([，,；;])"
"""Between the parts of a cell, one of which may say `ditto`."""


@collected
def tables(page: Page) -> Made:
    """One note a row, of every table that has something to learn."""
    for index, block in page.each(Table):
        reason = why_no_table(page, index, block)
        rows = [] if reason else [_without_breaks(note) for note in _rows(page, index, block)]
        yield from ((note, [index]) for note in rows)
        if not rows:
            yield Skipped(block.span, reason or "a table without two filled columns"), [index]


def _without_breaks(note: Note) -> Note:
    """The note with paragraphs where its cells have `<br>`, and blanks in its question; its key stays."""
    match note.body:
        case Api() as body:
            details = tuple((head, _in_paragraphs(cell)) for head, cell in body.details)
            return replace(note, body=replace(body, meaning=_in_paragraphs(body.meaning), details=details))
        case Basic() as body:
            asked = _BREAK.sub(" ", body.prompt)
            return replace(note, body=replace(body, prompt=asked, answer=_in_paragraphs(body.answer)))
        case _:
            return note


def _in_paragraphs(cell: str) -> str:
    return "\n\n".join(filter(None, map(str.strip, _BREAK.split(cell)))) if "<" in cell else cell


def _rows(page: Page, index: int, table: Table) -> Iterator[Note]:
    table = _without_count(table)
    names = _name_column(table)
    rows = list(_filled(table.rows, fill_first=names is None))
    content = [at for at in range(len(table.header)) if at != names and _says_something(table.header[at], rows, at)]
    for row in rows if content else ():
        made = None
        if names is not None:
            facts = [(table.header[at], row.cells[at]) for at in content if row.cells[at].strip()]
            made = _api(page, index, table.header[names], row.cells[names], row, facts)
        if made is not None:
            yield from _by_column(page, index, row, made)
        elif row.cells != table.header:  # two tables that grew together have a header in the middle
            yield from _facts(page, index, table.header, row, content, names)


def _without_count(table: Table) -> Table:
    """Without a first column that only counts the rows: `| # | Symptom | Fix |`."""
    numbers = len(table.header) > 2 and all(_NUMBER.fullmatch(plain(row.cells[0])) for row in table.rows)
    if not numbers or not _COUNTS.fullmatch(plain(table.header[0])):
        return table
    return replace(table, header=table.header[1:], rows=tuple(Row(row.span, row.cells[1:]) for row in table.rows))


def _name_column(table: Table) -> int | None:
    """The first or second column, if most of its cells are names of the API or of parameters."""
    for column, head in enumerate(map(plain, table.header[:2])):
        cells = [row.cells[column] for row in table.rows if row.cells[column].strip()]
        parameters = Kind.PARAMETER_COLUMN in labels(head)
        titled = parameters or Kind.API_COLUMN in labels(head)
        if not titled and column and len(table.header) == 2:
            continue  # what is asked for stands in the first column, the name is the answer
        named = sum(bool(api_names(cell) or (parameters and bare_names(cell))) for cell in cells)
        bare = titled and not column and all(map(bare_names, cells))
        if cells and (named * 10 >= len(cells) * (5 if titled else 7) or bare):
            return column
    return None


def _says_something(header: str, rows: Sequence[Row], column: int) -> bool:
    filled = [row.cells[column].strip() for row in rows if row.cells[column].strip()]
    if Kind.DECORATION_COLUMN in labels(header).words or all(map(_ADDRESS.fullmatch, filled)):
        return False
    return any(has_words(cell) or cell in "✅❌✓✗" for cell in filled)


def _filled(rows: Sequence[Row], *, fill_first: bool) -> Iterator[Row]:
    """Rows whose `ditto` is written out; an empty first cell repeats the one above, unless it is a missing name."""
    above: tuple[str, ...] = ()
    for row in rows:
        cells = list(row.cells)
        for at, before in enumerate(above):
            if Kind.DITTO in labels(cells[at]).words:
                cells[at] = _written_out(cells[at], before)
            elif not cells[at].strip() and at == 0 and fill_first:
                cells[at] = before
        above = tuple(cells)
        yield Row(row.span, above)


def _written_out(cell: str, above: str) -> str:
    """`模块字典，同上` under `模块列表，仅用于注册参数` is `模块字典，仅用于注册参数`."""
    parts, source = re.split(_PARTS, cell), re.split(_PARTS, above)
    at = next((at for at, part in enumerate(parts) if Kind.DITTO in labels(part)), 0)
    return "".join([*parts[:at], *(source[at:] or source[-1:]), *parts[at + 1 :]]).strip()


def _api(page: Page, index: int, header: str, cell: str, row: Row, facts: Sequence[tuple[str, str]]) -> Note | None:
    """What the cells say of the name in one of them; the others are details."""
    named = next(filter(_names, [cell, *(other for _, other in facts if _is_name(other))]), "")
    if named != cell and has_words(cell) and cell == row.cells[0]:
        return None  # `Hessian of a function` among names
    facts = [fact for fact in facts if named == cell or fact[1] != named]
    spoken = [fact for fact in facts if not _is_name(fact[1])] or facts
    saying = [fact for fact in spoken if Kind.MEANING_COLUMN in labels(fact[0]).words]
    saying = saying or [fact for fact in spoken if _tells(*fact)]
    if not named or not saying:
        return None  # `pickle`: `no` is asked as `pickle — safe?`
    meaning = saying[0]
    names = " / ".join(_names(named))
    untitled = [other for head, other in facts if not has_words(head) and other != meaning[1]]
    written = signature(named) or names
    details = tuple((plain(head), other) for head, other in facts if (head, other) != meaning and has_words(head))
    body = Api(name=names, signature=written, meaning="\n".join([meaning[1], *untitled]), details=details)
    shown = page.context(index)
    if any(name not in plain(" ".join(shown)) for name in code_spans(header)):
        shown = (*shown, header)  # it alone says whose methods these are
    anchor = key(page.path(index), written)
    note = page.note(body, row.span, index, anchor, headings=shown, rests_on=page.apis_on(row.span))
    return _of_torch(note, written)


def _of_torch(note: Note, name: str) -> Note:
    """The note, only suggested unless its name looks like one of torch's: dotted, a call, or known from elsewhere in the text."""
    looks = _TORCHS.search(name) is not None or bool(note.rests_on)
    return note if looks else replace(note, origin=Standing.SUGGESTED)


def _by_column(page: Page, index: int, row: Row, note: Note) -> Iterator[Note]:
    """What a row says of a name; where it has several further columns, each is asked for by itself."""
    body = note.body
    if not isinstance(body, Api) or len(body.details) < _SEVERAL:
        yield note
        return
    yield replace(note, body=replace(body, details=()))
    for head, cell in body.details:
        names = " / ".join(f"`{name}`" for name in body.name.split(" / "))
        asked = Basic(prompt=_asked(page, names, head), answer=cell)
        anchor = key(page.path(index), f"{body.signature} {head}")
        column = page.note(asked, row.span, index, anchor, headings=note.headings, rests_on=note.rests_on)
        yield replace(column, origin=note.origin)


def _asked(page: Page, subject: str, head: str) -> str:
    asked = " — ".join(filter(None, (without_emoji(subject), _BOLD.sub(r"\1", head).rstrip(" ?？"))))
    return f"{asked}{'？' if page.chinese else '?'}"


def _names(cell: str) -> list[str]:
    return api_names(cell) or bare_names(cell)


def _tells(head: str, cell: str) -> bool:
    """True for a cell that says something without its header: no value, and no property such as `Input`."""
    value = Kind.VALUE_COLUMN in labels(head).words or Kind.PROPERTY_COLUMN in labels(head).words
    return not has_words(head) or not (value or _LITTLE.fullmatch(plain(cell)) or _is_name(cell))


def _is_name(cell: str) -> bool:
    """Nothing but names in code."""
    return "`" in cell and not has_words(plain(without_code(cell))) and bool(api_names(cell))


def _facts(
    page: Page, index: int, header: Sequence[str], row: Row, content: Sequence[int], names: int | None
) -> Iterator[Note]:
    """What the first cell is asked for: the header of each other, a note each. The first keeps the key of the whole row."""
    subject = next(filter(str.strip, row.cells), "")
    places = [at for at in range(1, len(header)) if at in content or at == names]
    facts = [(without_emoji(header[at]), row.cells[at]) for at in places]
    facts = [(head, cell) for head, cell in facts if cell.strip() and cell != subject]
    if not has_words(subject) and "`" not in subject:
        return
    rests_on = page.apis_on(row.span) if names is not None else ()
    for at, (head, cell) in enumerate(facts):
        anchor = f"{subject} {page.line_above(index)}{f' {head}' if at else ''}"
        body = Basic(prompt=_asked(page, subject, head), answer=cell)
        note = page.note(body, row.span, index, anchor, rests_on=rests_on)
        yield note if _TORCHS.search(subject) else replace(note, origin=Standing.SUGGESTED)
