"""Since: writes into a source from which torch on, or up to which, a claim holds: `{torch>=2.13}`.

Pure. A mark stands where its author would write it: behind the opening of a fence, on a line of text, in the cell of a table. What it
is about is found by reading the source anew, and `only_marks_moved` proves that it is about nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from deckgen.model.claim import Claim, Exists, Site
from deckgen.model.document import Block, Code, Details, Document, Extraction, Output, Table
from deckgen.model.source import Source
from deckgen.text.pattern import pattern
from deckgen.text.wording import one_line

AnyClaim = Claim | Exists
Marks = Mapping[str, str]
"""`{torch>=2.13}` by the id of what it bounds."""
_FENCE = pattern(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(?:`{3,}[^`]*|~{3,}.*)")
_NO_MARKDOWN = (".rst", ".org", ".adoc", ".tex")
_ENDS_LINE = pattern(
    r"\s*(?:\[[^\]]+\]:|!!!|\?\?\?|===|:::|\||\+[-=]).*|.*(?:\\|\s\^[\w-]+|(?<!\{)\{[^{}]*\}|\s#+|::|<[^<>]*|\s\+)\s*"
)
"""Titles of admonitions and tabs, definitions of links, rows of grids; ends that break a line, name a block, hold attributes, close a
heading or begin a literal block, and tags that go on."""
_BAR = pattern(r"(?<!\\)\|")


def claims_of(extraction: Extraction) -> tuple[AnyClaim, ...]:
    """What a source says of torch: claims, then API names."""
    return (*(claim for snippet in extraction.snippets for claim in snippet.claims), *extraction.apis)


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A line of a source with a mark."""

    at: int
    text: str
    claims: tuple[str, ...]
    """The ids of those that the mark is meant for."""


def marked(extraction: Extraction, marks: Marks) -> tuple[tuple[MarkedLine, ...], dict[str, str]]:
    """(the lines with their marks, why there is none by the id of the claim)."""
    places: dict[int, list[str]] = {}
    left: dict[str, str] = {}
    for claim in claims_of(extraction):
        if claim.id in marks:
            place = _place(extraction.document, claim)
            if isinstance(place, str):
                left[claim.id] = place
            else:
                places.setdefault(place, []).append(claim.id)
    for ids in places.values():
        if len({marks[name] for name in ids}) > 1:
            left |= dict.fromkeys(ids, "what stands beside it is so in other versions")
    document = extraction.document
    lines = [
        MarkedLine(at, _with_mark(document, at, marks[ids[0]]), tuple(ids))
        for at, ids in places.items()
        if ids[0] not in left
    ]
    return tuple(lines), left


def _place(document: Document, claim: AnyClaim) -> int | str:
    """The line on which the mark of a claim stands, or why there is none."""
    block = _block(document.blocks, claim.span.start)
    if isinstance(block, Output):
        return "it is a stored output"
    if isinstance(block, Code):
        opening = block.span.start
        is_fence = _FENCE.fullmatch(document.source.lines[opening])
        return opening if is_fence else "its code stands in no fence, behind which a mark could stand"
    line = document.source.lines[claim.span.start]
    is_row = isinstance(block, Table)
    if document.source.name.lower().endswith(_NO_MARKDOWN) or (not is_row and _ENDS_LINE.fullmatch(line)):
        return "what stands at the end of its line has to stay there: write the mark yourself"
    return claim.span.start


def _block(blocks: Sequence[Block], line: int) -> Block | None:
    """The innermost block with this line."""
    found = next((block for block in blocks if line in block.span), None)
    return (_block(found.blocks, line) or found) if isinstance(found, Details) else found


def _with_mark(document: Document, at: int, mark: str) -> str:
    """A line with a mark at its end, before blanks that break it; of a row of a table in the first cell."""
    line = document.source.lines[at]
    bars = _BAR.finditer(line) if isinstance(_block(document.blocks, at), Table) else ()
    end = next((bar.start() for bar in bars if line[: bar.start()].strip()), len(line))
    text = line[:end].rstrip()
    return f"{text} {mark}{line[len(text) :]}"


def with_lines(source: Source, lines: Sequence[MarkedLine]) -> Source:
    """The source with these lines in the place of its own."""
    new = {line.at: line.text for line in lines}
    return replace(source, text="\n".join(new.get(at, text) for at, text in enumerate(source.lines)))


def only_marks_moved(
    before: Extraction, after: Extraction, marks: Marks, open_ones: Collection[str] = ()
) -> str | None:
    """None if both readings are the same but for the versions of these claims; else what moved. Names in their code go with them, and
    `open_ones`, which nobody could judge anywhere."""
    if told := next((one.text for one in after.remarks if one not in before.remarks), None):
        return told
    ours, theirs = claims_of(before), claims_of(after)
    if _read(before) != _read(after) or [one.id for one in ours] != [one.id for one in theirs]:
        return "a mark there would change what is read"
    return next(_wrongly_marked(ours, theirs, marks, open_ones), None)


def _read(extraction: Extraction) -> tuple[object, ...]:
    """What a source holds, but for versions."""
    notes = [(note.key, note.body) for note in extraction.notes]
    return notes, [snippet.code for snippet in extraction.snippets], [one.text for one in claims_of(extraction)]


def _wrongly_marked(
    ours: Sequence[AnyClaim], theirs: Sequence[AnyClaim], marks: Marks, open_ones: Collection[str]
) -> Iterator[str]:
    for one, other in zip(ours, theirs, strict=True):
        is_moved = one.versions != other.versions
        if one.id in marks and not is_moved:
            yield "a mark on its line would not be about it"
        elif is_moved and one.id not in {*marks, *open_ones} and not is_name_in_code(one):
            yield f"its mark would be about `{one_line(one.text, 60)}` of line {one.span.first}, too"


def is_name_in_code(claim: AnyClaim) -> bool:
    """True for a name that its code uses: it goes where the code goes."""
    return isinstance(claim, Exists) and claim.site is Site.CODE
