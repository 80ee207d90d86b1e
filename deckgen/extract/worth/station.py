"""The station: every note is repaired where it can be, and refused where a row of the rules finds it not worth learning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from deckgen.extract.page import Finds, Page
from deckgen.extract.worth.rules import RULES
from deckgen.model.note import Note, Skipped


def weigh(notes: Iterable[Note], page: Page) -> Finds:
    """The notes that are worth learning, and a refusal with its note for each of the others.

    What the author wants to keep (`<!-- deckgen: keep -->`) stays as it is.
    """
    kept: list[Note] = []
    refused: list[Skipped] = []
    for note in notes:
        rule, reason = ("", "") if note.kept else why_not(note, page)
        if reason:
            refused.append(Skipped(note.span, reason, rule=rule, note=replace(note, kept=True)))
        else:
            kept.append(note)
    return Finds(tuple(kept), tuple(refused))


def why_not(note: Note, page: Page) -> tuple[str, str]:
    """The first rule that a note breaks, and the reason for its author; empty if it is worth keeping."""
    for rule in RULES:
        if reason := rule.breaks(note, page):
            return rule.name, reason
    return "", ""
