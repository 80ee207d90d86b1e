"""Walking: the files of notes below a folder, as far as its author (`deck.toml`) and the system let us look."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from deckgen.files.regular import content, lies_inside, opened, places_of, real
from deckgen.files.sources import decode
from deckgen.model.config import OTHER_ENDINGS, SOURCE_ENDINGS, DeckConfig, line_of, parse_config
from deckgen.model.errors import SourceError, UsageError
from deckgen.text.pattern import pattern

CONFIG_NAME = "deck.toml"
DEEPEST = 100
"""Folders in folders that are searched."""


def refused(path: Path) -> SourceError:
    """What to say of a place into which nobody lets us look, or to which no path leads."""
    if len(path.parts) > DEEPEST:
        return SourceError("lies too deep in its folders", path.as_posix(), "move it up, or name it")
    hint = "give yourself the right to read it (`chmod u+rX`), or name only what you may read"
    return SourceError("may not be read", path.as_posix(), hint)


def led_out(path: Path) -> SourceError:
    """What to say of a link to a folder elsewhere."""
    hint = "copy what you need into the deck's folder, or leave it out with `exclude` in deck.toml"
    return SourceError("leads out of the deck's folder", path.as_posix(), hint)


def load_config(folder: Path) -> DeckConfig:
    """The `deck.toml` of a folder; the defaults if there is none. Raises UsageError, and SourceError if it is closed."""
    path = folder / CONFIG_NAME
    try:
        text = decode(content(path, places=(real(folder),)), path.as_posix()).text
    except FileNotFoundError:
        return DeckConfig()
    except PermissionError:
        where = folder if not os.access(folder, os.X_OK) else path
        raise refused(where) from None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path.as_posix()) from None
    config = parse_config(text, path.as_posix())
    strays = [source for source in config.sources if not lies_inside(folder / source, places_of(folder))]
    if strays:
        at = f"{path.as_posix()}:{line_of('sources', text)}"
        hint = "name what lies below it, or in the `snippets` folder of its project"
        raise UsageError(f"`sources` leads out of the deck's folder: {strays[0]}", at, hint)
    return config


@dataclass(frozen=True, slots=True)
class Passed:
    """What a search may enter, and what it passed by."""

    places: tuple[Path, ...]
    """Real folders; what does not lie in one of them is not entered."""
    outside: list[Path] = field(default_factory=list)
    """Links to folders elsewhere."""
    closed: list[Path] = field(default_factory=list)
    """Folders that nobody let us look into."""
    other: list[Path] = field(default_factory=list)
    """Files that may be notes in a format that is not read."""
    made: list[Path] = field(default_factory=list)
    """Pages that a program made: of a site, or from the notes beside them."""


def files_below(place: Path, root: Path, config: DeckConfig, skip: frozenset[Path], passed: Passed) -> Iterator[Path]:
    """The files of notes in `place`; folders in `skip` are other decks. Adds to `passed` what is not read."""
    if not os.path.exists(place):
        raise UsageError("`sources` names what does not exist", place.as_posix(), "mend deck.toml")
    if not place.is_dir():
        yield place
        return
    usual = config.include == SOURCE_ENDINGS
    sites: list[Path] = []
    for folder, names in walk(place, passed):
        if any(up in skip for up in (folder.resolve(), *folder.resolve().parents)):
            continue
        inside = usual and _inside_site(folder, names, sites)
        for name in names:
            relative = Path(os.path.relpath(folder / name, root)).as_posix()
            if matches(relative, config.exclude):
                continue
            if not usual:
                yield from (folder / name,) if matches(relative, config.include) else ()
            elif matches(name.lower(), SOURCE_ENDINGS):  # `NOTES.MD` is Markdown too
                yield from _kept(folder / name, names, inside, passed)
            elif name.lower().endswith(OTHER_ENDINGS) and not relative.startswith("snippets/"):
                passed.other.append(folder / name)


def _inside_site(folder: Path, names: list[str], sites: list[Path]) -> bool:
    """True in a site's folder and below it; a new one is added to `sites`."""
    inside = any(site in folder.parents for site in sites)
    if not inside and is_site(names):
        sites.append(folder)
        return True
    return inside


def _kept(path: Path, beside: list[str], inside_site: bool, passed: Passed) -> Iterator[Path]:
    """The file, unless a program made it; pages of cards and frames of a page are not worth telling."""
    ending = path.suffix.lower()
    if ending not in PAGES + DATA:
        yield path
    elif ending in PAGES and (inside_site or is_exported(path.name, [name.lower() for name in beside])):
        passed.made.append(path)
    elif f"{path.stem}.apkg" not in beside and not is_frame(path.parent) and is_notes(path, passed.places):
        yield path


def matches(relative: str, patterns: Iterable[str]) -> bool:
    """True for a path in a deck that one of these patterns of `deck.toml` means."""
    name = relative.rsplit("/", 1)[-1]
    return any(
        fnmatch.fnmatch(relative, pattern)
        or fnmatch.fnmatch(name, pattern)
        or relative.startswith(f"{pattern.rstrip('/')}/")
        for pattern in patterns
    )


def _leads_out(folder: Path, places: Collection[Path]) -> bool:
    return folder.is_symlink() and not lies_inside(folder, places)


def walk(folder: Path, passed: Passed) -> Iterator[tuple[Path, list[str]]]:
    """Folders below with their file names; hidden ones left out, each real folder entered once.

    Those that may not be entered or listed are added to `passed.closed`, links out of its places to `passed.outside`.
    Other symbolic links are followed (people keep notes behind them), so loops are cut by identity.
    """
    seen: set[tuple[int, int]] = set()

    def refused(error: OSError) -> None:
        passed.closed.append(Path(error.filename))

    for below, folders, names in os.walk(folder, followlinks=True, onerror=refused):
        status = os.stat(below)
        identity = (status.st_dev, status.st_ino)
        if identity in seen:
            folders[:] = []
            continue
        seen.add(identity)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        # its names can be listed, and nothing behind them be read; or it goes on without end
        if not os.access(below, os.X_OK) or len(Path(below).parts) > DEEPEST:
            passed.closed.append(Path(below))
            folders[:] = []
            continue
        strays = [name for name in folders if _leads_out(Path(below, name), passed.places)]
        passed.outside.extend(Path(below, name) for name in strays)
        folders[:] = [name for name in folders if name not in strays]
        yield Path(below), sorted(name for name in names if not name.startswith("."))


PAGES = (".html", ".htm")
DATA = (".json",)
_HEAD = 64 * 2**10
"""Bytes of a file that are looked at."""
_SITE = (
    "objects.inv",
    "searchindex.js",
    "search_index.json",
    "sitemap.xml",
    "404.html",
    "coverage_html*.js",
    "doxygen.css",
)
"""What generators of sites, documentation and coverage write beside their pages."""
_WRITTEN = (".md", ".markdown", ".mdx", ".qmd", ".rmd", ".rst", ".ipynb", ".org", ".adoc", ".tex", ".txt", ".py")
"""What a page beside it was exported from, if it bears the same name."""
_PREVIEW = "- deckgen preview</title>"
_SAYS = pattern(r'"(?:role|author|sender|from|speaker)"\s*:')
_WHAT = pattern(r'"(?:content|text|value|message|parts)"\s*:')


def is_site(names: Collection[str]) -> bool:
    """True for the top folder of a site, by the names of its files."""
    return any(fnmatch.fnmatchcase(name, mark) for mark in _SITE for name in names)


def is_exported(name: str, beside: Collection[str]) -> bool:
    """True for a page of the same name as the notes that lie beside it."""
    stem = name.rpartition(".")[0].lower()
    return any(f"{stem}{ending}" in beside for ending in _WRITTEN)


def is_frame(folder: Path) -> bool:
    """True for the folder that a browser saves beside a page, with its pictures and frames."""
    page, mark, rest = folder.name.rpartition("_files")
    return bool(mark) and not rest and any(folder.with_name(f"{page}{ending}").exists() for ending in PAGES)


def is_notes(path: Path, places: Collection[Path]) -> bool:
    """False for a page of deckgen's own preview, and for JSON in which nobody says anything."""
    try:
        with opened(path, places) as file:
            head = file.read(_HEAD).decode("utf-8", errors="replace").replace("\0", "")
    except OSError:
        return True  # reading it will say what is wrong
    if path.suffix.lower() in DATA:
        return bool(_SAYS.search(head) and _WHAT.search(head))
    return _PREVIEW not in head
