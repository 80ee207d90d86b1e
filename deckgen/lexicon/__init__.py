"""Every word of a human language that the program looks for, by role: one file for each language.

A role is what a word does in notes (`question`, `answer_label`, `right`), whoever says it. Files hold words, not
expressions; the one sign with a meaning is a `*` at the end, for a stem: `approximat*`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

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


@cache
def either(role: str) -> str:
    """An expression for the words of a role, the longest first; Latin words stand by themselves, in any case."""
    every = sorted(words(role), key=len, reverse=True)
    latin = [_latin(word) for word in every if word.isascii()]
    other = [re.escape(word) for word in every if not word.isascii()]
    return "(?:" + "|".join([*(["(?i:" + "|".join(latin) + ")"] if latin else []), *other]) + ")"


def _latin(word: str) -> str:
    stem = word.removesuffix("*")
    left = r"(?<![A-Za-z0-9_])" if stem[0].isalnum() else ""
    right = r"(?![A-Za-z0-9_])" if stem == word and stem[-1].isalnum() else ""
    return left + re.escape(stem).replace(r"\ ", r"\s+") + right


def expand(expression: str) -> str:
    """An expression in which each `«role»` stands for the words of that role."""
    return _ROLE.sub(lambda found: either(found[1]), expression)


_ROLE = re.compile(r"«([\w.]+)»")
