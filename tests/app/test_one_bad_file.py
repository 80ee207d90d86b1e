"""A fault of deckgen's while it reads one file costs that file alone, whatever the command."""

import importlib
import re
import zipfile

import pytest
from commands import Command

from deckgen.app import load
from deckgen.model.errors import SourceError
from deckgen.read import docstring, markdown

NOTE = "# Shapes\n\nQ: What does `{name}()` do?\nA: It changes the shape of a tensor.\n"
CLAIM = "\n```python\nimport torch\nprint(torch.ones(2).sum())  # tensor({value}.)\n```\n"
BAD = NOTE.format(name="flatten") + CLAIM.format(value=2)
COMMANDS = [["inspect"], ["verify"], ["build"], ["build", "--no-run"], ["update"], ["update", "--check"], ["preview"]]


@pytest.fixture
def deckgen(tmp_path):
    """Runs `deckgen` in a folder with a deck of two files."""
    place = tmp_path / "deck"
    place.mkdir()
    (place / "deck.toml").write_text("id = 1700000000000\n", "utf-8")
    (place / "bad.md").write_text(BAD, "utf-8")
    (place / "good.md").write_text(NOTE.format(name="squeeze"), "utf-8")
    return Command(place, tmp_path)


def fail_in_reading(patch, when=lambda source: True):
    """Has reading of the bad file fail."""
    real = markdown.read

    def read(source):
        if source.name == "bad.md" and when(source):
            raise KeyError("x")
        return real(source)

    patch.setattr(markdown, "read", read)


def fail_in_extracting(patch):
    """Has extraction from the bad file fail."""
    module = importlib.import_module("deckgen.extract")
    real = module.mentions

    def mentions(document):
        return 1 // 0 if document.source.name == "bad.md" else real(document)

    patch.setattr(module, "mentions", mentions)


@pytest.mark.parametrize("fail", [fail_in_reading, fail_in_extracting])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_fault_in_one_file_is_its_own_error_in_every_command(deckgen, monkeypatch, command, fail):
    fail(monkeypatch)
    run = deckgen(*command, ".")
    assert run.returncode == 3, run.stdout + run.stderr
    assert re.search(r"^deckgen: bad\.md: internal error: (KeyError: 'x'|ZeroDivisionError: .*) \(\w+\.py:\d+\)$", run.stderr, re.M)  # fmt: skip
    assert "please report it" in run.stderr
    assert "Traceback" not in run.stderr
    assert "good.md" not in run.stderr


def test_the_other_files_are_listed_checked_built_and_shown(deckgen, monkeypatch):
    fail_in_reading(monkeypatch)
    assert "squeeze" in deckgen("inspect", ".").stdout
    assert "notes: 1 found, 1 shipped" in deckgen("verify", ".").stdout
    assert "1 notes" in deckgen("build", ".").stdout
    deckgen("preview", ".")
    assert "squeeze" in (deckgen.place / "build" / "deck.html").read_text("utf-8")


def test_who_looks_for_the_cause_is_shown_where_it_is(deckgen, monkeypatch):
    fail_in_extracting(monkeypatch)
    run = deckgen("inspect", ".", DECKGEN_TRACEBACK="1")
    assert run.returncode == 3
    assert "Traceback (most recent call last):" in run.stderr
    assert "in mentions" in run.stderr


def package(deckgen):
    with zipfile.ZipFile(deckgen.place / "build" / "deck.apkg") as file:
        return file.read("collection.anki2")


def test_a_deck_loses_no_note_of_a_file_that_could_not_be_read_once(deckgen, monkeypatch):
    first = deckgen("build", ".", SOURCE_DATE_EPOCH="1700000000")
    assert first.returncode == 0, first.stderr
    lock = (deckgen.place / "deckgen.lock").read_text("utf-8")
    whole = package(deckgen)
    with monkeypatch.context() as patch:
        fail_in_reading(patch)
        (deckgen.place / "bad.md").write_text(f"{BAD}\nMore.\n", "utf-8")  # what was kept is of no use
        assert deckgen("build", ".", SOURCE_DATE_EPOCH="1700000001").returncode == 3
    assert (deckgen.place / "deckgen.lock").read_text("utf-8") == lock
    assert package(deckgen) != whole
    (deckgen.place / "bad.md").write_text(BAD, "utf-8")
    again = deckgen("build", ".", SOURCE_DATE_EPOCH="1700000002")
    assert again.returncode == 0
    assert "0 new, 0 changed, 3 unchanged" in again.stdout
    assert package(deckgen) == whole


def test_a_run_with_a_fault_is_not_remembered(deckgen, monkeypatch):
    with monkeypatch.context() as patch:
        fail_in_reading(patch)
        assert deckgen("verify", ".").returncode == 3
    assert deckgen("verify", ".").returncode == 0


def test_a_fault_while_a_corrected_file_is_read_again_leaves_it_as_it_was(deckgen, monkeypatch):
    false = BAD.replace("tensor(2.)", "tensor(3.)")
    for name in ("bad", "good"):
        (deckgen.place / f"{name}.md").write_text(false, "utf-8")
    fail_in_reading(monkeypatch, when=lambda source: "tensor(2.)" in source.text)
    run = deckgen("update", ".")
    assert run.returncode == 3, run.stderr
    assert "bad.md: internal error: KeyError: 'x'" in run.stderr
    assert run.stdout == "wrote good.md\n"
    assert (deckgen.place / "bad.md").read_text("utf-8") == false
    assert (deckgen.place / "good.md").read_text("utf-8") == BAD


def test_a_library_that_is_missing_is_no_fault_of_a_file(deckgen, monkeypatch):
    def read(source):
        raise ModuleNotFoundError("No module named 'gone'")

    monkeypatch.setattr(markdown, "read", read)
    run = deckgen("inspect", ".")
    assert run.returncode == 70
    assert run.stderr.count("internal error") == 1


def test_a_fault_in_one_docstring_is_its_own_error(deckgen, monkeypatch):
    (deckgen.place / "shown.py").write_text(
        'def f():\n    """>>> 1 + 1\n    2\n    """\n\n\ndef g():\n    """>>> 1 + 2\n    3\n    """\n'
    )
    monkeypatch.setenv("PYTHONPATH", str(deckgen.place))
    real = docstring.read

    def read(source):
        return 1 // 0 if source.name == "shown.f" else real(source)

    monkeypatch.setattr(docstring, "read", read)
    run = deckgen("verify", "--docstrings", "shown", "--no-cache")
    assert run.returncode == 3
    assert "shown.f: internal error: ZeroDivisionError" in run.stderr
    assert "1 held" in run.stdout


def test_from_python_it_is_an_error_that_names_the_file(deckgen, monkeypatch):
    fail_in_reading(monkeypatch)
    monkeypatch.chdir(deckgen.place)
    with pytest.raises(SourceError, match=r"bad\.md: internal error: KeyError: 'x'"):
        load.extract("bad.md")
    assert load.extract("good.md").notes


def test_a_package_is_no_folder_for_packages(tmp_path):
    (tmp_path / "notes.md").write_text("Q: Why?\nA: So.\n")
    ran = Command(tmp_path, tmp_path)("build", "notes.md", "--no-run", "-o", "decks/torch.apkg")
    assert ran.returncode == 2
    assert "`decks/torch.apkg` is a file: packages are written into a folder" in ran.stderr
    assert not (tmp_path / "decks").exists()
