"""HTML as Markdown: each line of Markdown knows the line of HTML that it came from."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from html.parser import HTMLParser

from deckgen.pattern import pattern
from deckgen.read.roles import role_of

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
_LANGUAGE = pattern(r"(?:language|lang|highlight|brush:?)[-\s]?(\w+)")
_SPACE = pattern(r"\s+")
_SPECIAL = pattern(r"([*`])")
_LEADING = pattern(r"^(\s*)(#{1,6}\s|[-+>]\s|\d+[.)]\s)")


class Markdown(HTMLParser):
    """Feed it HTML; `lines` is the Markdown and `origins` the 0-based line of HTML of each of its lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.origins: list[int] = []
        self.title = ""
        self._text = ""
        self._start = 0
        self._silent = 0
        self._in_title = False
        self._fence = 0
        self._lists: list[str] = []
        self._quotes = 0
        self._cells: list[str] | None = None
        self._header_done = False
        self._role = ""

    # What the parser calls.

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
        if text != " " or self._text.strip():
            inside_code = self._text.count("`") % 2
            self._add(text if inside_code else _SPECIAL.sub(r"\\\1", text))

    def read(self, text: str) -> None:
        """All of a page; what the parser cannot stand (`<![x`) ends it."""
        with suppress(AssertionError):
            self.feed(text)
            self.close()
        self._end_row()
        self._item_text() if self._text.startswith(_ITEM) else self._break()

    # What is written.

    def _line(self) -> int:
        return self.getpos()[0] - 1

    def _add(self, text: str) -> None:
        if not self._text.strip():
            self._start = self._line()
            text = text.lstrip() if not self._text else text
        self._text += text

    def _break(self) -> None:
        """End the line of text, if there is one."""
        if self._cells is not None:
            self._text += " " if self._text and not self._text.endswith(" ") else ""
            return
        if self._text.startswith(_ITEM):
            if self._text.strip(f"{_ITEM} -.0123456789"):
                self._item_text()
            return
        text, self._text = self._text.strip(), ""
        if text.strip("*=~#-> "):
            self._write(text, self._start)
            self._write("", self._start)

    def _write(self, text: str, line: int) -> None:
        mark = "> " * min(_DEEPEST, self._quotes)
        self.lines.append((mark + text).rstrip() if text or mark else "")
        self.origins.append(line)

    def _speak(self, tag: str, values: dict[str, str]) -> None:
        role = role_of(values)
        if role and role != self._role:
            self._break()
            self._role = role
            self._write(f"**{role}:**", self._line())
            self._write("", self._line())

    def _code(self, data: str) -> None:
        first = self._line()
        for offset, text in enumerate(data.split("\n")):
            if offset == 0 and self._fence > 1:
                self.lines[-1] += text
                continue
            self.lines.append(text)
            self.origins.append(first + offset)
            self._fence = 2

    def _language(self, values: dict[str, str]) -> None:
        found = _LANGUAGE.search(values.get("class", ""))
        at = self._fenced_at()
        if found and self.lines[at] == _FENCE:
            self.lines[at] += found[1].lower()

    def _fenced_at(self) -> int:
        return next(at for at in range(len(self.lines) - 1, -1, -1) if self.lines[at].startswith(_FENCE))

    def open_pre(self, values: dict[str, str]) -> None:
        self._break()
        if self._fence or self._cells is not None:
            return
        self._fence = 1
        self.lines.append(_FENCE)
        self.origins.append(self._line())
        self._language(values)

    def close_pre(self) -> None:
        if not self._fence:
            return
        if self._fence > 1 and not self.lines[-1].strip():
            self.lines.pop()
            self.origins.pop()
        self._fence = 0
        for text in (_FENCE, ""):
            self.lines.append(text)
            self.origins.append(self._line())

    def open_list(self, values: dict[str, str]) -> None:
        self._item_text()
        self._lists.append("-")

    def open_numbered(self, values: dict[str, str]) -> None:
        self._item_text()
        self._lists.append("1")

    def close_list(self) -> None:
        self._item_text()
        self._lists = self._lists[:-1]
        self._write("", self._line())

    def open_item(self, values: dict[str, str]) -> None:
        self._item_text()
        mark = self._lists[-1] if self._lists else "-"
        if mark != "-":
            self._lists[-1], mark = str(int(mark) + 1), f"{mark}."
        self._add(_ITEM + "    " * min(_DEEPEST, max(0, len(self._lists) - 1)) + mark + " ")

    def close_item(self) -> None:
        self._item_text()

    def _item_text(self) -> None:
        text, self._text = self._text.removeprefix(_ITEM), ""
        if text.strip(" -.0123456789"):
            self._write(text.rstrip(), self._start)

    def open_quote(self, values: dict[str, str]) -> None:
        self._break()
        self._quotes += 1

    def close_quote(self) -> None:
        self._break()
        self._quotes = max(0, self._quotes - 1)
        self._write("", self._line())

    def open_table(self, values: dict[str, str]) -> None:
        self._break()
        self._header_done = False

    def open_row(self, values: dict[str, str]) -> None:
        self._end_row()
        self._cells = []
        self._text, self._start = "", self._line()

    def open_cell(self, values: dict[str, str]) -> None:
        if self._text.strip():
            self.close_cell()
        self._text = ""

    def _end_row(self) -> None:
        """Many pages leave out the ends of cells and rows."""
        if self._cells is not None:
            if self._text.strip():
                self.close_cell()
            self.close_row()

    def close_cell(self) -> None:
        if self._cells is not None:
            self._cells.append(self._text.strip().replace("|", "\\|"))
            self._text = ""

    def close_row(self) -> None:
        cells, self._cells, self._text = self._cells, None, ""
        if not cells:
            return
        self._write(f"| {' | '.join(cells)} |", self._start)
        if not self._header_done:
            self._write("|" + " --- |" * len(cells), self._start)
            self._header_done = True

    def close_table(self) -> None:
        self._end_row()
        self._write("", self._line())

    def open_details(self, values: dict[str, str]) -> None:
        self._break()
        self._write("<details>", self._line())

    def close_details(self) -> None:
        self._break()
        self._write("</details>", self._line())
        self._write("", self._line())

    def open_summary(self, values: dict[str, str]) -> None:
        self._break()
        self._add("<summary>")

    def close_summary(self) -> None:
        self._add("</summary>")
        self._break()

    def open_image(self, values: dict[str, str]) -> None:
        if values.get("src") and not values["src"].startswith("data:"):
            self._add(f"![{values.get('alt', '')}]({values['src']})")


_FENCE = "`" * 8
_DEEPEST = 8
"""Levels of lists and quotes; what is deeper is flattened, so that time stays in proportion to length."""
_ITEM = "\x01"
"""Before the text of a list's item, whose indentation counts."""
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
