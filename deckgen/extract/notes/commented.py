"""Code with a comment that says what it does: `x.view(a, b)  # reshapes x`.

Each line is looked at by itself: a fence of a cheat sheet need not be Python, and a line without a comment tells nothing of the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract.blocks import lines_of
from deckgen.extract.labels import Kind, labels
from deckgen.extract.names.written import api_names, called, is_written_name
from deckgen.extract.notes.entry import DATA_MAKERS
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import is_chinese, width, without_number
from deckgen.extract.worth.prose import breaks_off
from deckgen.lexicon import prompt
from deckgen.model.document import Block, Code, Items, Prose
from deckgen.model.note import Api, Basic, Body, Cloze, Output
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import HAN, pattern
from deckgen.written.values import value_prefix

_COMMENTED = pattern(r"(?P<code>[^\s#](?:[^#'\"]|'[^'\n]*'|\"[^\"\n]*\")*?)(?P<gap>\s*)#+\s*(?P<words>[^\s#].*)")
_GOES_ON = pattern(r"(?P<gap>\s+)#+\s*(?P<words>\S.*)")
_TOLD = pattern(
    r"\W*`(?P<code>[^`\n]+)`\s*(?:#|→|->|=>)\s*(?P<words>\S.*)|(?P<bare>[^\s`#](?:[^#`'\"]|'[^'\n]*'|\"[^\"\n]*\")*?)\s+#\s+(?P<told>\S.*)"
)
"""Outside a fence, where `#` between blanks or an arrow behind code in marks says what it gives."""
_MADE = pattern(r"(?:[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*)\s*=(?!=)\s*(?P<call>\S.*)")
_CODE = pattern(
    r"[A-Za-z_@][\w.\[\]|/]*\s*[(.\[].*|[A-Za-z_]\w*\s*(?:[-+*/@%<>&|^]|==|\*\*)\s*\S.*|[A-Za-z_]\w*=\S+|with\s.*|@\w+|[A-Z][A-Za-z\d]*[a-z][A-Za-z\d]*"
)
"""A call, an attribute, an index, an operation, a setting of a parameter, a class."""
_NO_CODE = pattern(
    r"(?:print|def|class|import|from|return|for|while|if|elif|else|try|except|assert|raise|plt|self|pass|break)\b"
)
_IDLE = pattern(r"\W*(?:todo|fixme|noqa|type:|pylint|pragma|fmt:|«claim.comment_label»)|.*(?:\?|？|:|：)$", 2)
WORDS = pattern(rf"[A-Za-z]{{2,}}|[{HAN}]")
SHELL = frozenset(
    {"bash", "sh", "shell", "console", "zsh", "powershell", "cmd", "bat", "dockerfile", "yaml", "toml", "json", "text"}
)
_LONGEST = 80
"""Columns of code that a question has room for."""
_LONGEST_WORDS = 160
_MOST = 30
"""Lines of a fence that shows calls; in a longer one comments tell a program."""


class Beside(NamedTuple):
    """Code and what its author says of it."""

    code: str
    words: str
    span: Span
    block: int


@collected
def commented(page: Page) -> Made:
    """A note of each line of code with a comment that says what it does."""
    elsewhere = shown_lines(page)
    asked = {_tight(note.body.signature) for note in page.notes if isinstance(note.body, Api)}
    seen: set[tuple[str, ...]] = set()
    for told in (one for index, block in enumerate(page.document.blocks) for one in _lines(page, index, block)):
        code = call_of(told.code)
        same = (*page.path(told.block), _tight(code))
        if told.span.start in elsewhere or same in seen or _tight(code) in asked or not _is_told(code, told.words):
            continue
        seen.add(same)
        yield page.note(_body(code, told.words), told.span, told.block, code, rests_on=page.apis_on(told.span)), ()


def call_of(code: str) -> str:
    """What is called, without the variable that it is bound to: `x.t()` of `y = x.t()`."""
    made = _MADE.fullmatch(code)
    return made["call"] if made and _CODE.fullmatch(made["call"]) else code


def _tight(code: str) -> str:
    return "".join(code.split())


def shown_lines(page: Page) -> set[int]:
    """The lines of code that other notes ask about, or whose comments are values."""
    spans = [note.span for note in page.notes if isinstance(note.body, Output | Cloze)]
    spans += [claim.span for snippet in page.snippets for claim in snippet.claims]
    return {line for span in spans for line in range(span.start, span.stop)}


def _lines(page: Page, index: int, block: Block) -> Iterator[Beside]:
    snippet = page.code.get(index)
    if isinstance(block, Code) and block.language not in SHELL and not (snippet and snippet.options.skip):
        yield from _of_fence(block, index)
    elif isinstance(block, Prose | Items) and not page.chat:
        for line in lines_of(block, index):
            found = _TOLD.fullmatch(without_number(line.text.strip()))
            if found and (code := (found["code"] or found["bare"]).strip()):
                yield Beside(code, found["words"] or found["told"], line_span(line.number), index)


def _of_fence(block: Code, index: int) -> Iterator[Beside]:
    """The commented lines at the left edge of a fence, each with the lines on which its comment goes on."""
    lines = block.text.split("\n")
    if is_program(lines):
        return
    edge = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    for at, line in enumerate(lines):
        found = _COMMENTED.fullmatch(line[edge:].rstrip())
        if found is None:
            continue
        words, column = found["words"], edge + found.end("gap")
        below = at + 1
        while below < len(lines) and (more := _GOES_ON.fullmatch(lines[below].rstrip())) and more.end("gap") == column:
            words, below = f"{words} {more['words']}", below + 1
        if below <= len(block.lines):
            yield Beside(found["code"].strip(), words.strip(), Span(block.lines[at], block.lines[below - 1] + 1), index)


def is_program(lines: Sequence[str]) -> bool:
    """True for more lines than show calls, most of them without a comment."""
    return sum(bool(line.strip()) for line in lines) > _MOST and sum("#" in line for line in lines) * 2 < len(lines)


def _is_told(code: str, words: str) -> bool:
    """True for a call and words that say what it does: no value, no order, no half of a sentence."""
    if not is_call(code) or width(words) > _LONGEST_WORDS or _IDLE.match(words):
        return False
    value = 0 < value_prefix(words) == len(words)
    return not (value or Kind.POINTER in labels(words).words or breaks_off(words)) and len(WORDS.findall(words)) > 1


def is_call(code: str) -> bool:
    """True for code that shows an API: no statement of a program, and not somebody's data, `torch.tensor([1, 2])`."""
    bare = code.rstrip(" ;:")
    if width(code) > _LONGEST or "](" in code or not _CODE.fullmatch(bare) or _NO_CODE.match(bare):
        return False
    made = called(bare.partition("(")[0]) in DATA_MAKERS and any(map(str.isdigit, bare))
    return not made and bare.count("(") == bare.count(")") and bare.count("[") == bare.count("]")


def _body(code: str, words: str) -> Body:
    if is_written_name(code) or api_names(f"`{code}`"):
        return Api(name=code.partition("(")[0], signature=code, meaning=words)
    language = "zh" if is_chinese(words) else "en"
    return Basic(prompt=prompt(language, "does", _marked(code, language)), answer=words)


def _marked(code: str, language: str) -> str:
    return f"{_span(code)} " if language == "zh" else _span(code)


def _span(code: str) -> str:
    """Code in marks that nothing in it closes."""
    return f"`` {code} ``" if "`" in code else f"`{code}`"
