"""`deckgen adopt OLD NEW`: the author says that a new note is an old one, reworded past recognition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from deckgen.identity.lock import Lock, LockedNote
from deckgen.model.deck import Change, search
from deckgen.model.errors import UsageError

_NAMED_BY: Sequence[Callable[[LockedNote, str], bool]] = (
    lambda note, name: note.guid == name,
    lambda note, name: note.id == name,
    lambda note, name: name in (note.anchor, note.title),
    lambda note, name: note.guid.startswith(name) and len(name) >= 4,
    lambda note, name: name.casefold() in f"{note.anchor}\n{note.title}".casefold(),
)
"""What a note may be called on the command line, the surest first."""


def adopt(lock: Lock, old: str, new: str) -> Lock:
    """The lock in which the note `new` has the identity of `old`: its GUID, and so its history.

    Both are named by GUID, by their own id, or by their question. The content is as in `old`, so that the next
    build finds it changed and sends it to learners. Raises UsageError if a name fits none or several.
    """
    former = _named(lock, old, [note for note in lock.notes if note.gone is not None], list(lock.notes))
    latter = _named(lock, new, list(lock.live))
    if former.guid == latter.guid:
        raise UsageError("both names mean the same note", lock.name, f"it is `{former.title}`")
    if former.gone is None:
        hint = "a note must be gone from the sources before another can take its place: build first"
        raise UsageError(f"`{former.title}` is still in the deck", lock.name, hint)
    if former.kind != latter.kind:
        message = f"`{former.title}` is of kind {former.kind}, `{latter.title}` of kind {latter.kind}"
        raise UsageError(message, lock.name, "Anki cannot turn one note type into another")
    adopted = replace(
        latter,
        guid=former.guid,
        mtime=former.newest,
        hash=former.hash,
        due=former.due,
        subdeck=former.subdeck,
        ordinals=former.ordinals,
        holes=former.holes,
        gone=None,
        perhaps="",
    )
    # learners who imported the new note meanwhile have it twice: its line stays, as that of a removed note, but
    # asks nothing any more, or a note that comes back to this place would be taken for it
    left = replace(latter, gone=latter.mtime, headings=(), anchor="", answer_hash="", perhaps="")
    others = [note for note in lock.notes if note.guid not in (former.guid, latter.guid)]
    return replace(lock, notes=tuple(sorted((*others, adopted, left), key=lambda note: note.guid)))


def part(lock: Lock, old: str, new: str) -> Lock:
    """The lock in which nobody asks any more whether the note `new` is `old`. Raises UsageError as `adopt`."""
    latter = _named(lock, new, [note for note in lock.live if note.perhaps])
    _named(lock, old, [note for note in lock.notes if note.guid == latter.perhaps])
    apart = replace(latter, perhaps="")
    return replace(lock, notes=tuple(apart if note is latter else note for note in lock.notes))


def copies(before: Lock, after: Lock) -> str:
    """An Anki search for the copies of notes that gave their place to an old one: never learnt, as they are new."""
    live = {note.guid for note in before.live}
    left = [note for note in after.notes if note.gone is not None and note.guid in live]
    found = [Change(guid=note.guid, kind=note.kind, title=note.title, where="") for note in left]
    return f"({search(tuple(found))}) is:new"


def _named(lock: Lock, name: str, *among: Sequence[LockedNote]) -> LockedNote:
    """The note of that name in the first of these where there is any."""
    for notes, fits in ((notes, fits) for notes in among for fits in _NAMED_BY):
        found = [note for note in notes if fits(note, name)]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(f"{note.guid} ({note.title[:40]})" for note in found[:5])
            raise UsageError(f"`{name}` may mean {len(found)} notes", lock.name, f"name one by GUID: {several}")
    raise UsageError(f"no note is called `{name}`", lock.name, "name it by GUID, by its id, or by its question")
