"""From nothing to a card in Anki, by the commands of the README: four of them, and Anki's import.

They are run by bash as they stand there. What is replaced, since a test has no network: pip's index is a folder with the wheel as it
is now, and torch with all other dependencies is put into the new environment from the one that runs the tests, before pip is asked
for them. Their installation from an index is what `python -m bench.installs` shows. The Anki is its own backend, without its window.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from anki_server import Anki, served
from installing import PROJECT, required
from learner import Learner

MOST = 4
PAGES = ("README.md", "README.zh-CN.md")
"""The page in each language: they have the same commands, so that those of one are typed for both."""
ASKED = "squeeze"
"""What the first card of the example asks about."""


def commands(readme: str) -> list[str]:
    """What is typed, up to the first build."""
    blocks = re.findall(r"^```console\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    typed = [line.removeprefix("$ ") for line in "".join(blocks).splitlines() if line.startswith("$ ")]
    (build,) = [number for number, line in enumerate(typed) if line.startswith("deckgen build ")][:1]
    return typed[: build + 1]


def example(readme: str) -> str:
    found = re.search(r"<!-- example: notes/shapes.md -->\n(`{3,})\w*\n(.*?\n)\1\n", readme, re.DOTALL)
    assert found
    return found[2]


@pytest.fixture(scope="module")
def followed(tmp_path_factory, wheel) -> Iterator[tuple[Path, str]]:
    """The folder in which somebody has typed the commands, and what was printed."""
    if os.name == "nt":
        pytest.skip("the README speaks to a POSIX shell")
    readme = (PROJECT / PAGES[0]).read_text("utf-8")
    folder = tmp_path_factory.mktemp("home")
    (folder / "notes").mkdir()
    (folder / "notes" / "shapes.md").write_text(example(readme), "utf-8")
    first, *rest = commands(readme)
    put = f"import installing; installing.put(installing.Path('.venv'), *{(*required(), 'torch', 'numpy')})"
    laid = f"PYTHONPATH={shlex.quote(str(PROJECT / 'tests'))} {shlex.quote(sys.executable)} -c {shlex.quote(put)}"
    script = "\n".join(["set -e", first, laid, *rest])
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "VIRTUAL_"))
    }
    given = {
        "PATH": f"{Path(sys.executable).parent}:{variables['PATH']}",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheel.parent),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "NO_COLOR": "1",
    }
    ran = subprocess.run(["bash"], input=script, cwd=folder, env={**variables, **given}, capture_output=True, text=True)
    assert "wrote build/notes.apkg" in ran.stdout, ran.stdout + ran.stderr
    yield folder, ran.stdout
    shutil.rmtree(folder / ".venv")


def test_at_most_four_commands_and_both_languages_have_the_same():
    typed = {tuple(commands((PROJECT / page).read_text("utf-8"))) for page in PAGES}
    assert len(typed) == 1
    assert len(*typed) <= MOST


def test_the_environment_was_new_and_has_the_wheel(followed):
    folder, printed = followed
    assert "Successfully installed torch-deckgen" in printed
    assert (folder / ".venv" / "bin" / "deckgen").is_file()


def test_anki_asks_what_the_example_asks(followed, tmp_path):
    folder, _ = followed
    with Learner(tmp_path / "anki") as learner:
        assert learner.imports(folder / "build" / "notes.apkg").added == 4
        (deck,) = [deck.id for deck in learner.col.decks.all_names_and_ids() if deck.name != "Default"]
        learner.col.decks.select(deck)
        card = learner.col.sched.getCard()
        assert card is not None
        assert ASKED in card.question()


def test_the_package_is_pushed_into_a_running_anki_without_a_dialog(followed, tmp_path):
    folder, _ = followed
    anki = Anki(tmp_path / "anki")
    with served(anki) as address:
        command = [folder / ".venv" / "bin" / "deckgen", "push", "build/notes.apkg", "--anki", address]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    with Learner(tmp_path / "anki") as learner:
        assert len(learner.col.find_notes("")) == 4
