"""Which notes are shipped, corrected or withheld: verdicts in, decisions out (docs/design.md).

A note rests on the verdicts on its claims and on the APIs that it names; its stamp tells a learner so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deckgen.model.claim import Raises
from deckgen.model.config import Contradiction, Suggestions, Waiver
from deckgen.model.note import UNREAD, Api, Choice, Key, Note, Output, Standing
from deckgen.model.observation import Environment
from deckgen.model.results import Decision, Disposition, Proof
from deckgen.model.verdict import (
    API_FINE,
    FALSE,
    HELD,
    SKIPPED,
    UNDECIDABLE,
    ApiVerdict,
    CardVerdict,
    Checked,
    Failure,
    NameVerdict,
    Verdict,
    VerdictKind,
    both_sides,
    correction,
    printed_instead,
    right_option,
    wrong_key,
)
from deckgen.text.pattern import pattern
from deckgen.text.wording import counted, one_line

_NOT_HERE = ("missing-module", SKIPPED)
_PLAIN = pattern(r"[A-Za-z]\w*")
"""A word without a dot or a call, which may be the name of anything."""
_PROTOCOL = pattern(r"__\w+__")
"""`__getitem__`: a name of Python's that torch calls."""
_OPEN = frozenset({VerdictKind.UNVERIFIED, VerdictKind.SKIPPED})
_KNOWN_NAMES = frozenset({NameVerdict.EXISTS, NameVerdict.DEPRECATED})
_EXACT_WORDS = frozenset({VerdictKind.HOLDS, VerdictKind.DRIFT_FORMAT, VerdictKind.DRIFT_DIGITS})
"""An Output card asks for the text itself, so what it rests on must be reproducible to the letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the author and the command line want."""

    on_contradiction: Contradiction = "withhold"
    run: bool = True
    """False for `--no-run`: nothing was checked and every stamp says so."""
    shipped: Collection[Note] = field(default_factory=frozenset)
    """Notes that learners already have: silence would leave the falsehood with them."""
    suggestions: Suggestions = "ask"
    """What becomes of notes that nobody declared and no sure rule found."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one note rests on."""

    note: Note
    verdicts: tuple[Verdict, ...]
    apis: tuple[ApiVerdict, ...]
    card: CardVerdict | None
    """Of an Output note, what its own code gave; None if it was not run."""
    failure: Failure | None = None
    """What the code within its lines raises, of which the notes do not say so."""

    @property
    def literal(self) -> bool:
        """True for an Output note, whose answer is written anew from what was observed."""
        return isinstance(self.note.body, Output)

    @property
    def unasked(self) -> str | None:
        """Why the code of an Output note cannot be asked: it must have been run just as the card shows it."""
        if not self.literal or self.waived:
            return None
        return "its code was not run as the card shows it" if self.card is None else self.card.reason

    @property
    def words(self) -> tuple[str, ...]:
        every: tuple[Verdict | ApiVerdict, ...] = (*self.verdicts, *self.apis)
        return tuple(sorted({verdict.word.value for verdict in every}))

    @property
    def falsehoods(self) -> tuple[Verdict | ApiVerdict, ...]:
        """What torch denies; digits that drifted are told anew on Output cards, and are false elsewhere."""
        false = FALSE if self.literal else FALSE | {VerdictKind.DRIFT_DIGITS}
        return (
            *(verdict for verdict in self.verdicts if verdict.word in false),
            *(verdict for verdict in self.apis if verdict.word not in API_FINE),
        )

    @property
    def proof(self) -> Proof:
        """What is known of the answer: code that holds beside it proves nothing of it."""
        if self.falsehoods:
            return Proof.REFUTED
        own = self.note.body.claims if isinstance(self.note.body, Output) else self.note.proven_by
        claims = [one for one in self.verdicts if one.claim.id in own]
        names = [one for one in self.apis if one.claim.id in own]
        if claims or names:
            exact = all(one.word in _EXACT_WORDS for one in claims) and not (self.literal and self.unasked)
            found = all(one.word is NameVerdict.EXISTS and (one.compared or not one.claim.default) for one in names)
            return Proof.PROVED if exact and found else Proof.UNVERIFIED
        return Proof.NAMES if any(one.word in _KNOWN_NAMES for one in self.apis) else Proof.OPEN

    @property
    def waived(self) -> bool:
        """True if whatever could not be checked is what the author does not want to have checked."""
        open_ = [verdict for verdict in self.verdicts if verdict.word in _OPEN]
        return bool(open_) and all(verdict.waived for verdict in open_)

    @property
    def unchecked(self) -> Verdict | ApiVerdict | None:
        """What could not be checked; of claims one that is not waived, if there is any."""
        claims = [verdict for verdict in self.verdicts if verdict.word is VerdictKind.UNVERIFIED]
        names = (verdict for verdict in self.apis if verdict.word is NameVerdict.UNVERIFIED)
        return min(claims, key=lambda claim: claim.waived, default=None) or next(names, None)

    @property
    def other_versions(self) -> str | None:
        """`torch 2.9`, if some of it is about other versions than this one."""
        every: tuple[Verdict | ApiVerdict, ...] = (*self.verdicts, *self.apis)
        return next((one.reason for one in every if one.word in (VerdictKind.SKIPPED, NameVerdict.SKIPPED)), None)

    @property
    def needs_gpus(self) -> bool:
        """True if its author marked it with `{gpus>=1}`."""
        return any(one.is_of_gpus for one in self.note.versions)

    @property
    def documented(self) -> str:
        """The first public name of torch's that it names as torch has it."""
        names = (one.qualified for one in self.apis if one.word in _KNOWN_NAMES and one.qualified)
        return next((name for name in names if name.startswith("torch.") and "._" not in name), "")

    @property
    def corrections(self) -> tuple[tuple[str, str], ...]:
        """(what is false, what is true in its place), where both can be told."""
        return tuple(pair for one in self.falsehoods if (pair := correction(one)))


def with_evidence(notes: Iterable[Note], checked: Mapping[str, Checked]) -> Iterator[Evidence]:
    """What each note rests on; `checked` is by source name."""
    verdicts = {name: {verdict.claim.id: verdict for verdict in results.verdicts} for name, results in checked.items()}
    apis = {name: {verdict.claim.id: verdict for verdict in results.apis} for name, results in checked.items()}
    for note in notes:
        body, results = note.body, checked.get(note.source)
        mine, named = verdicts.get(note.source, {}), apis.get(note.source, {})
        failures = results.fails.values() if results else ()
        yield Evidence(
            note,
            tuple(mine[claim] for claim in note.rests_on if claim in mine),
            tuple(named[claim] for claim in note.rests_on if claim in named),
            results.cards.get(body.claims) if results and isinstance(body, Output) else None,
            next((one for one in failures if note.span.start <= one.line < note.span.stop), None),
        )


def decide(
    notes: Iterable[Note], checked: Mapping[str, Checked], environment: Environment, policy: Policy
) -> tuple[Decision, ...]:
    """One decision per note, in order; `checked` is by source name."""
    found = []
    for evidence in with_evidence(notes, checked):
        decision = _if_taken(_decision(evidence, environment, policy), policy)
        proof = evidence.proof if policy.run else Proof.OPEN
        named = evidence.documented
        same = (decision.proof, decision.documented) == (proof, named)
        found.append(decision if same else replace(decision, proof=proof, documented=named))
    return tuple(found)


def _if_taken(decision: Decision, policy: Policy) -> Decision:
    """What would be shipped, unless it is only suggested: then it waits for its author. What learners have is theirs."""
    note, shipped = decision.note, decision.disposition in (Disposition.SHIP, Disposition.CORRECT)
    if not shipped or policy.suggestions == "ship" or note.standing is not Standing.SUGGESTED or note in policy.shipped:
        return decision
    why = "; ".join(doubt.reason for doubt in note.doubts) or None
    return replace(decision, disposition=Disposition.SUGGEST, why=decision.why or why)


def corrections(
    notes: Iterable[Note], checked: Mapping[str, Checked]
) -> Iterator[tuple[Note, tuple[tuple[str, str], ...]]]:
    """Each note with what is false in it and what would be true there."""
    for evidence in with_evidence(notes, checked):
        yield evidence.note, evidence.corrections


def _decision(evidence: Evidence, environment: Environment, policy: Policy) -> Decision:
    note = evidence.note
    if not policy.run:
        # a note that claims nothing has nothing to check, now or ever, and the stamp of its first build stays on it
        stamp = "not checked" if note.rests_on else ""
        return Decision(note=note, disposition=Disposition.SHIP, stamp=stamp, words=(), unverified=bool(note.rests_on))
    known = note in policy.shipped
    if isinstance(note.body, Output) and note.body.asks_shape and any(one.shape for one in evidence.verdicts):
        note = replace(note, body=replace(note.body, prompt=note.body.asks_shape))  # what is shown is a shape
    if evidence.falsehoods:
        return _contradicted(note, evidence, environment, policy.on_contradiction, known)
    # what learners have stays with them: a machine that cannot check it is no reason to take it away
    why = None if known else _why_withheld(evidence)
    if why is not None:
        return Decision(note=note, disposition=Disposition.WITHHOLD, why=why, words=evidence.words)
    bad = evidence.card.reason if evidence.card is not None else None  # only what learners have comes here with one
    return Decision(
        note=_as_observed(_with_error(note, evidence), evidence),
        disposition=Disposition.SHIP,
        why=bad,
        stamp=stamp_of(evidence, environment) if bad is None else not_checked(bad),
        unverified=evidence.unchecked is not None or bad is not None,
        waived=evidence.waived,
        words=evidence.words,
    )


def _why_withheld(evidence: Evidence) -> str | None:
    match evidence.note.body:
        case Output():
            return _why_not_asked(evidence)
        case _ if evidence.failure and not (evidence.note.kept or evidence.note.explicit_id):
            return f"its code stops at line {evidence.failure.line + 1}: {evidence.failure.message}"
        case Api(name=name):
            return _why_unknown(name, evidence)
        case _:
            return None


def _why_unknown(name: str, evidence: Evidence) -> str | None:
    """Why an API note is about no API: torch was asked for its name, and knows none that the notes could mean (rule 6).

    What the author keeps is not judged; nor is what belongs to a module that is not here, or to another version.
    """
    if evidence.note.kept or evidence.note.explicit_id:
        return None
    unknown = [one for one in evidence.apis if one.word is NameVerdict.NOT_AN_API or _is_unknown(one)]
    unasked = not evidence.apis and _PLAIN.fullmatch(name) is None
    if unasked or len(unknown) < len(evidence.apis) or _PROTOCOL.search(name):
        return None
    return f"nothing that torch has is called `{name}`; `<!-- deckgen: keep -->` above it keeps it"


def _is_unknown(verdict: ApiVerdict) -> bool:
    return verdict.word is NameVerdict.UNVERIFIED and not (verdict.reason or "").startswith(_NOT_HERE)


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
    if isinstance(note.body, Choice) and (known or wanted == "correct") and (right := right_option(false)):
        return _rekeyed(note, note.body, evidence, environment, right[0], false)
    why = (
        wrong_key(false)
        or false.reason
        or f"the notes say `{one_line(claimed, 60)}`, torch says `{one_line(observed, 60)}`"
    )
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


def _rekeyed(
    note: Note, body: Choice, evidence: Evidence, environment: Environment, letter: str, false: Verdict | ApiVerdict
) -> Decision:
    """A choice with the right letter: its question, and so its GUID, stays."""
    options = {one.letter: one for one in body.options}
    marked, right = options[body.right[0]], options[letter]
    return Decision(
        note=replace(note, body=replace(body, right=(right.letter,))),
        disposition=Disposition.CORRECT,
        why=f"{VerdictKind.CONTRADICTED.value}: {wrong_key(false)}",
        claimed=f"{marked.letter}. {marked.text}",
        observed=f"{right.letter}. {right.text}",
        stamp=f"answer checked on torch {release(environment)}, {_devices(evidence)}",
        words=evidence.words,
    )


# --- the stamp ------------------------------------------------------------------------------------------


NOT_RUN = "not run here"
"""The stamp of what only a machine with a GPU can run, and of what is told of one in words: the card's context says that it needs one."""


def stamp_of(evidence: Evidence, environment: Environment) -> str:
    """What a learner is told of the checking; empty where there is nothing to check."""
    if UNREAD in evidence.note.rests_on:  # it also says something that nothing can check
        return "not checked: what it says of the code is told in words"
    if evidence.needs_gpus and all(one.word is VerdictKind.SKIPPED for one in evidence.verdicts):
        return NOT_RUN
    unchecked = evidence.unchecked
    if unchecked is not None:
        reason = unchecked.reason or "no torch to ask"
        return not_checked("skipped by the author" if reason == SKIPPED else reason.removeprefix(f"{SKIPPED}: "))
    if evidence.other_versions:
        return not_checked(evidence.other_versions)
    if evidence.verdicts:
        what = "answer" if evidence.proof is Proof.PROVED or evidence.falsehoods else "code"
        return f"{what} checked on torch {release(environment)}, {_devices(evidence)}{_given(evidence)}"
    if evidence.proof is Proof.PROVED:  # by a signature
        return f"answer checked on torch {release(environment)}"
    # what else the note says of these names nobody checked
    known = [verdict for verdict in evidence.apis if verdict.word is not NameVerdict.NOT_AN_API]
    defaults = [verdict for verdict in known if verdict.claim.default is not None]
    what = "API names and defaults" if defaults and all(verdict.compared for verdict in defaults) else "API names"
    return f"{what} checked on torch {release(environment)}" if known else ""


def _given(evidence: Evidence) -> str:
    """`, with x = torch.arange(6.0).reshape(2, 3)`: a sentence of any tensor was checked on one."""
    return "".join(f", with {given}" for given in dict.fromkeys(one.claim.given for one in evidence.verdicts) if given)


def _devices(evidence: Evidence) -> str:
    devices = sorted({verdict.device for verdict in evidence.verdicts})
    return ", ".join("CUDA emulated" if device == "cuda-emulated" else device for device in devices)


def not_checked(reason: str) -> str:
    """The stamp of what could not be checked; plain text, so without marks of code."""
    return f"not checked: {reason}".replace("`", "")


def release(environment: Environment) -> str:
    """The build (`+cpu`) is no part of what was learnt."""
    return environment.torch.split("+")[0]


# --- answers as they were observed: what a card's code gave, and the error that torch raised ------------

_LONGEST_REMARK = 120
"""Characters of what the notes said that goes on below the answer."""
_NUMBER = pattern(r"\d+(?:\.\d*)?(?:e[-+]?\d+)?")


_LONGEST_SENTENCE = 160
"""Characters of a sentence that can be recalled."""
_SENTENCE = pattern(r"(?<=[.!?;])\s|\n")


def _as_observed(note: Note, evidence: Evidence) -> Note:
    """An Output note, answered with what its code gave. What the notes said roughly goes on below the answer."""
    answer = evidence.card.answer if evidence.card is not None else None
    body = note.body
    if answer is None or not isinstance(body, Output):
        return note
    rough = _rough(body, evidence, answer)
    explanation = "\n\n".join(part for part in (rough, body.explanation) if part)
    return replace(note, body=replace(body, output=answer, explanation=explanation))


def _rough(body: Output, evidence: Evidence, answer: str) -> str:
    """`1.414` beside a print that writes 1.4142135623730951; empty where the notes say no number in another way."""
    claimed = body.output.strip()
    if len(evidence.verdicts) != 1 or "\n" in claimed or "`" in claimed or len(claimed) > _LONGEST_REMARK:
        return ""
    verdict = evidence.verdicts[0]
    shorter = not _numbers(claimed) <= _numbers(answer) and not verdict.word.name.startswith("DRIFT")
    return f"`{claimed}`" if claimed != verdict.claim.text.strip() or shorter else ""


def _numbers(text: str) -> set[str]:
    """Numbers without zeros at their ends: `2.` and `2.0000` are no two."""
    return {
        number if "e" in number or "." not in number else number.rstrip("0").rstrip(".")
        for number in _NUMBER.findall(text)
    }


def _with_error(note: Note, evidence: Evidence) -> Note:
    """A note whose answer is `报错` or `RuntimeError`, with the error that torch raised; any other as it is.

    Of the message its first sentence, unless that is long or tells of this run alone.
    """
    verdict = evidence.verdicts[0] if len(evidence.verdicts) == 1 else None
    if verdict is None or not isinstance(verdict.claim, Raises) or not isinstance(note.body, Output):
        return note
    bare = note.body.output.strip() in (verdict.claim.exception, verdict.claim.text.strip())
    if verdict.word is not VerdictKind.HOLDS or verdict.claim.message or not verdict.observed or not bare:
        return note
    kind, _, message = verdict.observed.partition(":")
    first = next((part.strip() for part in _SENTENCE.split(message) if part.strip()), "")
    name = kind.strip().rsplit(".", 1)[-1]
    short = first and len(first) <= _LONGEST_SENTENCE and "0x" not in first
    return replace(note, body=replace(note.body, output=f"{name}: {first}" if short else name))


# --- the last build, and what the author does not want to have checked ---------------------------------


def identity(explicit_id: str | None, key: Key) -> str:
    """What a note is known by before it has a GUID: its author's id, else its key."""
    return explicit_id or "\x1f".join((*key.headings, key.anchor))


def lost(decisions: Iterable[Decision], known: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Notes that were checked at the last build and cannot be any more, as `notes.md:47: what`.

    `known` has the verdict words of the last build by `identity`. A device that is not here is no loss.
    """
    for place, reason in _unchecked_since(decisions, known):
        if not reason.startswith(("needs-cuda", *UNDECIDABLE)):
            yield f"{place}: was checked at the last build, and now: {reason}"


def rejudged(decisions: Iterable[Decision], known: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Notes that were held at the last build and that no run can judge, as `notes.md:47: what`: an older deckgen judged less strictly."""
    for place, reason in _unchecked_since(decisions, known):
        if reason.startswith(UNDECIDABLE):
            yield f"{place}: was held at the last build, and no run can judge it: {reason}"


def _unchecked_since(decisions: Iterable[Decision], known: Mapping[str, Collection[str]]) -> Iterator[tuple[str, str]]:
    """(place, reason) of notes that were checked at the last build and are not now."""
    for decision in decisions:
        note = decision.note
        words = known.get(identity(note.explicit_id, note.key), ())
        if words and _OPEN.isdisjoint(words) and decision.unverified and not decision.waived:
            yield f"{note.source}:{note.span.first}", decision.stamp.removeprefix("not checked: ")


def waive(checked: Checked, waivers: Sequence[Waiver], used: Counter[Waiver]) -> Checked:
    """Verdicts on claims whose text a waiver names become `unverified: skipped`; `used` counts the claims of each waiver."""
    verdicts = list(checked.verdicts)
    for at, verdict in enumerate(verdicts):
        naming = [waiver for waiver in waivers if waiver.covers(verdict.claim.text)]
        used.update(naming)
        if naming:
            verdicts[at] = replace(verdict, word=VerdictKind.UNVERIFIED, reason=f"{SKIPPED}: {naming[0].reason}")
    return replace(checked, verdicts=tuple(verdicts))


NARROW = 10
"""A waiver may cover one claim in so many; what covers more is a rule about claims that nobody has looked at."""


def broad(used: Counter[Waiver], verdicts: Sequence[Verdict]) -> Iterator[tuple[Waiver, str]]:
    """Waivers that cover more of a deck's claims than that, or leave none of them; each with what to say of it."""
    left = sum(not verdict.waived for verdict in verdicts)
    for waiver, count in used.items():
        if why := broad_reason(waiver.text, count, len(verdicts), left):
            yield waiver, why


def broad_reason(text: str, covered: int, claims: int, left: int) -> str | None:
    """What to say of a waiver that covers too many of a deck's claims, or leaves none of them; None if it does not."""
    if covered * NARROW <= claims and left:
        return None
    nothing = "" if left else ", and no claim of the deck is left to check"
    return f"the waiver for `{text}` covers {covered} of {counted(claims, 'claim')}{nothing}"
