"""What is coloured, and that colour adds nothing else."""

import re

import click
import pytest

from deckgen.paint import LINES, STYLES, painted
from deckgen.text.harmless import lines
from deckgen.text.pattern import pattern

LINK = re.compile("\x1b]8;;([^\x1b]*)\x1b\\\\")


@pytest.mark.parametrize(("line", "example"), LINES)
def test_a_row_colours_its_example_and_no_row_above_takes_it(line, example):
    assert next(row for row, _ in LINES if pattern(row).match(example)) == line
    shown = painted(example)
    assert shown != example
    assert click.unstyle(shown) == example


def test_every_role_is_somewhere():
    named = {name for line, _ in LINES for name in pattern(line).groupindex} - {"path", "line"}
    assert named == STYLES.keys()


def test_a_place_is_a_link_where_it_has_an_address():
    told = "a b.md:12: contradicted: `1`: torch says `2`\nnone.md:3: error: `x.md:4: y`\n"
    shown = painted(told, lambda path, line: f"file:///{line}" if path == "a b.md" else "")
    assert LINK.findall(shown) == ["file:///12", ""]
    assert click.unstyle(LINK.sub("", shown)) == told


def test_what_notes_say_commands_nobody_in_colour_either():
    told = lines(["a.md:1: error: `\x1b[31m\x1b]8;;http://x\x1b\\`", "\x1b[2J", "    +\x1b[1m"])
    assert "\\x1b" in (shown := painted(told))
    assert click.unstyle(shown) == told
