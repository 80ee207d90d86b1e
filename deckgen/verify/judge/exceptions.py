"""Exceptions: claimed ones, and those that kept a claim from being checked."""

from __future__ import annotations

import re

from deckgen.model.claim import Claim, Raises, Snippet
from deckgen.model.observation import Event, Observation
from deckgen.model.verdict import VerdictKind
from deckgen.text.pattern import pattern
from deckgen.verify.judge.evidence import Evidence
from deckgen.verify.sources import on_device

OBSTACLES = (
    (pattern(r"^NameError: name '(\w+)' is not defined"), "missing-name"),
    (pattern(r"^ModuleNotFoundError: No module named '([\w.]+)'"), "missing-module"),
    (pattern(r"^FileNotFoundError: .*?['\"]([^'\"]+)['\"]", re.DOTALL), "missing-file"),
    (pattern(r"SyntaxError:|IndentationError:"), "not-python"),
    (
        pattern(r"rocess group has not been init|RPC has not|DistNetworkError|init_process_group|NCCL built in"),
        "needs-distributed",
    ),
    (
        pattern(
            r"PermissionError|peration not permitted|Permission denied|Read-only file|Connection\w*Error|URLError"
            r"|Network is unreachable|name resolution"
        ),
        "sandbox",
    ),
    (pattern(r"can't allocate memory|not enough memory: you tried|MemoryError|OutOfMemoryError"), "memory-limit"),
    (
        pattern(
            r"(?i)NVIDIA driver|compiled with CUDA|CUDA GPUs|No CUDA|cuda.*is not available|CUDA-capable|torch not compiled"
            r"|Cannot access accelerator device|HIP GPUs|without ATen_cuda|linked with support for cuda|_cuda_getDevice"
        ),
        "needs-cuda",
    ),
)
"""What the message of an exception says, and the reason why a claim cannot be checked; a group is what is missing."""
_OF_CUDA = pattern(r"(?i)\bcuda(?::\d)?\b|\bgpu\b")
"""In a claimed message: where the author ran it, something was on a device that is not here."""


def missing_part(exception: str) -> str | None:
    """`missing-name x`, `missing-module x`, `missing-file x`, `needs-cuda`, ..., if that is what is wrong."""
    for sign, reason in OBSTACLES:
        found = sign.search(exception)
        if found:
            return f"{reason} {found[1]}" if found.lastindex else reason
    return None


Answer = tuple[VerdictKind, str | None, str | None]
"""Verdict, what torch raised, and the reason."""


def judge_exception(snippet: Snippet, run: Observation, claim: Raises, evidence: Evidence) -> Answer:
    """The verdict on a claim that something raises: its type exact, its message by words."""
    elsewhere = run.device == "cuda-emulated" and on_device(snippet.code, claim.code_line)
    if not evidence.exceptions:
        if run.status == "error":
            word, reason = _of_a_dead_run(run)
            return word, None, reason
        if elsewhere or (run.device == "cpu" and _OF_CUDA.search(claim.message)):
            return VerdictKind.UNVERIFIED, None, "needs-cuda"
        undefined = re.search(r"name '(\w+)' is not defined", claim.message)
        if undefined and any(undefined[1] in re.findall(r"\w+", given) for given in (*run.prelude, *run.context)):
            return (
                VerdictKind.UNVERIFIED,
                None,
                "context",
            )  # the name was imported for the snippet, or taken from another chapter
        return VerdictKind.CONTRADICTED, None, f"{claim.exception or 'an exception'} is claimed, nothing is raised"
    answers = [meets(claim, event) for event in evidence.exceptions]
    best = next((answer for answer in answers if answer[0] is VerdictKind.HOLDS), answers[0])
    if best[0] is VerdictKind.HOLDS:
        return best
    first = evidence.exceptions[0].text
    missing = missing_part(first) if not claim.exception.startswith(first.split(":")[0]) else None
    if missing or elsewhere:
        return VerdictKind.UNVERIFIED, best[1], missing or "needs-cuda"
    return best


def meets(claim: Raises, event: Event) -> Answer:
    """The verdict on a claimed exception against one that was raised."""
    kind, _, message = event.text.partition(":")
    name = kind.strip().rsplit(".", 1)[-1]
    if claim.exception and name.lstrip("_") != claim.exception:  # `torch.linalg.LinAlgError` is called `_LinAlgError`
        return VerdictKind.CONTRADICTED, event.text, f"{claim.exception} claimed, torch raises {name}"
    if f" {_words(claim.message)} ".replace("  ", " ") in f" {_words(message)} ":
        return VerdictKind.HOLDS, event.text, None
    return (
        VerdictKind.CONTRADICTED,
        event.text,
        f"the same exception, but torch says: {' '.join(message.split())[:120]}",
    )


def _words(message: str) -> str:
    """The words and numbers of a message, up to the dots at its end."""
    message = re.split(r"\.\.\.\s*$|…\s*$", message)[0]
    message = re.sub(r"0x[0-9a-f]+", "0x", message)
    return " ".join(re.findall(r"-?\d+(?:\.\d+)?|\w+", message.lower()))


def excuse(snippet: Snippet, run: Observation, claim: Claim, evidence: Evidence) -> tuple[VerdictKind, str]:
    """The verdict on a claim about which nothing was seen, and the reason."""
    raised = _cause(run, evidence)
    if raised is not None:
        missing = missing_part(raised.text)
        if missing:
            return VerdictKind.UNVERIFIED, missing
        where = "" if raised.inner is None else f"line {snippet.lines[raised.inner] + 1}: "
        return VerdictKind.ERROR, f"{where}{' '.join(raised.text.split())[:200]}"
    if run.status == "error":
        return _of_a_dead_run(run)
    line = claim.code_line
    if line is None or any(e.kind in ("stdout", "value") and line in (e.inner, e.outer) for e in run.events):
        return VerdictKind.CONTRADICTED, "torch prints nothing more"
    return VerdictKind.UNVERIFIED, "not-reached"


def _of_a_dead_run(run: Observation) -> tuple[VerdictKind, str]:
    """A snippet that took too long may be right; one that crashed is not."""
    reason = run.reason or "the process died"
    return (VerdictKind.UNVERIFIED if reason in ("timed-out", "needs-cuda") else VerdictKind.ERROR), reason


_WANTING = ("NameError", "FileNotFoundError")
"""They may only want what an earlier statement failed to make."""


def _cause(run: Observation, evidence: Evidence) -> Event | None:
    """The exception to blame: of the statement; and if that only misses a name, the first one before it."""
    raised = [event for event in run.events if event.kind == "exception"]
    own = next(
        (
            event
            for event in (*evidence.exceptions, *raised)
            if event in evidence.exceptions or "SyntaxError" in event.text
        ),
        None,
    )
    if own is None or not own.text.startswith(_WANTING) or own not in raised:
        return own
    return next((event for event in raised[: raised.index(own)] if not event.text.startswith(_WANTING)), own)
