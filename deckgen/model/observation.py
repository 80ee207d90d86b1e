"""Observations: what torch really did, as plain data that outlives the process that ran it.

The worker takes a `Value` of an object when it is printed, shown or assigned, so that a later
in-place change cannot alter what was seen, and comparison needs neither torch nor a live process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A live object, described. Fields that do not apply are None or empty."""

    kind: Literal[
        "tensor",
        "array",
        "number",
        "bool",
        "str",
        "none",
        "size",
        "dtype",
        "device",
        "sequence",
        "mapping",
        "set",
        "module",
        "other",
    ]
    """`array` is numpy's; `sequence` covers list, tuple and named tuples; `size` is torch.Size."""
    type: str
    """Qualified type name: `torch.Tensor`, `torch.nn.parameter.Parameter`, `builtins.list`."""
    repr: str
    """`repr()` at that moment, cut at 100,000 characters."""
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    """`float32`, `int64`: without the `torch.` prefix; for numbers `int`, `float`, `complex`."""
    device: str | None = None
    requires_grad: bool | None = None
    grad_fn: str | None = None
    """Class name, `AddBackward0`."""
    data: tuple[float | int | bool | complex | str, ...] | None = None
    """All elements in row-major order at full precision, if there are at most 10,000; a scalar has one."""
    items: tuple[Value, ...] = ()
    """Of a sequence or set; the values of a mapping."""
    keys: tuple[Value, ...] = ()
    """The keys of a mapping, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that could be seen while a snippet ran, in order."""

    kind: Literal["stdout", "stderr", "value", "probe", "warning", "exception"]
    """`value` = a top-level expression statement; `probe` = an expression asked for by a claim, or
    an assigned name; `warning` and `exception` have `type: message` in `text`."""
    text: str
    """What was written, or `repr` of the value, or the exception with its type."""
    inner: int | None
    """Innermost line of the snippet that caused it (0-based index into its code's lines)."""
    outer: int | None
    """First line of the top-level statement that caused it; None for output of no known line."""
    outer_end: int | None = None
    """Last line of that top-level statement."""
    target: str | None = None
    """For probes: the expression."""
    values: tuple[Value, ...] = ()
    """The objects printed (one call of print is one event), shown or probed."""
    random: bool = False
    """True if unseeded randomness was drawn in this session at or before this event."""
    of_torch: bool = False
    """Of an exception: a call of torch raised it, and not the snippet's own code or another package."""


Status = Literal["ran", "error", "not-run"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why what a run shows may not be what the notes' own run showed."""

    reason: str
    """What was missing: `missing-name model`, `missing-module torchvision`."""
    line: int
    """From this line of the snippet on (0-based)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One run of one snippet within its session."""

    status: Status
    """`ran` = reached its end sentinel (a statement may still have raised: see `exception`);
    `error` = died, hung or was never finished; `not-run` = see `reason`."""
    events: tuple[Event, ...] = ()
    exception: str | None = None
    """The first exception that no claim... was not caught: `NameError: name 'x' is not defined`."""
    exception_line: int | None = None
    reason: str | None = None
    """Why it did not run or did not finish, in the words of `outcome`: `needs-cuda`, `missing-name x`,
    `missing-module x`, `missing-file x`, `timed-out`, `placeholder`, `not-python`, `skipped`, ..."""
    needs: tuple[str, ...] = ()
    """What triage says it needs: `name model`, `module pandas`, `file x.csv`, `cuda`."""
    device: str = "cpu"
    """`cpu`, `cuda:0` or `cuda-emulated`."""
    seed: int | None = None
    """The seed that the source itself set last, if any."""
    context: tuple[str, ...] = ()
    """Names it took from another chapter (a mismatch may be the context's fault)."""
    above: tuple[str, ...] = ()
    """The code of the snippets that its names come from, in order."""
    prelude: tuple[str, ...] = ()
    """Imports that deckgen added, and assumptions."""
    missing: tuple[tuple[str, str], ...] = ()
    """(name, reason) of what it wants in vain; what can do without has run."""
    assumed: tuple[tuple[str, str], ...] = ()
    """(claim, name) where a claim alone says what a name is: that is no finding, and holds for what follows."""
    doubt: Doubt | None = None
    """Set if something is missing here, or was where its names come from."""

    @property
    def repeats(self) -> bool:
        return would_repeat(self.status, self.reason)


def would_repeat(status: Status, reason: str | None) -> bool:
    """False for what a busy machine or a lack of memory may have done: the next run should try again."""
    return status != "error" or str(reason).startswith(("crashed", "exited", "flooded"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """Everything seen of one snippet: what the judge needs."""

    first: Observation
    second: Observation | None = None
    """The same session with another random seed; if that does not explain what differs from the notes, in a process with another
    hash seed and address space, too. Taken only when the first did not settle every claim."""
    reset: Observation | None = None
    """A Markdown session run once more with state resets between its snippets; only after a mismatch."""
    garbage: Observation | None = None
    """The first run once more, with garbage in memory that nobody has set; only of code that may show such memory."""
    draws: tuple[Observation, ...] = ()
    """Many more runs with other random seeds; only where luck alone could speak for a claim, or against it."""
    candidates: tuple[Observation, ...] = ()
    """One run per credible reading, in the order of `Snippet.candidates`, for unsure code."""

    @property
    def others(self) -> tuple[Observation, ...]:
        """The runs that tell what of the first is another each time."""
        found = (self.second, self.garbage, *self.draws)
        return tuple(run for run in found if run is not None and run.status != "not-run")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Where observations were made; shown in every report."""

    torch: str
    python: str
    device: str
    sandbox: str
    """`landlock7+seccomp+rlimits`, or `off`."""
    engine: str
    """`fork`, `spawn`, `cache` (nothing had to run) or `none`."""
