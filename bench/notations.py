"""`python -m bench.notations` writes the part of docs/notations.md that the tables of rows say: an example of each, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bench.site.table import code, table
from deckgen.extract import extract
from deckgen.extract.rows import TABLES, Row
from deckgen.model.note import Note, back, front
from deckgen.model.source import Source
from deckgen.read import read

PAGE = Path(__file__).resolve().parents[1] / "docs" / "notations.md"
WRITING = PAGE.with_name("writing.md")
MARK = "<!-- Written by `python -m bench.notations` from the tables of rules: change these. -->"


def written() -> str:
    """The whole page as it should be: what is above the mark as it stands, and below it what the tables say."""
    above = PAGE.read_text("utf-8").partition(MARK)[0].rstrip()
    return f"{above}\n\n{MARK}\n\n" + "\n".join(_sections())


def shown(markdown: str) -> list[tuple[str, str]]:
    """(what is asked, the answer) of the cards of a text, each on one line, as this page writes them."""
    notes = extract(read(Source("example.md", markdown))).notes
    return [(_without_fences(_asked(note)), _without_fences(_line(back(note)))) for note in notes]


def _without_fences(line: str) -> str:
    return " / ".join(part for part in line.split(" / ") if not part.startswith("```"))


def told_first() -> list[tuple[str, list[tuple[str, str]]]]:
    """The forms that docs/writing.md tells first: the example of each, and the cards that it says are made of it."""
    _, *forms = WRITING.read_text("utf-8").split("\n~~~~~~~~markdown\n")
    parts = [form.partition("~~~~~~~~\n") for form in forms]
    return [(example, [*_cards_of(below)]) for example, _, below in parts]


def _cards_of(below: str) -> Iterator[tuple[str, str]]:
    """The rows of the table below an example."""
    _, _, *rows = (line.strip("| ").split(" | ") for line in below.splitlines() if line[:1] == "|")
    yield from ((asked, answer) for asked, answer in rows)


def _sections() -> Iterator[str]:
    for one in TABLES:
        yield f"## {one.title}\n"
        for row in one.rows():
            yield from _entry(row)


def _entry(row: Row) -> Iterator[str]:
    example = row.example.strip("\n")
    extraction = extract(read(Source("example.md", f"{example}\n")))
    claims = [claim for snippet in extraction.snippets for claim in snippet.claims]
    yield f"### {row.name}\n\n~~~~~~~~markdown\n{_without_repeats(example)}\n~~~~~~~~"
    cards = ((f"{note.standing} {type(note.body).__name__}", *_sides(note)) for note in extraction.notes)
    yield from table(("card", "front", "back"), cards)
    doubts = dict.fromkeys(doubt.reason for note in extraction.notes for doubt in note.doubts)
    yield from (f"Doubt: {doubt}.\n" for doubt in doubts)
    if claims:
        yield f"Claimed: {', '.join(code(_line(claim.text)) for claim in claims)}.\n"
    if not (extraction.notes or claims):
        yield from (f"\nNo card: {one.reason}.\n" for one in extraction.skipped)


def _without_repeats(example: str) -> str:
    """An example whose length is its point, without what it says again and again."""
    return re.sub(r"(\S.{9,}?)\1{9,}", lambda all_: f"{all_[1]}({len(all_[0]) // len(all_[1])} times)", example)


def _sides(note: Note) -> tuple[str, str]:
    """What is asked, without its context, and the answer: as cells of a table, each line of code by itself."""
    return _cell(_asked_text(note)), _cell(back(note))


_BLANK = "\u00a0"
"""A blank that a page shows also at the beginning of code."""


def _cell(text: str) -> str:
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = re.match(r"(`{3,}|~{3,})", line)
        if fence and line.strip() == fence:
            fence = ""
        elif fence:
            indent = len(line) - len(line.lstrip())
            lines += [code(f"{indent * _BLANK}{line.strip()}")] * bool(line.strip())
        elif mark:
            fence = mark[1]
        else:
            lines += [line.strip()] * bool(line.strip())
    return "<br>".join(lines)


def _asked_text(note: Note) -> str:
    """What is asked, without its context."""
    return front(note).removeprefix("\n\n").split("\n\n", 1)[-1] if note.headings else front(note)


def _asked(note: Note) -> str:
    """The same on one line."""
    return _line(_asked_text(note))


def _line(text: str) -> str:
    return " / ".join(line.strip() for line in text.split("\n") if line.strip(" `~"))


if __name__ == "__main__":
    PAGE.write_text(written(), "utf-8")
