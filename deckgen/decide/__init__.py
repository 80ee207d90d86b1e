"""Which notes are shipped, corrected or withheld: verdicts in, decisions out (docs/design.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from deckgen.decide.answers import as_observed, with_error
from deckgen.decide.evidence import Evidence, not_checked, release, stamp_of, with_evidence
from deckgen.model.config import Contradiction, Waiver
from deckgen.model.note import Key, Note, Output
from deckgen.model.observation import Environment
from deckgen.model.results import Decision, Disposition
from deckgen.model.verdict import HELD, SKIPPED, Checked, Verdict, VerdictKind, both_sides, printed_instead
from deckgen.text.wording import one_line

__all__ = ["Policy", "corrections", "decide", "identity", "lost", "waive"]

_EXACT_WORDS = frozenset({VerdictKind.HOLDS, VerdictKind.DRIFT_FORMAT, VerdictKind.DRIFT_DIGITS})
"""An Output card asks for the text itself, so what it rests on must be reproducible to the letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the author and the command line want."""

    on_contradiction: Contradiction = "withhold"
    run: bool = True
    """False for `--no-run`: nothing was checked and every stamp says so."""
    shipped: Collection[str] = field(default_factory=frozenset)
    """What `identity` gives for notes that learners already have: silence would leave the falsehood with them."""


def decide(
    notes: Iterable[Note], checked: Mapping[str, Checked], environment: Environment, policy: Policy
) -> tuple[Decision, ...]:
    """One decision per note, in order; `checked` is by source name."""
    return tuple(_decision(note, evidence, environment, policy) for note, evidence in with_evidence(notes, checked))


def corrections(
    notes: Iterable[Note], checked: Mapping[str, Checked]
) -> Iterator[tuple[Note, tuple[tuple[str, str], ...]]]:
    """Each note with what is false in it and what would be true there."""
    for note, evidence in with_evidence(notes, checked):
        yield note, evidence.corrections


def _decision(note: Note, evidence: Evidence, environment: Environment, policy: Policy) -> Decision:
    if not policy.run:
        # a note that claims nothing has nothing to check, now or ever, and the stamp of its first build stays on it
        stamp = "not checked" if note.rests_on else ""
        return Decision(note=note, disposition=Disposition.SHIP, stamp=stamp, words=(), unverified=bool(note.rests_on))
    known = identity(note.explicit_id, note.key) in policy.shipped
    if isinstance(note.body, Output) and note.body.asks_shape and any(one.shape for one in evidence.verdicts):
        note = replace(note, body=replace(note.body, prompt=note.body.asks_shape))  # what is shown is a shape
    if evidence.falsehoods:
        return _contradicted(note, evidence, environment, policy.on_contradiction, known)
    # what learners have stays with them: a machine that cannot check it is no reason to take it away
    why = _why_not_asked(evidence) if isinstance(note.body, Output) and not known else None
    if why is not None:
        return Decision(note=note, disposition=Disposition.WITHHOLD, why=why, words=evidence.words)
    bad = evidence.card.reason if evidence.card is not None else None  # only what learners have comes here with one
    return Decision(
        note=as_observed(with_error(note, evidence.verdicts), evidence),
        disposition=Disposition.SHIP,
        why=bad,
        stamp=stamp_of(evidence, environment) if bad is None else not_checked(bad),
        unverified=evidence.unchecked is not None or bad is not None,
        waived=evidence.waived,
        words=evidence.words,
    )


def _why_not_asked(evidence: Evidence) -> str | None:
    """An Output note is worth asking only if its answer is the same every time, and its own code gives it."""
    words = {verdict.word for verdict in evidence.verdicts if not verdict.waived}
    if (words or evidence.waived) and words <= _EXACT_WORDS:
        return evidence.unasked
    if words and words <= HELD | _EXACT_WORDS:
        return "the output is random or differs from machine to machine: there is nothing to recall"
    if evidence.unchecked is not None:
        return f"its output could not be checked: {evidence.unchecked.reason}"
    return "its output was not checked"


def _contradicted(
    note: Note, evidence: Evidence, environment: Environment, wanted: Contradiction, known: bool
) -> Decision:
    """A note in which something is false: corrected if that is wanted, or if learners have it, and if there is something
    true to say instead; digits that drifted are corrected always.
    """
    false = evidence.falsehoods[0]
    claimed, observed = both_sides(false)
    why = false.reason or f"the notes say `{one_line(claimed, 60)}`, torch says `{one_line(observed, 60)}`"
    instead = observed
    if isinstance(note.body, Output) and evidence.verdicts:
        answer = evidence.card.answer if evidence.card is not None else None
        instead = answer or printed_instead(note.body.output, evidence.verdicts, evidence.falsehoods)
    drifted = evidence.corrections and all(verdict.word is VerdictKind.DRIFT_DIGITS for verdict in evidence.falsehoods)
    correct = drifted or (wanted != "keep" and instead and (wanted == "correct" or known))
    disposition = Disposition.CORRECT if correct else Disposition.SHIP if wanted == "keep" else Disposition.WITHHOLD
    if evidence.unasked and correct and not known:
        disposition = Disposition.WITHHOLD
    stamp = f"torch {release(environment)} says otherwise"  # "checked" alone would vouch for what was found to be false
    if disposition is Disposition.CORRECT:
        stamp = not_checked(evidence.unasked) if evidence.unasked else stamp_of(evidence, environment)
    return Decision(
        note=note,
        disposition=disposition,
        why=f"{false.word.value}: {why}",
        claimed=claimed,
        observed=instead if disposition is Disposition.CORRECT else observed,
        corrections=evidence.corrections,
        stamp=stamp,
        words=evidence.words,
    )


# --- the last build, and what the author does not want to have checked ---------------------------------


def identity(explicit_id: str | None, key: Key) -> str:
    """What a note is known by before it has a GUID: its author's id, else its key."""
    return explicit_id or "\x1f".join((*key.headings, key.anchor))


def lost(decisions: Iterable[Decision], known: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Notes that were checked at the last build and cannot be any more, as `notes.md:47: what`.

    `known` has the verdict words of the last build by `identity`. A device that is not here is no loss.
    """
    for decision in decisions:
        note = decision.note
        words = known.get(identity(note.explicit_id, note.key), ())
        was_checked = words and VerdictKind.UNVERIFIED.value not in words and not decision.waived
        reason = decision.stamp.removeprefix("not checked: ")
        if was_checked and decision.unverified and not reason.startswith("needs-cuda"):
            yield f"{note.source}:{note.span.first}: was checked at the last build, and now: {reason}"


def waive(checked: Checked, waivers: Iterable[Waiver], used: set[Waiver]) -> Checked:
    """Verdicts on claims whose text a waiver names become `unverified: skipped`; adds to `used`."""
    waivers = tuple(waivers)
    verdicts = tuple(_waived(verdict, waivers, used) for verdict in checked.verdicts)
    return replace(checked, verdicts=verdicts)


def _waived(verdict: Verdict, waivers: Iterable[Waiver], used: set[Waiver]) -> Verdict:
    for waiver in waivers:
        if waiver.text in verdict.claim.text:
            used.add(waiver)
            return replace(verdict, word=VerdictKind.UNVERIFIED, reason=f"{SKIPPED}: {waiver.reason}")
    return verdict
