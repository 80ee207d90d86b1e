"""The plan: which snippets run together, in which order, and what each is given. Pure.

Names decide. A snippet whose names are all its own runs alone; free names come from earlier snippets of
the document (then they share a session, in document order), else from the prelude, which is reported.
Imports are no reason to share a session: they are repeated. A snippet that lacks a name or a package runs as far as
it can do without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deckgen.model.claim import Snippet
from deckgen.model.document import Extraction
from deckgen.model.observation import Doubt, Observation
from deckgen.verify.prelude import MODULES, PRELUDE, fits, prelude_names
from deckgen.verify.steps import Session, Step
from deckgen.verify.triage import REASONS, Triage, triage


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run of one document, and why the rest is not."""

    source: str
    sessions: tuple[Session, ...]
    refused: Mapping[str, Observation]
    """By snippet id."""


def _missing(step: Step, names: Iterable[str], reason: str) -> Step:
    return replace(step, missing={**step.missing, **dict.fromkeys(sorted(names), reason)})


Available = Callable[[str], bool]
"""True if the target interpreter can import this top-level package."""


def plan(extraction: Extraction, prelude: Sequence[str] = (), available: Available = lambda _name: True) -> Plan:
    """The plan of one document."""
    return Planner(extraction, prelude_names(prelude), available).plan()


LEAD = ""
"""The chapter of what stands above all chapters: what is bound there is meant for all of them."""


def chapters(extraction: Extraction) -> dict[str, str]:
    """Chapter of each snippet: the highest level of headings that tells the snippets apart."""
    paths = {snippet.id: snippet.headings for snippet in extraction.snippets}
    depth = 0
    while len({path[: depth + 1] for path in paths.values()}) == 1 and any(
        len(path) > depth for path in paths.values()
    ):
        depth += 1
    return {name: "\n".join(path[: depth + 1]) if len(path) > depth else LEAD for name, path in paths.items()}


@dataclass(slots=True)
class Planner:
    extraction: Extraction
    prelude: Mapping[str, str]
    available: Available
    steps: list[Step] = field(default_factory=list)
    refused: dict[str, Observation] = field(default_factory=dict)
    binders: dict[str, int] = field(default_factory=dict)
    """Name -> index of the step that bound it last."""
    imports: dict[str, str] = field(default_factory=dict)
    """Name -> import statement, while an import is what bound it last."""
    sets: list[int] = field(default_factory=list)
    """Union-find over the steps."""
    chapters: dict[str, str] = field(default_factory=dict)
    doubtful: dict[str, str] = field(default_factory=dict)
    """Name -> what was missing where something should have been done to it."""
    star: bool = False

    def plan(self) -> Plan:
        self.chapters = chapters(self.extraction)
        for snippet in self.extraction.snippets:
            found = triage(snippet.code, cell=snippet.cell)
            reason = "skipped" if snippet.options.no_run else self._unrunnable(snippet, found)
            step = Step(snippet, found.code, found)
            if reason is None:
                step = self._furnished(step)
                reason = step.reason if step.hopeless else None
            if reason is None:
                self._add(step)
            else:
                self.refused[snippet.id] = Observation(status="not-run", reason=reason, needs=self._needs(step))
                self._bind(step, None)
        return Plan(self.extraction.document.source.name, tuple(self._sessions()), self.refused)

    def _unrunnable(self, snippet: Snippet, found: Triage) -> str | None:
        """Why a snippet is no code to be run. `F.softmax(x, dim=-1)` with an output is code, if `x` is known above."""
        if found.kind == "signature" and snippet.claims and found.needs:
            names = [name for name in found.needs if name not in self.imports and name not in self.prelude]
            if names and all(name in self.binders for name in names):
                return None
        return REASONS.get(found.kind)

    def _needs(self, step: Step) -> tuple[str, ...]:
        return step.needs if step.missing else ()

    def _furnished(self, step: Step) -> Step:
        """The step with everything that it needs, as far as that is to be had."""
        for one in step.triage.statements:
            absent = next((name for name in one.modules if not self.available(name)), None)
            if absent is not None:
                step = _missing(step, one.binds, f"missing-module {absent}")
        for name in (*step.triage.needs, *step.triage.late):
            step = self._given(step, name)
        step = replace(step, doubt=step.doubts())
        inherited = next((self.doubtful[name] for name, _ in step.takes if name in self.doubtful), None)
        return step if inherited is None else replace(step, doubt=Doubt(inherited, 0))

    def _given(self, step: Step, name: str) -> Step:
        """The step with one name that it needs: from an import, an earlier snippet, the prelude, or nowhere."""
        if name in self.imports:
            return replace(step, prelude=(*step.prelude, self.imports[name]))
        if name in self.binders:
            return self._taking(step, name, self.steps[self.binders[name]])
        if name in self.prelude and (self.prelude[name] != PRELUDE.get(name) or fits(name, step.code)):
            module = MODULES.get(name, "torch")
            if not self.available(module):
                return _missing(step, [name], f"missing-module {module}")
            return replace(step, prelude=(*step.prelude, self.prelude[name]))
        if name in step.triage.late:
            return replace(step, lacks=(*step.lacks, name))
        if "*" in step.missing:
            return _missing(step, [name], step.missing["*"])
        return step if self.star or step.triage.star else _missing(step, [name], f"missing-name {name}")

    def _taking(self, step: Step, name: str, binder: Step) -> Step:
        other = self.chapters[binder.snippet.id] not in (LEAD, self.chapters[step.snippet.id])
        if other and not self.extraction.document.continuous:
            step = replace(step, context=(*step.context, name))
        return replace(step, takes=(*step.takes, (name, binder.snippet.id)))

    def _add(self, step: Step) -> None:
        here = len(self.steps)
        self.steps.append(step)
        self.sets.append(here)
        for name, _ in step.takes:
            self._unite(here, self.binders[name])
        self._bind(step, here)
        self.star = self.star or (step.triage.star and "*" not in step.missing)

    def _bind(self, step: Step, here: int | None) -> None:
        """Note who binds its names from here on: nobody, where its statement fails or the snippet does not run."""
        imported = dict(step.triage.imports)
        lame = step.lame
        for index, one in enumerate(step.triage.statements):
            for name in one.binds:
                self.imports.pop(name, None)
                self.binders.pop(name, None)
                self.doubtful.pop(name, None)
                if index in lame:
                    continue
                if name in imported:
                    self.imports[name] = imported[name]
                elif here is not None:
                    self.binders[name] = here
        self._doubt(step, here)

    def _doubt(self, step: Step, here: int | None) -> None:
        """Remember what a statement that failed would have worked on, and what a doubtful snippet binds."""
        if step.doubt is None or here is None:
            return
        touched = {name for one in step.lame.values() for name in one.loads}
        names = touched if step.doubt.line else touched | step.triage.binds
        self.doubtful.update(dict.fromkeys(names & set(self.binders), step.doubt.reason))

    def _find(self, index: int) -> int:
        while self.sets[index] != index:
            self.sets[index] = self.sets[self.sets[index]]
            index = self.sets[index]
        return index

    def _unite(self, one: int, other: int) -> None:
        self.sets[self._find(one)] = self._find(other)

    def _sessions(self) -> list[Session]:
        source = self.extraction.document.source.name
        if self.extraction.document.continuous:
            return [Session(source, tuple(self.steps), True)] if self.steps else []
        groups: dict[int, list[Step]] = {}
        for index, step in enumerate(self.steps):
            groups.setdefault(self._find(index), []).append(step)
        return [Session(source, tuple(steps)) for steps in groups.values()]
