"""Pages of the site that the code says: `python -m bench.site` writes them, `make site` builds the site.

They stand in git, so that links lead to them on a forge, too; `tests/test_site.py` says that they are what the code gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from bench.site import commands, marks, python, schemas, settings, variables, words

DOCS = Path(__file__).resolve().parents[2] / "docs"
MARK = "<!-- Written by `python -m bench.site` from the code: change that. -->"
PARTS = {
    "commands.md": commands.page,
    "settings.md": settings.page,
    "marks.md": marks.page,
    "words.md": words.page,
    "exit-codes.md": variables.exit_codes,
    "variables.md": variables.page,
    "python.md": python.page,
    "schemas.md": schemas.page,
}
"""What stands below the mark of a page."""


def pages() -> Mapping[Path, str]:
    """Every such page as it should be: above its mark as it stands, and below it what the code says."""
    made = {DOCS / name: _whole(DOCS / name, part()) for name, part in PARTS.items()}
    return made | {DOCS / "schemas" / name: f"{MARK}\n\n{text}" for name, text in schemas.pages()}


def _whole(page: Path, lines: Iterable[str]) -> str:
    above = page.read_text("utf-8").partition(MARK)[0].rstrip()
    return "\n".join((above, "", MARK, "", *_without_gaps(lines)))


def _without_gaps(lines: Iterable[str]) -> Iterator[str]:
    """Lines with one empty line at most between two that have something, and none at the end but the last."""
    yield from ("\n".join(lines).strip().replace("\n\n\n", "\n\n"), "")
