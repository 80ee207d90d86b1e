"""What is to blame where claims and observations differ, or nothing was observed.

Exceptions, claimed and others; a failure before the claim, another chapter, a missing name; code that torch refuses, claim or no
claim; and the likely cause of a difference.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from deckgen.model.claim import Claim, Prints, Raises, Shows, Snippet
from deckgen.model.document import Document, Extraction, Prose, Quote
from deckgen.model.observation import Doubt, Event, Observation, Observed
from deckgen.model.verdict import ADDRESS, DOUBTFUL, Failure, Verdict, VerdictKind
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, nodes, parsed
from deckgen.text.wording import one_line
from deckgen.verify.bindings import names, names_it_depends_on, names_of
from deckgen.verify.judge.evidence import Evidence
from deckgen.verify.plan import Plan
from deckgen.verify.sources import asks_for_files, of, of_machine, on_device
from deckgen.written.values import value_prefix

# --- exceptions ---------------------------------------------------------------------------------------

OBSTACLES = (
    (pattern(r"^NameError: name '(\w+)' is not defined"), "missing-name"),
    (pattern(r"^ModuleNotFoundError: No module named '([\w.]+)'"), "missing-module"),
    (pattern(r"^RuntimeError: Numpy is not available"), "missing-module numpy"),
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
    (pattern(r"linked with support for \w+ devices|from the '(?!CPU|Meta)\w+' backend|MPS backend"), "environment"),
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
        if elsewhere or (run.device == "cpu" and (_OF_CUDA.search(claim.message) or _chosen(snippet, run, claim))):
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


def _chosen(snippet: Snippet, run: Observation, claim: Raises) -> bool:
    """True if the statement works with a device that the machine was asked for."""
    lines = range(len(snippet.lines)) if claim.code_line is None else (claim.code_line,)
    return any({"place", "value"} & of_machine(snippet.code, run.above, line, None) for line in lines)


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


_OVERLOADS = pattern(r"(invalid combination of arguments - got \(.*?\)), but expected.*", re.DOTALL)
"""What torch says that it got, and how it could have been called: that changes with each version."""


def _words(message: str) -> str:
    """The words and numbers of a message, up to the dots at its end, without a list of overloads."""
    message = _OVERLOADS.sub(r"\1", message)
    message = re.split(r"\.\.\.\s*$|…\s*$", message)[0]
    message = re.sub(r"0x[0-9a-f]+", "0x", message)
    return " ".join(re.findall(r"-?\d+(?:\.\d+)?|\w+", message.lower()))


def why_unverifiable(snippet: Snippet, run: Observation, claim: Claim, evidence: Evidence) -> tuple[VerdictKind, str]:
    """The verdict on a claim about which nothing was seen, and the reason."""
    raised = _cause(snippet, run, evidence)
    if raised is not None:
        missing = missing_part(raised.text)
        if missing:
            return VerdictKind.UNVERIFIED, missing
        if {"environment", "outside"} & of(snippet.code, raised.inner, None):
            return VerdictKind.UNVERIFIED, "environment"  # it worked on what it asked the machine for
        where = "" if raised.inner is None else f"line {snippet.lines[raised.inner] + 1}: "
        return VerdictKind.ERROR, f"{where}{' '.join(raised.text.split())[:200]}"
    if run.status == "error":
        return _of_a_dead_run(run)
    line = claim.code_line
    if evidence.left_out or (line is None and asks_for_files(snippet.code, run.above)):
        return VerdictKind.UNVERIFIED, "environment"
    if line is None or any(e.kind in ("stdout", "value") and line in (e.inner, e.outer) for e in run.events):
        return VerdictKind.CONTRADICTED, "torch prints nothing more"
    return VerdictKind.UNVERIFIED, "not-reached"


def _of_a_dead_run(run: Observation) -> tuple[VerdictKind, str]:
    """A snippet that took too long may be right; one that crashed is not."""
    reason = run.reason or "the process died"
    return (VerdictKind.UNVERIFIED if reason in ("timed-out", "needs-cuda") else VerdictKind.ERROR), reason


_WANTING = ("NameError", "FileNotFoundError")
"""They may only want what an earlier statement failed to make."""
_UNDEFINED = pattern(r"^NameError: name '(\w+)' is not defined")


def _cause(snippet: Snippet, run: Observation, evidence: Evidence) -> Event | None:
    """The exception to blame: of the statement; of one that only misses a name, that of the statement which should have bound it;
    and if that is none or misses a file, the first one before it.
    """
    raised = [event for event in run.events if event.kind == "exception"]
    own = next(
        (
            event
            for event in (*evidence.exceptions, *raised)
            if event in evidence.exceptions or "SyntaxError" in event.text
        ),
        None,
    )
    while own in raised and (undefined := _UNDEFINED.match(own.text)):
        above = raised[: raised.index(own)]
        own_source = next(
            (one for one in reversed(above) if undefined[1] in names_of(snippet.code, one.outer, None)), None
        )
        if own_source is None:
            break
        own = own_source
    if own is None or not own.text.startswith(_WANTING) or own not in raised:
        return own
    return next((event for event in raised[: raised.index(own)] if not event.text.startswith(_WANTING)), own)


# --- what else may be to blame for a mismatch -----------------------------------------------------------


def after_failure(snippet: Snippet, run: Observation, verdict: Verdict, evidence: Evidence) -> Verdict:
    """A mismatch behind a statement that died, about a name that it would have set or changed; or within one that the
    sandbox stopped, whose last words are no output of the notes.
    """
    claim = verdict.claim
    died = [event for event in run.events if event.kind == "exception" and event.outer is not None]
    if (
        not died
        or verdict.word not in (VerdictKind.CONTRADICTED, VerdictKind.DRIFT_DIGITS)
        or isinstance(claim, Raises)
    ):
        return verdict
    line = evidence.shown[0].line if evidence.shown else claim.code_line
    about = names_of(snippet.code, line, getattr(claim, "target", None))
    for event in died:
        stopped = event.outer == line and missing_part(event.text) == "sandbox"
        before = line is not None and (event.outer or 0) < line
        if stopped or (before and about & names_of(snippet.code, event.outer, None)):
            word, reason = why_unverifiable(snippet, run, claim, Evidence((), (event,)))
            return replace(verdict, word=word, reason=reason)
    return verdict


def blame_context(snippet: Snippet, run: Observation, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """A mismatch may be due to a name taken from another chapter, unless another claim shows that it is the right one; or
    to what a snippet lacks, from there on.
    """
    taken = frozenset(run.context) - proven_names(snippet, run, verdicts)
    assumed = dict(run.assumed)
    found = []
    for verdict in verdicts:
        line, reason, word = verdict.claim.code_line, None, VerdictKind.UNVERIFIED
        kind, _, name = (verdict.reason or "").partition(" ")
        if verdict.claim.id in assumed:
            reason = f"assumed {assumed[verdict.claim.id]}"
        elif verdict.word in DOUBTFUL:
            behind = _behind(snippet, verdict)
            if taken & behind:
                reason = "context"
            elif run.doubt is not None and (line is None or line >= run.doubt.line):
                reason = run.doubt.reason
            elif shown := sorted(behind.intersection(assumed.values())):
                word, reason = verdict.word, f"{verdict.reason} (if `{shown[0]}` is what the notes show)"
        elif verdict.word is VerdictKind.UNVERIFIED and kind == "missing-name":
            behind_doubt = run.doubt is not None and (line is None or line >= run.doubt.line)
            reason = dict(run.missing).get(name) or (run.doubt.reason if run.doubt and behind_doubt else None)
        found.append(verdict if reason is None else replace(verdict, word=word, reason=reason))
    return found


_VALUES = frozenset(("tensor", "array", "number", "bool", "size", "dtype", "device", "none"))


def but_for_explanations(run: Observation, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """What stands in a fence below code and holds nowhere explains it, if it is words, and the code shows none."""
    after = [verdict for verdict in verdicts if verdict.claim.place == "after"]
    shown = [event for event in run.events if event.kind in ("stdout", "value")]
    values = {value.kind for event in shown for value in event.values}
    words = all(isinstance(one.claim, Prints) and not value_prefix(one.claim.text) for one in after)
    text = " ".join(one.claim.text for one in after)
    no_words = values <= _VALUES and all(event.values for event in shown)
    false = all(one.word is VerdictKind.CONTRADICTED for one in after)
    if not (after and false and words and no_words and len(_WORD.findall(text)) > len(_NUMBER.findall(text))):
        return list(verdicts)
    reason = "words below code that shows none: they may explain it"
    return [replace(one, word=VerdictKind.UNVERIFIED, reason=reason) if one in after else one for one in verdicts]


_WORD = pattern(r"[^\W\d_]{2,}")


def proven_names(snippet: Snippet, run: Observation, verdicts: Sequence[Verdict]) -> frozenset[str]:
    """The names taken from another chapter that a claim shows to be the right ones."""
    proofs = [_behind(snippet, verdict) for verdict in verdicts if run.context and _is_proof(verdict)]
    return frozenset(run.context) & frozenset[str]().union(*proofs)


_NUMBER = pattern(r"\d")
_FACT = pattern(r"\s*(?:torch\.(?:Size\(.*\)|\w+\d*)|(?:cpu|cuda)\S*|<.*>)\s*", re.DOTALL)
"""A shape, a dtype, a device, a class: what many other objects share."""


def _is_proof(verdict: Verdict) -> bool:
    """True if a claim shows by its numbers that it is about the very object that the notes speak of."""
    text = verdict.claim.text if isinstance(verdict.claim, Prints | Shows) else ""
    return verdict.word is VerdictKind.HOLDS and bool(_NUMBER.search(text)) and not _FACT.fullmatch(text)


def _behind(snippet: Snippet, verdict: Verdict) -> frozenset[str]:
    """Names that may have a say in what a claim is about; of one about the whole output, all names."""
    claim = verdict.claim
    if claim.code_line is None or isinstance(claim, Raises):
        tree = parsed(snippet.code)
        return frozenset(names(tree)) if tree is not None else frozenset()
    return names_it_depends_on(snippet.code, claim.code_line, getattr(claim, "target", None))


def mark_doubtful(planned: Plan, runs: Mapping[str, Observed]) -> dict[str, Observed]:
    """The runs, with a doubt where names come from what failed in an earlier snippet for want of a file, a module, a GPU."""
    found = dict(runs)
    for session in planned.sessions:
        made: set[str] = set()
        """Names that statements made; not functions, classes and imports."""
        lost: dict[str, str] = {}
        """Name -> what was missing where it should have been made or changed."""
        for step in session.steps:
            run = found[step.snippet.id].first
            died, doubt, taken = _died(run), run.doubt, {name for name, _ in step.takes}
            missing = {name: lost[name] for name in sorted(taken) if name in lost}
            claimed = any(isinstance(one, Raises) for one in step.snippet.claims)
            for one in step.triage.statements:
                made |= one.binds if one.acts else set()
                why = died.get(one.first)
                kind, _, name = (why or "").partition(" ")
                why = lost.get(name if kind == "missing-name" else "", None if claimed else why)
                behind = next((lost[name] for name in sorted(one.loads) if name in lost), None)
                if doubt is None and behind and why is None and not taken.isdisjoint(lost):
                    doubt = Doubt(behind, one.first)
                if why or behind:
                    names_behind = one.loads | one.binds if why else one.binds
                    lost |= dict.fromkeys(names_behind & made, why or behind or "")
                else:
                    for name in one.binds:
                        lost.pop(name, None)
            if doubt or missing:
                reason = missing.get((run.reason or "").removeprefix("missing-name "), run.reason)
                run = replace(run, doubt=doubt, missing=(*run.missing, *missing.items()), reason=reason)
                found[step.snippet.id] = replace(found[step.snippet.id], first=run)
    return found


def _died(run: Observation) -> dict[int, str]:
    """By its first line, what each statement that raised was missing."""
    raised = (event for event in run.events if event.kind == "exception" and event.outer is not None)
    reasons = {event.outer or 0: missing_part(event.text) for event in raised}
    return {line: reason for line, reason in reasons.items() if reason and reason != "not-python"}


# --- code that raises, and of which the notes do not say so: what torch refuses, and what claims stand below ---------

_FAILING = pattern(r"«verify.failing»|\w+Error\b|❌")
"""In a paragraph beside the code: the author knows."""
_FORBIDDEN = pattern(r"«verify.failing»|«verify.forbidden»|\w+(?:Error|Exception)\b|❌|✗|×")
"""In a comment or a heading, which speak of nothing but the code."""
_ACCIDENTS = pattern(
    r"(?:\w+\.)*(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|OSError|IOError|\w*FileNotFound\w*|FileExistsError"
    r"|IsADirectoryError|PermissionError|URLError|HTTPError|ConnectionError|TimeoutError|MemoryError|OutOfMemoryError"
    r"|StopIteration|KeyboardInterrupt|SystemExit|SyntaxError|IndentationError|EOFError|UnpicklingError|BrokenPipeError)\b"
    r"|.*(?:DataLoader worker|No such file|does not exist|not found|download|PytorchStreamReader|num_samples=0)"
)
"""They are due to names, files, data and the machine."""
_LONGEST = 300


def failures(extraction: Extraction, planned: Plan, runs: Mapping[str, Observed]) -> dict[str, Failure]:
    """By snippet id, the first statement that raises, where nothing else may be to blame."""
    takes = {step.snippet.id: step.takes for session in planned.sessions for step in session.steps}
    found: dict[str, Failure] = {}
    for snippet in extraction.snippets:
        run = runs[snippet.id].first
        raised = _exception(run)
        if (
            snippet.is_asked
            or raised is None
            or not _is_news(snippet, run, raised)
            or _is_expected(extraction.document, snippet, raised)
        ):
            continue
        if not any(_exception(runs[binder].first) for _, binder in takes.get(snippet.id, ()) if binder in runs):
            message = ADDRESS.sub("0x…", one_line(raised.text, _LONGEST))
            found[snippet.id] = Failure(line=snippet.lines[raised.inner or 0], message=message)
    return found


def _exception(run: Observation) -> Event | None:
    return next((event for event in run.events if event.kind == "exception"), None)


def _is_news(snippet: Snippet, run: Observation, raised: Event) -> bool:
    """True if torch itself refused the code, which lacked nothing, or if the notes claim something of what is left undone."""
    if run.device == "cuda-emulated" or run.missing or run.doubt or run.context:
        return False
    if snippet.candidates or snippet.options.skip or raised.inner is None or raised.inner >= len(snippet.lines):
        return False
    if _ACCIDENTS.match(raised.text) or missing_part(raised.text) or _leaves_out(snippet.code, raised):
        return False
    return raised.of_torch or _goes_on(snippet, raised)


def _goes_on(snippet: Snippet, raised: Event) -> bool:
    """True for claims below a statement that raises, unless it says so itself or works on what the machine decides."""
    last = raised.outer_end if raised.outer_end is not None else raised.outer or 0
    line = snippet.code.split("\n")[raised.inner or 0]
    if line.lstrip().startswith("raise") or {"environment", "outside"} & of(snippet.code, raised.inner, None):
        return False
    return any(claim.code_line is None or claim.code_line > last for claim in snippet.claims)


def _is_expected(document: Document, snippet: Snippet, raised: Event) -> bool:
    """True if a claim, a comment at the statement, the heading, or the paragraph above or below says that it fails."""
    start, stop = raised.outer or 0, raised.outer_end if raised.outer_end is not None else raised.outer or 0
    near = [one.text for one in comments(snippet.code) if start - 2 <= one.line <= stop + 1]
    if any(isinstance(claim, Raises) for claim in snippet.claims) or any(
        map(_FORBIDDEN.search, (*near, *snippet.headings[-1:]))
    ):
        return True
    blocks = document.opened().blocks
    at = next((at for at, block in enumerate(blocks) if snippet.line in block.span), len(blocks) + 1)
    beside = [*blocks[max(at - 1, 0) : at], *blocks[at + 1 : at + 2]]
    return any(isinstance(block, Prose | Quote) and _FAILING.search(block.text) for block in beside)


def _leaves_out(code: str, raised: Event) -> bool:
    """True for a call whose arguments are left out: `nn.Linear(...)`."""
    line = (raised.inner or 0) + 1
    return any(
        isinstance(node, ast.Call)
        and node.lineno <= line <= (node.end_lineno or node.lineno)
        and any(isinstance(one, ast.Constant) and one.value is ... for one in node.args)
        for node in nodes(parsed(code) or ast.Module([], []))
    )


# --- likely causes: what usually stands behind a claim that torch contradicts ---------------------------


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause, and where its signs must stand; a pattern that is None is not looked for."""

    text: str
    difference: re.Pattern[str] | None = None
    """In what the verdict says of the difference."""
    line: re.Pattern[str] | None = None
    """In the line of code that the claim is about."""
    code: tuple[re.Pattern[str], ...] = ()
    """Each of them somewhere in the code."""
    observed: re.Pattern[str] | None = None
    """In what torch shows."""


CAUSES = (
    Cause(
        "chunk gives ceil(n / chunks) to each part, the last gets the rest; tensor_split shares evenly",
        difference=pattern("shape"),
        line=pattern(r"chunk\("),
    ),
    Cause("parameters are of the class Parameter", difference=pattern(r"torch\.Tensor"), observed=pattern("Parameter")),
    Cause(
        "clone() and in-place writes leave a node of their own in the graph",
        observed=pattern("CloneBackward|CopySlices"),
    ),
    Cause(
        "comparisons give torch.bool since torch 1.2",
        difference=pattern("uint8"),
        line=pattern(r"[<>]=?(?!>)|[!=]=|\.(?:eq|ne|lt|gt|le|ge|isnan|logical_\w+)\("),
    ),
    Cause(
        "it shares storage with a tensor that is changed in place",
        difference=pattern(r"^(?!.*shape).*claimed, torch has"),
        code=(
            pattern(
                r"\.(?:detach|numpy|view|t|transpose|permute|expand|narrow|squeeze|unsqueeze|(?<!utils\.)data)\b"
                r"|from_numpy|as_tensor"
            ),
            pattern(r"\w\[[^\]]*\]\s*[-+*/]?=[^=]|\.[a-z]\w*[a-z0-9]_\("),
        ),
    ),
)


def with_cause(message: str, code: str, line: int | None, claim: Claim, observed: str) -> str:
    """The difference, and the likely cause where one is known; one line."""
    lines, at = code.split("\n"), claim.code_line if claim.code_line is not None else line
    here = lines[at] if at is not None and 0 <= at < len(lines) else ""
    for cause in CAUSES:
        places = (
            (cause.difference, message),
            (cause.line, here),
            *((one, code) for one in cause.code),
            (cause.observed, observed),
        )
        if all(sign is None or sign.search(text) for sign, text in places):
            return message if cause.text in message else f"{message} ({cause.text})"
    return message
