"""HTML as Markdown: each line of Markdown knows the line of HTML that it came from."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from html.parser import HTMLParser

from deckgen.read.web.writer import ITEM, Writer
from deckgen.text.pattern import pattern

_SILENT = frozenset({
    "script", "style", "head", "nav", "footer", "aside", "form", "button", "svg", "noscript", "template", "iframe",
    "select", "textarea", "dialog",
})  # fmt: skip
"""Elements of a page that are not its text."""
_BLOCKS = frozenset({
    "p", "div", "section", "article", "main", "header", "figure", "figcaption", "dl", "dt", "dd", "br", "hr", "address",
    "body", "center", "fieldset",
})  # fmt: skip
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "mark": "==", "del": "~~", "code": "`", "tt": "`", "kbd": "`"}
_SPACE = pattern(r"\s+")
_SPECIAL = pattern(r"([*`])")
_LEADING = pattern(r"^(\s*)(#{1,6}\s|[-+>]\s|\d+[.)]\s)")


class Markdown(Writer, HTMLParser):
    """Feed it HTML; `lines` is the Markdown and `origins` the 0-based line of HTML of each of its lines."""

    def __init__(self) -> None:
        Writer.__init__(self)
        HTMLParser.__init__(self, convert_charrefs=True)
        self.title = ""
        self._silent = 0
        self._in_title = False

    def _line(self) -> int:
        return self.getpos()[0] - 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = True
        if tag in _SILENT:
            self._silent += 1
        if self._silent:
            return
        values = {name: value or "" for name, value in attrs}
        self._speak(tag, values)
        if self._fence and tag not in ("pre", "br"):
            self._language(values)
        elif self._fence and tag == "br":
            self._code_break()
        elif tag in _OPEN:
            _OPEN[tag](self, values)
        elif tag in _BLOCKS:
            self._break()
        elif re.fullmatch(r"h[1-6]", tag):
            self._break()
            self._add("#" * int(tag[1]) + " ")
        elif tag in _MARKS:
            self._add(_MARKS[tag])

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif self._silent:
            return
        elif tag in _CLOSE:
            _CLOSE[tag](self)
        elif self._fence:
            return
        elif tag in _BLOCKS or re.fullmatch(r"h[1-6]", tag):
            self._break()
        elif tag in _MARKS:
            self._add(_MARKS[tag])

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        if self._silent:
            return
        if self._fence:
            self._code(data)
            return
        text = _SPACE.sub(" ", data)
        if text != " " or not (self._text == "" or self._text.isspace()):
            inside_code = self._text.count("`") % 2
            self._add(text if inside_code else _SPECIAL.sub(r"\\\1", text))

    def read(self, text: str) -> None:
        """All of a page; what the parser cannot stand (`<![x`) ends it."""
        with suppress(AssertionError):
            self.feed(_endable(text))
            self.close()
        self._end_row()
        self._item_text() if self._text.startswith(ITEM) else self._break()


_ENDS = (("<!--", pattern(r"--\s*!?>")), ("<![", pattern(r"\]\s*>")), ("<", pattern(">")))
"""What opens a comment, a section and a tag, with what ends it."""


def _endable(text: str) -> str:
    """The same page; what opens and never ends is text: the parser would look for its end from each to the end of the page."""
    for mark, end in _ENDS:
        last = 0
        for found in end.finditer(text) if mark in text else ():
            last = found.end()
        text = text[:last] + text[last:].replace(mark, f"&lt;{mark[1:]}")
    return text


_OPEN: dict[str, Callable[[Markdown, dict[str, str]], None]] = {
    "pre": Markdown.open_pre, "ul": Markdown.open_list, "ol": Markdown.open_numbered, "li": Markdown.open_item,
    "blockquote": Markdown.open_quote, "table": Markdown.open_table, "tr": Markdown.open_row,
    "td": Markdown.open_cell, "th": Markdown.open_cell, "details": Markdown.open_details,
    "summary": Markdown.open_summary, "img": Markdown.open_image,
}  # fmt: skip
_CLOSE: dict[str, Callable[[Markdown], None]] = {
    "pre": Markdown.close_pre, "ul": Markdown.close_list, "ol": Markdown.close_list, "li": Markdown.close_item,
    "blockquote": Markdown.close_quote, "table": Markdown.close_table, "tr": Markdown.close_row,
    "td": Markdown.close_cell, "th": Markdown.close_cell, "details": Markdown.close_details,
    "summary": Markdown.close_summary,
}  # fmt: skip
