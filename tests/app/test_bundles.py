"""Packages of several decks: the notes of each deck under the same GUIDs, in the order of the decks, and nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Command
from learner import Learner

CARD = "## Part\n\nQ: What is {}?\nA: The thing called {}.\n"
CORE = "<!-- deckgen: tags=Torch::core -->\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for at, name in enumerate(("tensors", "autograd"), 1):
        (tmp_path / "cards" / name).mkdir(parents=True)
        (tmp_path / "cards" / name / "deck.toml").write_text(f'id = {10**9 + at}\nname = "Torch::{at:02} {name}"\n')
        text = f"# Notes\n\n{CARD.format(name, name)}\n## More\n\n{CORE}Q: Why {name}?\nA: Because of {name}.\n"
        (tmp_path / "cards" / name / "notes.md").write_text(text)
    (tmp_path / "cards" / "packages.toml").write_text(
        '[Torch]\ndecks = ["tensors", "autograd"]\ndescription = "Both."\n'
        '["Torch core"]\ndecks = ["tensors", "autograd"]\ntag = "Torch::core"\n'
    )
    return tmp_path


def build(folder: Path, *arguments: str) -> str:
    run = Command(folder, folder / "home")("build", *(arguments or ("cards",)))
    assert run.returncode == 0, run.stderr
    return run.stdout


def met(learner: Learner) -> list[str]:
    """The questions of new cards as a filtered deck in the order of due meets them."""
    rows = learner.col.db.all("select n.flds from cards c join notes n on n.id = c.nid order by c.due")
    return [fields.split("\x1f")[0] for (fields,) in rows]


def test_the_package_of_all_has_the_notes_of_each_deck_and_an_import_of_both_has_none_twice(folder: Path) -> None:
    assert "wrote build/Torch.apkg" in build(folder)
    with Learner(folder / "anki") as learner:
        assert learner.imports(folder / "build" / "Torch.apkg").added == 4
        assert learner.decks() == {"Torch", "Torch::01 tensors", "Torch::02 autograd"}
        assert ["tensors" in title for title in met(learner)] == [True, True, False, False]
        again = learner.imports(folder / "build" / "Torch--01-tensors.apkg")
        assert (again.added, again.unchanged) == (0, 2)
    assert "wrote" not in build(folder)


def test_a_package_with_a_tag_has_the_notes_with_that_tag_alone_and_the_rest_joins_them_later(folder: Path) -> None:
    build(folder)
    with Learner(folder / "anki") as learner:
        assert learner.imports(folder / "build" / "Torch-core.apkg").added == 2
        assert learner.decks() == {"Torch", "Torch::01 tensors", "Torch::02 autograd"}
        whole = learner.imports(folder / "build" / "Torch.apkg")
        assert (whole.added, whole.unchanged) == (2, 2)


def test_a_change_of_the_packages_is_no_run_that_is_said_again(folder: Path) -> None:
    build(folder)
    text = (folder / "cards" / "packages.toml").read_text()
    (folder / "cards" / "packages.toml").write_text(text.replace("Torch core", "Torch first"))
    assert "wrote build/Torch-first.apkg" in build(folder)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[Torch]\n", "packages.toml:1: `Torch` names no decks"),
        ('[Torch]\ndecks = ["nn"]\n', "packages.toml: `Torch` names a deck that is not built: nn"),
        ('[Torch]\ndecks = ["nn"]\n', "write the folder of a deck"),
        ('[Torch]\ndecks = ["."]\n', "`deckgen init cards`"),
        ('[Torch]\ndecks = ["tensors", "./tensors"]\n', "packages.toml: `Torch` names a deck twice: ./tensors"),
        ('[Torch]\ndecks = ["tensors"]\ntags = "core"\n', "packages.toml:3: unknown key `tags`"),
        ("[Torch]\ndecks = 3\n", "packages.toml:1: `decks` must be a list of strings"),
        ('["Torch  01 tensors"]\ndecks = ["tensors"]\n', "would be this file"),
        ("[Torch\n", "packages.toml:1: not valid TOML"),
    ],
)
def test_what_is_wrong_with_the_file_is_told_with_its_line_and_nothing_is_written(
    folder: Path, text: str, problem: str
) -> None:
    (folder / "cards" / "packages.toml").write_text(text)
    run = Command(folder, folder / "home")("build", "cards")
    assert run.returncode == 2
    assert problem in run.stderr
    assert not (folder / "build").exists()


def test_a_tag_that_no_note_has_is_said(folder: Path) -> None:
    (folder / "cards" / "packages.toml").write_text('[Torch]\ndecks = ["tensors"]\ntag = "nope"\n')
    built = Command(folder, folder / "home")("build", "cards")
    assert built.returncode == 0
    assert "packages.toml: `Torch`: no note has the tag `nope`, so there is no such package" in built.stderr
    assert not (folder / "build" / "Torch.apkg").exists()


def test_a_deck_that_is_renamed_keeps_its_package(folder: Path) -> None:
    build(folder)
    path = folder / "cards" / "tensors" / "deck.toml"
    path.write_text(path.read_text().replace("tensors", "Tensors of torch"))
    build(folder)
    assert {one.name for one in (folder / "build").iterdir()} == {
        "Torch.apkg", "Torch-core.apkg", "Torch--01-tensors.apkg", "Torch--02-autograd.apkg",
    }  # fmt: skip


def test_a_deck_with_the_old_name_of_one_that_was_renamed_does_not_overwrite_its_package(folder: Path) -> None:
    build(folder)
    for name, new in (("tensors", "Torch::01 Tensors of torch"), ("autograd", "Torch::01 tensors")):
        path = folder / "cards" / name / "deck.toml"
        path.write_text("\n".join([path.read_text().split("\n")[0], f'name = "{new}"', ""]))
    (folder / "cards" / "autograd" / "deckgen.lock").unlink()
    for package in (folder / "build").iterdir():
        package.unlink()
    run = Command(folder, folder / "home")("build", "cards")
    assert run.returncode == 2
    assert "build/Torch--01-tensors.apkg: two packages would be this file" in run.stderr
    assert [*(folder / "build").iterdir()] == []


def test_what_all_decks_share_stands_once_above_them(folder: Path) -> None:
    shared = 'about = "An error? https://example.org/issues"\nsource-url = "https://example.org/{path}#L{line}"\n'
    place = folder / "cards" / "packages.toml"
    place.write_text(shared + place.read_text())
    build(folder)
    with Learner(folder / "anki") as learner:
        learner.imports(folder / "build" / "Torch.apkg")
        feet = [learner.fields(guid)["Source"] for guid in learner.finds("deck:*")]
        told = [deck["desc"] for deck in learner.col.decks.all() if deck["name"].startswith("Torch")]
    assert '<a href="https://example.org/cards/tensors/notes.md#L5" rel="noreferrer">notes.md</a>' in feet
    assert len(told) == 3
    assert all("https://example.org/issues" in one for one in told)
    assert "wrote" not in build(folder)


@pytest.mark.parametrize("line", ["about = 3", 'source-url = "file:///etc"'])
def test_a_wrong_shared_setting_is_named_with_its_line(folder: Path, line: str) -> None:
    place = folder / "cards" / "packages.toml"
    place.write_text(f"{line}\n{place.read_text()}")
    for path in ("cards", "cards/tensors"):
        run = Command(folder, folder / "home")("build", path)
        assert (run.returncode, "packages.toml:1: `" in run.stderr) == (2, True)
