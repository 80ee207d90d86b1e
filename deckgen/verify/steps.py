"""Steps: one snippet each in its session, with what it is given and what it lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deckgen.model.claim import Raises, Snippet
from deckgen.model.observation import Doubt
from deckgen.verify.triage import Triage, triage
from deckgen.verify.variables import Uses

CANDIDATES = 12
"""Readings of unsure code that are run at most."""

Missing = Mapping[str, str]
"""Name -> why nobody binds it: `missing-name model`, `missing-module torchvision`."""


def casualties(statements: Sequence[Uses], missing: Missing) -> dict[int, Uses]:
    """Statements, by index, that cannot do their work for want of what is missing, or of what such a one binds."""
    found: dict[int, Uses] = {}
    lost, reasons = set(missing), set(missing.values())
    for index, one in enumerate(statements):
        if one.loads & lost or any(f"missing-module {module}" in reasons for module in one.modules):
            lost |= one.binds
            found[index] = one
        else:
            lost -= one.binds
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """One snippet in its session."""

    snippet: Snippet
    code: str
    triage: Triage
    prelude: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    """Names that were last bound under another chapter."""
    takes: tuple[tuple[str, str], ...] = ()
    """(name, id of the snippet that binds it)."""
    lacks: tuple[str, ...] = ()
    """Names that nothing binds but that only a function's body wants."""
    missing: Missing = field(default_factory=dict)
    """Names that it wants in vain."""
    doubt: Doubt | None = None

    @property
    def needs(self) -> tuple[str, ...]:
        """As reported: `name model`, `module torchvision`, `cuda`."""
        missing = dict.fromkeys(reason.removeprefix("missing-") for reason in self.missing.values())
        return (*missing, *(f"name {name}" for name in self.lacks), *(("cuda",) if self.triage.cuda else ()))

    @property
    def lame(self) -> dict[int, Uses]:
        """Its statements, by index, that fail for want of what is missing."""
        if not self.missing:
            return {}
        return casualties(triage(self.code, cell=self.snippet.cell).statements, self.missing)

    @property
    def reason(self) -> str | None:
        """What the first statement that fails is missing."""
        return next((self._want(one) for one in self.lame.values()), None)

    def _want(self, one: Uses) -> str:
        """What a statement is missing; where that is something another one should have bound, what is missing first."""
        modules = {f"missing-module {name}" for name in one.modules}
        reasons = (why for name, why in self.missing.items() if name in one.loads or why in modules)
        return next(reasons, next(iter(self.missing.values())))

    def doubts(self) -> Doubt | None:
        """Doubt from the first statement on that would have done something; imports and definitions only bind."""
        return next((Doubt(self._want(one), one.first) for one in self.lame.values() if one.acts), None)

    @property
    def hopeless(self) -> bool:
        """True if nothing would be seen: no statement that does something can do without what is missing."""
        lame = self.lame
        claims_failure = any(isinstance(claim, Raises) for claim in self.snippet.claims)
        acting = [index for index, one in enumerate(self.triage.statements) if one.acts]
        return bool(lame) and not claims_failure and all(index in lame for index in acting)


@dataclass(frozen=True, slots=True)
class Session:
    """Snippets that run one after another in one process."""

    source: str
    steps: tuple[Step, ...]
    continuous: bool = False

    @property
    def cuda(self) -> bool:
        return any(step.triage.cuda or step.snippet.options.device == "cuda" for step in self.steps)

    def up_to(self, step: Step) -> tuple[Step, ...]:
        """The steps that a step needs, itself last."""
        wanted = {step.snippet.id}
        chosen = []
        for one in reversed(self.steps[: self.steps.index(step) + 1]):
            if one.snippet.id in wanted:
                wanted.update(binder for _, binder in one.takes)
                chosen.append(one)
        return tuple(reversed(chosen))


def above_each(steps: Sequence[Step]) -> dict[str, tuple[str, ...]]:
    """By snippet id, the code of the steps that bind the names of a step, and the names of those, in order."""
    places = {step.snippet.id: at for at, step in enumerate(steps)}
    reached: list[frozenset[int]] = []
    for step in steps:
        direct = {places[binder] for _, binder in step.takes if binder in places}
        reached.append(frozenset(direct).union(*(reached[at] for at in direct if at < len(reached))))
    return {
        step.snippet.id: tuple(steps[at].code for at in sorted(before))
        for step, before in zip(steps, reached, strict=True)
    }
