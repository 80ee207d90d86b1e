"""Fields of Anki's notes as Markdown: HTML as its editor and other programs write it, with code in `<pre>`, in spans, or in lines alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from deckgen.model.document import Code
from deckgen.model.note import fenced
from deckgen.read.html import to_markdown
from deckgen.read.plain import page
from deckgen.read.plain.outputs import looks_like_value
from deckgen.read.plain.page import markdown_text
from deckgen.text.pattern import CLOZE, pattern, unescaped, untagged
from deckgen.text.syntax import parsed

LONGEST = 200_000
"""Characters of a field: more was not written by hand."""
_MARKUP = pattern(r"<[A-Za-z/!]|&(?:#\w+|[A-Za-z]\w*);")
_BREAK = pattern(r"<br\s*/?>|</?(?:div|p)\b[^>]{0,500}>", re.IGNORECASE)
_RICH = pattern(r"<(?:pre|table|ul|ol|h[1-6]|blockquote|dl)\b", re.IGNORECASE)
"""Markup that is more than lines of text."""
_HIGHLIGHTED = pattern(r"</?(?:table|tbody|tr|td)\b[^>]{0,200}>", re.IGNORECASE)
_MEDIA = pattern(r"\[sound:[^\]]{0,500}\]|\[anki:[^\]]{0,500}\]")
_FENCE = pattern(r"^```", re.MULTILINE)
_TAG = pattern(r"<[A-Za-z/!]")
_ANGLE = pattern(r"&lt;(?=[A-Za-z/!?])")
_LEADING = pattern(r"(^|\n|<br\s*/?>|<(?:div|p)\b[^>]{0,500}>)(#{1,6}\s|&gt;)", re.IGNORECASE)
_HELD = "\ue000"
"""In place of a `<` that is text."""
_ESCAPE = "\ue001"
"""In place of a backslash above a sign that is text."""
_CODE_OR_TEXT = pattern(r"(?s:(?<!`)(?P<fence>`{3,8})(?!`).*?(?<!`)(?P=fence)(?!`))|`[^`\n]+`|[^`]+|`")
_INLINE = pattern(
    r"\*+(?=\S)[^*\n]{1,500}\*+|(?<!\w)_+(?=[^\s_])[^\n]{0,500}?[^\s_]_+(?!\w)|<(?=[A-Za-z/!?])|~~(?=\S)"
    r"|!?\[(?=[^\]\n]{0,500}\]\()"
)
"""What Markdown reads within a line: emphasis, tags, strikes, links."""
_SIGN = pattern(r"[*<~\[]|(?<!\w)_|_(?!\w)")
_BLOCK = pattern(r"\s*(?:#{1,6}(?:\s|$)|>|(?:-[ -]*|=+|(?:\*[ *]*))$)")
"""A heading, a quote, a rule."""
_ITEM = pattern(r"\s*(?:[-+*]|\d{1,9}[.)])\s")
_FIRST_SIGN = pattern(r"(\s*\d*)([-#>=+*.)])")
_MARGIN = pattern(r"[ \t]{4,}")
_ASKS = pattern(r"[?？:：]\s*$")
_CALLED = pattern(r"print$|(?:torch|F|nn)\.\w")
_BARE_FENCE = pattern(r"^(?P<fence>`{3,})\n(?P<code>.*?)\n(?P=fence)$", re.DOTALL | re.MULTILINE)
_TORCH = frozenset({"torch", "nn", "F"})
_LONG_FENCE = pattern(r"^`{8}(\w*)$", re.MULTILINE)


def markdown_of(text: str) -> str:
    """The Markdown of a field."""
    text = _MEDIA.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))[:LONGEST]
    if "```" in text:  # Markdown, of which the editor made lines
        return plain_of(text)
    if not _MARKUP.search(text):
        return _with_fences(text.strip("\n").rstrip())
    text = _lines_as_code(_without_numbers(text))
    if not _RICH.search(text) and _FENCE.search(found := _with_fences(plain_of(text))):
        return found
    if not _TAG.search(_BREAK.sub("", text)):
        return re.sub(r"\n+", "\n\n", found)
    held = _ANGLE.sub(_HELD, _LEADING.sub(rf"\1{_ESCAPE}\2", text))
    markdown = "\n".join(to_markdown(held)[0]).strip("\n").rstrip()
    if "`" in untagged(text) and "<pre" not in text:  # typed as Markdown
        markdown = markdown.replace("\\`", "`")
    if markdown.count("```") == 2 * markdown.count("`" * 8):
        markdown = _LONG_FENCE.sub(r"```\1", markdown)
    shown = "".join(
        part.replace(_HELD, "<").replace(_ESCAPE, "") if is_code else part.replace(_HELD, "\\<").replace(_ESCAPE, "\\")
        for part, is_code in _parts(markdown)
    )
    return _BARE_FENCE.sub(_with_language, shown)


def _with_language(found: re.Match[str]) -> str:
    """A fence without a language, as `<pre>` makes it, with that of code of torch's: a lone `torch.ones(2) + 1` may be anything else."""
    code = found["code"]
    tree = None if looks_like_value(code) else parsed(code)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree else set()
    return found[0] if names.isdisjoint(_TORCH) else f"{found['fence']}python\n{code}\n{found['fence']}"


def plain_of(text: str) -> str:
    """The text that a field shows, line by line."""
    lines = _BREAK.sub("\n", text).replace("&nbsp;", " ")
    return re.sub(r"\n{3,}", "\n\n", unescaped(untagged(lines)).replace("\xa0", " ")).strip("\n").rstrip()


def _literal(text: str) -> str:
    """Lines of text as Markdown that shows them as they stand; what is in backticks is code all the same.

    Only what Markdown would read is escaped, so that values and names stay as others know them: `tensor([1, 2])`, `masked_fill_`.
    """
    escaped = "".join(part if is_code else _escaped(part) for part, is_code in _parts(text))
    if escaped != text and "`" not in text and looks_like_value(text):
        return f"`{text}`"
    lines = escaped.split("\n")
    items = [_ITEM.match(line) is not None for line in lines]
    listed = False
    for at, line in enumerate(lines):
        if _BLOCK.match(line) or (items[at] and sum(items) == 1):
            lines[at] = _FIRST_SIGN.sub(r"\1\\\2", line, count=1)
        if not listed:
            lines[at] = _MARGIN.sub("", lines[at])
        listed = listed or items[at]
    return "\n".join(lines)


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces of a text, and whether each is code."""
    return ((found[0], found[0].startswith("`") and len(found[0]) > 1) for found in _CODE_OR_TEXT.finditer(text))


def _escaped(text: str) -> str:
    return _INLINE.sub(lambda found: _SIGN.sub(r"\\\g<0>", found[0]), text)


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
        start = _code_below(lines)
        if start == len(lines):
            return _literal(text)
        above = _literal("\n".join(lines[:start]).rstrip("\n"))
        return f"{above}\n\n{fenced(chr(10).join(lines[start:]), 'python')}"
    made, done = [], 0
    for block in page.blocks_of(lines, markdown_text):
        if isinstance(block, Code) and block.language == "python":
            made += [_literal("\n".join(lines[done : block.span.start])), "", fenced(block.text, "python"), ""]
            done = block.span.stop
    return re.sub(r"\n{3,}", "\n\n", "\n".join((*made, _literal("\n".join(lines[done:]))))).strip("\n")


def _code_below(lines: Sequence[str]) -> int:
    """Where the code of the last lines begins, below a line that asks; their number if they are none."""
    start = next((at + 1 for at in range(len(lines) - 1, -1, -1) if _ASKS.search(lines[at])), len(lines))
    while start < len(lines) and not lines[start].strip():
        start += 1
    below = "\n".join(lines[start:])
    tree = None if "`" in below or CLOZE.search(below) else parsed(below)
    return start if tree and _are_code(tree.body) else len(lines)


def _are_code(statements: Sequence[ast.stmt]) -> bool:
    """True for statements of which one does something, and the others may: `(x * 3).backward()` below an assignment."""
    return any(map(_does, statements)) and all(map(_may_do, statements))


def _may_do(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call | ast.Attribute | ast.Subscript)
    return True


def _does(statement: ast.stmt) -> bool:
    """True for what is no prose: a call of `print` or of torch's, an import, an assignment. `view and clone` parses, too."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call) and _CALLED.match(ast.unparse(statement.value.func)) is not None
    return isinstance(statement, ast.Assign | ast.AugAssign | ast.Import | ast.ImportFrom)
