"""Output pasted as plain lines: one claim for each thing that was printed. And how output is cut out of a block of code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from deckgen.extract.claims.code import is_print
from deckgen.extract.claims.values import is_label, leading_value
from deckgen.model.claim import Claim, ClaimPlace, Prints, Raises, Shows
from deckgen.model.source import line_span
from deckgen.text.pattern import COLOUR, pattern
from deckgen.text.syntax import dotted, parsed
from deckgen.written import is_left_out
from deckgen.written.lines import WARNED, paragraphs
from deckgen.written.values import may_be_repr

Stream = Literal["stdout", "stderr", "any"]
_EXCEPTION = (
    r"(?P<type>(?:\w+\.)*_?[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning|Exit))(?::\s*(?P<message>.*))?"
)
_ERROR = pattern(_EXCEPTION, re.DOTALL)
_LAST_ERROR = pattern(rf"^(?=\S){_EXCEPTION}$", re.DOTALL | re.MULTILINE)
_OTHER = pattern(r"(?P<type>(?:\w+\.)*_?[A-Z]\w*)(?::\s*(?P<message>.*))?", re.DOTALL)
"""Behind a traceback any class may stand: `torch._dynamo.exc.Unsupported: ...`, `Exception: ...`, one of the author's own."""
_UNRECORDED = "ignored"
"""What Colab stores in place of every message."""
STDERR = pattern(r".*\d+%\|.*\||.*Warning: ")
"""Progress bars and warnings."""
TIMED = pattern(r"(?:CPU times: |Wall time: ).*|.* per loop \(mean ± std\. dev\. of .*", re.DOTALL)
"""What `%time` and `%timeit` write: no word of the code's own."""
_TORN = pattern(r"(?<=[\d.])\s*\n\s*(?=\d)")
TRACEBACK = "Traceback (most recent call last)"


def claims_of_output(
    texts: Sequence[str],
    lines: Sequence[int],
    form: str,
    place: ClaimPlace,
    code_line: int | None,
    stream: Stream = "stdout",
) -> Iterator[Prints | Raises]:
    """Claims of pasted lines. `lines` are their 0-based source lines; a lone `...` leaves lines out."""
    texts = [COLOUR.sub("", text) for text in texts]
    elided = False
    for start, stop in _with_messages(texts):
        text = "\n".join(texts[start:stop])
        if "tensor(" in text:
            text = _TORN.sub("", text)  # torch ends every line of numbers with a comma
        span = line_span(lines[start]) | line_span(lines[stop - 1])
        if is_left_out(text):
            elided = True
        elif TIMED.match(text) or ("Warning: " in text and WARNED.match(text)):
            continue  # a warning tells a path and a version of the author's machine
        elif error := raised(text):
            yield Raises(span, text, form, place, code_line, *error)
        else:
            kind: Stream = "stderr" if stream == "any" and STDERR.match(text) else stream
            yield Prints(span, text, form, place, code_line, kind, elided)
            elided = False


def _with_messages(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Paragraphs; the indented lines below an exception are the rest of its message."""
    until = 0
    for start, stop in paragraphs(texts):
        if start < until:
            continue
        until = stop
        if raised("\n".join(texts[start:stop])):
            while until < len(texts) and texts[until][:1].isspace() and texts[until].strip():
                until += 1
        yield start, until


def raised(text: str) -> tuple[str, str] | None:
    """(type, message) of a traceback, or of a text that is nothing but `RuntimeError: ...`."""
    last = text.strip()
    if TRACEBACK in text:
        found = list(_LAST_ERROR.finditer(text))
        last = text[found[-1].start() :].strip() if found else last.rsplit("\n", 1)[-1]
    match = _ERROR.fullmatch(last) or (_OTHER.fullmatch(last) if TRACEBACK in text else None)
    if match is None or match["type"].endswith("Warning"):
        return None
    message = (match["message"] or "").strip()
    return match["type"].rsplit(".", 1)[-1], "" if message == _UNRECORDED else message


# --- code or output ---------------------------------------------------------------------------------


def looks_like_code(text: str) -> bool:
    """True if text parses and does something: imports, defines, assigns, calls; not if it only shows values."""
    tree = parsed(text)
    return tree is not None and any(map(_does_something, tree.body))


def _does_something(node: ast.stmt) -> bool:
    match node:
        case ast.AnnAssign(value=value):
            return value is not None  # `a: tensor([1])` is a printed label, not an annotation
        case ast.Expr(value=ast.Call(func=ast.Attribute()) as value):
            return is_print(value) or not _is_shown(value)
        case ast.Expr(value=value):
            return is_print(value)
        case ast.Assign(value=value):
            return isinstance(value, ast.Constant) or not _is_shown(value)
        case _:
            return True


def _is_shown(node: ast.expr) -> bool:
    """True for what a value looks like that is printed; most calls look otherwise, which is cheap to see."""
    name = dotted(node.func) if isinstance(node, ast.Call) else ""
    computes = name.isascii() and name[:1].isidentifier() and not may_be_repr(name)
    return not computes and leading_value(ast.unparse(node)) is not None


# --- output inside a block of code ------------------------------------------------------------------


class Pasted(NamedTuple):
    """Output lines: indices into the block's lines, their texts, and the code line that they belong to."""

    form: str
    at: Sequence[int]
    texts: Sequence[str]
    code_line: int | None = None
    """None = in order of output."""
    shows: bool = False
    """True if the statement is an expression whose value a prompt echoes."""


class Cut(NamedTuple):
    """A block taken apart. `code[i]` stood on line `at[i]` of the block."""

    code: Sequence[str]
    at: Sequence[int]
    pasted: Sequence[Pasted] = ()


class Inside(NamedTuple):
    """A row: a way to paste output into a block of code."""

    name: str
    cut: Callable[[str, Sequence[str]], Cut | None]
    example: str
    seen: tuple[str, ...]


def cut(lines: Sequence[str]) -> Cut:
    """The block without its pasted output: the first row that finds some takes it."""
    lines = _mended(lines)
    found = next(filter(None, (row.cut(row.name, lines) for row in INSIDE)), None)
    return found or Cut(lines, range(len(lines)))


def _mended(lines: Sequence[str]) -> Sequence[str]:
    """As many lines, where each end of a comment that lost its `#` stands in the comment again: a number torn over a blank line."""
    if parsed("\n".join(lines)) is not None:
        return lines
    mended = list(lines)
    above, open_brackets = -1, 0
    for at, line in enumerate(lines):
        opened = sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if line.lstrip().startswith("#"):
            above, open_brackets = at, opened + (open_brackets if above >= 0 else 0)
        elif above >= 0 and line.strip() and 0 < -opened <= open_brackets:
            torn = mended[above][-1:].isdigit() and line.lstrip()[:1].isdigit()
            mended[above] += ("" if torn else " ") + line.strip()
            mended[above + 1 : at + 1] = ["#"] * (at - above)  # so that the comment does not end here
            open_brackets += opened
        elif line.strip():
            above, open_brackets = -1, 0
    return mended if parsed("\n".join(mended)) is not None else lines


def claims_inside(pasted: Pasted, sources: Sequence[int]) -> Iterator[Claim]:
    """Claims of output that was cut out of a block; `sources` are the source lines of the block's lines."""
    lines = [sources[at] for at in pasted.at]
    found = list(claims_of_output(pasted.texts, lines, pasted.form, "inside", pasted.code_line))
    if pasted.shows and pasted.code_line is not None and len(found) == 1 and isinstance(found[0], Prints):
        yield Shows(found[0].span, found[0].text, pasted.form, "inside", pasted.code_line, None)
    else:
        yield from found


_PROMPT = pattern(r"(\s*)(?:>>> ?|In ?\[[\d ]*\]: ?)(.*)$")
_MORE = pattern(r"\s*\.\.\.(?:: ?|:?$| ?)(.*)$")
_REMARK = pattern(r"\s*#(?:\s|[^\W\d_])")
"""Between the prompts."""
OUT = pattern(r"\s*(?:Out ?)?\[(?:[\d ]*|Out)\]: ?|\s*Out ?\[[\d ]*\]: ?")
"""What IPython writes before a value."""


def _transcript(name: str, lines: Sequence[str]) -> Cut | None:
    """Remove the prompts; what follows each statement is its output."""
    code: list[tuple[int, str]] = []
    pasted: list[Pasted] = []
    first = 0
    output: list[tuple[int, str]] = []
    indent = ""
    for at, line in enumerate((*lines, ">>>")):
        prompt = _PROMPT.match(line)
        more = None if prompt or output else _MORE.match(line)
        if prompt:
            while output and not output[-1][1].strip():
                output.pop()
            if output:
                tree = parsed("\n".join(text for _, text in code[first:]))
                node = tree.body[-1] if tree and tree.body else None
                shows = isinstance(node, ast.Expr) and not is_print(node)
                places, texts = [place for place, _ in output], [text for _, text in output]
                pasted.append(Pasted(name, places, texts, first + (node.lineno - 1 if node else 0), shows))
            indent, first, output = prompt[1], len(code), []
            code.append((at, prompt[2]))
        elif more and code:
            code.append((at, more[1]))
        elif code and not _REMARK.match(line):
            text = OUT.sub("", line.removeprefix(indent), count=1)
            output.append((at, "" if text.strip() == "<BLANKLINE>" else text))
    code.pop()
    return Cut([text for _, text in code], [at for at, _ in code], pasted) if code else None


_LABEL = pattern(r"\s*(?:(?P<quote>'''|\"\"\")(?P<quoted>[^'\"]*)(?P=quote)|(?:#+|//)(?P<comment>.*))\s*$")
_CODE = pattern(
    r"(?:from [\w.]+ import |import \w|(?:async )?(?:def|class|for|while|with|if|try|elif|else|return)\b.*:\s*(?:#.*)?$|@\w)"
    r"|[\w.]*\b(?:print|display)\(|(?![\w., ]+=\s*(?:tensor|[\[(]))[\w., \[\]]+\s*[-+*/@]?=\s*[^=\s].*[\w)\]'\"]\s*(?:#.*)?$"
)
"""A line that by itself can only be code."""


def _labelled(name: str, lines: Sequence[str]) -> Cut | None:
    """Take the output after each label; what follows a label in comment lines is read by another form."""
    code: list[int] = []
    pasted: list[Pasted] = []
    labels = [at for at in range(len(lines)) if _opens(lines, at)]
    at = 0
    while at < len(lines):
        stop = at + 1
        if code and at in labels:
            # output goes on to the end, or to a line that can only be code with another label below it
            stop = next((n for n in range(stop, labels[-1]) if _CODE.match(lines[n])), len(lines))
            taken = [n for n in range(at + 1, stop) if lines[n].strip() not in ("'''", '"""', "```")]
            pasted.append(Pasted(name, taken, [lines[n] for n in taken]))
        else:
            code.append(at)
        at = stop
    return Cut([lines[n] for n in code], code, pasted) if pasted else None


def _opens(lines: Sequence[str], at: int) -> bool:
    """True if a line is a label and what follows it is output."""
    found = _LABEL.match(lines[at]) if lines[at].lstrip()[:1] in ("'", '"', "#", "/") else None
    if not found or not is_label(found["quoted"] or found["comment"] or ""):
        return False
    rest = [line for line in lines[at + 1 :] if line.strip()]
    if not rest or rest[0].lstrip().startswith("#"):
        return False
    return bool(found["quote"]) or not (_CODE.match(rest[0]) or looks_like_code("\n".join(rest)))


INSIDE: tuple[Inside, ...] = (
    Inside(
        "transcript", _transcript, "```\n>>> x.shape\ntorch.Size([2])\n```",
        ("QQstone/qqsnote/source/_posts/BasicPython-0.md", "Vin-Yuan/Vin-Yuan.github.io/source/_posts/spark.md"),
    ),
    Inside("marked", _labelled, "```python\nprint(x)\n''' 运行结果 '''\ntensor([1])\n```", ("seed 001",)),
)  # fmt: skip
