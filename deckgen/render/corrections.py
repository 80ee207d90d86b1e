"""A corrected note: what was false in it is replaced where it stands by what torch says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from deckgen.model.note import Api, Basic, Body, Cloze, Hole
from deckgen.model.verdict import DEFAULT, place_of

Pairs = Sequence[tuple[str, str]]


def corrected(body: Body, pairs: Pairs) -> Body | None:
    """The note with each falsehood replaced; None where one of them cannot be told from what else the note says."""
    for false, true in pairs:
        found = _replaced(body, false, true)
        if found is None:
            return None
        body = found
    return body if pairs else None


def _replaced(body: Body, false: str, true: str) -> Body | None:
    match body:
        case Basic(prompt=prompt, answer=answer):
            if (told := _in(answer, false, true)) is not None:
                return replace(body, answer=told)
            asked = _in(prompt, false, true)
            return None if asked is None else replace(body, prompt=asked)
        case Cloze(language="", text=text):
            place = place_of(text, false)
            return None if place is None else _of_cloze(body, place, true)
        case Api():
            return next(_of_api(body, false, true), None)
        case _:
            return None


def _of_cloze(body: Cloze, place: tuple[int, int], true: str) -> Cloze | None:
    """A hole goes with the text in it."""
    start, stop = place
    more = len(true) - (stop - start)
    if any(hole.start < stop and hole.stop > start and not _holds(hole, place) for hole in body.holes):
        return None
    holes = tuple(
        Hole(
            hole.number,
            hole.start if hole.start <= start else hole.start + more,
            hole.stop if hole.stop <= start else hole.stop + more,
        )
        for hole in body.holes
    )
    return replace(body, text=body.text[:start] + true + body.text[stop:], holes=holes)


def _holds(hole: Hole, place: tuple[int, int]) -> bool:
    return hole.start <= place[0] and place[1] <= hole.stop


def _of_api(body: Api, false: str, true: str) -> Iterator[Api]:
    """The row with the one cell replaced in which the falsehood stands; those that tell of defaults come first."""
    details = sorted(range(len(body.details)), key=lambda at: not DEFAULT.search(body.details[at][0]))
    for at in details:
        if (told := _in(body.details[at][1], false, true)) is not None:
            new = (*body.details[:at], (body.details[at][0], told), *body.details[at + 1 :])
            yield replace(body, details=new)
    if (told := _in(body.meaning, false, true)) is not None:
        yield replace(body, meaning=told)
    if (named := _in(body.name, false, true)) is not None:
        yield replace(body, name=named, signature=_in(body.signature, false, true) or body.signature)
    if (told := _in(body.signature, false, true)) is not None:
        yield replace(body, signature=told)


def _in(text: str, false: str, true: str) -> str | None:
    place = place_of(text, false)
    return None if place is None else text[: place[0]] + true + text[place[1] :]
