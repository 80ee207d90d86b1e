"""Which lines below code are its output: what its own prints write, and how values look."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from deckgen.model.source import Span
from deckgen.read.plain.lines import BULLETED, NUMBERED, Lines
from deckgen.read.reindent.logical import Logical, Scan
from deckgen.text.pattern import CHINESE, pattern
from deckgen.text.syntax import dotted, nodes

_LABEL = pattern(
    r"\s*(?:'''|\"\"\"|#+|>+|\*\*|【)?\s*«read.output_label»\s*(?:\*\*)?\s*[:：]?\s*(?:'''|\"\"\"|】|\*\*)?\s*"
)
"""What announces output: `''' 运行结果 '''`, `输出:`, `Output`."""
_NUMBER = r"[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?[jL]?%?"
_VALUE = pattern(
    r"""\s*(?:
      [\[(]*(?:tensor|array|Parameter|OrderedDict|defaultdict|deque|Counter|device|dtype|Size|set|range)\(
    | [\[(]*torch\.(?:Size\(|\w*(?:float|int|bool|complex)\w*\b|return_types|strided\b)
    | <[a-zA-Z_][\w. ]*(?:\s.*)?>?$ | dict_(?:keys|values|items)\(
    | \(\w[\w.]*\):\ \w+\(            # a child in the repr of a module
    | \d+\s*(?:->|:)\s                 # enumerated
    | [-=*_~\#]{4,}\s*$                # rules
    | (?:True|False|None|nan|inf)\s*$
    | [\[(]*\s*NUMBER(?:[\s,\])]+NUMBER)*[\s,\])]*$
    | [\])},]+[\s,\])}]*(?:(?:dtype|device|grad_fn|requires_grad|size)=.*)?$
    | [\[(]+\s*[\[\]('"\-\d.].*[\])},]\s*$ | [\[({]\s*$
    | \[\]\s*$ | \{['"\d].*
    | Traceback\ \(most | File\ ".*",\ line\ \d | (?:\w+\.)*\w*(?:Error|Exception|Warning)\b\s*(?::|$)
    )""".replace("NUMBER", _NUMBER),
    re.X,
)
"""How reprs, numbers, separators and tracebacks begin."""
_NAMED = pattern(
    r"\s*(?:(?![\s:=：])(?:[^:=：()\[\]]|\([^()=]*\)|\[[^\[\]=]*\]){1,40}(?:(?<!\d)[:=：]|[:=：](?!\d))\s*(?=\S)"
    r"|[\w.\[\]'-]+\s+(?=(?:tensor|array)\(|torch\.Size\(|<class '))"
)
"""A name before its value: `loss: 0.5` (`10:20` is a time), `fc.weight torch.Size([1])`."""
_DIGITS = pattern(r"\d+(?:\.\d+)?")


def announced_by(line: str) -> bool:
    """Whether a line says that what follows is output."""
    return len(line) < 200 and _LABEL.fullmatch(line) is not None


def looks_like_value(line: str) -> bool:
    """`tensor([1.])`, `42`, `loss: 0.5`, `------`, `Traceback (most recent call last):`."""
    named = _NAMED.match(line)
    return bool(_VALUE.match(line) or (named and _VALUE.match(line, named.end())))


Template = tuple[str, ...]
"""The fixed words of a line that a print writes, in order; between them stands anything."""
_ANY = "\x00"
"""In the text of a print: what only a run can tell."""


def templates(lines: Iterable[Logical]) -> list[Template]:
    """What the prints of a snippet write, line by line; prints without any fixed word give nothing."""
    calls = (
        node
        for line in lines
        if line.node is not None and "print" in line.text
        for node in nodes(line.node)
        if isinstance(node, ast.Call) and dotted(node.func) == "print"
    )
    texts = (part for call in calls for part in " ".join(map(_printed, call.args)).split("\n"))
    return list(dict.fromkeys(tuple(text.strip().split(_ANY)) for text in texts if _has_fixed_words(text)))


def _has_fixed_words(text: str) -> bool:
    """Whether the fixed words of a print tell its line from other text."""
    fixed = text.replace(_ANY, "").strip()
    word = any(sign.isalnum() or sign == "_" for sign in fixed)
    return (len(fixed) >= 3 and word) or (_ANY not in text and (len(fixed) >= 3 or word))


def _printed(node: ast.expr) -> str:
    """The text that an argument prints."""
    match node:
        case ast.Constant(value=value):
            return str(value)
        case ast.JoinedStr(values=parts):
            return "".join(map(_printed, parts))
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _printed(left) + _printed(right)
        case ast.BinOp(op=ast.Mult(), left=ast.Constant(str(text)), right=ast.Constant(int(times))):
            return text * min(times, 200)
        case ast.Call(func=ast.Attribute(value=text, attr="format")):
            return re.sub(r"\{[^{}]*\}", _ANY, _printed(text))
        case _:
            return _ANY


def printed(line: str, written: Sequence[Template]) -> bool:
    """Whether one of the prints can have written a line."""
    text = line.strip()
    return any(_fits(text, template) for template in written)


def _fits(text: str, template: Template) -> bool:
    """Finds the fixed words from left to right. (A pattern of many `.*` could take exponential time.)"""
    first, *middle = template
    if not middle:
        return text == first
    last = middle.pop()
    position, stop = len(first), len(text) - len(last)
    if position > stop or not (text.startswith(first) and text.endswith(last)):
        return False
    for piece in middle:
        found = text.find(piece, position, stop)
        if found < 0:
            return False
        position = found + len(piece)
    return True


def output_below(known: Lines, start: int, parts: Sequence[Logical]) -> tuple[Span, int] | None:
    """The lines of the output below a run of code, and how many of them only announce it."""
    first = known.next_filled(start)
    if first - start > 2 or first >= len(known):
        return None
    labelled = announced_by(known.lines[first])
    number = known.next_filled(first + 1) if labelled else first
    stop = _output_end(known, number, templates(parts), labelled=labelled)
    return (Span(first, stop), number - first) if stop > number else None


def _output_end(known: Lines, first: int, written: Sequence[Template], *, labelled: bool) -> int:
    scan, stop, number = Scan(), first, first
    while number < len(known) and number - stop <= 2:
        line = known.lines[number]
        if line.strip():
            goes_on = (
                _is_output(known, number, written)
                or (scan.open and not CHINESE.search(line))
                or (number > first and _without_numbers(line) == _without_numbers(known.lines[number - 1]))
                or (labelled and number == first and not _is_text(known, number))
            )
            if not goes_on:
                break
            scan.triple = ""
            scan.feed(line[:500])
            stop = number + 1
        number += 1
    return stop


def _is_output(known: Lines, number: int, written: Sequence[Template]) -> bool:
    line = known.lines[number]
    if len(line) > 2000:
        return False
    if printed(line, written):
        return True
    if NUMBERED.match(line) or BULLETED.match(line):
        return False
    return looks_like_value(line) or (number > 0 and known.lines[number - 1].lstrip().startswith('File "'))


def _is_text(known: Lines, number: int) -> bool:
    line = known.lines[number]
    return bool(CHINESE.search(line) or NUMBERED.match(line)) or known.strength(number) == "strong"


def _without_numbers(line: str) -> str:
    """What a print in a loop writes again and again."""
    return _DIGITS.sub("0", line.strip()) if len(line) < 500 and _DIGITS.search(line) else line
