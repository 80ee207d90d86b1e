"""`python -m bench.notations` writes the part of docs/notations.md that the tables of rows say: an example of each, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckgen.extract import extract
from deckgen.extract.rows import TABLES, Row
from deckgen.model.note import Note, back, front
from deckgen.model.source import Source
from deckgen.read import read

PAGE = Path(__file__).resolve().parents[1] / "docs" / "notations.md"
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


def told_first() -> tuple[str, list[tuple[str, str]]]:
    """The text that the page begins with, and the cards that it says are made of it."""
    section = PAGE.read_text("utf-8").partition("## Write it like this")[2].partition("\n## Files")[0]
    example = section.partition("~~~~~~~~markdown\n")[2].partition("~~~~~~~~\n")[0]
    rows = [
        line.strip("| ").split(" | ") for line in section.partition("| form |")[2].splitlines()[2:] if line[:1] == "|"
    ]
    return example, [(asked, answer) for _, asked, answer in rows]


def _sections() -> Iterator[str]:
    for table in TABLES:
        yield f"## {table.title}\n"
        for row in table.rows():
            yield from _entry(row)


def _entry(row: Row) -> Iterator[str]:
    example = row.example.strip("\n")
    extraction = extract(read(Source("example.md", f"{example}\n")))
    claims = [claim for snippet in extraction.snippets for claim in snippet.claims]
    yield f"### {row.name}\n\n~~~~~~~~markdown\n{example}\n~~~~~~~~\n"
    for note in extraction.notes:
        doubts = "".join(f" (doubt: {doubt.reason})" for doubt in note.doubts)
        yield f"- {note.standing} {type(note.body).__name__}: {_asked(note)} ⇒ {_line(back(note))}{doubts}"
    yield from (f"- claim: {_line(claim.text)}" for claim in claims)
    yield f"\nNeeded by {', '.join(f'`{one}`' for one in row.seen)}.\n"


def _asked(note: Note) -> str:
    """What is asked, without its context."""
    return _line(front(note).removeprefix("\n\n").split("\n\n", 1)[-1] if note.headings else front(note))


def _line(text: str) -> str:
    return " / ".join(line.strip() for line in text.split("\n") if line.strip(" `~"))


if __name__ == "__main__":
    PAGE.write_text(written(), "utf-8")
