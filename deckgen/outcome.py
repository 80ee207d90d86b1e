"""The exit status of a run, and why: 0 fine, 1 something is false, stale or lost, 3 unreadable source.

And why something could not be judged, in words; the reports for programs have the bare code, which never changes.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from deckgen.model.document import Extraction
from deckgen.model.errors import UsageError
from deckgen.model.note import Note, Standing, front
from deckgen.model.results import Disposition, Proof, Results
from deckgen.model.verdict import (
    BROAD_WAIVER,
    CHECKED,
    FAILING,
    FAILS,
    ApiVerdict,
    NameVerdict,
    Verdict,
    VerdictKind,
    wrong_key,
)
from deckgen.text.pattern import pattern
from deckgen.text.wording import as_typed, counted, near_ones, one_line

FINE = frozenset({"holds", "holds-structure", "holds-pattern", "exists", "not-an-api"})
"""Words of which nothing needs to be said."""
UNJUDGED = frozenset({"unverified", "skipped"})
"""Words of what nobody could judge here."""
WORDS: frozenset[str] = frozenset({*VerdictKind, *NameVerdict, FAILS, BROAD_WAIVER})
SUGGESTED = "suggested"
"""For `--fail-on`: what only a suggestion says in words fails a run, too."""


class MinChecked(NamedTuple):
    """`--min-checked 20` or `--min-checked 80%`."""

    least: float = 0
    percent: bool = False


class Finding(NamedTuple):
    """One verdict worth telling, at its place."""

    source: str
    line: int
    """From 1."""
    last: int
    word: str
    message: str
    fails: bool
    diff: str | None = None
    cause: str | None = None
    """Why it could not be checked, where others may have been kept from it by the same."""
    of_name: bool = False
    """True for an API name."""
    claim: str = ""
    """The id of the claim or name; of code that raises and of waivers there is none."""
    bare: str = ""
    """The message without the name of the card that a package gives it; empty = it has none."""


class Notice(NamedTuple):
    """What an author should know of a line, whatever is claimed there."""

    source: str
    line: int
    """From 1."""
    message: str
    reason: str = ""
    """Of code that was not run as it stands: `not-python`, `needs Python 3.12`, `missing-file model.pt`."""

    @property
    def word(self) -> str:
        return self.reason.partition(" ")[0] or "remark"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the run ends, and all that the reports tell of it."""

    exit_code: int
    reasons: tuple[str, ...]
    """One line each, most important first; empty if all is well."""
    results: Results = field(repr=False)
    findings: tuple[Finding, ...] = field(repr=False)
    """Every verdict that is not plainly fine, in document order, and waivers that hide too much."""
    notices: tuple[Notice, ...] = field(repr=False)
    failing_words: frozenset[str] = field(repr=False)
    """Words of a finding that fail this run."""
    of_run: tuple[str, ...] = field(default=(), repr=False)
    """Those of the reasons that are about no single claim, name or source."""
    min_checked: MinChecked = field(default_factory=MinChecked, repr=False)
    min_proved: MinChecked = field(default_factory=MinChecked, repr=False)


def parse_fail_on(text: str | None) -> frozenset[str]:
    """The words that fail a run: the usual ones and those of the text. Raises UsageError.

    `unverified,fails` adds two to the usual ones; `none` takes these away, so that of `none,missing` only `missing` is left;
    `any` is every word of what is not plainly fine, but for `skipped`: what is about other versions.
    """
    words = {word.strip() for word in (text or "").split(",")} - {""}
    if unknown := sorted(words - WORDS - {"any", "none", SUGGESTED}):
        known = ("any", "none", SUGGESTED, *sorted(WORDS))
        hint = near_ones(unknown[0], known) or f"words: {', '.join(known)}"
        raise UsageError(f"unknown word `{unknown[0]}`", "--fail-on", hint)
    usual = frozenset() if "none" in words else FAILING
    return usual | ((WORDS | {SUGGESTED}) & words) | (WORDS - FINE - {"skipped"} if "any" in words else frozenset())


def parse_min_checked(text: str | None, option: str = "--min-checked", noun: str = "claims") -> MinChecked:
    """Of this option or of `--min-proved`. Raises UsageError."""
    if text is None:
        return MinChecked()
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)", text.strip())
    if not found or (found[2] and float(found[1]) > 100):
        raise UsageError(f"`{text}` is neither a number of {noun} nor a percentage", option)
    return MinChecked(float(found[1]), True) if found[2] else MinChecked(int(float(found[1])))


FIRST_WORDS = 60
"""Characters of a card that tell which one it is."""


def card_of(note: Note) -> str:
    """How a card of a package is told: `nid:1700000000000 in Torch::Shapes, "What is the shape of..."`."""
    where = f" in {note.deck}" if note.deck else ""
    return f'nid:{nid(note)}{where}, "{first_words(note)}"'


def first_words(note: Note) -> str:
    """What a card asks, without its marks, cut short."""
    return one_line(_MARKS.sub(lambda mark: mark[1] or "", front(note)), FIRST_WORDS)


def nid(note: Note) -> str:
    """What finds it in Anki's browser; of several cards that a note was read as the note."""
    return (note.explicit_id or "").partition(".")[0]


def search(results: Results) -> str:
    """What finds the refuted cards of packages in Anki's browser: `nid:1,2,3`; empty if there are none."""
    named = {one.document.source.name for one in results.extractions if one.document.is_foreign}
    wrong = (one.note for one in results.decisions if one.note.source in named and one.proof is Proof.REFUTED)
    ids = ",".join(dict.fromkeys(map(nid, wrong)))
    return f"nid:{ids}" if ids else ""


_MARKS = pattern(r"\\([^\w\s]|_)|^```\w*$|[`*]", re.MULTILINE)
"""Of Markdown; a sign that is escaped is no mark."""


def _told_as_cards(results: Results) -> dict[tuple[str, int], str]:
    """How each card of a package is told, by its source and line."""
    return {
        (extraction.document.source.name, note.span.first): f"{card_of(note)}: "
        for extraction in results.extractions
        if extraction.document.is_foreign
        for note in extraction.notes
    }


def _findings(results: Results, fail_on: frozenset[str]) -> tuple[Finding, ...]:
    found: list[Finding] = []
    cards = _told_as_cards(results)
    offered = frozenset() if SUGGESTED in fail_on else _said_by_suggestions(results)
    for source in results.verification.sources:
        here: list[Finding] = []
        for verdict in source.every:
            word, span = verdict.word.value, verdict.claim.span
            if word in fail_on or word not in FINE:
                diff = verdict.diff if isinstance(verdict, Verdict) else None
                why = cause(verdict.reason) if word == "unverified" else verdict.reason if word == "skipped" else None
                fails = word in fail_on and (source.source, verdict.claim.id) not in offered
                of_name = isinstance(verdict, ApiVerdict)
                bare = in_short(verdict)
                message = f"{cards.get((source.source, span.first), '')}{bare}"
                place = source.source, span.first, span.last
                here.append(Finding(*place, word, message, fails, diff, why, of_name, verdict.claim.id, bare))
        # code that raises; where a claim about it is an error already, that says it
        errors = [verdict.reason or "" for verdict in source.verdicts if verdict.word is VerdictKind.ERROR]
        for failure in source.fails.values():
            if not any(failure.message[:60] in reason for reason in errors):
                line = failure.line + 1
                message = f"{cards.get((source.source, line), '')}{failure.message}"
                here.append(Finding(source.source, line, line, FAILS, message, FAILS in fail_on))
        found += sorted(here, key=lambda finding: (finding.line, finding.last))
    for one in results.broad_waivers:
        found.append(Finding(one.config, one.line, one.line, BROAD_WAIVER, one.message, BROAD_WAIVER in fail_on))
    return tuple(found)


def _said_by_suggestions(results: Results) -> frozenset[tuple[str, str]]:
    """What only suggestions say, in words: a doubt about them, and no fault of the notes (source, id of the claim)."""
    asked = {
        (source.source, verdict.claim.id)
        for source in results.verification.sources
        for verdict in source.every
        if verdict.claim.asks
    }
    notes = [decision.note for decision in results.decisions]
    notes += (note for extraction in results.extractions for note in extraction.rivals)
    firm = {(one.source, claim) for one in notes if one.standing is not Standing.SUGGESTED for claim in one.rests_on}
    return frozenset(asked - firm)


def _notices(results: Results) -> Iterator[Notice]:
    """Misspelt directives and the like, code that does not parse, and files that are not there, source by source."""
    checked = results.verification.by_source
    for extraction in results.extractions:
        name = extraction.document.source.name
        for remark in extraction.remarks:
            if not (remark.is_minor or remark.is_error):
                yield Notice(name, remark.span.first, remark.text)
        runs = checked[name].runs if name in checked else {}
        for snippet in extraction.snippets:
            run = runs[snippet.id].first if snippet.id in runs else None
            reason = (run and run.reason) or ""
            if run and (reason == "not-python" or reason.startswith("needs Python")):
                yield Notice(name, snippet.lines[0] + 1, in_words(reason), reason)
            elif run and reason.startswith("missing-file") and (run.exception or "").startswith("FileNotFoundError"):
                yield Notice(name, snippet.lines[run.exception_line or 0] + 1, in_words(reason), reason)


def in_short(verdict: Verdict | ApiVerdict) -> str:
    """What is claimed, and what is wrong with it, on one line."""
    place = f" ({verdict.claim.origin})" if verdict.claim.origin else ""
    claimed = f"`{one_line(verdict.claim.text)}`{place}"
    if isinstance(verdict, Verdict) and verdict.claim.asks:
        given = f" with `{verdict.claim.given}`" if verdict.claim.given else ""
        claimed = f"`{one_line(verdict.claim.asks)}`{given}: {claimed}"
    if why := wrong_key(verdict) or (verdict.reason and in_words(verdict.reason)):
        return f"{claimed}: {why}"
    instead = verdict.suggestion if isinstance(verdict, ApiVerdict) else verdict.observed
    if not instead or verdict.word is VerdictKind.UNVERIFIED:
        return claimed
    return f"{claimed}: torch says `{one_line(instead)}`"


def outcome(
    results: Results,
    fail_on: frozenset[str] = FAILING,
    min_checked: MinChecked | None = None,
    min_proved: MinChecked | None = None,
) -> Outcome:
    """The exit status of a finished run (engine and usage errors never get here)."""
    findings = _findings(results, fail_on)
    least = min_checked or MinChecked(), min_proved or MinChecked()
    of_run = _reasons(results, *least)
    reasons = (*map(str, results.unreadable), *_failures(findings), *of_run)
    exit_code = 3 if results.unreadable else int(bool(reasons))
    return Outcome(exit_code, reasons, results, findings, tuple(_notices(results)), fail_on, of_run, *least)


def _failures(findings: tuple[Finding, ...]) -> Iterator[str]:
    counts = Counter(
        one.word if one.word in (FAILS, BROAD_WAIVER) else "name" if one.of_name else "claim"
        for one in findings
        if one.fails
    )
    if claims := counts["claim"]:
        yield f"{claims} {'claim is' if claims == 1 else 'claims are'} false or cannot run"
    if names := counts["name"]:
        yield f"{names} API {'name is' if names == 1 else 'names are'} wrong"
    if counts[FAILS]:
        fail = "fails" if counts[FAILS] == 1 else "fail"
        yield f"{counted(counts[FAILS], 'snippet')} {fail}, and the notes do not say so"
    if broad := counts[BROAD_WAIVER]:
        yield f"{broad} {'waiver covers' if broad == 1 else 'waivers cover'} too many claims"


def _reasons(results: Results, checked: MinChecked, proved: MinChecked) -> tuple[str, ...]:
    """What is about no single claim. Of a shard nobody can say that it checks or proves too little: `too_few` of the whole run does."""
    return (
        *(f"lost: {line}" for line in results.lost),
        *_without_notes(results),
        *_only_suggested(results),
        *(f"{lock} is out of date: build without --locked and commit it" for lock in results.stale),
        *(too_few(tally(results), checked, proved) if results.ran and results.part is None else ()),
    )


class Tally(NamedTuple):
    """What `--min-checked` and `--min-proved` look at."""

    claims: int
    checked: int
    shipped: int
    proved: int


def tally(results: Results) -> Tally:
    """The counts of a run, or of a shard: those of all shards add up."""
    every = (verdict for source in results.verification.sources for verdict in source.verdicts)
    # no green run becomes red by a newer deckgen alone: it found no claims in code that does not parse, and called what is
    # chance's or nobody's held by its structure
    verdicts = [verdict for verdict in every if not verdict.waived and verdict.claim.place != "unparsed"]
    shipped = [decision for decision in results.decisions if decision.is_shipped]
    return Tally(
        claims=len(verdicts),
        checked=sum(verdict.word in CHECKED or verdict.undecidable for verdict in verdicts),
        shipped=len(shipped),
        proved=sum(decision.proof is Proof.PROVED for decision in shipped),
    )


def too_few(counts: Tally, checked: MinChecked, proved: MinChecked) -> Iterator[str]:
    """Why a run fails that checked or proved less than it should."""
    if counts.claims and not counts.checked:
        yield f"{counts.claims} claims were found and none could be checked"
    elif checked.percent and counts.checked * 100 < checked.least * counts.claims:
        yield f"only {counts.checked} of {counts.claims} claims were checked; --min-checked wants {checked.least:g} %"
    elif not checked.percent and counts.checked < checked.least:
        yield f"only {counts.checked} claims were checked; --min-checked wants {checked.least}"
    if proved.percent and counts.proved * 100 < proved.least * counts.shipped:
        yield f"only {counts.proved} of {counts.shipped} cards are proved; --min-proved wants {proved.least:g} %"
    elif not proved.percent and counts.proved < proved.least:
        yield f"only {counts.proved} cards are proved; --min-proved wants {proved.least}"


def how_to_take(results: Results, count: int) -> str:
    """How an author takes so many suggestions."""
    what, them = " ".join(results.typed), "it" if count == 1 else "them"
    paths = [shlex.split(typed)[0] for typed in results.typed]
    if len(paths) > _FEW_PATHS and len({path.startswith("/") for path in paths}) == 1:
        what = as_typed(posixpath.commonpath(paths) or ".")
    return f"`deckgen review {what}` asks about {them}, `--suggestions ship` takes {them}"


_FEW_PATHS = 3
"""Decks that are named one by one."""


def _only_suggested(results: Results) -> Iterator[str]:
    """Decks from which a package was expected, and named sources, that have only suggestions."""
    by_source: dict[str, list[Disposition]] = defaultdict(list)
    for decision in results.decisions:
        by_source[decision.note.source].append(decision.disposition)
    checked = {one.source for one in results.verification.sources if one.verdicts and not results.builds}
    only = [name for name, found in by_source.items() if {*found} == {Disposition.SUGGEST} and name not in checked]
    if results.builds and only and len(only) == len(by_source) and not results.named:
        yield f"no note is shipped, all are suggestions: {how_to_take(results, len(results.decisions))}"
    else:
        for name in only:
            if name in results.named:
                yield f"{name}: all its notes are suggestions: {how_to_take(results, len(by_source[name]))}"


NOTHING_FOUND = "nothing was found in these sources: no note, no snippet (see `deckgen inspect`)"


def _without_notes(results: Results) -> Iterator[str]:
    """Files that were named, and decks of a build, that gave nothing; one line if nothing gave anything."""
    if results.part or any(extraction.notes or extraction.snippets for extraction in results.extractions):
        silent = [
            extraction.document.source.name
            for extraction in results.extractions
            if extraction.document.source.name in results.named and not (extraction.notes or _has_claims(extraction))
        ]
        for name in dict.fromkeys((*silent, *results.noteless)):
            yield f"{name}: no note was found in it (`deckgen inspect {as_typed(name)}` says why)"
    elif results.extractions or not results.unreadable:  # that nothing could be read says all
        yield NOTHING_FOUND


def _has_claims(extraction: Extraction) -> bool:
    return any(one.place != "unparsed" for snippet in extraction.snippets for one in snippet.claims)


REASONS_IN_WORDS = {
    "assumed": "nothing above says what `{}` is; it is taken for what the notes show",
    "assumed-indentation": "the source has lost its indentation, and what this prints depends on how it is restored",
    "chance": "the output is random, and there was no time for enough runs to tell true from false",
    "context": "a name in it was given its value under another chapter, which the notes may not mean here",
    "disk-limit": "it wrote more than a snippet may",
    "empty": "there is no code",
    "environment": "it depends on the machine: versions, paths, threads, names of devices",
    "flooded": "it printed more than a snippet may",
    "forged": "it wrote into the records of the run",
    "killed": "its process was killed, perhaps for want of memory",
    "lost": "the run ended before it",
    "memory-limit": "it needs more memory than a snippet may have",
    "missing-file": "the code reads `{}`, and there is no such file",
    "missing-module": "the code imports `{}`, which is not installed here",
    "missing-name": "the code uses `{}`, and nothing above it says what that is",
    "needs": "it is written in a newer Python than the one that runs deckgen",
    "needs-cuda": "it needs a GPU that is not here",
    "needs-distributed": "it needs several processes that talk to each other",
    "not-started": "it could not be started",
    "not-python": "this code does not parse",
    "not-reached": "the code stopped, or went another way, before it came here",
    "placeholder": "the code has gaps to be filled in",
    "sandbox": "it asks for files, programs or a network that the sandbox does not give it",
    "signature-only": "this shows how something is called, and is no call",
    "timed-out": "it took longer than a snippet may (`--timeout`); unless other programs kept it waiting, it is tried again with another limit only",
    "uninitialised": "it shows memory that nobody has set",
    "too-many-processes": "it started more processes than a snippet may",
    "too-much-memory": "its processes together took more memory than a snippet may have",
    "worker-killed": "its process was killed",
}
"""Why something is `unverified`, in words; a name stands for the braces."""


def in_words(reason: str) -> str:
    """`missing-name x (the code uses `x`, and nothing above it says what that is)`; as it is if it is a sentence."""
    code, _, rest = reason.partition(" ")
    name, colon, more = rest.partition(":")
    words = REASONS_IN_WORDS.get(code)
    if words is None or ("{}" in words and not name):
        return reason
    return f"{code} {name}".rstrip() + f" ({words.format(name)}{colon}{more})"


# --- what keeps many claims from being checked, and the command that mends it: told once, not claim by claim ---

_DISTRIBUTIONS: Mapping[str, str] = {
    "tensorboard": '"torch-deckgen[tensorboard]"',
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "cv2": "opencv-python",
    "PIL": "pillow",
    "yaml": "pyyaml",
    "bs4": "beautifulsoup4",
    "pytorch_lightning": "lightning",
}
"""What pip calls a package whose module has another name."""


def cause(reason: str | None) -> str | None:
    """What several claims may have in common that could not be checked; None for what each has for itself."""
    code, _, name = (reason or "").partition(" ")
    if code == "missing-module":
        return f"missing-module {name.partition('.')[0].rstrip(':')}"
    return reason if code in ("needs-cuda", "timed-out") or (reason or "").startswith("needs Python") else None


def hint_for(cause: str, count: int) -> str:
    """`42 checks need tensorboard: pip install "torch-deckgen[tensorboard]"`."""
    code, _, name = cause.partition(" ")
    checks = counted(count, "check")
    if code == "timed-out":
        return f"{checks} took longer than a snippet may: --timeout 120"
    what, remedy = {
        "missing-module": (name, f"pip install {distribution(name)}"),
        "needs-cuda": ("a GPU that is not here", "run deckgen where there is one"),
    }.get(code, (name, "run deckgen with that Python"))
    return f"{checks} {'needs' if count == 1 else 'need'} {what}: {remedy}"


def distribution(module: str) -> str:
    """What to give to pip for a module."""
    return _DISTRIBUTIONS.get(module, module)
