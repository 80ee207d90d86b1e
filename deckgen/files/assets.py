"""What notes name beside themselves: snippets to include, and pictures; and what was there when it was asked for."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from deckgen.files.regular import content, places_of, read_text, real
from deckgen.model.errors import UsageError

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
            self.answers[request] = _digest(None if text is None else text.encode())
            return text

        return find

    def pictures(self, folder: Path) -> Callable[[str], bytes | None]:
        """Gives the bytes of a picture."""

        def find(name: str) -> bytes | None:
            data = picture(name, folder)
            self.answers["picture", folder.as_posix(), name] = _digest(data)
            return data

        return find


def answers_as_before(asked: Iterable[tuple[Request, str]]) -> bool:
    """True if everything that was asked for is what it was."""
    now = Assets()
    ask = {"snippet": now.snippets, "picture": now.pictures}
    for request, before in asked:
        kind, folder, name = request
        with suppress(ValueError):
            ask[kind](Path(folder))(name)
        if now.answers[request] != before:
            return False
    return True


def _digest(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


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


def picture(target: str, folder: Path) -> bytes | None:
    """The bytes of a picture beside the notes; nothing outside their folder is ever packaged."""
    path = folder / target.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0]
    try:
        return content(path, places=(real(folder),))
    except (OSError, ValueError):
        return None
