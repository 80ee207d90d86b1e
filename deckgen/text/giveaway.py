"""Whether a text gives a name away, and which of its words tell what it is about."""

from __future__ import annotations

from functools import cache

from deckgen.text.pattern import CHINESE, HAN, pattern

STEM = 5
"""Letters by which two forms of a word are one: `permuted` and `permutes`."""
_SAME = 4
"""Letters at the beginning that give a word away: `zero` in `zeroes`, `grad` in `gradients`."""
_ENDING = 2
"""Letters by which a form of a shorter word is longer: `logs`."""
_WORD = pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""The words of `zero_grad`, `LazyConv2d` and `nn.GRUCell`."""
_CHINESE = pattern(f"[{HAN}]{{2,}}")
_ROOTS = frozenset({"torch", "nn", "tensor"})
"""They stand in every second name, and tell none."""


def gives_away(text: str, name: str) -> bool:
    """True if the name, a word of it, or another form of such a word stands in a text."""
    said = {word.casefold() for word in _WORD.findall(text)}
    secret = {word.casefold() for word in _WORD.findall(name) if len(word) > 1} - _ROOTS
    if any(_is_form(word, one) for one in secret for word in said):
        return True
    return bool(_pairs(name) & _pairs(text)) or (bool(name.strip()) and name.casefold() in text.casefold())


def _is_form(word: str, secret: str) -> bool:
    if len(secret) < _SAME:
        return word.startswith(secret) and len(word) - len(secret) <= _ENDING
    return word.startswith(secret[:_SAME]) or secret in word or (len(word) >= _SAME and word in secret)


def content_words(text: str) -> frozenset[str]:
    """What a text is about: its longer Latin words without those that stand in any sentence, by stem, and Chinese in pairs."""
    latin = (word.casefold() for word in _WORD.findall(text) if len(word) > 2)
    return frozenset(word[:STEM] for word in latin if word not in _idle()) | (_pairs(text) - _idle())


def length(text: str) -> int:
    """Words of a text; two Chinese characters are one."""
    return len(_WORD.findall(text)) + len(CHINESE.findall(text)) // 2


def _pairs(text: str) -> frozenset[str]:
    return frozenset(run[at : at + 2] for run in _CHINESE.findall(text) for at in range(len(run) - 1))


@cache
def _idle() -> frozenset[str]:
    from deckgen.lexicon import words  # reads files, which a quick command does without

    return frozenset(words("definition.idle"))
