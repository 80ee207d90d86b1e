"""Answers of quizzes about code are claims about it: `What does this print?`, the code, `Answer: 6`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.extract.claims.code import assigned, is_print, prints_inside
from deckgen.extract.claims.pasted import claims_of_output, raised
from deckgen.extract.claims.snippets import numbered
from deckgen.extract.claims.values import leading_value, written_shape
from deckgen.extract.text import code_spans
from deckgen.model.claim import Claim, Prints, Raises, Shows, Snippet
from deckgen.model.document import Document
from deckgen.model.note import UNREAD, Basic, Choice, Note
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

FORM = "answer"
_FENCED = pattern(r"```\w*\n(?P<code>.*?)\n```", re.DOTALL)
_SPAN = pattern(r"(`++)\s*+(?P<text>[^`]+?)\s*\1")
_ASPECT = pattern(r"\b(?:dtype|device)\b|(?P<shape>«claim.shape»)")
_VALUE = pattern("«claim.value»")
_PRINTS = pattern("«claim.output»")
_YES_OR_NO = pattern(r"^\W*«claim.yes_no»|«claim.yes_no»\W*$")
_REPEATED = (ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.AsyncFor)
"""What is printed inside may be printed any number of times."""


def answered(
    notes: Sequence[Note], snippets: Sequence[Snippet], document: Document
) -> tuple[tuple[Note, ...], tuple[Snippet, ...]]:
    """The notes with what they say of code that they show, and the snippets with these claims.

    A note whose answer is no value rests on `UNREAD`: it is shipped, and says that it was not checked.
    """
    kept, checked = list(notes), list(snippets)
    counts: dict[int, int] | None = None
    for index, note in enumerate(notes):
        fence = _FENCED.search(_front(note))
        shown = (at for at, one in enumerate(snippets) if fence and _is_shown(one, note, fence["code"]))
        at = next(shown, None)
        if at is None or snippets[at].claims:
            continue
        if counts is None:
            counts = {}
            numbered((claim for snippet in snippets for claim in snippet.claims), counts)
        claims = numbered(_claims(note, snippets[at], document), counts)
        checked[at] = replace(checked[at], claims=(*checked[at].claims, *claims))
        proofs = tuple(claim.id for claim in claims)
        kept[index] = replace(note, rests_on=(*note.rests_on, *(proofs or (UNREAD,))), proven_by=proofs)
    return tuple(kept), tuple(checked)


def _front(note: Note) -> str:
    body = note.body
    return body.prompt if isinstance(body, Basic) else body.stem if isinstance(body, Choice) else ""


def _is_shown(snippet: Snippet, note: Note, code: str) -> bool:
    return note.span.start <= snippet.span.start < note.span.stop and snippet.code.strip() in code


def _claims(note: Note, snippet: Snippet, document: Document) -> Iterator[Claim]:
    """One claim; of an answer of several lines one for each thing that is printed; none if it is no value.

    A value is that of what the question names, or its shape; or what is printed, or the value of the last line.
    """
    text, question = _answer(note), _FENCED.sub("", _front(note))
    tree = parsed(snippet.code)
    spans = code_spans(question)
    asked = [found.body for one in spans if (found := parsed(one)) and found.body]
    if not tree or not tree.body or any(isinstance(node, ast.Assign) for body in asked for node in body):
        return  # "What does this print for `x = 2`?" is about more than the code
    span, prints, value = _place(text, note, snippet, document), _PRINTS.search(question), leading_value(text)
    if "\n" in text:
        lines = text.split("\n") if prints else []
        yield from claims_of_output(lines, [span.start] * len(lines), FORM, "answer", None, "any")
        return
    if error := raised(text.rstrip(" .。!！")):
        yield Raises(span, text, FORM, "answer", None, *error)
        return
    named = spans[0] if len(spans) == len(asked) == 1 and isinstance(asked[0][0], ast.Expr) else ""
    if not value or _YES_OR_NO.search(question.strip()) or (named and not _names(asked[0][0]) <= _names(tree)):
        return
    last, aspect, printed = tree.body[-1], _ASPECT.search(question), prints_inside(tree)
    line = last.lineno - 1
    shown = ast.unparse(last.value) if isinstance(last, ast.Expr) and not is_print(last) else assigned(last) or ""
    is_shape = aspect and aspect["shape"] and written_shape(value) is not None
    target = named or (shown if is_shape else "")
    if target and (aspect or _VALUE.search(question)):
        attribute = "shape" if is_shape else aspect[0] if aspect and not aspect["shape"] else ""
        if attribute and not target.endswith((attribute, ".size()")):
            target = f"{target}.{attribute}"
        yield Shows(span, value, FORM, "answer", line, target)
    elif not prints or any(isinstance(one, _REPEATED) and prints_inside(one) for one in nodes(tree)):
        return
    elif len(printed) == 1:
        yield Prints(span, value, FORM, "answer", None, "any")
    elif not printed and isinstance(last, ast.Expr):
        yield Shows(span, value, FORM, "answer", line, None)


def _answer(note: Note) -> str:
    """The one thing that a note gives as its answer, without marks."""
    match note.body:
        case Choice(right=(letter,), options=options):
            text = next(option.text for option in options if option.letter == letter)
            if text.startswith("```python"):
                return ""  # an option in code, which nothing prints
        case Basic(answer=answer):
            text = answer.strip()
        case _:
            return ""
    fence = _FENCED.match(text)
    first = fence["code"] if fence else text.partition("\n")[0].strip().replace("**", "")
    mark = _SPAN.match(first)
    return mark["text"] if mark else first


def _place(text: str, note: Note, snippet: Snippet, document: Document) -> Span:
    """The line below the code on which an answer stands; all lines of the note, if none has it as it is."""
    below, first = snippet.span.stop, text.partition("\n")[0]
    lines = () if document.places else document.source.lines[below : note.span.stop]
    found = next((at for at, line in enumerate(lines, below) if first and first in line), None)
    return note.span if found is None else line_span(found)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in nodes(tree) if isinstance(node, ast.Name)}
