"""Output pasted as plain lines: one claim for each thing that was printed. And how output is cut out of a block of code."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import Literal, NamedTuple

from deckgen.extract.claims.code import assigned, fits, is_print, prints_inside
from deckgen.extract.claims.values import TRACEBACK, is_label, leading_value, only_values, without_remarks
from deckgen.model.claim import Claim, ClaimPlace, Prints, Raises, Shows
from deckgen.model.source import line_span
from deckgen.text.pattern import COLOUR, pattern
from deckgen.text.syntax import dotted, parsed, without_magics
from deckgen.written import is_left_out
from deckgen.written.lines import WARNED, paragraphs
from deckgen.written.values import may_be_repr

Stream = Literal["stdout", "stderr", "any"]
_EXCEPTION = (
    r"(?P<type>(?:\w+\.)*(?:_?[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning|Exit)|Exception))"
    r"(?::\s*(?P<message>.*))?"
)
_ERROR = pattern(_EXCEPTION, re.DOTALL)
_LAST_ERROR = pattern(rf"^(?=\S){_EXCEPTION}$", re.DOTALL | re.MULTILINE)
_OTHER = pattern(r"(?P<type>(?:\w+\.)*_?[A-Z]\w*)(?::\s*(?P<message>.*))?", re.DOTALL)
"""Behind a traceback any class may stand: `torch._dynamo.exc.Unsupported: ...`, `Exception: ...`, one of the author's own."""
_UNRECORDED = "ignored"
"""What Colab stores in place of every message."""
STDERR = pattern(r".*\d%\|.*\||.*Warning: ")
"""Progress bars and warnings."""
TIMED = pattern(r"(?:CPU times: |Wall time: ).*|.* per loop \(mean ± std\. dev\. of .*", re.DOTALL)
"""What `%time` and `%timeit` write: no word of the code's own."""
_TORN = pattern(r"(?<=[\d.])\s*\n\s*(?=\d)")


def claims_of_output(
    texts: Sequence[str],
    lines: Sequence[int],
    form: str,
    place: ClaimPlace,
    code_line: int | None,
    stream: Stream = "stdout",
) -> Iterator[Prints | Raises]:
    """Claims of pasted lines. `lines` are their 0-based source lines; a lone `...` leaves lines out."""
    texts = without_remarks([COLOUR.sub("", text) for text in texts])
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
    """Paragraphs, an exception with the rest of its message."""
    until = 0
    for start, stop in paragraphs(texts):
        if start < until:
            continue
        until = stop
        if raised("\n".join(texts[start:stop])):
            while until < len(texts) and texts[until].strip() and is_rest_of_message(texts[until]):
                until += 1
        yield start, until


def is_rest_of_message(line: str) -> bool:
    """True for what stands below an exception: indented lines, and a list of overloads (`* (Tensor input, int dim)`)."""
    return line[:1].isspace() or line.startswith("* (")


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
    """True if the statement is an expression whose value a prompt echoes, or binds one."""
    target: str | None = None
    """What it binds."""


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
        one = found[0]  # what follows the value explains it, as in a comment below the statement
        text = leading_value(one.text) or one.text
        yield Shows(one.span, text, pasted.form, "inside", pasted.code_line, pasted.target)
    else:
        yield from found


_PROMPT = pattern(r"(\s*)(?:>>> ?|In ?\[[\d ]*\]: ?)(.*)$")
_MORE = pattern(r"\s*\.\.\.(?:: ?|:?$| ?)(.*)$")
_SKIPPED = pattern(r"#\s*doctest:.*\+SKIP\b")
"""Code that its author wants neither run nor compared."""
_CALL = pattern(r"[a-z_]\w*(?:\.\w+)+\(")
REPR = pattern(r"tensor\(|torch\.Size\(|array\(|Parameter containing:|<class '")
"""How a line begins that can only be output, unless its name was imported."""
_REMARK = pattern(r"\s*#(?:\s|[^\W\d_]|#*\s*$)")
"""Between the prompts; also a line of marks."""
OUT = pattern(r"(?<!\s)\s*(?:Out ?)?\[(?:[\d ]*|Out)\]: ?|(?<!\s)\s*Out ?\[[\d ]*\]: ?")
"""What IPython writes before a value."""


def is_transcript(lines: Sequence[str]) -> bool:
    """True if prompts stand before code; False where they mark output, as in `print(x)` / `>>> tensor([1.])`."""
    prompts = [at for at, line in enumerate(lines) if _PROMPT.match(line)]
    if prompts and lines[prompts[0]].lstrip()[0] == ">" and parsed("\n".join(lines)) is not None:
        return False  # they stand in a docstring
    above = bool(prompts) and any(line.strip() for line in lines[: prompts[0]])
    return bool(prompts) and not (above and all(_behind_prompt(lines[at:]) for at in prompts))


def _behind_prompt(lines: Sequence[str]) -> bool:
    """True if a value begins behind the prompt of the first line."""
    texts = [_PROMPT.sub(r"\2", lines[0]), *lines[1:200]]
    return only_values(texts[: next(paragraphs(texts), (0, 0))[1]])


def _pasted(form: str, node: ast.stmt | None, first: int, at: Sequence[int], texts: Sequence[str]) -> Pasted:
    """What the last statement of the code from a line on shows."""
    target = assigned(node) if node else None
    shows = isinstance(node, ast.Expr) and not is_print(node)
    return Pasted(form, at, texts, first + (node.lineno - 1 if node else 0), shows or target is not None, target)


def _transcript(name: str, lines: Sequence[str]) -> Cut | None:
    """Remove the prompts; what follows each statement is its output."""
    if not is_transcript(lines):
        return None
    code: list[tuple[int, str]] = []
    pasted: list[Pasted] = []
    first = 0
    output: list[tuple[int, str]] = []
    indent = ""
    for at, line in enumerate((*lines, ">>>")):
        prompt = _PROMPT.match(line)
        more = None if prompt or output else _MORE.match(line)
        if (
            prompt
            and code
            and not output
            and REPR.match(prompt[2])
            and not any(map(REPR.match, lines[at + 1 : at + 2]))
        ):
            output.append((at, prompt[2]))  # `>>> torch.Size([2])` below `>>> x.shape`
        elif prompt:
            texts = _written([text for _, text in output])
            if any(_SKIPPED.search(text) for _, text in code[first:]):
                code[first:] = [(place, f"# {text}") for place, text in code[first:]]
            elif texts and any(text.strip() for _, text in code[first:]):  # an empty prompt shows nothing
                tree = parsed("\n".join(text for _, text in code[first:]))
                node = tree.body[-1] if tree and tree.body else None
                pasted.append(_pasted(name, node, first, [place for place, _ in output[: len(texts)]], texts))
            indent, first, output = prompt[1], len(code), []
            code.append((at, prompt[2]))
        elif more and code:
            code.append((at, more[1]))
        elif code and not output and line[:1].isspace() and _goes_on(line, [text for _, text in code[first:]]):
            code.append((at, line.removeprefix(indent)))
        elif code and not _REMARK.match(line):
            text = OUT.sub("", line.removeprefix(indent), count=1)
            output.append((at, "" if text.strip() == "<BLANKLINE>" else text))
    code.pop()
    return Cut([text for _, text in code], [at for at, _ in code], pasted) if code else None


def _goes_on(line: str, code: Sequence[str]) -> bool:
    """True if a line goes on with a statement: with the block below its colon, or with what its brackets hold."""
    depths = [len(text) - len(text.lstrip()) for text in (*code[1:2], line)]
    in_block = code[0].split("#")[0].rstrip().endswith(":") and depths[0] <= depths[-1]
    return in_block or next(paragraphs([*code, ")"]), (0, 0))[1] > len(code)


def _written(texts: Sequence[str]) -> Sequence[str]:
    """Output up to the signature of a function that stands below it, without blank lines at its end."""
    signature = (start for start, stop in paragraphs(texts) if _is_signature("\n".join(texts[start:stop])))
    stop = next(signature, len(texts))
    while stop and not texts[stop - 1].strip():
        stop -= 1
    return texts[:stop]


def _is_signature(text: str) -> bool:
    """True for `torch.zeros(*size, out=None)`, which no output looks like."""
    return _CALL.match(text) is not None and looks_like_code(text)


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
    code = dedent("\n".join(rest))
    return bool(found["quote"]) or not (_CODE.match(code) or looks_like_code(code))


_STRING = pattern(r"^('''|\"\"\")(.*?)\1[ \t]*$", re.DOTALL | re.MULTILINE)


def _between(name: str, lines: Sequence[str]) -> Cut | None:
    """Take output that stands right below what shows it: values, what a print writes, what `>>>` or quotes set apart."""
    tree = parsed("\n".join(lines))
    if tree and not any(_is_stray(node) for node in tree.body):
        return None
    quoted = _quoted(lines)
    shown = _shown(lines, quoted)
    at = [n for n in range(len(lines)) if n not in shown]
    code = [lines[n] for n in at]
    tree = parsed(without_magics("\n".join(code))) if shown else None
    if tree is None or not tree.body or not (quoted or looks_like_code("\n".join(code))):
        return None
    starts = [at[node.lineno - 1] for node in tree.body]
    groups: dict[int, list[int]] = {}
    for line in shown:
        groups.setdefault(bisect_left(starts, line) - 1, []).append(line)
    pasted: list[Pasted] = []
    last = -1
    for index, places in groups.items():
        node, texts = tree.body[index], [shown[line] for line in places]
        if index < 0 or _CHANGED.search(ast.unparse(node)):
            return None
        prints = [one for one in tree.body[last + 1 : index + 1] if prints_inside(one) and not _is_definition(one)]
        if not (prints or isinstance(node, ast.Expr) or (assigned(node) and any(map(REPR.match, texts)))):
            return None
        if prints and len(texts) == 1:
            texts = [_PRINTED.sub(r"\2", texts[0])]
        several = len(prints) > 1 and len(list(paragraphs(texts))) > 1
        # One thing below several prints is what the last of them writes; more are in order.
        pasted.append(Pasted(name, places, texts) if several else _pasted(name, node, 0, places, texts))
        last = index
    return Cut(code, at, pasted)


_CHANGED = pattern(r"^\w+\.(?:append|extend|insert|pop|remove|reverse|sort|update|clear)\(")
"""What it returns and what it leaves changed: either may be what is shown."""
_PRINTED = pattern(r"^(['\"])([^'\"]*)\1$")
"""Quotes around what a print writes are the author's own."""


def _is_stray(node: ast.stmt) -> bool:
    """True for a statement that shows a value and computes nothing."""
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    return isinstance(node, ast.Expr) and (isinstance(node.value, ast.Constant) or _is_shown(node.value))


def _is_definition(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _shown(lines: Sequence[str], quoted: Mapping[int, tuple[Sequence[str], bool]]) -> dict[int, str]:
    """The lines that can only be output, with what they show."""
    calls: list[ast.Call] = []
    shown: dict[int, str] = {}
    below = 0
    for start, stop in paragraphs(lines):
        part = lines[start:stop]
        if start in quoted and start >= below:
            part, labelled = quoted[start]
            below = start + len(part)
            output = labelled or only_values(part) or _fit(part, calls)
        elif start < below or part[0][:1].isspace():
            output = False
        elif prompt := _PROMPT.match(part[0]):
            part, output = [prompt[2], *part[1:]], True
        else:
            output = _fit(part, calls) or (only_values(part) and not (_ALONE.match(part[0]) or is_left_out(part[0])))
        if output:
            shown.update(enumerate(part, start))
        elif "print" in part[0]:
            printing = parsed("\n".join(part).strip())
            calls = [*calls, *(prints_inside(printing) if printing else ())][-_IN_REACH:]
    return shown


_IN_REACH = 20
"""Prints above a line that may have written it."""


def _quoted(lines: Sequence[str]) -> dict[int, tuple[list[str], bool]]:
    """Texts in triple quotes that stand for themselves: first line -> (their lines, whether a label says that it is output).

    Of a label `Output` and of a `# remark` at the end only empty lines are left.
    """
    text = "\n".join(lines)
    found: dict[int, tuple[list[str], bool]] = {}
    for one in _STRING.finditer(text):
        inner = one[2].split("\n")
        first = next((at for at, line in enumerate(inner) if line.strip()), 0)
        prompt = OUT.match(inner[first])
        labelled = bool(prompt) or (len(inner) > 1 and is_label(inner[first]))
        if labelled:
            inner[first] = inner[first][prompt.end() :] if prompt else ""
        stop = next((at for at, line in enumerate(inner) if line.startswith("#")), len(inner))
        shown = [line.rstrip() if at < stop else "" for at, line in enumerate(inner)]
        found[text.count("\n", 0, one.start())] = [shown[0].lstrip(), *shown[1:]], labelled
    return found


def _fit(part: Sequence[str], calls: Sequence[ast.Call]) -> bool:
    """True if prints above write these lines, or a traceback is what they are."""
    text = "\n".join(part).strip()
    return TRACEBACK in text or (any(fits(text, call) for call in calls) and not looks_like_code(text))


_ALONE = pattern(r"[bru]?['\"]|(?:np|numpy)\.(?!float|u?int|bool|str|complex|array)")
"""What may stand as code for itself: a remark in quotes, a call of numpy."""


@lru_cache(maxsize=256)
def is_session(text: str) -> bool:
    """True for code together with what it shows: behind prompts, or so that only code is left without the output."""
    lines = text.split("\n")
    if is_transcript(lines):
        return True
    return (any(map(REPR.match, lines)) or ">>>" in text) and _between("", lines) is not None


INSIDE: tuple[Inside, ...] = (
    Inside(
        "transcript", _transcript, "```\n>>> x.shape\ntorch.Size([2])\n```",
        ("QQstone/qqsnote/source/_posts/BasicPython-0.md", "Vin-Yuan/Vin-Yuan.github.io/source/_posts/spark.md"),
    ),
    Inside("marked", _labelled, "```python\nprint(x)\n''' 运行结果 '''\ntensor([1])\n```", ("seed 001",)),
    Inside("between", _between, "```\nprint(x)\ntensor([1])\nprint(y)\n```", (
            "Ebazhanov/linkedin-skill-assessments-quizzes/python/python-quiz.md",
            "Vin-Yuan/Vin-Yuan.github.io/source/_posts/GPT.md",
        )),
)  # fmt: skip
