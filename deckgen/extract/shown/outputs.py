"""What does this print? One note for a pasted output, one for each value or shape that a comment claims."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from deckgen.extract.key import code_key
from deckgen.extract.page import Finds, Page
from deckgen.extract.prompts import prompt
from deckgen.extract.shown.listing import Excerpt, Listing
from deckgen.extract.shown.magic import prints_by_magic, without_magic
from deckgen.extract.shown.needed import FARTHEST, names_needed, needed
from deckgen.extract.shown.question import answer_of, asked_of, asks_shape, prompt_of, question_of
from deckgen.extract.shown.roughly import roughly
from deckgen.extract.shown.stopping import ACCIDENTS
from deckgen.extract.shown.trimming import trimmed
from deckgen.model.claim import Claim, HasShape, Raises, Shows, Snippet
from deckgen.model.document import Code, Heading, Prose, Turn
from deckgen.model.document import Output as Stored
from deckgen.model.note import Note, Output, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern
from deckgen.text.syntax import needed_python, parsed

_EXPLAINS = pattern(
    r"^\W{0,4}(?:解析|解释|说明|原因|为什么|explanation|reason|why|because)\s*\**\s*[:：]\s*\**\s*", re.IGNORECASE
)

_ADDRESS = pattern(r"\W*<[^<>]* at 0x[0-9a-fA-F]+>\W*")
_LONGEST = 60
"""Lines of code: nobody reads more on a card."""


def outputs(page: Page) -> Finds:
    """Output notes of every snippet with claims."""
    notes: list[Note] = []
    skipped: list[Skipped] = []
    used: set[int] = set()
    for index, snippet in page.code.items():
        if not snippet.claims:
            skipped += _by_magic(page, index, snippet)
            continue
        if snippet.options.skip:
            skipped.append(Skipped(snippet.span, f"claims waived: {snippet.options.skip}"))
            continue
        if parsed(without_magic(snippet.code)) is None:
            newer = needed_python(snippet.code)
            why_not = f"its code needs Python {newer}" if newer else "an output of what is no Python"
            skipped.append(Skipped(_with_claims(snippet), why_not))
            continue
        why = _explanation(page, index)
        told = unlabelled(page.blocks[why].text) if why is not None else ""  # type: ignore[union-attr] # prose
        listing = Listing(snippet)
        made = [note for group in _groups(listing) if (note := _note(page, index, listing, group, told))]
        notes += made
        used.update({index, index if why is None else why} if made else ())
        if not made:
            skipped.append(Skipped(_with_claims(snippet), _reason(listing)))
    return Finds(tuple(notes), tuple(skipped), frozenset(used))


def _reason(listing: Listing) -> str:
    """Why none of the claims is worth a card."""
    claims = listing.snippet.claims
    if all(_ADDRESS.fullmatch(claim.text) for claim in claims):
        return "an object's address, which is another in each run"
    if any(isinstance(claim, Raises) and claim.exception in ACCIDENTS for claim in claims):
        return "an error that tells nothing of torch"
    if all(map(listing.is_in_function, claims)):
        return "printed by a function: what calls it prints is another question"
    return f"code of more than {_LONGEST} lines before its output"


def _with_claims(snippet: Snippet) -> Span:
    return Span(snippet.span.start, max(snippet.span.stop, *(claim.span.stop for claim in snippet.claims)))


def _explanation(page: Page, index: int) -> int | None:
    """The paragraph after a snippet (and its pasted output) that says why: `Why: ...`, `解析：...`."""
    for at in range(index + 1, min(index + 4, len(page.blocks))):
        match page.blocks[at]:
            case Prose(text=text) if _EXPLAINS.match(text):
                return at
            case Heading() | Turn():
                return None
            case Code(span=span) if span in page.snippet_spans:
                return None
            case _:
                continue
    return None


def unlabelled(text: str) -> str:
    """An explanation without the word that announces it."""
    return _EXPLAINS.sub("", text, count=1)


def _groups(listing: Listing) -> list[list[Claim]]:
    """Claims that are asked together: pasted lines after the same code, each comment alone."""
    pasted: dict[int, list[Claim]] = {}
    groups: list[list[Claim]] = []
    inside = set(listing.snippet.lines)
    for claim in listing.snippet.claims:
        if isinstance(claim, Shows | HasShape) or (claim.span.start in inside and listing.beside_code(claim)):
            groups.append([claim])
            continue
        last = listing.last_line([claim])
        if last not in pasted:
            pasted[last] = []
            groups.append(pasted[last])
        pasted[last].append(claim)
    return groups


def _note(page: Page, index: int, listing: Listing, group: Sequence[Claim], why: str) -> Note | None:
    if isinstance(group[0], Raises) and group[0].exception in ACCIDENTS:
        return None
    snippet = listing.snippet
    if any(listing.is_in_function(claim) for claim in group):
        return None
    excerpt = listing.upto(listing.last_line(group), {claim.code_line for claim in group}, _LONGEST)
    if excerpt is None or all(_ADDRESS.fullmatch(one.text) for one in group):
        return None
    before = _before(page, index, excerpt)
    output = roughly(listing, group) or "\n".join(map(answer_of, group))
    kind, target = question_of(listing, group[0])
    code = f"{before}\n{excerpt.text}" if before else excerpt.text
    body = Output(
        code=trimmed(code, target, output),
        claims=tuple(claim.id for claim in group),
        output=output,
        asked=kind,
        target=target,
        cell=snippet.cell,
        prompt=prompt_of(page, listing, group[0]),
        explanation="\n\n".join([*([why] if why else []), *_assumed(page, snippet)]),
        asks_shape=asks_shape(page, listing, group),
    )
    start = snippet.lines[0] if snippet.lines else snippet.span.start
    span = Span(min(start, group[0].span.start), max(group[-1].span.stop, start + 1))
    path = page.path(index)
    return page.note(body, span, index, code_key(path, excerpt.anchor, asked_of(group[0])), rests_on=body.claims)


def _by_magic(page: Page, index: int, snippet: Snippet) -> list[Skipped]:
    """A cell whose `!pip` or `%timeit` prints, with its outputs."""
    if not snippet.cell or not prints_by_magic(snippet.code):
        return []
    span = snippet.span
    for block in itertools.takewhile(lambda block: isinstance(block, Stored), page.blocks[index + 1 :]):
        span |= block.span
    return [Skipped(span, "what a command for IPython or the shell prints")]


def _before(page: Page, index: int, excerpt: Excerpt) -> str:
    """What the code of a card needs of the code above it."""
    if excerpt.statements is None or not names_needed(excerpt.statements):
        return ""
    above = page.code_above(index, FARTHEST)
    return needed(excerpt.statements, page.history, above, lambda place: place[1] in page.stopping(place[0]))


def _assumed(page: Page, snippet: Snippet) -> list[str]:
    """What has to be said of code whose indentation could be restored in more than one way."""
    return [prompt(page.document.language, "indentation")] if snippet.candidates else []
