"""The order in which a choice shows its options: drawn by lot from their texts, or the source's where something hangs on it.

An option stands where its own text puts it: a stem that is mended, a file that moves or a neighbour that is added leave
the order of the others as learners know it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from deckgen.model.note import Choice, Option
from deckgen.text.pattern import pattern

_APART = pattern(r"```.*?```|`[^`\n]*`|\$[^$\n]*\$", re.DOTALL)
_LETTER = pattern(
    r"(?<![A-Za-z0-9_.])([A-Z])(?![A-Za-z0-9_])"
    r"(?!(?<=A)[ ]+(?!«option.after_letter»|[a-z]+[b-hj-rtv-z]s\b)[A-Za-z`])"
)
"""A letter by itself. `A tensor` is none, `A is wrong` and `A copies` are."""
_PLACE = pattern(r"«option.place»|«option.name»\s*[(（]?(?:[A-Za-z]|\d{1,2})(?![A-Za-z0-9_])|[(（][a-h][)）]")
_ALL = pattern(r"\W*«option.group»")
_TRUTH = pattern(r"\W*(?:«quiz.true»|«quiz.false»)\W*")


def ordered(body: Choice) -> Sequence[Option]:
    """The options of a choice as its card shows them."""
    return body.options if _is_bound(body) else sorted(body.options, key=_lot)


def _lot(option: Option) -> bytes:
    return hashlib.sha256(option.text.encode("utf-8", "surrogatepass")).digest()


def _is_bound(body: Choice) -> bool:
    """True if a text names a letter or a place, or if every option is a truth value, which stand as everybody expects."""
    options = [option.text for option in body.options]
    if all(map(_TRUTH.fullmatch, options)) or any(map(_ALL.match, options)):
        return True
    letters = {option.letter for option in body.options}
    for text in (body.stem, body.explanation, *options):
        prose = _APART.sub(" ` ", text)
        if _PLACE.search(prose) or letters.intersection(_LETTER.findall(prose)):
            return True
    return False
