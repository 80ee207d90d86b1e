"""Which notes are shipped, corrected or withheld: verdicts in, decisions out (docs/design.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from deckgen.decide.grounds import Grounds, with_grounds
from deckgen.decide.last_build import identity, lost
from deckgen.decide.observed import as_observed
from deckgen.decide.raised import with_error
from deckgen.decide.stamp import not_checked, release, stamp_of
from deckgen.decide.waivers import waive
from deckgen.model.config import Contradiction
from deckgen.model.decision import Decision, Ruling
from deckgen.model.falsehood import both_sides, printed_instead
from deckgen.model.note import Note, Output
from deckgen.model.observation import Environment
from deckgen.model.verdict import HELD, Checked, Word
from deckgen.text.wording import one_line

__all__ = ["Policy", "corrections", "decide", "identity", "lost", "waive"]

_EXACT_WORDS = frozenset({Word.HOLDS, Word.DRIFT_FORMAT, Word.DRIFT_DIGITS})
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
    return tuple(_decision(note, grounds, environment, policy) for note, grounds in with_grounds(notes, checked))


def corrections(
    notes: Iterable[Note], checked: Mapping[str, Checked]
) -> Iterator[tuple[Note, tuple[tuple[str, str], ...]]]:
    """Each note with what is false in it and what would be true there."""
    for note, grounds in with_grounds(notes, checked):
        yield note, grounds.corrections


def _decision(note: Note, grounds: Grounds, environment: Environment, policy: Policy) -> Decision:
    if not policy.run:
        # a note that claims nothing has nothing to check, now or ever, and the stamp of its first build stays on it
        stamp = "not checked" if note.rests_on else ""
        return Decision(note=note, ruling=Ruling.SHIP, stamp=stamp, words=(), unverified=bool(note.rests_on))
    note = _asking_for_shape(note, grounds)
    if grounds.falsehoods:
        return _contradicted(note, grounds, environment, policy)
    # what learners have stays with them: a machine that cannot check it is no reason to take it away
    if isinstance(note.body, Output) and identity(note.explicit_id, note.key) not in policy.shipped:
        return _output(note, grounds, environment)
    return _shipped(note, grounds, environment)


def _asking_for_shape(note: Note, grounds: Grounds) -> Note:
    """A card whose output is the shape of what is shown asks for that."""
    if not isinstance(note.body, Output) or not note.body.asks_shape or not any(one.shape for one in grounds.verdicts):
        return note
    return replace(note, body=replace(note.body, prompt=note.body.asks_shape))


def _shipped(note: Note, grounds: Grounds, environment: Environment) -> Decision:
    unchecked = grounds.unchecked
    bad = grounds.card.reason if grounds.card is not None else None  # only what learners have comes here with one
    return Decision(
        note=as_observed(with_error(note, grounds.verdicts), grounds),
        ruling=Ruling.SHIP,
        why=bad,
        stamp=stamp_of(grounds, environment) if bad is None else not_checked(bad),
        unverified=unchecked is not None or bad is not None,
        waived=grounds.waived,
        words=grounds.words,
    )


def _contradicted(note: Note, grounds: Grounds, environment: Environment, policy: Policy) -> Decision:
    false = grounds.falsehoods[0]
    claimed, observed = both_sides(false)
    why = f"{false.word.value}: the notes say `{one_line(claimed, 60)}`, torch says `{one_line(observed, 60)}`"
    if false.reason:
        why = f"{false.word.value}: {false.reason}"
    instead = observed
    if isinstance(note.body, Output) and grounds.verdicts:
        answer = grounds.card.answer if grounds.card is not None else None
        instead = answer or printed_instead(note.body.output, grounds.verdicts, grounds.falsehoods)
    unasked = grounds.unasked
    drifted = all(verdict.word is Word.DRIFT_DIGITS for verdict in grounds.falsehoods)
    ruling = Ruling.CORRECT if drifted and grounds.corrections else _on_contradiction(note, instead, policy)
    if unasked and ruling is Ruling.CORRECT and identity(note.explicit_id, note.key) not in policy.shipped:
        ruling = Ruling.WITHHOLD
    stamp = stamp_of(grounds, environment) if unasked is None else not_checked(unasked)
    if ruling is not Ruling.CORRECT:  # "checked" alone would vouch for what was found to be false
        stamp = f"torch {release(environment)} says otherwise"
    return Decision(
        note=note,
        ruling=ruling,
        why=why,
        claimed=claimed,
        observed=instead if ruling is Ruling.CORRECT else observed,
        corrections=grounds.corrections,
        stamp=stamp,
        words=grounds.words,
    )


def _on_contradiction(note: Note, instead: str, policy: Policy) -> Ruling:
    if policy.on_contradiction == "keep":
        return Ruling.SHIP
    correct = policy.on_contradiction == "correct" or identity(note.explicit_id, note.key) in policy.shipped
    return Ruling.CORRECT if correct and instead else Ruling.WITHHOLD  # it needs something true to say instead


def _output(note: Note, grounds: Grounds, environment: Environment) -> Decision:
    """An Output note is worth asking only if its answer is the same every time, and its own code gives it."""
    words = {verdict.word for verdict in grounds.verdicts if not verdict.waived}
    if (words or grounds.waived) and words <= _EXACT_WORDS:
        if grounds.unasked is not None:
            return Decision(note=note, ruling=Ruling.WITHHOLD, why=grounds.unasked, words=grounds.words)
        return _shipped(note, grounds, environment)
    if words and words <= HELD | _EXACT_WORDS:
        why = "the output is random or differs from machine to machine: there is nothing to recall"
    elif grounds.unchecked is not None:
        why = f"its output could not be checked: {grounds.unchecked.reason}"
    else:
        why = "its output was not checked"
    return Decision(note=note, ruling=Ruling.WITHHOLD, why=why, words=grounds.words)
