"""`python -m bench.decided` writes the forms of docs/decided.md from their tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckgen.extract.decided.forms import FORMS
from deckgen.extract.decided.sentence import FORMS_OF_SENTENCES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "decided.md"
MARK = "<!-- Written by `python -m bench.decided` from the tables of forms: change these. -->"


def written() -> str:
    """The whole page as it should be: what is above the mark as it stands, and below it the tables."""
    above = PAGE.read_text("utf-8").partition(MARK)[0].rstrip()
    return f"{above}\n\n{MARK}\n\n" + "\n".join(_sections())


def _sections() -> Iterator[str]:
    for title, forms in (("Questions", FORMS), ("Sentences", FORMS_OF_SENTENCES)):
        yield f"## {title}\n"
        for form in forms:
            yield f"### {form.name}\n\nDecided:\n\n{_fenced(form.example)}\nLeft open:\n\n{_fenced(form.counter)}"


def _fenced(markdown: str) -> str:
    return f"~~~markdown\n{markdown}\n~~~\n"


if __name__ == "__main__":
    PAGE.write_text(written(), "utf-8")
