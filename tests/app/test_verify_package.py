"""`deckgen verify deck.apkg`: what is wrong with an existing deck, told by deck, number and first words."""

import csv
import io
from pathlib import Path

import genanki
import pytest
from commands import Command

QUESTION = "What does this print?<pre>{}</pre>"
CARDS = (
    (QUESTION.format("print(torch.arange(4).sum())"), "<pre>tensor(6)</pre>"),
    (QUESTION.format("print(torch.arange(5).sum())"), "<pre>tensor(15)</pre>"),
    ("Which function joins tensors along a new dimension?", "<code>torch.stakc</code>"),
    ("Who owns the storage of a view?", "its base"),
)


@pytest.fixture
def deckgen(tmp_path: Path) -> Command:
    deck = genanki.Deck(1700000002, "Torch::Mine")
    for number, sides in enumerate(CARDS):
        deck.add_note(genanki.Note(genanki.BASIC_MODEL, list(sides), guid=f"g{number}"))
    genanki.Package(deck).write_to_file(str(tmp_path / "mine.apkg"), timestamp=1_700_000_000)
    return Command(tmp_path, tmp_path)


def test_a_refuted_card_is_told_by_deck_number_and_first_words(deckgen: Command):
    ran = deckgen("verify", "mine.apkg")
    assert ran.returncode == 1
    told = [line for line in ran.stdout.split("\n") if line.startswith("mine.apkg:")]
    assert told == [
        'mine.apkg:2: contradicted: nid:1700000000002 in Torch::Mine, "What does this print? print(torch.arange(5).sum())": '
        "`tensor(15)`: 15 claimed, torch has 10",
        'mine.apkg:3: renamed: nid:1700000000004 in Torch::Mine, "Which function joins tensors along a new dimension?": '
        "`torch.stakc`: there is no `torch.stakc` in torch; `torch.stack` is near",
    ]
    assert "to find the refuted cards in Anki's browser: nid:1700000000002,1700000000004\n" in ran.stdout


def test_a_table_gives_ids_to_search_for(deckgen: Command):
    rows = list(csv.DictReader(io.StringIO(deckgen("verify", "--format", "csv", "mine.apkg").stdout)))
    assert [(row["id"], row["deck"], row["result"], row["fails"]) for row in rows] == [
        ("1700000000002", "Torch::Mine", "contradicted", "yes"),
        ("1700000000004", "Torch::Mine", "renamed", "yes"),
    ]
    assert rows[1]["card"] == "Which function joins tensors along a new dimension?"


def test_first_words_are_those_that_anki_shows(tmp_path: Path):
    deck = genanki.Deck(1700000003, "Torch::Signs")
    deck.add_note(genanki.Note(genanki.BASIC_MODEL, ["Which joins 2*3*4 and a_b? [x]", "<code>torch.stakc</code>"]))
    genanki.Package(deck).write_to_file(str(tmp_path / "signs.apkg"), timestamp=1_700_000_000)
    ran = Command(tmp_path, tmp_path)("verify", "signs.apkg")
    assert '"Which joins 2*3*4 and a_b? [x]": `torch.stakc`' in ran.stdout


def test_a_package_among_notes_is_not_their_deck(deckgen: Command, tmp_path: Path):
    (tmp_path / "deck.toml").write_text('name = "Notes"\ntimeout = 1\n')
    (tmp_path / "notes.md").write_text("Q: Why?\nA: So.\n")
    assert deckgen("build", "--no-run", ".").returncode == 0
    assert "notes: 4 found" in deckgen("verify", "mine.apkg").stdout
    assert "mine.apkg" not in deckgen("inspect", ".").stdout


def test_what_is_no_package_is_an_error_of_its_own(deckgen: Command, tmp_path: Path):
    (tmp_path / "bad.apkg").write_bytes(b"PK\3\4 nothing")
    ran = deckgen("verify", "bad.apkg", "mine.apkg")
    assert ran.returncode == 3
    assert "deckgen: bad.apkg: not an Anki package" in ran.stderr
    assert "mine.apkg:2: contradicted" in ran.stdout


@pytest.mark.parametrize("command", ["build", "update"])
def test_nothing_is_made_of_a_package(deckgen: Command, command: str):
    ran = deckgen(command, "mine.apkg")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "mine.apkg: a package is only checked" in ran.stderr
