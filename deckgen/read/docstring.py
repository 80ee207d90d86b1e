"""Docstrings: `>>>` examples in reStructuredText. Everything else in them is prose."""

from __future__ import annotations

from collections.abc import Iterator

from deckgen.model.document import Block, Code, Document, Heading, Prose
from deckgen.model.source import Source, Span
from deckgen.text.pattern import pattern

_PROMPT = pattern(r"(\s*)>>>(?: |$)")


def read(source: Source) -> Document:
    """The document of one docstring: its examples are one session."""
    title = source.name
    blocks: list[Block] = [Heading(Span(0, 0), 1, title)]
    at = 0
    for start, stop in _examples(source.lines):
        blocks.extend(_prose(source, at, start))
        lines = source.lines[start:stop]
        indent = len(lines[0]) - len(lines[0].lstrip())
        text = "\n".join(line[indent:] if not line[:indent].strip() else line.lstrip() for line in lines)
        blocks.append(Code(Span(start, stop), text, "pycon", tuple(range(start, stop))))
        at = stop
    blocks.extend(_prose(source, at, len(source.lines)))
    return Document(source, "docstring", tuple(blocks), title=title, continuous=True)


def _prose(source: Source, start: int, stop: int) -> Iterator[Block]:
    text = source.slice(Span(start, stop)).strip("\n")
    if text.strip():
        yield Prose(Span(start, stop), text)


def _examples(lines: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Half-open runs of lines that start with a prompt; they end at a blank line that no prompt follows,
    and at a line that is indented less than its prompt."""
    at = 0
    while at < len(lines):
        prompt = _PROMPT.match(lines[at])
        if not prompt:
            at += 1
            continue
        stop = _end(lines, at, len(prompt[1]))
        yield at, stop
        at = stop


def _end(lines: tuple[str, ...], start: int, indent: int) -> int:
    stop = start + 1
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if not line.strip():
            continue
        if len(line) - len(line.lstrip()) < indent:
            break
        blank_above = not lines[at - 1].strip()
        if blank_above and not _PROMPT.match(line) and not _inside_output(lines, start, at):
            break
        stop = at + 1
    return stop


def _inside_output(lines: tuple[str, ...], start: int, at: int) -> bool:
    """True behind a blank line within one tensor: torch puts one between the matrices of a batch."""
    above = "\n".join(lines[start:at]).rsplit(">>>", 1)[-1]
    return sum(map(above.count, "([{")) > sum(map(above.count, ")]}"))
