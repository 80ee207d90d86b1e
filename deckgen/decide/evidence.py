"""What a note rests on: the verdicts on its claims and on the APIs that it names; and the stamp that tells a learner so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deckgen.model.note import UNREAD, Note, Output
from deckgen.model.observation import Environment
from deckgen.model.verdict import (
    API_FINE,
    FALSE,
    SKIPPED,
    ApiVerdict,
    CardVerdict,
    Checked,
    NameVerdict,
    Verdict,
    VerdictKind,
    correction,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one note rests on."""

    verdicts: tuple[Verdict, ...]
    apis: tuple[ApiVerdict, ...]
    unread: bool = False
    """True if it also says something that nothing can check."""
    card: CardVerdict | None = None
    """Of an Output note, what its own code gave; None if it was not run."""
    literal: bool = False
    """True for an Output note, whose answer is written anew from what was observed."""

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
    def waived(self) -> bool:
        """True if whatever could not be checked is what the author does not want to have checked."""
        open_ = [verdict for verdict in self.verdicts if verdict.word is VerdictKind.UNVERIFIED]
        return bool(open_) and all(verdict.waived for verdict in open_)

    @property
    def unchecked(self) -> Verdict | ApiVerdict | None:
        for verdict in self.verdicts:
            if verdict.word is VerdictKind.UNVERIFIED:
                return verdict
        return next((verdict for verdict in self.apis if verdict.word is NameVerdict.UNVERIFIED), None)

    @property
    def corrections(self) -> tuple[tuple[str, str], ...]:
        """(what is false, what is true in its place), where both can be told."""
        return tuple(pair for one in self.falsehoods if (pair := correction(one)))


def with_evidence(notes: Iterable[Note], checked: Mapping[str, Checked]) -> Iterator[tuple[Note, Evidence]]:
    """Each note with what it rests on; `checked` is by source name."""
    verdicts = {name: _by_claim(results) for name, results in checked.items()}
    for note in notes:
        yield note, _evidence(note, verdicts.get(note.source, {}), checked.get(note.source))


def _by_claim(results: Checked) -> Mapping[str, Verdict | ApiVerdict]:
    every: tuple[Verdict | ApiVerdict, ...] = (*results.verdicts, *results.apis)
    return {verdict.claim.id: verdict for verdict in every}


def _evidence(note: Note, verdicts: Mapping[str, Verdict | ApiVerdict], checked: Checked | None) -> Evidence:
    found = [verdicts[claim] for claim in note.rests_on if claim in verdicts]
    return Evidence(
        verdicts=tuple(verdict for verdict in found if isinstance(verdict, Verdict)),
        apis=tuple(verdict for verdict in found if isinstance(verdict, ApiVerdict)),
        unread=UNREAD in note.rests_on,
        card=checked.cards.get(note.body.claims) if checked and isinstance(note.body, Output) else None,
        literal=isinstance(note.body, Output),
    )


def stamp_of(evidence: Evidence, environment: Environment) -> str:
    if evidence.unread:
        return "not checked: what it says of the code is told in words"
    if not evidence.verdicts and not evidence.apis:
        return ""
    unchecked = evidence.unchecked
    if unchecked is not None:
        return not_checked(_in_words(unchecked.reason))
    if not evidence.verdicts:
        return _of_apis(evidence.apis, environment)  # what else the note says of them nobody checked
    devices = sorted({verdict.device for verdict in evidence.verdicts})
    names = ["CUDA emulated" if device == "cuda-emulated" else device for device in devices]
    return f"checked on torch {release(environment)}, {', '.join(names)}"


def not_checked(reason: str) -> str:
    """The stamp of what could not be checked; plain text, so without marks of code."""
    return f"not checked: {reason}".replace("`", "")


def _of_apis(apis: Sequence[ApiVerdict], environment: Environment) -> str:
    """What was looked up: names, and defaults if all that the note states could be compared; empty if nothing was."""
    known = [verdict for verdict in apis if verdict.word is not NameVerdict.NOT_AN_API]
    stated = [verdict for verdict in known if verdict.claim.default is not None]
    what = "API names and defaults" if stated and all(verdict.compared for verdict in stated) else "API names"
    return f"{what} checked on torch {release(environment)}" if known else ""


def release(environment: Environment) -> str:
    """The build (`+cpu`) is no part of what was learnt."""
    return environment.torch.split("+")[0]


def _in_words(reason: str | None) -> str:
    if reason == SKIPPED:
        return "skipped by the author"
    return reason.removeprefix(f"{SKIPPED}: ") if reason else "no torch to ask"
