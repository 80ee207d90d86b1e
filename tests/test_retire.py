"""Reverse cards that would not be made today, in the real Anki: they stay with those who have them until they are taken back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from commands import Command
from learner import Learner

NOTES = """# Tensors

<!-- deckgen: tags=ask::reverse -->

- `torch.cat`: puts several tensors side by side
- `torch.gather`: picks what an index says
- `torch.eye`: ones on the diagonal and zeros elsewhere

### What is a stride?

The step in memory from one element to the next.
"""
UNTAGGED = NOTES.replace("<!-- deckgen: tags=ask::reverse -->\n\n", "")
AT = 1_700_000_000
DAY = 86_400


@dataclass(frozen=True)
class Deck:
    """A deck in a folder of its own, built once a day."""

    folder: Path
    deckgen: Command

    def build(self, text: str, day: int, *options: str) -> tuple[Path, str]:
        """The package of one day, and what was said."""
        notes, output = self.folder / "notes", self.folder / f"day-{day}"
        notes.mkdir(exist_ok=True)
        (notes / "tensors.md").write_text(text, "utf-8")
        run = self.deckgen(
            "build",
            "notes",
            "--suggestions",
            "ship",
            "-o",
            str(output),
            *options,
            SOURCE_DATE_EPOCH=str(AT + day * DAY),
        )
        assert run.returncode == 0, run.stderr
        return next(output.glob("*.apkg")), run.stdout


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return Deck(tmp_path, Command(tmp_path, tmp_path))


@pytest.fixture
def learner(tmp_path: Path):
    with Learner(tmp_path / "learner") as one:
        yield one


def blank_fronts(learner: Learner) -> int:
    shown = (learner.col.get_card(card).question() for card in learner.col.find_cards(""))
    return sum(not re.sub(r"(?s)<style.*?</style>|<[^>]+>", "", front).strip() for front in shown)


def empty(learner: Learner) -> list[tuple[str, int]]:
    """(name, ordinal) of the cards that Tools > Empty Cards would remove."""
    cards = (learner.col.get_card(card) for note in learner.col.get_empty_cards().notes for card in note.card_ids)
    return sorted((card.note()["Name"], card.ord) for card in cards)


def names(learner: Learner) -> list[int]:
    """The cards that ask for a name."""
    return list(learner.col.find_cards("card:2"))


def test_what_was_learnt_stays_until_it_is_taken_back(deck: Deck, learner: Learner):
    old, _ = deck.build(NOTES, 0)
    learner.imports(old)
    learner.reviews(2)
    learnt = learner.history()
    assert len(names(learner)) == 3

    kept, told = deck.build(UNTAGGED, 1)
    taken = learner.imports(kept)
    assert (taken.updated, taken.unchanged, taken.conflicting) == (0, 4, 0)
    assert (blank_fronts(learner), empty(learner), learner.history()) == (0, [], learnt)
    assert "2 reverse cards would not be made today" in told
    assert "deckgen build --retire" in told

    retired, told = deck.build(UNTAGGED, 2, "--retire")
    learner.imports(retired)
    assert empty(learner) == [("torch.cat", 1), ("torch.gather", 1)]
    assert "2 cards are no longer made" in told
    assert "Empty Cards" in told
    for note in learner.col.get_empty_cards().notes:
        learner.col.remove_cards_and_orphaned_notes(note.card_ids)
    left = learner.history()
    assert left.items() <= learnt.items()
    assert len(left) == len(learnt) - 2

    _, told = deck.build(UNTAGGED, 3)
    assert "would not be made" not in told
    assert "0 changed, 4 unchanged" in told


def test_an_edited_note_keeps_its_reverse_card(deck: Deck, learner: Learner):
    learner.imports(deck.build(NOTES, 0)[0])
    learner.reviews()
    edited, _ = deck.build(UNTAGGED.replace("side by side", "side by side along a dimension"), 1)
    taken = learner.imports(edited)
    assert (taken.updated, blank_fronts(learner), empty(learner)) == (1, 0, [])
    assert len(names(learner)) == 3


def test_somebody_new_gets_what_everybody_else_has(deck: Deck, learner: Learner):
    """One deck has one package: the lock says what is in it."""
    deck.build(NOTES, 0)
    learner.imports(deck.build(UNTAGGED, 1)[0])
    assert len(names(learner)) == 3


def test_a_new_deck_asks_for_a_name_only_where_no_other_fits(deck: Deck, learner: Learner):
    package, told = deck.build(UNTAGGED, 0)
    learner.imports(package)
    assert [learner.col.get_card(card).note()["Name"] for card in names(learner)] == ["torch.eye"]
    assert "reverse card" not in told
