"""Patterns that wait: nothing is compiled at import, and each of them is sound."""

import importlib
import re
import sys
from collections.abc import Iterator
from re import _constants as codes
from re import _parser

import pytest
from modules import MODULES

from deckgen.extract.labels import Kind
from deckgen.text.pattern import Words, _Waiting, pattern


def standing(kind: type) -> dict[str, object]:
    """All of a kind in all modules that can be imported here, by where they stand."""
    rows = {f"Kind.{row.name}": row.expression for row in Kind}
    found = {name: value for name, value in rows.items() if isinstance(value, kind)}
    for module in MODULES:
        if ".worker" not in module:
            held = vars(importlib.import_module(module)).items()
            found |= {f"{module}.{name}": value for name, value in held if isinstance(value, kind)}
    return found


def waiting() -> dict[str, _Waiting]:
    return standing(_Waiting)


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


def within(code, told) -> list:
    """The patterns that a part of a pattern holds."""
    match code:
        case codes.SUBPATTERN:
            return [told[3]]
        case codes.BRANCH:
            return told[1]
        case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
            return [told[2]]
        case codes.ASSERT | codes.ASSERT_NOT:
            return [told[1]]
        case _:
            return []


def parts(parsed) -> Iterator[tuple]:
    """Every literal, range and class of a pattern."""
    for code, told in parsed:
        if inner := within(code, told):
            yield from (part for one in inner for part in parts(one))
        elif code is codes.IN:
            yield from told
        else:
            yield code, told


SINGLE = (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY, codes.CATEGORY)


def repeated_possessively(parsed) -> Iterator:
    """What of a pattern gives nothing back, unless it is one character again and again."""
    for code, told in parsed:
        if code is codes.POSSESSIVE_REPEAT and not (len(told[2]) == 1 and told[2][0][0] in SINGLE):
            yield told[2]
        yield from (part for one in within(code, told) for part in repeated_possessively(one))


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="strings of Python 3.12 need them, and its `re` takes them rightly"
)
def test_no_group_is_repeated_possessively():
    # Python 3.11.0 to 3.11.4 take such groups wrongly (gh-106052).
    for where, one in waiting().items():
        assert list(repeated_possessively(_parser.parse(one.pattern, one.flags))) == [], where
    assert list(repeated_possessively(_parser.parse("(?:ab)*+")))


def needs_more_than_ascii(parsed) -> bool:
    """True if nothing that a pattern matches is ASCII alone."""
    for code, told in parsed:
        match code:
            case codes.LITERAL:
                needed = told > 127
            case codes.IN:
                needed = all(kind is codes.LITERAL and one > 127 for kind, one in told)
            case codes.SUBPATTERN:
                needed = needs_more_than_ascii(told[3])
            case codes.BRANCH:
                needed = all(map(needs_more_than_ascii, told[1]))
            case codes.MAX_REPEAT | codes.MIN_REPEAT:
                needed = told[0] > 0 and needs_more_than_ascii(told[2])
            case _:
                needed = False
        if needed:
            return True
    return False


def test_words_are_found_in_any_case_and_in_both_languages():
    words = Words("«heading.rhyme»")
    for found in (
        words.search("My CheatSheet"),
        words.search("口诀 of mine"),
        words.match("Cheat sheet of mine"),
        words.fullmatch("闪卡"),
    ):
        assert found
    for missed in (words.search("cheating"), words.match("my cheat sheet"), words.fullmatch("闪卡片")):
        assert not missed


def test_an_alternative_is_looked_for_in_the_languages_that_have_its_roles():
    words = Words("«tutor.type»!", "«tutor.combo»!")
    assert words.search("type!")
    assert words.search("连击!")
    assert not words.search("连击")


def test_words_of_a_role_that_no_language_has_are_a_fault():
    with pytest.raises(KeyError):
        Words("«tutor.nobody»").search("anything")


def compiled(words: Words) -> list[re.Pattern[str]]:
    return [words.english, words.chinese]


def test_words_are_written_in_small_letters():
    for where, words in standing(Words).items():
        for one in compiled(words):
            for code, told in parts(_parser.parse(one.pattern)):
                assert code is not codes.LITERAL or chr(told).lower() == chr(told), (where, chr(told))


def test_what_chinese_says_does_not_stand_in_text_of_ascii_alone():
    for where, words in standing(Words).items():
        assert words.chinese.pattern == "(?!)" or needs_more_than_ascii(_parser.parse(words.chinese.pattern)), where
