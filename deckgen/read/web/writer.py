"""Markdown as it is written from HTML, line by line: blocks, lists, quotes, tables, code."""

from __future__ import annotations

from deckgen.read.web.roles import role_of
from deckgen.text.pattern import pattern

_LANGUAGE = pattern(r"(?:language|lang|highlight|brush:?)[-\s]?(\w+)")
_FENCE = "`" * 8
_DEEPEST = 8
"""Levels of lists and quotes; what is deeper is flattened, so that time stays in proportion to length."""
ITEM = "\x01"
"""Before the text of a list's item, whose indentation counts."""


class Writer:
    """Lines of Markdown; each knows the 0-based line of HTML that it came from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.origins: list[int] = []
        self._text = ""
        self._start = 0
        self._fence = 0
        self._fenced_at = 0
        """Which line opened the code."""
        self._lists: list[str] = []
        self._quotes = 0
        self._cells: list[str] | None = None
        self._header_done = False
        self._role = ""

    def _line(self) -> int:
        """The line of HTML that is being read."""
        raise NotImplementedError

    def _add(self, text: str) -> None:
        if not self._text or self._text.isspace():
            self._start = self._line()
            text = text.lstrip() if not self._text else text
        self._text += text

    def _break(self) -> None:
        """End the line of text, if there is one."""
        if self._cells is not None:
            self._text += " " if self._text and not self._text.endswith(" ") else ""
            return
        if self._text.startswith(ITEM):
            if self._text.strip(f"{ITEM} -.0123456789"):
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

    def _code_break(self) -> None:
        """`<br>` in code: another line of it, from the same line of HTML."""
        self.lines.append("")
        self.origins.append(self._line())
        self._fence = 2

    def _language(self, values: dict[str, str]) -> None:
        found = _LANGUAGE.search(values.get("class", ""))
        if found and self.lines[self._fenced_at] == _FENCE:
            self.lines[self._fenced_at] += found[1].lower()

    def open_pre(self, values: dict[str, str]) -> None:
        self._break()
        if self._fence or self._cells is not None:
            return
        self._fence = 1
        self._fenced_at = len(self.lines)
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
        self._add(ITEM + "    " * min(_DEEPEST, max(0, len(self._lists) - 1)) + mark + " ")

    def close_item(self) -> None:
        self._item_text()

    def _item_text(self) -> None:
        text, self._text = self._text.removeprefix(ITEM), ""
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
