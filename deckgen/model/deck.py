"""Decks: rendered notes with the identity that Anki knows them by.

What a build changes for those who learn from the deck.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from deckgen.model.note import Api, Basic, Body, Choice, Cloze, Key, Note, Output, Place

Kind = Literal["basic", "choice", "cloze", "output", "api"]
_KINDS: dict[type[Body], Kind] = {Basic: "basic", Choice: "choice", Cloze: "cloze", Output: "output", Api: "api"}


def kind_of(note: Note) -> Kind:
    """What kind of note it is to Anki, and in reports."""
    return _KINDS[type(note.body)]


FIELDS = (
    "Title", "Context", "Prompt", "Code", "Options", "Answer", "Output", "Explanation", "Claimed",
    "Name", "Signature", "Parameters", "Example", "Media", "Source", "Checked", "AskReverse",
    "AskTyped", "AskExtra", "Extra",
)  # fmt: skip
"""Fields of every note type, in the order that was frozen with the first release."""

LEARNT = FIELDS[: FIELDS.index("Media") + 1]
"""The fields whose change is an update for the learner; the rest stand as they stood."""


@dataclass(frozen=True, slots=True)
class Media:
    """A media file under its final name (`<stem>-<hash>.<ending>`)."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Reverse:
    """The card that asks for a name or a term by what it means: what the fields are if it is made."""

    asks: str
    context: str
    """Without the name."""


REVERSE = 1
"""The ordinal of that card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A note as HTML, before it has an identity."""

    kind: Kind
    key: Key
    explicit_id: str | None
    places: tuple[Place, ...]
    fields: tuple[str, ...]
    """One string per entry of `FIELDS`."""
    tags: tuple[str, ...]
    answer_text: str
    """The answer as plain text, for recognising a note whose question was reworded."""
    ordinals: tuple[int, ...]
    """0-based template (or cloze number - 1) of every card that Anki must make of it."""
    media: tuple[Media, ...] = ()
    missing_media: tuple[str, ...] = ()
    """Pictures that the note names and nobody could supply; their alternative text is shown instead."""
    words: tuple[str, ...] = ()
    """Verdict words, for the lock only."""
    deck: str = ""
    """Where the author's other tool puts it, as in `Note.deck`."""
    documented: str = ""
    """The qualified name of the API that it asks about, for the link in its foot."""
    spare: Reverse | None = None
    """A reverse card that is made for nobody but those who have it: without it theirs would ask nothing."""

    def of(
        self,
        key: Key,
        explicit_id: str | None,
        places: tuple[Place, ...],
        words: tuple[str, ...] = (),
        deck: str = "",
        documented: str = "",
    ) -> Rendered:
        """The same HTML for a note that is known by other things: `replace` takes twice as long, and each build does it."""
        return Rendered(
            kind=self.kind,
            key=key,
            explicit_id=explicit_id,
            places=places,
            fields=self.fields,
            tags=self.tags,
            answer_text=self.answer_text,
            ordinals=self.ordinals,
            media=self.media,
            missing_media=self.missing_media,
            words=words,
            deck=deck,
            documented=documented,
            spare=self.spare,
        )

    def with_spare(self) -> Rendered:
        """The note as those have it who have its spare card."""
        if self.spare is None:
            return self
        fields = list(self.fields)
        fields[FIELDS.index("AskReverse")], fields[FIELDS.index("Context")] = self.spare.asks, self.spare.context
        return replace(self, fields=tuple(fields), ordinals=tuple(sorted({*self.ordinals, REVERSE})))


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A rendered note with its identity: all that a package needs to know."""

    rendered: Rendered
    guid: str
    mtime: int
    """Seconds since 1970, when what is learnt last changed."""
    due: int
    subdeck: str
    """Full deck name with `::`."""
    step: int = 1000
    """Distance of the dues of neighbours in a new deck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Everything that goes into one package."""

    id: int
    """Anki's deck id, from `deck.toml` or the lock."""
    name: str
    description: str
    cards: tuple[Card, ...]
    notetypes_mtime: int
    """When a template or the styling last changed."""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    """What Anki tells of decks below this one, by their full names."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a note type. With an `id`, Anki takes a new name for it as an update in place."""

    name: str
    id: int
    collapsed: bool = False
    """True where Anki's editor folds it away (what this kind does not use)."""


@dataclass(frozen=True, slots=True)
class Template:
    """A card template; `id` as in `FieldSpec`."""

    name: str
    id: int
    front: str
    back: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteType:
    """A note type as data: what `render` decides and `pack` writes."""

    kind: Kind
    id: int
    name: str
    fields: tuple[FieldSpec, ...]
    """One per entry of `FIELDS`, in that order."""
    templates: tuple[Template, ...]
    css: str
    cloze: bool = False


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
    spare: int = 0
    """Reverse cards that are kept for those who have them, and that nobody else gets."""
    emptied: int = 0
    """Cards that learners have and that are made no more: they stay, empty, until Anki is told to remove them."""
    first: bool = False
    """True if there was no lock: the first build, or one whose lock was lost."""

    @property
    def search(self) -> str:
        """What to type into Anki's browser to find all removed notes; empty if there are none."""
        return search(self.removed)


def search(changes: tuple[Change, ...]) -> str:
    """An Anki search for exactly these notes: by note type and first field, since GUIDs cannot be searched.

    What would be a wildcard or an end is escaped. `<`, `>` and `&` stand in the field as entities, and can be searched for
    only as such.
    """
    parts = []
    for change in changes:
        title = html.escape(re.sub(r'[\\"*_:]', r"\\\g<0>", change.title), quote=False)
        parts.append(f'("note:{NOTETYPE_NAMES[change.kind]}" "Title:{title}")')
    return " OR ".join(parts)
