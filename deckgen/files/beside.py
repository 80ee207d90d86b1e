"""What notes name beside themselves: snippets to include, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from deckgen.files.own import read_text


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
