"""What does this print? One note for a pasted output, one for each value or shape that a comment claims."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Sequence

from deckgen.extract.claims.code import is_print, prints_inside
from deckgen.extract.code.listing import Excerpt, Listing, trimmed
from deckgen.extract.code.statements import (
    ACCIDENTS,
    FARTHEST,
    names_needed,
    needed,
    prints_by_magic,
    without_magic,
)  # fmt: skip
from deckgen.extract.key import code_key
from deckgen.extract.page import Finds, Page
from deckgen.extract.prompts import prompt
from deckgen.model.claim import Claim, HasShape, Raises, Shows, Snippet
from deckgen.model.document import Code, Heading, Prose, Turn
from deckgen.model.document import Output as Stored
from deckgen.model.note import Asked, Note, Output, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import needed_python, nodes, parsed
from deckgen.written.values import is_size

_EXPLAINS = pattern(r"^\W{0,4}«claim.explanation»\s*\**\s*[:：]\s*\**\s*")
_ADDRESS = pattern(r"\W*<[^<>]* at 0x[0-9a-fA-F]+>\W*")
_LONGEST = 60
"""Lines of code: nobody reads more on a card."""
_SHORT = 60
"""Characters of an expression that can stand in a question."""


def outputs(page: Page) -> Finds:
    """Output notes of every snippet with claims."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    for index, snippet in page.code.items():
        claims = snippet.claims
        if not claims:
            if snippet.cell and prints_by_magic(snippet.code):
                stored = itertools.takewhile(lambda block: isinstance(block, Stored), page.blocks[index + 1 :])
                span = Span(snippet.span.start, max([snippet.span.stop, *(block.span.stop for block in stored)]))
                skipped.append(Skipped(span, "what a command for IPython or the shell prints"))
            continue
        span = Span(snippet.span.start, max(snippet.span.stop, *(claim.span.stop for claim in claims)))
        if snippet.options.skip:
            skipped.append(Skipped(snippet.span, f"claims waived: {snippet.options.skip}"))
        elif parsed(without_magic(snippet.code)) is None:
            newer = needed_python(snippet.code)
            skipped.append(
                Skipped(span, f"its code needs Python {newer}" if newer else "an output of what is no Python")
            )
        else:
            why = _explanation(page, index)
            block = page.blocks[why] if why is not None else None
            told = _EXPLAINS.sub("", block.text, count=1) if isinstance(block, Prose) else ""
            listing = Listing(snippet)
            made = [note for group in _groups(listing) if (note := _note(page, index, listing, group, told))]
            notes += made
            used.update({index, index if why is None else why} if made else ())
            skipped += [] if made else [Skipped(span, _refusal(listing))]
    return Finds(tuple(notes), tuple(skipped), frozenset(used))


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
        match page.blocks[at]:
            case Prose(text=text) if _EXPLAINS.match(text):
                return at
            case Heading() | Turn():
                return None
            case Code(span=span) if span in page.snippet_spans:
                return None
            case _:
                continue
    return None


def _groups(listing: Listing) -> list[list[Claim]]:
    """Claims that are asked together: pasted lines after the same code, each comment alone."""
    pasted: dict[int, list[Claim]] = {}
    groups: list[list[Claim]] = []
    for claim in listing.snippet.claims:
        if isinstance(claim, Shows | HasShape) or claim.place == "beside":
            groups.append([claim])
            continue
        last = listing.last_line([claim])
        if last not in pasted:
            pasted[last] = []
            groups.append(pasted[last])
        pasted[last].append(claim)
    return groups


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
    kind, target, asked = _question(page.document.language, listing, claim)
    assumed = [prompt(page.document.language, "indentation")] if snippet.candidates else []
    body = Output(
        code=trimmed(f"{before}\n{excerpt.text}" if before else excerpt.text, target, output),
        claims=tuple(one.id for one in group),
        output=output,
        asked=kind,
        target=target,
        cell=snippet.cell,
        prompt=asked,
        explanation="\n\n".join([*([why] if why else []), *assumed]),
        asks_shape=_asks_shape(page.document.language, listing, group),
    )
    start = snippet.lines[0] if snippet.lines else snippet.span.start
    span = Span(min(start, claim.span.start), max(group[-1].span.stop, start + 1))
    looked_at = f"{claim.target}.shape" if isinstance(claim, HasShape) else getattr(claim, "target", None) or ""
    key = code_key(page.path(index), excerpt.anchor, looked_at)
    return page.note(body, span, index, key, rests_on=body.claims)


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
    """What to ask if numbers in brackets beside an expression are its shape."""
    claim = group[0]
    if len(group) > 1 or isinstance(claim, HasShape | Raises) or not is_size(claim.text):
        return ""
    shown = getattr(claim, "target", None) or _expression_on(listing, claim.code_line)
    return prompt(language, "shape", shown) if shown and "`" not in shown else ""


def _expression_on(listing: Listing, line: int | None) -> str:
    """What the statement on a line shows or prints, if it is one short expression."""
    tree = parsed(listing.lines[line].strip()) if line is not None else None
    value = tree.body[0].value if tree and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) else None
    if isinstance(value, ast.Call) and is_print(value):
        value = value.args[0] if len(value.args) == 1 else None
    text = ast.unparse(value) if value is not None else ""
    return text if len(text) <= _SHORT else ""


def _prints_errors(snippet: Snippet) -> bool:
    """True if code catches what it raises, and prints that."""
    tree = parsed(snippet.code) if "except" in snippet.code else None
    return tree is not None and any(isinstance(one, ast.ExceptHandler) and prints_inside(one) for one in nodes(tree))


def _answer(claim: Claim) -> str:
    """What is claimed; of an error from its name on, since whose file and line it was is nothing to recall."""
    if not isinstance(claim, Raises) or not claim.exception:
        return claim.text
    lines = claim.text.split("\n")
    if len(lines) == 1:
        return claim.text[max(claim.text.find(claim.exception), 0) :].rstrip(" !！.。")
    name = rf"(?:\w+\.)*{re.escape(claim.exception)}\b"
    at = next((at for at in range(len(lines) - 1, 0, -1) if re.match(name, lines[at])), 0)
    return "\n".join(lines[at:]).rstrip()
