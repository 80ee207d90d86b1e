"""Records: what the cache keeps of one snippet's run, and the observation that it becomes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from deckgen.model.observation import Observation
from deckgen.text.pattern import pattern
from deckgen.verify.running import wire
from deckgen.verify.running.frames import Outcome, SnippetFrames
from deckgen.verify.steps import Step

Json = dict[str, Any]

REASONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (pattern(r"NameError: name '(\w+)' is not defined"), "missing-name {0}"),
    (pattern(r"ModuleNotFoundError: No module named '(?!torch\.|torch')([\w.]+)'"), "missing-module {0}"),
    (pattern(r"FileNotFoundError: .*?: '([^'\n]*)'"), "missing-file {0}"),
    (
        pattern(
            r"(?:AssertionError: Torch not compiled with CUDA|RuntimeError: (?:Found no NVIDIA driver|No CUDA GPUs)"
            r"|RuntimeError: .*(?:Cannot access accelerator device|without ATen_cuda)"
            r"|.*PyTorch is not linked with support for cuda)"
        ),
        "needs-cuda",
    ),
)
"""What an exception says about the surroundings rather than about torch."""


def records_of(steps: Sequence[Step], outcome: Outcome, emulated: bool) -> Iterator[tuple[Step, Json]]:
    """Of the steps that have been seen or have died; what came after a death is not among them."""
    for index, step in enumerate(steps):
        frames = outcome.snippets.get(index)
        if index == outcome.culprit:
            late = outcome.reason == "timed-out" and emulated  # work for a GPU, which a CPU cannot do in time
            yield step, _record(frames or SnippetFrames(), "error", "needs-cuda" if late else outcome.reason)
        elif frames is not None and frames.end is not None:
            yield step, _record(frames, "error" if frames.end["left"] else "ran", None)


def not_run(reason: str) -> Json:
    """The record of a step of which nothing was seen."""
    return _record(SnippetFrames(), "not-run", reason)


def observation_of(step: Step, record: Json, above: Sequence[str] = ()) -> Observation:
    """What a record tells, with what is known of the step itself; `above` is the code that its names come from."""
    try:
        seen = wire.observation(record)
        _insist_on_lines(seen, step.code.count("\n") + 1)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):  # written by the snippet itself
        seen = Observation(status="error", reason="forged")
    reason = (seen.reason or step.reason) if seen.status != "not-run" else seen.reason
    return replace(
        seen,
        reason=step.reason if seen.status == "ran" and step.reason else reason,
        needs=step.needs,
        context=step.context,
        above=tuple(above),
        prelude=step.prelude,
        missing=tuple(step.missing.items()),
        doubt=step.doubt,
    )


def _insist_on_lines(seen: Observation, lines: int) -> None:
    """Raises ValueError if an event is said to come from a line that the snippet does not have."""
    told = [
        seen.exception_line,
        *(line for event in seen.events for line in (event.inner, event.outer, event.outer_end)),
    ]
    if not all(line is None or 0 <= line < lines for line in told):
        raise ValueError("no line of the snippet")


def _record(frames: SnippetFrames, status: str, reason: str | None) -> Json:
    """What the cache keeps of one snippet's run."""
    end = frames.end or {}
    exception = end.get("exception")
    if end.get("left"):
        reason = "exited"
    elif reason is None and exception:
        reason = _surroundings(exception)
    return {
        "status": status,
        "events": frames.events,
        "exception": exception,
        "exception_line": end.get("exception_line"),
        "reason": reason,
        "device": end.get("device", "cpu"),
        "seed": end.get("seed"),
    }


def _surroundings(exception: str) -> str | None:
    for sign, reason in REASONS:
        found = sign.search(exception)
        if found:
            return reason.format(*found.groups())
    return None
