"""What an author is told: why a block gave no note, which cards are too big, and which fences nobody closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckgen.extract import wording
from deckgen.extract.blocks import texts_of
from deckgen.extract.claims.pasted import REPR
from deckgen.extract.page import Page
from deckgen.extract.text import has_words, plain, width
from deckgen.model.claim import Snippet
from deckgen.model.document import (
    Block,
    Code,
    Details,
    Directive,
    Document,
    Heading,
    Image,
    Items,
    Output,
    Prose,
    Quote,
    Refused,
    Remark,
    Table,
    Turn,
)
from deckgen.model.note import Cloze, Note, Skipped, back
from deckgen.model.note import Output as OutputBody
from deckgen.text.pattern import CLOZE, pattern
from deckgen.text.syntax import parsed

LINES = 12
"""Lines of a back that can still be recalled as one thing."""
COLUMNS = 72
"""Columns of code that fit on a phone; Chinese characters take two."""

_SHELL = frozenset({"bash", "sh", "shell", "console", "zsh", "powershell", "cmd"})
_LINK = pattern(r"https?://|\]\(")
_COMMAND = pattern(r"\s*(?:[!%]|#[^\n]*\n\s*[!%])")
"""Of IPython: `!pip list`, `%ls`."""


def left_over(page: Page, notes: Sequence[Note], skipped: Sequence[Skipped]) -> Iterator[Skipped]:
    """The blocks that no note was made from and that have no reason yet; headings, turns and directives need none."""
    spans = {*(place.span for note in notes for place in note.places), *(skip.span for skip in skipped)}
    lines = {line for span in spans for line in range(span.start, max(span.stop, span.start + 1))}
    pupil = False
    for index, block in enumerate(page.blocks):
        pupil = block.speaker == "pupil" if isinstance(block, Turn) else pupil
        if isinstance(block, Turn | Heading | Directive) or not page.free(index):
            continue
        some_left = isinstance(block, Items) and block is not page.document.blocks[index]
        parts = [item.span for item in block.items] if isinstance(block, Items) and some_left else [block.span]
        unexplained = [span for span in parts if lines.isdisjoint(range(span.start, span.stop))]
        reason = ("what the pupil says" if pupil else _reason(page, index, block)) if unexplained else ""
        if reason and not (isinstance(block, Prose) and not has_words(block.text)):
            yield from (Skipped(span, reason) for span in unexplained)


_REASONS: dict[type, str] = {
    Items: "a list that defines and states nothing by itself",
    Table: "a table without facts",
    Details: "hidden text that answers no question",
    Image: "a picture by itself",
}


def _reason(page: Page, index: int, block: Block) -> str:
    if any(map(CLOZE.search, texts_of(block))):
        return "a text that shows how a cloze is written"
    match block:
        case Prose():
            return _of_prose(page, plain(block.text).rstrip())
        case Code() if block.language in _SHELL:
            return "shell commands"
        case Code():
            known = index in page.code
            return "code without a claimed output" if known else "not Python: a drawing, a template or text in a fence"
        case Output():
            return _of_output(page, index)
        case Quote():
            return "a list of references" if _LINK.search(block.text) else "a remark in a quote"
        case Refused():
            return block.reason
        case _:
            return _REASONS.get(type(block), "")


def _of_output(page: Page, index: int) -> str:
    """Nothing for an output below code about which it claims something: of the code it is said what became of that."""
    above = index - 1
    while above > 0 and isinstance(page.blocks[above], Output | Image):
        above -= 1
    code = page.blocks[above] if above >= 0 else None
    if page.claims_about(above):
        return ""
    if not isinstance(code, Code):
        return "output without code that could have made it"
    if above in page.code and not _COMMAND.match(code.text):
        return "output that tells nothing of torch: progress, timings, a picture"
    return "what a command for IPython or the shell prints"


def _of_prose(page: Page, words: str) -> str:
    if page.chat and (wording.CHATTER.search(words) or (width(words) <= COLUMNS and wording.PRAISE.search(words))):
        return "conversation"
    if words.endswith((":", "：")) and "\n" not in words:
        return "a line that leads on to what follows"
    return "running text: it asks, defines and claims nothing that can be recalled"


def failed_includes(document: Document) -> Iterator[Remark]:
    """An error for each fence that stands for code of a file, and cannot be filled with it."""
    for block in document.blocks:
        if isinstance(block, Refused) and block.is_error:
            yield Remark(block.span, block.reason, is_error=True)


def oversized(notes: Sequence[Note]) -> Iterator[Remark]:
    """A remark on each note whose back is long or whose code is wide: it is carded, but worth splitting."""
    for note in notes:
        length = sum(1 for line in back(note).split("\n") if line.strip())
        wide = max(map(width, _code(note).split("\n")))
        if length > LINES:
            text = f"its back has {length} lines: more than {LINES} are hard to recall"
            yield Remark(note.span, text, is_minor=True)
        if wide > COLUMNS:
            text = f"its code is {wide} columns wide: more than {COLUMNS} do not fit"
            yield Remark(note.span, text, is_minor=True)


def _code(note: Note) -> str:
    match note.body:
        case OutputBody():
            return note.body.code
        case Cloze(language=str() as language) if language:
            return note.body.text
        case _:
            return getattr(note.body, "example", "")


_FENCE = pattern(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_TEXT = pattern(r"\n[ \t]*\n(?:#{1,6} \S|[-*+] \S|\|.*\||[A-Z][a-z]* [a-z]+ |[\u3400-\u9fff])")
"""What stands below an empty line and is no Python."""
_QUOTING = frozenset({"markdown", "md", "text", "txt", "plain", "console"})
"""Languages in which fences are quoted."""
_REMEDY = "write ``` below the code that it holds"


def unclosed_fences(document: Document) -> Iterator[Remark]:
    """A remark on each fence that goes on into the next one (CommonMark closes it with that one's end), or to the end of
    the source with text in it.
    """
    for block in () if document.places else document.blocks:
        if not isinstance(block, Code) or block.language in _QUOTING or block.origin:
            continue
        lines = document.source.lines[block.span.start : block.span.stop]
        opened = _FENCE.fullmatch(lines[0]) if lines else None
        if opened is None:
            continue
        fence = opened["fence"]
        below = [
            (at, found)
            for at, line in enumerate(lines[1:], 1)
            if fence[:3] in line and (found := _FENCE.fullmatch(line))
        ]
        within = next(
            (at for at, found in below if found["fence"].startswith(fence) and found["info"].strip().isidentifier()), 0
        )
        closed = bool(below) and below[-1][0] == len(lines) - 1 and below[-1][1]["fence"].startswith(fence)
        if within:
            line = block.span.start + within + 1
            text = f"this fence is not closed above line {line}, where the next one begins; {_REMEDY}"
            yield Remark(block.span, text)
        elif not closed and _TEXT.search(block.text) and parsed(block.text) is None:
            yield Remark(block.span, f"this fence is never closed: all that stands below it is read as code; {_REMEDY}")


def unread_values(snippets: Sequence[Snippet]) -> Iterator[Remark]:
    """A remark on code that is no Python because of values between its lines, of which it cannot be told what shows them."""
    for snippet in snippets:
        values = map(REPR.match, snippet.code.split("\n"))
        read = any(claim.place != "unparsed" for claim in snippet.claims)
        if not read and any(values) and parsed(snippet.code) is None:
            text = "values stand between the lines of this code, and it cannot be told what shows them; write them behind `# `"
            yield Remark(snippet.span, text)
