"""Fields of Anki's notes as Markdown: HTML as its editor and other programs write it, with code in `<pre>`, in spans, or in lines alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from deckgen.model.document import Code
from deckgen.model.note import fenced
from deckgen.read.html import to_markdown
from deckgen.read.plain import page
from deckgen.read.plain.page import markdown_text
from deckgen.text.pattern import pattern, unescaped, untagged

LONGEST = 200_000
"""Characters of a field: more was not written by hand."""
_MARKUP = pattern(r"<[A-Za-z/!]|&(?:#\w+|[A-Za-z]\w*);")
_BREAK = pattern(r"<br\s*/?>|</?(?:div|p)\b[^>]{0,500}>", re.IGNORECASE)
_RICH = pattern(r"<(?:pre|table|ul|ol|h[1-6]|blockquote|dl)\b", re.IGNORECASE)
"""Markup that is more than lines of text."""
_HIGHLIGHTED = pattern(r"</?(?:table|tbody|tr|td)\b[^>]{0,200}>", re.IGNORECASE)
_MEDIA = pattern(r"\[sound:[^\]]{0,500}\]|\[anki:[^\]]{0,500}\]")
_LONG_FENCE = pattern(r"^`{8}(\w*)$", re.MULTILINE)


def markdown_of(text: str) -> str:
    """The Markdown of a field."""
    text = _MEDIA.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))[:LONGEST]
    if not _MARKUP.search(text):
        return _with_fences(text.strip("\n").rstrip())
    if "```" in text:  # Markdown, of which the editor made lines
        return plain_of(text)
    text = _lines_as_code(_without_numbers(text))
    if not _RICH.search(text) and (lines := plain_of(text)) != (found := _with_fences(lines)):
        return found
    markdown = "\n".join(to_markdown(text)[0]).strip("\n").rstrip()
    if "`" in untagged(text) and "<pre" not in text:  # typed as Markdown
        markdown = markdown.replace("\\`", "`")
    return _LONG_FENCE.sub(r"```\1", markdown) if markdown.count("```") == 2 * markdown.count("`" * 8) else markdown


def plain_of(text: str) -> str:
    """The text that a field shows, line by line."""
    lines = _BREAK.sub("\n", text).replace("&nbsp;", " ")
    return re.sub(r"\n{3,}", "\n\n", unescaped(untagged(lines)).replace("\xa0", " ")).strip("\n").rstrip()


def _without_numbers(text: str) -> str:
    """Without the numbers of lines, and the table that puts them beside the code."""
    if "linenos" not in text:
        return text
    return _HIGHLIGHTED.sub("", _changed(text, "td", lambda opened, inner: "" if "linenos" in opened else inner))


def _lines_as_code(text: str) -> str:
    """With `<code>` of several lines as `<pre>`, and line ends in `<pre>` as such."""

    def block(opened: str, inner: str) -> str:
        if not (_BREAK.search(inner) or "\n" in inner.strip()):
            return f"{opened}{inner}</code>"
        return f"<pre>{_BREAK.sub(chr(10), inner)}</pre>"

    parts: list[str] = []
    done = 0
    for start, opened, inner, stop in _elements(text, "pre"):
        parts += [_changed(text[done:start], "code", block), opened, _BREAK.sub("\n", inner), "</pre>"]
        done = stop
    return "".join((*parts, _changed(text[done:], "code", block)))


def _elements(text: str, name: str) -> Iterator[tuple[int, str, str, int]]:
    """(where it begins, its tag, what is in it, where it ends) of each element of this name that ends, up to its first end."""
    small, at = text.lower(), 0
    opens, closes = re.compile(rf"<{name}\b[^>]{{0,500}}>"), f"</{name}"
    while (found := opens.search(small, at)) and (end := small.find(closes, found.end())) >= 0:
        at = small.find(">", end) + 1 or len(text)
        yield found.start(), text[found.start() : found.end()], text[found.end() : end], at


def _changed(text: str, name: str, change: Callable[[str, str], str]) -> str:
    """The text with each element of this name as `change` makes it of its tag and what is in it."""
    parts: list[str] = []
    done = 0
    for start, opened, inner, stop in _elements(text, name):
        parts += [text[done:start], change(opened, inner)]
        done = stop
    return "".join((*parts, text[done:]))


def _with_fences(text: str) -> str:
    """A text with fences around the code that stands in it as lines alone."""
    lines = text.split("\n")
    if not page.lost_its_fences(lines):
        return text
    made, done = [], 0
    for block in page.blocks_of(lines, markdown_text):
        if isinstance(block, Code) and block.language == "python":
            made += [*lines[done : block.span.start], "", fenced(block.text, "python"), ""]
            done = block.span.stop
    return re.sub(r"\n{3,}", "\n\n", "\n".join((*made, *lines[done:]))).strip("\n")
