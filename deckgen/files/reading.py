"""Reading: sources as text, what notes name beside themselves, and the one way in which a file is opened.

Notes come from anywhere, and so do links, pipes and devices among them: a link would carry a file of the reader's
into a package, a pipe waits for ever, a device has no end.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO

from deckgen.model.errors import SourceError, UsageError
from deckgen.model.source import Source, Span

SIZE_LIMIT = 64 * 2**20
"""Bytes; a larger file is a data set or a mistake, not notes."""
PACKAGES = (".apkg", ".colpkg")
"""Endings of what Anki and its tools pack notes in."""
PACKAGE_LIMIT = 2**30
"""Bytes of a package."""
_FLAGS = sum(
    getattr(os, name, 0) for name in ("O_RDONLY", "O_BINARY", "O_CLOEXEC", "O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY")
)
"""Windows has no links to follow here, and no pipes among files."""


class UnfitError(OSError):
    """There is something, but nothing to read: no regular file, too large, or not where it may lie."""


def real(path: Path) -> Path:
    """The place itself, without links; what no system can open (a loop of links, a thousand of them) is left as it is."""
    try:
        return Path(os.path.realpath(path))
    except (RecursionError, ValueError):  # ValueError: a zero byte in the name
        return path.absolute()


def lies_inside(path: Path, places: Collection[Path]) -> bool:
    """True if what `path` leads to lies in one of these folders (real ones)."""
    there = real(path)
    return any(there.is_relative_to(place) for place in places)


def places_of(root: Path) -> tuple[Path, ...]:
    """Where what is read for a deck may lie: in its folder, or in the `snippets/` of its project."""
    folder = real(root)
    for above in (folder, *folder.parents):
        if any(os.path.lexists(above / mark) for mark in (".git", "pyproject.toml")):
            return folder, above / "snippets"
    return (folder,)


def opened(path: Path, places: Collection[Path] = ()) -> BinaryIO:
    """A regular file, to be read; inside `places` if there are any. Raises OSError: UnfitError for anything else."""
    place = real(path)
    if places and not lies_inside(place, places):
        raise UnfitError(errno.EXDEV, "leads out of the deck's folder", str(path))
    # looked at first: to open some devices is to use them
    if not stat.S_ISREG(os.lstat(place).st_mode):
        raise UnfitError(errno.EINVAL, "not a regular file", str(path))
    file = os.fdopen(os.open(place, _FLAGS), "rb")
    # and looked at again: another file may have come to its place meanwhile
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode) or (places and real(place) != place):
        file.close()
        raise UnfitError(errno.EAGAIN, "changed while it was opened", str(path))
    return file


def content(path: Path, limit: int = SIZE_LIMIT, places: Collection[Path] = ()) -> bytes:
    """The bytes of a regular file; never more than `limit` of them are read. Raises OSError as `opened`."""
    with opened(path, places) as file:
        size = os.fstat(file.fileno()).st_size
        if size <= limit:
            data = file.read(size + 1) or b""  # None where reading would have to wait
            if len(data) > size:  # it grows, or is made up by the system as it is read
                data += file.read(limit + 1 - len(data)) or b""
            if len(data) <= limit:
                return data
    raise UnfitError(errno.EFBIG, f"larger than {limit // 2**20} MiB", str(path))


def named_content(path: Path, limit: int) -> bytes:
    """The bytes of a file that somebody named. Raises UsageError."""
    try:
        return content(path, limit)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None


def digest(path: Path, limit: int, places: Collection[Path] = ()) -> str:
    """Of a file's bytes; empty if it cannot be read."""
    try:
        return hashlib.sha256(content(path, limit, places)).hexdigest()
    except OSError:
        return ""


def read_text(path: Path, places: Collection[Path] = ()) -> str | None:
    """The text of a file of ours (a lock, an included snippet); None if there is none.

    Raises UsageError for one that cannot be read, and for one outside `places` if there are any.
    """
    try:
        return utf8(content(path, places=places), path.as_posix())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None


def utf8(data: bytes, name: str) -> str:
    """Their text. Raises UsageError with the line that is in another encoding: what we write never is."""
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            "is not in UTF-8", f"{name}:{line}", "save it as UTF-8, or take the last good version"
        ) from None


def package(path: Path) -> BinaryIO:
    """A package, opened. Raises SourceError, also for what is no file, and UsageError if there is nothing."""
    try:
        return opened(path)
    except FileNotFoundError:
        raise UsageError("no such file", path.as_posix(), "name two packages, or two locks") from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path.as_posix()) from None


# --- the user's own folder ---


def data_folder() -> Path | None:
    """Where the user's programs keep what is not to be lost; None for a user without a home."""
    import platformdirs

    try:
        return Path(platformdirs.user_data_dir("deckgen"))
    except RuntimeError:
        return None


def first_time(place: Path) -> bool:
    """True once for every place that is there, ever (remembered in the user's data folder, as far as it can be written)."""
    data = data_folder()
    if data is None:
        return True
    mark = data / "places" / hashlib.sha256(os.fsencode(place.resolve())).hexdigest()[:24]
    if mark.exists() or not place.exists():
        return False
    with contextlib.suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    return True


# --- sources: bytes to text and back, whatever editor wrote them ---

FOREIGN_ENCODINGS = ["gb18030", "big5", "shift_jis", "euc_kr", "cp1252"]
"""What notes are written in when they are not Unicode; guessing among all encodings guesses wrong."""
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def load(path: Path, places: Collection[Path] = ()) -> Source:
    """Reads one source; it lies in one of `places`, if there are any. Raises SourceError with what to do about it."""
    return decode(source_bytes(path, places), path.as_posix())


def source_bytes(path: Path, places: Collection[Path] = ()) -> bytes:
    """The bytes of a source. Raises SourceError as `load`."""
    name = path.as_posix()
    try:
        return content(path, places=places)
    except UnfitError as error:
        raise SourceError(error.strerror or "", name, "leave it out with `exclude` in deck.toml") from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", name) from None


def decode(data: bytes, name: str) -> Source:
    """Bytes of a file as a Source: UTF-8 and UTF-16 with or without BOM, else the likeliest of a few.

    Raises SourceError for binary data and for text that no known encoding explains.
    """
    mark, encoding = _mark(data)
    text, encoding = (data[len(mark) :].decode(encoding, "replace"), encoding) if mark else _unmarked(data, name)
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"), encoding)


def _mark(data: bytes) -> tuple[bytes, str]:
    """The byte order mark at the beginning of a file, and its encoding; nothing without one."""
    return next(((mark, encoding) for mark, encoding in _BOMS if data.startswith(mark)), (b"", ""))


def _unmarked(data: bytes, name: str) -> tuple[str, str]:
    head = data[:8192]
    with contextlib.suppress(UnicodeDecodeError):
        text = data.decode("utf-8")
        if "\0" not in text:
            return text, "utf-8"
        head = b"\0"
    if b"\0" in head:
        # UTF-16 without a mark: the byte order that gives lines of assigned, printable characters
        for encoding in ("utf-16-le", "utf-16-be"):
            with contextlib.suppress(UnicodeDecodeError):
                text = data.decode(encoding)
                if "\n" in text and all(map(_readable, text[:4096])):
                    return text, encoding
        kinds = "deckgen reads Markdown, text, .ipynb, saved pages (.html), exported chats and cards (.json, .jsonl, .csv, .tsv)"
        raise SourceError("this is not a text file", name, kinds)
    # charset-normalizer takes 0.1 s to import and nearly all notes are UTF-8
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=FOREIGN_ENCODINGS).best()
    if best is None:
        raise SourceError("cannot tell in which encoding this is written", name, "save it as UTF-8")
    return str(best), best.encoding


def _readable(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character) not in {"Cc", "Cn", "Co", "Cs"}


_LINE_END = re.compile("(\r\n|\r|\n)")


def edited(data: bytes, source: Source, edits: Mapping[Span, Sequence[str]]) -> bytes:
    """The bytes of a source's file with other text on some of its lines; every other byte, line ends too, is as it was.

    Raises SourceError for lines whose bytes do not follow from their text.
    """
    # a letter stands for a byte of it, or for a unit of UTF-16, of which not all need be text: no line end is part of a letter
    wide = source.encoding.startswith("utf-16")
    codec, errors = (source.encoding, "surrogatepass") if wide else ("latin-1", "strict")
    mark, _ = _mark(data)
    whole = len(mark) + (len(data) - len(mark)) // 2 * 2 if wide else len(data)
    pieces = _LINE_END.split(data[len(mark) : whole].decode(codec, errors))
    lines, ends = pieces[::2], pieces[1::2]
    for span in sorted(edits, reverse=True):
        before = [line.encode(codec, errors) for line in lines[span.start : span.stop]]
        if before != [line.encode(source.encoding, "replace") for line in source.lines[span.start : span.stop]]:
            raise SourceError(f"is not quite {source.encoding}", source.at(span), "save it as UTF-8")
        own, new = ends[span.start : span.stop - 1], edits[span]
        usual = next(iter([*ends[span.start : span.stop], *ends[: span.start][::-1]]), "\n")
        lines[span.start : span.stop] = [line.encode(source.encoding).decode(codec, errors) for line in new]
        ends[span.start : span.stop - 1] = [*own, *[usual] * len(new)][: len(new) - 1]
    text = "".join(line + end for line, end in zip_longest(lines, ends, fillvalue=""))
    return mark + text.encode(codec, errors) + data[whole:]


# --- what notes name beside themselves: snippets to include, and pictures ---

Request = tuple[str, str, str]
"""What is asked for: `snippet` or `picture`, the folder, and the name as the notes give it."""


@dataclass(frozen=True, slots=True)
class Assets:
    """Answers what notes ask for, and remembers a digest of each answer: another answer makes another deck."""

    answers: dict[Request, str] = field(default_factory=dict)
    """Empty where there was nothing; the reason where it was refused."""

    def snippets(self, root: Path) -> Callable[[str], str | None]:
        """Gives the text of an included snippet. Raises ValueError for one that is there and cannot be read."""

        def find(name: str) -> str | None:
            request = "snippet", root.as_posix(), name
            try:
                text = snippet_text(name, root)
            except ValueError as error:
                self.answers[request] = f"refused: {error}"
                raise
            self.answers[request] = "" if text is None else hashlib.sha256(text.encode()).hexdigest()
            return text

        return find

    def pictures(self, folder: Path) -> Callable[[str], bytes | None]:
        """Gives the bytes of a picture beside the notes or in the project's `snippets/`; no other is ever packaged."""

        def find(name: str) -> bytes | None:
            data = None
            with contextlib.suppress(OSError, ValueError):
                data = content(folder / name.partition("#")[0].partition("?")[0], places=places_of(folder))
            digest = "" if data is None else hashlib.sha256(data).hexdigest()
            self.answers["picture", folder.as_posix(), name] = digest
            return data

        return find


def answers_as_before(asked: Iterable[tuple[Request, str]]) -> bool:
    """True if everything that was asked for is what it was."""
    now = Assets()
    for request, before in asked:
        kind, folder, name = request
        with contextlib.suppress(ValueError):
            (now.snippets if kind == "snippet" else now.pictures)(Path(folder))(name)
        if now.answers[request] != before:
            return False
    return True


def snippet_text(name: str, root: Path) -> str | None:
    """The text of an included snippet, `collate.py` or `snippets/collate.py`; None if there is none.

    Looked up in the deck's folder, then in the `snippets/` there, then in that of its project. Notes come from
    anywhere, so nothing but a `.py` file in such a place is ever read for them. Raises ValueError if it cannot be.
    """
    relative = Path(name)
    if relative.suffix != ".py" or relative.is_absolute() or ".." in relative.parts:
        return None
    inside = relative.relative_to("snippets") if relative.parts[0] == "snippets" else relative
    places = places_of(root)
    for place in (root, root / "snippets", *places[1:]):
        if os.path.lexists(place / inside):
            try:
                return read_text(place / inside, places)
            except UsageError as error:
                raise ValueError(f"{name}: {error.message}") from None
    return None
