"""A difference as text for people and as data for programs."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from deckgen.compare.compare import SAID
from deckgen.model.difference import Difference, Effect, NoteDifference, Risk
from deckgen.text.harmless import Harmless, lines
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import unescaped, untagged

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
