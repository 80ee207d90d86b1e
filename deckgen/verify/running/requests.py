"""Requests: what a worker is asked, as `deckgen.verify.running.runner` describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from deckgen.text.pattern import pattern
from deckgen.verify.steps import Step

Json = dict[str, Any]
Variant = Literal["first", "second", "reset"]

SEEDS: dict[Variant, int] = {"first": 20_210_401, "second": 77_003, "reset": 20_210_401}
"""Random seeds of deckgen's own. The second run has another one, so that what is random differs."""
OUTPUT_LIMIT = 2 << 20
"""Bytes that one snippet may write."""
MEMORY = 4 << 30
"""Bytes of address space that a session may take on top of what torch takes."""
FILE_SIZE = 256 << 20
COMPILER_FILE_SIZE = 1 << 30
"""A C++ compiler's precompiled headers need more."""
TALKING = pattern(
    r"\b(?:distributed|init_process_group|TCPStore|socket|socketserver|localhost)\b|127\.0\.0\.1|\bhttp\.server\b"
)
"""Code whose processes talk over the loopback; its session has a network of its own, which leads nowhere else."""


def session_request(steps: Sequence[Step], variant: Variant, device: str, timeout: float) -> Json:
    """A run of these steps in one process; `timeout` in seconds for each step."""
    return {
        "kind": "session",
        "seed": SEEDS[variant],
        "reset": variant == "reset",
        "device": device,
        "output_limit": OUTPUT_LIMIT,
        "limits": _limits(steps, device, timeout),
        "loopback": any(TALKING.search(step.code) for step in steps),
        "snippets": [request_of(step) for step in steps],
    }


def _limits(steps: Sequence[Step], device: str, timeout: float) -> Json:
    compiles = any(step.triage.compiles for step in steps)
    cpu_seconds = int(timeout * len(steps)) + 30
    limits = {
        "AS": MEMORY,
        "FSIZE": COMPILER_FILE_SIZE if compiles else FILE_SIZE,
        "CORE": 0,
        "NOFILE": 1024,
        "CPU": cpu_seconds,
    }
    if device == "cuda":
        del limits["AS"]  # a CUDA context reserves more address space than any limit worth setting
    return limits


def request_of(step: Step) -> Json:
    """A step as the worker gets it."""
    options = step.snippet.options
    return {
        "id": step.snippet.id,
        "code": step.code,
        "prelude": list(dict.fromkeys(step.prelude)),
        "probes": [list(probe) for probe in step.snippet.probes],
        "cell": step.snippet.cell,
        "exits": "atexit" in step.code and not step.snippet.cell,  # what is registered there is seen when a script ends
        "gone": {str(index): sorted(one.binds) for index, one in step.lame.items() if one.binds},
        "seed": options.seed,
    }


def introspection_request(names: Json) -> Json:
    """A question about API names, `names` as `api.names_to_look_up` makes it."""
    return {"kind": "introspect", "request": names, "output_limit": OUTPUT_LIMIT, "limits": {}}
