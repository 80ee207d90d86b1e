"""Patterns that wait: nothing is compiled at import, and each of them is sound."""

import importlib
import pkgutil
import re

import deckgen
from deckgen.pattern import _Waiting, pattern


def waiting() -> dict[str, _Waiting]:
    """All patterns of all modules that can be imported here, by where they stand."""
    found = {}
    for module in pkgutil.walk_packages(deckgen.__path__, "deckgen."):
        if module.name != "deckgen.__main__" and ".worker" not in module.name:
            held = vars(importlib.import_module(module.name)).items()
            found |= {f"{module.name}.{name}": value for name, value in held if isinstance(value, _Waiting)}
    return found


def test_every_pattern_of_the_program_is_a_regular_expression():
    found = waiting()
    assert len(found) > 200
    for where, one in found.items():
        assert one.search("") is None or one.search(""), where


def test_a_pattern_finds_what_the_compiled_one_finds():
    wanted = re.compile(r"(?P<word>[a-z]+)\d", re.IGNORECASE)
    made = pattern(r"(?P<word>[a-z]+)\d", re.IGNORECASE)
    assert made.sub("-", "ab1 C2") == wanted.sub("-", "ab1 C2")
    assert made.pattern == wanted.pattern
    assert (made.flags, made.groups, dict(made.groupindex)) == (wanted.flags, wanted.groups, dict(wanted.groupindex))


def test_nothing_is_compiled_before_it_is_used():
    made = pattern("a+")
    assert "_compiled" not in vars(made)
    assert made.fullmatch("aaa")
    assert "_compiled" in vars(made)
