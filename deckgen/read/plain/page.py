"""Pages and replies copied as text: code, its output, tables and shell commands are found; the rest is text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from deckgen.model.document import Block, Code, Document, Heading, Output, Prose, Refused, Row, Table
from deckgen.model.source import Source, Span, line_span
from deckgen.read import markdown
from deckgen.read.assemble import document
from deckgen.read.plain.lines import NUMBERED, Lines, is_flattened, is_row, is_shell
from deckgen.read.plain.outputs import announced_by, looks_like_value, output_below, printed, templates
from deckgen.read.plain.titles import TITLE, text_blocks
from deckgen.read.reindent.logical import Logical
from deckgen.read.reindent.search import restored
from deckgen.text.pattern import CHINESE, pattern

ReadText = Callable[[Sequence[str], Span], list[Block]]
_FENCE = pattern(r"\s{0,3}(?:>\s*)*(?:[-*]\s+|\d+\.\s+)?(?:```|~~~)")
_MARKDOWN = pattern(r"#{2,6}\s|>\s|!\[|\*\*[^*]+\*\*")
"""Where one line is marked so, the rest of the Markdown is there too, and nothing is guessed."""
_SURE = pattern(r"(?:import|from|def|class|with|for|if|print)\b|@\w|[A-Za-z_].*\(")
"""How code begins that prose does not write as well (`x = 3`, `pass`)."""
_LONE_CALL = pattern(r"\w+\(\)$")
_MODULES = frozenset(("torch", "nn", "F", "np", "optim", "plt", "pd", "autograd", "data", "utils", "transforms"))
"""Names of modules: below code, `torch.no_grad` alone is the heading of what follows."""
_SAMPLE = 20_000
"""Lines looked at to tell what a source is."""
_NEAR = 30
"""Statements above a line that are asked whether they print it."""
_FLAT = "its line ends are gone: what was a comment and what was code can no longer be told"


def read(source: Source) -> Document | None:
    """A page without a fence anywhere, with code at the margin."""
    if not lost_its_fences(source.lines[:_SAMPLE]):
        return None
    marked = any(map(_MARKDOWN.match, source.lines))
    blocks = blocks_of(source.lines, markdown_text if marked else text_blocks)
    top = blocks[0] if blocks else None
    if isinstance(top, Heading) and top.level == TITLE and not NUMBERED.match(top.text):
        blocks[0] = replace(top, level=1)  # what stands on top of a page is its title
    return document(source, "plain", blocks)


def fenced(lines: Sequence[str]) -> bool:
    """Whether a fence is left."""
    return any(map(_FENCE.match, lines))


def lost_its_fences(lines: Sequence[str]) -> bool:
    """Whether there is code at the margin, two lines together or three anywhere, and no fence."""
    if fenced(lines):
        return False
    known, count = Lines(lines), 0
    for number, line in enumerate(lines):
        if not _SURE.match(line) or known.strength(number) != "strong":
            continue
        count += 1
        found = known.logical(number)
        above = number > 0 and known.strength(number - 1) == "strong"
        if count == 3 or above or (found and found.stop < len(lines) and known.strength(found.stop) == "strong"):
            return True
    return False


def markdown_text(lines: Sequence[str], span: Span) -> list[Block]:
    """The text between two runs of code, as Markdown."""
    return markdown.blocks_of(lines[span.start : span.stop], span.start)


def blocks_of(lines: Sequence[str], read_text: ReadText) -> list[Block]:
    """Code, outputs and tables where they are found; `read_text` reads what lies between."""
    known = Lines(lines)
    blocks: list[Block] = []
    number = text = 0
    while number < len(lines):
        found, stop = _found(known, number) if lines[number].strip() else ([], number + 1)
        if found:
            blocks += [*read_text(lines, Span(text, number)), *found]
            text = stop
        number = stop
    return blocks + read_text(lines, Span(text, len(lines)))


def _found(known: Lines, start: int) -> tuple[list[Block], int]:
    """The blocks that begin on a line, and the line below them; none if it is text.

    The order of the questions matters: a row of a table parses as Python.
    """
    lines, stop = known.lines, start + 1
    if is_row(lines[start]):
        # Rows sometimes lose their first bar.
        while stop < len(lines) and (
            is_row(lines[stop]) or (lines[stop - 1].rstrip().endswith("|") and lines[stop].count("|") >= 2)
        ):
            stop += 1
        return [_table(lines, Span(start, stop))], stop
    if is_flattened(lines[start]):
        return [Refused(line_span(start), lines[start], _FLAT)], stop
    if is_shell(lines[start]):
        while stop < len(lines) and (lines[stop - 1].endswith("\\") or is_shell(lines[stop])):
            stop += 1
        return [Code(Span(start, stop), "\n".join(lines[start:stop]), "bash", tuple(range(start, stop)))], stop
    parts, is_code = _code_run(known, start)
    stop = parts[-1].stop if parts else stop
    if not is_code:
        return [], stop
    blocks: list[Block] = [python_code(lines, Span(start, stop), parts)]
    if output := output_below(known, stop, parts):
        span, label = output
        numbers = tuple(range(span.start + label, span.stop))
        blocks.append(Output(span, "\n".join(lines[number] for number in numbers), "any", numbers))
    return blocks, blocks[-1].span.stop


def python_code(lines: Sequence[str], span: Span, logical: Sequence[Logical], *, cell: bool = False) -> Code:
    """The code of some lines, with its indentation restored."""
    found = restored(lines[span.start : span.stop], logical, span.start)
    return Code(
        span=span,
        text=found.text,
        language="python",
        lines=tuple(range(span.start, span.stop)),
        sure=found.sure,
        candidates=() if found.sure else found.candidates,
        complete=found.complete,
        cell=cell,
    )


def _table(lines: Sequence[str], span: Span) -> Block:
    rule = span.start + 1
    if rule >= span.stop or not re.fullmatch(r"[\s|:-]+", lines[rule]):
        return Prose(span, "\n".join(lines[span.start : span.stop]))
    header = markdown.split_row(lines[span.start])
    cells = ((number, markdown.split_row(lines[number])) for number in range(rule + 1, span.stop))
    return Table(span, header, tuple(Row(line_span(n), (row + ("",) * len(header))[: len(header)]) for n, row in cells))


def _code_run(known: Lines, start: int) -> tuple[list[Logical], bool]:
    """The logical lines from a line on that belong together, and whether they are code.

    Weak lines alone are no code, but they are text only together, so that no line is asked twice.
    """
    parts: list[Logical] = []
    strong, number = False, start
    while number < len(known) and (part := _part(known, number, parts)) is not None:
        strong = strong or known.strength(part.start) == "strong"
        parts.append(part)
        number = known.next_filled(part.stop)
        if number - part.stop > 2:
            break
    return parts, strong or (bool(parts) and _calls_alone(known, parts))


def _part(known: Lines, number: int, parts: Sequence[Logical]) -> Logical | None:
    """The logical line at a line, if it goes on with (or begins) a run of code."""
    found, strength, line = known.logical(number), known.strength(number), known.lines[number]
    if found is not None and parts and parts[-1].header:
        return found  # a block must follow
    if found is None or not strength:
        return _torn_comment(known, number) if parts else None
    if is_flattened(line) or is_row(line):
        return None
    if strength == "strong":
        return found
    if found.kind == "comment":
        above_something = found.stop < len(known) and known.lines[found.stop].strip()
        return found if parts or above_something else None  # else it may be a heading of Markdown
    if parts and (looks_like_value(line) or announced_by(line)):
        return None
    if parts and found.kind in ("annotate", "string") and printed(line, templates(parts[-_NEAR:])):
        return None
    names_module = found.kind == "expr" and parts and found.text.split(".")[0] in _MODULES
    return None if names_module or _LONE_CALL.match(line.strip()) else found


def _torn_comment(known: Lines, number: int) -> Logical | None:
    """A line between two comments that is the end of the first, broken off by the page's width."""
    line = known.lines[number].strip()
    after = known.next_filled(number + 1)
    beside = [known.lines[number - 1].lstrip(), known.lines[after] if after < len(known) else ""]
    if all(text.startswith("#") for text in beside) and line and line[-1] in ")]}," and not CHINESE.match(line):
        return Logical(number, number + 1, "# " + line, "comment")
    return None


def _calls_alone(known: Lines, parts: Sequence[Logical]) -> bool:
    """Whether weak lines are code after all: a signature below its name, or calls below a colon."""
    call = next((part for part in parts if part.kind in ("call", "expr") and "." in part.text.split("(")[0]), None)
    above = (line.strip() for line in reversed(known.lines[max(0, call.start - _NEAR) : call.start])) if call else ()
    before = next(filter(None, above), "")
    if call is None or not before:
        return False
    if len(parts) == 1 and f".{call.text.split('(')[0]}".endswith(f".{before}"):
        return True
    return call.kind == "call" and before.endswith((":", "：")) and not call.text.endswith("()")
