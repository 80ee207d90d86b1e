"""Output in a block of its own after the code: a fence, an indented block or a paragraph after `输出：`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from deckgen.document import Block, Code, Directive, Document, Heading, Image, Output, Prose, Quote
from deckgen.extract.claims.cut import certainly_code, looks_like_code
from deckgen.extract.claims.pasted import STDERR, TIMED, raised
from deckgen.extract.claims.reading import prints_inside, template
from deckgen.extract.claims.trailing_print import fills
from deckgen.extract.claims.words import announces, announces_failure, marker, only_values
from deckgen.pattern import pattern
from deckgen.source import Span
from deckgen.syntax import parsed
from deckgen.written import half_width

FORM = "following"
_OUTPUT_LANGUAGES = frozenset(
    {"output", "out", "stdout", "console", "result", "results", "text", "txt", "plaintext", "plain", "none", "log"}
)
_PLAIN = frozenset({"text", "txt", "plaintext", "plain", "none"})
"""Tags of those of them that say no more than that nothing is to be coloured."""
_PYTHON = frozenset({"python", "py", "python3", "py3", "pytorch", "ipython", "pycon", "ipython3", "python2", "torch"})
_TRACEBACK = "Traceback (most recent call last)"
_REPLY = pattern(r"\s*(?:Out ?)?\[(?:[\d ]*|Out)\]:\s*|\s*Out ?\[[\d ]*\]:\s*")


@dataclass(frozen=True, slots=True)
class Reply:
    """A block that shows output: its lines and where they stand."""

    index: int
    texts: tuple[str, ...]
    lines: tuple[int, ...]
    stream: str
    form: str
    labelled: bool


def is_python(block: Code) -> bool:
    """True if a block is code to be read as Python: tagged so, or untagged (or wrongly tagged) and parsing."""
    if block.language in _PYTHON or block.cell:
        return True
    if block.language.lstrip("{.").rstrip("}") in _PYTHON:
        return True
    if re.search(r"^\s*>>> ", block.text, re.M):
        return True
    if block.language in _PLAIN:
        return certainly_code(block.text)
    return looks_like_code(block.text) and block.language not in _OUTPUT_LANGUAGES


def replies(document: Document) -> dict[int, Reply]:
    """Blocks that show output, by their index: stored outputs, and code-like blocks that are none."""
    found: dict[int, Reply] = {}
    for index, block in enumerate(document.blocks):
        reply = _reply(document, index, block, found)
        if reply:
            found[index] = reply
    return found


def _reply(document: Document, index: int, block: Block, found: dict[int, Reply]) -> Reply | None:
    if isinstance(block, Output):
        lines = block.lines or tuple(range(block.span.start, block.span.start + len(block.text.split("\n"))))
        return Reply(index, tuple(block.text.split("\n")), lines, block.stream, "stored", True)
    if isinstance(block, Code):
        return _fence(document, index, block, found)
    if isinstance(block, Prose):
        return _paragraph(document, index, block)
    return None


def _fence(document: Document, index: int, block: Code, found: dict[int, Reply]) -> Reply | None:
    failed = (_TRACEBACK in block.text or _says_failure(block.text)) and _failure_expected(document, index)
    labelled = failed or _labelled(document, index)
    python = block.language in _PYTHON and not _only_values(block.text)
    python = python or (block.language in _PLAIN and certainly_code(block.text))
    direct = _code_before(
        document, index, found, through=(Directive, Image, Prose, Quote) if labelled else (Directive, Image)
    )
    printed = bool(labelled and direct and not block.language and _starts_as_printed(block.text, direct))
    if python or (block.language not in _OUTPUT_LANGUAGES and not printed and looks_like_code(block.text)):
        return None
    if not labelled and not _belongs(document, index, block, direct, found):
        return None
    texts = tuple(block.text.split("\n"))
    texts = (_REPLY.sub("", texts[0], count=1), *texts[1:])
    return Reply(index, texts, block.lines, "any", FORM, labelled)


def _belongs(document: Document, index: int, block: Code, direct: Code | None, found: dict[int, Reply]) -> bool:
    """True if a fence that nothing announces shows what the code above it writes."""
    if direct is not None:
        return block.language in _OUTPUT_LANGUAGES or _shows(block.text, direct)
    near = _code_before(document, index, found, through=(Directive, Image, Prose))
    return near is not None and _quotes_print(_first(block.text), near)


def _only_values(text: str) -> bool:
    return only_values([line for line in text.split("\n") if not TIMED.match(line)]) and not looks_like_code(text)


def _shows(text: str, code: Code) -> bool:
    """True if a fence holds values, warnings or progress bars, or starts with what the code above prints."""
    if _only_values(text) or _TRACEBACK in text or _says_failure(text):
        return True
    return STDERR.match(_first(text)) is not None or _starts_as_printed(text, code)


def _first(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")


def _starts_as_printed(text: str, code: Code) -> bool:
    """True if the first line is what a print of the code writes, whatever its objects are."""
    first = _first(text)
    return _quotes_print(first, code) or any(fills(first, call) for call in _prints(code))


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


def _failure_expected(document: Document, index: int) -> bool:
    """True if the paragraph right above says that the code above it raises."""
    above = document.blocks[index - 1] if index else None
    return isinstance(above, Prose | Heading) and announces_failure(above.text)


def _labelled(document: Document, index: int) -> bool:
    """True if the paragraph or heading right above announces an output."""
    above = document.blocks[index - 1] if index else None
    return isinstance(above, Prose | Heading | Quote) and announces(above.text)


def _code_before(document: Document, index: int, found: dict[int, Reply], through: tuple[type, ...]) -> Code | None:
    for at in range(index - 1, -1, -1):
        block = document.blocks[at]
        if isinstance(block, Code):
            return block if at not in found and is_python(block) else None
        if not isinstance(block, through):
            return None
    return None


def _paragraph(document: Document, index: int, block: Prose) -> Reply | None:
    """A paragraph `输出：` with its values below or beside, or one that is only values after such a label."""
    lines = block.text.split("\n")
    spans = range(block.span.start, block.span.stop)
    if len(lines) != len(spans):
        return None
    kind, rest = marker(_bare(lines[0]).replace("**", ""))
    if _REPLY.match(lines[0]) and (said := _bare(lines[0])) and only_values([said, *lines[1:]]):
        return Reply(index, (said, *lines[1:]), tuple(spans), "any", FORM, True)
    quoted = _QUOTED.fullmatch(marker(half_width(lines[0]).replace("**", ""))[1].strip())
    quoted = quoted if kind == "strong" and len(lines) == 1 else None
    if quoted or (len(lines) == 1 and raised(_bare(lines[0])) and _right_below_code(document, index)):
        said = quoted[1] if quoted else _bare(lines[0])
        return Reply(index, (said,), tuple(spans), "any", FORM, True)
    rest = rest.strip("*_` ")
    if len(lines) > 1 and announces(lines[0]):
        beside = []
    elif kind == "strong" and rest:
        beside = [rest]
    elif _labelled(document, index):
        beside = [_bare(lines[0])]
    else:
        return None
    texts = [*beside, *map(_bare, lines[1:])]
    if not only_values(texts):
        return None
    return Reply(index, tuple(texts), tuple(spans[-len(texts) :]), "any", FORM, True)


_QUOTED = pattern(r"`([^`]+)`[.。]?")


def _right_below_code(document: Document, index: int) -> bool:
    above = document.blocks[index - 1] if index else None
    return isinstance(above, Code) and is_python(above)


def _bare(line: str) -> str:
    """A line without the marks around it, and without `Out[2]:`."""
    bare = half_width(line).strip("*_` ")
    return _REPLY.sub("", bare, count=1) if "]:" in bare else bare


def asked(document: Document, reply: Reply, code: Callable[[int], bool], found: dict[int, Reply]) -> list[int]:
    """Indices of the code blocks that a reply may answer, nearest last; none across headings or other replies."""
    blocks: list[int] = []
    headed = False
    for at in range(reply.index - 1, -1, -1):
        block = document.blocks[at]
        if at in found:
            if not (isinstance(block, Code) and _is_value(document, reply) and not blocks):
                break
            continue  # what the cell printed stands above its value
        if isinstance(block, Heading):
            if blocks or not (announces(block.text) or _near(document, at, reply)) or headed:
                break
            headed = True
        if isinstance(block, Code) and code(at):
            blocks.insert(0, at)
    return blocks


def _is_value(document: Document, reply: Reply) -> bool:
    """True if a reply stands behind or below `Out[4]:`."""
    above = document.blocks[reply.index - 1] if reply.index else None
    own = document.blocks[reply.index]
    texts = [block.text for block in (above, own) if isinstance(block, Prose)]
    return any(_REPLY.match(text) for text in texts)


def _near(document: Document, at: int, reply: Reply) -> bool:
    between: list[Span] = [block.span for block in document.blocks[at + 1 : reply.index]]
    return not between
