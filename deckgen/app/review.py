"""What the author sees when deciding about notes: all of them, those that were refused, and why, source by source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from deckgen.app.build import with_cards
from deckgen.app.check import decisions, verified
from deckgen.app.load import Loaded, load
from deckgen.app.options import Options, Progress, silent
from deckgen.decide import Policy, decide
from deckgen.files import DeckFolder
from deckgen.model.author import RULE
from deckgen.model.note import Note, Skipped
from deckgen.model.verdict import Verification

EDITOR = "vscode://file{path}:{line}"
"""The address that opens an editor at a line."""


@dataclass(frozen=True, slots=True)
class Decidable:
    """A note about which the author may decide."""

    folder: DeckFolder
    note: Note
    decision: str
    """Name of the decision that it has so far; empty without one."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a page shows, as plain data, and the notes on it."""

    sources: Sequence[Mapping[str, Any]] = ()
    notes: Mapping[str, Decidable] = field(default_factory=dict)
    """By fingerprint."""
    wrong: Sequence[str] = ()
    """Sources that cannot be read."""


def review(options: Options, editor: str = EDITOR, progress: Progress = silent) -> Review:
    """Every note with its cards, its rule and what became of it. Raises DeckgenError."""
    loaded = load(options)
    results = verified(loaded, options, progress)
    sources: list[Mapping[str, Any]] = []
    notes: dict[str, Decidable] = {}
    for deck in loaded:
        own, known = _deck(deck, results.verification, options, editor)
        sources += own
        notes |= known
    return Review(sources, notes, [str(error) for error in results.unreadable])


def _deck(
    deck: Loaded, verification: Verification, options: Options, editor: str
) -> tuple[list[Mapping[str, Any]], Mapping[str, Decidable]]:
    from deckgen.extract.same_question import merge
    from deckgen.identity import fingerprint
    from deckgen.render.preview import shown

    whole = merge(note for extraction in deck.extractions for note in extraction.notes)
    refused = [(one, one.note) for extraction in deck.extractions for one in extraction.skipped if one.note]
    checked = {source.source: source for source in verification.sources}
    decided = (
        *decisions(deck, deck.lock, verification, options),
        *decide((note for _, note in refused), checked, verification.environment, Policy(run=not options.no_run)),
    )
    every: list[tuple[Note, Skipped | None]] = [
        *((note, None) for note in whole),
        *((note, one) for one, note in refused),
    ]
    known: dict[str, Decidable] = {}
    by_source: dict[str, list[Mapping[str, Any]]] = {one.document.source.name: [] for one in deck.extractions}
    for (note, refusal), pair in zip(every, with_cards(deck, decided), strict=True):
        print_ = fingerprint(note)
        wish = deck.authored_notes.get(print_)
        item = {
            **shown(*pair),
            "id": f"{print_}-{len(known)}" if print_ in known else print_,
            "note": print_,
            "wish": wish.wish if wish else None,
            "rule": refusal.rule if refusal else note.rule,
            **_place(note.source, note.span.first, editor),
        }
        if refusal:
            state = "left-out" if refusal.rule == RULE else "refused"
            item |= {"state": state, "why": refusal.reason, "rule": note.rule if refusal.rule == RULE else refusal.rule}
        known.setdefault(print_, Decidable(deck.folder, note, wish.name if wish else ""))
        by_source[note.source].append(item)
    return [
        {
            "name": one.document.source.name,
            "notes": sorted(by_source[one.document.source.name], key=lambda item: item["line"]),
            "passages": [
                {"why": skip.reason, **_place(one.document.source.name, skip.span.first, editor)}
                for skip in one.skipped
                if skip.note is None
            ],
        }
        for one in deck.extractions
    ], known


def _place(source: str, line: int, editor: str) -> dict[str, Any]:
    path = quote("/" + Path(source).resolve().as_posix().lstrip("/"))  # `C:/notes.md` too
    address = editor.replace("{path}", path).replace("{line}", str(line))
    return {"place": f"{source}:{line}", "line": line, "edit": address}
