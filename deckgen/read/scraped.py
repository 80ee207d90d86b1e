"""Scraped pages: the text of a page whose fences, and mostly its indentation, are gone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from deckgen.model.document import Block, Code, Directive, Document, Heading, Output, Prose, Refused, Row, Table
from deckgen.model.source import Source, Span
from deckgen.read import markdown
from deckgen.read.assemble import document
from deckgen.read.blocks.rows import split_row
from deckgen.read.blocks.tabs import tabs_in
from deckgen.read.indentation.reindent import restored
from deckgen.read.unfenced.lines import Lines, numbered
from deckgen.read.unfenced.runs import Run, runs
from deckgen.read.unfenced.titles import RETURNS, TITLE, text_blocks
from deckgen.text.pattern import pattern

_FENCE = pattern(r"\s{0,3}(?:>\s*)*(?:[-*]\s+|\d+\.\s+)?(?:```|~~~)")
_MARKDOWN_HEADING = pattern(r"#{2,6}\s")
_TELLING = pattern(r"(?:import|from|def|class|with|for|if|print)\b|@\w|[A-Za-z_].*\(")
_MARKED = pattern(r"^(?:#{1,6} |\||>)|`", re.M)
"""What Markdown is told by."""
_SIGNATURE = pattern(rf"[A-Za-z_][\w.]*\((?:[a-z_*][^()]*)?\)(?:{RETURNS})?")
_ASKED = pattern(r"(?:Q|问|问题|题目)\s*\d*\s*[:：.]|[(（]?[Bb][.、)）．]")
"""A question, or the second option of one."""
_SAMPLE = 20_000
"""Lines looked at to tell what a source is."""
_FLAT = "its line ends are gone: what was a comment and what was code can no longer be told"


def claims_source(source: Source) -> bool:
    """Code at the margin, without a fence anywhere; or text without any mark, as it is copied from a page of tables and signatures."""
    lines = source.lines[:_SAMPLE]
    return (not fenced(lines) and unfenced(lines)) or (
        not _MARKED.search(source.text) and (_tabled(lines) or _tight(lines))
    )


def fenced(lines: Sequence[str]) -> bool:
    """Whether a fence is left."""
    return any(_FENCE.match(line) for line in lines)


def unfenced(lines: Sequence[str]) -> bool:
    """Whether there is code at the margin: two lines together, or three anywhere."""
    known, count = Lines(lines), 0
    for number, line in enumerate(lines):
        if not _telling(line) or known.strength(number) != "strong":
            continue
        count += 1
        found = known.logical(number)
        beside = number and known.strength(number - 1) == "strong"
        if count == 3 or beside or (found and found.stop < len(lines) and known.strength(found.stop) == "strong"):
            return True
    return False


def _tabled(lines: Sequence[str]) -> bool:
    """Whether there is a table of at least three lines whose cells tabs part."""
    counts = [tabs_in(line) for line in lines]
    return any(a and a == b == c for a, b, c in zip(counts, counts[1:], counts[2:], strict=False))


def _tight(lines: Sequence[str]) -> bool:
    """Whether hardly a blank line parts signatures from what they do, or questions from their options and answers."""
    blank = sum(not line.strip() for line in lines)
    heads = sum(bool(_SIGNATURE.fullmatch(line) or _ASKED.match(line)) for line in lines)
    return blank * 10 < len(lines) and heads >= 2


def _telling(line: str) -> bool:
    """Leaves out what prose writes as well: `x = 3`, `pass`."""
    return bool(_TELLING.match(line))


def read(source: Source) -> Document:
    # Where headings are still marked, the rest of the Markdown is there too, and nothing is guessed.
    marked = any(_MARKDOWN_HEADING.match(line) for line in source.lines)
    blocks = blocks_of(source.lines, markdown_text if marked else text_blocks)
    top = blocks[0] if blocks else None
    if isinstance(top, Heading) and top.level == TITLE and not numbered(top.text):
        blocks[0] = replace(top, level=1)  # what stands on top of a page is its title
    return document(source, "scraped", blocks)


def markdown_text(lines: Sequence[str], span: Span) -> list[Block]:
    """The text between two runs of code, as Markdown."""
    return markdown.blocks_of(lines[span.start : span.stop], span.start)


def blocks_of(lines: Sequence[str], read_text: Callable[[Sequence[str], Span], list[Block]]) -> list[Block]:
    """Code, outputs and tables where they are found; `read_text` reads what lies between."""
    blocks: list[Block] = []
    text: Span | None = None
    for run in runs(lines):
        if run.kind == "text":
            text = run.span if text is None else text | run.span
            continue
        if text is not None:
            blocks += read_text(lines, text)
            text = None
        blocks.append(_block(lines, run))
    return blocks + (read_text(lines, text) if text is not None else [])


def _block(lines: Sequence[str], run: Run) -> Block:
    if run.kind == "code":
        return code_block(lines, run)
    if run.kind == "shell":
        return Code(run.span, _text(lines, run.span), "bash", tuple(range(run.span.start, run.span.stop)))
    if run.kind == "output":
        return output_block(lines, run)
    if run.kind == "table":
        return _table(lines, run.span)
    if run.kind == "flattened":
        return Refused(run.span, _text(lines, run.span), _FLAT)
    return Directive(run.span, ())  # what stands on the frame of a code box says nothing


def code_block(lines: Sequence[str], run: Run) -> Code:
    """A run of code with its indentation restored."""
    code = lines[run.span.start : run.span.stop]
    found = restored(code, run.logical, run.span.start)
    return Code(
        span=run.span,
        text=found.text,
        language="python",
        lines=tuple(range(run.span.start, run.span.stop)),
        sure=found.sure,
        candidates=() if found.sure else found.candidates,
        complete=found.complete,
    )


def output_block(lines: Sequence[str], run: Run) -> Output:
    """An output without the line that announces it."""
    first = run.span.start + run.label
    kept = tuple(n for n in range(first, run.span.stop))
    return Output(run.span, "\n".join(lines[n] for n in kept), "any", kept)


def _text(lines: Sequence[str], span: Span) -> str:
    return "\n".join(lines[span.start : span.stop])


def _table(lines: Sequence[str], span: Span) -> Block:
    rule = span.start + 1
    if span.stop - span.start < 2 or not re.fullmatch(r"[\s|:-]+", lines[rule]):
        return Prose(span, _text(lines, span))
    header = split_row(lines[span.start])
    rows = (Row(Span(n, n + 1), _padded(split_row(lines[n]), len(header))) for n in range(rule + 1, span.stop))
    return Table(span, header, tuple(rows))


def _padded(cells: tuple[str, ...], count: int) -> tuple[str, ...]:
    return (cells + ("",) * count)[:count]
