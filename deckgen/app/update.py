"""The way back into the sources: what torch showed, written where the notes claimed otherwise."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deckgen import files
from deckgen.app.check import results_of, verified
from deckgen.app.load import Loaded, load
from deckgen.app.options import Options, Progress, silent
from deckgen.extract import extract
from deckgen.model.document import Extraction
from deckgen.model.errors import DeckgenError, SourceError
from deckgen.model.results import Results
from deckgen.model.source import Source
from deckgen.model.verdict import FALSE, Checked, Verdict
from deckgen.outcome import told
from deckgen.read import read
from deckgen.text import harmless
from deckgen.update import STALE, Updated, only_claims_moved, updated

SHARED_LINE = "its file writes several lines of text on one: save it with a line for each first"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One source and what it would become."""

    source: Source
    updated: Updated

    @property
    def changed_lines(self) -> list[str]:
        """What is out of date, a line a claim."""
        return [f"{self.source.at(one.claim.span)}: out of date: {told(one)}" for one in self.updated.changed]

    @property
    def left_lines(self) -> list[str]:
        """What cannot be rewritten, and why."""
        return [f"{self.source.at(one.claim.span)}: left as it is: {why}" for one, why in self.updated.left]

    @property
    def patch(self) -> bytes:
        """A unified diff that `git apply` and `patch -p1` take: its lines are the file's, in its encoding.

        Neither takes UTF-16; such a file's patch is for reading, in UTF-8.
        """
        lines = enumerate(self.patch_lines)
        return b"".join(line.encode() if number < 2 else self._as_written(line) for number, line in lines)

    @property
    def patch_lines(self) -> list[str]:
        """The lines of the patch, with their ends.

        One around the changes that runners would obey (`::error`, and Markdown's `:::` for all they know) is taken out
        and put in again: so it begins with a mark.
        """
        name = self.source.name.lstrip("/")
        before, after = (_lines(text) for text in (self.source.text, self.updated.text))
        lines = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
        apart = ((line, line.startswith(" ") and line.lstrip().startswith("::")) for line in lines)
        return [each for line, obeyed in apart for each in ([f"-{line[1:]}", f"+{line[1:]}"] if obeyed else [line])]

    @property
    def is_harmless(self) -> bool:
        """False if the patch would command what shows it."""
        lines = (line.removesuffix("\n") for line in self.patch_lines)
        return self.source.newline != "\r" and all(harmless.line(line) == line for line in lines)

    def _as_written(self, line: str) -> bytes:
        if line.startswith("@@"):
            return line.encode()
        encoding = "utf-8" if self.source.encoding.startswith("utf-16") else self.source.encoding
        whole = line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        return whole.replace("\n", self.source.newline, int(line.endswith("\n"))).encode(encoding)


def _lines(text: str) -> list[str]:
    """Lines with their ends; a form feed or U+2028 ends none."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]


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
    loaded = load(options)
    verification, warnings = verified(loaded, options, progress)
    checked = {source.source: source for source in verification.sources}
    drafts = [_draft(deck, each, checked[each.document.source.name]) for deck in loaded for each in deck.extractions]
    drafts = [draft.without(_unruly(draft)) for draft in drafts]
    spoiled = _spoiled(drafts, options, progress)
    revisions: list[Revision] = []
    refused: list[DeckgenError] = []
    for draft in drafts:
        source = draft.extraction.document.source
        made = draft.without(dict.fromkeys(spoiled.get(source.name, ()), SPOILED)).updated
        moved = _moved(draft.extraction, made.text)
        if moved:
            hint = "this source was left as it is; correct it by hand"
            refused.append(SourceError(f"more than its claims would change: {moved}", source.name, hint))
        elif made.changed or made.left:
            revisions.append(Revision(source=source, updated=made))
    results = results_of(loaded, verification)
    results = replace(results, unreadable=(*results.unreadable, *refused), warnings=warnings)
    return Revised(results=results, revisions=tuple(revisions))


@dataclass(frozen=True, slots=True)
class _Draft:
    """A source, what was found out about it, and what it would become."""

    deck: Loaded
    extraction: Extraction
    verdicts: tuple[Verdict, ...]
    updated: Updated
    excluded: Mapping[str, str] = field(default_factory=dict)
    """Why claims are left as they are, by their ids."""

    def without(self, reasons: Mapping[str, str]) -> _Draft:
        """The same with the claims of these ids left as they are, each for its reason."""
        if not reasons:
            return self
        excluded = {**self.excluded, **reasons}
        kept = [verdict for verdict in self.verdicts if verdict.claim.id not in excluded]
        made = updated(self.extraction.document.source, kept)
        left = tuple((one, excluded[one.claim.id]) for one in self.verdicts if one.claim.id in excluded)
        return replace(self, updated=replace(made, left=(*made.left, *left)), excluded=excluded)


SPOILED = "torch would deny what would stand there, or in another place"
UNRULY = "what torch shows would be read as more than this claim"
_MOST = 50
"""Edits that are tried one by one."""


def _unruly(draft: _Draft) -> dict[str, str]:
    """The claims whose new text would move more than themselves, where some of a source's do."""
    changed = draft.updated.changed
    if not changed or len(changed) > _MOST or not _moved(draft.extraction, draft.updated.text):
        return {}
    source = draft.extraction.document.source
    alone = {verdict.claim.id: updated(source, [verdict]).text for verdict in changed}
    return {name: UNRULY for name, text in alone.items() if _moved(draft.extraction, text)}


def _draft(deck: Loaded, extraction: Extraction, checked: Checked) -> _Draft:
    source, verdicts = extraction.document.source, checked.verdicts
    made = _left(source, verdicts) if extraction.document.places else updated(source, verdicts)
    return _Draft(deck, extraction, verdicts, made)


def _spoiled(drafts: Sequence[_Draft], options: Options, progress: Progress) -> dict[str, frozenset[str]]:
    """By source, the ids of claims whose new text torch denies; all that were rewritten, if it denies another one then."""
    changed = [draft for draft in drafts if draft.updated.changed and not _moved(draft.extraction, draft.updated.text)]
    found: dict[str, frozenset[str]] = {}
    for draft in changed:
        source = draft.extraction.document.source
        after = extract(read(replace(source, text=draft.updated.text)))
        verification, _ = verified([replace(draft.deck, extractions=(after,))], options, progress)
        found[source.name] = _denied(draft, verification.sources[0].verdicts)
    return found


def _denied(draft: _Draft, after: Sequence[Verdict]) -> frozenset[str]:
    own = [verdict for verdict in draft.verdicts if verdict.claim.origin is None]
    rewritten = frozenset(verdict.claim.id for verdict in draft.updated.changed)
    if len(own) != len(after):  # snippets of other files were given to it
        return frozenset()
    false = [before for before, now in zip(own, after, strict=True) if now.word in FALSE]
    if any(before.word not in FALSE and before.claim.id not in rewritten for before in false):
        return rewritten
    return rewritten & {before.claim.id for before in false}


def _left(source: Source, verdicts: Iterable[Verdict]) -> Updated:
    """Where texts share a line of the source nothing tells which of them a line's text belongs to."""
    stale = tuple((verdict, SHARED_LINE) for verdict in verdicts if verdict.word in STALE)
    return Updated(text=source.text, changed=(), left=stale)


def _moved(before: Extraction, text: str) -> str | None:
    source = before.document.source
    if text == source.text:
        return None
    # read anew on both sides: an included snippet is no text of this source
    now, then = (extract(read(one)).snippets for one in (source, replace(source, text=text)))
    return only_claims_moved(now, then)


def write_revisions(revisions: tuple[Revision, ...]) -> Iterator[Path]:
    """Writes the changed sources with the line ends and the encoding that they had.

    Raises SourceError for one that somebody has edited since it was read: theirs is newer.
    """
    for revision in revisions:
        if revision.updated.changed:
            path = Path(revision.source.name)
            if files.load(path) != revision.source:
                hint = "nothing was written there; run `deckgen update` again"
                raise SourceError("was edited while it was being checked", path.as_posix(), hint)
            files.write_through(path, files.encode(replace(revision.source, text=revision.updated.text)))
            yield path
