"""The way from verdicts to packages: decide, render, give every note its identity, pack.

Everything is made in memory first; then packages and locks are written, each whole or not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckgen import __version__, files
from deckgen.app.bundles import bundles_of, packages, without_notes
from deckgen.app.check import decisions, digests, losses, verified
from deckgen.app.load import Loaded, cache_folder, load, not_loaded, refuse_packages
from deckgen.app.options import Options, Progress, Waiting, now, silent
from deckgen.app.write_outputs import (
    BuiltDeck,
    refuse_distant,
    refuse_lost_lock,
    refuse_overwriting,
    refuse_second_deck,
    stem,
    write_outputs,
)
from deckgen.cache import Folder, digest, packed
from deckgen.files import DeckFolder
from deckgen.model.deck import Rendered
from deckgen.model.note import FoundAs, Key, Note, Output, Place, Standing, is_english
from deckgen.model.results import NOT_SHIPPED, Decision, Delivered, Disposition, Results
from deckgen.model.source import Span
from deckgen.model.verdict import Verification
from deckgen.surroundings import dependency_versions

if TYPE_CHECKING:
    from deckgen.identity import Assigned, Lock
    from deckgen.model.deck import Changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build made."""

    results: Results
    delivered: Delivered
    changes: tuple[tuple[str, str, Changes], ...]
    """(deck name, how it is named on the command line, what changes for its learners), one per deck."""
    wrote_nothing: bool
    gone: Mapping[Path, frozenset[str]] = field(default_factory=dict)
    """By the path of each deck's package the GUIDs of the notes that its sources no longer have."""


def build(what: Options | str | Path, progress: Progress = silent, waiting: Waiting = silent) -> Built:
    """Reads notes, checks them, and writes a package and a lock for every deck, all of them or none. Raises DeckgenError.

    `waiting` is called before it waits for somebody else who builds one of these decks.

    >>> _ = Path("shapes.md").write_text("# Shapes\\n\\nQ: What is a shape?\\nA: The sizes of all dimensions.\\n")
    >>> build("shapes.md").delivered.packages[0].as_posix()
    'build/shapes.apkg'
    """
    options = Options.of(what)
    refuse_distant(options.output)
    refuse_packages(options)
    with exclusive(options, waiting):
        return _build(options, progress)


def _build(options: Options, progress: Progress) -> Built:
    folders = options.deck_folders()
    # with a lock of its own the folder is one deck
    bundles = {} if options.lock else bundles_of(options.paths, [folder.root for folder in folders if folder.whole])
    refuse_overwriting(folders, options.output, ".apkg", (one.name for one in bundles))
    for folder in folders:
        refuse_second_deck(folder)
    loaded = load(options)
    locks = [deck.lock for deck in loaded]
    results = verified(loaded, options, progress)
    at = now()
    # without a part of it a source may give other notes: those that are in the lock stay there, as those of an unreadable one
    whole = [replace(deck, extractions=tuple(one for one in deck.extractions if one.is_whole)) for deck in loaded]
    made = [build_deck(deck, lock, results.verification, options, at) for deck, lock in zip(whole, locks, strict=True)]
    for one in made:
        if one.old_lock is None and one.assigned.deck.cards:
            refuse_lost_lock(options.output / one.package, one.folder.lock)
    made = [one.as_locked for one in made] if options.locked else made
    missed = [losses(one.decisions, one.old_lock) if results.ran else ([], []) for one in made]
    stale = tuple(one.folder.lock.as_posix() for one in made if one.is_stale and options.locked)
    together = dict(packages(bundles, {one.folder.root: one.assigned.deck for one in made}))
    delivered = Delivered() if stale else write_outputs(made, options.output, together.items())
    return Built(
        results=replace(
            results,
            builds=True,
            lost=tuple(line for lost, _ in missed for line in lost),
            noteless=tuple(deck.folder.typed for deck in loaded if is_noteless(deck)),
            decisions=tuple(decision for one in made for decision in one.decisions),
            warnings=(
                *results.warnings,
                *(line for _, otherwise in missed for line in otherwise),
                *(warning for one in made for warning in one.warnings),
                *(without_notes(bundle) for bundle in bundles if bundle.name not in together),
            ),
            stale=stale,
            left=digests((*(one.folder.lock for one in made), *delivered.packages)),
        ),
        delivered=delivered,
        changes=tuple((one.assigned.deck.name, one.folder.typed, one.assigned.changes) for one in made),
        wrote_nothing=bool(stale) or not (delivered.written or any(one.is_stale for one in made)),
        gone={
            options.output / one.package: frozenset(
                note.guid for note in one.assigned.lock.notes if note.gone is not None
            )
            for one in made
            if one.assigned.deck.cards
        },
    )


def is_noteless(deck: Loaded) -> bool:
    """True for a deck whose sources were all read and gave no note."""
    return not (deck.unreadable or any(one.notes for one in deck.extractions))


@contextmanager
def exclusive(options: Options, waiting: Callable[[Path], None]) -> Iterator[bool]:
    """Keeps everybody else from building these decks; gives whether somebody was, for whom it had to wait."""

    def locks() -> list[Path]:
        return [folder.lock for folder in options.deck_folders()]

    while True:
        wanted = locks()
        with files.exclusive(wanted, waiting) as waited:
            if not waited or wanted == locks():
                yield waited
                return


@dataclass(frozen=True, slots=True, kw_only=True)
class Previewed:
    """What a preview made."""

    results: Results
    written: tuple[Path, ...]


def preview(what: Options | str | Path, progress: Progress = silent) -> Previewed:
    """Writes one page a deck with all its cards, withheld ones among them; the lock stays as it is."""
    from deckgen.render.preview import page

    options = Options.of(what)
    refuse_distant(options.output)
    refuse_overwriting(options.deck_folders(), options.output, ".html")
    loaded = load(options)
    results = verified(loaded, options, progress)
    written = []
    for deck in loaded:
        decided = decisions(deck, deck.lock, results.verification, options)
        text = page(with_cards(deck, decided, cache_folder("rendered", options)), name=deck.folder.name)
        path = options.output / f"{stem(deck.folder)}.html"
        files.write_whole(path, text.encode())
        written.append(path)
    return Previewed(results=results, written=tuple(written))


def with_cards(deck: Loaded, decided: Sequence[Decision], kept: Folder) -> Iterator[tuple[Decision, Rendered]]:
    """Each note with its cards, also one that is withheld or only suggested."""
    shown = [replace(one, disposition=Disposition.SHIP) if one.disposition in NOT_SHIPPED else one for one in decided]
    return zip(decided, map(_links_of(deck), rendered(deck, shown, kept, "shown")), strict=True)


def _links_of(deck: Loaded) -> Callable[[Rendered], Rendered]:
    """What enters the links in the foot of a note of this deck."""
    from deckgen.render.foot import with_links

    return partial(with_links, source_url=deck.folder.config.source_url, folder=_to_files(deck.folder))


def build_deck(deck: Loaded, lock: Lock | None, verification: Verification, options: Options, now: int) -> BuiltDeck:
    """Decides, renders, and gives every note its identity, all in memory."""
    from deckgen.extract.declared.tags import without_tools_marks
    from deckgen.identity import Release, SourceDeck, assign_guids, format_lock, new_deck_id
    from deckgen.render import LOOK_CHANGED, NOTETYPES, distinct

    folder = deck.folder
    decided = decisions(deck, lock, verification, options)
    # one subdeck a source, if the deck has several
    several = folder.config.subdecks and (len(folder.files) > 1 or not folder.whole)
    source_decks = []
    for extraction in deck.extractions:
        file = folder.relative(Path(extraction.document.source.name))
        title = without_tools_marks(extraction.document.title) or Path(file).stem
        source_decks.append(SourceDeck(file, file, title if several else ""))
    release = Release(
        deck_id=folder.config.id or (lock.deck_id if lock else new_deck_id()),
        deck_name=folder.name,
        notetypes=tuple(NOTETYPES.values()),
        look_changed=LOOK_CHANGED,
        now=now,
        source_decks=source_decks,
        unread=not_loaded(
            folder,
            {one.file for one in source_decks},
            (file for note in lock.notes for file in note.files) if lock else (),
        ),
        retire=options.retire,
        restamp=options.restamp,
        description=_description(deck, verification.environment.torch),
        folder=_to_files(folder),
        lock_name=folder.lock.as_posix(),
    )
    notes = distinct(tuple(rendered(deck, decided, cache_folder("rendered", options))))
    assigned = assign_guids(notes, lock, release)
    linked = _links_of(deck)
    cards = tuple(replace(card, rendered=linked(card.rendered)) for card in assigned.deck.cards)
    assigned = replace(assigned, deck=replace(assigned.deck, cards=cards))
    warnings = (*_warnings(deck, decided, assigned), *assigned.changes.warnings)
    text = format_lock(replace(assigned.lock, decisions=deck.authored))
    return BuiltDeck(folder, decided, assigned, text, deck.lock_text, lock, warnings)


def _description(deck: Loaded, torch: str) -> str:
    from deckgen.render import describe

    documents = [extraction.document for extraction in deck.extractions if extraction.notes]
    chinese = sum(document.language == "zh" for document in documents)
    return describe(
        [document.title or Path(document.source.name).stem for document in documents],
        author="\n\n".join(filter(None, (deck.folder.config.description, deck.folder.config.about))),
        language=deck.folder.config.language or ("zh" if 2 * chinese > len(documents) else "en"),
        version=__version__,
        torch=torch,
    )


def _to_files(folder: DeckFolder) -> str:
    """What turns the name of a file in the deck into a path that the user's editor opens."""
    root = folder.root.as_posix()
    return "" if root == "." else f"{root.rstrip('/')}/"


def _warnings(deck: Loaded, decided: Sequence[Decision], assigned: Assigned) -> Iterator[str]:
    """Files that are decks by themselves, too (whoever has both decks meets their cards twice), missing pictures, and a deck
    without a card.
    """
    folder = deck.folder
    for second in folder.second_locks:
        remedy = f"delete this lock if that deck is no longer used, or `exclude` the file in {folder.root.as_posix()}"
        yield f"{second.as_posix()}: its notes were built as a deck of their own; {remedy}"
    for one in assigned.deck.cards:
        for target in one.rendered.missing_media:
            place = one.rendered.places[0]
            what = f"no such picture in the folder of the notes or in `snippets` (a file of up to 64 MiB): {target}"
            yield f"{_to_files(folder)}{place.source}:{place.span.first}: {what}"
    if deck.extractions and not assigned.deck.cards:
        yield f"{folder.typed}: nothing was written: {_why_nothing(decided)}"


def _why_nothing(decided: Sequence[Decision]) -> str:
    """Why no note of a deck is shipped."""
    if not decided:
        return "it has no note (`deckgen inspect` says why)"
    found = {one.disposition for one in decided}
    if found == {Disposition.SUGGEST}:
        return "all its notes are suggestions"
    if Disposition.SUGGEST in found:
        return "its notes are suggestions, or withheld (--explain says why)"
    return "all its notes are withheld (--explain says why)"


_UNSEEN_OF_NOTE: dict[str, Any] = {
    "key": Key((), ""), "explicit_id": None, "rests_on": (), "rule": "", "found_as": FoundAs.CARD, "kept": False,
    "origin": Standing.SURE, "doubts": (), "deck": "",
}  # fmt: skip
_UNSEEN_OF_DECISION: dict[str, Any] = {"why": None, "words": (), "waived": False, "documented": ""}
"""What a note is rendered without, each with what stands in its place; its fields are known by all that is left."""
_OF_NOTE = attrgetter(*(one.name for one in fields(Note) if one.name not in {*_UNSEEN_OF_NOTE, "places", "body"}))
_OF_DECISION = attrgetter(*(one.name for one in fields(Decision) if one.name not in {*_UNSEEN_OF_DECISION, "note"}))


def rendered(
    deck: Loaded, decisions: Sequence[Decision], folder: Folder, which: str = "rendered"
) -> Iterator[Rendered]:
    """The notes that are shipped, in order, as HTML. What was rendered from a source is one entry of the folder.

    `which` tells the entries of a package from those of a page, on which more notes are shown.

    Each is rendered only once while it stays as it is: Pygments takes most of the time of a build.
    """
    documents = {one.document.source.name: one.document for one in deck.extractions}
    files = {name: deck.folder.relative(Path(name)) for name in documents}
    entries = {name: digest(which, dependency_versions(), Path(name).absolute()) for name in documents}
    known = {name: folder.get(entry, dict[bytes, Rendered]) or {} for name, entry in entries.items()}
    used: dict[str, dict[bytes, Rendered]] = {name: {} for name in documents}
    config = deck.folder.config
    for decision in decisions:
        if decision.disposition in NOT_SHIPPED:
            continue
        note, source = decision.note, decision.note.source
        # the language of the source, or the author's choice; English for an English note of a mixed source
        language = documents[source].language
        language = "en" if language == "zh" and not config.language and is_english(note) else language
        body = replace(note.body, claims=()) if isinstance(note.body, Output) else note.body
        said = _OF_NOTE(note), _OF_DECISION(decision)
        key = _digest((type(body).__name__, body, said, files[source], language))
        found = known[source].get(key) or used[source].get(key)
        if found is None:
            from deckgen.render import render

            place = Place(files[source], Span(0, 0))
            bare = replace(note, **_UNSEEN_OF_NOTE, places=(place,), body=body)
            shown = replace(decision, **_UNSEEN_OF_DECISION, note=bare)
            pictures = deck.assets.pictures(Path(source).parent)
            found = replace(render(shown, language=language, media=pictures), words=())
        if not found.media and not found.missing_media:  # a picture may be another one tomorrow
            used[source][key] = found
        places = tuple(Place(files[one.source], one.span) for one in note.places)
        deck_name = note.deck if config.subdecks else ""
        yield found.of(note.key, note.explicit_id, places, decision.words, deck_name, decision.documented)
    for name, entry in entries.items():
        if used[name] != known[name]:
            folder.put(entry, used[name])


def _digest(value: object) -> bytes:
    try:
        data = packed(value)
    except UnicodeEncodeError:  # half a character, which JSON can write and UTF-8 cannot
        data = repr(value).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).digest()
