"""Which meanings fit one name of the library only, so that a card can ask for the name (CARDS.md, rule 9).

Pure: `library_request` makes the worker's request, `Library` reads its answer. What cannot be shown to be
unique is not: a docstring is English, so a meaning must say enough in English words.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from deckgen.model.note import Api, Note
from deckgen.text.giveaway import content_words, gives_away, length

_LONGEST = 25
"""Words of a meaning that can be asked."""
_LEAST = 3
"""Words that tell what it is about, and that the docstring of the name must share."""
_SHARE = 0.45
"""How much of what a meaning says, by weight, the docstring of its name must say as well."""
_OTHERS = 0.85
"""A name whose docstring shares this much of that fits the meaning, too."""
_ALIASES = {"F": "torch.nn.functional", "nn": "torch.nn", "optim": "torch.optim", "dist": "torch.distributed"}
_METHOD = "torch.Tensor."


def library_request() -> dict[str, Any]:
    """The request for `introspect`: always the same, so that its answer is kept."""
    return {"names": [], "library": True}


def askable(notes: Iterable[Note]) -> tuple[Api, ...]:
    """The Api notes of one name whose meaning says enough, and does not give the name away; nor do the headings above."""
    return tuple(note.body for note in notes if isinstance(note.body, Api) and _is_askable(note.body, note.headings))


def _is_askable(body: Api, headings: Sequence[str]) -> bool:
    name = without_arguments(body.name)
    if not name.replace(".", "").replace("_", "").isalnum() or not 1 < length(body.meaning) <= _LONGEST:
        return False
    if "torch." in body.meaning:  # it explains a name by another one: `alias for torch.special.expit`
        return False
    english = {word for word in content_words(body.meaning) if word.isascii()}
    return len(english) >= _LEAST and not any(gives_away(text, name) for text in (body.meaning, *headings))


def without_arguments(name: str) -> str:
    """A name without its arguments and marks: `nn.Flatten` of `` `nn.Flatten()` ``."""
    return name.strip("`@ ").partition("(")[0].strip()


class Library:
    """The names of the library, each with the words of its docstring.

    Names of one object are one, and so are `torch.x` and `Tensor.x`.
    """

    def __init__(self, library: Sequence[tuple[str, Sequence[str]]]) -> None:
        self._home = {path: paths[0] for _, paths in library for path in paths}
        """Path -> the name that stands for its object."""
        for path in [one for one in self._home if one.startswith(_METHOD)]:
            function = self._home.get(f"torch.{path.removeprefix(_METHOD)}")
            if function is not None:
                self._home[path] = function
        self._words: dict[str, frozenset[str]] = defaultdict(frozenset)
        for sentence, paths in library:
            self._words[self._home[paths[0]]] |= content_words(sentence)
        self._known = Counter(word for words in self._words.values() for word in words)

    def unique(self, bodies: Iterable[Api]) -> frozenset[tuple[str, str]]:
        """(name, meaning) of those whose meaning fits their name alone: no other docstring says nearly as much of it."""
        return frozenset(
            (body.name, body.meaning) for body in bodies if self.fits_alone(without_arguments(body.name), body.meaning)
        )

    def fits_alone(self, name: str, meaning: str) -> bool:
        """True if the meaning fits the name, and no other name as well."""
        home = self._find(name)
        said = frozenset(word for word in content_words(meaning) if word.isascii())
        if home is None:
            return False
        shared = said & self._words[home]
        weight = self._weight(shared)
        if len(shared) < _LEAST or weight < _SHARE * self._weight(said):
            return False
        others = (self._weight(said & words) for one, words in self._words.items() if one != home)
        return max(others, default=0.0) < _OTHERS * weight

    def _find(self, name: str) -> str | None:
        """The object that a written name means; None for a name that several end with."""
        head, dot, rest = name.partition(".")
        for path in (name, f"{_ALIASES.get(head, head)}{dot}{rest}", f"torch.{name}"):
            if path in self._home:
                return self._home[path]
        homes = {home for path, home in self._home.items() if path.endswith(f".{name}")}
        return homes.pop() if len(homes) == 1 else None

    def _weight(self, words: Iterable[str]) -> float:
        """A word says the more, the fewer docstrings have it."""
        return math.fsum(math.log((1 + len(self._words)) / (1 + self._known[word])) for word in words)
