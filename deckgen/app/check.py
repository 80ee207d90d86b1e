"""The way to the verdicts, station by station: load, verify, and what the verdicts and the lock mean for the notes."""

from __future__ import annotations

import time
from collections import ChainMap, Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckgen import files
from deckgen.app.load import Loaded, load, own_error, parsed_lock
from deckgen.app.options import Options, Progress, silent
from deckgen.app.rivals import refuted, settled
from deckgen.app.shards import keep_times, own_sources, part_of, part_of_all, waiver_uses
from deckgen.cache import refused
from deckgen.decide import Policy, broad, corrections, decide, identity, lost, rejudged, waive
from deckgen.files import DeckFolder
from deckgen.model.config import DeckConfig, Waiver
from deckgen.model.document import Extraction
from deckgen.model.errors import SourceError
from deckgen.model.note import Key, Note
from deckgen.model.results import NOTHING_CHECKED, NOTHING_RAN, BroadWaiver, Decision, Results
from deckgen.model.shard import Part
from deckgen.model.verdict import Checked, Verification, place_of
from deckgen.reverse import with_reverse
from deckgen.text.harmless import Harmless

if TYPE_CHECKING:
    from deckgen.identity import Lock
    from deckgen.verify import VerifyOptions


def inspect(what: Options | str | Path) -> Results:
    """What is found in notes. Runs nothing.

    >>> _ = Path("shapes.md").write_text("# Shapes\\n\\nQ: What is a shape?\\nA: The sizes of all dimensions.\\n")
    >>> len(inspect("shapes.md").extractions[0].notes)
    1
    """
    options = Options.of(what)
    return results_of(load(options), NOTHING_CHECKED, _refused(options), ran=False)


def verify(what: Options | str | Path, progress: Progress = silent) -> Results:
    """Runs every snippet that a claim needs, looks up every API name, and judges. Raises DeckgenError.

    >>> _ = Path("sum.md").write_text("# Sum\\n\\n```python\\nimport torch\\nprint(torch.ones(2).sum())  # tensor(3.)\\n```\\n")
    >>> for verdict in verify("sum.md").verification.sources[0].verdicts:
    ...     print(verdict.claim.span.first, verdict.word, verdict.claim.text, verdict.observed)
    5 contradicted tensor(3.) tensor(2.)
    """
    options = Options.of(what)
    left = digests(folder.lock for folder in options.deck_folders())  # before they are read
    return replace(verified_and_decided(load(options), options, progress), left=left)


def verified_and_decided(loaded: Sequence[Loaded], options: Options, progress: Progress = silent) -> Results:
    """What `verify` finds out about decks that are loaded already."""
    start = time.monotonic()
    part = part_of(loaded, options, options.shard) if options.shard else None
    results = verified([own_sources(deck, part) for deck in loaded] if part else loaded, options, progress)
    decided: list[Decision] = []
    lost: list[str] = []
    warnings = [*results.warnings]
    for deck in loaded:
        lock = deck.lock
        found = decisions(deck, lock, results.verification, options, part)
        decided += found
        missed, otherwise = losses(found, lock)
        lost += missed
        warnings += otherwise
    if part:
        results = replace(results, part=replace(part, waivers=waiver_uses(loaded, results, part)))
    else:
        keep_times(results, options)
    seconds = time.monotonic() - start
    return replace(
        results,
        decisions=tuple(decided),
        rivals=refuted(results) if results.ran else (),
        lost=tuple(lost),
        warnings=tuple(warnings),
        seconds=seconds,
    )


def digests(paths: Iterable[Path]) -> dict[str, str]:
    """Of locks and packages."""
    return {path.as_posix(): files.digest(path, files.PACKAGE_LIMIT) for path in paths}


def write_reports(reports: Sequence[tuple[Path, Harmless]]) -> None:
    """Writes reports to files: all of them, or none. Raises UsageError."""
    files.write_together([(path, text.encode()) for path, text in reports])


def verify_docstrings(package: str, options: Options, progress: Progress = silent) -> Results:
    """The examples in the docstrings of a package, checked like notes."""
    from deckgen.extract import extract
    from deckgen.read.docstring import read
    from deckgen.verify import verify as run
    from deckgen.verify.engine.interpreter import docstrings

    extractions: list[Extraction] = []
    unreadable: list[SourceError] = []
    for source in docstrings(package, options.python):
        try:
            with own_error(source.name):
                extractions.append(extract(read(source)))
        except SourceError as error:
            unreadable.append(error)
    part = part_of_all(extractions, options, options.shard) if options.shard else None
    own = [one for one in extractions if part is None or one.document.source.name in part.own]
    verification = run(own, _verify_options(DeckConfig(), options), progress)
    results = Results(extractions=tuple(own), verification=verification, unreadable=tuple(unreadable), part=part)
    keep_times(results, options)
    return results


@dataclass(frozen=True, slots=True)
class ApiTable:
    """API names as the live torch has them."""

    markdown: str
    problems: tuple[str, ...]
    """Names that torch lacks, each with a near one, and names that a package is missing for."""


def api_table(names: Sequence[str], options: Options) -> ApiTable:
    """A Markdown table of these names from the live torch."""
    from deckgen.outcome import distribution
    from deckgen.verify import look_up
    from deckgen.verify.names import table

    facts = look_up(table.table_request(names), _verify_options(DeckConfig(), options))
    problems = [
        f"{name} needs {module}, which is not installed: pip install {distribution(module)}"
        for name, module in table.missing_modules(facts, names).items()
    ]
    for name, near in table.unknown_names(facts, names).items():
        problems.append(f"{name}: torch has no such name" + (f"; did you mean `{near}`?" if near else ""))
    return ApiTable(table.api_table(facts, names), tuple(problems))


def results_of(
    loaded: Sequence[Loaded], verification: Verification, besides: Iterable[str] = (), ran: bool = True
) -> Results:
    """What was found and checked; `besides` is reported, too."""
    checked = verification.by_source
    extractions = tuple(settled(extraction, checked) for deck in loaded for extraction in deck.extractions)
    notices = [it for deck in loaded for it in (deck.folder.notice, deck.folder.renamed) if it]
    serious = (
        (one.document.source.name, it) for one in extractions for it in one.remarks if not (it.is_minor or it.is_error)
    )
    remarks = (f"{name}:{it.span.first}: {it.text}" for name, it in serious)
    return Results(
        extractions=extractions,
        verification=verification,
        named=frozenset(path.as_posix() for deck in loaded for path in deck.folder.named),
        unreadable=tuple(error for deck in loaded for error in deck.unreadable),
        ran=ran,
        typed=tuple(deck.folder.typed for deck in loaded),
        warnings=(*notices, *remarks, *besides),
        answers=ChainMap(*(deck.assets.answers for deck in loaded)),  # more is asked for while cards are rendered
    )


def verified(loaded: Sequence[Loaded], options: Options, progress: Progress = silent) -> Results:
    """All decks in one run where their settings allow it, so that torch is imported once.

    Claims that the author waives become `unverified: skipped`, with the author's reason.
    """
    names = [extraction.document.source.name for deck in loaded for extraction in deck.extractions]
    if options.no_run:
        nothing = tuple(Checked(source=name, runs={}, verdicts=(), apis=()) for name in names)
        return results_of(loaded, Verification(environment=NOTHING_RAN, sources=nothing), _refused(options), ran=False)
    from deckgen.verify import verify as run

    parts: dict[VerifyOptions, list[Extraction]] = defaultdict(list)
    for deck in loaded:
        parts[_verify_options(deck.folder.config, options)] += deck.extractions
    runs = [run(extractions, wanted, progress) for wanted, extractions in parts.items()]
    environment = next((one.environment for one in runs if one.sources), NOTHING_RAN)
    checked = {source.source: source for one in runs for source in one.sources}
    waived = [_waive(deck, checked) for deck in loaded]
    sources = tuple(checked[name] for name in names)
    imports = {name: what for one in runs for name, what in one.imports.items()}
    spent, took = Counter[str](), Counter[str]()
    for one in runs:
        spent.update(one.spent)
        took.update(one.took)
    found = Verification(environment=environment, sources=sources, imports=imports, spent=spent, took=took)
    results = results_of(loaded, found, [*_refused(options), *(line for unused, _ in waived for line in unused)])
    return replace(results, broad_waivers=tuple(one for _, broad_ones in waived for one in broad_ones))


def _waive(deck: Loaded, checked: dict[str, Checked]) -> tuple[list[str], list[BroadWaiver]]:
    """Waives claims of a deck; gives what to say of waivers that cover nothing, and those that cover too much.

    Of a part of a deck nobody can say how much of it a waiver covers.
    """
    waivers, used = deck.folder.config.waivers, Counter[Waiver]()
    names = [one.document.source.name for one in deck.extractions]
    for name in names if waivers else ():
        relative = deck.folder.relative(Path(name))
        own = [waiver for waiver in waivers if waiver.is_about(relative)]
        checked[name] = waive(checked[name], own, used)
    if not deck.folder.whole:
        return [], []
    config = (deck.folder.root / files.CONFIG_NAME).as_posix()
    unused = [
        f"{config}:{waiver.line}: the waiver for `{waiver.text}` matches no claim any more; remove it"
        for waiver in waivers
        if waiver not in used
    ]
    verdicts = [verdict for name in names for verdict in checked[name].verdicts]
    return unused, [BroadWaiver(config=config, line=one.line, message=why) for one, why in broad(used, verdicts)]


def _refused(options: Options) -> Iterator[str]:
    """Of the folders of the cache that this run would have used."""
    return iter(()) if options.no_cache else refused()


def _verify_options(config: DeckConfig, options: Options) -> VerifyOptions:
    from deckgen.verify import VerifyOptions

    defaults = VerifyOptions()
    return VerifyOptions(
        python=options.python,
        device=options.device or config.device or defaults.device,
        jobs=options.jobs,
        timeout=options.timeout or config.timeout or defaults.timeout,
        sandbox=options.sandbox,
        use_cache=not options.no_cache,
        prelude=config.prelude or defaults.prelude,
        dask=options.dask or "",
    )


def first_run_notice(options: Options) -> str | None:
    """What a person should know before the notes of a place are run for the first time; once a place."""
    fresh = [place for place in options.paths if not options.no_run and files.first_time(Path(place))]
    if not fresh:
        return None
    return (
        f"the code in {', '.join(fresh)} will be executed, contained in a sandbox as far as this system has one "
        "(the report names it; --sandbox require insists; `deckgen inspect` runs nothing)"
    )


# --- the lock at the start of a run, and what it means for the notes ---


def read_lock(folder: DeckFolder) -> tuple[str | None, Lock | None]:
    """The lock of a deck, and its text; None before its first build. Raises UsageError for one that cannot be trusted."""
    text = folder.lock_text()
    return text, parsed_lock(folder, text)


def decisions(
    deck: Loaded, lock: Lock | None, verification: Verification, options: Options, part: Part | None = None
) -> tuple[Decision, ...]:
    """A decision for every note of a deck, or of its part; the same note in several sources is one, and belongs to the first."""
    from deckgen.extract.same_question import merge
    from deckgen.identity import are_learnt

    checked = verification.by_source
    notes = merge(note for extraction in deck.extractions for note in settled(extraction, checked).notes)
    notes = _as_learnt(notes, checked, lock) if lock and not options.no_run else notes
    # what learners have already, reworded or not
    learnt = zip(notes, are_learnt(notes, lock), strict=True) if lock else ()
    policy = Policy(
        on_contradiction=options.on_contradiction or deck.folder.config.on_contradiction,
        run=not options.no_run,
        shipped=frozenset(one for one, has in learnt if has),
        suggestions=options.suggestions or deck.folder.config.suggestions,
    )
    if part:
        notes = tuple(note for note in notes if note.source in part.own)
    return with_reverse(decide(notes, checked, verification.environment, policy), checked)


def _as_learnt(notes: tuple[Note, ...], checked: Mapping[str, Checked], lock: Lock) -> tuple[Note, ...]:
    """The notes; what was learnt while it was true, and has become false since, under the key that it had then.

    A statement is known by its words, and what is false in it may be one of them.
    """
    from deckgen.identity import are_learnt

    taken = {note.key for note in notes}
    true = [_true_key(note, pairs) for note, pairs in corrections(notes, checked)]
    trial = [note if key in taken else replace(note, key=key) for note, key in zip(notes, true, strict=True)]
    if all(one.key == note.key for one, note in zip(trial, notes, strict=True)):
        return notes
    restored = [note if has else one for one, note, has in zip(trial, notes, are_learnt(notes, lock), strict=True)]
    return tuple(
        one if has else note for one, note, has in zip(restored, notes, are_learnt(restored, lock), strict=True)
    )


def _true_key(note: Note, pairs: Sequence[tuple[str, str]]) -> Key:
    """The key that a note would have if it said what is true."""
    anchor = note.key.anchor
    for false, true in pairs:
        bare = false.strip("'\""), true.strip("'\"")  # keys have no marks at their ends
        for before, after in ((false, true), bare):
            if place := place_of(anchor, before):
                anchor = anchor[: place[0]] + after + anchor[place[1] :]
                break
    return Key(note.key.headings, anchor)


def losses(decided: Sequence[Decision], lock: Lock | None) -> tuple[list[str], list[str]]:
    """What was checked at the last build of a deck and is not any more; and what this deckgen judges otherwise, which is no loss."""
    known = {identity(note.id, note.key): note.words for note in lock.live} if lock else {}
    return [*lost(decided, known)], [*rejudged(decided, known)]
