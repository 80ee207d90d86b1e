"""Findings as a table: `--format csv`, a row each, for spreadsheets and for Anki's browser (`nid:`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from deckgen.model.note import Note
from deckgen.outcome import Outcome, first_words
from deckgen.text.harmless import Harmless, lines
from deckgen.text.wording import one_line

COLUMNS = ("path", "line", "id", "deck", "card", "result", "fails", "message")
_FORMULA = ("=", "+", "-", "@")
"""How a cell begins that a spreadsheet would work out."""


def verified(outcome: Outcome) -> Harmless:
    """A row for each finding, notice, unread note of a package and source that cannot be read; `id` and `deck` are those of the card."""
    return lines([_line(COLUMNS), *map(_line, _rows(outcome))])


def _rows(outcome: Outcome) -> Iterator[Sequence[object]]:
    cards = _cards(outcome)
    for one in outcome.findings:
        note = cards.get((one.source, one.line))
        fails = "yes" if one.fails else "no"
        yield one.source, one.line, *_about(note), one.word, fails, one.bare or one.message
    for told in outcome.notices:
        yield told.source, told.line, *_about(None), told.word, "no", told.message
    for extraction in outcome.results.extractions if outcome.results.ran else ():
        for left in extraction.skipped if extraction.document.is_foreign else ():
            yield extraction.document.source.name, left.span.first, *_about(None), "unread", "no", left.reason
    for error in outcome.results.unreadable:
        path, colon, line = (error.where or "").rpartition(":")
        place = (path, line) if colon and line.isdigit() else (error.where or "", 1)
        yield *place, *_about(None), "unreadable", "yes", error.message


def _cards(outcome: Outcome) -> dict[tuple[str, int], Note]:
    """The card of each line."""
    found: dict[tuple[str, int], Note] = {}
    for extraction in outcome.results.extractions:
        for note in extraction.notes:
            for line in range(note.span.start, note.span.stop):
                found.setdefault((extraction.document.source.name, line + 1), note)
    return found


def _about(note: Note | None) -> tuple[str, str, str]:
    return ("", "", "") if note is None else (note.explicit_id or "", note.deck, first_words(note))


def _line(cells: Sequence[object]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow([_cell(str(cell)) for cell in cells])
    return written.getvalue()


def _cell(text: str) -> str:
    """On one line, and no formula."""
    shown = one_line(text, len(text) + 1)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
