"""Answers of quizzes about code are claims about it: `What does this print?`, the code, `Answer: 6`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from deckgen.extract.claims import numbered
from deckgen.extract.claims.pasted import claims_of_output
from deckgen.extract.claims.reading import assigned, is_print, prints_inside
from deckgen.extract.claims.shapes import written_shape
from deckgen.extract.claims.words import value_then_reason
from deckgen.extract.text import code_spans
from deckgen.model.claim import ANSWER, Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.document import Document
from deckgen.model.note import UNREAD, Basic, Choice, Note
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

_FENCED = pattern(r"```\w*\n(?P<code>.*?)\n```", re.DOTALL)
_ERROR = pattern(r"(?:\w+\.)*(?P<type>[A-Z]\w*(?:Error|Exception))\W*")
_SHAPE = pattern(r"形状|尺寸|维度|\b(?:shape|size)\b", re.IGNORECASE)
_SIZE = pattern(r"\.shape\b|\.size\(|^print\b")
"""What is a shape already, or nothing."""
_ASPECT = pattern(r"\b(?:dtype|device)\b")
_VALUE = pattern(
    r"的?值|等于|\bvalues?\b|\bequals?\b|\bdtype\b|\bdevice\b|\bshape\b|\bwhat(?:'s| is) `|`\s*(?:会?是|变成)(?:什么|多少)",
    re.IGNORECASE,
)
_PRINTS = pattern(r"输出|打印|结果|返回|\b(?:print|output|result|display|show|return)(?:s|ed)?\b", re.IGNORECASE)
_YES_OR_NO = pattern(r"^\W*(?:is|are|does|do|did|will|would|can|could|has|have)\b|吗\W*$|是否|能否", re.IGNORECASE)
_REPEATED = (ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.AsyncFor)
"""What is printed inside may be printed any number of times."""
_SPAN = pattern(r"(`++)\s*+(?P<text>[^`]+?)\s*\1")


class _Desk(NamedTuple):
    snippets: Sequence[Snippet]
    document: Document
    made: dict[int, list[Claim]]
    """By index of the snippet."""
    counts: dict[int, int]
    """How many claims begin on each line."""


def answered(
    notes: Sequence[Note], snippets: Sequence[Snippet], document: Document
) -> tuple[tuple[Note, ...], tuple[Snippet, ...]]:
    """The notes with what they say of code that they show, and the snippets with these claims.

    A note whose answer is no value rests on `UNREAD`: it is shipped, and says that it was not checked.
    """
    if not any(map(_shows_code, notes)):
        return tuple(notes), tuple(snippets)
    made: dict[int, list[Claim]] = {}
    counts = _counts(snippets)
    desk = _Desk(snippets, document, made, counts)
    kept = [_with_claim(note, desk) if _shows_code(note) else note for note in notes]
    said = (replace(one, claims=(*one.claims, *made.get(at, ()))) for at, one in enumerate(snippets))
    return tuple(kept), tuple(said)


def _counts(snippets: Iterable[Snippet]) -> dict[int, int]:
    """How many claims begin on each line."""
    counts: dict[int, int] = {}
    for claim in (claim for snippet in snippets for claim in snippet.claims):
        counts[claim.span.first] = counts.get(claim.span.first, 0) + 1
    return counts


def _shows_code(note: Note) -> bool:
    return "```" in _front(note)


def _front(note: Note) -> str:
    match note.body:
        case Basic(prompt=prompt):
            return prompt
        case Choice(stem=stem):
            return stem
        case _:
            return ""


def _question(note: Note) -> str:
    return _FENCED.sub("", _front(note))


def _with_claim(note: Note, desk: _Desk) -> Note:
    fence = _FENCED.search(_front(note))
    here = (at for at, snippet in enumerate(desk.snippets) if fence and _is_shown(snippet, note, fence["code"]))
    at = next(here, None)
    if at is None or desk.snippets[at].claims:
        return note
    claims = numbered(_claims(note, desk.snippets[at], desk.document), desk.counts)
    if not claims:
        return replace(note, rests_on=(*note.rests_on, UNREAD))
    desk.made.setdefault(at, []).extend(claims)
    return replace(note, rests_on=(*note.rests_on, *(claim.id for claim in claims)))


def _is_shown(snippet: Snippet, note: Note, code: str) -> bool:
    return note.span.start <= snippet.span.start < note.span.stop and snippet.code.strip() in code


def _claims(note: Note, snippet: Snippet, document: Document) -> list[Claim]:
    """One claim; of an answer of several lines one for each thing that is printed; none if it is no value."""
    text = _said(note)
    span = _place(text, note, snippet, document)
    if "\n" in text and _PRINTS.search(_question(note)) and not _supposes(_question(note)):
        lines = text.split("\n")
        return list(claims_of_output(lines, [span.start] * len(lines), ANSWER, None, "any"))
    claim = _claim(text, _question(note), snippet, span) if text else None
    return [claim] if claim else []


def _claim(text: str, question: str, snippet: Snippet, span: Span) -> Claim | None:
    error = _ERROR.fullmatch(text)
    if error:
        return Raises(id="", span=span, text=text, form=ANSWER, code_line=None, exception=error["type"], message="")
    value = value_then_reason(text)
    return _of_value(value, question, snippet, span) if value else None


def _said(note: Note) -> str:
    """The one thing that a note gives as its answer, without marks."""
    match note.body:
        case Choice(right=(letter,), options=options):
            text = next(option.text for option in options if option.letter == letter)
        case Basic(answer=answer):
            text = answer.strip()
        case _:
            return ""
    if text.startswith("```python"):
        return ""  # an option in code, which nothing prints
    fence = _FENCED.match(text)
    first = fence["code"] if fence else text.partition("\n")[0].strip().replace("**", "")
    mark = _SPAN.match(first)
    return mark["text"] if mark else first


def _place(text: str, note: Note, snippet: Snippet, document: Document) -> Span:
    """The line below the code on which an answer stands; all lines of the note, if none has it as it is."""
    if document.places:
        return note.span
    below = range(snippet.span.stop, min(note.span.stop, len(document.source.lines)))
    first = text.partition("\n")[0]
    found = next((line for line in below if first and first in document.source.lines[line]), None)
    return note.span if found is None else line_span(found)


def _of_value(value: str, question: str, snippet: Snippet, span: Span) -> Claim | None:
    """What a value says of the code: the shape or the value of what the question names, what it prints, or its last value."""
    tree = parsed(snippet.code)
    if tree is None or not tree.body or _YES_OR_NO.search(question.strip()) or _supposes(question):
        return None
    last = tree.body[-1]
    if not _names(parsed(_named(question))) <= _names(tree):
        return None
    target, shape = _looked_at(question, last), written_shape(value)
    line = last.lineno - 1
    if target and shape is not None and _SHAPE.search(question) and not _SIZE.search(target):
        return HasShape(id="", span=span, text=value, form=ANSWER, code_line=line, target=target, shapes=(shape,))
    if _named(question) and _VALUE.search(question):
        aspect = _ASPECT.search(question)
        looked = f"{target}.{aspect[0]}" if aspect and not target.endswith(aspect[0]) else target
        return Shows(id="", span=span, text=value, form=ANSWER, code_line=line, target=looked)
    if not _PRINTS.search(question):
        return None
    printed = [call for node in tree.body for call in prints_inside(node)]
    if any(prints_inside(node) for node in nodes(tree) if isinstance(node, _REPEATED)):
        return None
    if len(printed) == 1:
        return Prints(id="", span=span, text=value, form=ANSWER, code_line=None, stream="any")
    if not printed and isinstance(last, ast.Expr):
        return Shows(id="", span=span, text=value, form=ANSWER, code_line=line, target=None)
    return None


def _supposes(question: str) -> bool:
    """``What does this print for `x = 2`?`` is about more than the code."""
    trees = [parsed(span) for span in code_spans(question)]
    return any(isinstance(node, ast.Assign) for tree in trees if tree for node in tree.body)


def _names(tree: ast.Module | None) -> set[str]:
    return {node.id for node in nodes(tree) if isinstance(node, ast.Name)} if tree else set()


def _looked_at(question: str, last: ast.stmt) -> str:
    """What a question is about: what it names, or else what the last statement binds or shows."""
    named = _named(question)
    if named:
        return named
    if isinstance(last, ast.Expr) and not is_print(last):
        return ast.unparse(last.value)
    return assigned(last) or ""


def _named(question: str) -> str:
    """The expression in a question that names no other: ``What is the shape of `y`?``."""
    spans = code_spans(question)
    tree = parsed(spans[0]) if len(spans) == 1 else None
    return spans[0] if tree is not None and tree.body and isinstance(tree.body[0], ast.Expr) else ""
