"""Where a document asserts what it says: its lines, without what is only put to the reader, denied, or another library's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from deckgen.extract.apis.parameters import api_of_heading
from deckgen.extract.apis.place import Place
from deckgen.extract.asserted.defaults import tells_default
from deckgen.extract.prompts import prompt
from deckgen.model.document import Block, Document, Heading, Items, Prose, Quote, Row, Table, Turn
from deckgen.model.note import Basic, Choice, Cloze, Note, Skipped
from deckgen.text.pattern import any_of, pattern

_LEFT = (
    "running text",
    "a remark in a quote",
    "a list that defines",
    "a table without",
    "carded",
    "a line that leads",
    "conversation",
)
"""How the reasons begin for which blocks gave no note, or one that is too long, that assert what they say."""
_DENIED = any_of(
    r"误区|误解|误以为|以为|错误(?!类型|信息)|并非|并不|不是|❌|✗|假设|旧版|曾经|改成|改为",
    r"\b(?:myth|mistakes?|wrong(?:ly)?|incorrect(?:ly)?|not true|untrue|misconceptions?|contrary|unlike|pitfalls?|suppose|instead of|used to"
    r"|formerly|previously|bugs?|before \d|until \d|since \d|in (?:pytorch|torch|version) [\d.]+)\b",
)
_JUDGED = any_of(
    r"判断|对错|正误|是非题|找错|改错",
    r"\btrue\s*(?:or|/)\s*false\b|\bt\s*/\s*f\b|\bspot the\b|\bfind the (?:bug|error)",
)
_ELSEWHERE = any_of(
    r"飞桨|其他框架",
    r"\b(?:tensorflow|keras|scikit|sklearn|jax|flax|mxnet|caffe|paddle\w*|mindspore|lightning|transformers|hugging ?face|torchvision|timm|matlab)\b",
)
_ASKS = pattern(r"[?？]\s*[*`\"”]*\s*$|吗\s*[。.]?\s*$")
_GAP = ("__", "（ ）", "( )")
_ROOTS = ("torch.", "nn.", "F.")


class Assertion(NamedTuple):
    """A line of text that says what is so."""

    line: int
    text: str
    about: str = ""
    """The API that the heading above it names."""
    row: tuple[Table, Row] | None = None


_PUT = (prompt("zh", "judge"), prompt("en", "judge"))


def is_judged(note: Note) -> bool:
    """True for a statement that is put to the learner's judgement."""
    return isinstance(note.body, Basic) and note.body.prompt.rstrip().endswith(_PUT)


def assertions(
    document: Document, notes: Sequence[Note], skipped: Sequence[Skipped], place: Place
) -> Iterator[Assertion]:
    """Every line that may say something of torch, in order; what it says need not be meant."""
    closed = _closed(notes, skipped)
    label = ""
    pupil = False
    for block in document.blocks:
        if isinstance(block, Turn):
            pupil = block.speaker == "pupil"
        elif isinstance(block, Heading):
            place.enter(block)
        elif not pupil:
            said = [one for one in _lines(block) if _may_say(one[1], one[2] is not None) and one[0] not in closed]
            if said and not any(map(_doubts, (label, *(heading.text for heading in place.headings)))):
                about = (api_of_heading(place) or "") if any(tells_default(text) for _, text, _ in said) else ""
                yield from (Assertion(line, text, about, row) for line, text, row in said)
        label = block.text if isinstance(block, Prose) and len(block.text) < _LABEL else ""


_LABEL = 80


def _closed(notes: Sequence[Note], skipped: Sequence[Skipped]) -> set[int]:
    """Lines of quizzes, of fill-ins, and of what is no statement for another reason."""
    spans = [note.span for note in notes if isinstance(note.body, Choice) or is_judged(note)]
    spans += [skip.span for skip in skipped if not skip.reason.startswith(_LEFT)]
    return {line for span in spans for line in range(span.start, max(span.stop, span.start + 1))}


@lru_cache(maxsize=1024)
def _doubts(text: str) -> bool:
    return bool(_DENIED.search(text) or _JUDGED.search(text) or (_ELSEWHERE.search(text) and "orch" not in text))


def _may_say(text: str, in_row: bool) -> bool:
    """False for most lines, at next to no cost."""
    return tells_default(text) or ((in_row or "`" in text) and any(root in text for root in _ROOTS))


def is_meant(text: str) -> bool:
    """True for a line that says what is so: it has no gap, asks nothing and denies nothing."""
    if any(gap in text for gap in _GAP):
        return False
    return not (_ASKS.search(text) or _doubts(text))


def _lines(block: Block) -> Iterator[tuple[int, str, tuple[Table, Row] | None]]:
    """The lines of what may say something."""
    match block:
        case Prose(span=span, text=text) | Quote(span=span, text=text) if _may_say(text, False):
            yield from ((min(span.start + at, span.stop - 1), line, None) for at, line in enumerate(text.split("\n")))
        case Items(items=items):
            for item in (item for item in items if _may_say(item.text, False)):
                lines = item.text.split("\n")
                yield from (
                    (min(item.span.start + at, item.span.stop - 1), line, None) for at, line in enumerate(lines)
                )
        case Table(rows=rows):
            for row in rows:
                yield row.span.start, " | ".join(row.cells), (block, row)
        case _:
            return


def filled_in(note: Note, document: Document) -> bool:
    """True for a cloze whose source has a gap where it has text."""
    body = note.body
    if not isinstance(body, Cloze) or body.language:
        return False
    lines = document.source.lines[note.span.start : note.span.stop]
    return any(gap in line for line in lines for gap in _GAP)
