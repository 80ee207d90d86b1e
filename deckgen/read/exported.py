"""Notebooks and sessions as text: `In [7]:` cells without fences, IPython's own layout, `>>>` transcripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from deckgen.model.document import Block, Code, Directive, Document, Output
from deckgen.model.source import Source, Span
from deckgen.read import markdown, scraped
from deckgen.read.assemble import document, shifted
from deckgen.read.unfenced import outputs
from deckgen.read.unfenced.answers import Answer
from deckgen.read.unfenced.cells import cell_code, chunks, is_code, is_output, is_value
from deckgen.read.unfenced.glued import is_silent, is_title, output_start
from deckgen.read.unfenced.lines import Lines
from deckgen.read.unfenced.titles import text_blocks
from deckgen.read.unfenced.transcripts import PROMPT, is_prompt, transcript
from deckgen.text.pattern import pattern

_IN = pattern(r"(?P<prompt>In ?\[(?: |\d+|None|\*)?\]:) ?(?P<rest>.*)")
_OUT = pattern(r"(?P<prompt>Out ?\[(?: |\d+|None|\*)?\]:) ?(?P<rest>.*)")
_CONTINUED = pattern(r"\s+\.\.\.: ?(.*)|\s+\.\.\.:$")
_PROGRESS = pattern(r"\d+%\|.*\|\s*[\d.]+\w?/[\d.?]+")
Stream = Literal["stdout", "stderr", "any"]
_BARE = pattern(r"\[(\d+| )\]:\s*")
"""How documentation shows the prompts of a notebook: the same number above the code and above its value."""
_RULE = pattern(r"-{20,}\s*")
_ERROR = pattern(r"(?:\w+\.)*\w*(?:Error|Exception|Interrupt|Warning|Exit|Iteration)\b(?:: .*|:?\s*)")
_BEGINS = ("In", "Out", ">>>")
"""With one of these a prompt begins."""
_OPENS = ("In", "[", ">>>")
"""With one of these a cell of a notebook or a session does."""
_LONGEST_TRACEBACK = 80
_FENCE = pattern(r" {0,3}(```|~~~)")


def claims_source(source: Source) -> bool:
    """An `In [n]:` at the margin, or at least two `>>>` or `[n]:`; none of them inside or right above a fence."""
    prompts = 0
    if not any(mark in source.text for mark in ("In [", "In[", ">>>", "]:\n")):
        return False
    fence = ""
    for number, line in enumerate(source.lines):
        if match := _FENCE.match(line) if "```" in line or "~~~" in line else None:
            fence = "" if fence == match[1] else fence or match[1]
        elif not fence and line.startswith(_OPENS):
            if (found := _IN.match(line)) and not (_fenced_below(source.lines, number) and not found["rest"].strip()):
                return True
            prompts += bool(PROMPT.match(line) or _BARE.fullmatch(line))
    return prompts >= 2


def _fenced_below(lines: Sequence[str], number: int) -> bool:
    """True if the next line that is not blank opens a fence: the prompt is a label in Markdown."""
    return any(_FENCE.match(line) for line in [one for one in lines[number + 1 : number + 4] if one.strip()][:1])


def read(source: Source) -> Document:
    lines = _with_prompts(source.lines)
    flat = _is_page(lines)
    blocks: list[Block] = []
    number = 0
    while number < len(lines):
        stop = _next_prompt(lines, number)
        blocks += _text(lines, Span(number, stop), flat=flat)
        if stop == len(lines):
            break
        new = _prompted(lines, stop)
        blocks += new
        number = new[-1].span.stop
    return document(source, "exported", blocks, continuous=True)


def _with_prompts(lines: Sequence[str]) -> Sequence[str]:
    """Lines in which `[7]:` alone is `In [7]:`, and below that, once more, `Out[7]:`."""
    bare = [number for number, line in enumerate(lines) if line.startswith("[") and _BARE.fullmatch(line)]
    if len(bare) < 2:
        return lines
    written, last = list(lines), ""
    for number in bare:
        name = lines[number].strip()
        written[number] = f"Out{name}" if name == last else f"In {name}"
        last = "" if name == last else name
    return written


def _is_page(lines: Sequence[str]) -> bool:
    """Whether the text is that of a page without fences, where code stands without a prompt, too."""
    free = [line for line in lines if not line.startswith((">>>", "..."))]
    return len(free) < len(lines) and not scraped.fenced(lines) and scraped.unfenced(free)


def _text(lines: Sequence[str], span: Span, *, flat: bool) -> list[Block]:
    """The text between two prompts."""
    part = lines[span.start : span.stop]
    if flat and any(line.strip() for line in part):
        return shifted(scraped.blocks_of(part, text_blocks), span.start)
    return markdown.blocks_of(part, span.start)


def _next_prompt(lines: Sequence[str], number: int) -> int:
    """The next line that begins a cell, an output or a transcript; the number of lines if there is none."""
    while number < len(lines) and not (
        lines[number].startswith(_BEGINS) and (_is_prompt(lines[number]) or is_prompt(lines[number]))
    ):
        number += 1
    return number


def _prompted(lines: Sequence[str], start: int) -> list[Block]:
    if is_prompt(lines[start]):
        return [transcript(lines, start)]
    if match := _OUT.match(lines[start]):
        stop = _next_prompt(lines, start + 1)
        return [_result(lines, start, stop, match["rest"])]
    match = _IN.match(lines[start])
    rest = match["rest"] if match else ""
    return _session(lines, start, rest) if rest.strip() else _cell(lines, start)


def _session(lines: Sequence[str], start: int, rest: str) -> list[Block]:
    """IPython's layout: `In [1]: code`, `   ...: more code`, then what it printed."""
    code, stop = [rest], start + 1
    while stop < len(lines) and (match := _CONTINUED.match(lines[stop])):
        code.append(match[1] or "")
        stop += 1
    while len(code) > 1 and not code[-1].strip():
        code.pop()
    cell = Code(Span(start, stop), "\n".join(code), "python", tuple(range(start, start + len(code))), cell=True)
    end = _answer_end(lines, Span(stop, len(lines)), Answer(code))
    if end == stop:
        return [cell]
    return [cell, _traceback(lines, stop) or _output(lines, Span(stop, end), "stdout")]


def _answer_end(lines: Sequence[str], span: Span, answer: Answer) -> int:
    """Where the lines end that a prompt was answered with, without a blank line."""
    for number in range(span.start, span.stop):
        line = lines[number]
        if not line.strip() or _is_prompt(line) or answer.ends_before(lines, number):
            return number
        answer.feed(line)
    return span.stop


def _traceback(lines: Sequence[str], start: int) -> Output | None:
    """What IPython writes of an error, from a rule to the line that names it."""
    if not _RULE.fullmatch(lines[start]):
        return None
    for number in range(start + 1, min(len(lines), start + _LONGEST_TRACEBACK)):
        if _is_prompt(lines[number]):
            return None
        if "Traceback" not in lines[number] and _ERROR.fullmatch(lines[number]):
            return Output(Span(start, number + 1), lines[number], "error", (number,))
    return None


def _is_prompt(line: str) -> bool:
    return bool(_IN.match(line) or _OUT.match(line))


def _cell(lines: Sequence[str], start: int) -> list[Block]:
    """`In [7]:` on a line of its own; code; after a blank line its output; then Markdown."""
    stop = _next_prompt(lines, start + 1)
    known = Lines(lines, stop)
    parts = chunks(lines, Span(start + 1, stop))
    # What stands right below the prompt is the cell, whatever it looks like.
    taken = int(bool(parts) and parts[0].start == start + 1)
    while taken < len(parts) and is_code(known, parts, taken):
        taken += 1
    if not taken:
        return [Directive(Span(start, start + 1), ())]  # an empty cell
    whole = Span(parts[0].start, parts[taken - 1].stop)
    stop_code = output_start(known, whole, valued=stop < len(lines) and bool(_OUT.match(lines[stop])))
    span = Span(whole.start, stop_code)
    cell = cell_code(lines, span, Span(start, span.stop))
    if span.stop < whole.stop:
        return [cell, *_glued(known, Span(span.stop, whole.stop), parts[taken:], span)]
    printed = outputs.templates(known.all_logical(span))
    last = taken
    while last < len(parts) and _follows(known, parts, last, last == taken, span, printed):
        last += 1
    return [cell, *_outputs(lines, parts[taken:last])]


def _follows(
    known: Lines, parts: Sequence[Span], at: int, first: bool, code: Span, printed: list[outputs.Template]
) -> bool:
    """Whether a chunk below a blank line is what the cell printed, rather than the title of the next text."""
    if not is_output(known, parts[at], printed):
        return False
    if not is_title(known, parts[at], printed):
        return True
    return first and not printed and not is_silent(known.all_logical(code))


def _glued(known: Lines, first: Span, parts: Sequence[Span], code: Span) -> list[Block]:
    """Output that touches its code; below a blank line goes on only what cannot be text."""
    lines = known.lines
    rule = next((at for at in range(first.start, first.stop) if _RULE.fullmatch(lines[at])), None)
    error = _traceback(lines, rule) if rule is not None else None
    if rule is not None and error is not None:
        above = Span(first.start, rule)
        return [*_outputs(lines, [above] if rule > first.start else []), error]
    printed = outputs.templates(known.all_logical(code))
    last = 0
    while last < len(parts) and (is_value(known, parts[last], printed)):
        last += 1
    return _outputs(lines, [first, *parts[:last]])


def _outputs(lines: Sequence[str], parts: Sequence[Span]) -> list[Block]:
    """The output of a cell; progress bars, which go to stderr, apart from the rest."""
    found: list[Output] = []
    for part in parts:
        bar = all(_PROGRESS.search(line) for line in lines[part.start : part.stop])
        stream: Stream = "stderr" if bar else "any"
        span = found[-1].span | part if found and found[-1].stream == stream else part
        if span is not part:
            found.pop()
        found.append(_output(lines, span, stream))
    return list(found)


def _result(lines: Sequence[str], start: int, stop: int, rest: str) -> Output:
    """`Out[7]:` and the value behind or below it."""
    known = Lines(lines, stop)
    parts = chunks(lines, Span(start + 1, stop))
    end = start + 1
    if parts and (parts[0].start == start + 1 or not rest.strip()):
        answer = Answer()
        answer.feed(rest)
        end = _answer_end(lines, parts[0], answer)
    whole = not parts or end in (start + 1, parts[0].stop)
    for part in parts[1:] if whole else ():
        if part.start < end or not is_value(known, part, []):
            break
        end = part.stop
    first = start + 1 if rest.strip() or not parts else parts[0].start
    texts = ([rest] if rest.strip() else []) + list(lines[first:end])
    numbers = tuple(range(start if rest.strip() else first, end))
    return Output(Span(start, end), "\n".join(texts), "result", numbers)


def _output(lines: Sequence[str], span: Span, stream: Stream) -> Output:
    return Output(span, "\n".join(lines[span.start : span.stop]), stream, tuple(range(span.start, span.stop)))
