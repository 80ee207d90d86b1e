"""Files: the sources on disk, found and decoded; results, written whole or not at all."""

from __future__ import annotations

import contextlib
import fnmatch
import glob
import hashlib
import os
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deckgen.config import DeckConfig, parse_config
from deckgen.errors import SourceError, UsageError
from deckgen.source import Source

CONFIG_NAME = "deck.toml"
LOCK_NAME = "deckgen.lock"
SIZE_LIMIT = 64 * 2**20
"""Bytes; a larger file is a data set or a mistake, not notes."""
FOREIGN_ENCODINGS = ("gb18030", "big5", "shift_jis", "euc_kr", "cp1252")
"""What notes are written in when they are not Unicode; guessing among all encodings guesses wrong."""
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class DeckFolder:
    """A deck on disk: where it is rooted, what its author said, and which files belong to this run."""

    root: Path
    config: DeckConfig
    files: tuple[Path, ...]
    """In the order of `sources`, sorted within each; as typed by the user where possible."""
    name: str
    """From `deck.toml`, else the folder's or file's name."""
    lock: Path
    whole: bool
    """True if `files` are all the files of the deck: only then can a note be found to have gone."""
    named: frozenset[Path] = frozenset()
    """The files that were named on the command line."""

    def relative(self, path: Path) -> str:
        """A file's path inside the deck, with forward slashes: what cards and locks call it."""
        return Path(os.path.relpath(path, self.root)).as_posix()


def decode(data: bytes, name: str) -> Source:
    """Bytes of a file as a Source: UTF-8 and UTF-16 with or without BOM, else the likeliest of a few.

    Raises SourceError for binary data and for text that no known encoding explains.
    """
    text, encoding, bom = _decoded(data, name)
    newline = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"), newline, encoding, bom)


def _decoded(data: bytes, name: str) -> tuple[str, str, bool]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace"), encoding, True
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _foreign(data, name)
    if "\0" in text:
        return _wide(data, name)
    return text, "utf-8", False


def _wide(data: bytes, name: str) -> tuple[str, str, bool]:
    """UTF-16 without a mark: the byte order that gives lines of assigned, printable characters."""
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\n" in text and all(_readable(character) for character in text[:4096]):
            return text, encoding, False
    raise SourceError("this is not a text file", name, "deckgen reads Markdown, text and .ipynb files")


def _readable(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character) not in {"Cc", "Cn", "Co", "Cs"}


def _foreign(data: bytes, name: str) -> tuple[str, str, bool]:
    if b"\0" in data[:8192]:
        return _wide(data, name)
    # charset-normalizer takes 0.1 s to import and nearly all notes are UTF-8
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=list(FOREIGN_ENCODINGS)).best()
    if best is None:
        hint = "save it as UTF-8"
        raise SourceError("cannot tell in which encoding this is written", name, hint)
    return str(best), best.encoding, False


def encode(source: Source) -> bytes:
    """The bytes of a source as its file had them: line ends, encoding and mark."""
    mark = next((mark for mark, encoding in _BOMS if source.bom and encoding == source.encoding), b"")
    return mark + source.text.replace("\n", source.newline).encode(source.encoding)


def load(path: Path) -> Source:
    """Reads one source. Raises SourceError with what to do about it."""
    name = path.as_posix()
    try:
        if path.stat().st_size > SIZE_LIMIT:
            limit = SIZE_LIMIT // 2**20
            raise SourceError(f"larger than {limit} MiB", name, "leave it out with `exclude` in deck.toml")
        return decode(path.read_bytes(), name)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", name) from None


def load_config(folder: Path) -> DeckConfig:
    """The `deck.toml` of a folder; the defaults if there is none."""
    path = folder / CONFIG_NAME
    if not path.is_file():
        return DeckConfig()
    return parse_config(decode(path.read_bytes(), path.as_posix()).text, path.as_posix())


def deck_folders(paths: Sequence[str], lock: Path | None = None) -> tuple[DeckFolder, ...]:
    """The decks that the command line means, in its order; files of one deck are joined.

    Raises UsageError for a path that does not exist or a pattern that matches nothing.
    """
    joined: dict[Path, DeckFolder] = {}
    for path in _expanded(paths):
        for folder in _folders_of(path, lock):
            before = joined.get(folder.lock)
            joined[folder.lock] = _join(before, folder) if before else folder
    return tuple(joined.values())


def _join(one: DeckFolder, other: DeckFolder) -> DeckFolder:
    files = tuple(sorted({*one.files, *other.files}))
    whole = one.whole or other.whole
    return DeckFolder(one.root, one.config, files, one.name, one.lock, whole, one.named | other.named)


def _expanded(paths: Iterable[str]) -> Iterator[Path]:
    for text in paths:
        if os.path.exists(text):
            yield Path(text)
            continue
        found = sorted(glob.glob(text, recursive=True)) if glob.has_magic(text) else []
        if not found:
            raise UsageError("no such file or folder", text, "name a file of notes, or a folder that has some")
        yield from map(Path, found)


def _folders_of(path: Path, lock: Path | None) -> Iterator[DeckFolder]:
    if path.is_dir():
        inner = () if _owns(path) else tuple(_deck_roots(path))
        yield from (_folder(root, lock) for root in inner)
        rest = _folder(path, lock, skip=frozenset(root.resolve() for root in inner))
        if rest.files or not inner:
            yield rest
    else:
        yield _file(path, lock)


def _owns(folder: Path) -> bool:
    return (folder / CONFIG_NAME).is_file() or (folder / LOCK_NAME).is_file()


def _deck_roots(folder: Path) -> Iterator[Path]:
    """Folders below that are decks of their own, because they have a `deck.toml`."""
    for below, _ in _walk(folder):
        if below != folder and (below / CONFIG_NAME).is_file():
            yield below


def _folder(root: Path, lock: Path | None, skip: frozenset[Path] = frozenset()) -> DeckFolder:
    config = load_config(root)
    places = [root / source for source in config.sources] or [root]
    found = (file for place in places for file in sorted(_files_below(place, root, config, skip)))
    files = tuple(dict.fromkeys(found))
    name = config.name or root.resolve().name or "notes"
    return DeckFolder(root, config, files, name, lock or _lock_path(root / LOCK_NAME), True)


def _files_below(place: Path, root: Path, config: DeckConfig, skip: frozenset[Path]) -> Iterator[Path]:
    if place.is_file():
        yield place
        return
    if not place.is_dir():
        raise UsageError("`sources` names what does not exist", place.as_posix(), "mend deck.toml")
    for folder, names in _walk(place):
        if any(up in skip for up in (folder.resolve(), *folder.resolve().parents)):
            continue
        for name in names:
            relative = Path(os.path.relpath(folder / name, root)).as_posix()
            if _matches(relative, config.include) and not _matches(relative, config.exclude):
                yield folder / name


def _matches(relative: str, patterns: Iterable[str]) -> bool:
    name = relative.rsplit("/", 1)[-1]
    return any(
        fnmatch.fnmatch(relative, pattern)
        or fnmatch.fnmatch(name, pattern)
        or relative.startswith(f"{pattern.rstrip('/')}/")
        for pattern in patterns
    )


def _walk(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Folders below with their file names; hidden ones left out, each real folder entered once.

    Symbolic links are followed (people keep notes behind them), so loops are cut by identity.
    """
    seen: set[tuple[int, int]] = set()
    for below, folders, names in os.walk(folder, followlinks=True):
        status = os.stat(below)
        identity = (status.st_dev, status.st_ino)
        if identity in seen:
            folders[:] = []
            continue
        seen.add(identity)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        yield Path(below), sorted(name for name in names if not name.startswith("."))


def _file(path: Path, lock: Path | None) -> DeckFolder:
    """A file named outright belongs to the nearest deck above it, else it is a deck of its own."""
    own = path.with_name(f"{path.name}.{LOCK_NAME}")
    named = frozenset({path})
    if not own.exists():
        for above in path.resolve().parents:
            if _owns(above):
                config = load_config(above)
                root = Path(os.path.relpath(above))
                name = config.name or above.name
                return DeckFolder(root, config, (path,), name, lock or _lock_path(root / LOCK_NAME), False, named)
    return DeckFolder(path.parent, DeckConfig(), (path,), path.stem, lock or _lock_path(own), True, named)


def _lock_path(beside: Path) -> Path:
    """The lock beside the sources; in the user's data folder where that cannot be written."""
    folder = beside.parent
    if beside.exists() or (os.access(folder, os.W_OK) and not _read_only(folder)):
        return beside
    import platformdirs

    digest = hashlib.sha256(beside.resolve().as_posix().encode()).hexdigest()[:12]
    return Path(platformdirs.user_data_dir("deckgen")) / "locks" / f"{beside.resolve().parent.name}-{digest}.lock"


def _read_only(folder: Path) -> bool:
    """The superuser may write anywhere, but a folder without a write bit is meant to stay as it is."""
    return not folder.stat().st_mode & 0o222


def read_text(path: Path) -> str | None:
    """The text of a file of ours (a lock, an included snippet); None if there is none."""
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", path.as_posix()) from None


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that at any moment there is the old one or the new one, never a half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def snippet_text(name: str, root: Path) -> str | None:
    """The text of an included snippet, `collate.py` or `snippets/collate.py`; None if there is none.

    Looked up in the deck's folder, then in a `snippets/` folder there or above it. Notes come from
    anywhere, so nothing but a `.py` file in such a place is ever read for them.
    """
    relative = Path(name)
    if relative.suffix != ".py" or relative.is_absolute() or ".." in relative.parts:
        return None
    inside = relative.relative_to("snippets") if relative.parts[0] == "snippets" else relative
    for place in (root, *(above / "snippets" for above in (root.resolve(), *root.resolve().parents))):
        if (place / inside).is_file():
            return read_text(place / inside)
    return None


def pictures(folder: Path) -> Callable[[str], bytes | None]:
    """Gives the bytes of a picture beside the notes; nothing outside their folder is ever packaged."""

    def load(target: str) -> bytes | None:
        path = folder / target.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0]
        try:
            inside = path.resolve().is_relative_to(folder.resolve())
            return path.read_bytes() if inside and path.is_file() else None
        except (OSError, ValueError):
            return None

    return load


def first_time(place: Path) -> bool:
    """True once for every place, ever (remembered in the user's data folder, as far as it can be written)."""
    import platformdirs

    known = Path(platformdirs.user_data_dir("deckgen")) / "places"
    mark = known / hashlib.sha256(place.resolve().as_posix().encode()).hexdigest()[:24]
    if mark.exists():
        return False
    with contextlib.suppress(OSError):
        known.mkdir(parents=True, exist_ok=True)
        mark.touch()
    return True


def package(path: Path) -> bytes:
    """The bytes of a package. Raises SourceError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None
