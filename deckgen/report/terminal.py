"""Results for a person at a terminal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from deckgen.model.deck import Change, Changes, kind_of
from deckgen.model.document import Refused
from deckgen.model.note import Note, front
from deckgen.model.results import Delivered, Disposition, Results
from deckgen.model.verdict import HELD, NameVerdict, Verdict
from deckgen.outcome import UNJUDGED, Finding, Notice, Outcome, hint_for, how_to_take, search
from deckgen.report.asked import by_rule
from deckgen.report.data import summary_data
from deckgen.text import harmless
from deckgen.text.harmless import Harmless
from deckgen.text.wording import as_typed, counted, differing_excerpts, one_line, without_fences

SHOWN_UNVERIFIED = 12
"""So many unverified claims are listed one by one; the rest are counted by reason."""
SHOWN_CHANGES = 10
_TITLE = 90
"""Characters of a title that a line shows."""


def verified(outcome: Outcome) -> Harmless:
    """Findings, then the summary, then why the run fails if it does."""
    found = search(outcome.results)
    lines = [f"to find the refuted cards in Anki's browser: {found}"] * bool(found)
    findings = [*_finding_lines(outcome), *_rule_hint(outcome)]
    return harmless.lines([*findings, *summary_lines(outcome.results), *lines, *_outcome_lines(outcome)])


def wrong(outcome: Outcome) -> Harmless:
    """`--quiet`: what makes the run fail, and nothing if nothing does."""
    failing = (line for finding in outcome.findings if finding.fails for line in _finding(finding))
    return harmless.lines([*failing, *_outcome_lines(outcome)])


def _finding_lines(outcome: Outcome) -> Iterator[str]:
    unchecked: list[Finding] = []
    causes: dict[str, list[Finding]] = defaultdict(list)
    others: dict[str, list[Finding]] = defaultdict(list)
    for finding in outcome.findings:
        if finding.word not in UNJUDGED or finding.fails:
            yield from _finding(finding)
        elif finding.word == "skipped":
            others[finding.cause or ""].append(finding)
        elif finding.cause:
            causes[finding.cause].append(finding)
        else:
            unchecked.append(finding)
    for cause, found in causes.items():
        yield f"{found[0].source}:{found[0].line}: unverified: {hint_for(cause, len(found))}"
    for here, found in others.items():
        checks = "1 check is" if len(found) == 1 else f"{len(found)} checks are"
        what = "for other machines" if here.endswith(("GPU", "GPUs")) else "about other versions"
        yield f"{found[0].source}:{found[0].line}: skipped: {here}: {checks} {what}"
    yield from _notice_lines(outcome)
    for finding in unchecked[:SHOWN_UNVERIFIED]:
        yield from _finding(finding._replace(diff=None))
    if len(unchecked) > SHOWN_UNVERIFIED:
        yield f"... and {len(unchecked) - SHOWN_UNVERIFIED} more unverified (all of them with --format json)"


def _notice_lines(outcome: Outcome) -> Iterator[str]:
    """Code that was not run as it stands; remarks are told beside the output."""
    newer: dict[str, list[Notice]] = defaultdict(list)
    for notice in outcome.notices:
        if notice.reason.startswith("needs"):
            newer[notice.reason].append(notice)
        elif notice.reason:
            yield f"{notice.source}:{notice.line}: {notice.message}"
    for reason, found in newer.items():
        needs = reason if len(found) == 1 else reason.replace("needs", "need")
        snippets = counted(len(found), "snippet")
        yield f"{found[0].source}:{found[0].line}: {snippets} {needs}: run deckgen with that Python"


def _finding(finding: Finding) -> Iterator[str]:
    message, *more = finding.message.split("\n")
    yield f"{finding.source}:{finding.line}: {finding.word}: {message}"
    yield from (f"    {line}" for line in (*more, *(finding.diff or "").splitlines()))


def _rule_hint(outcome: Outcome) -> Iterator[str]:
    """The rules of findings, as they can be pasted."""
    words = dict.fromkeys(one.word for one in outcome.findings if one.fails or one.word not in UNJUDGED)
    if words:
        yield f"deckgen explain {' '.join(words)}  # what {'this means' if len(words) == 1 else 'these mean'}, and what to do"


def detailed(results: Results) -> Harmless:
    """`-v`: each source with its counts and its time, and below it each claim and name with its word and the form of the claim."""
    lines: list[str] = []
    notes = {one.document.source.name: len(one.notes) for one in results.extractions}
    for source in results.verification.sources:
        held = sum(one.word in HELD for one in source.verdicts)
        exist = sum(one.word is NameVerdict.EXISTS for one in source.apis)
        counts = [
            counted(notes.get(source.source, 0), "note"),
            f"{counted(len(source.verdicts), 'claim')}, {held} held",
            f"{counted(len(source.apis), 'API name')}, {exist} {'exists' if exist == 1 else 'exist'}",
        ]
        seconds = results.verification.took.get(source.source)
        ran = f"ran for {seconds:.1f} s" if seconds is not None else "not run again"
        lines.append(f"{source.source}: {'; '.join(counts)}" + f"; {ran}" * bool(source.runs))
        for verdict in sorted(source.every, key=lambda one: one.claim.span.first):
            asked = f"{one_line(verdict.claim.asks)}: " if verdict.claim.asks else ""
            said = f"{asked}`{one_line(verdict.claim.text)}`"
            form = f" ({verdict.claim.form})" if isinstance(verdict, Verdict) else ""
            lines.append(f"  {source.source}:{verdict.claim.span.first}: {verdict.word}: {said}{form}")
    return harmless.lines(lines)


def ending(outcome: Outcome) -> Harmless:
    """What a run comes to, what fails it first: `1 contradicted, 40 held`."""
    results = outcome.results
    counts = summary_data(results.verification)
    failing = Counter(one.word for one in outcome.findings if one.fails)
    others = Counter(one.word for one in outcome.findings if not one.fails and one.word not in HELD)
    parts = [f"{count} {word}" for word, count in failing.items()]
    parts += [f"{len(results.unreadable)} unreadable"] * bool(results.unreadable)
    parts = parts or [f"exit {outcome.exit_code}"] * bool(outcome.exit_code)
    parts += [f"{counts['claims']['held']} held"] * bool(counts["claims"]["held"])
    if exist := counts["apis"]["exists"]:
        parts.append("1 name exists" if exist == 1 else f"{exist} names exist")
    parts += [f"{count} {word}" for word, count in others.items()]
    return harmless.lines([", ".join(parts or ["nothing was checked" if results.ran else "nothing was run"])])


def summary_lines(results: Results) -> Iterator[str]:
    """Found / checked / held / withheld, and where that was measured."""
    if part := results.part:
        yield f"{part.shard}: {len(part.own)} of {counted(len(part.sources), 'source')}"
    counts = summary_data(results.verification, results.decisions)
    claims, apis, snippets, notes = (counts[what] for what in ("claims", "apis", "snippets", "notes"))
    if results.ran:
        yield f"claims: {claims['found']} found, {claims['checked']} checked, {claims['held']} held{_words(claims)}"
        yield f"API names: {apis['found']} found, {apis['exists']} exist{_words(apis)}"
        if snippets["fails"]:
            yield f"snippets: {snippets['found']} found, {snippets['fails']} {'fails' if snippets['fails'] == 1 else 'fail'}"
    if results.decisions:
        shipped, corrected, withheld = notes["ship"] + notes["correct"], notes["correct"], notes["withhold"]
        waiting = f", {notes['suggest']} suggested" if notes["suggest"] else ""
        yield f"notes: {notes['found']} found, {shipped} shipped, {corrected} corrected, {withheld} withheld{waiting}"
        if results.ran and shipped:
            yield f"cards: {shipped} shipped{_proofs(counts['proofs'])}"
    if results.ran and (unread := _unread(results)):
        was = "was" if unread == 1 else "were"
        yield f"{counted(unread, 'note')} {was} not checked: deckgen inspect lists {'it' if unread == 1 else 'them'} with the reason"
    where = results.verification.environment
    if where.torch and results.ran:
        device = f"torch {where.torch}, Python {where.python}, {where.device}"
        yield f"{device}; sandbox: {where.sandbox}; engine: {where.engine}"
    elif results.ran:
        yield "no torch was needed"


_PROOFS = {
    "proved": "proved",
    "names": "with names checked",
    "unverified": "unverified",
    "refuted": "refuted",
    "open": "open",
}


def _unread(results: Results) -> int:
    """Notes of packages that are no cards for deckgen: pictures, or without a question or an answer."""
    foreign = (one.document for one in results.extractions if one.document.is_foreign)
    return sum(isinstance(block, Refused) for document in foreign for block in document.blocks)


def _proofs(counts: dict[str, int]) -> str:
    return "".join(f", {counts[one]} {words}" for one, words in _PROOFS.items() if counts[one])


_SILENT = {"found", "checked", "held", "holds", "exists"}


def _words(counts: dict[str, int]) -> str:
    parts = [f"{count} {word}" for word, count in counts.items() if count and word not in _SILENT]
    return f" ({', '.join(parts)})" if parts else ""


def _outcome_lines(outcome: Outcome) -> list[str]:
    """Why the exit status is not 0."""
    return [f"exit {outcome.exit_code}: {reason}" for reason in outcome.reasons]


def built(outcome: Outcome, delivered: Delivered, changes: Sequence[tuple[str, str, Changes]]) -> Harmless:
    """Findings, what changes for learners deck by deck, the summary, and the packages."""
    results = outcome.results
    lines = [*_finding_lines(outcome), *_rule_hint(outcome)]
    for name, typed, change in changes:
        lines += _change_lines(name, typed, change)
        if change.search:
            written = delivered.searches.get(name)
            what = f"search for what is in {written.as_posix()}" if written else change.search
            lines.append(f"  to find the removed notes in Anki's browser: {what}")
    lines += [*summary_lines(results), *_suggestion_lines(results)]
    lines += [*_unanswered_lines(results), *_left_out_lines(results), *_uncarded_lines(results)]
    if not results.ran:
        unchanged = "unchanged ones keep what the last check found"
        lines.append(f"nothing was run (--no-run): new cards say that they were not checked, {unchanged}")
    lines += [f"wrote {path.as_posix()}" for path in delivered.written]
    lines += [f"{path.as_posix()} is up to date" for path in delivered.current]
    lines += [f"the lock is {path.as_posix()}, since the notes' folder is read-only" for path in delivered.distant]
    return harmless.lines([*lines, *_outcome_lines(outcome)])


def _suggestion_lines(results: Results) -> Iterator[str]:
    """How many suggestions wait, and how the author takes them."""
    waiting = sum(decision.disposition is Disposition.SUGGEST for decision in results.decisions)
    if waiting:
        yield f"{counted(waiting, 'suggestion')}: {how_to_take(results, waiting)}"


def _unanswered_lines(results: Results) -> Iterator[str]:
    """Questions that are lost for want of an answer, file by file."""
    lines: dict[str, dict[int, None]] = defaultdict(dict)
    for extraction in results.extractions:
        for skip in extraction.skipped:
            if skip.unanswered:
                lines[extraction.document.source.name][skip.span.first] = None
    for name, places in list(lines.items())[:SHOWN_CHANGES]:
        questions = "1 question is" if len(places) == 1 else f"{len(places)} questions are"
        where = f"line{'s' * (len(places) > 1)} {', '.join(map(str, list(places)[:SHOWN_CHANGES]))}"
        where += ", ..." * (len(places) > SHOWN_CHANGES)
        yield f"{name}: {questions} left out, without an answer in the notes ({where}): see `deckgen inspect {as_typed(name)}`"
    if len(lines) > SHOWN_CHANGES:
        yield f"... and in {len(lines) - SHOWN_CHANGES} more files"


def _left_out_lines(results: Results) -> Iterator[str]:
    """Notes that the author left out, file by file."""
    for extraction in results.extractions:
        places = [str(one.span.first) for one in extraction.skipped if one.by_author]
        if places:
            where = f"line{'s' * (len(places) > 1)} {', '.join(places[:SHOWN_CHANGES])}{', ...' * (len(places) > SHOWN_CHANGES)}"
            yield f"{extraction.document.source.name}: {counted(len(places), 'note')} left out by the author ({where})"


def _uncarded_lines(results: Results) -> Iterator[str]:
    """How many blocks gave no card, besides those that are told by themselves."""
    every = (one for extraction in results.extractions for one in extraction.skipped)
    count = sum(not (one.unanswered or one.by_author) for one in every)
    if count:
        where = " ".join(one.partition(" --lock ")[0] for one in results.typed)  # `inspect` asks no lock
        yield f"{counted(count, 'block')} gave no card: deckgen inspect {where}"


_CHANGES = (
    ("changed", "changed", ("renamed", "moved", "returned")),
    ("renamed", "reworded, same note", ("returned",)),
    ("moved", "moved", ("renamed", "returned")),
    ("returned", "back again", ()),
    ("removed", "no longer in the sources, stays in Anki", ()),
)
"""A note that is in several of these is told once: not where it is in one of the last, which say more."""


def _change_lines(name: str, typed: str, changes: Changes) -> Iterator[str]:
    if changes.first:
        yield f"{name}: first build, {len(changes.new)} notes"
        return
    yield f"{name}: {len(changes.new)} new, {len(changes.changed)} changed, {changes.unchanged} unchanged"
    for field, what, better in _CHANGES:
        elsewhere = {change.guid for other in better for change in _listed(changes, other)}
        every = [change for change in _listed(changes, field) if change.guid not in elsewhere]
        for change in every[:SHOWN_CHANGES]:
            yield f"  {what}: {one_line(change.title, _TITLE)} ({change.where})"
            if change.detail:
                command = f": deckgen adopt {change.guid} {change.perhaps} {typed}" if change.perhaps else ""
                yield f"    {one_line(change.detail, 2 * _TITLE)}{command}"
        if len(every) > SHOWN_CHANGES:
            yield f"  ... and {len(every) - SHOWN_CHANGES} more {field}"
    if changes.emptied:
        there = "1 card is" if changes.emptied == 1 else f"{changes.emptied} cards are"
        yield f"  {there} no longer made and stay empty in Anki: after the import, Tools > Empty Cards removes them"
    if changes.spare:
        kept = counted(changes.spare, "reverse card")
        yield f"  {kept} would not be made today (other names fit, or the name is given away), and stay in the deck:"
        yield "    `deckgen build --retire` takes them back; then Tools > Empty Cards removes them from Anki"
    for pair in changes.doubtful:
        old, new = differing_excerpts(pair.old_title, pair.new_title, _TITLE)
        yield f"  perhaps one note: {old} / {new} ({pair.where}): if so, before you import: {pair.command(typed)}"
        yield f"    if not: {pair.command(typed)} --not"


def _listed(changes: Changes, field: str) -> tuple[Change, ...]:
    listed: tuple[Change, ...] = getattr(changes, field)
    return listed


_SHIPPED = {
    Disposition.SHIP: "shipped all the same",
    Disposition.CORRECT: "shipped corrected",
    Disposition.SUGGEST: "suggested",
    Disposition.WITHHOLD: "withheld",
}


def explained(results: Results) -> Harmless:
    """`build --explain`: every note that is not shipped as it stands, or is although it is false, and why."""
    lines: list[str] = []
    for one in results.decisions:
        if one.why or one.disposition is not Disposition.SHIP:
            place = f"{one.note.source}:{one.note.span.first}"
            lines.append(f"{place}: {_SHIPPED[one.disposition]}: {one.note.rule}: {_title(one.note)}")
            lines += (f"    {line}" for line in (one.why or "nothing speaks against it").split("\n"))
    return harmless.lines(lines or ["every note is shipped as it stands"] * bool(results.decisions))


def inspected(results: Results) -> Harmless:
    """`inspect`: every note with its place, what gave none and why, what to know of cards; then how many each rule made."""
    lines: list[str] = []
    found: Counter[str] = Counter()
    for extraction in results.extractions:
        source = extraction.document.source
        lines.append(f"{source.name} ({extraction.document.reader})")
        for note in extraction.notes:
            lines.append(f"  {source.at(note.span)}: {kind_of(note)} ({note.rule}; {note.standing}): {_title(note)}")
            lines += (f"    {doubt.name}: {doubt.reason}" for doubt in note.doubts)
        for skipped in extraction.skipped:
            more = f" (to line {skipped.span.last})" if skipped.span.last > skipped.span.first else ""
            lines.append(f"  {source.at(skipped.span)}: no note ({skipped.rule}): {skipped.reason}{more}")
        for remark in extraction.remarks:
            if remark.is_minor:  # the others are told beside the output
                lines.append(f"  {source.at(remark.span)}: carded ({remark.rule}): {remark.text}")
        claims = sum(len(snippet.claims) for snippet in extraction.snippets)
        found.update(notes=len(extraction.notes), snippets=len(extraction.snippets), claims=claims)
    summary = f"{found['notes']} notes, {found['snippets']} snippets, {found['claims']} claims"
    return harmless.lines([*lines, *_rule_lines(results), summary])


def _rule_lines(results: Results) -> Iterator[str]:
    """How many notes and refusals each rule gave."""
    for rule, made in by_rule(results.extractions).items():
        told = [counted(made.notes, "note")] * bool(made.notes) + [f"{made.refused} refused"] * bool(made.refused)
        yield f"{rule}: {', '.join(told)}"


def _title(note: Note) -> str:
    return one_line(without_fences(front(note)), _TITLE)
