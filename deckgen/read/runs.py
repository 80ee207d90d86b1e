"""Runs of lines in text that has lost its fences: code, output, tables, flattened code, text.

The order of the questions matters: a numbered heading (`3. x`) and a table row parse as Python, so
they are asked about first; and output is cut off a run before the run is called code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from deckgen.read import outputs
from deckgen.read.pylines import LONGEST, Logical, Scan, dotted, logical_at
from deckgen.source import Span

Kind = Literal["code", "shell", "output", "table", "flattened", "text"]

CJK = re.compile(r"[\u3400-\u9fff]")
_NUMBERED = re.compile(r"\s*(?:\*\*)?\d+(?:\.\d+)*[.、)）]\s|\s*(?:\*\*)?\d+(?:\.\d+)+\s|\s*\d+\.[^\d\s]")
_BULLET = re.compile(r"\s*(?:[-*+•·●○▪]\s|[-—]{1,2}\s)")
_FLATTENED = re.compile(
    r"\s*(?:PYTHON|BASH|SHELL|CPP|JAVA|JAVASCRIPT|TYPESCRIPT|JSON|YAML|SQL|HTML|CSS|TEXT|PLAINTEXT)(?=[a-z#@$])"
)
_INLINE_BLOCK = re.compile(
    r"\s*(?:(?:async )?def \w+\(.*?\)(?:\s*->.*?)?|class \w+(?:\(.*?\))?|try|with .*?|for \w.*? in .*?)\s*:\s\S"
)
_LATER_BLOCK = re.compile(r"\s*[\w.]+\s*=\s*\S.*\s(?:def \w+\(.*?\)|class \w+.*?|for \w.*? in .*?|with .*?):\s")
_SPACED_CALL = re.compile(r"[\w.]+\s*=\s*[\w.]+\(\s+\w")
_SHELL = re.compile(
    r"\s*(?:[$%]\s+\w|(?:pip3?|conda|mamba|uv|apt(?:-get)?|brew) (?:install|uninstall|create|activate|add)\b"
    r"|(?:torchrun|accelerate launch|deepspeed|nvidia-smi|tensorboard --|git (?:clone|checkout|pull)\b"
    r"|python3?\s+(?:-m\s+)?[\w./-]+(?:\.py)?\s*(?:-|$)|cd \S|export \w+=|wget |curl |CUDA_VISIBLE_DEVICES=))"
)
_NEVER_CODE = re.compile(r"\#{2,6}\s|\s*(?:[\[{<|\d\u3000-\u9fff\uff00-\uffef]|$)")
_NEVER_CLOSED = re.compile(r"\s*[\w.]+\s*=\s*[\w.]+\(\s*(?:#.*)?$")
_PLAIN_CALL = re.compile(r"(\w+)\(\)$")
_MODULES = frozenset(
    ["torch", "nn", "F", "np", "optim", "plt", "pd", "autograd", "data", "utils", "transforms", "torchvision"]
)
STRONG = frozenset(
    [
        "import",
        "assign",
        "augment",
        "return",
        "raise",
        "assert",
        "print",
        "del",
        "global",
        "nonlocal",
        "decorator",
        "def",
        "class",
        "for",
        "while",
        "if",
        "elif",
        "else",
        "with",
        "try",
        "except",
        "finally",
        "match",
        "case",
        "yield",
        "broken",
    ]
)
_TYPES = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.Constant)
"""What an annotation can be made of."""
_WEAK = frozenset(["call", "string", "comment", "annotate", "pass", "break", "continue"])


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring lines of one kind."""

    kind: Kind
    span: Span
    logical: tuple[Logical, ...] = field(default=(), compare=False)
    """The logical lines of code."""
    label: int = 0
    """Lines at the start of an output that only announce it."""


def numbered(line: str) -> bool:
    return bool(_NUMBERED.match(line))


def bulleted(line: str) -> bool:
    return bool(_BULLET.match(line))


class Lines:
    """The lines of a text with what was found out about them, each asked at most once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._logical: dict[int, Logical | None] = {}

    def __len__(self) -> int:
        return len(self.lines)

    def blank(self, number: int) -> bool:
        return not self.lines[number].strip()

    def next_filled(self, number: int) -> int:
        """The first line from here on that is not blank."""
        while number < len(self.lines) and self.blank(number):
            number += 1
        return number

    def logical(self, number: int) -> Logical | None:
        if number not in self._logical:
            self._logical[number] = self._find(number)
        return self._logical[number]

    def _find(self, number: int) -> Logical | None:
        line = self.lines[number]
        if _NEVER_CODE.match(line) or len(line) > 2000 or numbered(line) or bulleted(line):
            return None
        found = logical_at(self.lines, number)
        if found is None and _NEVER_CLOSED.match(line):
            return self._broken(number)
        return found

    def _broken(self, start: int) -> Logical | None:
        """A call whose bracket never closes: its lines up to the next text."""
        scan, stop = Scan(), start
        while stop < min(len(self.lines), start + LONGEST):
            line = self.lines[stop]
            if stop > start and (self.blank(stop) or CJK.match(line) or numbered(line) or bulleted(line)):
                break
            scan.feed(line)
            stop += 1
        if stop < start + 2 or not scan.open:
            return None
        return Logical(start, stop, "\n".join(self.lines[start:stop]), "broken")

    def all_logical(self, span: Span) -> list[Logical]:
        """The logical lines that begin in a span."""
        found = (self.logical(number) for number in range(span.start, span.stop) if not self.blank(number))
        return [line for line in found if line is not None]

    def strength(self, number: int) -> Literal["strong", "weak", ""]:
        """Whether a line is code by itself, only beside other code, or not at all."""
        found = self.logical(number)
        if found is None:
            return ""
        if found.kind in STRONG or (found.kind == "call" and found.comment):
            return "strong"
        if found.kind == "annotate" and not isinstance(getattr(found.node, "annotation", None), _TYPES):
            return ""  # `a: tensor([1, 2])` is what a print wrote
        if found.kind in _WEAK:
            return "weak"
        return "weak" if found.kind == "expr" and _of_a_variable(found) else ""


def _of_a_variable(line: Logical) -> bool:
    """`x.shape`, `x[0]`, `a @ b`: but not a bare word or a number."""
    value = getattr(line.node, "value", None)
    name = dotted(value) if value is not None else ""
    if name:
        return "." in name and not name.startswith(".")
    return bool(re.match(r"[A-Za-z_]\w*(?:\[|\s*@\s|\.\w+\[)", line.text))


def runs(lines: Sequence[str]) -> list[Run]:
    """All lines of a text, in runs; blank lines belong to no run."""
    known = Lines(lines)
    found: list[Run] = []
    number = 0
    while number < len(lines):
        if known.blank(number):
            number += 1
            continue
        new = _next(known, number)
        found += new
        number = new[-1].span.stop
    return found


def _next(known: Lines, number: int) -> list[Run]:
    line = known.lines[number]
    if _is_row(line):
        return [Run("table", Span(number, _table_end(known, number)))]
    if flattened(line):
        return [Run("flattened", Span(number, number + 1))]
    if _SHELL.match(line) and not CJK.search(line.split("#")[0]):
        return [Run("shell", Span(number, _shell_end(known, number)))]
    code = _code_run(known, number)
    return code or [Run("text", Span(number, number + 1))]


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|") and line.count("|") >= 2


def _table_end(known: Lines, start: int) -> int:
    """Rows of scraped tables sometimes lose their first bar."""
    stop = start + 1
    while stop < len(known) and (
        _is_row(known.lines[stop])
        or (known.lines[stop - 1].rstrip().endswith("|") and known.lines[stop].count("|") >= 2)
    ):
        stop += 1
    return stop


def _shell_end(known: Lines, start: int) -> int:
    stop = start + 1
    while stop < len(known) and (known.lines[stop - 1].endswith("\\") or _SHELL.match(known.lines[stop])):
        stop += 1
    return stop


def flattened(line: str) -> bool:
    """Whether a line is a whole snippet whose line ends are gone."""
    if _FLATTENED.match(line):
        return len(line) > 20 and bool(re.search(r"[=(#]|--", line))
    if len(line) <= 60:
        return False
    if not any(pattern.match(line) for pattern in (_INLINE_BLOCK, _SPACED_CALL, _LATER_BLOCK)):
        return False
    found = logical_at([line], 0)
    if found is None:
        return line.count("=") + line.count("(") >= 3
    # `def f(x): # note y = x + 1 return y`: all that follows the first mark is a comment to Python.
    return found.header and (found.comment.count("=") + found.comment.count("(") >= 3 or " return " in found.comment)


def _code_run(known: Lines, start: int) -> list[Run]:
    """Code from a line on, and the output below it; nothing if there is no code.

    Weak lines alone are no code, but they are text only together, so that no line is asked twice.
    """
    parts: list[Logical] = []
    strong = False
    number = start
    while (part := _part(known, number, parts)) is not None:
        strong = strong or known.strength(part.start) == "strong"
        parts.append(part)
        number = part.stop
        following = known.next_filled(number)
        if following - number <= 2 and following < len(known):
            number = following
    if not parts:
        return []
    stop = parts[-1].stop
    if not strong and not _calls_alone(known, parts):
        return [Run("text", Span(n, n + 1)) for n in range(start, stop) if not known.blank(n)]
    return [Run("code", Span(start, stop), tuple(parts)), *_output(known, stop, parts)]


def _part(known: Lines, number: int, parts: list[Logical]) -> Logical | None:
    """The logical line at a line, if it goes on with (or begins) a run of code."""
    if number >= len(known):
        return None
    strength = known.strength(number)
    found = known.logical(number)
    line = known.lines[number]
    if strength == "" or found is None:
        return _torn_comment(known, number) if parts else None
    if flattened(line) or _is_row(line):
        return None
    if strength == "strong" and found.kind != "string":
        return found
    if parts and found.kind != "comment" and (outputs.looks_like_value(line) or outputs.LABEL.fullmatch(line)):
        return None
    if found.kind == "comment" and (_announces_output(known, found) or not (parts or _above_code(known, found))):
        return None
    if parts and found.kind in ("annotate", "string") and outputs.printed(line, outputs.templates(parts)):
        return None
    if found.kind == "expr" and parts and dotted_root(found) in _MODULES:
        return None
    if _PLAIN_CALL.match(line.strip()) and not _called_in_code(known, found, parts):
        return None
    return found


def dotted_root(line: Logical) -> str:
    """`torch` of `torch.no_grad`."""
    return line.text.split(".")[0]


def _above_code(known: Lines, comment: Logical) -> bool:
    """A comment begins a run if something stands right below it: else it may be a Markdown heading."""
    return comment.stop < len(known) and not known.blank(comment.stop)


def _announces_output(known: Lines, comment: Logical) -> bool:
    """`# 输出:` above output that is not itself commented out."""
    if not outputs.LABEL.fullmatch(comment.text):
        return False
    following = known.next_filled(comment.stop)
    return (
        following < len(known)
        and known.strength(following) != "strong"
        and not (known.lines[following].lstrip().startswith("#"))
    )


def _torn_comment(known: Lines, number: int) -> Logical | None:
    """A line between two comments that is the end of the first, broken off by the page's width."""
    line = known.lines[number].strip()
    after = known.next_filled(number + 1)
    beside = [known.lines[number - 1].lstrip(), known.lines[after] if after < len(known) else ""]
    if all(text.startswith("#") for text in beside) and line and line[-1] in ")]}," and not CJK.match(line):
        return Logical(number, number + 1, "# " + line, "comment")
    return None


def _called_in_code(known: Lines, call: Logical, parts: list[Logical]) -> bool:
    """A lone `name()` is a heading, unless code follows or the run defines the name."""
    name = call.text.removesuffix("()")
    if any(part.kind in ("def", "class") and re.search(rf"\b{name}\b", part.text) for part in parts):
        return True
    following = known.next_filled(call.stop)
    return following < len(known) and known.strength(following) == "strong"


def _calls_alone(known: Lines, parts: list[Logical]) -> bool:
    """Whether weak lines are code after all: a signature below its name, or calls below a colon."""
    calls = [part for part in parts if part.kind in ("call", "expr") and "." in part.text.split("(")[0]]
    if not calls:
        return False
    above = calls[0].start - 1
    while above >= 0 and known.blank(above):
        above -= 1
    if above < 0:
        return False
    before = known.lines[above].strip()
    name = calls[0].text.split("(")[0]
    if len(parts) == 1 and before in (name, name.rsplit(".", 1)[-1]):
        return True
    return calls[0].kind == "call" and before.endswith((":", "：")) and not calls[0].text.endswith("()")


def _output(known: Lines, start: int, parts: list[Logical]) -> list[Run]:
    """The output below a run of code."""
    number = first = known.next_filled(start)
    if first - start > 2 or first >= len(known):
        return []
    labelled = bool(outputs.LABEL.fullmatch(known.lines[first]))
    number = known.next_filled(first + 1) if labelled else first
    stop = _output_end(known, number, outputs.templates(parts), labelled)
    if stop == number:
        return []
    return [Run("output", Span(first, stop), label=number - first)]


def _output_end(known: Lines, number: int, patterns: list[re.Pattern[str]], labelled: bool) -> int:
    scan, stop, first = Scan(), number, number
    while number < len(known):
        line = known.lines[number]
        if not line.strip():
            number += 1
            if number - stop > 2:
                break
            continue
        goes_on = _is_output(known, number, patterns) or (scan.open and not CJK.search(line))
        if not goes_on and not (labelled and number == first and not _is_text(known, number)):
            break
        scan.triple = ""
        scan.feed(line[:500])
        number += 1
        stop = number
    return stop


def _is_output(known: Lines, number: int, patterns: list[re.Pattern[str]]) -> bool:
    line = known.lines[number]
    if len(line) > 2000:
        return False
    if outputs.printed(line, patterns):
        return True
    if numbered(line) or bulleted(line):
        return False
    if number and known.lines[number - 1].lstrip().startswith('File "'):
        return True
    return outputs.looks_like_value(line)


def _is_text(known: Lines, number: int) -> bool:
    line = known.lines[number]
    return bool(CJK.search(line)) or numbered(line) or known.strength(number) == "strong"
