"""Failures: code that torch refuses, and of which the notes do not say so. That is news, claim or no claim."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from deckgen.model.claim import Raises, Snippet
from deckgen.model.document import Document, Extraction, Prose, Quote
from deckgen.model.observation import Event, Observation, Observed
from deckgen.model.verdict import ADDRESS, Failure
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, nodes, parsed
from deckgen.text.wording import one_line
from deckgen.verify.judge.exceptions import missing_part
from deckgen.verify.plan import Plan

_FAILING = pattern(r"«verify.failing»|\w+Error\b|❌")
"""In a paragraph beside the code: the author knows."""
_FORBIDDEN = pattern(r"«verify.failing»|«verify.forbidden»|\w+(?:Error|Exception)\b|❌|✗|×")
"""In a comment or a heading, which speak of nothing but the code."""
_ACCIDENTS = pattern(
    r"(?:\w+\.)*(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|OSError|IOError|\w*FileNotFound\w*|FileExistsError"
    r"|IsADirectoryError|PermissionError|URLError|HTTPError|ConnectionError|TimeoutError|MemoryError|OutOfMemoryError"
    r"|StopIteration|KeyboardInterrupt|SystemExit|SyntaxError|IndentationError|EOFError|UnpicklingError|BrokenPipeError)\b"
    r"|.*(?:'NoneType' object|DataLoader worker|No such file|does not exist|not found|download|PytorchStreamReader|num_samples=0)"
)
"""They are due to names, files, data and the machine."""
_LONGEST = 300


def failures(extraction: Extraction, planned: Plan, runs: Mapping[str, Observed]) -> dict[str, Failure]:
    """By snippet id, the first statement that torch refuses, where nothing else may be to blame."""
    takes = {step.snippet.id: step.takes for session in planned.sessions for step in session.steps}
    found: dict[str, Failure] = {}
    for snippet in extraction.snippets:
        run = runs[snippet.id].first
        raised = _exception(run)
        if raised is None or not _is_news(snippet, run, raised) or _is_expected(extraction.document, snippet, raised):
            continue
        if not any(_exception(runs[binder].first) for _, binder in takes.get(snippet.id, ()) if binder in runs):
            message = ADDRESS.sub("0x…", one_line(raised.text, _LONGEST))
            found[snippet.id] = Failure(line=snippet.lines[raised.inner or 0], message=message)
    return found


def _exception(run: Observation) -> Event | None:
    return next((event for event in run.events if event.kind == "exception"), None)


def _is_news(snippet: Snippet, run: Observation, raised: Event) -> bool:
    """True if torch itself refused the code, which lacked nothing."""
    if not raised.of_torch or run.device == "cuda-emulated" or run.missing or run.doubt or run.context:
        return False
    if snippet.candidates or snippet.options.skip or raised.inner is None or raised.inner >= len(snippet.lines):
        return False
    return not (_ACCIDENTS.match(raised.text) or missing_part(raised.text) or _leaves_out(snippet.code, raised))


def _is_expected(document: Document, snippet: Snippet, raised: Event) -> bool:
    """True if a claim, a comment at the statement, the heading, or the paragraph above or below says that it fails."""
    start, stop = raised.outer or 0, raised.outer_end if raised.outer_end is not None else raised.outer or 0
    near = [one.text for one in comments(snippet.code) if start - 2 <= one.line <= stop + 1]
    if any(isinstance(claim, Raises) for claim in snippet.claims) or any(
        map(_FORBIDDEN.search, (*near, *snippet.headings[-1:]))
    ):
        return True
    blocks = document.opened().blocks
    at = next((at for at, block in enumerate(blocks) if block.span == snippet.span), len(blocks) + 1)
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
