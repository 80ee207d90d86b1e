"""Folders of strangers: what lies among notes to be read, to hang whoever reads it, or to be written through."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Command

pytestmark = pytest.mark.posix("makes a pipe among files")

resource = pytest.importorskip("resource", reason="files of these kinds are those of POSIX systems")

GOOD = "# Shapes\n\nQ: What does `squeeze()` do?\nA: It removes the dimensions of size 1.\n"
HIDDEN = "Q: What is the key?\nA: It is s3cret.\n"
MEMORY = 4 << 30
"""Bytes; it would else be all that the machine has."""


@pytest.fixture
def deck(tmp_path):
    """A folder with good notes in it, beside one with a secret."""
    folder = tmp_path / "deck"
    folder.mkdir()
    (folder / "good.md").write_text(GOOD)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "n.md").write_text(HIDDEN)
    (outside / "k.py").write_text('key = "s3cret"\n')
    (outside / "p.png").write_bytes(b"s3cret")
    return folder


@pytest.fixture
def deckgen(tmp_path):
    """Runs the command beside the deck, with a limit to its memory."""
    command = Command(tmp_path, tmp_path)

    def run(*arguments):
        before = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, before[1]))
        try:
            return command(*arguments)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)

    return run


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 << 30)


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _chained(path: Path) -> None:
    """A link to a link to a link, further than any system follows them."""
    links = [path.with_name(f".{number}") for number in range(1500)]
    for link, target in zip([path, *links], [*links, path], strict=True):
        link.symlink_to(target.name)


def _packed(tmp_path: Path) -> bytes:
    """All that is in the packages that were built."""
    packages = (tmp_path / "build").glob("*.apkg")
    archives = [zipfile.ZipFile(path) for path in packages]
    return b"".join(archive.read(name) for archive in archives for name in archive.namelist())


def _make_pipe(path: Path) -> None:
    os.mkfifo(path)


SOURCES = {
    "pipe.md": (_make_pipe, "not a regular file"),
    "chat.json": (_make_pipe, "not a regular file"),
    "page.html": (_make_pipe, "not a regular file"),
    "zero.md": (_link("/dev/zero"), "leads out of the deck's folder"),
    "noise.json": (_link("/dev/random"), "leads out of the deck's folder"),
    "kernel.md": (_link("/proc/kmsg"), "leads out of the deck's folder"),
    "secret.md": (_link("../outside/n.md"), "leads out of the deck's folder"),
    "loop.md": (_link("loop.md"), "not a regular file"),
    "chain.md": (_chained, "not a regular file"),
    "away": (_link("../outside"), "leads out of the deck's folder"),
    "big.md": (_sparse, "larger than 64 MiB"),
}


def test_sources_that_are_no_files_of_the_deck_are_named_and_the_rest_is_built(deck, deckgen, tmp_path):
    for name, (make, _) in SOURCES.items():
        make(deck / name)
    run = deckgen("build", "--no-run", "deck")
    assert run.returncode == 3
    for name, (_, why) in SOURCES.items():
        assert f"deckgen: deck/{name}: {why}\n" in run.stderr
    assert b"squeeze" in _packed(tmp_path)
    assert b"s3cret" not in _packed(tmp_path)


@pytest.mark.parametrize("name", ["pipe.md", "chat.json", "page.html", "big.md"])
def test_one_that_is_listed_or_named_is_told_and_the_rest_is_read(deck, deckgen, name):
    make, why = SOURCES[name]
    make(deck / name)
    named = deckgen("inspect", f"deck/{name}", "deck/good.md")
    (deck / "deck.toml").write_text(f'sources = ["{name}", "good.md"]\n')
    for run in (named, deckgen("inspect", "deck")):
        assert run.returncode == 3
        assert f"deckgen: deck/{name}: {why}\n" in run.stderr
        assert "deck/good.md:3: basic (pairs; " in run.stdout


@pytest.mark.parametrize("make", [_make_pipe, _link("/dev/zero"), _sparse, os.mkdir])
@pytest.mark.parametrize("name", ["deck.toml", "deckgen.lock"])
def test_what_bears_the_name_of_a_file_of_ours_and_is_none_is_told(deck, deckgen, name, make):
    make(deck / name)
    for path in ("deck", "deck/good.md", *(["."] if name == "deck.toml" else [])):
        run = deckgen("build", "--no-run", path)
        assert (run.returncode, run.stdout) == (2, "")
        assert f"deck/{name}: cannot be read: " in run.stderr


@pytest.mark.parametrize(("make", "code"), [(_make_pipe, 3), (_link("/dev/zero"), 3), (_sparse, 2)])
def test_a_package_that_is_none_is_no_package(deck, deckgen, tmp_path, make, code):
    make(tmp_path / "x.apkg")
    assert deckgen("diff", "x.apkg", "x.apkg").returncode == code


INCLUDED = {
    "k.py": (_link("../outside/k.py"), "k.py: cannot be read: leads out of the deck's folder"),
    "away/k.py": (lambda path: path.parent.symlink_to("../outside"), "leads out of the deck's folder"),
    "snippets/k.py": (lambda path: path.parent.symlink_to("../outside"), "leads out of the deck's folder"),
    "pipe.py": (_make_pipe, "pipe.py: cannot be read: not a regular file"),
    "big.py": (_sparse, "big.py: cannot be read: larger than 64 MiB"),
    "latin.py": (lambda path: path.write_bytes(b"# \xe9\n"), "latin.py: is not in UTF-8"),
}


@pytest.mark.parametrize("name", INCLUDED)
def test_an_include_that_is_no_file_of_the_deck_is_refused_and_the_rest_of_its_notes_is_read(deck, deckgen, name):
    make, why = INCLUDED[name]
    make(deck / name)
    (deck / "good.md").write_text(f"{GOOD}\n### Sum\n\n```python {{file={name}}}\n```\n")
    run = deckgen("inspect", "deck/good.md")
    assert run.returncode == 3
    assert "deck/good.md:3: basic (pairs; declared): Shapes What does `squeeze()` do?" in run.stdout
    assert (
        f"deck/good.md:8: no note (left_over): {why}" in run.stdout
        or f"no note (left_over): {name}: cannot be read: {why}" in run.stdout
    )


def test_an_include_that_is_mended_is_read_though_its_notes_are_as_they_were(deck, deckgen):
    (deck / "k.py").symlink_to("../outside/k.py")
    (deck / "good.md").write_text(f"{GOOD}\n### Sum\n\n```python {{file=k.py}}\n```\n")
    assert "leads out" in deckgen("inspect", "deck").stdout
    (deck / "k.py").unlink()
    (deck / "k.py").write_text("x = 1\n")
    assert "k.py: cannot be read" not in deckgen("inspect", "deck").stdout


def test_snippets_above_are_those_of_the_project_and_no_others(deck, deckgen, tmp_path):
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets" / "k.py").write_text("x = 1\n")
    (deck / "good.md").write_text("### Sum\n\n```python {file=snippets/k.py}\n```\n")
    assert "no such file: snippets/k.py" in deckgen("inspect", "deck").stdout
    (tmp_path / "pyproject.toml").write_text("")
    assert "no such file" not in deckgen("inspect", "deck").stdout


PICTURES = {
    "pipe.png": _make_pipe,
    "big.png": _sparse,
    "zero.png": _link("/dev/zero"),
    "out.png": _link("../outside/p.png"),
    "away/p.png": lambda path: path.parent.symlink_to("../outside"),
    "folder.png": os.mkdir,
}


def test_pictures_that_are_no_files_of_the_deck_are_named_and_left_out(deck, deckgen, tmp_path):
    for name, make in PICTURES.items():
        make(deck / name)
    shown = "".join(f"![a picture]({name})\n" for name in PICTURES)
    (deck / "good.md").write_text(f"{GOOD}{shown}")
    run = deckgen("build", "--no-run", "deck/good.md")
    assert run.returncode == 0
    for name in PICTURES:
        told = f"no such picture in the folder of the notes or in `snippets` (a file of up to 64 MiB): {name}"
        assert f"deck/good.md:3: {told}" in run.stderr
    assert b"s3cret" not in _packed(tmp_path)


def test_pictures_may_lie_in_the_snippets_of_the_project(deck, deckgen, tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    pictures = tmp_path / "snippets" / "pictures"
    pictures.mkdir(parents=True)
    (pictures / "p.png").write_bytes(b"a picture")
    (deck / "good.md").write_text(f"{GOOD}![a](../snippets/pictures/p.png)\n![b](../outside/p.png)\n")
    run = deckgen("build", "--no-run", "deck/good.md")
    assert (run.returncode, run.stderr.count("no such picture")) == (0, 1)
    assert b"a picture" in _packed(tmp_path)
    assert b"s3cret" not in _packed(tmp_path)


@pytest.mark.parametrize("source", ["\\u0000", "chain.md", "none.md"])
def test_sources_that_cannot_be_there_are_a_mistake_in_its_settings(deck, deckgen, source):
    _chained(deck / "chain.md")
    (deck / "deck.toml").write_text(f'sources = ["{source}"]\n')
    run = deckgen("inspect", "deck")
    assert (run.returncode, run.stdout) == (2, "")
    assert "`sources` names what does not exist" in run.stderr


@pytest.mark.parametrize(
    "source", ["../outside", "../outside/n.md", "../deck/../outside", "{absolute}", "away", "link.md"]
)
def test_sources_that_lead_out_of_the_deck_are_a_mistake_in_its_settings(deck, deckgen, tmp_path, source):
    (deck / "away").symlink_to("../outside")
    (deck / "link.md").symlink_to("../outside/n.md")
    source = source.format(absolute=tmp_path / "outside")
    (deck / "deck.toml").write_text(f'name = "x"\nsources = ["good.md", "{source}"]\n')
    run = deckgen("inspect", "deck")
    assert (run.returncode, run.stdout) == (2, "")
    assert f"deck/deck.toml:2: `sources` leads out of the deck's folder: {source}\n" in run.stderr


def test_a_file_that_is_named_may_be_a_link_and_what_it_names_is_bound_to_its_folder(deck, deckgen, tmp_path):
    (tmp_path / "outside" / "n.md").write_text(f"{HIDDEN}\n### Sum\n\n```python {{file=k.py}}\n```\n")
    (deck / "n.md").symlink_to("../outside/n.md")
    (deck / "k.py").symlink_to("../outside/k.py")
    run = deckgen("inspect", "deck/n.md")
    assert run.returncode == 3
    assert "deck/n.md:1: basic (pairs; declared): What is the key?" in run.stdout
    assert "k.py: cannot be read: leads out of the deck's folder" in run.stdout


def test_a_pattern_finds_nothing_elsewhere(deck, deckgen):
    (deck / "n.md").symlink_to("../outside/n.md")
    run = deckgen("inspect", "deck/*.md")
    assert (run.returncode, run.stdout) == (2, "")
    assert "deckgen: deck/n.md: leads out of deck, where `deck/*.md` was looked for\n" in run.stderr


def test_notes_behind_a_link_that_is_not_followed_any_more_have_not_gone(deck, deckgen, tmp_path):
    (deck / "more").mkdir()
    (deck / "more" / "b.md").write_text("Q: What is `ndim`?\nA: The number of dimensions.\n")
    assert deckgen("build", "--no-run", "deck").returncode == 0
    (deck / "more").rename(tmp_path / "more")
    (deck / "more").symlink_to("../more")
    run = deckgen("build", "--no-run", "deck")
    assert run.returncode == 3
    assert "removed" not in run.stdout


def test_a_link_is_not_written_through(deck, deckgen, tmp_path):
    target = tmp_path / "outside" / "made"
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "deck.apkg").symlink_to(target)
    (tmp_path / "build" / "deck.html").symlink_to(target)
    assert deckgen("build", "--no-run", "deck").returncode == 0
    assert deckgen("preview", "--no-run", "deck").returncode == 0
    assert not target.exists()
    assert zipfile.is_zipfile(tmp_path / "build" / "deck.apkg")


def test_a_lock_that_leads_out_is_refused_unless_it_is_named(deck, deckgen, tmp_path):
    target = tmp_path / "outside" / "made"
    (deck / "deckgen.lock").symlink_to(target)
    run = deckgen("build", "--no-run", "deck")
    assert run.returncode == 2
    assert "deck/deckgen.lock: cannot be read: leads out of the deck's folder" in run.stderr
    assert not target.exists()
    (tmp_path / "my.lock").symlink_to(target)
    assert deckgen("build", "--no-run", "deck", "--lock", "my.lock").returncode == 0
    assert target.is_file()


@pytest.mark.parametrize("name", ["deck.apkg", "deck.html"])
def test_a_pipe_in_the_place_of_what_is_written_is_told(deck, deckgen, tmp_path, name):
    assert deckgen("build", "--no-run", "deck").returncode == 0
    pipe = tmp_path / "build" / name
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    run = deckgen("build" if name.endswith("apkg") else "preview", "--no-run", "deck")
    assert run.returncode == 2
    assert f"deckgen: build/{name}: cannot be written: not a regular file\n" in run.stderr
    assert pipe.is_fifo()


def test_a_folder_is_made_a_deck_in_it_and_nowhere_else(deck, deckgen, tmp_path):
    (deck / ".github").symlink_to("../outside")
    assert deckgen("init", "deck").returncode == 0
    assert sorted(path.name for path in (tmp_path / "outside").iterdir()) == ["k.py", "n.md", "p.png"]
