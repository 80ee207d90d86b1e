"""Code whose essential call is worth recalling: the API that the heading names, hidden where the code calls it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deckgen.extract.key import code_anchor, code_key
from deckgen.extract.names.written import called
from deckgen.extract.notes.entry import heading_names
from deckgen.extract.page import Finds, Page
from deckgen.extract.text import title
from deckgen.extract.wording import prompt
from deckgen.model.claim import Snippet
from deckgen.model.note import Cloze, Hole, Note
from deckgen.model.source import Span
from deckgen.text.syntax import nodes, parsed

_LONGEST = 12
"""Lines of code that fit on a card beside a gap."""
_MOST = 3
"""Holes of a note."""


def code_gaps(page: Page) -> Finds:
    """A cloze of every short snippet that calls what its headings name and that no other note shows."""
    notes: list[Note] = []
    used: set[int] = set()
    for index, snippet in page.code.items():
        if not page.free(index) or snippet.options.skip:
            continue
        note = _note(page, index, snippet)
        if note:
            notes.append(note)
            used.add(index)
    return Finds(tuple(notes), (), frozenset(used))


def _note(page: Page, index: int, snippet: Snippet) -> Note | None:
    code = snippet.code.strip("\n")
    path = page.path(index)
    wanted = {called(name.partition("(")[0]) for heading in path[-2:] for name in heading_names(title(heading))[0]}
    if not wanted or len(code.split("\n")) > _LONGEST:
        return None
    holes = tuple(_holes(code, wanted))
    if not holes:
        return None
    language = page.document.language
    assumed = prompt(language, "indentation") if snippet.candidates else ""
    body = Cloze(text=code, holes=holes, language="python", prompt=prompt(language, "fill"), explanation=assumed)
    span = Span(snippet.lines[0], snippet.lines[-1] + 1) if snippet.lines else snippet.span
    ids = tuple(claim.id for claim in snippet.claims)
    return page.note(body, span, index, code_key(path, code_anchor(code)), rests_on=ids)


def _holes(code: str, wanted: set[str]) -> Iterator[Hole]:
    """The names of the calls, in order; one card for one name, wherever it stands."""
    tree = parsed(code)
    if tree is None:
        return
    numbers: dict[str, int] = {}
    places = sorted(_places(code, tree, wanted))
    for start, stop in places:
        name = code[start:stop]
        if name not in numbers and len(numbers) == _MOST:
            continue
        yield Hole(numbers.setdefault(name, len(numbers) + 1), start, stop)


def _places(code: str, tree: ast.AST, wanted: set[str]) -> Iterator[tuple[int, int]]:
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines = code.split("\n")
    for node in nodes(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name not in wanted or function.end_lineno is None or function.end_col_offset is None:
            continue
        # ast counts columns in bytes of UTF-8
        encoded = lines[function.end_lineno - 1].encode()
        stop = starts[function.end_lineno - 1] + len(encoded[: function.end_col_offset].decode())
        if code[stop - len(name) : stop] == name:
            yield stop - len(name), stop
