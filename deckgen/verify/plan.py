"""The plan: which snippets run together, in which order, and what each is given. Pure.

Names decide. A snippet whose names are all its own runs alone; free names come from earlier snippets of
the document (then they share a session, in document order), else from the prelude, which is reported.
Imports are no reason to share a session: they are repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deckgen.claim import Snippet
from deckgen.extraction import Extraction
from deckgen.observation import Observation
from deckgen.verify.triage import REASONS, Triage, triage

PRELUDE: Mapping[str, str] = {
    "torch": "import torch",
    "nn": "import torch.nn as nn",
    "F": "import torch.nn.functional as F",
    "optim": "import torch.optim as optim",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    "pd": "import pandas as pd",
    "math": "import math",
    "time": "import time",
    "os": "import os",
    "sys": "import sys",
    "random": "import random",
    "copy": "import copy",
    "json": "import json",
    "warnings": "import warnings",
    "OrderedDict": "from collections import OrderedDict",
    "partial": "from functools import partial",
    "Tensor": "from torch import Tensor",
    "Variable": "from torch.autograd import Variable",
    "Function": "from torch.autograd import Function",
    "Parameter": "from torch.nn import Parameter",
    "Dataset": "from torch.utils.data import Dataset",
    "IterableDataset": "from torch.utils.data import IterableDataset",
    "TensorDataset": "from torch.utils.data import TensorDataset",
    "DataLoader": "from torch.utils.data import DataLoader",
    "Sampler": "from torch.utils.data import Sampler",
    "random_split": "from torch.utils.data import random_split",
    "checkpoint": "from torch.utils.checkpoint import checkpoint",
    "SummaryWriter": "from torch.utils.tensorboard import SummaryWriter",
    "benchmark": "import torch.utils.benchmark as benchmark",
    "torchvision": "import torchvision",
    "transforms": "from torchvision import transforms",
    "models": "from torchvision import models",
}
"""What readers of PyTorch notes take for granted."""

MODULES: Mapping[str, str] = {
    "np": "numpy", "plt": "matplotlib", "pd": "pandas", "torchvision": "torchvision",
    "transforms": "torchvision", "models": "torchvision", "SummaryWriter": "tensorboard",
}  # fmt: skip
"""Packages besides torch that a line of the prelude needs."""

CANDIDATES = 12
"""Readings of unsure code that are run at most."""


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

    @property
    def needs(self) -> tuple[str, ...]:
        """As reported: `name model`, `cuda`."""
        return (*(f"name {name}" for name in self.lacks), *(("cuda",) if self.triage.cuda else ()))


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


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run of one document, and why the rest is not."""

    source: str
    sessions: tuple[Session, ...]
    refused: Mapping[str, Observation]
    """By snippet id."""


Available = Callable[[str], bool]
"""True if the target interpreter can import this top-level package."""


def plan(extraction: Extraction, prelude: Sequence[str] = (), available: Available = lambda _name: True) -> Plan:
    """The plan of one document."""
    return Planner(extraction, prelude_names(prelude), available).plan()


def prelude_names(lines: Sequence[str]) -> dict[str, str]:
    """Name -> line of the prelude; lines from the configuration come before our own."""
    own = {name: line for line in lines for name in triage(line).binds}
    return {**PRELUDE, **own}


def chapters(extraction: Extraction) -> dict[str, str]:
    """Chapter of each snippet: the highest level of headings that tells the snippets apart."""
    paths = {snippet.id: snippet.headings for snippet in extraction.snippets}
    depth = 0
    while len({path[: depth + 1] for path in paths.values()}) == 1 and any(
        len(path) > depth for path in paths.values()
    ):
        depth += 1
    return {name: "\n".join(path[: depth + 1]) for name, path in paths.items()}


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
    star: bool = False

    def plan(self) -> Plan:
        self.chapters = chapters(self.extraction)
        for snippet in self.extraction.snippets:
            found = triage(snippet.code, cell=snippet.cell)
            reason = self._obstacle(snippet, found)
            if reason is None:
                reason = self._join(snippet, found)
            if reason is not None:
                self._refuse(snippet, found, reason)
        return Plan(self.extraction.document.source.name, tuple(self._sessions()), self.refused)

    def _obstacle(self, snippet: Snippet, found: Triage) -> str | None:
        """Why it cannot run whatever its names are."""
        if snippet.options.no_run:
            return "skipped"
        if found.kind != "code":
            return REASONS[found.kind]
        missing = next((name for name in found.modules if not self.available(name)), None)
        return None if missing is None else f"missing-module {missing}"

    def _join(self, snippet: Snippet, found: Triage) -> str | None:
        """Find its names; a reason if one is missing."""
        step = Step(snippet, found.code, found)
        here = len(self.steps)
        partners: list[int] = []
        for name in (*found.needs, *found.late):
            binder = self.binders.get(name)
            if name in self.imports:
                step = replace(step, prelude=(*step.prelude, self.imports[name]))
            elif binder is not None:
                partners.append(binder)
                step = self._taking(step, name, self.steps[binder])
            elif name in self.prelude:
                if not self.available(MODULES.get(name, "torch")):
                    return f"missing-module {MODULES[name]}"
                step = replace(step, prelude=(*step.prelude, self.prelude[name]))
            elif name in found.late:
                step = replace(step, lacks=(*step.lacks, name))
            elif not (self.star or found.star):
                return f"missing-name {name}"
        self.steps.append(step)
        self.sets.append(here)
        for partner in partners:
            self._unite(here, partner)
        self._bind(found, here)
        return None

    def _taking(self, step: Step, name: str, binder: Step) -> Step:
        other = self.chapters[binder.snippet.id] != self.chapters[step.snippet.id]
        if other and not self.extraction.document.continuous:
            step = replace(step, context=(*step.context, name))
        return replace(step, takes=(*step.takes, (name, binder.snippet.id)))

    def _bind(self, found: Triage, here: int) -> None:
        imported = dict(found.imports)
        for name in found.binds:
            self.imports.pop(name, None)
            self.binders.pop(name, None)
            if name in imported:
                self.imports[name] = imported[name]
            else:
                self.binders[name] = here
        self.star = self.star or found.star

    def _refuse(self, snippet: Snippet, found: Triage, reason: str) -> None:
        """It does not run: what it would have bound is bound by nobody."""
        for name in found.binds - {name for name, _ in found.imports}:
            self.binders.pop(name, None)
            self.imports.pop(name, None)
        if reason.startswith("missing-name"):
            self.imports.update(found.imports)
        word, _, detail = reason.partition(" ")
        needs = (f"{word.removeprefix('missing-')} {detail}",) if word.startswith("missing-") else ()
        self.refused[snippet.id] = Observation(status="not-run", reason=reason, needs=needs)

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
