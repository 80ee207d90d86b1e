"""What a build changes for those who learn from the deck."""

from __future__ import annotations

from dataclasses import dataclass

from deckgen.model.deck import Kind

NOTETYPE_NAMES: dict[Kind, str] = {
    "basic": "deckgen Question",
    "choice": "deckgen Choice",
    "cloze": "deckgen Cloze",
    "output": "deckgen Output",
    "api": "deckgen API",
}
"""As in the note types that `render` defines; for searches only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One note and what becomes of it."""

    guid: str
    kind: Kind
    title: str
    where: str
    """`notes.md:47`; for a removed note the file it stood in."""
    detail: str = ""
    """One line: the old title of a renamed note, cards that stay empty, the old place of a moved one."""
    perhaps: str = ""
    """GUID of the one new note in the section that a removed one went from: it may be that in other words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubtful:
    """Two notes that may be one; `deckgen adopt OLD NEW` says that they are."""

    old: str
    """GUID."""
    old_title: str
    new: str
    new_title: str
    where: str
    likeness: float

    def command(self, deck: str) -> str:
        """What says that they are one; `deck` is how their deck is named on the command line."""
        return f"deckgen adopt {self.old} {self.new} {deck}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Everything that a build changes; a note may be renamed, moved and changed at once."""

    new: tuple[Change, ...] = ()
    changed: tuple[Change, ...] = ()
    """What is learnt moved: Anki updates these, and keeps their history."""
    renamed: tuple[Change, ...] = ()
    moved: tuple[Change, ...] = ()
    """Same note under other headings or in another file."""
    returned: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()
    """No longer in the sources. No import can remove them: learners need `search`."""
    doubtful: tuple[Doubtful, ...] = ()
    warnings: tuple[str, ...] = ()
    notetypes: bool = False
    """True if the look of the cards changed."""
    unchanged: int = 0
    first: bool = False
    """True if there was no lock: the first build, or one whose lock was lost."""

    @property
    def search(self) -> str:
        """What to type into Anki's browser to find all removed notes; empty if there are none."""
        return search(self.removed)


def search(changes: tuple[Change, ...]) -> str:
    """An Anki search for exactly these notes: by note type and first field, since GUIDs cannot be searched."""
    parts = [f'("note:{NOTETYPE_NAMES[change.kind]}" "Title:{_quoted(change.title)}")' for change in changes]
    return " OR ".join(parts)


def _quoted(title: str) -> str:
    """Text for a quoted search: what would be a wildcard or an end is escaped.

    `<`, `>` and `&` stand in the field as entities, which one can only search for as such.
    """
    for special in '\\"*_:':
        title = title.replace(special, f"\\{special}")
    return title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
