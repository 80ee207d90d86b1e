"""Pictures: found by a callback, named by their content, packaged; never loaded from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import unquote

from deckgen.model.deck import Media
from deckgen.text import schemes
from deckgen.text.pattern import pattern

MediaSource = Callable[[str], "Media | bytes | None"]
"""Gives the picture that a source calls `target` (a path or address as written, percent-decoded), or None."""

ENDINGS = set("png jpg jpeg gif webp svg avif bmp".split())
_TYPES = {"png": "png", "jpeg": "jpg", "gif": "gif", "webp": "webp", "svg+xml": "svg"}
_DATA = pattern(r"data:image/([a-z+]+);base64,", re.IGNORECASE)
_UNSAFE = pattern(r"[^\w.-]+")


def no_media(target: str) -> None:
    """The source of pictures where there are none."""


def named(target: str, data: bytes) -> Media | None:
    """The file under its final name `<stem>-<hash>.<ending>`; None if its ending is not a picture's.

    The hash makes a changed picture a new file: Anki keeps an old file of the same name.
    """
    name = unicodedata.normalize("NFC", target.replace("\\", "/").rsplit("/", 1)[-1])
    stem, _, ending = name.rpartition(".")
    if ending.lower() not in ENDINGS:
        return None
    stem = _UNSAFE.sub("-", stem).strip("-._")[:40] or "picture"
    return Media(f"{stem}-{hashlib.sha256(data).hexdigest()[:8]}.{ending.lower()}", data)


_HASH = pattern(
    r"(?<![A-Za-z0-9])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{10,})(?![A-Za-z0-9])",
    re.IGNORECASE,
)


def readable(path: str) -> str:
    """A file's name without the hashes that programs put into names; empty if it is nothing else.

    >>> readable("chats/000_fee66771f30a9152.txt")
    'chats/000.txt'
    """
    if not _HASH.search(path):
        return path
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    stem, ending = (stem, dot + ending) if stem else (name, "")
    stem = _HASH.sub("", stem).strip(" -_.")
    folders = [part for part in folder.split("/") if part and not _HASH.search(part)]
    return "/".join((*folders, stem + ending)) if stem else ""


class Pictures:
    """The pictures of one note: what was found, and what was not."""

    def __init__(self, source: MediaSource = no_media) -> None:
        self._source = source
        self.found: dict[str, Media] = {}
        self.missing: list[str] = []

    def name(self, target: str) -> str | None:
        """The file name under which the picture is packaged; None (and remembered) if there is none."""
        target = schemes.divided(target)[0]
        embedded = target[:5].lower() == "data:"
        media = _embedded(target) if embedded else self._source(unquote(target))
        if isinstance(media, bytes):
            media = named(unquote(target), media)
        if media is not None:
            self.found[media.name] = media
            return media.name
        shown = target[:40] + "…" if embedded else target
        if shown not in self.missing:
            self.missing.append(shown)
        return None


def _embedded(target: str) -> Media | None:
    match = _DATA.match(target)
    ending = _TYPES.get(match[1].lower()) if match else None
    if match is None or ending is None:
        return None
    try:
        return named(f"picture.{ending}", base64.b64decode(unquote(target[match.end() :]), validate=True))
    except ValueError:  # binascii's error is one
        return None
