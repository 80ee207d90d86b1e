"""What a card about an output asks, and what of a claim is its answer."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from deckgen.extract.claims.reading import is_print, prints_inside
from deckgen.extract.page import Page
from deckgen.extract.prompts import prompt
from deckgen.extract.shown.listing import Listing
from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.note import Asked
from deckgen.text.syntax import nodes, parsed
from deckgen.written.values import is_size

_SHORT = 60
"""Characters of an expression that can stand in a question."""


def prompt_of(page: Page, listing: Listing, claim: Claim) -> str:
    """The words above the code."""
    language = page.document.language
    match claim:
        case Raises(exception=exception) if exception.endswith("Warning"):
            return prompt(language, "warns")
        case HasShape():
            return prompt(language, "shape", claim.target.removesuffix(".shape").removesuffix(".size()"))
        case Shows(target=str() as target):
            return prompt(language, "value", target)
        case Shows(form=form) if form.startswith("trailing") and (value := _line_of(listing, claim)):
            return prompt(language, "value", value)
        case Raises():
            return prompt(language, "prints" if _tells_of_errors(listing.snippet) else "raises")
        case Prints() | Shows():
            return prompt(language, "prints")


def question_of(listing: Listing, claim: Claim) -> tuple[Asked, str]:
    """What of the code is asked, and the expression that it is asked of; empty = the last statement."""
    match claim:
        case Raises(exception=exception) if exception.endswith("Warning"):
            return "warning", ""
        case Raises():
            return ("output" if _tells_of_errors(listing.snippet) else "exception"), ""
        case HasShape(target=target):
            return "shape", target
        case Shows(target=str() as target):
            return "value", target
        case Shows(form=form) if form.startswith("trailing") and _line_of(listing, claim):
            return "value", ""
        case Prints() | Shows():
            return "output", ""


def asked_of(claim: Claim) -> str:
    """What of the code a claim is about, as far as a key tells it; empty for what is printed."""
    match claim:
        case HasShape():
            return f"{claim.target}.shape"
        case Shows():
            return claim.target or ""
        case _:
            return ""


def asks_shape(page: Page, listing: Listing, group: Sequence[Claim]) -> str:
    """What to ask if numbers in brackets beside an expression are its shape."""
    claim = group[0]
    if len(group) > 1 or not isinstance(claim, Prints | Shows) or not is_size(claim.text):
        return ""
    shown = getattr(claim, "target", None) or _expression(listing, claim.code_line)
    return prompt(page.document.language, "shape", shown) if shown and "`" not in shown else ""


def _expression(listing: Listing, line: int | None) -> str:
    """What the statement on a line shows or prints, if it is one short expression."""
    tree = parsed(listing.lines[line].strip()) if line is not None else None
    value = tree.body[0].value if tree and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) else None
    if isinstance(value, ast.Call) and is_print(value):
        value = value.args[0] if len(value.args) == 1 else None
    text = ast.unparse(value) if value is not None else ""
    return text if len(text) <= _SHORT else ""


def _line_of(listing: Listing, claim: Shows) -> str:
    """The expression whose value a comment tells, if it is short and stands on one line."""
    line = listing.lines[claim.code_line]
    text = line[: listing.columns.get(claim.code_line, len(line))].strip()
    whole = listing.statement_end(claim.code_line) == claim.code_line
    return text if whole and len(text) <= _SHORT and "`" not in text and not listing.snippet.cell else ""


def _tells_of_errors(snippet: Snippet) -> bool:
    """True if code catches what it raises, and prints that."""
    tree = parsed(snippet.code) if "except" in snippet.code else None
    return tree is not None and any(isinstance(one, ast.ExceptHandler) and prints_inside(one) for one in nodes(tree))


def answer_of(claim: Claim) -> str:
    """What is claimed, of an error from its name on: `❌ raises TypeError!`."""
    if not isinstance(claim, Raises) or not claim.exception:
        return claim.text
    if "\n" in claim.text:
        return _without_frames(claim.text, claim.exception)
    told = claim.text[claim.text.find(claim.exception) :] if claim.exception in claim.text else claim.text
    return told.rstrip(" !！.。")


def _without_frames(text: str, exception: str) -> str:
    """What a traceback ends in: whose file and line it was is nothing to recall."""
    lines = text.split("\n")
    name = rf"(?:\w+\.)*{re.escape(exception)}\b"
    at = next((at for at in range(len(lines) - 1, 0, -1) if re.match(name, lines[at])), 0)
    return "\n".join(lines[at:]).rstrip()
