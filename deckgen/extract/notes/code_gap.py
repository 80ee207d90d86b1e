"""Code whose essential call is worth recalling: the API that the heading names, hidden where the code calls it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deckgen.extract.key import code_anchor, code_key
from deckgen.extract.names.written import called
from deckgen.extract.notes.entry import heading_names
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.prompts import prompt
from deckgen.extract.text import title
from deckgen.model.note import Cloze, Hole
from deckgen.model.source import Span
from deckgen.text.syntax import nodes, parsed

_LONGEST = 12
"""Lines of code that fit on a card beside a gap."""
_MOST = 3
"""Holes of a note."""


@collected
def code_gaps(page: Page) -> Made:
    """A cloze of every short snippet that calls what its headings name and that no other note shows."""
    for index, snippet in page.code.items():
        code = snippet.code.strip("\n")
        path = page.path(index)
        names = (name for heading in path[-2:] for name in heading_names(title(heading))[0])
        wanted = {called(name.partition("(")[0]) for name in names}
        if not wanted or not page.free(index) or snippet.options.skip or code.count("\n") >= _LONGEST:
            continue
        if holes := tuple(_holes(code, wanted)):
            language = page.document.language
            assumed = prompt(language, "indentation") if snippet.candidates else ""
            asked = prompt(language, "fill")
            body = Cloze(text=code, holes=holes, language="python", prompt=asked, explanation=assumed)
            span = Span(snippet.lines[0], snippet.lines[-1] + 1) if snippet.lines else snippet.span
            ids = tuple(claim.id for claim in snippet.claims)
            yield page.note(body, span, index, code_key(path, code_anchor(code)), rests_on=ids), [index]


def _holes(code: str, wanted: set[str]) -> Iterator[Hole]:
    """The names of the calls, in order; one card for one name, wherever it stands."""
    lines = code.split("\n")
    places: list[tuple[int, int]] = []
    for node in nodes(parsed(code) or ast.Module([], [])):
        function = node.func if isinstance(node, ast.Call) else None
        if not isinstance(function, ast.Attribute | ast.Name):
            continue
        name = function.attr if isinstance(function, ast.Attribute) else function.id
        line, column = function.end_lineno or 0, function.end_col_offset or 0
        above = sum(len(one) + 1 for one in lines[: line - 1])
        stop = above + len(lines[line - 1].encode()[:column].decode())  # ast counts columns in bytes of UTF-8
        if name in wanted and code[stop - len(name) : stop] == name:
            places.append((stop - len(name), stop))
    numbers: dict[str, int] = {}
    for start, stop in sorted(places):
        name = code[start:stop]
        if name in numbers or len(numbers) < _MOST:
            yield Hole(numbers.setdefault(name, len(numbers) + 1), start, stop)
