"""APIs in running text: rooted names, code spans of what the code knows, and words that only code is written like."""

from __future__ import annotations

from dataclasses import dataclass

from deckgen.extract.apis.context import CodeNames
from deckgen.extract.apis.in_prose import names_in_prose, names_in_spans, snake_spans
from deckgen.extract.apis.place import Mention, Place, all_placed
from deckgen.text.pattern import pattern

_MAY_NAME = pattern(r"`|torch|nn\.|F\.|optim\.|autograd\.|Tensor\.")
OPTION = pattern(r"^\s*(?:[-*+]\s+)?[(（]?[A-Ha-h][.、)）:：]\s?\S")


def of_lines(text: str, start: int, stop: int, place: Place) -> list[Mention]:
    """Rooted names in prose, line by line; quiz options are passed over."""
    if not _MAY_NAME.search(text):
        return []
    lines = text.split("\n")
    options = len(lines) > 1 and sum(bool(OPTION.match(line)) for line in lines) > 1
    found = [
        Mention(min(start + offset, stop - 1), name, "prose")
        for offset, line in enumerate(lines)
        if not (options and OPTION.match(line))
        for name in _in_prose(line, place)
    ]
    return all_placed(found, place)


def _in_prose(line: str, place: Place) -> list[str]:
    """Rooted names, code spans of what the code knows, and words like `require_grad` that the code does not use."""
    if not _MAY_NAME.search(line):
        return []
    loose = [word for word in snake_spans(line) if word not in place.names.words]
    return [*names_in_prose(line), *names_in_spans(line, Known(place.names)), *loose]


@dataclass(frozen=True, slots=True)
class Known:
    """The words that the code imports from torch, or gives to an object of a class of it."""

    names: CodeNames

    def __contains__(self, word: object) -> bool:
        full = self.names.alias(str(word), bare=False)
        return full is not None and full.startswith("torch")
