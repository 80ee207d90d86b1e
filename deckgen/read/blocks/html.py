"""Raw HTML inside Markdown: headings, hidden answers, pictures, comments."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator

from deckgen.model.document import Block, Details, Directive, Heading, Image, Prose
from deckgen.model.source import Span
from deckgen.read.blocks import htmltables
from deckgen.read.blocks.comments import commented
from deckgen.text.pattern import pattern
from deckgen.text.text_patterns import untagged

ReadMarkdown = Callable[[list[str], int], list[Block]]
"""Reads lines of Markdown; the number is the line of the source at which they begin."""

_HEADING = pattern(r"<h([1-6])\b[^<>]*>((?:(?!<h\1\b).){,4000}?)</h\1\s*>", re.I | re.S)
_HEADING_START = pattern(r"\s*<h([1-6])\b", re.I)
_COMMENT = pattern(r"\s*<!--(.*?)-->\s*", re.S)
_DIRECTIVE = pattern(r"\s*deckgen\s*:(.*)", re.S)
_DETAILS = pattern(r"<(/?)details\b[^>]*>", re.I)
_SUMMARY = pattern(r"<summary\b[^>]*>(.*?)</summary\s*>", re.I | re.S)
_IMAGE = pattern(r"<img\b[^>]*>", re.I)
_ELEMENT = pattern(r"\s*<(table|pre)\b", re.I)
_RULE = pattern(r"\s*<hr\b[^<>]*>\s*", re.I)
_ATTRIBUTE = r"""\b{}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))"""
_SOURCE = pattern(_ATTRIBUTE.format("src"), re.I)
_ALTERNATIVE = pattern(_ATTRIBUTE.format("alt"), re.I)


def details_balance(text: str) -> int:
    """How many `<details>` a text leaves open (negative: closes)."""
    return sum(-1 if match[1] else 1 for match in _DETAILS.finditer(text))


def html_blocks(lines: list[str], start: int, read_markdown: ReadMarkdown) -> list[Block]:
    """The blocks of lines that begin as raw HTML.

    CommonMark ends such a block at a blank line only: a paragraph right below `</h1>` is in it.
    """
    blocks: list[Block] = []
    for first, stop, hidden in _parts(lines):
        part = lines[first:stop]
        reader = _details if hidden else _plain
        blocks += reader(part, start + first, read_markdown)
    return blocks


def _parts(lines: list[str]) -> Iterator[tuple[int, int, bool]]:
    """(first, stop, whether it is `<details>`) of each part; a part that never closes is plain."""
    first = depth = opened = 0
    for number, line in enumerate(lines):
        change = details_balance(line)
        if depth == 0 and _DETAILS.search(line) and (change > 0 or "</details" in line.lower()):
            opened = number
            if first < opened:
                yield first, opened, False
            first = opened
            if change <= 0:
                yield first, number + 1, True
                first = number + 1
        elif depth > 0 and depth + change <= 0:
            yield first, number + 1, True
            first = number + 1
        depth = max(0, depth + change)
    if first < len(lines):
        yield first, len(lines), False


def _details(lines: list[str], start: int, read_markdown: ReadMarkdown) -> list[Block]:
    text = "\n".join(lines)
    summary = _SUMMARY.search(text)
    hidden = _without_outermost(_SUMMARY.sub(_line_ends, text, count=1))
    inner = read_markdown(hidden.split("\n"), start)
    title = untagged(summary[1]).strip() if summary else ""
    return [Details(Span(start, start + len(lines)), title, hidden.strip(), tuple(inner))]


def _line_ends(match: re.Match[str]) -> str:
    """What is left of a removed tag, so that the rest keeps its lines."""
    return "\n" * match[0].count("\n")


def _without_outermost(text: str) -> str:
    first, *_, last = [*_DETAILS.finditer(text)] * 2
    if first.start() < last.start():
        text = text[: last.start()] + _line_ends(last) + text[last.end() :]
    return text[: first.start()] + _line_ends(first) + text[first.end() :]


def _plain(lines: list[str], start: int, read_markdown: ReadMarkdown) -> list[Block]:
    """Headings, comments and pictures among the lines; the rest as prose or Markdown."""
    blocks: list[Block] = []
    rest = number = 0
    while number < len(lines):
        found, count = _special(lines, number, start)
        if found is None:
            number += count
            continue
        blocks += _rest(lines[rest:number], start + rest, read_markdown)
        blocks.append(found)
        number += count
        rest = number
    return blocks + _rest(lines[rest:], start + rest, read_markdown)


def _rest(lines: list[str], start: int, read_markdown: ReadMarkdown) -> list[Block]:
    text = "\n".join(lines)
    if not text.strip():
        return []
    if _RULE.fullmatch(text):
        return [Prose(Span(start, start + len(lines)), "---")]
    if text.lstrip().startswith("<"):
        return [Prose(Span(start, start + len(lines)), text)]
    return read_markdown(lines, start)


def _special(lines: list[str], number: int, start: int) -> tuple[Block | None, int]:
    """A block that begins on a line, and how many lines it takes."""
    line = lines[number]
    if heading := _HEADING_START.match(line):
        return _heading(lines, number, start, heading[1])
    if line.lstrip().startswith("<!--"):
        return _comment(lines, number, start)
    if element := _ELEMENT.match(line):
        return _element(lines, number, start, element[1].lower())
    images = _IMAGE.findall(line)
    if len(images) == 1 and not untagged(line).strip():
        span = Span(start + number, start + number + 1)
        return Image(span, _attribute(_ALTERNATIVE, images[0]), _attribute(_SOURCE, images[0])), 1
    return None, 1


def _element(lines: list[str], number: int, start: int, name: str) -> tuple[Block | None, int]:
    """A whole `<table>` or `<pre>`."""
    closing = (n for n in range(number, len(lines)) if f"</{name}" in lines[n].lower())
    stop = next(closing, len(lines) - 1) + 1
    if name == "table" and "dataframe" in lines[number]:
        return Directive(Span(start + number, start + stop), ()), stop - number  # what pandas showed
    read = htmltables.table if name == "table" else htmltables.preformatted
    return read("\n".join(lines[number:stop]), start + number), stop - number


def _heading(lines: list[str], number: int, start: int, level: str) -> tuple[Block | None, int]:
    for count in range(1, min(6, len(lines) - number + 1)):
        text = "\n".join(lines[number : number + count])
        if match := _HEADING.search(text):
            title = " ".join(untagged(match[2]).split())
            span = Span(start + number, start + number + count)
            return (Heading(span, int(level), title), count) if title else (None, 1)
    return None, 1


def _comment(lines: list[str], number: int, start: int) -> tuple[Block | None, int]:
    closing = (n for n in range(number, len(lines)) if "-->" in lines[n])
    stop = next(closing, len(lines)) + 1
    match = _COMMENT.fullmatch("\n".join(lines[number:stop]))
    if not match:
        return None, stop - number
    directive = _DIRECTIVE.fullmatch(match[1])
    span = Span(start + number, start + stop)
    told = Directive(span, _words(directive[1])) if directive else commented(span, match[1])
    return told, stop - number


def _words(text: str) -> tuple[str, ...]:
    try:
        words = shlex.split(text)
    except ValueError:  # an odd quotation mark
        words = text.split()
    return tuple(word for word in words if word != "|")


def _attribute(pattern: re.Pattern[str], tag: str) -> str:
    match = pattern.search(tag)
    return next((group for group in match.groups() if group is not None), "") if match else ""
