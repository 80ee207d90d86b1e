"""What does this print? One note for a pasted output, one for each value or shape that a comment claims.

Code that prints nothing asks for the call that is worth recalling: the API that the heading names, hidden where the code calls it.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from deckgen.extract.blocks import text_of
from deckgen.extract.claims.code import is_print, prints_inside
from deckgen.extract.code.listing import CLAIMING, Excerpt, Listing, trimmed
from deckgen.extract.code.statements import (
    ACCIDENTS,
    FARTHEST,
    names_needed,
    needed,
    prints_by_magic,
    without_magic,
)  # fmt: skip
from deckgen.extract.key import code_anchor, code_key
from deckgen.extract.names.written import called
from deckgen.extract.notes.answer import behind_label
from deckgen.extract.notes.entry import heading_names
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import has_words, is_chinese, title, width
from deckgen.lexicon import prompt
from deckgen.model.claim import Claim, HasShape, Raises, Shows, Snippet
from deckgen.model.document import Code, Heading, Prose, Turn
from deckgen.model.document import Output as Stored
from deckgen.model.note import Asked, Cloze, Hole, Note, Output, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import needed_python, nodes, parsed
from deckgen.written.values import is_size

_EXPLAINS = pattern(r"^\W{0,4}«claim.explanation»\s*\**\s*[:：]\s*\**\s*")
_ADDRESS = pattern(r"\W*<[^<>]* at 0x[0-9a-fA-F]+>\W*")
_LONGEST = 60
"""Lines of code: nobody reads more on a card."""
_REMARK = 12
"""Columns of a remark behind a value that says why."""
_SHORT = 60
"""Characters of an expression that can stand in a question."""


@collected
def outputs(page: Page) -> Made:
    """Output notes of every snippet with claims, but for those on cards that their author wrote."""
    for index, snippet in page.code.items():
        claims = snippet.claims
        if index in page.cards:
            continue
        if not claims:
            if snippet.cell and prints_by_magic(snippet.code):
                stored = itertools.takewhile(lambda block: isinstance(block, Stored), page.blocks[index + 1 :])
                span = Span(snippet.span.start, max([snippet.span.stop, *(block.span.stop for block in stored)]))
                yield Skipped(span, "what a command for IPython or the shell prints"), ()
            continue
        span = Span(snippet.span.start, max(snippet.span.stop, *(claim.span.stop for claim in claims)))
        if snippet.options.skip:
            yield Skipped(snippet.span, f"claims waived: {snippet.options.skip}"), ()
        elif parsed(without_magic(snippet.code)) is None:
            newer = needed_python(snippet.code)
            yield Skipped(span, f"its code needs Python {newer}" if newer else "an output of what is no Python"), ()
        else:
            why = _explanation(page, index)
            explained = behind_label(_EXPLAINS.sub("", text_of(page.blocks[why]))) if why is not None else ""
            listing = Listing(snippet)
            made = [note for group in _groups(listing) if (note := _note(page, index, listing, group, explained))]
            taken = [index, index if why is None else why]
            yield from ((note, taken) for note in made)
            if not made:
                yield Skipped(span, _refusal(listing)), ()


def _refusal(listing: Listing) -> str:
    """Why none of the claims is worth a card."""
    claims = listing.snippet.claims
    if all(_ADDRESS.fullmatch(claim.text) for claim in claims):
        return "an object's address, which is another in each run"
    if any(isinstance(claim, Raises) and claim.exception in ACCIDENTS for claim in claims):
        return "an error that tells nothing of torch"
    if all(map(listing.is_in_function, claims)):
        return "printed by a function: what calls it prints is another question"
    return f"code of more than {_LONGEST} lines before its output"


def _explanation(page: Page, index: int) -> int | None:
    """The paragraph after a snippet (and its pasted output) that says why: `Why: ...`, `解析：...`."""
    for at in range(index + 1, min(index + 4, len(page.blocks))):
        block = page.blocks[at]
        if isinstance(block, Prose) and _EXPLAINS.match(block.text):
            return at
        if isinstance(block, Heading | Turn) or (isinstance(block, Code) and block.span in page.snippet_spans):
            break
    return None


def _groups(listing: Listing) -> Iterable[list[Claim]]:
    """Claims that are asked together: pasted lines after the same code, each comment alone."""
    groups: dict[tuple[int, str], list[Claim]] = {}
    before: Claim | None = None
    key = (0, "")
    for claim in listing.snippet.claims:
        alone = isinstance(claim, Shows | HasShape) or claim.place == "beside"
        goes_on = before is not None and before.code_line is claim.code_line is None and before.place == claim.place
        if before is None or alone or not (goes_on and before.span.stop == claim.span.start):
            key = (listing.last_line([claim]), claim.id if alone else "")
        groups.setdefault(key, []).append(claim)
        before = claim
    return groups.values()


def _note(page: Page, index: int, listing: Listing, group: Sequence[Claim], why: str) -> Note | None:
    claim, snippet = group[0], listing.snippet
    if isinstance(claim, Raises) and claim.exception in ACCIDENTS:
        return None
    if any(map(listing.is_in_function, group)) or all(_ADDRESS.fullmatch(one.text) for one in group):
        return None
    excerpt = listing.upto(listing.last_line(group), {one.code_line for one in group}, _LONGEST)
    if excerpt is None:
        return None
    before = _before(page, index, excerpt)
    output = "\n".join(map(_answer, group))
    language = page.document.language
    kind, target, asked = _question(language, listing, claim)
    assumed = prompt(language, "indentation") if snippet.candidates else ""
    body = Output(
        code=trimmed(f"{before}\n{excerpt.text}" if before else excerpt.text, target, output),
        claims=tuple(one.id for one in group),
        output=output,
        asked=kind,
        target=target,
        cell=snippet.cell,
        prompt=asked,
        explanation="\n\n".join(filter(None, (why or _remark(listing, group), assumed))),
        asks_shape=_asks_shape(language, listing, group),
    )
    start = snippet.lines[0] if snippet.lines else snippet.span.start
    span = Span(min(start, claim.span.start), max(group[-1].span.stop, start + 1))
    looked_at = f"{claim.target}.shape" if isinstance(claim, HasShape) else getattr(claim, "target", None) or ""
    key = code_key(page.path(index), excerpt.anchor, looked_at)
    return page.note(body, span, index, key, rests_on=body.claims)


def _remark(listing: Listing, group: Sequence[Claim]) -> str:
    """What a comment says behind the value that it claims: `# tensor([1, 2]), since both share their memory`."""
    claim = group[0]
    column = listing.columns.get(claim.code_line) if claim.code_line is not None else None
    if len(group) > 1 or column is None or claim.code_line is None or not claim.text or "\n" in claim.text:
        return ""
    _, claimed, rest = listing.lines[claim.code_line][column:].partition(claim.text)
    told = rest.lstrip(" \t,，.;；:：—–-→<=)）#").rstrip()
    told = told[1:-1] if told[:1] in "(（" and told[-1:] in ")）" else told
    spoken = claimed and has_words(told) and width(told) >= _REMARK and (" " in told or is_chinese(told))
    return told if spoken and not CLAIMING.search(told) and parsed(told) is None else ""


def _before(page: Page, index: int, excerpt: Excerpt) -> str:
    """What the code of a card needs of the code above it."""
    if excerpt.statements is None or not names_needed(excerpt.statements):
        return ""
    return needed(excerpt.statements, [page.code[at] for at in page.code_above(index, FARTHEST)])


# --- the question and its answer --------------------------------------------------------------------


def _question(language: str, listing: Listing, claim: Claim) -> tuple[Asked, str, str]:
    """What of the code is asked, the expression that it is asked of (empty = the last statement), and the words above the code."""
    match claim:
        case Raises(exception=exception) if exception.endswith("Warning"):
            return "warning", "", prompt(language, "warns")
        case Raises() if not _prints_errors(listing.snippet):
            return "exception", "", prompt(language, "raises")
        case HasShape(target=target):
            return "shape", target, prompt(language, "shape", target.removesuffix(".shape").removesuffix(".size()"))
        case Shows(target=str() as target):
            return "value", target, prompt(language, "value", target)
        case Shows(place="beside") if shown := _expression_beside(listing, claim):
            return "value", "", prompt(language, "value", shown)
        case _:
            return "output", "", prompt(language, "prints")


def _expression_beside(listing: Listing, claim: Shows) -> str:
    """The expression whose value a comment tells, if it is short and stands on one line."""
    line = listing.lines[claim.code_line]
    text = line[: listing.columns.get(claim.code_line, len(line))].strip()
    whole = listing.statement_end(claim.code_line) == claim.code_line
    return text if whole and len(text) <= _SHORT and "`" not in text and not listing.snippet.cell else ""


def _asks_shape(language: str, listing: Listing, group: Sequence[Claim]) -> str:
    """What to ask if numbers in brackets beside one short expression are its shape."""
    claim = group[0]
    if len(group) > 1 or isinstance(claim, HasShape | Raises) or not is_size(claim.text):
        return ""
    shown = getattr(claim, "target", None) or ""
    tree = parsed(listing.lines[claim.code_line].strip()) if claim.code_line is not None and not shown else None
    if tree and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
        value = tree.body[0].value
        printed = value.args if isinstance(value, ast.Call) and is_print(value) else [value]
        shown = ast.unparse(printed[0]) if len(printed) == 1 else ""
        shown = shown if len(shown) <= _SHORT else ""
    return prompt(language, "shape", shown) if shown and "`" not in shown else ""


def _prints_errors(snippet: Snippet) -> bool:
    """True if code catches what it raises, and prints that."""
    tree = parsed(snippet.code) if "except" in snippet.code else None
    return tree is not None and any(isinstance(one, ast.ExceptHandler) and prints_inside(one) for one in nodes(tree))


def _answer(claim: Claim) -> str:
    """What is claimed; of an error from its name on, since whose file and line it was is nothing to recall."""
    if not isinstance(claim, Raises) or not claim.exception:
        return claim.text
    if "\n" not in claim.text:
        return claim.text[max(claim.text.find(claim.exception), 0) :].rstrip(" !！.。")
    lines = claim.text.split("\n")
    name = rf"(?:\w+\.)*{re.escape(claim.exception)}\b"
    at = next((at for at in range(len(lines) - 1, 0, -1) if re.match(name, lines[at])), 0)
    return "\n".join(lines[at:]).rstrip()


_FITTING = 12
"""Lines of code that fit on a card beside a gap."""
_MOST_HOLES = 3
"""Holes of a note."""


@collected
def code_gaps(page: Page) -> Made:
    """A cloze of every short snippet that calls what its headings name and that no other note shows."""
    for index, snippet in page.code.items():
        code = snippet.code.strip("\n")
        path = page.path(index)
        names = (name for heading in path[-2:] for name in heading_names(title(heading))[0])
        wanted = {called(name.partition("(")[0]) for name in names}
        if not wanted or not page.free(index) or snippet.options.skip or code.count("\n") >= _FITTING:
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
        if name in numbers or len(numbers) < _MOST_HOLES:
            yield Hole(numbers.setdefault(name, len(numbers) + 1), start, stop)
