"""What is recalled is never told from what is worked out: the same package, lock, words and exit status."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from building import as_if_nothing_were_kept, build
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PICTURE = bytes.fromhex("89504e470d0a1a0a")
NOTES = """# Autograd

### What is a leaf?

A tensor that nobody computed.

### What does the graph look like?

It has no cycles: ![graph](graph.png)

### Why does {n} add up?

It adds up in `.grad` because of {n}.

```python
x{n} = {n}
```
"""
CELL = """# Included

### How is it padded?

Like this:

```python {file=snippets/pad.py}
```
"""


def deck(place: Path) -> None:
    """A deck of three files, an included snippet and a picture."""
    (place / "snippets").mkdir()
    files = {"a.md": NOTES.format(n=1), "b.md": NOTES.format(n=2), "c.md": CELL, "snippets/pad.py": "pad = 1\n"}
    for name, text in files.items():
        (place / name).write_text(text)
    (place / "graph.png").write_bytes(PICTURE)
    (place / "deck.toml").write_text('id = 77\nname = "Deck"\n')


def rewritten(name: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(place: Path) -> None:
        path = place / name
        if path.exists() and new not in path.read_text():
            path.write_text(path.read_text().replace(old, new))

    return edit


def inserted_on_top(place: Path) -> None:
    text = (place / "b.md").read_text()
    (place / "b.md").write_text(f"A word before.\n\n### What is {len(text)}?\n\nA number.\n\n{text}")


def renamed(place: Path) -> None:
    old, new = sorted((place / "a.md", place / "z.md"), key=lambda path: not path.exists())
    old.rename(new)


def touched(place: Path) -> None:
    for path in place.glob("*.md"):
        os.utime(path, (1, 1))


EDITS: dict[str, Callable[[Path], None]] = {
    "nothing": lambda place: None,
    "touch": touched,
    "an answer": rewritten("a.md", "adds up in", "is summed in"),
    "a question": rewritten("b.md", "What is a leaf?", "What is a leaf tensor?"),
    "code": rewritten("b.md", "x2 = 2", "x2 = 22"),
    "a heading": rewritten("a.md", "# Autograd", "# Gradients"),
    "front matter": rewritten("a.md", "# Autograd", "---\ntitle: Tapes\ntags: [tape]\n---\n\n# Autograd"),
    "a fence that stays open": rewritten("b.md", "### What does the graph", "```python\n\n### What does the graph"),
    "a link and its definition": rewritten(
        "b.md", "nobody computed.", "[nobody][x] computed.\n\n[x]: https://pytorch.org"
    ),
    "another import": rewritten("a.md", "x1 = 1", "from torch import nn as layers\nlayers.Linear(2, 2)\nx1 = 1"),
    "the same question twice": rewritten("a.md", "### What does the graph look like?", "###  What is a leaf?"),
    "a quiz and its key": lambda place: appended(place / "a.md", QUIZ),
    "the end": lambda place: appended(place / "b.md", "\n### What comes last?\n\nThe loss.\n"),
    "line ends": lambda place: (place / "a.md").write_bytes(crlf(place / "a.md")) and None,
    "insert on top": inserted_on_top,
    "delete a note": rewritten("b.md", "### What is a leaf?\n\nA tensor that nobody computed.\n", "<!-- no leaf -->\n"),
    "delete a file": lambda place: (place / "c.md").unlink(missing_ok=True),
    "new file": lambda place: (place / "new.md").write_text(NOTES.format(n=9)) and None,
    "rename a file": renamed,
    "a file in another format": lambda place: (place / "more.rst").write_text("Title\n=====\n") and None,
    "tags": rewritten("deck.toml", 'name = "Deck"\n', 'name = "Deck"\ntags = ["more"]\n'),
    "language": rewritten("deck.toml", 'name = "Deck"\n', 'name = "Deck"\nlanguage = "zh"\n'),
    "exclude": rewritten("deck.toml", 'name = "Deck"\n', 'name = "Deck"\nexclude = ["b.md"]\n'),
    "included snippet": rewritten("snippets/pad.py", "pad = ", "padding = 1"),
    "included snippet gone": lambda place: (place / "snippets" / "pad.py").unlink(missing_ok=True),
    "picture": lambda place: (place / "graph.png").write_bytes(PICTURE + b"other") and None,
    "picture gone": lambda place: (place / "graph.png").unlink(missing_ok=True),
    "package gone": lambda place: shutil.rmtree(place / "build", ignore_errors=True),
    "package damaged": lambda place: rewritten_bytes(place / "build" / "Deck.apkg"),
}


QUIZ = "\n### Quiz\n\n1. What is a leaf?\n\n    A. a node\n    B. a tensor\n\nAnswers: 1. B\n"


def appended(path: Path, text: str) -> None:
    if path.exists() and text not in path.read_text():
        path.write_text(path.read_text() + text)


def crlf(path: Path) -> bytes:
    return path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") if path.exists() else b""


def rewritten_bytes(path: Path) -> None:
    if path.exists():
        path.write_bytes(path.read_bytes()[:-30])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    place.mkdir()
    deck(place)
    return place


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(edits=st.lists(st.sampled_from(sorted(EDITS)), min_size=1, max_size=4))
def test_whatever_is_edited_a_build_is_as_if_nothing_were_kept(tmp_path_factory, edits):
    place = tmp_path_factory.mktemp("deck") / "place"
    place.mkdir()
    deck(place)
    build(place)
    for number, edit in enumerate(edits):
        EDITS[edit](place)
        for _ in "once", "again":
            at = 1_700_000_000 + 60 * number
            wanted = as_if_nothing_were_kept(place, at)
            assert build(place, at=at).told == wanted


@pytest.mark.parametrize("edit", sorted(set(EDITS) - {"nothing", "touch"}))
def test_an_edit_is_never_taken_for_nothing(place, edit):
    build(place)
    assert build(place).was_recalled
    EDITS[edit](place)
    assert not build(place).was_recalled


@pytest.mark.parametrize("edit", ["nothing", "touch"])
def test_without_a_change_nothing_is_run(place, edit):
    build(place)
    EDITS[edit](place)
    assert build(place).was_recalled


@pytest.mark.parametrize("option", ["--explain", "--restamp", "--fail-on=any", "--min-checked=1", "-oelsewhere"])
def test_other_options_are_another_run(place, option):
    build(place)
    assert not build(place, option).was_recalled


def test_a_clock_that_was_set_back_is_another_run(place, monkeypatch):
    monkeypatch.setattr("deckgen.app.recall.now", lambda: 2_000_000_000)
    build(place)
    monkeypatch.setattr("deckgen.app.recall.now", lambda: 1_999_999_999)
    assert not build(place).was_recalled


def test_no_cache_neither_recalls_nor_remembers(place):
    build(place, "--no-cache")
    assert not build(place, "--no-cache").was_recalled
    kept = {path.name for path in (place.parent / "cache" / "deckgen").iterdir()}
    assert kept == {"builds"}  # where builds of one deck take turns


def test_a_run_that_fails_fails_again(place):
    (place / "a.md").write_text(
        NOTES.format(n=1) + "\n```python\nimport torch\nprint(torch.ones(2).sum())  # 3.0\n```\n"
    )
    first = build(place, run=True)
    again = build(place, run=True)
    recalled = build(place, run=True)
    assert (first.code, again.code, recalled.code) == (1, 1, 1)
    assert recalled.was_recalled
    assert recalled.told == again
    assert "contradicted" in recalled.out


@pytest.mark.parametrize("what", ["hardware_key", "container", "print_of"])
def test_another_machine_container_or_torch_is_another_run(place, monkeypatch, what):
    for _ in range(2):
        build(place, run=True)
    assert build(place, run=True).was_recalled
    monkeypatch.setattr(f"deckgen.app.recall.{what}", lambda *_: ["another"])
    assert not build(place, run=True).was_recalled


IMPORTING = """
```python
import torch
try:
    import deckgen_case as case
except ImportError:
    case = None
print(torch.tensor(case is None))  # tensor(True)
```

```python
import deckgen_more
```
"""


@pytest.mark.parametrize("name", ["deckgen_case", "deckgen_more", "colorsys"])
def test_another_module_is_another_run(place, tmp_path, monkeypatch, name):
    """One that the notes import if it is there, one that they cannot do without, one that Python has."""
    (place / "a.md").write_text(NOTES.format(n=1) + IMPORTING)
    packages = tmp_path / "packages"
    (packages / name).mkdir(parents=True)  # which is listed nowhere, as a file on the path would be
    monkeypatch.setenv("PYTHONPATH", str(packages))
    for code in ("x = 1\n", "x = 2\n"):
        (packages / name / "__init__.py").write_text(code)
        assert not build(place, run=True).was_recalled
        build(place, run=True)
        assert build(place, run=True).was_recalled
    shutil.rmtree(packages / name)
    assert not build(place, run=True).was_recalled


@pytest.mark.posix("takes rights away")
@pytest.mark.parametrize("kind", ["runs", "extractions"])
def test_a_cache_in_which_others_may_write_is_refused_aloud_in_each_run(place, kind):
    build(place)
    assert build(place).was_recalled
    folder = place.parent / "cache" / "deckgen" / kind
    folder.chmod(0o770)
    for _ in range(2):
        refusing = build(place)
        assert not refusing.was_recalled
        assert refusing.err.count("others may write there") == 1
        assert f"chmod go-w {folder}" in refusing.err
    assert "others may write" not in build(place, "--no-cache").err
    folder.chmod(0o700)
    assert build(place).err == ""
    assert build(place).was_recalled


def test_a_damaged_memory_is_no_memory(place):
    build(place)
    wanted = build(place)
    for path in (place.parent / "cache").rglob("*"):
        if path.is_file():
            path.write_bytes(b"damage")
    made = build(place)
    assert not made.was_recalled
    assert made == wanted.told
