"""APIs in headings: those they consist of, and the signature in the fence below."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckgen.extract.apis.in_prose import names_in_prose, names_in_spans
from deckgen.extract.apis.place import Mention, Place, all_placed, last_name
from deckgen.extract.apis.prose import OPTION, Known
from deckgen.extract.apis.text import CALL, is_rooted, is_written_name, opening, pieces
from deckgen.extract.text import unescaped
from deckgen.model.document import Block, Code, Heading
from deckgen.text.pattern import pattern

_SIGNATURE_LIKE = pattern(r"[\w.]+(?:\([\w\s,.*=\[\]]*\))?", re.ASCII)
"""A name, with at most a list of names in parentheses: not the call or the output that a scraped heading may be."""


_RESULT = pattern(r"->|→|\$\\(?:to|(?:long)?rightarrow)\s*\$")
_BEHIND = pattern(rf"\s*(?:[:：]|$|[-—–] |\(|（|{_RESULT.pattern})")
"""What may follow the name that a heading is about: nothing, an explanation, the type of its result."""
_CLASS = pattern(r"(?:class\s+)?((?:[a-z]\w*\.)+[A-Z]\w*)", re.ASCII)


def _class_above(place: Place) -> str | None:
    """`torch.Tensor`, if the heading above the last one is that: what is signed below it is a method of it."""
    above = place.headings[-2].text.strip("` ") if len(place.headings) > 1 else ""
    match = _CLASS.fullmatch(above)
    return match[1] if match else None


def of_heading(heading: Heading, following: Sequence[Block], place: Place) -> list[Mention]:
    """A heading that is an API (`## 1. torch.matmul()`), the APIs it lists, and the signature under it."""
    line = heading.span.start
    if heading.text.rstrip().endswith(("?", "？")) or OPTION.match(heading.text):
        return []
    spans = names_in_spans(heading.text, Known(place.names))
    found = [Mention(line, name, "heading") for name in [*names_in_prose(heading.text), *spans]]
    signature = _signature_under(heading, following)
    named = [name for name in named_by(heading.text) if not is_rooted(name)]
    owner = _class_above(place) if _RESULT.search(heading.text) else None
    found += [Mention(line, name, "heading", owner=owner) for name in named if name not in {one.text for one in found}]
    placed = all_placed(found, place)
    if signature is None:
        return placed
    for one in placed:
        if one.alias is None and last_name(one.text) == last_name(signature.text):
            one.alias = signature.text.partition("(")[0]
    return placed + all_placed([signature], place)


def named_by(text: str) -> list[str]:
    """The names that a heading consists of (`view() 和 reshape()`), or opens with before a colon."""
    name, rest = opening(text)
    listed = pieces(name + rest)
    whole = [one for one in listed if (CALL.fullmatch(one) or "_" in one) and is_written_name(one)]
    if whole and len(whole) == len(listed):
        return [one for one in whole if _SIGNATURE_LIKE.fullmatch(one)]
    marked = f"`{name}`" in unescaped(text) or (_SIGNATURE_LIKE.fullmatch(name) and ("(" in name or "_" in name))
    if name and marked and is_written_name(name) and _BEHIND.match(rest):
        return [name]
    return []


def _signature_under(heading: Heading, following: Sequence[Block]) -> Mention | None:
    """`torch.randint(low, high, size)` in a fence of one line under the heading `randint`."""
    block = following[0] if following else None
    if not isinstance(block, Code) or "\n" in block.text.strip() or not block.lines:
        return None
    text = block.text.strip()
    first = next(
        (at for at, one in zip(block.lines, block.text.split("\n"), strict=False) if one.strip()), block.lines[0]
    )
    name = last_name(text)
    if not (is_rooted(text) and is_written_name(text)) or name not in re.findall(r"\w+", unescaped(heading.text)):
        return None
    return Mention(first, text, "signature")
