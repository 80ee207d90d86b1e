"""Output in a block of its own after the code: a fence, an indented block, a paragraph after `输出：`, a notebook's stored output."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckgen.extract.claims.code import fits, prints_inside
from deckgen.extract.claims.pasted import OUT, STDERR, TIMED, is_rest_of_message, is_session, looks_like_code, raised
from deckgen.extract.claims.values import TRACEBACK, announces, announces_failure, marker, only_values
from deckgen.model.claim import ClaimPlace
from deckgen.model.document import Block, Code, Directive, Document, Heading, Image, Output, Prose, Quote, Turn
from deckgen.text.pattern import pattern
from deckgen.text.syntax import dotted, nodes, parsed, without_magics
from deckgen.written import half_width
from deckgen.written.lines import paragraphs

PYTHON = frozenset({"python", "py", "python3", "py3", "pytorch", "ipython", "pycon", "ipython3", "python2", "torch"})
OUTPUT_LANGUAGES = frozenset(
    {"text", "txt", "plaintext", "plain", "none", "output", "out", "stdout", "console", "result", "results", "log"}
)
_OUT_OF_REACH = 2
"""Headings below code: what stands under them is no output of it."""


class Reply(NamedTuple):
    """A block that shows output: its lines and where they stand."""

    at: int
    texts: Sequence[str]
    lines: Sequence[int]
    form: str
    stream: str = "any"
    place: ClaimPlace = "after"


class OutputForm(NamedTuple):
    """A row: a kind of block that shows output."""

    name: str
    read: Callable[[Document, int, Mapping[int, Reply]], tuple[Sequence[str], Sequence[int]] | None]
    """The output of the block at an index and its lines, if it shows some; what of the blocks above does is given."""
    example: str
    seen: tuple[str, ...]


def replies(document: Document, found: dict[int, Reply]) -> Iterator[tuple[int, Block]]:
    """The blocks with their indices; those that show output are in `found` by the time they are given.

    Who reads the code does so as it goes: what was parsed to see that it is code is still at hand, however long the document.
    """
    headings = _OUT_OF_REACH
    for index, block in enumerate(document.blocks):
        if isinstance(block, Heading | Code):
            headings = headings + 1 if isinstance(block, Heading) else 0
        if isinstance(block, Output):
            texts = block.text.split("\n")
            lines = block.lines or range(block.span.start, block.span.start + len(texts))
            found[index] = Reply(index, texts, lines, "stored", block.stream, "stored")
        elif isinstance(block, Code) or headings < _OUT_OF_REACH:
            for row in OUTPUTS:
                shown = row.read(document, index, found)
                if shown:
                    found[index] = Reply(index, *shown, row.name)
        yield index, block


def answered_blocks(
    document: Document, reply: Reply, is_code: Callable[[int], bool], found: dict[int, Reply]
) -> list[int]:
    """Indices of the code blocks that a reply may answer, the nearest last; none across other replies, empty cells and headings.

    A heading that announces the output is passed once.
    """
    blocks: list[int] = []
    headed = False
    for at in range(reply.at - 1, -1, -1):
        block = document.blocks[at]
        if at in found or (reply.place == "stored" and isinstance(block, Directive)):
            break
        if isinstance(block, Heading):
            if blocks or headed or not (announces(block.text) or at == reply.at - 1):
                break
            headed = True
        if isinstance(block, Code) and is_code(at):
            blocks.insert(0, at)
    return blocks


def is_python(block: Code) -> bool:
    """True if a block is code to be read as Python: tagged so, or untagged (or wrongly tagged) and parsing."""
    if block.language.lstrip("{.").rstrip("}") in PYTHON or block.cell:
        return True
    if is_session(block.text):
        return True
    return looks_like_code(block.text) and block.language not in OUTPUT_LANGUAGES


def _fence(document: Document, index: int, found: Mapping[int, Reply]) -> tuple[Sequence[str], Sequence[int]] | None:
    """What a fence shows that is announced, or that the code above it writes."""
    block = document.blocks[index]
    if not isinstance(block, Code) or is_session(block.text):
        return None
    text, above = block.text, document.blocks[index - 1] if index else None
    is_code = looks_like_code(text)
    values = not is_code and only_values(
        [line for line in OUT.sub("", text, count=1).split("\n") if not TIMED.match(line)]
    )
    if block.language in PYTHON and not values:
        return None
    first, *others = text.strip().split("\n")
    error = raised(first) is not None and all(not line or is_rest_of_message(line) for line in others)
    failed = TRACEBACK in text or error
    announced = _announced(document, index)
    if not announced and failed and isinstance(above, Prose | Heading):
        announced = announces_failure(above.text)
    code = _code_before(document, index, found, (Prose, Quote) if announced else ())
    if block.language not in OUTPUT_LANGUAGES and is_code:
        if not (announced and code and not block.language and _starts_as_printed(text, code)):
            return None
    if not announced:
        certain = values or failed or STDERR.match(_first_line(text))
        if block.language in OUTPUT_LANGUAGES and code and not _shows_its_own(code):
            certain = True
        # Who writes code in fences indents output, as nbconvert does; a fence may hold anything.
        bare = above is code and block.span.stop - block.span.start == len(block.lines) and not block.cell
        if not code or not (certain or (bare and _writes(code)) or _starts_as_printed(text, code)):
            return None
    first, *others = text.split("\n")
    return [OUT.sub("", first, count=1), *others], block.lines


def _shows_its_own(code: Code) -> bool:
    """True if all that code writes stands in its own block, or if it writes nothing: text in a fence below it explains."""
    tree = parsed(without_magics(code.text))
    return is_session(code.text) or (tree is not None and all(_is_silent(tree)))


_SILENT = frozenset(
    "torch nn F np numpy optim math len range list tuple dict set zip int float str sum min max abs".split()
)
"""Roots of calls that write nothing."""


def _is_silent(tree: ast.Module) -> Iterator[bool]:
    """For each statement whether it surely writes nothing: it imports, defines, or binds what well-known calls give."""
    silent = set(_SILENT)
    for node in tree.body:
        calls = [dotted(one.func).split(".")[0] for one in nodes(node) if isinstance(one, ast.Call)]
        match node:
            case ast.Assign(targets=targets) if silent.issuperset(calls):
                silent.update(one.id for one in targets if isinstance(one, ast.Name))
                yield True
            case ast.Assign():
                yield False
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef() | ast.Expr(value=ast.Constant()):
                yield True
            case _:
                yield False


def _writes(code: Code | None) -> bool:
    """True if code prints, or ends with a value that a notebook shows."""
    tree = parsed(without_magics(code.text)) if code else None
    return bool(tree and tree.body and (prints_inside(tree) or isinstance(tree.body[-1], ast.Expr)))


def _announced(document: Document, index: int) -> bool:
    above = document.blocks[index - 1] if index else None
    return isinstance(above, Prose | Heading | Quote) and announces(above.text)


def _code_before(document: Document, index: int, found: Mapping[int, Reply], through: tuple[type, ...]) -> Code | None:
    """The nearest code above a block, with nothing but pictures, directives, turns and these kinds of blocks between."""
    between = (Directive, Image, Turn, *through)
    at = next((at for at in range(index - 1, -1, -1) if not isinstance(document.blocks[at], between)), -1)
    block = document.blocks[at] if at >= 0 else None
    return block if isinstance(block, Code) and at not in found and is_python(block) else None


def _first_line(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")


def _starts_as_printed(text: str, code: Code) -> bool:
    """True if the first line is what a print of the code writes, or every part is that or a value."""
    tree = parsed(code.text)
    calls = prints_inside(tree) if tree else []
    if any(fits(_first_line(text), call) for call in calls):
        return True
    lines = text.split("\n")
    parts = ["\n".join(lines[start:stop]) for start, stop in paragraphs(lines)]
    fit = [any(fits(part, call) for call in calls) for part in parts]
    return any(fit) and all(ok or only_values([part]) for ok, part in zip(fit, parts, strict=True))


def _paragraph(document: Document, index: int, _: Mapping[int, Reply]) -> tuple[Sequence[str], Sequence[int]] | None:
    """`输出：` with values beside it or below it, `Out[2]: 3`, or a paragraph of values after such a label; `` Output: `3` ``."""
    block = document.blocks[index]
    lines = block.text.split("\n") if isinstance(block, Prose) else []
    spans = range(block.span.start, block.span.stop)
    if not lines or len(lines) != len(spans):
        return None
    bare = [half_width(line).strip("*_` ") for line in lines]
    prompt = OUT.match(bare[0]) if "]:" in bare[0] else None
    sign, rest = marker(bare[0].replace("**", ""))
    if prompt:
        bare[0] = bare[0][prompt.end() :]
    elif len(lines) > 1 and announces(lines[0]):
        bare = bare[1:]
    elif sign == "strong" and rest.strip("*_` "):
        bare[0] = rest.strip("*_` ")
    elif not _announced(document, index):
        return None
    bare[-1] = _STOP.sub("", bare[-1])
    quoted = sign == "strong" and len(lines) == 1 and rest.startswith("`") and rest.count("`") <= 1
    return (bare, spans[-len(bare) :]) if quoted or only_values(bare) else None


_STOP = pattern(r"(?<=[\w)\]}'\"`])[.。]$")
"""The end of the sentence that shows a value: no print writes `(2, 3).`, or a lone `3.`."""
OUTPUTS: tuple[OutputForm, ...] = (
    OutputForm("fence", _fence, "```python\nprint(x)\n```\n```\n3\n```", ("seed 000", "seed 001")),
    OutputForm(
        "paragraph", _paragraph, "```python\nprint(x)\n```\n\n输出：3",
        (
            "Ebazhanov/linkedin-skill-assessments-quizzes/python/python-quiz.md",
            "ShusenTang/Dive-into-DL-PyTorch/docs/chapter09_computer-vision/9.3_bounding-box.md",
        ),
    ),
)  # fmt: skip
