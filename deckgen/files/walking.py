"""Walking: the files of notes below a folder, as far as its author and the system let us look."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from deckgen.config import OTHER_ENDINGS, SOURCE_ENDINGS, DeckConfig
from deckgen.errors import UsageError


def files_below(
    place: Path, root: Path, config: DeckConfig, skip: frozenset[Path], closed: list[Path], left_out: list[Path]
) -> Iterator[Path]:
    """The files of notes in `place`; folders in `skip` are other decks.

    Adds folders that are closed to us to `closed`, and files that may be notes in another format to `left_out`.
    """
    if place.is_file():
        yield place
        return
    if not place.is_dir():
        raise UsageError("`sources` names what does not exist", place.as_posix(), "mend deck.toml")
    for folder, names in walk(place, closed):
        if any(up in skip for up in (folder.resolve(), *folder.resolve().parents)):
            continue
        for name in names:
            relative = Path(os.path.relpath(folder / name, root)).as_posix()
            if _matches(relative, config.exclude):
                continue
            if _matches(relative, config.include) or _searched_for(name, config):
                yield folder / name
            elif _may_be_notes(name, names, config):
                left_out.append(folder / name)


def _searched_for(name: str, config: DeckConfig) -> bool:
    """`NOTES.MD` is Markdown too, unless the author said what is searched for."""
    return config.include == SOURCE_ENDINGS and _matches(name.lower(), SOURCE_ENDINGS)


def _may_be_notes(name: str, beside: Collection[str], config: DeckConfig) -> bool:
    """True for other formats of text, except a page of cards, which `deckgen preview` writes beside its package."""
    other = name.lower().endswith(OTHER_ENDINGS) and config.include == SOURCE_ENDINGS
    return other and f"{name.rpartition('.')[0]}.apkg" not in beside


def _matches(relative: str, patterns: Iterable[str]) -> bool:
    name = relative.rsplit("/", 1)[-1]
    return any(
        fnmatch.fnmatch(relative, pattern)
        or fnmatch.fnmatch(name, pattern)
        or relative.startswith(f"{pattern.rstrip('/')}/")
        for pattern in patterns
    )


def walk(folder: Path, closed: list[Path]) -> Iterator[tuple[Path, list[str]]]:
    """Folders below with their file names; hidden ones left out, each real folder entered once.

    Those that may not be entered or listed are added to `closed`.

    Symbolic links are followed (people keep notes behind them), so loops are cut by identity.
    """
    seen: set[tuple[int, int]] = set()

    def refused(error: OSError) -> None:
        closed.append(Path(error.filename))

    for below, folders, names in os.walk(folder, followlinks=True, onerror=refused):
        status = os.stat(below)
        identity = (status.st_dev, status.st_ino)
        if identity in seen:
            folders[:] = []
            continue
        seen.add(identity)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        if not os.access(below, os.X_OK):  # its names can be listed, and nothing behind them be read
            closed.append(Path(below))
            folders[:] = []
            continue
        yield Path(below), sorted(name for name in names if not name.startswith("."))
