"""What the author sees when deciding about notes: all of them, those that were refused, and why, source by source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from deckgen import files
from deckgen.app.build import with_cards
from deckgen.app.check import decisions, verified
from deckgen.app.load import Loaded, cache_folder, load
from deckgen.app.options import Options, Progress, silent
from deckgen.app.recall import digests_of_decks
from deckgen.decide import Policy, decide
from deckgen.files import DeckFolder
from deckgen.model.deck import Rendered
from deckgen.model.document import Extraction
from deckgen.model.note import Note, Skipped, back
from deckgen.model.results import NOTHING_CHECKED, Decision
from deckgen.model.verdict import Verification
from deckgen.text.wording import in_address

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


Items = dict[tuple[str, str], tuple[tuple[Decision, Rendered], dict[str, Any]]]
"""By source and fingerprint: a decided note with its cards, and how a page takes it. Most are as they were."""
Answers = tuple[tuple[files.Request, str], ...]


class Reviewer:
    """Looks at the same notes again and again: what did not change is neither rendered nor run again."""

    def __init__(self, options: Options, editor: str = EDITOR) -> None:
        self._options = options
        self._editor = editor
        self._checked: tuple[tuple[Loaded, ...], Verification] = (), NOTHING_CHECKED
        self._last: tuple[dict[str, str], Answers, Review] | None = None
        """What the last review was made of (digests, and what the notes asked for), and what it was."""
        self._items: Items = {}

    def review(self, progress: Progress = silent, *, run: bool = True) -> Review:
        """Every note with its cards, its rule and what became of it. `run` false shows cards before verdicts. Raises DeckgenError.

        A decision changes the lock, of which the page's watcher tells as well: what was read already is not read again.
        """
        options = self._options if run else replace(self._options, no_run=True)
        made_of = digests_of_decks(options)
        if run and self._last and self._last[0] == made_of and files.answers_as_before(self._last[1]):
            return self._last[2]
        loaded = load(options)
        verification = self._verification(loaded, options, progress)
        sources: list[Mapping[str, Any]] = []
        notes: dict[str, Decidable] = {}
        items: Items = {}
        for deck in loaded:
            own, known = _deck(deck, verification, options, self._editor, self._items, items)
            sources += own
            notes |= known
        self._items = items
        made = Review(sources, notes, [str(error) for deck in loaded for error in deck.unreadable])
        if run:
            answers = tuple(one for deck in loaded for one in deck.assets.answers.items())
            self._last = made_of, answers, made
        return made

    def _verification(self, loaded: tuple[Loaded, ...], options: Options, progress: Progress) -> Verification:
        """A decision takes notes away or brings back what waited: what was found out of more notes holds for fewer."""
        before, known = self._checked
        if options.no_run or not _covers(before, loaded):
            known = verified(loaded, options, progress).verification
        if not options.no_run:
            self._checked = loaded, known
        return known


def _covers(before: Sequence[Loaded], loaded: Sequence[Loaded]) -> bool:
    """True if all that would be run and looked up now has been."""
    pairs = [*zip(before, loaded, strict=False)]
    return len(before) == len(loaded) > 0 and all(
        old.folder.config == new.folder.config
        and len(old.extractions) == len(new.extractions)
        and all(map(_holds_all_of, old.extractions, new.extractions))
        for old, new in pairs
    )


def _holds_all_of(before: Extraction, now: Extraction) -> bool:
    source = before.document.source
    same = (source.name, source.text) == (now.document.source.name, now.document.source.text)
    return same and (before.snippets, before.apis) == (now.snippets, now.apis) and {*now.notes} <= {*before.notes}


def _deck(
    deck: Loaded, verification: Verification, options: Options, editor: str, before: Items, now: Items
) -> tuple[list[Mapping[str, Any]], Mapping[str, Decidable]]:
    from deckgen.extract.same_question import merge
    from deckgen.identity import fingerprint
    from deckgen.render.preview import shown

    whole = merge(note for extraction in deck.extractions for note in extraction.notes)
    refused = [(one, one.note) for extraction in deck.extractions for one in extraction.skipped if one.note]
    checked = verification.by_source
    decided = (
        *decisions(deck, deck.lock, verification, options),
        *decide((note for _, note in refused), checked, verification.environment, Policy(run=not options.no_run)),
    )
    every: list[tuple[Note, Skipped | None]] = [
        *((note, None) for note in whole),
        *((note, one) for one, note in refused),
    ]
    known: dict[str, Decidable] = {}
    names = [one.document.source.name for one in deck.extractions]
    by_source: dict[str, list[Mapping[str, Any]]] = {name: [] for name in names}
    places = {name: _Address(name, editor) for name in names}
    cards = with_cards(deck, decided, cache_folder("rendered", options))
    for (note, refusal), pair in zip(every, cards, strict=True):
        print_ = fingerprint(note)
        if refusal and refusal.by_author and print_ in known:
            continue  # what stands in several sources was one note before it was left out, and still is
        wish = deck.authored_notes.get(print_)
        last = before.get((note.source, print_))
        now[note.source, print_] = last if last and last[0] == pair else (pair, shown(*pair))
        item = {
            **now[note.source, print_][1],
            "id": f"{print_}-{len(known)}" if print_ in known else print_,
            "note": print_,
            "wish": wish.wish if wish else None,
            "decision": wish.name if wish else "",
            "rule": refusal.rule if refusal else note.rule,
            "doubts": [[doubt.name, doubt.reason] for doubt in note.doubts],
            "rank": _rank(note),
            **places[note.source].of(note.span.first),
        }
        if refusal:
            state = "left-out" if refusal.by_author else "refused"
            item |= {"state": state, "why": refusal.reason, "rule": note.rule if refusal.by_author else refusal.rule}
        known.setdefault(print_, Decidable(deck.folder, note, wish.name if wish else ""))
        by_source[note.source].append(item)
    return [
        {
            "name": one.document.source.name,
            "notes": sorted(by_source[one.document.source.name], key=lambda item: item["line"]),
            "passages": [
                {"why": skip.reason, **places[one.document.source.name].of(skip.span.first)}
                for skip in one.skipped
                if skip.note is None
            ],
        }
        for one in deck.extractions
    ], known


_A_GLANCE = 20
"""Words of an answer that are read at once."""


def _rank(note: Note) -> tuple[int, int, int]:
    """The best suggestions are those of fewer doubts, then those of shorter answers; else they come as they stand."""
    return len(note.doubts), len(back(note).split()) // _A_GLANCE, note.span.start


@dataclass(frozen=True, slots=True)
class _Address:
    """Of a source, for links that open it in the editor."""

    name: str
    editor: str
    path: str = field(init=False)

    def __post_init__(self) -> None:
        path = in_address(Path(self.name).resolve().as_posix())
        object.__setattr__(self, "path", path)

    def of(self, line: int) -> dict[str, Any]:
        address = self.editor.replace("{path}", self.path).replace("{line}", str(line))
        return {"place": f"{self.name}:{line}", "line": line, "edit": address}
