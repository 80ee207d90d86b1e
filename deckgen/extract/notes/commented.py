"""Code with words beside it or above it: `x.view(a, b)  # reshapes x`, and a heading or a line over one line of code.

Each line is looked at by itself: a fence of a cheat sheet need not be Python, and a line without a comment tells nothing of the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deckgen.extract import wording
from deckgen.extract.blocks import Line, lines_of
from deckgen.extract.names.written import api_names, called, is_written_name
from deckgen.extract.notes.entry import DATA_MAKERS, heading_names
from deckgen.extract.page import Made, Page, collected
from deckgen.extract.text import is_chinese, plain, title, width, without_number
from deckgen.extract.wording import prompt
from deckgen.extract.worth.prose import breaks_off, points_away
from deckgen.model.document import Block, Code, Heading, Items, Prose
from deckgen.model.note import Api, Basic, Body, Cloze, Output, fenced
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.written.values import value_prefix

_COMMENTED = pattern(r"(?P<code>[^\s#](?:[^#'\"]|'[^'\n]*'|\"[^\"\n]*\")*?)(?P<gap>\s*)#+\s*(?P<words>[^\s#].*)")
_GOES_ON = pattern(r"(?P<gap>\s+)#+\s*(?P<words>\S.*)")
_TOLD = pattern(
    r"\W*`(?P<code>[^`\n]+)`\s*(?:#|→|->|=>)\s*(?P<words>\S.*)|(?P<bare>[^\s`#](?:[^#`'\"]|'[^'\n]*'|\"[^\"\n]*\")*?)\s+#\s+(?P<told>\S.*)"
)
"""Outside a fence, where `#` between blanks or an arrow behind code in marks says what it gives."""
_WRITTEN = pattern(r"(?P<words>[^`]+?)\s*(?:->|→|=>|:|：)\s*`(?P<code>[^`]+)`\W*")
_MADE = pattern(r"(?:[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*)\s*=(?!=)\s*(?P<call>\S.*)")
_CODE = pattern(
    r"[A-Za-z_@][\w.\[\]|/]*\s*[(.\[].*|[A-Za-z_]\w*\s*(?:[-+*/@%<>&|^]|==|\*\*)\s*\S.*|[A-Za-z_]\w*=\S+|with\s.*|@\w+|[A-Z][A-Za-z\d]*[a-z][A-Za-z\d]*"
)
"""A call, an attribute, an index, an operation, a setting of a parameter, a class."""
_NO_CODE = pattern(
    r"(?:print|def|class|import|from|return|for|while|if|elif|else|try|except|assert|raise|plt|self|pass|break)\b"
)
_IDLE = pattern(
    r"\W*(?:todo|fixme|noqa|type:|pylint|pragma|fmt:|output|out\b|输出|结果|prints?\b)|.*(?:\?|？|:|：)$", 2
)
_WORDS = pattern(r"[A-Za-z]{2,}|[\u3400-\u9fff]")
_SHELL = frozenset(
    {"bash", "sh", "shell", "console", "zsh", "powershell", "cmd", "bat", "dockerfile", "yaml", "toml", "json", "text"}
)
_ONLY_CODE = pattern(r"`([^`\n]+)`")
_LONGEST = 80
"""Columns of code that a question has room for."""
_LONGEST_WORDS = 160
_MOST = 30
"""Lines of a fence that shows calls; in a longer one comments tell a program."""
_MOST_LINES = 2
"""Lines of code that answer a heading."""
_IDLE_HEADS = (
    wording.CHORES,
    wording.EXAMPLE,
    wording.QUIZ,
    wording.ROADMAP,
    wording.SUMMARY,
    wording.CONTENTS,
    wording.SCORES,
)


class _Told(NamedTuple):
    """Code and what its author says of it."""

    code: str
    words: str
    span: Span
    block: int


@collected
def commented(page: Page) -> Made:
    """A note of each line of code with a comment that says what it does."""
    shown = _shown(page)
    asked = {_tight(note.body.signature) for note in page.notes if isinstance(note.body, Api)}
    seen: set[tuple[str, ...]] = set()
    for told in (one for index, block in enumerate(page.document.blocks) for one in _lines(page, index, block)):
        code = _call_of(told.code)
        same = (*page.path(told.block), _tight(code))
        if told.span.start in shown or same in seen or _tight(code) in asked or not _is_told(code, told.words):
            continue
        seen.add(same)
        yield page.note(_body(code, told.words), told.span, told.block, code, rests_on=page.apis_on(told.span)), ()


def _call_of(code: str) -> str:
    """What is called, without the variable that it is bound to: `x.t()` of `y = x.t()`."""
    made = _MADE.fullmatch(code)
    return made["call"] if made and _CODE.fullmatch(made["call"]) else code


def _tight(code: str) -> str:
    return "".join(code.split())


def _shown(page: Page) -> set[int]:
    """The lines of code that other notes ask about, or whose comments are values."""
    spans = [note.span for note in page.notes if isinstance(note.body, Output | Cloze)]
    spans += [claim.span for snippet in page.snippets for claim in snippet.claims]
    return {line for span in spans for line in range(span.start, span.stop)}


def _lines(page: Page, index: int, block: Block) -> Iterator[_Told]:
    snippet = page.code.get(index)
    if isinstance(block, Code) and block.language not in _SHELL and not (snippet and snippet.options.skip):
        yield from _of_fence(block, index)
    elif isinstance(block, Prose | Items) and not page.chat:
        for line in lines_of(block, index):
            found = _TOLD.fullmatch(without_number(line.text.strip()))
            if found and (code := (found["code"] or found["bare"]).strip()):
                yield _Told(code, found["words"] or found["told"], line_span(line.number), index)


def _of_fence(block: Code, index: int) -> Iterator[_Told]:
    """The commented lines at the left edge of a fence, each with the lines on which its comment goes on."""
    lines = block.text.split("\n")
    if sum(map(bool, map(str.strip, lines))) > _MOST and sum("#" in line for line in lines) * 2 < len(lines):
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
            yield _Told(found["code"].strip(), words.strip(), Span(block.lines[at], block.lines[below - 1] + 1), index)


def _is_told(code: str, words: str) -> bool:
    """True for a call and words that say what it does: no value, no order, no half of a sentence."""
    bare = code.rstrip(" ;:")
    if width(code) > _LONGEST or width(words) > _LONGEST_WORDS or not _CODE.fullmatch(bare) or _NO_CODE.match(bare):
        return False
    if "](" in code or bare.count("(") != bare.count(")") or bare.count("[") != bare.count("]"):
        return False
    if called(bare.partition("(")[0]) in DATA_MAKERS and any(map(str.isdigit, bare)):
        return False  # `torch.tensor([1, 2])`: somebody's data
    value = 0 < value_prefix(words) == len(words)
    return (
        not (value or _IDLE.match(words) or points_away(words) or breaks_off(words)) and len(_WORDS.findall(words)) > 1
    )


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


@collected
def titled(page: Page) -> Made:
    """A question of each heading, and of each line with a colon, over one line of code: how it is written."""
    for index, line in _with_code(page):
        found = _WRITTEN.fullmatch(line.text.strip())
        if found and _asks(asked := without_number(found["words"]).strip("*:： "), found["code"]):
            span = line_span(line.number)
            body = _written(asked, found["code"])
            yield page.note(body, span, index, asked, rests_on=page.apis_on(span)), ()
    shown = _shown(page)
    for index, block in enumerate(page.document.blocks):
        code, at = _one_line(block), index - 1
        if not code or index == 0 or block.span.start in shown or not page.free(index):
            continue
        if any(map(_one_line, page.document.blocks[index + 1 : index + 2])):
            continue  # one of several
        above = page.document.blocks[at]
        head = above.text if isinstance(above, Heading) else page.line_above(index)
        asked = title(head).strip("*:： ")
        if page.chat or not _asks(asked, code) or (not isinstance(above, Heading) and not page.free(at)):
            continue
        span = Span(above.span.stop - 1 if isinstance(above, Prose) else above.span.start, block.span.stop)
        yield page.note(_written(asked, code), span, at, asked, rests_on=page.apis_on(span)), ()


def _with_code(page: Page) -> Iterator[tuple[int, Line]]:
    """The lines of text that are in no note yet."""
    lines = {line for note in page.notes for line in range(note.span.start, note.span.stop)}
    for index, block in enumerate(page.document.blocks):
        if isinstance(block, Prose | Items) and not page.chat:
            yield from (
                (index, line) for line in lines_of(block, index) if "`" in line.text and line.number not in lines
            )


def _written(asked: str, code: str) -> Basic:
    return Basic(prompt=prompt("zh" if is_chinese(asked) else "en", "code", asked), answer=fenced(code, "python"))


def _one_line(block: Block) -> str:
    """The code of a fence of one line, or of two; of a paragraph that is one span of code."""
    if isinstance(block, Code) and block.language not in _SHELL:
        code = block.text.strip()
        lines = [line for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]
        return code if 0 < len(lines) <= _MOST_LINES and "import" not in code else ""
    found = _ONLY_CODE.fullmatch(block.text.strip()) if isinstance(block, Prose) else None
    return found[1].strip() if found else ""


def _asks(head: str, code: str) -> bool:
    """True for words that say what is done, over code that may do it."""
    words = plain(head)
    lines = [line.partition("#")[0].strip(" ;") for line in code.split("\n")]
    calls = [_call_of(line) for line in lines if line]
    idle = any(one.search(words) for one in (*_IDLE_HEADS, wording.QUESTION, wording.LEADS_ON)) or points_away(head)
    names = heading_names(head)[0]
    return (
        len(_WORDS.findall(words)) > 1
        and width(words) <= _LONGEST
        and not idle
        and not names
        and all(_CODE.fullmatch(call) and not _NO_CODE.match(call) for call in calls)
    )
