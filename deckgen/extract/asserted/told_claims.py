"""What is said outside of code as claims: an expression becomes a snippet, a default a claim about its API."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from deckgen.extract.apis.parameters import stated_default
from deckgen.extract.apis.place import Place, all_placed
from deckgen.extract.asserted.aspects import ToldValue, probes
from deckgen.extract.asserted.default_sentences import Told
from deckgen.extract.claims.shapes import written_shape
from deckgen.model.claim import TOLD, Exists, HasShape, Shows, Snippet
from deckgen.model.source import line_span


def snippet_of(line: int, told: ToldValue, number: int, snippets: Sequence[Snippet]) -> Snippet:
    """The expression as code of its own; it stands in the chapter of the code near it."""
    above = snippets[: bisect_right(snippets, line, key=lambda one: one.span.start)] or snippets[:1]
    name = f"t{line + 1}.{number}"
    span = line_span(line)
    shape = written_shape(told.text) if told.aspect == "shape" else None
    claim: HasShape | Shows
    if shape is not None:
        claim = HasShape(
            id=name, span=span, text=told.text, form=TOLD, code_line=0, target=told.expression, shapes=(shape,)
        )
    else:
        claim = Shows(id=name, span=span, text=told.text, form=TOLD, code_line=0, target=next(probes(told), None))
    headings = above[-1].headings if above else ()
    return Snippet(
        id=name, span=span, code=told.expression, lines=(line,), language="python", headings=headings, claims=(claim,)
    )


def default_of(line: int, told: Told, number: int, place: Place) -> Exists | None:
    """The default as a claim about its API; None if the document itself defines what has it."""
    owner = place.names.expanded(told.owner)
    if told.owner.partition(".")[0] in place.names.defined:
        return None
    found = all_placed([stated_default(line, told.parameter, owner, told.value)], place)
    if not found:
        return None
    one = found[0]
    return Exists(
        id=f"d{line + 1}.{number}", span=line_span(line), text=one.text, form=one.form, owner=one.owner, alias=one.alias,
        default=one.default,
    )  # fmt: skip
