"""Differences of note types and decks: one of these may cut off every note at once.

What Anki does with each note of a new version, as measured with its own importer and default options.

A difference as text for people and as data for programs.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from deckgen.model.deck import NOTETYPE_NAMES, Change, search
from deckgen.model.difference import (
    Difference,
    Effect,
    NoteDifference,
    Risk,
    Snapshot,
    SnapshotNote,
    SnapshotType,
    WholeDifference,
)
from deckgen.model.errors import UsageError
from deckgen.text.harmless import Harmless, lines
from deckgen.text.pattern import pattern, unescaped, untagged
from deckgen.text.wording import counted


def broken_types(old: Snapshot, new: Snapshot) -> frozenset[str]:
    """Ids of note types whose schema changed: Anki refuses every update of their notes."""
    before = {one.id: one for one in old.types}
    return frozenset(one.id for one in new.types if one.id in before and one.schema != before[one.id].schema)


def whole_differences(old: Snapshot, new: Snapshot) -> Iterator[WholeDifference]:
    """Note types first, then decks."""
    before = {one.id: one for one in old.types}
    names = {one.name: one.id for one in old.types}
    for one in new.types:
        if one.id in before:
            yield from _type(before[one.id], one)
        elif one.name in names:
            said = f"its id is another: they get a second note type next to {one.name}, and no note of it is updated"
            yield WholeDifference(what=f"note type {one.name}", risk=Risk.HIGH, learner=said)
    yield from _decks(old, new)


def _type(before: SnapshotType, after: SnapshotType) -> Iterator[WholeDifference]:
    what = f"note type {before.name}"
    if before.schema != after.schema:
        said = (
            f"its {_changed(before, after)} changed: they get a second note type, and every note that they have "
            "of this one is refused from now on"
        )
        yield WholeDifference(what=what, risk=Risk.HIGH, learner=said)
    elif before.look != after.look:
        newer = after.mtime > before.mtime
        taken = "all its cards look different; styling of their own is overwritten"
        ignored = "it changed, but its time is not newer: they keep the old look"
        yield WholeDifference(what=what, risk=Risk.LOW if newer else Risk.MEDIUM, learner=taken if newer else ignored)
    elif after.mtime > before.mtime:
        said = "nothing changed but its time: styling of their own is overwritten"
        yield WholeDifference(what=what, risk=Risk.LOW, learner=said)


def _changed(before: SnapshotType, after: SnapshotType) -> str:
    kinds = [kind for kind in ("field", "template") if _of(before, kind) != _of(after, kind)]
    return " and ".join(f"{kind}s" for kind in kinds)


def _of(one: SnapshotType, kind: str) -> list[str]:
    return [name for what, name in one.schema if what == kind]


def _decks(old: Snapshot, new: Snapshot) -> Iterator[WholeDifference]:
    before, after = set(old.decks), set(new.decks)
    gone = [name for name in old.decks if name not in after]
    come = [name for name in new.decks if name not in before]
    roots = {name for name in old.decks if "::" not in name}, {name for name in new.decks if "::" not in name}
    if roots[0] and roots[1] and not roots[0] & roots[1]:
        said = f"was {', '.join(sorted(roots[0]))}: they get a second deck; the cards that they have stay in the first"
        yield WholeDifference(what=f"deck {', '.join(sorted(roots[1]))}", risk=Risk.HIGH, learner=said)
        return
    for name in come:
        yield WholeDifference(what=f"deck {name}", risk=Risk.NONE, learner="a new deck")
    for name in gone:
        said = "has no notes any more; it stays with them, with the cards that they have"
        yield WholeDifference(what=f"deck {name}", risk=Risk.LOW, learner=said)


SAID: dict[Effect, tuple[Risk, str]] = {
    Effect.ADDED: (Risk.NONE, "new to learners"),
    Effect.UPDATED: (Risk.LOW, "changes and keeps its reviews; a learner's own edit stays if it is newer"),
    Effect.TOUCHED: (
        Risk.MEDIUM,
        "looks the same, but a learner's own tags and edits are overwritten, because its time moved",
    ),
    Effect.IGNORED: (Risk.HIGH, "learners keep the old text: the note changed, but its time is not newer"),
    Effect.REFUSED: (Risk.HIGH, "learners keep the old text for good: its note type is not the one that they have"),
    Effect.REMOVED: (Risk.MEDIUM, "no longer in the deck, but stays with learners until they delete it"),
}
"""What an effect means for a learner, and how bad that is."""
_KINDS = {name: kind for kind, name in NOTETYPE_NAMES.items()}


def compare(old: Snapshot, new: Snapshot) -> Difference:
    """What someone who has `old` gets from importing `new`. Raises UsageError for a lock and a package."""
    if old.form != new.form:
        message = f"a {new.form} cannot be compared with a {old.form}"
        raise UsageError(message, new.name, "name two packages, or two locks")
    before = {note.guid: note for note in old.notes}
    after = {note.guid for note in new.notes}
    removed = [note for note in old.notes if note.guid not in after]
    broken = broken_types(old, new)
    titles = {(note.notetype, note.title): note for note in removed}
    notes = list(_notes(before, new, broken, titles))
    notes += [_difference(note, Effect.REMOVED) for note in removed]
    return Difference(
        old=old.name,
        new=new.name,
        notes=tuple(note for note in notes if note.effect is not Effect.UNCHANGED or note.risk is not Risk.NONE),
        wholes=tuple(whole_differences(old, new)),
        unchanged=sum(note.effect is Effect.UNCHANGED for note in notes),
        search=_search(removed, old),
    )


def _notes(
    before: dict[str, SnapshotNote],
    new: Snapshot,
    broken: Collection[str],
    titles: dict[tuple[str, str], SnapshotNote],
) -> Iterator[NoteDifference]:
    for note in new.notes:
        known = before.get(note.guid)
        if known is None:
            yield _added(note, titles.get((note.notetype, note.title)))
        else:
            yield _kept(known, note, note.notetype in broken)


def _added(note: SnapshotNote, twin: SnapshotNote | None) -> NoteDifference:
    if twin is None:
        return _difference(note, Effect.ADDED, cards_added=len(note.cards))
    said = f"comes back under a new GUID (was {twin.guid}): they have it twice, and the history is on the old one"
    return _difference(note, Effect.ADDED, said, Risk.HIGH, cards_added=len(note.cards))


def _kept(known: SnapshotNote, note: SnapshotNote, broken: bool) -> NoteDifference:
    effect = _effect(known, note, broken)
    taken = effect in (Effect.UPDATED, Effect.TOUCHED)
    emptied = len(set(known.cards) - set(note.cards)) if taken else 0
    added = len(set(note.cards) - set(known.cards))
    more: list[tuple[Risk, str]] = []
    if emptied:
        more.append((Risk.MEDIUM, f"{counted(emptied, 'card')} of it will be empty (Tools > Empty Cards)"))
    if added:
        empty = "" if taken else ", empty, because the note itself is not taken"
        more.append((Risk.NONE if taken else Risk.HIGH, f"{counted(added, 'card')} more{empty}"))
    if known.deck != note.deck:
        more.append((Risk.LOW, f"its cards stay in {known.deck}; only new ones go to {note.deck}"))
    risk, said = SAID.get(effect, (Risk.NONE, ""))
    risk = max([risk, *(one for one, _ in more)], key=lambda one: one.level)
    said = "; ".join(part for part in (said, *(text for _, text in more)) if part)
    return _difference(note, effect, said, risk, _fields(known, note), added, emptied)


def _effect(known: SnapshotNote, note: SnapshotNote, broken: bool) -> Effect:
    newer = note.mtime > known.mtime
    if broken or known.notetype != note.notetype:
        return Effect.REFUSED
    if known.hash == note.hash and known.notetype == note.notetype:
        return _same(known, note, newer)
    return Effect.UPDATED if newer else Effect.IGNORED


def _same(known: SnapshotNote, note: SnapshotNote, newer: bool) -> Effect:
    if not newer:
        return Effect.UNCHANGED
    return Effect.TOUCHED if known.tags == note.tags and known.fields == note.fields else Effect.UPDATED


def _difference(
    note: SnapshotNote,
    effect: Effect,
    said: str | None = None,
    risk: Risk | None = None,
    fields: tuple[tuple[str, str, str], ...] = (),
    cards_added: int = 0,
    cards_emptied: int = 0,
) -> NoteDifference:
    usual = SAID.get(effect, (Risk.NONE, ""))
    return NoteDifference(
        guid=note.guid,
        title=note.title,
        effect=effect,
        risk=usual[0] if risk is None else risk,
        learner=usual[1] if said is None else said,
        fields=fields,
        cards_added=cards_added,
        cards_emptied=cards_emptied,
    )


def _fields(known: SnapshotNote, note: SnapshotNote) -> tuple[tuple[str, str, str], ...]:
    names = dict.fromkeys((*known.fields, *note.fields))
    pairs = ((name, known.fields.get(name, ""), note.fields.get(name, "")) for name in names)
    return tuple((name, before, after) for name, before, after in pairs if before != after)


def _search(removed: Collection[SnapshotNote], old: Snapshot) -> str:
    """Empty for notes that are not deckgen's: their first field has a name of its own."""
    names = {one.id: one.name for one in old.types}
    if not all(names.get(note.notetype, "").startswith("deckgen ") for note in removed):
        return ""
    return search(
        tuple(
            Change(guid=note.guid, kind=_KINDS[names[note.notetype]], title=note.title, where="")
            for note in removed
            if names[note.notetype] in _KINDS
        )
    )


SHOWN = 20
"""Notes of one effect that the text shows; the data have all."""
MATCHED = 1000
"""Lines of a field, old and new, that are matched with each other."""
_BLOCK = pattern(r"</b>|</?(?:li|ul|ol|div|p|br|pre|t[dhr]|d[tdl]|h\d|hr|blockquote)\b[^>]*>")
"""What keeps words apart that are not written apart."""


def text(difference: Difference) -> Harmless:
    """For a terminal: the counts, then what has a risk, then the rest."""
    return lines(_lines(difference))


def _lines(difference: Difference) -> Iterator[str]:
    counts = [f"{difference.count(effect)} {effect}" for effect in Effect if difference.count(effect)]
    yield f"{difference.old} -> {difference.new}: {', '.join(counts) or 'no notes'} (risk: {difference.risk})"
    for whole in difference.wholes:
        yield f"  {whole.what}: {whole.learner}{_risk(whole.risk)}"
    for effect in Effect:
        notes = [note for note in difference.notes if note.effect is effect]
        notes.sort(key=lambda note: -note.risk.level)
        if notes:
            yield f"  {effect}: {_usual(effect) or 'as it was, except'}"
        for note in notes[:SHOWN]:
            yield from _note(note)
        if len(notes) > SHOWN:
            yield f"    ... and {len(notes) - SHOWN} more {effect}"
    if difference.search:
        yield f"  to find the removed notes in Anki's browser: {difference.search}"


def _note(note: NoteDifference) -> Iterator[str]:
    yield f"    {note.title}{_risk(note.risk)}"
    more = note.learner.removeprefix(_usual(note.effect)).removeprefix("; ")
    if more:
        yield f"      {more}"
    for name, old, new in note.fields:
        yield f"      {name}: {_change(_plain(old), _plain(new))}"


def _usual(effect: Effect) -> str:
    return SAID[effect][1] if effect in SAID else ""


def _risk(risk: Risk) -> str:
    return "" if risk is Risk.NONE else f" (risk: {risk})"


def _plain(markup: str) -> str:
    return " ".join(unescaped(untagged(untagged(markup, " ", _BLOCK))).split())


def _change(old: str, new: str) -> str:
    """The part that differs, with a few words around it."""
    if old == new:
        return "only the markup"
    start = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    tail = next(
        (i for i, (a, b) in enumerate(zip(reversed(old[start:]), reversed(new[start:]), strict=False)) if a != b),
        min(len(old), len(new)) - start,
    )
    return f"{_part(old, start, tail)} -> {_part(new, start, tail)}"


def _part(whole: str, start: int, tail: int, around: int = 16, most: int = 60) -> str:
    left, right = max(0, start - around), min(len(whole), len(whole) - tail + around)
    part = whole[left:right]
    if len(part) > most:
        part = f"{part[:most]}..."
        right = len(whole)
    return f"`{'...' * bool(left)}{part}{'...' * (right < len(whole))}`"


def data(difference: Difference) -> Mapping[str, Any]:
    """Plain values for JSON, schema `deckgen.diff/1`; absent is None, never missing."""
    return {
        "schema": "deckgen.diff/1",
        "old": difference.old,
        "new": difference.new,
        "risk": str(difference.risk),
        "notes": [_note_data(note) for note in difference.notes],
        "wholes": [
            {"what": whole.what, "risk": str(whole.risk), "learner": whole.learner} for whole in difference.wholes
        ],
        "search": difference.search or None,
        "summary": {str(effect): difference.count(effect) for effect in Effect},
    }


def _note_data(note: NoteDifference) -> Mapping[str, Any]:
    return {
        "guid": note.guid,
        "title": note.title,
        "effect": str(note.effect),
        "risk": str(note.risk),
        "learner": note.learner,
        "fields": [
            {"name": name, "old": old, "new": new, "diff": _unified(old, new)} for name, old, new in note.fields
        ],
        "cards": {"added": note.cards_added, "emptied": note.cards_emptied},
    }


def _unified(old: str, new: str) -> str:
    """Of long fields all lines are told as changed: matching them takes time by the square."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > MATCHED:
        head = ("--- old", "+++ new", f"@@ -1,{len(before)} +1,{len(after)} @@")
        return "\n".join((*head, *(f"-{line}" for line in before), *(f"+{line}" for line in after)))
    return "\n".join(difflib.unified_diff(before, after, "old", "new", lineterm="", n=1))
