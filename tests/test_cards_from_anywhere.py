"""The page on cards as data says what deckgen says."""

import re
from pathlib import Path

from commands import Command

PAGE = (Path(__file__).parents[1] / "docs" / "cards-from-anywhere.md").read_text("utf-8")


def after(mark: str) -> str:
    """The text of the fence below a mark."""
    found = re.search(rf"<!-- {re.escape(mark)} -->\n```\w+\n(.*?)\n```\n", PAGE, re.DOTALL)
    assert found, mark
    return found[1]


def test_its_example_prints_what_it_shows(tmp_path: Path):
    (tmp_path / "cards.jsonl").write_text(after("example: cards.jsonl"))
    ran = Command(tmp_path, tmp_path)("verify", "cards.jsonl")
    shown = re.escape(after("output of: deckgen verify cards.jsonl")).replace(r"\.\.\.", ".*")
    assert re.fullmatch(shown, ran.stdout.strip()), ran.stdout
    assert ran.returncode == 1
