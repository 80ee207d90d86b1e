"""A matrix of environments: as text what differs alone, as JSON and for the page every claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from deckgen.matrix import Column, Matrix, Row, bound
from deckgen.model.verdict import ApiVerdict, Verdict
from deckgen.outcome import FINE, in_words
from deckgen.report import junit
from deckgen.report.cases import Case, Ending, cases, kind_of, title_of
from deckgen.report.data import summary_data
from deckgen.text import harmless
from deckgen.text.harmless import Harmless, json_text
from deckgen.text.wording import one_line

SHOWN = 28
"""Characters of a cell, and of what is claimed."""
SCHEMA = "deckgen.matrix/1"
Json = dict[str, Any]


def text(matrix: Matrix) -> Harmless:
    """What is wrong everywhere, what differs, and how each run ended."""
    return harmless.lines([*_wrong(matrix), *_differing(matrix), *_ends(matrix)])


def wrong(matrix: Matrix) -> Harmless:
    """`--quiet`: what makes the run fail, and nothing if nothing does."""
    return text(matrix) if matrix.exit_code else harmless.lines([])


def _wrong(matrix: Matrix) -> Iterator[str]:
    """What fails in all environments in the same way; then, with the environment, what only some runs tell of no claim."""
    columns = [column for column in matrix.columns if column.outcome]
    failing = [{_name(case): case for case in _failing(column)} for column in columns]
    differing = {row.claim.id for row in matrix.rows if not row.is_same}
    for column, found in zip(columns, failing, strict=True):
        for name, case in found.items():
            everywhere = all(name in other for other in failing)
            if case.claim not in differing and everywhere and column is columns[0]:
                yield from case.lines
            elif not everywhere and not case.claim:
                first, *more = case.lines
                yield from (f"{column.name}: {first}", *more)


def _failing(column: Column) -> Iterator[Case]:
    return (
        case for case in (cases(column.outcome) if column.outcome else ()) if case.ending is Ending.FAILED and case.line
    )


def _name(case: Case) -> tuple[str, int, str, str]:
    return case.source, case.line, case.claim, case.word


def _differing(matrix: Matrix) -> Iterator[str]:
    """A line for what is the same, and a table of the rest."""
    rows = matrix.rows
    others = [row for row in rows if not row.is_same]
    names = _joined([column.name for column in matrix.columns if column.outcome])
    yield f"{len(rows) - len(others):,} of {len(rows):,} claims and names: the same in {names}"
    if marked := sum(row.is_same and row.is_marked for row in rows):
        yield f"{marked:,} of these: marked by their author for some of these versions alone"
    if signatures := sum(row.has_other_signature for row in rows):
        yield f"{signatures:,} of these names: another signature (all of them with --format json)"
    if not others:
        return
    heads = ["", *(column.name for column in matrix.columns)]
    table = [heads, *([_place(row), *map(_brief, row.cells)] for row in others)]
    widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
    for cells, row in zip(table, [None, *others], strict=True):
        line = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield f"{line}{_bound(row, matrix.columns) if row else ''}".rstrip()
    if any(bound(row, matrix.columns) for row in others):
        yield "`deckgen update --since` with the same environments writes what stands behind the arrows"


def _bound(row: Row, columns: Sequence[Column]) -> str:
    found = bound(row, columns)
    if found is None:
        return ""
    mark, unknown = found
    return f"  -> {mark}" + (f" ({unknown} not run)" if unknown else "")


def _place(row: Row) -> str:
    return f"{row.source}:{row.claim.span.first}  `{one_line(title_of(row.claim), SHOWN)}`"


def _brief(cell: Verdict | ApiVerdict | None) -> str:
    if cell is None:
        return "-"
    shown = "" if cell.word.value in FINE else _shown(cell) or in_words(cell.reason or "")
    return one_line(f"{cell.word.value}: {shown}" if shown else cell.word.value, SHOWN)


def _shown(cell: Verdict | ApiVerdict) -> str:
    """What torch says."""
    return (cell.observed if isinstance(cell, Verdict) else cell.suggestion) or ""


def _ends(matrix: Matrix) -> Iterator[str]:
    for column in matrix.columns:
        if column.outcome is None:
            yield f"{column.name}: exit {column.exit_code}: nothing could be run: {column.error}"
            continue
        where = column.outcome.results.verification.environment
        place = f"Python {where.python}, {where.device}; sandbox: {where.sandbox}; engine: {where.engine}"
        told = f"{place}: exit {column.exit_code}" if where.python else f"exit {column.exit_code}: nothing was run"
        yield f"{column.name}: {told}" + "".join(f"; {one}" for one in column.outcome.reasons)


def _joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "no environment"


def as_json(matrix: Matrix) -> Harmless:
    """`--format json` of several environments."""
    return json_text(data(matrix))


def data(matrix: Matrix) -> Json:
    """Every claim with its verdict in each environment, in their order; null in a broken one."""
    return {
        "schema": SCHEMA,
        "environments": [_column(column) for column in matrix.columns],
        "rows": [_row(row, matrix.columns) for row in matrix.rows],
        "exit_code": matrix.exit_code,
    }


def _column(column: Column) -> Json:
    results = column.outcome.results if column.outcome else None
    return {
        "name": column.name,
        "environment": asdict(results.verification.environment) if results else None,
        "error": column.error or None,
        "exit_code": column.exit_code,
        "reasons": list(column.outcome.reasons) if column.outcome else [],
        "summary": summary_data(results.verification, results.decisions) if results else None,
    }


def _row(row: Row, columns: Sequence[Column]) -> Json:
    found = bound(row, columns)
    return {
        "path": row.source,
        "line": row.claim.span.first,
        "kind": kind_of(row.claim),
        "id": row.claim.id,
        "claimed": row.claim.text,
        "asks": row.claim.asks or None,
        "same": row.is_same,
        "bound": found and found[0],
        "not_run": (found and found[1]) or None,
        "cells": [cell and _cell(cell) for cell in row.cells],
    }


def _cell(cell: Verdict | ApiVerdict) -> Json:
    return {
        "verdict": cell.word.value,
        "observed": cell.observed if isinstance(cell, Verdict) else cell.suggestion,
        "signature": cell.signature if isinstance(cell, ApiVerdict) else None,
        "reason": cell.reason,
    }


def as_junit(matrix: Matrix) -> Harmless:
    """`--format junit`: a suite an environment."""
    suites = {column.name: _cases(column) for column in matrix.columns}
    return junit.suites(suites, matrix.seconds)


def _cases(column: Column) -> list[Case]:
    if column.outcome:
        return list(cases(column.outcome))
    return [Case("deckgen", 0, "run", "", "run", Ending.FAILED, "", column.error)]


FORMATS = {"text": text, "json": as_json, "junit": as_junit}
"""Those that can tell of several environments; `html` is a page (`render.preview`)."""
