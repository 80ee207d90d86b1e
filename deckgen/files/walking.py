"""Walking: the files of notes below a folder, as far as its author (`deck.toml`) and the system let us look."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from deckgen.files.reading import content, decode, lies_inside, opened, places_of, real
from deckgen.model.bundle import Bundle, Shared, parse_bundles, parse_shared
from deckgen.model.config import OTHER_ENDINGS, SOURCE_ENDINGS, DeckConfig, line_of, parse_config
from deckgen.model.errors import SourceError, UsageError
from deckgen.text.columns import SEPARATORS, names_of_columns
from deckgen.text.pattern import pattern

CONFIG_NAME = "deck.toml"
BUNDLES_NAME = "packages.toml"
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
    text = _settings(path)
    if text is None:
        return DeckConfig()
    config = parse_config(text, path.as_posix())
    strays = [source for source in config.sources if not lies_inside(folder / source, places_of(folder))]
    if strays:
        at = f"{path.as_posix()}:{line_of('sources', text)}"
        hint = "name what lies below it, or in the `snippets` folder of its project"
        raise UsageError(f"`sources` leads out of the deck's folder: {strays[0]}", at, hint)
    shared = _shared(folder)
    return replace(config, about=shared.about, source_url=config.source_url or shared.source_url)


def _shared(folder: Path) -> Shared:
    """What a deck has from the `packages.toml` of the folder above it."""
    path = (folder.parent if folder.name not in ("", "..") else folder / os.pardir) / BUNDLES_NAME
    text = _settings(path)
    return parse_shared(text, path.as_posix()) if text is not None else Shared()


def bundles(folder: Path) -> tuple[Bundle, ...]:
    """The packages of several decks that the `packages.toml` of a folder names; none of a file. Raises UsageError, and SourceError if
    it is closed.
    """
    path = folder / BUNDLES_NAME
    text = _settings(path) if folder.is_dir() else None
    return parse_bundles(text, path.as_posix()) if text is not None else ()


def _settings(path: Path) -> str | None:
    """The text of a file of settings; None if there is none."""
    folder = path.parent
    try:
        return decode(content(path, places=(real(folder),)), path.as_posix()).text
    except FileNotFoundError:
        return None
    except PermissionError:
        raise refused(path if os.access(folder, os.X_OK) else folder) from None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path.as_posix()) from None


@dataclass(frozen=True, slots=True)
class SkippedPaths:
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


def files_below(
    place: Path, root: Path, config: DeckConfig, skip: frozenset[Path], passed: SkippedPaths
) -> Iterator[Path]:
    """The files of notes in `place`; folders in `skip` are other decks. Adds to `passed` what is not read."""
    if not os.path.exists(place):
        raise UsageError("`sources` names what does not exist", place.as_posix(), "mend deck.toml")
    if not place.is_dir():
        yield place
        return
    usual = config.include == SOURCE_ENDINGS
    sites: set[Path] = set()
    for folder, names in walk(place, passed):
        there = folder.resolve()
        if not skip.isdisjoint((there, *there.parents)):
            continue
        if any(fnmatch.fnmatchcase(name, mark) for mark in _SITE for name in names):
            sites.add(folder)
        in_site = not sites.isdisjoint((folder, *folder.parents))
        for path in (folder / name for name in names):
            relative, ending = Path(os.path.relpath(path, root)).as_posix(), path.suffix.lower()
            if matches(relative, config.exclude):
                continue
            if not usual:
                if matches(relative, config.include):
                    yield path
            elif ending in _DATA and _holds_cards(path, passed.places):
                passed.other.append(path)
            elif not matches(path.name.lower(), SOURCE_ENDINGS):  # `NOTES.MD` is Markdown too
                if path.name.lower().endswith(OTHER_ENDINGS) and not relative.startswith("snippets/"):
                    passed.other.append(path)
            elif ending in PAGES and (in_site or _is_exported(path, names)):
                passed.made.append(path)
            elif ending not in (*PAGES, ".json") or _is_notes(path, names, passed.places):
                yield path


def folders_below(root: Path) -> Iterator[Path]:
    """All folders in which notes of a deck may lie."""
    return (folder for folder, _ in walk(root, SkippedPaths(places_of(root))))


def matches(relative: str, patterns: Iterable[str]) -> bool:
    """True for a path in a deck that one of these patterns of `deck.toml` means."""
    name = relative.rsplit("/", 1)[-1]
    return any(
        fnmatch.fnmatch(relative, pattern)
        or fnmatch.fnmatch(name, pattern)
        or relative.startswith(f"{pattern.rstrip('/')}/")
        for pattern in patterns
    )


def walk(folder: Path, passed: SkippedPaths) -> Iterator[tuple[Path, list[str]]]:
    """Folders below with their file names; hidden ones left out, each real folder entered once.

    Those that may not be entered or listed are added to `passed.closed`, links out of its places to `passed.outside`.
    Other symbolic links are followed (people keep notes behind them), so loops are cut by identity.
    """
    seen: set[tuple[int, int]] = set()

    def refused(error: OSError) -> None:
        passed.closed.append(Path(error.filename))

    for below, folders, names in os.walk(folder, followlinks=True, onerror=refused):
        here, status = Path(below), os.stat(below)
        inner = sorted(name for name in folders if not name.startswith((".", "__")))
        folders.clear()
        if (status.st_dev, status.st_ino) in seen:
            continue
        seen.add((status.st_dev, status.st_ino))
        # its names can be listed, and nothing behind them be read; or it goes on without end
        if not os.access(below, os.X_OK) or len(here.parts) > DEEPEST:
            passed.closed.append(here)
            continue
        for path in (here / name for name in inner):
            if path.is_symlink() and not lies_inside(path, passed.places):
                passed.outside.append(path)
            else:
                folders.append(path.name)
        yield here, sorted(name for name in names if not name.startswith("."))


PAGES = (".html", ".htm")
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
_SPEAKER = pattern(r'"(?:role|author|sender|from|speaker)"\s*:')
_WORDS = pattern(r'"(?:content|text|value|message|parts)"\s*:')


_DATA = (".json", ".txt", ".csv", ".tsv")
_OBJECT = pattern(
    r'(?=.*"front"\s*:)(?=.*"back"\s*:)|(?=.*"question"\s*:)(?=.*"answer"\s*:)|.*"text"\s*:\s*"[^"]*\{\{c\d', re.DOTALL
)
_EXPORTED = pattern(r"(?:#[a-z ]+:.*\n)*#(?:separator|html):")
_GAP = pattern(r"\{\{c\d")


def _holds_cards(path: Path, places: Collection[Path]) -> bool:
    """True for cards as data, which are read where somebody names them: Anki's export, JSON and tables with the names of two sides."""
    head = _head(path, places) or ""
    ending = path.suffix.lower()
    if _EXPORTED.match(head):
        return True
    if ending == ".json":
        return _OBJECT.match(head) is not None and not (_SPEAKER.search(head) and _WORDS.search(head))
    return ending != ".txt" and _is_table_of_cards(head)


def _is_table_of_cards(head: str) -> bool:
    """True for a table whose columns are those of cards; a column of texts alone is data of many kinds, unless these have gaps."""
    lines = [line for line in head.splitlines() if line.strip()]
    top = lines[lines[0].startswith("sep=") :][:1] if lines else []
    named = [names for line in top for one in SEPARATORS if (names := names_of_columns(line.split(one)))]
    return any("text" not in names or _GAP.search(head) is not None for names in named)


def _head(path: Path, places: Collection[Path]) -> str | None:
    """The text with which a file begins; None for one that cannot be read."""
    try:
        with opened(path, places) as file:
            return file.read(_HEAD).decode("utf-8", errors="replace").replace("\0", "").lstrip("\ufeff")
    except OSError:
        return None


def _is_exported(page: Path, beside: Collection[str]) -> bool:
    """True for a page of the same name as the notes that lie beside it."""
    known = {name.lower() for name in beside}
    return any(f"{page.stem.lower()}{ending}" in known for ending in _WRITTEN)


def _is_notes(path: Path, beside: Collection[str], places: Collection[Path]) -> bool:
    """False for a page of deckgen's own preview, for what a browser saves beside a page, and for JSON in which nobody speaks."""
    page, mark, rest = path.parent.name.rpartition("_files")
    is_frame = mark and not rest and any(path.parent.with_name(f"{page}{ending}").exists() for ending in PAGES)
    if f"{path.stem}.apkg" in beside or is_frame:
        return False
    head = _head(path, places)
    if head is None:
        return True  # reading it will say what is wrong
    if path.suffix.lower() in PAGES:
        return "- deckgen preview</title>" not in head
    return bool(_SPEAKER.search(head) and _WORDS.search(head))
