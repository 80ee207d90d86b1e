"""Answers of quizzes about code are claims about it: `What does this print?`, the code, `Answer: 6`."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from deckgen.extract.claims.code import assigned, is_print, prints_inside
from deckgen.extract.claims.pasted import claims_of_output, raised
from deckgen.extract.claims.snippets import numbered
from deckgen.extract.claims.values import leading_value, written_shape
from deckgen.extract.text import code_spans
from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.document import Document
from deckgen.model.note import UNREAD, Basic, Choice, Note
from deckgen.model.source import Span, line_span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import nodes, parsed

FORM = "answer"
_FENCED = pattern(r"```\w*\n(?P<code>.*?)\n```", re.DOTALL)
_SPAN = pattern(r"(`++)\s*+(?P<text>[^`]+?)\s*\1")
_SHAPE = pattern("«claim.shape»")
_ASPECT = pattern(r"\b(?:dtype|device)\b")
_VALUE = pattern("«claim.value»|«claim.shape»")
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
    asking = [note for note in notes if "```" in _front(note)]
    if not asking:
        return tuple(notes), tuple(snippets)
    counts: dict[int, int] = {}
    for claim in (claim for snippet in snippets for claim in snippet.claims):
        counts[claim.span.first] = counts.get(claim.span.first, 0) + 1
    made: dict[int, tuple[Claim, ...]] = {}
    rests: dict[int, tuple[str, ...]] = {}
    for note in asking:
        fence = _FENCED.search(_front(note))
        at = next((at for at, one in enumerate(snippets) if fence and _is_shown(one, note, fence["code"])), None)
        if at is not None and not snippets[at].claims:
            claims = numbered(_claims(note, snippets[at], document), counts)
            made[at] = (*made.get(at, ()), *claims)
            rests[id(note)] = tuple(claim.id for claim in claims) or (UNREAD,)
    kept = (replace(note, rests_on=(*note.rests_on, *rests[id(note)])) if id(note) in rests else note for note in notes)
    return tuple(kept), tuple(replace(one, claims=(*one.claims, *made.get(at, ()))) for at, one in enumerate(snippets))


def _front(note: Note) -> str:
    body = note.body
    return body.prompt if isinstance(body, Basic) else body.stem if isinstance(body, Choice) else ""


def _is_shown(snippet: Snippet, note: Note, code: str) -> bool:
    return note.span.start <= snippet.span.start < note.span.stop and snippet.code.strip() in code


def _claims(note: Note, snippet: Snippet, document: Document) -> list[Claim]:
    """One claim; of an answer of several lines one for each thing that is printed; none if it is no value."""
    text, question = _answer(note), _FENCED.sub("", _front(note))
    span = _place(text, note, snippet, document)
    spans = code_spans(question)
    trees = [parsed(one) for one in spans]
    if any(isinstance(node, ast.Assign) for tree in trees if tree for node in tree.body):
        return []  # "What does this print for `x = 2`?" is about more than the code
    if "\n" in text:
        lines = text.split("\n")
        found = claims_of_output(lines, [span.start] * len(lines), FORM, "answer", None, "any")
        return list(found) if _PRINTS.search(question) else []
    error = raised(text.rstrip(" .。!！"))
    if error:
        kind, message = error
        return [
            Raises(
                id="", span=span, text=text, form=FORM, place="answer", code_line=None, exception=kind, message=message
            )
        ]
    value = leading_value(text)
    if value is None or _YES_OR_NO.search(question.strip()):
        return []
    named = spans[0] if len(trees) == 1 and trees[0] and isinstance(trees[0].body[0], ast.Expr) else ""
    claim = _of_value(value, question, named, snippet, span)
    return [claim] if claim else []


def _answer(note: Note) -> str:
    """The one thing that a note gives as its answer, without marks."""
    match note.body:
        case Choice(right=(letter,), options=options):
            text = next(option.text for option in options if option.letter == letter)
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
    below = range(snippet.span.stop, min(note.span.stop, len(document.source.lines)))
    first = text.partition("\n")[0]
    found = next((line for line in below if first and first in document.source.lines[line]), None)
    return note.span if found is None or document.places else line_span(found)


def _of_value(value: str, question: str, named: str, snippet: Snippet, span: Span) -> Claim | None:
    """What a value says of the code: the shape or the value of what the question names, what it prints, or its last value."""
    tree = parsed(snippet.code)
    if tree is None or not tree.body or not _names(parsed(named)) <= _names(tree):
        return None
    last = tree.body[-1]
    shown = ast.unparse(last.value) if isinstance(last, ast.Expr) and not is_print(last) else assigned(last) or ""
    target, size, line = named or shown, written_shape(value), last.lineno - 1
    if target and size is not None and _SHAPE.search(question) and not target.endswith((".shape", ".size()")):
        return HasShape(
            id="", span=span, text=value, form=FORM, place="answer", code_line=line, target=target, shapes=(size,)
        )  # fmt: skip
    if named and _VALUE.search(question):
        aspect = _ASPECT.search(question)
        looked = f"{named}.{aspect[0]}" if aspect and not named.endswith(aspect[0]) else named
        return Shows(id="", span=span, text=value, form=FORM, place="answer", code_line=line, target=looked)
    repeated = any(isinstance(node, _REPEATED) and prints_inside(node) for node in nodes(tree))
    if repeated or not _PRINTS.search(question):
        return None
    printed = [call for node in tree.body for call in prints_inside(node)]
    if len(printed) == 1:
        return Prints(id="", span=span, text=value, form=FORM, place="answer", code_line=None, stream="any")
    if not printed and isinstance(last, ast.Expr):
        return Shows(id="", span=span, text=value, form=FORM, place="answer", code_line=line, target=None)
    return None


def _names(tree: ast.Module | None) -> set[str]:
    return {node.id for node in nodes(tree) if isinstance(node, ast.Name)} if tree else set()
