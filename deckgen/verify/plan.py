"""The plan: which snippets run together, in which order, and what each is given. Pure.

Names decide. A snippet whose names are all its own runs alone; free names come from earlier snippets of
the document (then they share a session, in document order), else from the prelude, which is reported.
Imports are no reason to share a session: they are repeated. A snippet that lacks a name or a package runs as far as
it can do without.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deckgen.model.claim import Raises, Snippet
from deckgen.model.document import Extraction
from deckgen.model.observation import Doubt, Observation
from deckgen.text.syntax import nodes, parsed
from deckgen.verify.assumed import Assumption, assumptions
from deckgen.verify.sources import DEFAULTS
from deckgen.verify.triage import Triage, Uses, triage
from deckgen.verify.versions import Installed, outside

# The prelude: imports that readers of PyTorch notes take for granted

PRELUDE: Mapping[str, str] = dict(
    triage("""
import torch, math, time, os, sys, random, copy, json, warnings, torchvision
import torch.nn as nn, torch.nn.functional as F, torch.optim as optim, torch.utils.benchmark as benchmark
import numpy as np, matplotlib.pyplot as plt, pandas as pd
from collections import OrderedDict
from functools import partial
from torch import Tensor
from torch.autograd import Variable, Function
from torch.nn import Parameter
from torch.utils.data import Dataset, IterableDataset, TensorDataset, DataLoader, Sampler, random_split
from torch.utils.checkpoint import checkpoint
from torch.utils.tensorboard import SummaryWriter
from torchvision import transforms, models
""").imports
)
MODULES: Mapping[str, str] = {
    "np": "numpy", "plt": "matplotlib", "pd": "pandas", "torchvision": "torchvision",
    "transforms": "torchvision", "models": "torchvision", "SummaryWriter": "tensorboard",
}  # fmt: skip
"""Packages besides torch that a line of the prelude needs."""
FUNCTIONS = frozenset(["checkpoint", "partial", "random_split"])
ALSO_MODULES = frozenset(["transforms", "models"])
OF_CONTAINERS = frozenset("items keys values append extend get pop update sort insert".split())
"""What nobody calls on the module `models`, but on a dict of models."""


def fits(name: str, code: str) -> bool:
    """True if a snippet uses a name as what the prelude has for it: `models.resnet18()`, not `models.items()`."""
    module = PRELUDE[name].startswith("import ") or name in ALSO_MODULES
    tree = parsed(code)
    if tree is None or not (module or name in FUNCTIONS):
        return True
    asked = [node for node in nodes(tree) if isinstance(node, ast.Attribute | ast.Subscript)]
    asked = [node for node in asked if isinstance(node.value, ast.Name) and node.value.id == name]
    if not module:
        return not asked
    bare = sum(isinstance(node, ast.Name) and node.id == name for node in nodes(tree)) > len(asked)
    attributes = {node.attr if isinstance(node, ast.Attribute) else "get" for node in asked}
    return not bare and not (name in ALSO_MODULES and attributes & OF_CONTAINERS)


def prelude_names(lines: Sequence[str]) -> dict[str, str]:
    """Name -> line of the prelude; lines from the configuration come before our own."""
    return {**PRELUDE, **{name: line for line in lines for name in triage(line).binds}}


# Steps and sessions


@dataclass(frozen=True, slots=True)
class Step:
    """One snippet in its session, with what it is given and what it lacks."""

    snippet: Snippet
    triage: Triage
    prelude: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    """Names that were last bound under another chapter."""
    takes: tuple[tuple[str, str], ...] = ()
    """(name, id of the snippet that binds it)."""
    lacks: tuple[str, ...] = ()
    """Names that nothing binds but that only a function's body wants."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Names that it wants in vain, and why nobody binds them: `missing-name model`, `missing-module torchvision`."""
    inherited: str | None = None
    """What was missing where the names come from that it takes."""
    assumed: Mapping[str, Assumption] = field(default_factory=dict)
    """Names that nothing binds, and what they are by what it shows."""

    @property
    def code(self) -> str:
        return self.triage.code

    @property
    def needs(self) -> tuple[str, ...]:
        """As reported: `name model`, `module torchvision`, `cuda`."""
        missing = dict.fromkeys(reason.removeprefix("missing-") for reason in self.missing.values())
        return (*missing, *(f"name {name}" for name in self.lacks), *(("cuda",) if self.triage.cuda else ()))

    @property
    def lame(self) -> dict[int, Uses]:
        """Its statements, by index, that fail for want of what is missing, or of what such a one binds."""
        found: dict[int, Uses] = {}
        lost, reasons = set(self.missing), set(self.missing.values())
        for index, one in enumerate(self.triage.statements if self.missing else ()):
            if one.loads & lost or any(f"missing-module {module}" in reasons for module in one.modules):
                lost |= one.binds
                found[index] = one
            else:
                lost -= one.binds
        return found

    @property
    def reason(self) -> str | None:
        """What the first statement that fails is missing."""
        return next((self._want(one) for one in self.lame.values()), None)

    def _want(self, one: Uses) -> str:
        """What a statement is missing; where that is something another one should have bound, what is missing first."""
        modules = {f"missing-module {name}" for name in one.modules}
        reasons = (why for name, why in self.missing.items() if name in one.loads or why in modules)
        return next(reasons, next(iter(self.missing.values())))

    @property
    def doubt(self) -> Doubt | None:
        """From the first statement on that would have done something; imports and definitions only bind."""
        if self.inherited is not None:
            return Doubt(self.inherited, 0)
        return next((Doubt(self._want(one), one.first) for one in self.lame.values() if one.acts), None)

    @property
    def hopeless(self) -> bool:
        """True if nothing would be seen: no statement that does something can do without what is missing."""
        lame = self.lame
        acting = (index for index, one in enumerate(self.triage.statements) if one.acts)
        claims_failure = any(isinstance(claim, Raises) for claim in self.snippet.claims)
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


def above_each(steps: Sequence[Step]) -> list[tuple[Step, ...]]:
    """For each step, those before it that bind its names, and the names of those, in order; and those that decide where
    all tensors lie from there on.
    """
    places = {step.snippet.id: at for at, step in enumerate(steps)}
    reached: list[set[int]] = []
    deciding: set[int] = set()
    for here, step in enumerate(steps):
        direct = deciding | {places[binder] for _, binder in step.takes if binder in places}
        reached.append(direct.union(*(reached[at] for at in direct)))
        if any(name in step.code for name in DEFAULTS):
            deciding.add(here)
    return [tuple(steps[at] for at in sorted(before)) for before in reached]


# Planning


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run of one document, and why the rest is not."""

    source: str
    sessions: tuple[Session, ...]
    refused: Mapping[str, Observation]
    """By snippet id."""


Available = Callable[[str], bool]
"""True if the target interpreter can import this top-level package."""
LEAD = ""
"""The chapter of what stands above all chapters: what is bound there is meant for all of them."""


def plan(
    extraction: Extraction,
    prelude: Sequence[str] = (),
    available: Available = lambda _name: True,
    installed: Installed | None = None,
) -> Plan:
    """The plan of one document; what is `installed` decides which snippets are about other versions."""
    parts = chapters(extraction)
    planner = _Planner(extraction.document.continuous, parts, prelude_names(prelude), available)
    refused: dict[str, Observation] = {}
    chapter = None
    for snippet in extraction.snippets:
        if extraction.document.apart and parts[snippet.id] != chapter:
            planner.forget()
            chapter = parts[snippet.id]
        found = triage(snippet.code)
        other = outside(snippet.options.versions, installed) if installed else None
        unwanted = "skipped" if snippet.options.no_run else other and f"skipped: {other}"
        reason = unwanted or planner.unrunnable(snippet, found)
        step = Step(snippet, found)
        if reason is None:
            step = planner.furnished(step)
            reason = step.reason if step.hopeless else None
        if reason is not None:
            needs = step.needs if step.missing else ()
            refused[snippet.id] = Observation(status="not-run", reason=reason, needs=needs)
        planner.add(step, runs=reason is None)
    sessions: dict[int, list[Step]] = {}
    for at, step in enumerate(planner.steps):
        sessions.setdefault(0 if planner.continuous else planner.session(at), []).append(step)
    source = extraction.document.source.name
    found_sessions = tuple(Session(source, tuple(steps), planner.continuous) for steps in sessions.values())
    return Plan(source, found_sessions, refused)


def chapters(extraction: Extraction) -> dict[str, str]:
    """Chapter of each snippet: the highest level of headings that tells the snippets apart."""
    paths = {snippet.id: snippet.headings for snippet in extraction.snippets}
    own = [snippet.headings for snippet in extraction.snippets if not snippet.is_asked]
    deepest = max(map(len, own), default=0)
    levels = (level for level in range(deepest) if len({path[: level + 1] for path in own}) > 1)
    level = next(levels, deepest)
    return {name: "\n".join(path[: level + 1]) if len(path) > level else LEAD for name, path in paths.items()}


def _rounded(assumed: Mapping[str, Assumption]) -> dict[str, str]:
    """The reason not to call false what comes of numbers of which only the first digits are shown, by name."""
    return {name: f"assumed {name}" for name, one in assumed.items() if not one.exact}


@dataclass(slots=True)
class _Planner:
    """What is known of names while the snippets of a document are gone through."""

    continuous: bool
    chapters: Mapping[str, str]
    prelude: Mapping[str, str]
    available: Available
    steps: list[Step] = field(default_factory=list)
    joined: list[int] = field(default_factory=list)
    """For each of the steps, itself or a later step of its session: followed to its end, the number of the session."""
    binders: dict[str, int] = field(default_factory=dict)
    """Name -> index of the step that bound it last."""
    imports: dict[str, str] = field(default_factory=dict)
    """Name -> import statement, while an import is what bound it last."""
    doubtful: dict[str, str] = field(default_factory=dict)
    """Name -> what was missing where something should have been done to it."""
    star: bool = False

    def unrunnable(self, snippet: Snippet, found: Triage) -> str | None:
        """Why a snippet is no code to be run. `F.softmax(x, dim=-1)` with an output is code, if `x` is known above."""
        if found.reason == "signature-only" and snippet.claims:
            names = [name for name in found.needs if name not in self.imports and name not in self.prelude]
            if names and all(name in self.binders for name in names):
                return None
        return found.reason

    def furnished(self, step: Step) -> Step:
        """The step with everything that it needs: from an import, an earlier snippet, the prelude, or nowhere."""
        snippet, found = step.snippet, step.triage
        prelude: list[str] = []
        takes: dict[str, str] = {}
        lacks: list[str] = []
        missing: dict[str, str] = {}
        assumed: dict[str, Assumption] = {}
        shown = assumptions(snippet, found)
        for one in found.statements:
            absent = next((name for name in one.modules if not self.available(name)), None)
            if absent is not None:
                missing |= dict.fromkeys(sorted(one.binds), f"missing-module {absent}")
        for name in (*found.needs, *found.late):
            if name in self.imports:
                prelude.append(self.imports[name])
            elif name in self.binders and not (name in shown and self._is_assumed(name)):
                takes[name] = self.steps[self.binders[name]].snippet.id
            elif name in self.prelude and (self.prelude[name] != PRELUDE.get(name) or fits(name, found.code)):
                module = MODULES.get(name, "torch")
                if self.available(module):
                    prelude.append(self.prelude[name])
                else:
                    missing[name] = f"missing-module {module}"
            elif name in found.late:
                lacks.append(name)
            elif "*" in missing:
                missing[name] = missing["*"]
            elif name in shown:
                assumed[name] = shown[name]
                prelude += shown[name].code
            elif not self.star and "*" not in found.binds:
                missing[name] = f"missing-name {name}"
        here = (LEAD, self.chapters[snippet.id])
        context = () if self.continuous else (name for name in takes if self.chapters[takes[name]] not in here)
        doubtful = self.doubtful | _rounded(assumed)
        inherited = next((doubtful[name] for name in (*takes, *assumed) if name in doubtful), None)
        given = tuple(prelude), tuple(context), tuple(takes.items()), tuple(lacks)
        return Step(snippet, found, *given, missing, inherited, assumed)

    def forget(self) -> None:
        """Begins anew: what follows is nothing to what was above."""
        self.binders, self.imports, self.doubtful, self.star = {}, {}, {}, False

    def _is_assumed(self, name: str) -> bool:
        """True for a name of which a snippet above only shows what it is; where it is shown anew, it may be another one."""
        step = self.steps[self.binders[name]]
        return name in step.assumed and name not in step.triage.binds

    def session(self, at: int) -> int:
        """The number of a step's session; the way there is shortened as it is gone."""
        while (onward := self.joined[at]) != at:
            self.joined[at] = self.joined[onward]
            at = onward
        return at

    def add(self, step: Step, runs: bool) -> None:
        """Note who binds its names from here on: nobody, where its statement fails or the snippet does not run."""
        here = len(self.steps)
        if runs:
            self.steps.append(step)
            self.joined.append(here)
            for name, _ in step.takes:
                self.joined[self.session(self.binders[name])] = here
            self.star = self.star or ("*" in step.triage.binds and "*" not in step.missing)
            self.binders |= dict.fromkeys(step.assumed, here)
            self.doubtful |= _rounded(step.assumed)
        imported, lame = dict(step.triage.imports), step.lame
        for index, one in enumerate(step.triage.statements):
            for name in one.binds:
                self.imports.pop(name, None)
                self.binders.pop(name, None)
                self.doubtful.pop(name, None)
                if index not in lame and name in imported:
                    self.imports[name] = imported[name]
                elif index not in lame and runs:
                    self.binders[name] = here
        if doubt := step.doubt:  # of what failed and what it would have worked on, or of all that it binds
            names = {name for one in lame.values() for name in one.loads}
            names |= frozenset() if doubt.line else step.triage.binds
            self.doubtful |= dict.fromkeys(names & set(self.binders), doubt.reason)
