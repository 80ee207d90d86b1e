"""Failures: code that torch refuses, and of which the notes do not say so. That is news, claim or no claim."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from deckgen.model.claim import Raises, Snippet
from deckgen.model.document import Document, Prose, Quote
from deckgen.model.extraction import Extraction
from deckgen.model.falsehood import ADDRESS
from deckgen.model.observation import Event, Observation, Observed
from deckgen.model.verdict import Failure
from deckgen.text.pattern import pattern
from deckgen.text.syntax import comments, nodes, parsed
from deckgen.text.wording import one_line
from deckgen.verify.exceptions import missing_part
from deckgen.verify.plan import Plan

_SAID = pattern(
    r"error|exception|rais(?:e|ing)|fail|wrong|crash|invalid|illegal|not allowed|don't|cannot|can't|bad\b|❌|✗|×|报错|出错|错误"
    r"|异常|抛出|不能|不可|不允许|失败|反例|会报",
    re.IGNORECASE,
)
"""In a comment or a heading: the author knows."""
_ACCIDENTS = pattern(
    r"(?:\w+\.)*(?:NameError|UnboundLocalError|ImportError|ModuleNotFoundError|OSError|IOError|\w*FileNotFound\w*|FileExistsError"
    r"|IsADirectoryError|PermissionError|URLError|HTTPError|ConnectionError|TimeoutError|MemoryError|OutOfMemoryError"
    r"|StopIteration|KeyboardInterrupt|SystemExit|SyntaxError|IndentationError|EOFError|UnpicklingError|BrokenPipeError)\b"
)
"""They tell of names, files, data and the machine."""
_OF_DATA = pattern(
    r"'NoneType' object|DataLoader worker|No such file|does not exist|not found|download|PytorchStreamReader|num_samples=0"
)
_LONGEST = 300


def failures(extraction: Extraction, planned: Plan, runs: Mapping[str, Observed]) -> dict[str, Failure]:
    """By snippet id, the first statement that torch refuses, where nothing else may be to blame."""
    takes = {
        step.snippet.id: {binder for _, binder in step.takes} for session in planned.sessions for step in session.steps
    }
    found: dict[str, Failure] = {}
    for snippet in extraction.snippets:
        run = runs[snippet.id].first
        raised = next((event for event in run.events if event.kind == "exception"), None)
        if raised is None or not _is_news(snippet, run, raised) or _is_told_beside(extraction.document, snippet):
            continue
        if any(_has_failed(runs[binder].first) for binder in takes.get(snippet.id, ()) if binder in runs):
            continue
        line = raised.inner if raised.inner is not None else raised.outer
        found[snippet.id] = Failure(
            line=snippet.lines[line or 0], message=ADDRESS.sub("0x…", one_line(raised.text, _LONGEST))
        )
    return found


def _is_news(snippet: Snippet, run: Observation, raised: Event) -> bool:
    if not raised.of_torch or run.device == "cuda-emulated" or run.missing or run.doubt or run.context:
        return False
    if snippet.candidates or snippet.options.skip or raised.inner is None or raised.inner >= len(snippet.lines):
        return False
    if _ACCIDENTS.match(raised.text) or _OF_DATA.search(raised.text) or missing_part(raised.text):
        return False
    return not (_is_said(snippet, raised) or _is_scheme(snippet.code, raised))


_TELLS = pattern(
    r"\b(?:errors?|raises?|raised|throws?|exceptions?|fails?|failed|crash(?:es)?|does not work|doesn't work|wrong)\b|[A-Z]\w*Error\b"
    r"|报错|出错|错误|异常|抛出|失败|❌",
    re.IGNORECASE,
)


def _is_told_beside(document: Document, snippet: Snippet) -> bool:
    """True if the paragraph right above or right below the code says that it fails."""
    blocks = document.opened().blocks
    at = next((at for at, block in enumerate(blocks) if block.span == snippet.span), None)
    if at is None:
        return False
    beside = [blocks[place] for place in (at - 1, at + 1) if 0 <= place < len(blocks)]
    return any(isinstance(block, Prose | Quote) and _TELLS.search(block.text) for block in beside)


def _has_failed(run: Observation) -> bool:
    return any(event.kind == "exception" for event in run.events)


def _is_said(snippet: Snippet, raised: Event) -> bool:
    """True if a claim, a comment at the statement or the heading says that something is wrong there."""
    start, stop = raised.outer or 0, raised.outer_end if raised.outer_end is not None else raised.outer or 0
    if any(isinstance(claim, Raises) for claim in snippet.claims):
        return True
    near = (one.text for one in comments(snippet.code) if start - 2 <= one.line <= stop + 1)
    return any(map(_SAID.search, near)) or any(map(_SAID.search, snippet.headings[-1:]))


def _is_scheme(code: str, raised: Event) -> bool:
    """True for a call whose arguments are left out: `nn.Linear(...)`."""
    tree = parsed(code)
    return tree is not None and any(
        _leaves_out(call)
        for statement in tree.body
        if statement.lineno - 1 == raised.outer
        for call in _calls_at(statement, raised.inner)
    )


def _calls_at(statement: ast.stmt, line: int | None) -> Iterator[ast.Call]:
    for node in nodes(statement):
        if (
            isinstance(node, ast.Call)
            and line is not None
            and node.lineno - 1 <= line < (node.end_lineno or node.lineno)
        ):
            yield node


def _leaves_out(call: ast.Call) -> bool:
    return any(isinstance(one, ast.Constant) and one.value is ... for one in call.args)
