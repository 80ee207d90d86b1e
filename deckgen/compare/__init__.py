"""What importing a new version of a deck means for someone who has the old one: as data, and as text.

What Anki does with each note of a new version, as measured with its own importer and default options.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from itertools import takewhile
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

MEANING: dict[Effect, tuple[Risk, str]] = {
    Effect.ADDED: (Risk.NONE, "new to learners"),
    Effect.UPDATED: (Risk.LOW, "changes and keeps its reviews; a learner's own edit stays if it is newer"),
    Effect.TOUCHED: (
        Risk.MEDIUM,
        "looks the same, but a learner's own tags and edits are overwritten, because its time moved",
    ),
    Effect.IGNORED: (Risk.HIGH, "learners keep the old text: the note changed, but its time is not newer"),
    Effect.REFUSED: (Risk.HIGH, "learners keep the old text for good: its note type is not the one that they have"),
    Effect.REMOVED: (Risk.MEDIUM, "no longer in the deck, but stays with learners until they delete it"),
    Effect.UNCHANGED: (Risk.NONE, ""),
}
"""What an effect means for a learner, and how bad that is."""


def compare(old: Snapshot, new: Snapshot) -> Difference:
    """What someone who has `old` gets from importing `new`. Raises UsageError for a lock and a package."""
    if old.form != new.form:
        message = f"a {new.form} cannot be compared with a {old.form}"
        raise UsageError(message, new.name, "name two packages, or two locks")
    before = {note.guid: note for note in old.notes}
    types = {one.id: one for one in old.types}
    # Anki refuses every update of the notes of a type whose schema changed
    broken = {one.id for one in new.types if one.id in types and one.schema != types[one.id].schema}
    after = {note.guid for note in new.notes}
    removed = [note for note in old.notes if note.guid not in after]
    titles = {(note.notetype, note.title): note for note in removed}
    notes = [
        _kept(before[note.guid], note, note.notetype in broken)
        if note.guid in before
        else _added(note, titles.get((note.notetype, note.title)))
        for note in new.notes
    ]
    notes += [NoteDifference(note.guid, note.title, Effect.REMOVED, *MEANING[Effect.REMOVED]) for note in removed]
    return Difference(
        old=old.name,
        new=new.name,
        notes=tuple(note for note in notes if note.effect is not Effect.UNCHANGED or note.risk is not Risk.NONE),
        wholes=(*_types(old, new), *_decks(old, new)),
        unchanged=sum(note.effect is Effect.UNCHANGED for note in notes),
        search=_search(removed, old),
    )


def _types(old: Snapshot, new: Snapshot) -> Iterator[WholeDifference]:
    """Differences of note types: one of these may cut off every note at once."""
    types = {one.id: one for one in old.types}
    names = {one.name for one in old.types}
    for one in new.types:
        before = types.get(one.id)
        if before is None:
            if one.name in names:
                twin = f"they get a second note type next to {one.name}, and no note of it is updated"
                yield WholeDifference(f"note type {one.name}", Risk.HIGH, f"its id is another: {twin}")
            continue
        what, newer = f"note type {before.name}", one.mtime > before.mtime
        if before.schema != one.schema:
            parts = [f"{kind}s" for kind in ("field", "template") if _parts(before, kind) != _parts(one, kind)]
            refused = "they get a second note type, and every note that they have of this one is refused from now on"
            yield WholeDifference(what, Risk.HIGH, f"its {' and '.join(parts)} changed: {refused}")
        elif before.look != one.look and newer:
            overwritten = "all its cards look different; styling of their own is overwritten"
            yield WholeDifference(what, Risk.LOW, overwritten)
        elif before.look != one.look:
            ignored = "it changed, but its time is not newer: they keep the old look"
            yield WholeDifference(what, Risk.MEDIUM, ignored)
        elif newer:
            restyled = "nothing changed but its time: styling of their own is overwritten"
            yield WholeDifference(what, Risk.LOW, restyled)


def _parts(one: SnapshotType, kind: str) -> list[str]:
    return [name for what, name in one.schema if what == kind]


def _decks(old: Snapshot, new: Snapshot) -> Iterator[WholeDifference]:
    before, after = set(old.decks), set(new.decks)
    roots = [{name for name in names if "::" not in name} for names in (before, after)]
    if all(roots) and not roots[0] & roots[1]:
        second = "they get a second deck; the cards that they have stay in the first"
        yield WholeDifference(
            f"deck {', '.join(sorted(roots[1]))}", Risk.HIGH, f"was {', '.join(sorted(roots[0]))}: {second}"
        )
        return
    for name in new.decks:
        if name not in before:
            yield WholeDifference(f"deck {name}", Risk.NONE, "a new deck")
    for name in old.decks:
        if name not in after:
            gone = "has no notes any more; it stays with them, with the cards that they have"
            yield WholeDifference(f"deck {name}", Risk.LOW, gone)


def _added(note: SnapshotNote, twin: SnapshotNote | None) -> NoteDifference:
    risk, meaning = MEANING[Effect.ADDED]
    if twin is not None:
        meaning = (
            f"comes back under a new GUID (was {twin.guid}): they have it twice, and the history is on the old one"
        )
        risk = Risk.HIGH
    return NoteDifference(note.guid, note.title, Effect.ADDED, risk, meaning, cards_added=len(note.cards))


def _kept(known: SnapshotNote, note: SnapshotNote, broken: bool) -> NoteDifference:
    effect = _effect(known, note, broken)
    taken = effect in (Effect.UPDATED, Effect.TOUCHED)
    emptied = len({*known.cards} - {*note.cards}) if taken else 0
    added = len({*note.cards} - {*known.cards})
    effects = [MEANING[effect]]
    if emptied:
        effects.append((Risk.MEDIUM, f"{counted(emptied, 'card')} of it will be empty (Tools > Empty Cards)"))
    if added:
        empty = "" if taken else ", empty, because the note itself is not taken"
        effects.append((Risk.NONE if taken else Risk.HIGH, f"{counted(added, 'card')} more{empty}"))
    if known.deck != note.deck:
        effects.append((Risk.LOW, f"its cards stay in {known.deck}; only new ones go to {note.deck}"))
    risk = max((risk for risk, _ in effects), key=lambda risk: risk.level)
    names = dict.fromkeys((*known.fields, *note.fields))
    pairs = ((name, known.fields.get(name, ""), note.fields.get(name, "")) for name in names)
    changed = tuple(each for each in pairs if each[1] != each[2])
    meaning = "; ".join(text for _, text in effects if text)
    return NoteDifference(note.guid, note.title, effect, risk, meaning, changed, added, emptied)


def _effect(known: SnapshotNote, note: SnapshotNote, broken: bool) -> Effect:
    newer = note.mtime > known.mtime
    if broken or known.notetype != note.notetype:
        return Effect.REFUSED
    if known.hash != note.hash:
        return Effect.UPDATED if newer else Effect.IGNORED
    if not newer:
        return Effect.UNCHANGED
    return Effect.TOUCHED if known.tags == note.tags and known.fields == note.fields else Effect.UPDATED


def _search(removed: Collection[SnapshotNote], old: Snapshot) -> str:
    """Empty for notes that are not deckgen's: their first field has a name of its own."""
    names = {one.id: one.name for one in old.types}
    kinds = {name: kind for kind, name in NOTETYPE_NAMES.items()}
    types = [names.get(note.notetype, "") for note in removed]
    if not all(name.startswith("deckgen ") for name in types):
        return ""
    pairs = ((note, kinds[name]) for note, name in zip(removed, types, strict=True) if name in kinds)
    return search(tuple(Change(guid=note.guid, kind=kind, title=note.title, where="") for note, kind in pairs))


# --- for programs ---

MATCHED = 1000
"""Lines of a field, old and new, that are matched with each other."""


def data(difference: Difference) -> dict[str, Any]:
    """Plain values for JSON, schema `deckgen.diff/1`; absent is None, never missing."""
    return {
        "schema": "deckgen.diff/1",
        "old": difference.old,
        "new": difference.new,
        "risk": difference.risk,
        "notes": [
            {
                "guid": note.guid,
                "title": note.title,
                "effect": note.effect,
                "risk": note.risk,
                "learner": note.learner,
                "fields": [
                    {"name": name, "old": old, "new": new, "diff": _unified(old, new)} for name, old, new in note.fields
                ],
                "cards": {"added": note.cards_added, "emptied": note.cards_emptied},
            }
            for note in difference.notes
        ],
        "wholes": [{"what": one.what, "risk": one.risk, "learner": one.learner} for one in difference.wholes],
        "search": difference.search or None,
        "summary": {effect.value: difference.count(effect) for effect in Effect},
    }


def _unified(old: str, new: str) -> str:
    """Of long fields all lines are shown as changed: matching them takes time by the square."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > MATCHED:
        head = ("--- old", "+++ new", f"@@ -1,{len(before)} +1,{len(after)} @@")
        return "\n".join((*head, *(f"-{line}" for line in before), *(f"+{line}" for line in after)))
    return "\n".join(difflib.unified_diff(before, after, "old", "new", lineterm="", n=1))


# --- for people ---

SHOWN = 20
"""Notes of one effect that the text shows; the data have all."""
_BLOCK = pattern(r"</b>|</?(?:li|ul|ol|div|p|br|pre|t[dhr]|d[tdl]|h\d|hr|blockquote)\b[^>]*>")
"""What keeps words apart that are not written apart."""


def text(difference: Difference) -> Harmless:
    """For a terminal: the counts, then what has a risk, then the rest."""
    return lines(_lines(difference))


def _lines(difference: Difference) -> Iterator[str]:
    counts = [f"{count} {effect}" for effect in Effect if (count := difference.count(effect))]
    yield f"{difference.old} -> {difference.new}: {', '.join(counts) or 'no notes'} (risk: {difference.risk})"
    for whole in difference.wholes:
        yield f"  {whole.what}: {whole.learner}{_risk(whole.risk)}"
    for effect, (_, usual) in MEANING.items():
        notes = [note for note in difference.notes if note.effect is effect]
        notes.sort(key=lambda note: -note.risk.level)
        if notes:
            yield f"  {effect}: {usual or 'as it was, except'}"
        for note in notes[:SHOWN]:
            yield f"    {note.title}{_risk(note.risk)}"
            if more := note.learner.removeprefix(usual).removeprefix("; "):
                yield f"      {more}"
            for name, old, new in note.fields:
                yield f"      {name}: {_change(_plain(old), _plain(new))}"
        if len(notes) > SHOWN:
            yield f"    ... and {len(notes) - SHOWN} more {effect}"
    if difference.search:
        yield f"  to find the removed notes in Anki's browser: {difference.search}"


def _risk(risk: Risk) -> str:
    return "" if risk is Risk.NONE else f" (risk: {risk})"


def _plain(markup: str) -> str:
    return " ".join(unescaped(untagged(untagged(markup, " ", _BLOCK))).split())


def _change(old: str, new: str) -> str:
    """The part that differs, with a few words around it."""
    if old == new:
        return "only the markup"
    start = _same(old, new)
    tail = _same(old[start:][::-1], new[start:][::-1])
    return f"{_part(old, start, tail)} -> {_part(new, start, tail)}"


def _same(one: str, other: str) -> int:
    """How many characters the two begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _part(whole: str, start: int, tail: int, around: int = 16, most: int = 60) -> str:
    left, right = max(0, start - around), min(len(whole), len(whole) - tail + around)
    part = whole[left:right]
    if len(part) > most:
        part = f"{part[:most]}..."
        right = len(whole)
    return f"`{'...' * bool(left)}{part}{'...' * (right < len(whole))}`"
