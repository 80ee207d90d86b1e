"""Cards as data, built, learnt in the real Anki, edited and built again: each is updated in place, and no review is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Command
from learner import Imported, Learner

Rows = list[dict[str, str]]
ROWS: Rows = [
    {"id": "1", "front": "What is a leaf?", "back": "A tensor that no operation made."},
    {"id": "2", "front": "Who owns the storage of a view?", "back": "Its base."},
    {"id": "3", "front": "What does a scheduler change?", "back": "The learning rate."},
]
EDITED: Rows = [
    {"id": "2", "front": "Whose is the storage that a view looks at?", "back": "That of its base."},
    {"id": "1", "front": "What is a leaf?", "back": "A tensor that nobody computed."},
    {"id": "4", "front": "What is an epoch?", "back": "One pass over the data."},
]


def lines(rows: Rows) -> str:
    return "\n".join(map(json.dumps, rows))


def table(separator: str) -> Callable[[Rows], str]:
    def written(rows: Rows) -> str:
        return "\n".join(separator.join(row) for row in [list(ROWS[0]), *(list(row.values()) for row in rows)])

    return written


def export(rows: Rows) -> str:
    head = "#separator:tab\n#html:true\n#guid column:1\n"
    return head + "\n".join("\t".join(row.values()) for row in rows)


FORMATS: dict[str, Callable[[Rows], str]] = {
    "cards.jsonl": lines,
    "cards.json": json.dumps,
    "cards.csv": table(","),
    "cards.tsv": table("\t"),
    "cards.txt": export,
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("piped", [False, True], ids=["file", "pipe"])
def test_an_edit_reaches_the_note_that_a_learner_has(name: str, piped: bool, tmp_path: Path):
    deckgen = Command(tmp_path, tmp_path)

    def build(rows: Rows, at: int) -> str:
        text = FORMATS[name](rows)
        if piped:
            where = ("-", "--stdin-name", name, "-o", "build/cards.apkg")
            return deckgen("build", "--no-run", *where, stdin=text.encode(), SOURCE_DATE_EPOCH=str(at)).stdout
        (tmp_path / name).write_text(text)
        return deckgen("build", "--no-run", name, SOURCE_DATE_EPOCH=str(at)).stdout

    package = tmp_path / "build" / "cards.apkg"
    with Learner(tmp_path / "learner") as learner:
        build(ROWS, 1_700_000_000)
        assert learner.imports(package) == Imported(added=3, updated=0, unchanged=0)
        assert learner.reviews() >= 3
        before = learner.history()
        said = build(EDITED, 1_700_000_100)
        assert learner.imports(package) == Imported(added=1, updated=2, unchanged=0)
        after = learner.history()
        assert {card: after[card] for card in before} == before
        assert learner.finds("leaf nobody")
        assert learner.finds("storage looks")
        search = said.partition("to find the removed notes in Anki's browser: ")[2].partition("\n")[0]
        assert [learner.note(guid)["Title"] for guid in learner.finds(search)] == ["What does a scheduler change?"]
