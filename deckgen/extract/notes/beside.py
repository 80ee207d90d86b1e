"""Code beside the words that say what it does: a comment on its line, a heading or a line with a colon above it.

Each line is looked at by itself: a fence of a cheat sheet need not be Python, and a line without a comment tells nothing of the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckgen.extract.blocks import lines_of
from deckgen.extract.claims.pasted import REPR
from deckgen.extract.labels import LEANS, Kind, labels
from deckgen.extract.names.written import api_names, called, is_written_name
from deckgen.extract.notes.entry import DATA_MAKERS, heading_names
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import is_chinese, plain, title, width, without_number
from deckgen.extract.worth.prose import breaks_off
from deckgen.lexicon import prompt
from deckgen.model.document import Block, Code, Heading, Items, Prose
from deckgen.model.note import Api, Basic, Body, Cloze, Output, fenced
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
_SHOWN = pattern(rf".*(?:[:：=]|->|→)\s*(?P<value>(?:{REPR.pattern}).*)")
"""`spits out: tensor(7)`: a value behind words that no table has."""
_WORDS = pattern(rf"[A-Za-z]{{2,}}|[{HAN}]")
_SHELL = frozenset(
    {"bash", "sh", "shell", "console", "zsh", "powershell", "cmd", "bat", "dockerfile", "yaml", "toml", "json", "text"}
)
_LONGEST = 80
"""Columns of code that a question has room for."""
_LONGEST_WORDS = 160
_MOST = 30
"""Lines of a fence that shows calls; in a longer one comments tell a program."""


class _Beside(NamedTuple):
    """Code and what its author says of it."""

    code: str
    words: str
    span: Span
    block: int


@collected
def commented(page: Page) -> Made:
    """A note of each line of code with a comment that says what it does."""
    elsewhere = _shown_lines(page)
    asked = {_tight(note.body.signature) for note in page.notes if isinstance(note.body, Api)}
    seen: set[tuple[str, ...]] = set()
    for told in (one for index, block in enumerate(page.document.blocks) for one in _lines(page, index, block)):
        code = _call_of(told.code)
        same = (*page.path(told.block), _tight(code))
        if told.span.start in elsewhere or same in seen or _tight(code) in asked or not _is_told(code, told.words):
            continue
        seen.add(same)
        yield page.note(_body(code, told.words), told.span, told.block, code, rests_on=page.apis_on(told.span)), ()


def _call_of(code: str) -> str:
    """What is called, without the variable that it is bound to: `x.t()` of `y = x.t()`."""
    made = _MADE.fullmatch(code)
    return made["call"] if made and _CODE.fullmatch(made["call"]) else code


def _tight(code: str) -> str:
    return "".join(code.split())


def _shown_lines(page: Page) -> set[int]:
    """The lines of code that other notes ask about, or whose comments are values."""
    spans = [note.span for note in page.notes if isinstance(note.body, Output | Cloze)]
    spans += [claim.span for snippet in page.snippets for claim in snippet.claims]
    return {line for span in spans for line in range(span.start, span.stop)}


def _lines(page: Page, index: int, block: Block) -> Iterator[_Beside]:
    snippet = page.code.get(index)
    if isinstance(block, Code) and block.language not in _SHELL and not (snippet and snippet.options.skip):
        yield from _of_fence(block, index)
    elif isinstance(block, Prose | Items) and not page.chat:
        for line in lines_of(block, index):
            found = _TOLD.fullmatch(without_number(line.text.strip()))
            if found and (code := (found["code"] or found["bare"]).strip()):
                yield _Beside(code, found["words"] or found["told"], line_span(line.number), index)


def _of_fence(block: Code, index: int) -> Iterator[_Beside]:
    """The commented lines at the left edge of a fence, each with the lines on which its comment goes on."""
    lines = block.text.split("\n")
    if _is_program(lines):
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
            yield _Beside(
                found["code"].strip(), words.strip(), Span(block.lines[at], block.lines[below - 1] + 1), index
            )


def _is_program(lines: Sequence[str]) -> bool:
    """True for more lines than show calls, most of them without a comment."""
    return sum(bool(line.strip()) for line in lines) > _MOST and sum("#" in line for line in lines) * 2 < len(lines)


def _is_told(code: str, words: str) -> bool:
    """True for a call and words that say what it does: no value, no order, no half of a sentence."""
    if not _is_call(code) or width(words) > _LONGEST_WORDS or _IDLE.match(words):
        return False
    shown = _SHOWN.fullmatch(words)
    return (
        not (
            _is_value(words)
            or (shown and _is_value(shown["value"]))
            or Kind.POINTER in labels(words).words
            or breaks_off(words)
        )
        and len(_WORDS.findall(words)) > 1
    )


def _is_value(words: str) -> bool:
    return 0 < value_prefix(words) == len(words)


def _is_call(code: str) -> bool:
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


# One line of code below the words for it

_WRITTEN = pattern(r"(?P<words>[^`]+?)\s*(?:->|→|=>|:|：)\s*`(?P<code>[^`]+)`\W*")
_COMMENT = pattern(r"#+\s*(?P<words>\S.*?)\s*")
_ONLY_CODE = pattern(r"`([^`\n]+)`")
_LIBRARY = pattern(r"(?:torch|nn|F|optim|autograd)\.\w|\.\w+\(")
_IDLE_TASKS = (
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
_LONGEST_TASK = 80
"""Columns of words that are one task."""
_MOST_LINES = 2
"""Lines of code that are recalled as one."""


@collected
def titled(page: Page) -> Made:
    """A question of each heading, line with a colon and comment over one line of code: how it is written."""
    elsewhere = _shown_lines(page)
    noted = {line for note in page.notes for line in range(note.span.start, note.span.stop)}
    for index, block in enumerate(page.document.blocks):
        for told in _tasks(page, index, block, noted):
            span = range(told.span.start, told.span.stop)
            if elsewhere.isdisjoint(span) and _asks(told.words, told.code):
                language = "zh" if is_chinese(told.words) else "en"
                body = Basic(prompt=prompt(language, "code", told.words), answer=fenced(told.code, "python"))
                yield page.note(body, told.span, told.block, told.words, rests_on=page.apis_on(told.span)), ()


def _tasks(page: Page, index: int, block: Block, noted: set[int]) -> Iterator[_Beside]:
    """Words and the code that they ask for."""
    if page.chat:
        return
    if isinstance(block, Prose | Items):
        for line in lines_of(block, index) if "`" in getattr(block, "text", "`") else ():
            found = _WRITTEN.fullmatch(line.text.strip())
            if found and line.number not in noted and Kind.ANSWER_OR_REASON not in labels(line.text):
                yield _Beside(found["code"], _task(without_number(found["words"])), line_span(line.number), index)
    if not page.free(index):
        return
    code = _one_line(block)
    below = list(_below_words(page, index, block, code)) if code else []
    yield from below
    if isinstance(block, Code) and not below:
        yield from _below_comments(index, block)


def _below_words(page: Page, index: int, block: Block, code: str) -> Iterator[_Beside]:
    """One line of code right below a heading or a line with a colon, unless it is the first of several."""
    above = page.document.blocks[index - 1] if index else None
    if any(map(_one_line, page.document.blocks[index + 1 : index + 2])):
        return
    if isinstance(above, Heading):
        yield _Beside(code, _task(above.text), Span(above.span.start, block.span.stop), index - 1)
    elif isinstance(above, Prose) and page.free(index - 1) and (words := page.line_above(index)):
        yield _Beside(code, _task(words), Span(above.span.stop - 1, block.span.stop), index - 1)


def _below_comments(index: int, block: Code) -> Iterator[_Beside]:
    """A call of a library below one line of comment, between blank lines: `# the values alone` over `x.detach()`."""
    lines = block.text.split("\n")
    if _is_program(lines) or block.language in _SHELL or len(lines) > len(block.lines):
        return
    around = ["", *lines, ""]
    for at in range(len(lines) - 1):
        before, above, line, after = around[at : at + 4]
        found = _COMMENT.fullmatch(above)
        alone = not before.strip() and (not after.strip() or after.startswith("#"))
        if found and alone and line[:1].strip() and "#" not in line and _LIBRARY.search(line):
            yield _Beside(line.strip(), _task(found["words"]), Span(block.lines[at], block.lines[at + 1] + 1), index)


def _task(words: str) -> str:
    return title(words).strip("*:： ")


def _one_line(block: Block) -> str:
    """The code of a fence of one line, or of two; of a paragraph that is one span of code."""
    if isinstance(block, Code) and block.language not in _SHELL:
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
    calls = [_call_of(line) for line in lines if line]
    leans = labels(words).words.any_of(LEANS)
    asks = len(_WORDS.findall(said)) > 1 and width(said) <= _LONGEST_TASK and not heading_names(words)[0]
    return asks and not leans and not labels(said).any_of(_IDLE_TASKS) and bool(calls) and all(map(_is_call, calls))
