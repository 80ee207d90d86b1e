"""Loading: the files that the options mean, read and extracted; a file that did not change is not read again."""

from __future__ import annotations

import functools
import hashlib
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from deckgen import files, streams
from deckgen.app.options import Options, StandardInput, now
from deckgen.cache import Folder, digest, place
from deckgen.files import Assets, DeckFolder
from deckgen.model.author import AuthorDecision
from deckgen.model.claim import Claim, Snippet
from deckgen.model.document import Document, Extraction, Prose, Quote
from deckgen.model.errors import REPORT_IT, DeckgenError, SourceError, UsageError, fault
from deckgen.model.note import Body, Note, Skipped
from deckgen.model.source import Source
from deckgen.surroundings import dependency_versions

if TYPE_CHECKING:
    from deckgen.identity import Lock


@dataclass(frozen=True, slots=True)
class Loaded:
    """A deck folder with everything that was found in its sources."""

    folder: DeckFolder
    extractions: tuple[Extraction, ...]
    unreadable: tuple[DeckgenError, ...]
    assets: Assets
    """The snippets and pictures that its notes named so far."""
    lock_text: str | None = None
    """The text of its lock; None before the first build."""
    authored: tuple[AuthorDecision, ...] = ()
    """What its author decided, as the next lock has it."""
    authored_notes: Mapping[str, AuthorDecision] = field(default_factory=dict)
    """The same by the fingerprint of each note that is there."""

    @property
    def lock(self) -> Lock | None:
        return parsed_lock(self.folder, self.lock_text)


def read(path: str | Path) -> Document:
    """Reads one source: its blocks in order, each with the lines where it stands. Raises SourceError.

    >>> _ = Path("shapes.md").write_text("# Shapes\\n\\nA tensor has a shape.\\n")
    >>> document = read("shapes.md")
    >>> document.title, document.language, len(document.blocks)
    ('Shapes', 'en', 2)
    """
    from deckgen.read import read as read_source
    from deckgen.read.include import included

    path = Path(path)
    with own_error(path.as_posix()):
        return included(read_source(files.load(path)), Assets().snippets(path.parent))


def extract(what: Document | str | Path) -> Extraction:
    """Finds the notes, the snippets with their claims, and the API names of one source. Runs nothing. Raises SourceError.

    >>> _ = Path("shapes.md").write_text("# Shapes\\n\\nQ: What is a shape?\\nA: The sizes of all dimensions.\\n")
    >>> [note.body.prompt for note in extract("shapes.md").notes]
    ['What is a shape?']
    """
    from deckgen.extract import extract as find

    document = what if isinstance(what, Document) else read(what)
    with own_error(document.source.name):
        return find(document)


def load(options: Options) -> tuple[Loaded, ...]:
    """Everything in every source that the options mean."""
    kept = cache_folder("extractions", options)
    loaded = tuple(_loaded(folder, kept, options.stdin) for folder in options.deck_folders())
    kept.trim()
    if syntax := sys.modules.get("deckgen.text.syntax"):  # not if nothing was extracted
        syntax.forget_many()
    return loaded


def cache_folder(kind: str, options: Options) -> Folder:
    """Where a run keeps what it may use again; nowhere with `no_cache`."""
    return Folder(None if options.no_cache else place(kind))


def _loaded(folder: DeckFolder, kept: Folder, stdin: StandardInput | None) -> Loaded:
    extractions: list[Extraction] = []
    unreadable: list[DeckgenError] = [*folder.refusals]
    assets = Assets()
    for path in folder.files:
        try:
            with own_error(path.as_posix()):
                source = _source(path, folder, stdin)
                found = _extraction(source, folder, kept, assets)
                extractions.append(tagged(found, folder.config.tags) if folder.config.tags else found)
                unreadable += _errors(found)
        except DeckgenError as error:
            unreadable.append(error)
    return with_decisions(Loaded(folder, tuple(extractions), tuple(unreadable), assets, folder.lock_text()))


def refuse_packages(options: Options) -> None:
    """Raises UsageError for a package: its notes have identities, types and reviews of their own, which a build would not keep."""
    for path in (path for folder in options.deck_folders() for path in folder.files):
        if path.name.lower().endswith(files.PACKAGES):
            hint = "`deckgen verify` does; to build from its notes, export them as text in Anki"
            raise UsageError("a package is only checked", path.as_posix(), hint)


def _source(path: Path, folder: DeckFolder, stdin: StandardInput | None) -> Source:
    """The text of a file or of standard input; of a package its notes as JSON Lines. Raises SourceError."""
    name = stdin.name if stdin else path.as_posix()
    if not name.lower().endswith(files.PACKAGES):
        return files.decode(stdin.data, name) if stdin else files.load(path, folder.places_for(path))
    from deckgen.read.package import as_lines
    from deckgen.unpack import notes_of

    with io.BytesIO(stdin.data) if stdin else files.package(path) as file:
        try:
            return Source(name, as_lines(notes_of(file, name)))
        except UsageError as error:
            raise SourceError(error.message, name, error.hint) from None


def _errors(found: Extraction) -> Iterator[SourceError]:
    """What kept a source from being read whole: of includes the first (where the files are elsewhere, all are missing), of a
    file of cards each, up to `_MOST_ERRORS`.
    """
    errors = [remark for remark in found.remarks if remark.is_error]
    shown = errors[: _MOST_ERRORS if found.document.apart else 1]
    hint = "code of `{file=...}` is looked for below the deck, and in `snippets` of its project"
    for number, one in enumerate(shown, 1):
        left = len(errors) - len(shown) if number == len(shown) else 0
        more = f" (and {left} more in this source)" if left else ""
        where = f"{found.document.source.name}:{one.span.first}"
        yield SourceError(f"{one.text}{more}", where, None if found.document.apart else hint)


_MOST_ERRORS = 20


@contextmanager
def own_error(name: str) -> Iterator[None]:
    """Makes of whatever reading or extracting a source raises a SourceError of its own: the others go on."""
    hint = "make it simpler, or leave it out with `exclude`"
    try:
        yield
    except (DeckgenError, ImportError):  # a library that is missing is missing for all
        raise
    except RecursionError:
        raise SourceError("nested too deeply", name, hint) from None
    except MemoryError:
        raise SourceError("reading it takes more memory than there is", name, hint) from None
    except Exception as error:
        streams.trace(error)
        raise SourceError(fault(error), name, REPORT_IT) from error


def with_decisions(deck: Loaded) -> Loaded:
    """The deck as its author decided; most locks hold no decisions, and need not be read for that."""
    lock = deck.lock if "\ndecision " in (deck.lock_text or "") else None
    if lock is None:
        return deck
    from deckgen.identity import apply_decisions

    names = {path.as_posix(): deck.folder.relative(path) for path in deck.folder.files}
    seen = {names[one.document.source.name] for one in deck.extractions if one.is_whole}
    unseen = not_loaded(deck.folder, seen, (file for one in lock.decisions for file in one.files))
    done = apply_decisions(deck.extractions, names, lock, unseen, now())
    return replace(deck, extractions=done.extractions, authored=done.decisions, authored_notes=done.of_notes)


def parsed_lock(folder: DeckFolder, text: str | None) -> Lock | None:
    """A lock of that text. Raises UsageError for one that cannot be trusted."""
    from deckgen.identity import parse_lock

    return None if text is None else parse_lock(text, folder.lock.as_posix(), now())


def not_loaded(folder: DeckFolder, seen: set[str], known: Iterable[str]) -> frozenset[str]:
    """Files, of those known from a lock, that this run did not see: their notes have not gone."""
    missing = {*known} - seen
    closed = tuple(f"{folder.relative(path)}/" for path in (*folder.closed, *folder.outside))
    passed = {folder.relative(path) for path in (*folder.left_out, *folder.made)}
    there = {
        file
        for file in missing
        if file.startswith(closed) or file in passed or (not folder.whole and (folder.root / file).exists())
    }
    return frozenset(there | ({folder.relative(path) for path in folder.files} - seen))


def tagged(found: Extraction, tags: tuple[str, ...]) -> Extraction:
    """An extraction with further tags on every note, those that were refused among them."""

    def with_tags(note: Note) -> Note:
        return replace(note, tags=(*tags, *note.tags))

    skipped = tuple(replace(one, note=one.note and with_tags(one.note)) for one in found.skipped)
    notes, rivals = (tuple(map(with_tags, some)) for some in (found.notes, found.rivals))
    return replace(found, notes=notes, rivals=rivals, skipped=skipped)


def _extraction(source: Source, folder: DeckFolder, kept: Folder, assets: Assets) -> Extraction:
    text = hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()
    chosen, notation = folder.config.language, folder.config.notation
    name = digest(dependency_versions(), source.name, text, source.encoding, chosen, notation, folder.root)
    entry = kept.get(name, _kept_type()) if kept.path else None
    if entry is not None and files.answers_as_before(entry.asked):
        assets.answers.update(entry.asked)
        return _unpacked(entry.found, source)
    # reading and extracting take a third of a second to import, and nothing of them is needed while nothing changes
    from deckgen.extract import extract as find
    from deckgen.read import read as read_source
    from deckgen.read.include import included

    own = Assets()
    document = included(read_source(source, notation), own.snippets(folder.root))
    found = find(replace(document, language=chosen or document.language, notation=notation))
    found = replace(found, document=replace(found.document, source=source.copy(), blocks=_beside_code(found)))
    if kept.path:
        kept.put(name, (tuple(own.answers.items()), _packed(found)))
    assets.answers.update(own.answers)
    return found


def _beside_code(found: Extraction) -> tuple[Prose, ...]:
    """Of the blocks of a document what is asked for later (`verify.failures`): does a text beside code say that it fails?"""
    blocks = found.document.opened().blocks
    lines = {snippet.line for snippet in found.snippets}
    of_code = (at for at, block in enumerate(blocks) if not lines.isdisjoint(range(block.span.start, block.span.stop)))
    wanted = {near for at in of_code for near in (at - 1, at, at + 1)}
    return tuple(
        Prose(block.span, block.text if isinstance(block, Prose | Quote) else "")
        for at, block in enumerate(blocks)
        if at in wanted
    )


# --- extractions as msgpack ---
#
# msgspec writes dataclasses and reads them again, but no union of them: a note's body and a claim are stored as a tuple that
# has a place for each kind, all but one of them empty. A document is stored without its source.


def _packed(found: Extraction) -> list[Any]:
    return _row(
        found,
        document=_row(found.document, source=None),
        notes=[_packed_note(note) for note in found.notes],
        rivals=[_packed_note(note) for note in found.rivals],
        skipped=[_row(one, note=one.note and _packed_note(one.note)) for one in found.skipped],
        snippets=[_row(one, claims=[_in_its_place(Claim, claim) for claim in one.claims]) for one in found.snippets],
    )


def _packed_note(note: Note) -> list[Any]:
    return _row(note, body=_in_its_place(Body, note.body))


def _unpacked_note(entry: Any) -> Note:
    note: Note = _noun(Note, entry, body=_the_one(entry.body))
    return note


def _unpacked(entry: Any, source: Source) -> Extraction:
    snippets = [_noun(Snippet, one, claims=tuple(_the_one(claim) for claim in one.claims)) for one in entry.snippets]
    found: Extraction = _noun(
        Extraction,
        entry,
        document=_noun(Document, entry.document, source=source, records=()),
        notes=tuple(map(_unpacked_note, entry.notes)),
        rivals=tuple(map(_unpacked_note, entry.rivals)),
        skipped=tuple(_noun(Skipped, one, note=one.note and _unpacked_note(one.note)) for one in entry.skipped),
        snippets=tuple(snippets),
    )
    return found


@functools.cache
def _kept_type() -> Any:
    """What is kept of a source: the assets that it asked for, each with a digest, and what was found in it."""
    import msgspec

    def record(noun: Any, **changed: Any) -> Any:
        hints = {**get_type_hints(noun), **changed}
        return msgspec.defstruct(noun.__name__, [(name, hints[name]) for name in _names(noun)], array_like=True)

    def one_of(union: Any) -> Any:
        return tuple.__class_getitem__(tuple(kind | None for kind in get_args(union)))

    def many(kind: Any) -> Any:
        return tuple.__class_getitem__((kind, ...))

    note = record(Note, body=one_of(Body))
    found = record(
        Extraction,
        document=record(Document, source=None, blocks=many(Prose)),
        notes=many(note),
        rivals=many(note),
        skipped=many(record(Skipped, note=note | None)),
        snippets=many(record(Snippet, claims=many(one_of(Claim)))),
    )
    return msgspec.defstruct("Kept", [("asked", many(tuple[files.Request, str])), ("found", found)], array_like=True)


_names: Callable[[Any], tuple[str, ...]] = functools.cache(lambda noun: tuple(one.name for one in fields(noun)))
"""The fields of a class of nouns."""


def _row(noun: Any, **changed: Any) -> list[Any]:
    return [changed[name] if name in changed else getattr(noun, name) for name in _names(type(noun))]


def _noun(kind: Any, entry: Any, **changed: Any) -> Any:
    return kind(**{name: changed[name] if name in changed else getattr(entry, name) for name in _names(kind)})


def _in_its_place(union: Any, value: object) -> list[object]:
    return [value if type(value) is kind else None for kind in get_args(union)]


def _the_one(place: Iterable[object]) -> object:
    return next(filter(None, place))
