"""What is opened for a deck, and what is not."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import patience

from deckgen.files.reading import UnfitError, content, opened, places_of

pytestmark = pytest.mark.posix("files of these kinds are those of POSIX systems")


def _listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 << 30)


def _make_pipe(path: Path) -> None:
    os.mkfifo(path)


UNFIT: dict[str, tuple[Callable[[Path], object], str]] = {
    "pipe": (_make_pipe, "not a regular file"),
    "folder": (os.mkdir, "not a regular file"),
    "socket": (_listening, "not a regular file"),
    "link without end": (lambda path: path.symlink_to(path), "not a regular file"),
    "zeros without end": (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
    "noise without end": (lambda path: path.symlink_to("/dev/random"), "not a regular file"),
    "terminal": (lambda path: path.symlink_to("/dev/tty"), "not a regular file"),
    "five gigabytes": (_sparse, "larger than 64 MiB"),
}


@pytest.mark.posix("makes symbolic links")
@pytest.mark.parametrize("kind", UNFIT)
def test_what_is_no_file_of_a_usual_size_is_refused_at_once(tmp_path, kind):
    make, why = UNFIT[kind]
    make(tmp_path / "x.md")
    with patience(), pytest.raises(UnfitError, match=why):
        content(tmp_path / "x.md")


def test_a_file_that_says_it_is_empty_is_not_read_beyond_the_limit():
    made_up = Path("/proc/self/maps")
    if not made_up.exists():
        pytest.skip("only Linux makes such files up as they are read")
    assert made_up.stat().st_size == 0
    assert content(made_up)
    with pytest.raises(UnfitError, match="larger than"):
        content(made_up, limit=100)


@pytest.mark.posix("makes symbolic links")
def test_a_link_is_followed_anywhere_or_within_the_places_that_are_given(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret").write_text("key")
    (inside / "own").write_text("own")
    (inside / "out").symlink_to(tmp_path / "secret")
    (inside / "in").symlink_to(inside / "own")
    assert content(inside / "out") == b"key"
    assert content(inside / "in", places=(inside,)) == b"own"
    for path in (inside / "out", inside / ".." / "secret"):
        with pytest.raises(UnfitError, match="leads out"):
            content(path, places=(inside,))


SWAPS: dict[str, Callable[[Path], object]] = {
    "a link to a secret": lambda path: (path.unlink(), path.symlink_to(path.parents[1] / "secret" / "x.md")),
    "a folder that is a link": lambda path: (
        path.parent.rename(path.parents[1] / "gone"),
        path.parent.symlink_to(path.parents[1] / "secret", target_is_directory=True),
    ),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
}


@pytest.mark.posix("makes symbolic links")
@pytest.mark.parametrize("swap", SWAPS)
def test_a_file_that_is_swapped_as_it_is_opened_is_refused(tmp_path, monkeypatch, swap):
    deck = tmp_path / "deck"
    for folder, text in (("deck/sub", "own"), ("deck/secret", "key")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "x.md").write_text(text)
    open_really = os.open

    def swapped_before(path, flags):
        SWAPS[swap](deck / "sub" / "x.md")
        return open_really(path, flags)

    monkeypatch.setattr(os, "open", swapped_before)
    with patience(), pytest.raises(OSError, match=r"changed while|Too many levels"):
        opened(deck / "sub" / "x.md", (deck / "sub",))


def test_what_a_deck_reads_lies_in_its_folder_or_in_the_snippets_of_the_nearest_project(tmp_path):
    deck = tmp_path / "project" / "cards" / "deck"
    deck.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    assert places_of(deck) == (deck, tmp_path / "snippets")
    (tmp_path / "project" / "pyproject.toml").write_text("")
    assert places_of(deck) == (deck, tmp_path / "project" / "snippets")
    (deck / ".git").write_text("gitdir: elsewhere")
    assert places_of(deck) == (deck, deck / "snippets")
