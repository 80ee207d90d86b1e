"""Exceptions: claimed ones, and those that kept a claim from being checked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckgen.model.claim import Claim, Raises, Snippet
from deckgen.model.observation import Event, Observation
from deckgen.model.verdict import Word
from deckgen.text.pattern import pattern
from deckgen.verify.attribute import Evidence
from deckgen.verify.sources import on_device

_CUDA = pattern(
    r"NVIDIA driver|not compiled with CUDA|CUDA GPUs|No CUDA|cuda(?:.*)is not available|CUDA-capable|torch not compiled"
    r"|Cannot access accelerator device|HIP GPUs|without ATen_cuda|linked with support for cuda|_cuda_getDevice",
    re.IGNORECASE,
)
_OF_CUDA = pattern(r"\bcuda(?::\d)?\b|\bgpu\b", re.IGNORECASE)
"""In a message: where the author ran it, something was on a device that is not here."""
_SURROUNDINGS = (
    (
        pattern(
            r"rocess group has not been init|RPC has not been init|DistNetworkError|init_process_group|have NCCL built in"
        ),
        "needs-distributed",
    ),
    (
        pattern(
            r"PermissionError|[Oo]peration not permitted|Permission denied|Read-only file system|Connection\w*Error|URLError"
            r"|Network is unreachable|name resolution"
        ),
        "sandbox",
    ),
    (pattern(r"can't allocate memory|not enough memory: you tried|MemoryError|OutOfMemoryError"), "memory-limit"),
)
_MISSING = (
    (pattern(r"NameError: name '(\w+)' is not defined"), "missing-name"),
    (pattern(r"ModuleNotFoundError: No module named '([\w.]+)'"), "missing-module"),
    (pattern(r"FileNotFoundError: .*?['\"]([^'\"]+)['\"]", re.DOTALL), "missing-file"),
)


def judge_exception(
    snippet: Snippet, run: Observation, claim: Raises, evidence: Evidence
) -> tuple[Word, str | None, str | None]:
    """(word, observed, reason) of a claim that something raises: type exact, message by words."""
    if not evidence.exceptions:
        if run.status == "error":
            word, reason = _of_a_dead_run(run)
            return word, None, reason
        if run.device == "cuda-emulated" and on_device(snippet.code, claim.code_line):
            return Word.UNVERIFIED, None, "needs-cuda"
        if run.device == "cpu" and _OF_CUDA.search(claim.message):
            return Word.UNVERIFIED, None, "needs-cuda"
        if _was_given(run, claim):
            return Word.UNVERIFIED, None, "context"
        return Word.CONTRADICTED, None, f"{claim.exception or 'an exception'} is claimed, nothing is raised"
    answers = [meets(claim, event) for event in evidence.exceptions]
    best = min(answers, key=lambda answer: _ORDER.index(answer[0]))
    if best[0] is Word.CONTRADICTED:
        missing = missing_part(evidence.exceptions[0].text)
        if missing and not claim.exception.startswith(evidence.exceptions[0].text.split(":")[0]):
            return Word.UNVERIFIED, best[1], missing
        if run.device == "cuda-emulated" and on_device(snippet.code, claim.code_line):
            return Word.UNVERIFIED, best[1], "needs-cuda"
    return best


def _was_given(run: Observation, claim: Raises) -> bool:
    """True if a name that is claimed not to be defined was imported for the snippet, or taken from another chapter."""
    found = re.search(r"name '(\w+)' is not defined", claim.message) if claim.exception == "NameError" else None
    return found is not None and any(found[1] in re.findall(r"\w+", given) for given in (*run.prelude, *run.context))


_ORDER = (Word.HOLDS, Word.DRIFT_FORMAT, Word.CONTRADICTED)


def meets(claim: Raises, event: Event) -> tuple[Word, str, str | None]:
    """(word, observed, reason) of a claimed exception against one that was raised."""
    kind, _, message = event.text.partition(":")
    name = kind.strip().rsplit(".", 1)[-1]
    if claim.exception and name.lstrip("_") != claim.exception:  # `torch.linalg.LinAlgError` is called `_LinAlgError`
        return Word.CONTRADICTED, event.text, f"{claim.exception} claimed, torch raises {name}"
    claimed, seen = _words(claim.message), _words(message)
    if not claimed or _contains(seen, claimed):
        return Word.HOLDS, event.text, None
    if _alike(claim.message, message):
        return Word.DRIFT_FORMAT, event.text, "the message is worded otherwise now"
    return Word.CONTRADICTED, event.text, f"the same exception, but torch says: {' '.join(message.split())[:120]}"


def _words(message: str) -> list[str]:
    message = re.split(r"\.\.\.\s*$|…\s*$", message)[0]
    message = re.sub(r"0x[0-9a-f]+", "0x", message.replace("’", "'").replace("‘", "'"))
    return re.findall(r"-?\d+(?:\.\d+)?|\w+", message.lower())


def _contains(seen: list[str], claimed: list[str]) -> bool:
    """True if the claimed words stand in the message, one after another."""
    size = len(claimed)
    return any(seen[at : at + size] == claimed for at in range(len(seen) - size + 1))


def _alike(claimed: str, seen: str) -> bool:
    """True if most words are shared and no fact differs: messages are reworded between versions.

    The same words in another order say something else, `expected Double but found Float`, and so does one
    word in the place of another: `more than two values`, `Use .contiguous() instead`.
    """
    ours, theirs = _words(claimed), _words(seen)
    if sorted(filter(_is_fact, ours)) != sorted(filter(_is_fact, theirs)) or sorted(ours) == sorted(theirs):
        return False
    if not {word.strip("'\"") for word in _QUOTED.findall(claimed)} <= set(_NAME.findall(seen)):
        return False  # `'Tensor' object has no attribute 'foo'`: what stands in quotes is no wording
    if any(not _reworded(*pair) for pair in _replaced(ours, theirs)):
        return False
    shared = len(set(ours) & set(theirs))
    return len(ours) >= 4 and shared >= 0.6 * len(set(ours))


_QUOTED = pattern(r"(?<!\w)(?:'[^\W\d][\w.]*'|\"[^\W\d][\w.]*\")(?!\w)")
_NAME = pattern(r"[^\W\d]\w*(?:\.\w+)*")
_SAYING_LITTLE = frozenset(
    "a an the this that is are was be been being has have had must should can cannot could may will to of in on at for by"
    " with from and or but than as its it variable variables tensor tensors got found given".split()
)


def _replaced(ours: list[str], theirs: list[str]) -> Iterator[tuple[str, str]]:
    """The one word that stands in the place of another, where the rest of a claim is in the message as it is."""
    for at in range(len(theirs) - len(ours) + 1):
        other = [pair for pair in zip(ours, theirs[at:], strict=False) if pair[0] != pair[1]]
        if len(other) == 1:
            yield other[0]


_ENDINGS = frozenset(("", "s", "es", "d", "ed", "ing", "ion", "ly", "ean"))


def _reworded(one: str, other: str) -> bool:
    """True for two words of which one may have become the other in a newer version without another meaning."""
    stem = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    inflected = stem > 3 and one[stem:] in _ENDINGS and other[stem:] in _ENDINGS
    return inflected or (one in _SAYING_LITTLE and other in _SAYING_LITTLE)


_KINDS = frozenset(
    "float double half long int short byte char bool bfloat16 cpu cuda meta mps strided sparse first second third once twice".split()
)


def _is_fact(word: str) -> bool:
    """Numbers, also in words, and the names of dtypes and devices are no wording."""
    return word[-1].isdigit() or word in _KINDS


# --- claims that could not be checked ---------------------------------------------------------------


def missing_part(exception: str) -> str | None:
    """`missing-name x`, `missing-module x`, `missing-file x` or `needs-cuda`, if that is what is wrong."""
    for sign, reason in _MISSING:
        found = sign.match(exception)
        if found:
            return f"{reason} {found[1]}"
    if "SyntaxError:" in exception or "IndentationError:" in exception:
        return "not-python"
    for sign, reason in _SURROUNDINGS:
        if sign.search(exception):
            return reason
    return "needs-cuda" if _CUDA.search(exception) else None


def excuse(snippet: Snippet, run: Observation, claim: Claim, evidence: Evidence) -> tuple[Word, str]:
    """(word, reason) for a claim about which nothing was seen."""
    exception = _cause(run, evidence)
    if exception is not None:
        missing = missing_part(exception.text)
        if missing:
            return Word.UNVERIFIED, missing
        where = "" if exception.inner is None else f"line {snippet.lines[exception.inner] + 1}: "
        return Word.ERROR, f"{where}{' '.join(exception.text.split())[:200]}"
    if run.status == "error":
        return _of_a_dead_run(run)
    if claim.code_line is None or _printed_elsewhere(run, claim):
        return Word.CONTRADICTED, "torch prints nothing more"
    return Word.UNVERIFIED, "not-reached"


def _of_a_dead_run(run: Observation) -> tuple[Word, str]:
    """A snippet that took too long may be right; one that crashed is not."""
    reason = run.reason or "the process died"
    return (Word.UNVERIFIED if reason in ("timed-out", "needs-cuda") else Word.ERROR), reason


def _printed_elsewhere(run: Observation, claim: Claim) -> bool:
    """True if the statement did show something, only less than is claimed."""
    return any(e.kind in ("stdout", "value") and claim.code_line in (e.inner, e.outer) for e in run.events)


_WANTING = ("NameError", "FileNotFoundError")
"""They may only want what an earlier statement failed to make."""


def _cause(run: Observation, evidence: Evidence) -> Event | None:
    """The exception to blame: of the statement; and if that only misses a name, the first one before it."""
    raised = [event for event in run.events if event.kind == "exception"]
    own = evidence.exceptions[0] if evidence.exceptions else None
    if own is None:
        own = next((e for e in raised if "SyntaxError" in e.text), None)
        if own is None and run.status == "ran" and not raised:
            return None
        if own is None:
            return None
    if own.text.startswith(_WANTING) and raised and raised[0] is not own:
        before = raised[: raised.index(own)] if own in raised else []
        return next((e for e in before if not e.text.startswith(_WANTING)), own)
    return own
