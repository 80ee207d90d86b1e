"""What a worker is asked, what the cache keeps of its answer, and the observation that this becomes.

A request says nothing about where a snippet stands: a line added above it changes no request, so the cache still has the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import UnionType
from typing import Any, Literal

from deckgen.model.observation import Event, Observation, Value
from deckgen.text.pattern import pattern
from deckgen.verify.engine.runner import Json, Outcome, SnippetFrames
from deckgen.verify.plan import Step

Variant = Literal[
    "first", "reseeded", "second", "reset", "garbage", "draws", "more draws", "together", "together reseeded"
]  # fmt: skip

SEEDS: dict[Variant, int] = {
    "first": 20_210_401, "reseeded": 77_003, "second": 77_003, "reset": 20_210_401, "garbage": 20_210_401,
    "draws": 1_000, "more draws": 2_000, "together": 20_210_401, "together reseeded": 77_003,
}  # fmt: skip
"""Random seeds of deckgen's own. The second run has another one, in the same worker or in another, so that what is random differs; of the draws each has the
next one."""
DRAWS: dict[Variant, int] = {"draws": 62, "more draws": 320}
"""So many draws in one child. With the first two runs 64, in which most pictures of notes come again; and 384, after which none
is due to luck."""
DRAWS_TIME = 10.0
"""Seconds of processor time that the draws of one child may take; those that come in time count."""
OUTPUT_LIMIT = 2 << 20
"""Bytes that one snippet may write."""
LIMITS = {"AS": 4 << 30, "FSIZE": 256 << 20, "CORE": 0, "NOFILE": 1024}
"""Of a session's process; `AS` on top of what torch takes."""
COMPILER_FILE_SIZE = 1 << 30
"""Precompiled headers of a C++ compiler need more."""
NETWORKING = pattern(
    r"\b(?:distributed|init_process_group|TCPStore|socket|socketserver|localhost)\b|127\.0\.0\.1|\bhttp\.server\b"
)
"""Code whose processes talk to each other over the loopback. Its session has a network of its own, which leads nowhere else."""


# Requests


def session_request(steps: Sequence[Step], variant: Variant, device: str, timeout: float) -> Json:
    """A run of these steps in one process; `timeout` in seconds for each step."""
    limits = {**LIMITS, "CPU": int(timeout * len(steps)) + 30}
    snippets = [request_of(step) for step in steps]
    if variant in DRAWS:
        limits["CPU"] = int(min(timeout, DRAWS_TIME))
        seeds = range(SEEDS[variant], SEEDS[variant] + DRAWS[variant])
        snippets = [one for seed in seeds for one in _another_draw(snippets, seed)]
    if variant in ("together", "together reseeded"):
        snippets = [one | {"fresh": SEEDS[variant]} for one in snippets]
    if any(step.triage.compiles for step in steps):
        limits["FSIZE"] = COMPILER_FILE_SIZE
    if device == "cuda":
        del limits["AS"]  # a CUDA context reserves more address space than any useful limit
    return {
        "kind": "session",
        "seed": SEEDS[variant],
        "reset": variant == "reset",
        "device": device,
        "output_limit": OUTPUT_LIMIT,
        "limits": limits,
        "loopback": any(NETWORKING.search(step.code) for step in steps),
        "snippets": snippets,
        **({"garbage": True} if variant == "garbage" else {}),
    }


def _another_draw(snippets: Sequence[Json], seed: int) -> list[Json]:
    """The same snippets, the first of which begins anew with a seed of its own."""
    return [{**snippets[0], "fresh": seed}, *snippets[1:]]


def request_of(step: Step) -> Json:
    """A step as the worker gets it."""
    return {
        "code": step.code,
        "prelude": list(dict.fromkeys(step.prelude)),
        "probes": step.snippet.probes,
        "cell": step.snippet.cell,
        "exits": "atexit" in step.code and not step.snippet.cell,  # what is registered there runs when a script ends
        "gone": {str(index): sorted(one.binds) for index, one in step.lame.items() if one.binds},
        "seed": step.snippet.options.seed,
    }


def introspection_request(requests: Sequence[Json]) -> Json:
    """Questions about API names, for one session."""
    return {"kind": "introspect", "requests": [*requests], "output_limit": OUTPUT_LIMIT, "limits": {}}


# Records: what the cache keeps of one snippet's run

REASONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (pattern(r"NameError: name '(\w+)' is not defined"), "missing-name {0}"),
    (pattern(r"ModuleNotFoundError: No module named '(?!torch\.|torch')([\w.]+)'"), "missing-module {0}"),
    (pattern(r"RuntimeError: Numpy is not available"), "missing-module numpy"),
    (pattern(r"FileNotFoundError: .*?: '([^'\n]*)'"), "missing-file {0}"),
    (
        pattern(
            r"(?:AssertionError: Torch not compiled with CUDA|RuntimeError: (?:Found no NVIDIA driver|No CUDA GPUs)"
            r"|RuntimeError: .*(?:Cannot access accelerator device|without ATen_cuda)"
            r"|.*PyTorch is not linked with support for cuda|NotImplementedError: .*from the 'CUDA' backend)"
        ),
        "needs-cuda",
    ),
)
"""What an exception says about the surroundings rather than about torch."""


def records_of(count: int, outcome: Outcome, emulated: bool) -> Iterator[tuple[int, Json]]:
    """(index, record) of the snippets that reached their end or died; what came after a death has none."""
    for index in range(count):
        frames = outcome.snippets.get(index)
        if index == outcome.culprit:
            too_slow = outcome.reason == "timed-out" and emulated  # a GPU's work, which a CPU cannot do in time
            yield index, record(frames or SnippetFrames(), "error", "needs-cuda" if too_slow else outcome.reason)
        elif frames is not None and frames.end is not None:
            yield index, record(frames, "error" if frames.end["left"] else "ran", None)


def record(frames: SnippetFrames, status: str, reason: str | None) -> Json:
    end = frames.end or {}
    exception = end.get("exception")
    if end.get("left"):
        reason = "exited"
    elif reason is None and exception:
        found = ((sign.search(exception), text) for sign, text in REASONS)
        reason = next((text.format(*match.groups()) for match, text in found if match), None)
    kept = {name: end.get(name) for name in ("exception", "exception_line", "seed")}
    return {"status": status, "events": frames.events, "reason": reason, "device": end.get("device", "cpu"), **kept}


def seems_alone(record: Json) -> bool:
    """True if a record shows nothing that the code may owe to what ran before it in its process: no error, no warning."""
    shown = {event.get("kind") for event in record["events"]}
    return bool(record["status"] == "ran" and not record["reason"] and shown <= {"stdout", "value", "probe"})


def not_run(reason: str) -> Json:
    """The record of a step of which nothing was seen."""
    return record(SnippetFrames(), "not-run", reason)


# Observations. A snippet shares its process with our code and can forge what it reports, so each part is checked by type.


def observation_of(step: Step, kept: Json, above: Sequence[Step] = ()) -> Observation:
    """What a record shows, with what the plan knows of the step; its names come from those `above`."""
    try:
        seen = observation(kept, step.code.count("\n") + 1)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        seen = Observation(status="error", reason="forged")
    reasons = {"ran": (step.reason, seen.reason), "error": (seen.reason, step.reason)}.get(seen.status, (seen.reason,))
    return replace(
        seen,
        reason=next(filter(None, reasons), None),
        needs=step.needs,
        context=step.context,
        above=tuple(one.code for one in above),
        prelude=step.prelude,
        missing=tuple(step.missing.items()),
        assumed=tuple((one.claim, name) for name, one in step.assumed.items()),
        doubt=step.doubt,
    )


Types = Mapping[str, type | UnionType]
OBSERVATION: Types = {
    "status": str, "exception": str | None, "exception_line": int | None, "reason": str | None, "device": str,
    "seed": int | None,
}  # fmt: skip
EVENT: Types = {
    "kind": str, "text": str, "inner": int | None, "outer": int | None, "outer_end": int | None, "target": str | None,
}  # fmt: skip
VALUE: Types = {
    "kind": str, "type": str, "repr": str, "dtype": str | None, "device": str | None, "requires_grad": bool | None,
    "grad_fn": str | None,
}  # fmt: skip
ELEMENT = int | float | bool | str | None
DEEPEST = 40
"""Values in values; the worker describes fewer."""


def observation(kept: Json, lines: int) -> Observation:
    """An observation from a record. Raises TypeError, KeyError or ValueError for what no worker writes."""
    seen = Observation(**typed_fields(kept, OBSERVATION), events=tuple(map(event, kept["events"])))
    places = [seen.exception_line, *(line for one in seen.events for line in (one.inner, one.outer, one.outer_end))]
    if not all(line is None or 0 <= line < lines for line in places):
        raise ValueError("an event of a line that the snippet does not have")
    return seen


def event(frame: Json) -> Event:
    return Event(
        **typed_fields(frame, EVENT),
        values=tuple(map(value, frame.get("values", ()))),
        random=frame.get("random") is True,
        of_torch=frame.get("of_torch") is True,
    )


def value(found: Json, depth: int = 0) -> Value:
    if depth > DEEPEST:
        raise ValueError("values in values without end")
    shape, data = found.get("shape"), found.get("data")
    return Value(
        **typed_fields(found, VALUE),
        shape=None if shape is None else tuple(typed(size, int) for size in shape),
        data=None if data is None else tuple(map(element, data)),
        items=tuple(value(item, depth + 1) for item in found.get("items", ())),
        keys=tuple(value(item, depth + 1) for item in found.get("keys", ())),
    )


def element(found: Any) -> Any:
    return complex(found["re"], found["im"]) if isinstance(found, dict) else typed(found, ELEMENT)


def typed_fields(found: Json, types: Types) -> dict[str, Any]:
    return {name: typed(found.get(name), kind) for name, kind in types.items()}


def typed(part: Any, kind: type | UnionType) -> Any:
    if not isinstance(part, kind):
        raise TypeError(f"{type(part).__name__} in a frame")
    return part
