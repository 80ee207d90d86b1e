"""One line of code below the words that say what it does: a heading, a line with a colon, a comment."""

from __future__ import annotations

from collections.abc import Iterator

from deckgen.extract.blocks import lines_of
from deckgen.extract.labels import LEANS, Kind, labels
from deckgen.extract.notes.commented import SHELL, WORDS, Beside, call_of, is_call, is_program, shown_lines
from deckgen.extract.notes.entry import heading_names
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import is_chinese, plain, title, width, without_number
from deckgen.lexicon import prompt
from deckgen.model.document import Block, Code, Heading, Items, Prose
from deckgen.model.note import Basic, fenced
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern

_WRITTEN = pattern(r"(?P<words>[^`]+?)\s*(?:->|→|=>|:|：)\s*`(?P<code>[^`]+)`\W*")
_COMMENT = pattern(r"#+\s*(?P<words>\S.*?)\s*")
_ONLY_CODE = pattern(r"`([^`\n]+)`")
_LIBRARY = pattern(r"(?:torch|nn|F|optim|autograd)\.\w|\.\w+\(")
_IDLE = (
    Kind.CHORES,
    Kind.EXAMPLE,
    Kind.QUIZ,
    Kind.ROADMAP,
    Kind.SUMMARY,
    Kind.CONTENTS,
    Kind.SCORES,
    Kind.QUESTION,
    Kind.LEADS_ON,
)
"""Words that ask for no code, or are asked about already."""
_LONGEST = 80
"""Columns of words that are one task."""
_MOST_LINES = 2
"""Lines of code that are recalled as one."""


@collected
def titled(page: Page) -> Made:
    """A question of each heading, line with a colon and comment over one line of code: how it is written."""
    elsewhere = shown_lines(page)
    noted = {line for note in page.notes for line in range(note.span.start, note.span.stop)}
    for index, block in enumerate(page.document.blocks):
        for told in _told(page, index, block, noted):
            span = range(told.span.start, told.span.stop)
            if elsewhere.isdisjoint(span) and _asks(told.words, told.code):
                language = "zh" if is_chinese(told.words) else "en"
                body = Basic(prompt=prompt(language, "code", told.words), answer=fenced(told.code, "python"))
                yield page.note(body, told.span, told.block, told.words, rests_on=page.apis_on(told.span)), ()


def _told(page: Page, index: int, block: Block, noted: set[int]) -> Iterator[Beside]:
    """Words and the code that they ask for."""
    if page.chat:
        return
    if isinstance(block, Prose | Items):
        for line in lines_of(block, index) if "`" in getattr(block, "text", "`") else ():
            found = _WRITTEN.fullmatch(line.text.strip())
            if found and line.number not in noted:
                yield Beside(found["code"], _task(without_number(found["words"])), line_span(line.number), index)
    if not page.free(index):
        return
    code = _one_line(block)
    below = list(_below_words(page, index, block, code)) if code else []
    yield from below
    if isinstance(block, Code) and not below:
        yield from _below_comments(index, block)


def _below_words(page: Page, index: int, block: Block, code: str) -> Iterator[Beside]:
    """One line of code right below a heading or a line with a colon, unless it is the first of several."""
    above = page.document.blocks[index - 1] if index else None
    if any(map(_one_line, page.document.blocks[index + 1 : index + 2])):
        return
    if isinstance(above, Heading):
        yield Beside(code, _task(above.text), Span(above.span.start, block.span.stop), index - 1)
    elif isinstance(above, Prose) and page.free(index - 1) and (words := page.line_above(index)):
        yield Beside(code, _task(words), Span(above.span.stop - 1, block.span.stop), index - 1)


def _below_comments(index: int, block: Code) -> Iterator[Beside]:
    """A call of a library below one line of comment, between blank lines: `# the values alone` over `x.detach()`."""
    lines = block.text.split("\n")
    if is_program(lines) or block.language in SHELL or len(lines) > len(block.lines):
        return
    around = ["", *lines, ""]
    for at in range(len(lines) - 1):
        before, above, line, after = around[at : at + 4]
        found = _COMMENT.fullmatch(above)
        alone = not before.strip() and (not after.strip() or after.startswith("#"))
        if found and alone and line[:1].strip() and "#" not in line and _LIBRARY.search(line):
            yield Beside(line.strip(), _task(found["words"]), Span(block.lines[at], block.lines[at + 1] + 1), index)


def _task(words: str) -> str:
    return title(words).strip("*:： ")


def _one_line(block: Block) -> str:
    """The code of a fence of one line, or of two; of a paragraph that is one span of code."""
    if isinstance(block, Code) and block.language not in SHELL:
        code = block.text.strip()
        lines = [line for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]
        several = len(lines) > 1 and len(lines) < len(list(filter(str.strip, code.split("\n"))))  # each below a comment
        return code if 0 < len(lines) <= _MOST_LINES and "import" not in code and not several else ""
    found = _ONLY_CODE.fullmatch(block.text.strip()) if isinstance(block, Prose) else None
    return found[1].strip() if found else ""


def _asks(words: str, code: str) -> bool:
    """True for words that say what is done, over code that may do it."""
    said = plain(words)
    lines = (line.partition("#")[0].strip(" ;") for line in code.split("\n"))
    calls = [call_of(line) for line in lines if line]
    leans = labels(words).words.any_of(LEANS)
    asks = len(WORDS.findall(said)) > 1 and width(said) <= _LONGEST and not heading_names(words)[0]
    return asks and not leans and not labels(said).any_of(_IDLE) and bool(calls) and all(map(is_call, calls))
