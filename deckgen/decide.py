"""Which notes are shipped, corrected or withheld: verdicts in, decisions out (DESIGN, section 8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deckgen.config import Contradiction, Waiver
from deckgen.decision import Decision, Ruling
from deckgen.falsehood import both_sides, correction, printed_instead
from deckgen.note import UNREAD, Key, Note, Output
from deckgen.observation import Environment
from deckgen.raised import with_error
from deckgen.rough import as_printed
from deckgen.stopped import stops
from deckgen.verdict import API_FINE, HELD, SKIPPED, ApiVerdict, ApiWord, Checked, Verdict, Word
from deckgen.wording import one_line

FALSE_WORDS = frozenset({Word.CONTRADICTED, Word.ERROR})
EXACT_WORDS = frozenset({Word.HOLDS, Word.DRIFT_FORMAT, Word.DRIFT_DIGITS})
"""An Output card asks for the text itself, so what it rests on must be reproducible to the letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the author and the command line want."""

    on_contradiction: Contradiction = "withhold"
    run: bool = True
    """False for `--no-run`: nothing was checked and every stamp says so."""
    shipped: Collection[str] = field(default_factory=frozenset)
    """What `identity` gives for notes that learners already have: silence would leave the falsehood with them."""


@dataclass(frozen=True, slots=True)
class _Grounds:
    """What one note rests on."""

    verdicts: tuple[Verdict, ...]
    apis: tuple[ApiVerdict, ...]
    unread: bool = False
    """True if it also says something that nothing can check."""
    stops: str | None = None
    """Why the code of an Output note does not come to what it asks about."""

    @property
    def words(self) -> tuple[str, ...]:
        every: tuple[Verdict | ApiVerdict, ...] = (*self.verdicts, *self.apis)
        return tuple(sorted({verdict.word.value for verdict in every}))

    @property
    def falsehoods(self) -> tuple[Verdict | ApiVerdict, ...]:
        """What torch denies."""
        return (
            *(verdict for verdict in self.verdicts if verdict.word in FALSE_WORDS),
            *(verdict for verdict in self.apis if verdict.word not in API_FINE),
        )

    @property
    def waived(self) -> bool:
        """True if whatever could not be checked is what the author does not want to have checked."""
        open_ = [verdict for verdict in self.verdicts if verdict.word is Word.UNVERIFIED]
        return bool(open_) and all(verdict.waived for verdict in open_)

    @property
    def unchecked(self) -> Verdict | ApiVerdict | None:
        for verdict in self.verdicts:
            if verdict.word is Word.UNVERIFIED:
                return verdict
        return next((verdict for verdict in self.apis if verdict.word is ApiWord.UNVERIFIED), None)


def decide(
    notes: Iterable[Note], checked: Mapping[str, Checked], environment: Environment, policy: Policy
) -> tuple[Decision, ...]:
    """One decision per note, in order; `checked` is by source name."""
    grounds = {name: _by_claim(results) for name, results in checked.items()}
    return tuple(
        _decision(note, _with_run(note, _grounds(note, grounds), checked), environment, policy) for note in notes
    )


def corrections(
    notes: Iterable[Note], checked: Mapping[str, Checked]
) -> Iterator[tuple[Note, tuple[tuple[str, str], ...]]]:
    """Each note with what is false in it and what would be true there."""
    grounds = {name: _by_claim(results) for name, results in checked.items()}
    for note in notes:
        yield note, _corrections(_grounds(note, grounds))


def _corrections(grounds: _Grounds) -> tuple[tuple[str, str], ...]:
    return tuple(pair for one in grounds.falsehoods if (pair := correction(one)))


def _by_claim(results: Checked) -> Mapping[str, Verdict | ApiVerdict]:
    every: tuple[Verdict | ApiVerdict, ...] = (*results.verdicts, *results.apis)
    return {verdict.claim.id: verdict for verdict in every}


def _grounds(note: Note, by_source: Mapping[str, Mapping[str, Verdict | ApiVerdict]]) -> _Grounds:
    by_claim = by_source.get(note.source, {})
    found = [by_claim[claim] for claim in note.rests_on if claim in by_claim]
    return _Grounds(
        tuple(verdict for verdict in found if isinstance(verdict, Verdict)),
        tuple(verdict for verdict in found if isinstance(verdict, ApiVerdict)),
        UNREAD in note.rests_on,
    )


def _with_run(note: Note, grounds: _Grounds, checked: Mapping[str, Checked]) -> _Grounds:
    reason = stops(note.body, checked.get(note.source)) if isinstance(note.body, Output) else None
    return replace(grounds, stops=reason) if reason else grounds


def _decision(note: Note, grounds: _Grounds, environment: Environment, policy: Policy) -> Decision:
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


def _asking_for_shape(note: Note, grounds: _Grounds) -> Note:
    """A card whose output is the shape of what is shown asks for that."""
    if not isinstance(note.body, Output) or not note.body.asks_shape or not any(one.shape for one in grounds.verdicts):
        return note
    return replace(note, body=replace(note.body, prompt=note.body.asks_shape))


def _shipped(note: Note, grounds: _Grounds, environment: Environment) -> Decision:
    unchecked = grounds.unchecked
    return Decision(
        note=as_printed(with_error(note, grounds.verdicts), grounds.verdicts),
        ruling=Ruling.SHIP,
        stamp=_stamp(grounds, environment),
        unverified=unchecked is not None,
        waived=grounds.waived,
        words=grounds.words,
    )


def _contradicted(note: Note, grounds: _Grounds, environment: Environment, policy: Policy) -> Decision:
    false = grounds.falsehoods[0]
    claimed, observed = both_sides(false)
    why = f"{false.word.value}: the notes say `{one_line(claimed, 60)}`, torch says `{one_line(observed, 60)}`"
    if false.reason:
        why = f"{false.word.value}: {false.reason}"
    instead = observed
    if isinstance(note.body, Output) and grounds.verdicts:
        instead = printed_instead(note.body.output, grounds.verdicts, grounds.falsehoods)
    correct = policy.on_contradiction == "correct" or identity(note.explicit_id, note.key) in policy.shipped
    if policy.on_contradiction == "keep":
        ruling = Ruling.SHIP
    else:
        ruling = Ruling.CORRECT if correct and instead else Ruling.WITHHOLD  # it needs something true to say instead
    return Decision(
        note=note,
        ruling=ruling,
        why=why,
        claimed=claimed,
        observed=instead if ruling is Ruling.CORRECT else observed,
        corrections=_corrections(grounds),
        # a stamp that only said "checked" would vouch for what was found to be false
        stamp=_stamp(grounds, environment)
        if ruling is Ruling.CORRECT
        else f"torch {_release(environment)} says otherwise",
        words=grounds.words,
    )


def _output(note: Note, grounds: _Grounds, environment: Environment) -> Decision:
    """An Output note is worth asking only if its answer is the same every time."""
    words = {verdict.word for verdict in grounds.verdicts if not verdict.waived}
    besides = next((verdict.besides for verdict in grounds.verdicts if verdict.besides), grounds.stops)
    if besides is not None:
        return Decision(note=note, ruling=Ruling.WITHHOLD, why=besides, words=grounds.words)
    if (words or grounds.waived) and words <= EXACT_WORDS:
        return _shipped(note, grounds, environment)
    if words and words <= HELD | EXACT_WORDS:
        why = "the output is random or differs from machine to machine: there is nothing to recall"
    elif grounds.unchecked is not None:
        why = f"its output could not be checked: {grounds.unchecked.reason}"
    else:
        why = "its output was not checked"
    return Decision(note=note, ruling=Ruling.WITHHOLD, why=why, words=grounds.words)


def _stamp(grounds: _Grounds, environment: Environment) -> str:
    if grounds.unread:
        return "not checked: what it says of the code is told in words"
    if not grounds.verdicts and not grounds.apis:
        return ""
    unchecked = grounds.unchecked
    if unchecked is not None:
        return f"not checked: {_in_words(unchecked.reason)}".replace("`", "")
    if not grounds.verdicts:
        return _of_apis(grounds.apis, environment)  # what else the note says of them nobody checked
    devices = sorted({verdict.device for verdict in grounds.verdicts})
    names = ["CUDA emulated" if device == "cuda-emulated" else device for device in devices]
    return f"checked on torch {_release(environment)}, {', '.join(names)}"


def _of_apis(apis: Sequence[ApiVerdict], environment: Environment) -> str:
    """What was looked up: names, and defaults if all that the note states could be compared; empty if nothing was."""
    known = [verdict for verdict in apis if verdict.word is not ApiWord.NOT_AN_API]
    stated = [verdict for verdict in known if verdict.claim.default is not None]
    what = "API names and defaults" if stated and all(verdict.compared for verdict in stated) else "API names"
    return f"{what} checked on torch {_release(environment)}" if known else ""


def _release(environment: Environment) -> str:
    """The build (`+cpu`) is no part of what was learnt."""
    return environment.torch.split("+")[0]


def _in_words(reason: str | None) -> str:
    if reason == SKIPPED:
        return "skipped by the author"
    return reason.removeprefix(f"{SKIPPED}: ") if reason else "no torch to ask"


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
        was_checked = words and Word.UNVERIFIED.value not in words and not decision.waived
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
            return replace(verdict, word=Word.UNVERIFIED, reason=f"{SKIPPED}: {waiver.reason}")
    return verdict
