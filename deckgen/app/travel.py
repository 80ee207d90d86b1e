"""What is kept on one machine goes to another, as one file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from deckgen import cache, files
from deckgen.cache import Folder, archive, place, secret
from deckgen.cache.archive import ArchiveError, Entry
from deckgen.model.errors import UsageError


def export_cache(path: Path) -> str:
    """Writes what is kept to a file, whole or not at all; what to say of it. Raises UsageError."""
    written = archive.archive_of(_entries(), _key())
    count = sum(len(Folder(place(kind)).names()) for kind in archive.TRAVELS)
    if len(written) > archive.LARGEST_ARCHIVE:
        raise UsageError("would be too large", path.as_posix(), "`deckgen cache clear`, and run again what is needed")
    files.write_whole(path, written)
    return f"wrote {path.as_posix()}: {count} entries, {len(written) / 2**20:.1f} MiB"


def _entries() -> Iterator[Entry]:
    for kind in archive.TRAVELS:
        folder = Folder(place(kind))
        for name in folder.names():
            data = folder.read(name)
            if data is not None and len(data) <= archive.LARGEST_ENTRY:
                yield Entry(kind, name, data)


def import_cache(path: Path, trust: bool = False) -> str:
    """Takes what an archive holds into the cache; what to say of it. What is there already stays as it is.

    Raises UsageError, with nothing taken, for an archive that is damaged, and for one that was sealed with none of our keys,
    unless `trust` says that whoever made it is believed.
    """
    data = files.named_content(path, archive.LARGEST_ARCHIVE)
    try:
        if not archive.is_sealed(data, _known_keys()) and not trust:
            raise UsageError(
                "was not made here, or not as it is now: what it holds would be believed unseen",
                path.as_posix(),
                f"one {cache.KEY} on both machines makes it known; --trust takes it from somebody whom you believe",
            )
        for _ in archive.entries_of(data):  # all of it is looked at before any of it is taken
            pass
        folders = {kind: Folder(place(kind)) for kind in archive.TRAVELS}
        known = {kind: {*folder.names()} for kind, folder in folders.items()}
        new = there = 0
        for kind, name, content in archive.entries_of(data):
            if name in known[kind] and folders[kind].read(name) is not None:
                there += 1
                continue
            folders[kind].write(name, content)
            new += name not in known[kind]
    except ArchiveError as error:
        raise UsageError(f"{error}; nothing was taken from it", path.as_posix(), "export it again") from None
    taken = sum(len(folder.names()) - len(known[kind]) for kind, folder in folders.items())
    if taken < new:
        hint = "is the disk full, or may others write there? `deckgen cache info` says where it is"
        raise UsageError(f"only {taken} of {new} entries could be kept", path.as_posix(), hint)
    for folder in folders.values():
        folder.trim()
    return f"took {new} entries from {path.as_posix()}; {there} were there already"


def _key() -> bytes:
    """What an archive is sealed with: the secret that was given, else that of this user on this machine. Raises UsageError."""
    if given := os.environ.get(cache.KEY):
        return given.encode()
    folder = files.data_folder()
    try:
        if folder is not None:
            secret.make_secret(folder)
    except OSError as error:
        where = Path(str(folder), secret.NAME).as_posix()
        raise UsageError(f"cannot be written: {error.strerror}", where, WITHOUT) from None
    own = folder and secret.own_secret(folder)
    if not own:
        raise UsageError("there is no secret of yours that could seal an archive", None, WITHOUT)
    return own


WITHOUT = f"{cache.KEY} can hold a secret instead"


def _known_keys() -> list[bytes]:
    """What archives that need no trust may be sealed with."""
    given, folder = os.environ.get(cache.KEY), files.data_folder()
    return [key for key in (given and given.encode(), folder and secret.own_secret(folder)) if key]
