"""The forms in which people write down what code does, one file a form.

Adding a form is one file and one line here: `INSIDE` forms cut pasted output out of a block, and `BESIDE` forms read the
comments of what is left. `following` reads the blocks after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from deckgen.extract.claims import (
    closed_string,
    comment_block,
    marked,
    raising,
    torn,
    trailing_assignment,
    trailing_print,
    trailing_value,
    transcript,
    unmarked,
)
from deckgen.extract.claims.cut import Cut, Pasted, whole
from deckgen.extract.claims.pasted import claims_of_output
from deckgen.extract.claims.reading import Reading
from deckgen.model.claim import Claim, Prints, Shows
from deckgen.text.pattern import pattern
from deckgen.written.lines import unclosed

INSIDE: tuple[Callable[[tuple[str, ...]], Cut | None], ...] = (
    transcript.cut,
    marked.cut,
    closed_string.cut,
    unmarked.cut,
)
BESIDE: tuple[Callable[[Reading], Iterator[Claim]], ...] = (
    raising.find,
    trailing_print.find,
    trailing_value.find,
    trailing_assignment.find,
    comment_block.find,
)


def cut(lines: tuple[str, ...]) -> Cut:
    """The block without its pasted output: the first form that finds some takes it."""
    lines = torn.mend(lines)
    for form in INSIDE:
        found = form(lines)
        if found:
            return found
    return whole(lines)


def claims_inside(pasted: Pasted, lines: tuple[int, ...]) -> Iterator[Claim]:
    """Claims of output that was cut out of a block; `lines` are the source lines of the block's lines."""
    sources = [lines[at] for at in pasted.at]
    found = list(claims_of_output(pasted.texts, sources, pasted.form, pasted.code_line))
    first = pasted.texts[0]
    if pasted.form == transcript.FORM and first.startswith("Traceback") and len(found) > 1:
        joined = claims_of_output(
            ["\n".join(line for line in pasted.texts if line)], sources[:1], pasted.form, pasted.code_line
        )
        found = [replace(claim, span=found[0].span | found[-1].span) for claim in joined]
    elif pasted.shows and len(found) > 1 and isinstance(found[0], Prints) and unclosed(found[0].text):
        whole_text = "\n".join(pasted.texts)
        found = [replace(found[0], text=whole_text, span=found[0].span | found[-1].span)]
    if pasted.shows and pasted.code_line is not None and len(found) == 1 and isinstance(found[0], Prints):
        claim = found[0]
        yield Shows(id="", span=claim.span, text=claim.text, form=claim.form, code_line=pasted.code_line, target=None)
        return
    yield from found


def claims_beside(reading: Reading) -> Iterator[Claim]:
    """Claims of comments; each source line makes claims of one form only."""
    comments = {reading.place(comment.line, comment.line + 1).start: comment.text for comment in reading.comments}
    taken: set[int] = set()
    for form in BESIDE:
        claims = [claim for claim in form(reading) if claim.span.start not in taken]
        taken.update(claim.span.start for claim in claims)
        yield from (_as_rough(claim, comments.get(claim.span.start, "")) for claim in claims)


_ROUGHLY = pattern(r"(?:≈|约(?:为|等于|是)?)[\s=:：]*$")
"""Before a value: it may be cut off where it ends, instead of rounded."""


def _as_rough(claim: Claim, comment: str) -> Claim:
    """The claim, marked if the comment that it stands in says that it is not exact."""
    before = comment.partition(claim.text.split("\n")[0])[0]
    return replace(claim, rough=True) if before != comment and _ROUGHLY.search(before) else claim


def numbered(claims: Iterable[Claim], counts: dict[int, int]) -> tuple[Claim, ...]:
    """Claims in order of their lines with ids like `57.1`; `counts` says how many each line has so far."""
    done: list[Claim] = []
    for claim in sorted(claims, key=lambda claim: (claim.span.start, claim.span.stop)):
        line = claim.span.first
        counts[line] = counts.get(line, 0) + 1
        done.append(replace(claim, id=f"{line}.{counts[line]}"))
    return tuple(done)
