"""Notebooks exported as text: `In [7]:`, the code of a cell, what it printed, then text."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from deckgen.model.document import Block, Code, Directive, Document, Output
from deckgen.model.source import Source, Span, line_span
from deckgen.read import markdown
from deckgen.read.assemble import document, shifted
from deckgen.read.plain.lines import Lines
from deckgen.read.plain.outputs import Template, announced_by, looks_like_value, printed, templates
from deckgen.read.plain.page import python_code
from deckgen.read.reindent.logical import Logical, Scan
from deckgen.text.pattern import CHINESE, pattern
from deckgen.text.syntax import dotted, nodes

_PROMPT = pattern(r"(?:In|(?P<out>Out)) ?\[(?: |\d+|None|\*)?\]:\s*(?P<rest>.*)")
_CONTINUED = pattern(r"\s+\.\.\.:(?: (?P<rest>.*)|$)")
_PROGRESS = pattern(r"\d+%\|.*\|\s*[\d.]+\w?/[\d.?]+")
_MARKDOWN = pattern(
    r"\s{0,3}(?:#{1,6}\s|>\s|[-*+]\s+\S|\d+[.)、]\s|\||!\[|```|~~~|\$\$|\*\*\S|<[a-zA-Z/!]|\[[^\]]*\]\()"
)
_SENTENCE = pattern(
    r"(?:[A-Za-z',-]+\s+){5,}.*[.:!?]$|[A-Z][A-Za-z']*(?:\s[A-Za-z',`-]+)+[.:!?]$|.*[。？！：]$"
    r"|(?:[`*(]?[A-Za-z][A-Za-z'’`*,()_-]* ){6,}[`*(]?[A-Za-z]|\w+: https?://|https?://"
)
"""Also the first line of a paragraph whose lines are broken."""
_MAGIC = pattern(r"\s*(?:%{1,2}\w|!\s*\w|\w+\?{1,2}$|\?\w)")
_TITLE = pattern(r"#\s+[^=()\[\]{}:]{1,60}")
_NEAR = 12
"""Parts above one that are asked whether they print."""
_LONGEST_OPEN = 400
"""Lines after which a bracket that stays open was never meant to close."""
_SILENT = frozenset("import def class decorator comment pass return del global nonlocal".split())
_SILENT_MODULES = frozenset("torch nn F np optim data transforms T pd".split())
_SILENT_FUNCTIONS = frozenset(
    "len range list tuple dict set zip enumerate sorted sum min max abs float int str open".split()
)


def read(source: Source) -> Document | None:
    """Text with an `In [n]:` at the margin, neither inside nor right above a fence."""
    lines, fence = source.lines, ""
    prompts: list[int] = []
    for number, line in enumerate(lines):
        fence = markdown.fence_after(line, fence)
        if not fence and line.startswith(("In", "Out")) and _PROMPT.match(line):
            prompts.append(number)
    if not any(lines[number].startswith("In") and not _is_label(lines, number) for number in prompts):
        return None
    blocks = markdown.blocks_of(lines[: prompts[0]])
    for start, stop in zip(prompts, [*prompts[1:], len(lines)], strict=True):
        made = _prompted(lines[start:stop])
        end = made[-1].span.stop
        blocks += shifted([*made, *markdown.blocks_of(lines[start + end : stop], end)], start)
    return document(source, "notebook_text", blocks, continuous=True)


def _is_label(lines: Sequence[str], number: int) -> bool:
    """True of a prompt in Markdown: the next line that is not blank opens a fence."""
    below = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
    return lines[number].rstrip().endswith(":") and bool(markdown.fence_after(below, ""))


def _prompted(lines: Sequence[str]) -> list[Block]:
    """What a prompt begins, up to the text below it; `lines` end above the next prompt."""
    match, parts = _PROMPT.match(lines[0]), _parts(lines)
    if match and match["out"]:
        rest = match["rest"]
        numbers = tuple([0] if rest else range(parts[0].start, parts[0].stop) if parts else [])
        text = rest or "\n".join(lines[number] for number in numbers)
        return [Output(Span(0, max((1, *(n + 1 for n in numbers)))), text, "result", numbers)]
    if match and match["rest"]:
        return _session(lines, match["rest"])
    known = Lines(lines)
    # What stands right below the prompt is the cell, whatever it looks like.
    taken = int(bool(parts) and parts[0].start == 1)
    while taken < len(parts) and _is_code(known, parts, taken):
        taken += 1
    if not taken:
        return [Directive(line_span(0), ())]  # an empty cell
    code = Span(parts[0].start, parts[taken - 1].stop)
    logical = _logical(known, code)
    written, silent = templates(logical), _is_silent(logical)
    last = taken
    while last < len(parts) and _is_output(lines[parts[last].start], written, silent=silent):
        last += 1
    return [_cell(lines, code, logical), *_outputs(lines, parts[taken:last])]


def _session(lines: Sequence[str], first: str) -> list[Block]:
    """`In [1]: x = 2` of an IPython session: the code, and what stands right below it; a traceback has blank lines in it."""
    code = [first]
    for line in lines[1:]:
        if not (continued := _CONTINUED.match(line)):
            break
        code.append(continued["rest"] or "")
    start = stop = len(code)
    while stop < len(lines) and (lines[stop].strip() or lines[start].startswith("-----")):
        stop += 1
    numbers = tuple(range(start, stop))
    cell = Code(Span(0, start), "\n".join(code), "python", tuple(range(start)), cell=True)
    text = "\n".join(lines[number] for number in numbers).rstrip()
    return [cell, *([Output(Span(start, stop), text, "any", numbers)] if numbers else [])]


def _parts(lines: Sequence[str]) -> list[Span]:
    """Runs of lines between blank ones below the first line; an open bracket or triple quote holds a run together."""
    found: list[Span] = []
    scan, first = Scan(), 1
    for number in range(1, len(lines) + 1):
        held = scan.open and number - first < _LONGEST_OPEN
        if number < len(lines) and (lines[number].strip() or held):
            scan.feed(lines[number])
            continue
        stop = number
        while stop > first and not lines[stop - 1].strip():
            stop -= 1
        found += [Span(first, stop)] if stop > first else []
        scan, first = Scan(), number + 1
    return found


def _cell(lines: Sequence[str], span: Span, logical: Sequence[Logical]) -> Block:
    """The code of a cell; its indentation is restored if it is lost and all of it is Python."""
    code = lines[span.start : span.stop]
    held = {number for line in logical for number in range(line.start, line.stop)}
    python = all(number in held or not lines[number].strip() for number in range(span.start, span.stop))
    if python and not any(line[:1].isspace() for line in code):
        return replace(python_code(lines, span, logical, cell=True), span=Span(0, span.stop))
    return Code(Span(0, span.stop), "\n".join(code), "python", tuple(range(span.start, span.stop)), cell=True)


def _logical(known: Lines, span: Span) -> list[Logical]:
    """The logical lines of a span."""
    found: list[Logical] = []
    number = span.start
    while number < span.stop:
        line = known.logical(number) if known.lines[number].strip() else None
        found += [line] if line else []
        number = line.stop if line else number + 1
    return found


def _is_code(known: Lines, parts: Sequence[Span], index: int) -> bool:
    """Whether a part goes on with the code of the cell above."""
    part = parts[index]
    lines = known.lines[part.start : part.stop]
    if all(line.lstrip().startswith("#") for line in lines):
        return _is_comment(known, parts, index)
    assigned = known.logical(part.start)
    above = Span(parts[max(0, index - _NEAR)].start, part.start)
    if assigned and assigned.kind == "assign" and not lines[0][:1].isspace() and _is_silent(_logical(known, above)):
        return True  # `rate = 0.01`, where nothing above can have printed that
    if looks_like_value(lines[0]) or announced_by(lines[0]):
        return False
    filled = [n for n in range(part.start, part.stop) if known.lines[n].strip()][:40]
    code = [bool(known.strength(n)) or bool(_MAGIC.match(known.lines[n])) for n in filled]
    return code[0] and sum(code) * 5 >= len(code) * 2


def _is_comment(known: Lines, parts: Sequence[Span], index: int) -> bool:
    """`# text` below a cell: a comment, unless it is set like the title of the text below it."""
    part, below = parts[index], parts[index + 1] if index + 1 < len(parts) else None
    line = known.lines[part.start]
    if re.match(r"#{2,6}\s", line):
        return False
    if part.stop - part.start > 1 or not _TITLE.fullmatch(line) or below is None:
        return True
    return bool(known.strength(below.start)) or known.lines[below.start].startswith((">", "#", "-", "*"))


def _is_silent(logical: Sequence[Logical]) -> bool:
    """True for code that prints nothing: imports, definitions, and values made by well-known calls."""
    return all(
        line.kind in _SILENT or (line.kind == "assign" and line.node and all(map(_is_silent_part, nodes(line.node))))
        for line in logical
    )


def _is_silent_part(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return True
    root, dot, _ = dotted(node.func).partition(".")
    return root in _SILENT_MODULES if dot else root in _SILENT_FUNCTIONS or root[:1].isupper()


def _is_output(line: str, written: Sequence[Template], *, silent: bool) -> bool:
    """Whether a part below a cell is what it printed, rather than the next text."""
    start = line[:2000]
    if printed(start, written) or looks_like_value(start):
        return True
    return not (silent or _MARKDOWN.match(line) or _SENTENCE.match(start.strip()) or CHINESE.match(line.strip()))


def _outputs(lines: Sequence[str], parts: Sequence[Span]) -> list[Block]:
    """The output of a cell; progress bars, which go to stderr, apart from the rest."""
    found: list[Output] = []
    for part in parts:
        bar = all(_PROGRESS.search(line) for line in lines[part.start : part.stop])
        joins = found and (found[-1].stream == "stderr") == bar
        span = found.pop().span | part if joins else part
        text, numbers = "\n".join(lines[span.start : span.stop]), tuple(range(span.start, span.stop))
        found.append(Output(span, text, "stderr" if bar else "any", numbers))
    return list(found)
