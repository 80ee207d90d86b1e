"""The way back into the sources: what torch showed, written where the notes claimed otherwise."""

from __future__ import annotations

import difflib
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deckgen import files
from deckgen.app.check import verified
from deckgen.app.load import Loaded, load, own_error, refuse_packages
from deckgen.app.options import Options, Progress, silent
from deckgen.extract import extract
from deckgen.model.document import Extraction
from deckgen.model.errors import DeckgenError, SourceError
from deckgen.model.results import Results
from deckgen.model.source import Source
from deckgen.outcome import in_short
from deckgen.read import read
from deckgen.text import harmless
from deckgen.update import Judged, Updated, is_stale, only_claims_moved, only_defaults_moved, updated

SHARED_LINE = "its file writes several lines of text on one: save it with a line for each first"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One source and what it would become."""

    source: Source
    updated: Updated
    before: bytes
    """The file as it was read."""
    after: bytes
    """The file as it would be."""

    @property
    def changed_lines(self) -> list[str]:
        """What is out of date, a line a claim."""
        return [f"{self.source.at(one.claim.span)}: out of date: {in_short(one)}" for one in self.updated.changed]

    @property
    def left_lines(self) -> list[str]:
        """What cannot be rewritten, and why."""
        return [f"{self.source.at(one.claim.span)}: left as it is: {why}" for one, why in self.updated.left]

    @property
    def patch(self) -> bytes:
        """A unified diff that `git apply` and `patch -p1` take: its lines are the file's, byte for byte.

        Neither takes UTF-16; such a file's patch is for reading, in UTF-8.
        """
        if self.source.encoding.startswith("utf-16"):
            return "".join(_ended(self.patch_lines)).encode(errors="surrogateescape")
        texts = (
            data.decode("latin-1") for data in (self.before, self.after, os.fsencode(self._name))
        )  # a letter a byte
        return "".join(_ended(_patch_lines(*texts))).encode("latin-1")

    @property
    def patch_lines(self) -> list[str]:
        """The lines of the patch as text, with their ends."""
        return _patch_lines(self.source.text, self.updated.text, self._name)

    @property
    def is_harmless(self) -> bool:
        """False if the patch would command what shows it."""
        lines = (line.removesuffix("\n") for line in self.patch_lines)
        return b"\r" not in self.patch.replace(b"\r\n", b"") and all(harmless.line(line) == line for line in lines)

    @property
    def _name(self) -> str:
        return self.source.name.lstrip("/")


def _patch_lines(before: str, after: str, name: str) -> list[str]:
    """The lines of a patch, with their ends.

    One around the changes that runners would obey (`::error`, and Markdown's `:::` for all they know) is taken out
    and put in again: so it begins with a mark.
    """
    # a form feed or U+2028 ends no line
    old, new = (io.StringIO(text).readlines() for text in (before, after))
    found: list[str] = []
    for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
        obeyed = line.startswith(" ") and line.lstrip().startswith("::")
        found += [f"-{line[1:]}", f"+{line[1:]}"] if obeyed else [line]
    return found


def _ended(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised:
    """What `deckgen update` found to change."""

    results: Results
    revisions: tuple[Revision, ...]
    """Only sources that change, or that have stale claims which cannot be rewritten."""


def revise(what: Options | str | Path, progress: Progress = silent) -> Revised:
    """Verifies, and rewrites stale claims in memory. A source in which anything else would move is refused.

    What is rewritten is verified once more: what torch still denies then, or only then, is left as it was.
    """
    options = Options.of(what)
    refuse_packages(options)
    loaded = load(options)
    results = verified(loaded, options, progress)
    checked = {source.source: source.every for source in results.verification.sources}
    revisions: list[Revision] = []
    refused: list[SourceError] = []
    for deck, extraction in each_file(loaded):
        source = extraction.document.source
        draft = _Draft(deck, extraction, checked[source.name])
        try:
            with own_error(source.name):
                draft.leave_unruly()
                draft.leave_denied(options, progress)
                made = draft.made
                if moved := draft.moved(made):
                    hint = "this source was left as it is; correct it by hand"
                    raise SourceError(f"more than its claims would change: {moved}", source.name, hint)
                before, after = bytes_of(source, made)
        except SourceError as error:
            refused.append(error)
            continue
        if made.changed or made.left:
            revisions.append(Revision(source=source, updated=made, before=before, after=after))
    results = replace(results, unreadable=(*results.unreadable, *refused))
    return Revised(results=results, revisions=tuple(revisions))


def each_file(loaded: Iterable[Loaded]) -> Iterator[tuple[Loaded, Extraction]]:
    """What was found in each source; a link to one is the same file."""
    seen: set[Path] = set()
    for deck in loaded:
        for extraction in deck.extractions:
            path = files.real(Path(extraction.document.source.name))
            if path not in seen:
                yield deck, extraction
            seen.add(path)


def bytes_of(source: Source, made: Updated) -> tuple[bytes, bytes]:
    """The file of a source as it is, and as it would be. Raises SourceError if it was edited since it was read."""
    before = files.source_bytes(Path(source.name))
    if files.decode(before, source.name) != source:
        raise edited_meanwhile([source.name])
    return before, files.edited(before, source, made.edits)


SPOILED = "torch would deny what would stand there, or in another place"
OF_DATA = "a card in a file of data is mended by whoever wrote it"
UNRULY = "what torch shows would be read as more than this claim"
_MOST = 50
"""Edits that are tried one by one."""


@dataclass(slots=True)
class _Draft:
    """A source, what was found out about it, and which of its claims are left as they are."""

    deck: Loaded
    extraction: Extraction
    verdicts: tuple[Judged, ...]
    excluded: dict[str, str] = field(default_factory=dict)
    """Why claims are left as they are, by their ids."""

    @property
    def made(self) -> Updated:
        """What the source would become."""
        document = self.extraction.document
        if document.places:  # nothing tells which of the texts that share a line of the source its text belongs to
            why = OF_DATA if document.apart else SHARED_LINE
            left = tuple((verdict, why) for verdict in self.verdicts if is_stale(verdict))
            return Updated(text=document.source.text, edits={}, changed=(), left=left)
        made = updated(document.source, [one for one in self.verdicts if one.claim.id not in self.excluded])
        left = tuple((one, self.excluded[one.claim.id]) for one in self.verdicts if one.claim.id in self.excluded)
        return replace(made, left=(*made.left, *left))

    def moved(self, made: Updated) -> str | None:
        """What would change besides claims, if anything."""
        source = self.extraction.document.source
        if made.text == source.text:
            return None
        # read anew on both sides: an included snippet is no text of this source
        now, then = (extract(read(one)) for one in (source, replace(source, text=made.text)))
        changed = {one.claim.id for one in made.changed}
        moved = only_claims_moved(now.snippets, then.snippets, changed)
        return moved or only_defaults_moved(now.apis, then.apis, changed)

    def leave_unruly(self) -> None:
        """Leaves the claims whose new text would move more than themselves, where some of the source's do."""
        made = self.made
        if made.changed and len(made.changed) <= _MOST and self.moved(made):
            for verdict in made.changed:
                if self.moved(updated(self.extraction.document.source, [verdict])):
                    self.excluded[verdict.claim.id] = UNRULY

    def leave_denied(self, options: Options, progress: Progress) -> None:
        """Leaves the claims whose new text torch denies; all that were rewritten, if it denies another one then."""
        made = self.made
        if not made.changed or self.moved(made):
            return
        after = extract(read(replace(self.extraction.document.source, text=made.text)))
        now = verified([replace(self.deck, extractions=(after,))], options, progress).verification.sources[0].every
        own = [verdict for verdict in self.verdicts if verdict.claim.origin is None]
        if len(own) != len(now):  # snippets of other files were given to it
            return
        rewritten = {verdict.claim.id for verdict in made.changed}
        denied = [before for before, verdict in zip(own, now, strict=True) if verdict.is_false]
        others = (before for before in denied if not before.is_false and before.claim.id not in rewritten)
        spoiled = rewritten if any(others) else rewritten.intersection(before.claim.id for before in denied)
        self.excluded |= dict.fromkeys(spoiled, SPOILED)


def write_revisions(revisions: tuple[Revision, ...]) -> Iterator[Path]:
    """Writes the changed sources: but for their claims every byte is as it was.

    Raises at the end, when all others are written: SourceError for those that somebody has edited since they were read (theirs is
    newer), else for the first that cannot be written.
    """
    edited: list[str] = []
    closed: list[DeckgenError] = []
    for revision in revisions:
        path = Path(revision.source.name)
        if not revision.updated.changed:
            continue
        if files.source_bytes(path) != revision.before:
            edited.append(path.as_posix())
            continue
        try:
            files.write_through(path, revision.after)
        except DeckgenError as error:
            closed.append(error)
        else:
            yield path
    if edited:
        raise edited_meanwhile(edited)
    if closed:
        raise closed[0]


def edited_meanwhile(names: Sequence[str]) -> SourceError:
    """Somebody else was faster."""
    hint = "nothing was written there; run `deckgen update` again"
    return SourceError("was edited while it was being checked", ", ".join(names), hint)
