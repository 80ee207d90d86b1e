"""Raw HTML inside Markdown: headings, tables, code, hidden answers, pictures, comments."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace

from deckgen.model.document import Block, Details, Directive, Heading, Image, Prose
from deckgen.model.source import Span, line_span
from deckgen.read.assemble import moved_to
from deckgen.read.html import to_markdown
from deckgen.text.pattern import pattern, untagged
from deckgen.text.schemes import spelt_out
from deckgen.text.tags import TAG

ReadMarkdown = Callable[[Sequence[str], int], list[Block]]
"""Reads lines of Markdown; the number is the line of the source at which they begin."""

_HEADING = pattern(r"\s*<h([1-6])\b[^<>]*>((?:(?!<h\1\b).){,4000}?)</h\1\s*>", re.I | re.S)
_HEADING_LINES = 5
_COMMENT = pattern(r"\s*<!--(?:\s*deckgen\s*:(?P<words>.*?)|.*?)-->\s*", re.S)
_DETAILS = pattern(r"<(/?)details\b[^>]*>", re.I)
_SUMMARY = pattern(r"<summary\b[^>]*>(.*?)</summary\s*>", re.I | re.S)
_IMAGE = pattern(r"<img\b[^>]*>", re.I)
_ATTRIBUTE = pattern(r"""\b(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.I)
_PICTURE = pattern(r"\s*<picture\b", re.I)
_ELEMENT = pattern(r"\s*<(h[1-6]|table|pre)\b", re.I)
_RULE = pattern(r"\s*<hr\b[^<>]*>\s*", re.I)


def details_balance(text: str) -> int:
    """How many `<details>` a text leaves open (negative: closes)."""
    return sum(-1 if match[1] else 1 for match in _DETAILS.finditer(text))


def html_blocks(lines: Sequence[str], start: int, read_markdown: ReadMarkdown) -> list[Block]:
    """The blocks of lines that begin as raw HTML; `start` is the first one's line in the source.

    CommonMark ends such a block at a blank line only: a paragraph right below `</h1>` is in it.
    """
    hidden = _hidden(lines)
    blocks: list[Block] = []
    rest = number = 0
    while number < len(lines):
        stop = hidden.get(number, number + 1)
        if number in hidden:
            found: Sequence[Block] = [_details(lines[number:stop], start + number, read_markdown)]
        elif _PICTURE.match(lines[number]):
            found, stop = _picture(lines, number, start)
        else:
            special, stop = _special(lines, number, start, read_markdown)
            found = [special] if special else []
        if found:
            blocks += [*_rest(lines[rest:number], start + rest, read_markdown), *found]
            rest = stop
        number = stop
    return blocks + _rest(lines[rest:], start + rest, read_markdown)


def _hidden(lines: Sequence[str]) -> dict[int, int]:
    """For each line that opens `<details>`, outside of others: the line below the one that closes it."""
    found: dict[int, int] = {}
    opened = depth = 0
    for number, line in enumerate(lines):
        if _DETAILS.search(line):
            opened = opened if depth else number
            depth = max(0, depth + details_balance(line))
            if not depth:
                found[opened] = number + 1
    return found


def _details(lines: Sequence[str], start: int, read_markdown: ReadMarkdown) -> Details:
    text = "\n".join(lines)
    summary = _SUMMARY.search(text)
    text = _SUMMARY.sub(_line_ends, text, count=1)
    first, *_, last = [*_DETAILS.finditer(text)] * 2
    if first.start() < last.start():
        text = text[: last.start()] + _line_ends(last) + text[last.end() :]
    text = text[: first.start()] + _line_ends(first) + text[first.end() :]
    title = untagged(summary[1], tag=TAG).strip() if summary else ""
    return Details(Span(start, start + len(lines)), title, text.strip(), tuple(read_markdown(text.split("\n"), start)))


def _line_ends(match: re.Match[str]) -> str:
    """What is left of a removed tag, so that the rest keeps its lines."""
    return "\n" * match[0].count("\n")


def _rest(lines: Sequence[str], start: int, read_markdown: ReadMarkdown) -> list[Block]:
    text = "\n".join(lines)
    span = Span(start, start + len(lines))
    if _RULE.fullmatch(text):
        return [Prose(span, "---")]
    if text.lstrip().startswith("<"):
        return [Prose(span, text)]
    return read_markdown(lines, start) if text.strip() else []


def _special(lines: Sequence[str], number: int, start: int, read_markdown: ReadMarkdown) -> tuple[Block | None, int]:
    """A block that begins on a line, and the line below it; without a block, the line to go on with."""
    line = lines[number]
    if line.lstrip().startswith("<!--"):
        stop = _closing(lines, number, "-->")
        match = _COMMENT.fullmatch("\n".join(lines[number:stop]))
        return (Directive(Span(start + number, start + stop), _words(match["words"] or "")) if match else None), stop
    if element := _ELEMENT.match(line):
        name = element[1].lower()
        if name[0] == "h":
            match = _HEADING.match("\n".join(lines[number : number + _HEADING_LINES]))
            title = " ".join(untagged(match[2], tag=TAG).split()) if match else ""
            stop = number + 1 + (match[0].strip("\n").count("\n") if match else 0)
            return (Heading(Span(start + number, start + stop), int(name[1]), title) if title else None), stop
        stop = _closing(lines, number, f"</{name}")
        if f"</{name}" not in lines[stop - 1].lower():
            return None, stop
        markdown, origins = to_markdown("\n".join(lines[number:stop]))
        found = moved_to(read_markdown(markdown, 0), [start + number + origin for origin in origins])
        return (replace(found[0], span=Span(start + number, start + stop)) if len(found) == 1 else None), stop
    images = _IMAGE.findall(line)
    alone = len(images) == 1 and not untagged(line).strip()
    return _image(images[0], line_span(start + number)) if alone else None, number + 1


def _image(tag: str, span: Span) -> Image:
    values = {match[1].lower(): match[2] or match[3] or match[4] or "" for match in _ATTRIBUTE.finditer(tag)}
    return Image(span, values.get("alt", ""), values.get("src", ""))


def _picture(lines: Sequence[str], number: int, start: int) -> tuple[list[Block], int]:
    """The files of a `<picture>` that has lines of its own, one for each scheme, and the line below it."""
    stop = _closing(lines, number, "</picture")
    text = "\n".join(lines[number:stop])
    tags = _IMAGE.findall(spelt_out(text))
    if untagged(text).strip() or not 1 <= len(tags) <= 2:
        return [], number + 1
    first, last = Span(start + number, start + stop - 1), line_span(start + stop - 1)
    spans = (first, last) if len(tags) == 2 and first.start < first.stop else (Span(first.start, last.stop),) * 2
    return [_image(tag, span) for tag, span in zip(tags, spans, strict=False)], stop


def _closing(lines: Sequence[str], number: int, mark: str) -> int:
    """The line below the next one with a mark."""
    return next((at for at in range(number, len(lines)) if mark in lines[at].lower()), len(lines) - 1) + 1


def _words(text: str) -> tuple[str, ...]:
    try:
        words = shlex.split(text)
    except ValueError:  # an odd quotation mark
        words = text.split()
    return tuple(word for word in words if word != "|")
