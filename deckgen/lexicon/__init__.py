"""Every word of a human language that the program looks for, by role: one file for each language.

A role is what a word does in notes (`question`, `answer_label`, `right`), whoever says it. Files hold words, not
expressions; the one sign with a meaning is a `*`, at the end for a stem, `approximat*`, and in front of what stands behind others,
`*points`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Literal

LANGUAGES = ("en", "zh")
"""One file each; a third language is one more."""


@cache
def roles(language: str) -> dict[str, tuple[str, ...]]:
    """The words of one language by role: `{"quiz.right": ("correct", ...)}`; the part before the dot is a table."""
    tables = tomllib.loads(files(__name__).joinpath(f"{language}.toml").read_text("utf-8"))
    return {f"{table}.{role}": tuple(words) for table, found in tables.items() for role, words in found.items()}


def words(role: str) -> tuple[str, ...]:
    """The words of a role in every language. Raises KeyError for a role that no file has."""
    found = [word for language in LANGUAGES for word in roles(language).get(role, ())]
    if not found:
        raise KeyError(f"no file of the lexicon has the role {role}")
    return tuple(found)


@cache
def names_in(table: str) -> tuple[str, ...]:
    """The roles of a table, without its name: those of `parameter` are parameters of torch."""
    every = dict.fromkeys(role for language in LANGUAGES for role in roles(language))
    return tuple(role.partition(".")[2] for role in every if role.startswith(f"{table}."))


Prompt = Literal[
    "what", "why", "prints", "shape", "value", "raises", "warns", "judge", "true", "false", "indentation", "fill", "meaning", "code",
    "also", "does", "aspect",
]  # fmt: skip
"""What deckgen itself asks or says on a card."""


def prompt(language: str, name: Prompt, *values: str) -> str:
    """What deckgen itself puts on a card, in `zh` or `en`; `values` fill its places."""
    return roles("zh" if language == "zh" else "en")[f"prompt.{name}"][0].format(*values)


@cache
def either(role: str) -> str:
    """An expression for the words of a role, the longest first; Latin words stand by themselves, in any case.

    Words with one beginning share it, letters stand as `[aA]`, and in front of all stands which letters may begin one: so `re` passes
    over most of a text at a glance, which it does not where it ignores case. On 60 documents extraction takes a fourth less time.
    """
    every = words(role)
    latin = [word for word in every if word.isascii()]
    bound = _tree(word for word in latin if _bounds(word)[1])
    loose = _tree(word for word in latin if not _bounds(word)[1])
    other = _tree(word for word in every if not word.isascii())
    tried = [_opening(bound) + rf"(?a:(?<!\w)){_branches(bound)}"] if bound else []
    return "(?:" + "|".join([*tried, *(_opening(one) + _branches(one) for one in (loose, other) if one)]) + ")"


def _tree(found: Iterable[str]) -> _Tree:
    """A branch for each letter that may follow; Latin words stand in any case."""
    tree: _Tree = {}
    for word in found:
        stem, _, right = _bounds(word) if word.isascii() else (word, False, False)
        node = tree
        for letter in stem:
            node = node.setdefault(_letter(letter, latin=word.isascii()), {})
        node[_ENDS_WORD if right else ""] = {}
    return tree


def _opening(tree: _Tree) -> str:
    """What says in front of many words whether one may begin here."""
    return f"(?=[{''.join(one.strip('[]') for one in tree)}])" if len(tree) > _FEW and _SPACE not in tree else ""


_Tree = dict[str, "_Tree"]
_SPACE = r"\s+"
_FEW = 3
"""Letters that are tried as quickly one by one."""
_ENDS_WORD = r"(?a:(?!\w))"


def _branches(tree: _Tree) -> str:
    """The longer of two words first: what ends here stands behind what goes on, and a stem needs no end."""
    parts = [letter + _rest(rest) for letter, rest in tree.items() if letter not in ("", _ENDS_WORD)]
    parts += [end for end in ("", _ENDS_WORD) if end in tree][:1]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


def _rest(tree: _Tree) -> str:
    """What follows a letter. Where but one letter may, case is ignored, which takes less time to compile than `[aA]`."""
    alone = ""
    while len(tree) == 1 and (letter := next(iter(tree))).startswith("["):
        alone, tree = alone + letter[1], tree[letter]
    return (f"(?ai:{alone})" if alone else "") + _branches(tree)


def _letter(letter: str, *, latin: bool) -> str:
    if latin and letter == " ":
        return _SPACE
    return f"[{letter.lower()}{letter.upper()}]" if latin and letter.isalpha() else re.escape(letter)


def _bounds(word: str) -> tuple[str, bool, bool]:
    """(what is looked for, does no letter stand before it, and none behind it)"""
    stem = word.strip("*")
    latin = word.isascii()
    left, right = latin and not word.startswith("*"), latin and not word.endswith("*")
    return stem, left and stem[0].isalnum(), right and stem[-1].isalnum()


def _literal(words: str) -> str:
    return re.escape(words).replace(r"\ ", r"\s+")


def expand(expression: str) -> str:
    """An expression in which each `«role»` stands for the words of that role."""
    return _ROLE.sub(lambda found: either(found[1]), expression)


def in_small_letters(expression: str, language: str) -> str | None:
    """An expression for text in small letters, with the words of one language; None if that has no words for a role in it."""
    named = _ROLE.findall(expression)
    if any(words(role) and not roles(language).get(role) for role in named):
        return None
    if named and named[0] == expression[1:-1]:
        return _small(
            named[0], language
        )  # without a group: `re` looks for the first characters of alternatives at the top only
    return _ROLE.sub(lambda found: f"(?:{_small(found[1], language)})", expression)


@cache
def _small(role: str, language: str) -> str:
    """The words of a role as alternatives at the top: those that stand by themselves share their bounds, which takes less time."""
    by_bounds: dict[tuple[str, str], list[str]] = {}
    for word in sorted(map(str.lower, roles(language)[role]), key=len, reverse=True):
        stem, left, right = _bounds(word)
        by_bounds.setdefault((r"\b" if left else "", r"\b" if right else ""), []).append(_literal(stem))
    return "|".join(
        f"{left}(?:{'|'.join(found)}){right}" if left or right else "|".join(found)
        for (left, right), found in by_bounds.items()
    )


_ROLE = re.compile(r"«([\w.]+)»")
