"""Snippets: the code of a document that can perhaps be run, with what the document claims about it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from deckgen.extract.claims.changes import with_what_changed
from deckgen.extract.claims.code import CodeBlock, code_block, prints_inside
from deckgen.extract.claims.comments import below, beside
from deckgen.extract.claims.outputs import Reply, answered_blocks, is_python, replies
from deckgen.extract.claims.pasted import claims_inside, claims_of_output, cut
from deckgen.extract.code.statements import only_magic, prints_by_magic
from deckgen.extract.directives import FENCES, nearest
from deckgen.model.claim import Claim, Raises, RunOptions, Shows, Snippet
from deckgen.model.document import Code, Directive, Document, Heading
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_OPTION = pattern(r"(?P<key>[\w-]+)(?:=(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>[^\s}]+?)(?=,?(?:\s|$))))?")
_Found = Mapping[int, tuple[Snippet, CodeBlock]]
"""The snippets by the index of their block."""


def snippets(document: Document) -> tuple[Snippet, ...]:
    """Every block that may be code, in order; claims have ids that are unique in the document."""
    document = document.opened()
    answers: dict[int, Reply] = {}
    found: dict[int, tuple[Snippet, CodeBlock]] = {}
    for index, block, headings, options in _blocks(document, answers):
        snippet = _snippet(block, headings, options)
        if snippet:
            found[index] = snippet
    extra: dict[int, list[Claim]] = {}
    cell = -1
    for reply in answers.values():
        before = answers.get(reply.at - 1)
        if before is None or not before.place == reply.place == "stored":
            cell = reply.at - 1  # above the second or third stored output of a cell it is the cell
        for index, claim in _answered(document, reply, found, answers, cell):
            extra.setdefault(index, []).append(claim)
    counts: dict[int, int] = {}
    claims = ([*snippet.claims, *extra.get(index, [])] for index, (snippet, _) in found.items())
    return tuple(
        replace(snippet, claims=numbered(said, counts)) if said else snippet
        for (snippet, _), said in zip(found.values(), claims, strict=True)
    )


def numbered(claims: Iterable[Claim], counts: dict[int, int]) -> tuple[Claim, ...]:
    """Claims in order of their lines with ids like `57.1`; `counts` says how many each line has so far."""
    done: list[Claim] = []
    for claim in sorted(claims, key=lambda claim: (claim.span.start, claim.span.stop)):
        line = claim.span.first
        counts[line] = counts.get(line, 0) + 1
        done.append(replace(claim, id=f"{line}.{counts[line]}"))
    return tuple(done)


def _blocks(document: Document, answers: dict[int, Reply]) -> Iterator[tuple[int, Code, tuple[str, ...], RunOptions]]:
    """The blocks of code with their indices, the headings above them, and what their authors say of them."""
    path: list[Heading] = []
    skip = ""
    for index, block in replies(document, answers):
        if isinstance(block, Heading):
            path = [*(one for one in path if one.level < block.level), block]
        elif isinstance(block, Directive) and block.words[:1] == ("skip",):
            skip = " ".join(block.words[1:]) or "skipped by the author"
        elif isinstance(block, Code) and index not in answers and is_python(block):
            options = run_options(block.attributes)
            yield index, block, tuple(one.text for one in path), replace(options, skip=options.skip or skip or None)
        if not isinstance(block, Directive):
            skip = ""


def run_options(attributes: str) -> RunOptions:
    """What the braces of an info string say: `python {no-run raises=RuntimeError device=cuda seed=0}`.

    What is nearly `no-run` is not run either: the author does not want it.
    """
    said = {m["key"]: m["quoted"] or m["bare"] or "" for m in _OPTION.finditer(attributes)}
    seed = said.get("seed", "")
    return RunOptions(
        no_run=any(word == "no-run" or (word not in FENCES and nearest(word) == "no-run") for word in said),
        raises=said.get("raises") or None,
        device=said.get("device") or None,
        seed=int(seed) if re.fullmatch(r"\d{1,18}", seed) else None,
        skip=(said["skip"] or "skipped by the author") if "skip" in said else None,
    )


def _snippet(block: Code, headings: tuple[str, ...], options: RunOptions) -> tuple[Snippet, CodeBlock] | None:
    whole = cut(block.text.split("\n"))
    start, stop = 0, len(whole.code)
    while stop > start and not whole.code[stop - 1].strip():
        stop -= 1
    while start < stop and not whole.code[start].strip() and not whole.pasted:  # nothing may point behind these lines
        start += 1
    if start == stop:
        return None
    at = whole.at[start:stop]
    lines = [block.lines[line] for line in at]
    places = block.origin.lines if block.origin else block.lines
    code = code_block(whole.code[start:stop], [places[line] for line in at])
    claims = [claim for pasted in whole.pasted for claim in claims_inside(pasted, places)]
    commented = list(beside(code))
    lines_taken = {line for claim in commented for line in range(claim.span.start, claim.span.stop)}
    commented += [claim for claim in below(code) if claim.span.start not in lines_taken]
    claims += commented if code.parses else (replace(claim, place="unparsed") for claim in commented)
    claims = [with_what_changed(claim, code) for claim in claims]
    fence = line_span(block.span.start)
    if block.origin:  # claims that stand in another file are reported at the fence, and say where they are
        path = block.origin.path
        in_order = sorted(claims, key=lambda claim: claim.span)
        claims = [replace(claim, span=fence, origin=f"{path}:{claim.span.first}") for claim in in_order]
    if options.raises:
        claims.append(Raises(fence, options.raises, "option", "option", None, options.raises.rsplit(".", 1)[-1], ""))
    readings = [reading.split("\n") for reading in block.candidates]
    size = block.text.count("\n") + 1
    snippet = Snippet(
        id=str(lines[0] + 1),
        span=block.span,
        code="\n".join(code.lines),
        lines=tuple(lines),
        language=block.language,
        headings=headings,
        claims=tuple(claims),
        candidates=tuple("\n".join(reading[line] for line in at) for reading in readings if len(reading) == size),
        complete=block.complete,
        cell=block.cell,
        options=options,
    )
    return snippet, code


# --- output in blocks of their own ------------------------------------------------------------------


def _answered(
    document: Document, reply: Reply, found: _Found, answers: dict[int, Reply], cell: int
) -> Iterator[tuple[int, Claim]]:
    """(index of the block, claim) for each thing that a reply shows."""
    indices = answered_blocks(document, reply, found.__contains__, answers)
    stored = reply.place == "stored"
    if stored:
        indices = indices[-1:]  # a cell keeps its own output
    elif len(indices) > 1:
        indices = [index for index in indices if not only_magic(found[index][0].code)] or indices[-1:]
    indices = indices or [index for index in (cell,) if index in found]
    if not indices:
        return
    snippet, code = found[indices[-1]]
    if stored and (
        (reply.stream == "stderr" and document.reader == "notebook")
        or (snippet.cell and reply.stream not in ("result", "error") and prints_by_magic(snippet.code))
    ):
        return  # warnings, logs, `!pip` and `%timeit` write, too; the cell's value and its error are Python's own
    if reply.stream == "result" and code.parses and code.statements:
        last = max(code.statements, key=lambda statement: statement.stop).start
        text, span = "\n".join(reply.texts).strip("\n"), Span(reply.lines[0], reply.lines[-1] + 1)
        yield indices[-1], Shows(span, text, reply.form, reply.place, last, None)
        return
    stream = reply.stream if reply.stream in ("stderr", "stdout") else "any"
    claims = list(claims_of_output(reply.texts, reply.lines, reply.form, reply.place, None, stream))  # type: ignore[arg-type]
    yield from zip(_shares(claims, indices, found), claims, strict=True)


def _shares(claims: Sequence[Claim], indices: list[int], found: _Found) -> list[int]:
    """Which block each claim is about, where one output follows several fences; else the nearest, as for exceptions."""
    nearest_alone = [indices[-1]] * len(claims)
    if len(indices) == 1 or all(isinstance(claim, Raises) for claim in claims):
        return nearest_alone
    counts = [_print_count(found[index][0].code) for index in indices]
    left = len(claims) - sum(filter(None, counts))
    enough = counts[-1] is None or counts[-1] >= len(claims)
    if enough or counts.count(None) > 1 or left < 0 or (left and None not in counts):
        return nearest_alone
    filled = [left if count is None else count for count in counts]
    return [index for index, count in zip(indices, filled, strict=True) for _ in range(count)]


def _print_count(code: str) -> int | None:
    """How many things code prints; None if a loop, or a function that it calls, makes that unknown."""
    tree = parsed(code)
    count = 0
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue  # nothing is printed before it is called
        calls = prints_inside(node)
        call = node.value if isinstance(node, ast.Expr) else None
        called = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id != "print"
        if called or (calls and hasattr(node, "body")):
            return None
        count += len(calls)
    return count if tree else None
