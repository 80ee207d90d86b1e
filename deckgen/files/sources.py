"""Sources on disk: bytes to text and back, whatever editor wrote them."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from pathlib import Path

from deckgen.files.regular import UnfitError, content
from deckgen.model.errors import SourceError
from deckgen.model.source import Source

FOREIGN_ENCODINGS = ("gb18030", "big5", "shift_jis", "euc_kr", "cp1252")
"""What notes are written in when they are not Unicode; guessing among all encodings guesses wrong."""
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


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
    raise SourceError(
        "this is not a text file",
        name,
        "deckgen reads Markdown, text, .ipynb, saved pages (.html) and exported chats (.json)",
    )


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


def load(path: Path, places: Collection[Path] = ()) -> Source:
    """Reads one source; it lies in one of `places`, if there are any. Raises SourceError with what to do about it."""
    name = path.as_posix()
    try:
        return decode(content(path, places=places), name)
    except UnfitError as error:
        raise SourceError(error.strerror or "", name, "leave it out with `exclude` in deck.toml") from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", name) from None
