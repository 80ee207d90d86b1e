"""`deckgen update --since`: what several torches tell apart is marked in the notes, and nothing else moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Command
from environments import environment

pytestmark = pytest.mark.posix("knows where POSIX has the interpreter of an environment")

TORCHES = {"2.4.0": 1, "2.9.1": 2, "2.13.0": 2}
"""What `mylib.f()` returns beside each."""
NOTES = """# Mine

## A value

```python
import torch, mylib
print(mylib.f())  # 2
```

## An old one

```python {seed=0}
print(mylib.f())
```

Output:

```text
1
```

## What never changed

```python
print(torch.arange(4).sum())  # tensor(6)
print(torch.arange(5).sum())  # tensor(11)
```
"""
MARKED = NOTES.replace("```python\nimport", "```python {torch>=2.9}\nimport").replace("```text", "```text {torch<2.9}")


@pytest.fixture(scope="module")
def pythons(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    home = tmp_path_factory.mktemp("pythons")
    return [str(environment(home / torch, returns, torch)) for torch, returns in TORCHES.items()]


class Deck:
    """One file of notes, and `deckgen` in three environments."""

    def __init__(self, folder: Path, home: Path, pythons: list[str]) -> None:
        self.command, self.file = Command(folder, home), folder / "notes.md"
        self.asked = [word for python in pythons for word in ("--python", python)]

    def since(self, text: str, *options: str):
        self.file.write_text(text, "utf-8")
        return self.command("update", "notes.md", "--since", *self.asked, *options)

    def false(self) -> list[tuple[int, str]]:
        """Lines and texts of what is false somewhere."""
        found = json.loads(self.command("verify", "notes.md", "--format", "json", *self.asked).stdout)
        wrong = ("contradicted", "error", "missing")
        return [
            (row["line"], row["claimed"])
            for row in found["rows"]
            if any(cell["verdict"] in wrong for cell in row["cells"])
        ]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache is that of all tests: their notes share code."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def deck(tmp_path: Path, home: Path, pythons: list[str]) -> Deck:
    return Deck(tmp_path, home, pythons)


def test_bounds_are_written_and_then_hold_and_what_is_false_everywhere_is_left(deck: Deck):
    ran = deck.since(NOTES)
    assert ran.returncode == 0, ran.stderr
    assert deck.file.read_text("utf-8") == MARKED
    assert "notes.md:7: `2`: {torch>=2.9} (2.5 to 2.8 not run)\n" in ran.stderr
    assert deck.false() == [(26, "tensor(11)")]


def test_the_table_says_who_writes_its_marks(deck: Deck):
    deck.file.write_text(NOTES, "utf-8")
    assert (
        "\n`deckgen update --since` with the same environments"
        in deck.command("verify", "notes.md", *deck.asked).stdout
    )
    deck.file.write_text(MARKED, "utf-8")
    assert "--since" not in deck.command("verify", "notes.md", *deck.asked).stdout


def test_what_is_marked_is_not_marked_again(deck: Deck):
    ran = deck.since(MARKED)
    assert (ran.stdout, deck.file.read_text("utf-8")) == ("", MARKED)
    assert deck.since(MARKED, "--check").returncode == 0


def test_check_and_diff_write_nothing(deck: Deck):
    checked = deck.since(NOTES, "--check")
    assert (checked.returncode, "notes.md:7: `2`: {torch>=2.9}" in checked.stdout) == (1, True)
    assert "+```python {torch>=2.9}\n" in deck.since(NOTES, "--diff").stdout
    assert deck.file.read_text("utf-8") == NOTES


LEFT = {
    "its mark would be about `tensor(6)` of line 6, too": """# A

```python
import torch, mylib
print(mylib.f())  # 2
print(torch.arange(4).sum())  # tensor(6)
```
""",
    "its mark would leave `3` of line 11 unchecked": """# A

```python
import mylib
x = mylib.f()
print(x)  # 2
```

```python
y = x - x
print(y + 3)  # 3
```
""",
    "what stands beside it is so in other versions": """# A

```python
import mylib
print(mylib.f())  # 2
print(mylib.f())  # 1
```
""",
}


@pytest.mark.parametrize(("why", "text"), LEFT.items(), ids=LEFT)
def test_a_mark_that_would_take_more_than_it_should_is_not_written_and_said(deck: Deck, why: str, text: str):
    ran = deck.since(text)
    assert f"left as it is: {why}\n" in ran.stderr
    assert deck.file.read_text("utf-8") == text


def test_one_mark_that_cannot_be_written_keeps_no_other_from_it(deck: Deck):
    text = NOTES + LEFT["its mark would be about `tensor(6)` of line 6, too"].replace("# A", "## B")
    deck.since(text)
    assert deck.file.read_text("utf-8") == MARKED + text.removeprefix(NOTES)


def test_what_goes_to_and_fro_gets_no_mark(deck: Deck, pythons: list[str], tmp_path: Path):
    deck.asked += ["--python", str(environment(tmp_path / "again", 1, "2.14.0"))]
    ran = deck.since("# A\n\n```python\nimport mylib\nprint(mylib.f())  # 2\n```\n")
    told = "notes.md:5: left as it is: no one version parts the environments in which it is false from the others\n"
    assert told in ran.stderr
    assert "{torch" not in deck.file.read_text("utf-8")


def test_cards_as_data_are_left_to_whoever_wrote_them(deck: Deck):
    card = {"front": "What does it print?", "code": "import mylib\nprint(mylib.f())", "back": "2"}
    data = deck.file.with_suffix(".jsonl")
    data.write_text(json.dumps(card) + "\n", "utf-8")
    ran = deck.command("update", data.name, "--since", *deck.asked)
    assert "a card in a file of data is mended by whoever wrote it" in ran.stderr
    assert data.read_text("utf-8") == json.dumps(card) + "\n"


def test_what_is_included_is_marked_by_hand(deck: Deck):
    (deck.file.parent / "lib.py").write_text("import mylib\nprint(mylib.f())  # 2\n")
    text = "# A\n\n```python {file=lib.py}\n```\n"
    ran = deck.since(text)
    assert "notes.md:3: left as it is: it stands in lib.py:2: mark it by hand\n" in ran.stderr
    assert deck.file.read_text("utf-8") == text


def test_a_notebook_stays_one(deck: Deck):
    code = {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": ["import mylib\n", "print(mylib.f())"]}
    output = {"output_type": "stream", "name": "stdout", "text": ["2\n"]}
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# A"]}, {**code, "outputs": [output]}]
    data = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    notebook = deck.file.with_suffix(".ipynb")
    notebook.write_text(data, "utf-8")
    ran = deck.command("update", notebook.name, "--since", *deck.asked)
    assert (ran.returncode, "left as it is: " in ran.stderr) == (0, True)
    assert notebook.read_text("utf-8") == data


def test_a_broken_environment_keeps_all_as_it_is(deck: Deck):
    deck.asked += ["--python", "no-python"]
    ran = deck.since(NOTES)
    assert (ran.returncode, "nothing was written" in ran.stderr) == (4, True)
    assert deck.file.read_text("utf-8") == NOTES


def test_there_is_nothing_to_compare_in_one_environment(deck: Deck, pythons: list[str]):
    ran = deck.command("update", "notes.md", "--since", "--python", pythons[0])
    assert (ran.returncode, "name two or more" in ran.stderr) == (2, True)
    ran = deck.command("update", "notes.md", *deck.asked)
    assert (ran.returncode, "say --since" in ran.stderr) == (2, True)


def test_two_releases_of_one_minor_version_have_no_bound(tmp_path: Path, home: Path) -> None:
    releases = {"2.9.0": 1, "2.9.1": 2}
    pythons = [str(environment(tmp_path / torch, returns, torch)) for torch, returns in releases.items()]
    deck = Deck(tmp_path, home, pythons)
    for claim in ("1", "2"):
        text = f"# Mine\n\n```python\nimport torch, mylib\nprint(mylib.f())  # {claim}\n```\n"
        deck.since(text)
        assert deck.file.read_text("utf-8") == text
        assert deck.false() == [(5, claim)]
        told = deck.command("verify", "notes.md", *deck.asked).stdout
        assert "{torch" not in told
