"""Snippets: the code of a document that can perhaps be run, with what the document claims about it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from deckgen.extract import claims as forms
from deckgen.extract.claims.cut import Cut
from deckgen.extract.claims.following import asked, replies
from deckgen.extract.claims.pasted import claims_of_output
from deckgen.extract.claims.reading import Reading, prints_inside, read_code
from deckgen.extract.claims.reply import Reply, is_python
from deckgen.extract.misspelt import FENCES, nearest
from deckgen.extract.shown.magic import only_magic, prints_by_magic
from deckgen.model.claim import Claim, Raises, RunOptions, Shows, Snippet
from deckgen.model.document import Code, Directive, Document, Heading, Origin
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import parsed

_OPTION = pattern(r"(?P<key>[\w-]+)(?:=(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>[^\s}]+)))?")


def snippets(document: Document) -> tuple[Snippet, ...]:
    """Every block that may be code, in order; claims have ids that are unique in the document."""
    document = document.opened()
    answers: dict[int, Reply] = {}
    found: dict[int, tuple[Snippet, Reading]] = {}
    for index, block, headings, options in _blocks(document, answers):
        snippet = _snippet(block, headings, options)
        if snippet:
            found[index] = snippet
    extra: dict[int, list[Claim]] = {}
    cells = _cells(answers)
    for reply in answers.values():
        for index, claim in _answered(document, reply, found, answers, cells[reply.index]):
            extra.setdefault(index, []).append(claim)
    counts: dict[int, int] = {}
    claims = ([*snippet.claims, *extra.get(index, [])] for index, (snippet, _) in found.items())
    return tuple(
        replace(snippet, claims=forms.numbered(said, counts)) if said else snippet
        for (snippet, _), said in zip(found.values(), claims, strict=True)
    )


def _blocks(document: Document, answers: dict[int, Reply]) -> Iterator[tuple[int, Code, tuple[str, ...], RunOptions]]:
    path: list[Heading] = []
    skip: str | None = None
    for index, block in replies(document, answers):
        if isinstance(block, Heading):
            path = [*(h for h in path if h.level < block.level), block]
        elif isinstance(block, Directive):
            skip = _skip(block) or skip
        elif isinstance(block, Code) and index not in answers and is_python(block):
            options = run_options(block.info)
            if skip and not options.skip:
                options = replace(options, skip=skip)
            yield index, block, tuple(h.text for h in path), options
        if not isinstance(block, Directive):
            skip = None


def _skip(directive: Directive) -> str | None:
    """`skip` and the words after it are the reason why the next block's claims are waived."""
    if not directive.words or directive.words[0] != "skip":
        return None
    return " ".join(directive.words[1:]) or "skipped by the author"


def run_options(info: str) -> RunOptions:
    """What the braces of an info string say: `python {no-run raises=RuntimeError device=cuda seed=0}`.

    What is nearly `no-run` is not run either: the author does not want it.
    """
    braces = re.search(r"\{([^}]*)\}", info) if "{" in info else None
    if braces is None:
        return RunOptions()
    said = {m["key"]: m["quoted"] or m["bare"] or "" for m in _OPTION.finditer(braces[1])}
    seed = said.get("seed", "")
    return RunOptions(
        no_run=any(word == "no-run" or (word not in FENCES and nearest(word) == "no-run") for word in said),
        raises=said.get("raises") or None,
        device=said.get("device") or None,
        seed=int(seed) if re.fullmatch(r"\d{1,18}", seed) else None,
        skip=(said["skip"] or "skipped by the author") if "skip" in said else None,
    )


def _snippet(block: Code, headings: tuple[str, ...], options: RunOptions) -> tuple[Snippet, Reading] | None:
    taken = forms.cut(tuple(block.text.split("\n")))
    taken = _trimmed(taken)
    if not taken.code:
        return None
    lines = tuple(block.lines[at] for at in taken.at)
    places = block.origin.lines if block.origin else block.lines
    reading = read_code(taken.code, tuple(places[at] for at in taken.at))
    claims = [c for pasted in taken.pasted for c in forms.claims_inside(pasted, places)]
    claims += forms.claims_beside(reading)
    if block.origin:
        claims = [*_included(claims, block, block.origin)]
    claims += _promised(block, options)
    snippet = Snippet(
        id=str(lines[0] + 1),
        span=block.span,
        code="\n".join(taken.code),
        lines=lines,
        language=block.language,
        headings=headings,
        claims=tuple(claims),
        candidates=_candidates(block, taken),
        complete=block.complete,
        cell=block.cell,
        options=options,
    )
    return snippet, reading


def _included(claims: Sequence[Claim], block: Code, origin: Origin) -> Iterator[Claim]:
    """Claims that stand in another file: they are reported at the fence, and say where they are."""
    for claim in sorted(claims, key=lambda claim: claim.span):
        yield replace(claim, span=line_span(block.span.start), origin=f"{origin.path}:{claim.span.first}")


def _trimmed(taken: Cut) -> Cut:
    """Without blank lines at either end, as far as nothing points behind them."""
    start, stop = 0, len(taken.code)
    while stop > start and not taken.code[stop - 1].strip():
        stop -= 1
    while start < stop and not taken.code[start].strip() and not taken.pasted:
        start += 1
    if stop - start == len(taken.code):
        return taken
    return replace(taken, code=taken.code[start:stop], at=taken.at[start:stop])


def _candidates(block: Code, taken: Cut) -> tuple[str, ...]:
    """Every reading of unsure code, with the same lines taken out."""
    size = block.text.count("\n") + 1
    found = [reading for reading in block.candidates if reading.count("\n") + 1 == size]
    if len(taken.at) == size:
        return tuple(found)
    return tuple("\n".join(lines[at] for at in taken.at) for lines in (reading.split("\n") for reading in found))


def _promised(block: Code, options: RunOptions) -> Iterable[Claim]:
    if options.raises:
        yield Raises(
            id="", span=line_span(block.span.start), text=options.raises, form="option", code_line=None,
            exception=options.raises.rsplit(".", 1)[-1], message="",
        )  # fmt: skip


# --- output in blocks of their own ------------------------------------------------------------------


def _answered(
    document: Document,
    reply: Reply,
    found: dict[int, tuple[Snippet, Reading]],
    answers: dict[int, Reply],
    cell: int,
) -> Iterator[tuple[int, Claim]]:
    """(index of the block, claim) for each thing that a reply shows."""
    indices = asked(document, reply, found.__contains__, answers)
    if reply.form == "stored":
        indices = indices[-1:]  # a cell keeps its own output
    elif len(indices) > 1:
        indices = [index for index in indices if not only_magic(found[index][0].code)] or indices[-1:]
    if not indices:
        indices = [cell] if cell in found else []
    if not indices or _printed_by_magic(reply, found[indices[-1]][0]):
        return
    claims = list(_claims(reply, found[indices[-1]]))
    yield from zip(_shares(claims, indices, found), claims, strict=True)


def _printed_by_magic(reply: Reply, snippet: Snippet) -> bool:
    """Text below a cell with `!pip` or `%timeit`, which writes too; its value and its error are Python's own."""
    return (
        snippet.cell
        and reply.form == "stored"
        and reply.stream not in ("result", "error")
        and prints_by_magic(snippet.code)
    )


def _cells(answers: Mapping[int, Reply]) -> dict[int, int]:
    """The block above each reply; above the second or third stored output of a cell it is the cell."""
    above: dict[int, int] = {}
    for index, reply in answers.items():
        before = answers.get(index - 1)
        further = before is not None and before.form == reply.form == "stored"
        above[index] = above[index - 1] if further else index - 1
    return above


def _claims(reply: Reply, target: tuple[Snippet, Reading]) -> Iterator[Claim]:
    _, reading = target
    last = max(reading.statements, key=lambda statement: statement.stop, default=None)
    if reply.stream == "result" and last:
        text = "\n".join(reply.texts).strip("\n")
        span = Span(reply.lines[0], reply.lines[-1] + 1)
        yield Shows(id="", span=span, text=text, form=reply.form, code_line=last.start, target=None)
        return
    stream = "stderr" if reply.stream == "stderr" else "any"
    yield from claims_of_output(reply.texts, reply.lines, reply.form, None, stream)  # type: ignore[arg-type]


def _shares(claims: Sequence[Claim], indices: list[int], found: dict[int, tuple[Snippet, Reading]]) -> list[int]:
    """Which block each claim is about, where one output follows several fences; else the nearest, as for exceptions."""
    if all(isinstance(claim, Raises) for claim in claims):
        return [indices[-1]] * len(claims)
    counts = [_print_count(found[index][0].code) for index in indices]
    unknown = [at for at, count in enumerate(counts) if count is None]
    known = sum(count for count in counts if count is not None)
    enough = counts[-1] is None or counts[-1] >= len(claims)
    if enough or len(unknown) > 1 or (not unknown and known != len(claims)) or known > len(claims):
        return [indices[-1]] * len(claims)
    filled = [len(claims) - known if count is None else count for count in counts]
    return [index for index, count in zip(indices, filled, strict=True) for _ in range(count)]


def _print_count(code: str) -> int | None:
    """How many things code prints; None if a loop, or a function that it calls, makes that unknown."""
    tree = parsed(code)
    if tree is None:
        return None
    count = 0
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue  # nothing is printed before it is called
        calls = prints_inside(node)
        if _calls_by_name(node) or (calls and hasattr(node, "body")):
            return None
        count += len(calls)
    return count


def _calls_by_name(node: ast.stmt) -> bool:
    """True for `train(net)` on a line of its own: nobody knows what it prints."""
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id != "print"
