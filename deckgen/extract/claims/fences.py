"""Output in a fence or an indented block of its own."""

from __future__ import annotations

import ast

from deckgen.extract.claims.cut import certainly_code, looks_like_code
from deckgen.extract.claims.pasted import STDERR, TIMED, raised
from deckgen.extract.claims.reading import prints_inside, template
from deckgen.extract.claims.reply import (
    FORM,
    OUTPUT_LANGUAGES,
    PLAIN,
    PYTHON,
    REPLY,
    TRACEBACK,
    Reply,
    code_before,
    failure_expected,
    labelled_above,
)
from deckgen.extract.claims.trailing_print import fills
from deckgen.extract.claims.words import only_values
from deckgen.model.document import Code, Directive, Document, Image, Prose, Quote
from deckgen.text.syntax import parsed
from deckgen.written.lines import paragraphs


def fence(document: Document, index: int, block: Code, found: dict[int, Reply]) -> Reply | None:
    """The reply that a fence is, if it shows output; `found` are the replies above it."""
    if (block.language in PYTHON and not _only_values(block.text)) or (
        block.language in PLAIN and certainly_code(block.text)
    ):
        return None
    failed = (TRACEBACK in block.text or _says_failure(block.text)) and failure_expected(document, index)
    labelled = failed or labelled_above(document, index)
    direct = code_before(
        document, index, found, through=(Directive, Image, Prose, Quote) if labelled else (Directive, Image)
    )
    printed = bool(labelled and direct and not block.language and _starts_as_printed(block.text, direct))
    if block.language not in OUTPUT_LANGUAGES and not printed and looks_like_code(block.text):
        return None
    if not labelled and not _belongs(document, index, block, direct, found):
        return None
    texts = tuple(block.text.split("\n"))
    texts = (REPLY.sub("", texts[0], count=1), *texts[1:])
    return Reply(index, texts, block.lines, "any", FORM, labelled)


def _belongs(document: Document, index: int, block: Code, direct: Code | None, found: dict[int, Reply]) -> bool:
    """True if a fence that nothing announces shows what the code above it writes."""
    if direct is not None:
        return block.language in OUTPUT_LANGUAGES or _shows(block.text, direct)
    near = code_before(document, index, found, through=(Directive, Image, Prose))
    return near is not None and _quotes_print(_first(block.text), near)


def _only_values(text: str) -> bool:
    return not looks_like_code(text) and only_values([line for line in text.split("\n") if not TIMED.match(line)])


def _shows(text: str, code: Code) -> bool:
    """True if a fence holds values, warnings or progress bars, or starts with what the code above prints."""
    if _only_values(text) or TRACEBACK in text or _says_failure(text):
        return True
    return STDERR.match(_first(text)) is not None or _starts_as_printed(text, code)


def _first(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")


def _starts_as_printed(text: str, code: Code) -> bool:
    """True if the first line is what a print of the code writes, whatever its objects are, or all lines are that or values."""
    first = _first(text)
    if _quotes_print(first, code) or any(fills(first, call) for call in _prints(code)):
        return True
    lines = text.split("\n")
    patterns = [found for call in _prints(code) if (found := template(call, bare=True))]
    parts = ["\n".join(lines[start:stop]) for start, stop in paragraphs(lines)]
    fit = [any(one.matches(part) for one in patterns) for part in parts]
    return any(fit) and all(ok or only_values([part]) for ok, part in zip(fit, parts, strict=True))


def _quotes_print(line: str, code: Code) -> bool:
    """True if a line has the words that a print of the code writes, where it writes them."""
    return any(pattern.matches(line) for call in _prints(code) if (pattern := template(call)))


def _prints(code: Code) -> list[ast.Call]:
    tree = parsed(code.text)
    return [call for node in tree.body for call in prints_inside(node)] if tree else []


def _says_failure(text: str) -> bool:
    """True for text that is nothing but an exception and its message."""
    lines = text.strip().split("\n")
    return raised(lines[0]) is not None and all(line[:1].isspace() or not line for line in lines[1:])
