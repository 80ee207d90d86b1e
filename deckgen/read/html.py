"""HTML as Markdown: each line of Markdown knows the line of HTML that it came from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from html.parser import HTMLParser

from deckgen.text.pattern import pattern

_SILENT = frozenset(
    "script style head nav footer aside form button svg noscript template iframe select textarea dialog".split()
)
"""Elements of a page that are not its text."""
_OF_TABLES = ("table", "tr", "td", "th")
_OF_LISTS = ("ul", "ol", "li", "blockquote")
_BLOCKS = frozenset(
    "p div section article main header figure figcaption dl dt dd br hr address body center fieldset h1 h2 h3 h4 h5 h6 "
    "ul ol li blockquote table details summary".split()
)
_BEFORE = {**{f"h{level}": "#" * level + " " for level in range(1, 7)}, "summary": "<summary>"}
"""What Markdown writes where an element begins."""
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "mark": "==", "del": "~~", "code": "`", "tt": "`", "kbd": "`"}
_LANGUAGE = pattern(r"(?:language|lang|highlight|brush:?)[-\s]?(\w+)")
_SPECIAL = pattern(r"([*`])")
_CODE_FENCE = "`" * 8
_DEEPEST = 8
"""Levels of lists and quotes; what is deeper is flattened, so that time stays in proportion to length."""
_ROLES = {
    **dict.fromkeys(("user", "human", "you"), "User"),
    **dict.fromkeys("assistant bot ai chatgpt model gpt claude gemini copilot deepseek grok".split(), "Assistant"),
}
"""What the element of a message in a saved chat is called, in an attribute or as a word of its class."""
_ROLE_ATTRIBUTES = ("data-message-author-role", "data-author", "data-role", "data-sender", "data-testid")
_ROLE_CLASS = pattern(r"(?:^|[\s_-])(?:message|msg|turn|chat|bubble|role|author|from|sender)(?:$|[\s_-])", re.I)
_ENDS = (("<!--", pattern(r"--\s*!?>")), ("<![", pattern(r"\]\s*>")), ("<", pattern(">")))
"""What opens a comment, a section and a tag, with what ends it."""


def to_markdown(text: str) -> tuple[Sequence[str], Sequence[int]]:
    """The lines of HTML's Markdown, and the 0-based line of HTML of each."""
    page = Page(text)
    return page.lines, page.origins


def role_of(values: Mapping[str, str]) -> str:
    """`User` or `Assistant`, by the attributes of an element of a saved chat; empty if they name nobody."""
    classes = values.get("class", "")
    named = [values.get(name, "") for name in _ROLE_ATTRIBUTES] + [classes] * bool(_ROLE_CLASS.search(classes))
    return next((_ROLES[word] for words in named for word in re.split(r"[\s_-]+", words.lower()) if word in _ROLES), "")


def _endable(text: str) -> str:
    """The same page; what opens and never ends is text: the parser would look for its end from each to the end of the page."""
    for mark, end in _ENDS:
        last = max((found.end() for found in end.finditer(text)), default=0) if mark in text else 0
        text = text[:last] + text[last:].replace(mark, f"&lt;{mark[1:]}")
    return text


class Page(HTMLParser):
    """Writes Markdown line by line while it reads a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.lines: list[str] = []
        self.origins: list[int] = []
        self._text = ""
        self._start = 0
        """Line of HTML on which the text begins that is not written yet."""
        self._item = ""
        """The mark of a list's item that has no text yet."""
        self._code: list[tuple[str, int]] | None = None
        """Lines of code, each with its line of HTML, while in `<pre>`."""
        self._language = ""
        self._cells: list[str] | None = None
        self._in_cell = False
        self._row = self._rows = 0
        """Line of HTML on which the row begins, and how many rows are above it."""
        self._lists: list[int] = []
        """For each open list the number of its next item; 0 for bullets."""
        self._quotes = self._silent = 0
        self._in_title = False
        self._role = ""
        with suppress(AssertionError):  # what the parser cannot stand (`<![x`) ends the page
            self.feed(_endable(text))
            self.close()
        self._end_row()
        self._break()
        last = text.count("\n")
        self.origins = [min(line, last) for line in self.origins]  # `&#10;` ends a line of code, and none of HTML

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._in_title = self._in_title or tag == "title"
        self._silent += tag in _SILENT
        if self._silent:
            return
        role = role_of(values)
        if role and role != self._role:
            self._break()
            self._role = role
            self._write(f"**{role}:**", "")
        if tag == "pre" or self._code is not None:
            self._start_code(tag, values)
            return
        if tag in _BLOCKS:
            self._break()
        if tag in _OF_TABLES:
            self._start_table(tag)
        elif tag in _OF_LISTS:
            self._start_list(tag)
        elif tag == "details":
            self._write("<details>")
        elif tag == "img" and values.get("src") and not values["src"].startswith("data:"):
            self._add(" ".join(f"![{values.get('alt', '')}]({values['src']})".split()))
        else:
            self._add(_BEFORE.get(tag, _MARKS.get(tag, "")))

    def handle_endtag(self, tag: str) -> None:
        self._in_title = self._in_title and tag != "title"
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        if self._silent or tag in _SILENT:
            return
        if self._code is not None:
            if tag == "pre":
                self._end_code()
            return
        self._add("</summary>" if tag == "summary" else _MARKS.get(tag, ""))
        if tag in _BLOCKS:
            self._break()
        if tag in _OF_TABLES:
            self._end_table(tag)
        elif tag in _OF_LISTS:
            self._end_list(tag)
        elif tag == "details":
            self._write("</details>", "")

    def handle_data(self, data: str) -> None:
        self.title += data if self._in_title else ""
        if self._silent:
            return
        if self._code is not None:
            first, *others = data.split("\n")
            above, start = self._code.pop() if self._code else ("", self._line())
            self._code.append((above + first, start))
            self._code += ((line, self._line() + at) for at, line in enumerate(others, 1))
            return
        text = re.sub(r"\s+", " ", data)
        if text != " " or not self._is_blank():
            self._add(text if self._text.count("`") % 2 else _SPECIAL.sub(r"\\\1", text))

    def _line(self) -> int:
        """The line of HTML that is being read."""
        return self.getpos()[0] - 1

    def _is_blank(self) -> bool:
        return not self._text or self._text.isspace()

    def _add(self, text: str) -> None:
        if text and self._is_blank():
            self._start = self._line()
            text = text if self._text else text.lstrip()
        self._text += text

    def _write(self, *lines: str, origin: int | None = None) -> None:
        mark = "> " * min(_DEEPEST, self._quotes)
        self.lines += (mark + line if line else mark.rstrip() for line in lines)
        self.origins += [self._line() if origin is None else origin] * len(lines)

    def _break(self) -> None:
        """End the line of text, if there is one."""
        if self._cells is not None:
            self._text += " " if self._text and not self._text.endswith(" ") else ""
            return
        text, self._text = self._text.strip(), ""
        if text.strip("*=~#-> "):
            self._write(self._item + text, *([] if self._item else [""]), origin=self._start)
            self._item = ""

    def _start_code(self, tag: str, values: Mapping[str, str]) -> None:
        if self._cells is not None:
            return
        if self._code is None:
            self._break()
            self._code, self._language = [], ""
        elif tag == "br":
            self._code.append(("", self._line()))
        found = _LANGUAGE.search(values.get("class", ""))
        self._language = self._language or (found[1].lower() if found else "")

    def _end_code(self) -> None:
        code, self._code = self._code or [], None
        while code and not code[0][0].strip():
            del code[0]
        while code and not code[-1][0].strip():
            code.pop()
        self._write(_CODE_FENCE + self._language, origin=code[0][1] if code else None)
        for text, line in code:
            self._write(text, origin=line)
        self._write(_CODE_FENCE, "")

    def _start_list(self, tag: str) -> None:
        if tag == "blockquote":
            self._quotes += 1
        elif tag == "li":
            number = self._lists[-1] if self._lists else 0
            self._item = "    " * min(_DEEPEST, max(0, len(self._lists) - 1)) + (f"{number}. " if number else "- ")
            if number:
                self._lists[-1] += 1
        else:
            self._lists.append(int(tag == "ol"))

    def _end_list(self, tag: str) -> None:
        if tag == "li":
            return
        if tag == "blockquote":
            self._quotes = max(0, self._quotes - 1)
        else:
            self._item, self._lists = "", self._lists[:-1]
        self._write("")

    def _start_table(self, tag: str) -> None:
        if tag == "table":
            self._rows = 0
        elif tag == "tr":
            self._end_row()
            self._cells, self._text, self._row = [], "", self._line()
        else:
            self._end_cell()
            self._in_cell, self._text = self._cells is not None, ""

    def _end_table(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._end_cell()
        else:
            self._end_row()
        if tag == "table":
            self._write("")

    def _end_cell(self) -> None:
        """Many pages leave out the ends of cells and rows."""
        if self._cells is not None and self._in_cell:
            self._cells.append(self._text.strip().replace("|", "\\|"))
            self._in_cell, self._text = False, ""

    def _end_row(self) -> None:
        self._end_cell()
        cells, self._cells = self._cells, None
        if cells is not None:
            self._text = ""
        if cells:
            rule = ["|" + " --- |" * len(cells)] if not self._rows else []
            self._write(f"| {' | '.join(cells)} |", *rule, origin=self._row)
            self._rows += 1
