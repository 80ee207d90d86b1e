"""Markdown as people write it in notes -> HTML that reads as they meant it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import patience

from deckgen.model.deck import Media
from deckgen.render import prose
from deckgen.render.media import Pictures, named

CASES = Path(__file__).parents[1] / "cases" / "prose.md"


def cases():
    """Title, input and expectation, each between lines of a single dot."""
    for part in CASES.read_text(encoding="utf-8").split("\n===\n")[1:]:
        title, markdown, expected = part.strip("\n").split("\n.\n")
        yield pytest.param(markdown, expected, id=title)


@pytest.mark.parametrize(("markdown", "expected"), list(cases()))
def test_prose(markdown, expected):
    assert prose.html(markdown, Pictures()) == expected


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_any_text_renders(text):
    markup = prose.html(text, Pictures())
    assert "<script" not in markup.lower()
    assert not any("\ue000" <= character <= "\uf8ff" for character in markup)


@given(st.text("abc xyz,;:.()'梯度。，", max_size=40))
def test_the_short_way_for_plain_text_is_the_long_one(text):
    by_parser = prose.marked(text.strip("\n"), Pictures())
    assert prose.html(text, Pictures()).strip() == by_parser


def test_terminal_colours_and_control_characters_are_dropped():
    assert (
        prose.html("\x1b[31mred\x1b[0m \x00and\ufeff plain\r\n\r\nmore", Pictures())
        == "<p>red and plain</p>\n<p>more</p>"
    )


def test_pictures_are_named_by_their_content():
    pictures = Pictures(lambda target: named(target, b"bytes") if target == "img/loss curve.png" else None)
    markup = prose.html("![the curve](img/loss%20curve.png)", pictures)
    assert markup == '<img src="loss-curve-277089d9.png" alt="the curve">'
    assert list(pictures.found) == ["loss-curve-277089d9.png"]
    assert pictures.missing == []


def test_a_picture_that_is_not_there_is_its_text_and_reported():
    pictures = Pictures()
    assert prose.html("see ![the curve](img/loss.png)", pictures) == "see the curve"
    assert pictures.missing == ["img/loss.png"]


def test_raw_html_pictures_are_packaged_too():
    pictures = Pictures(lambda target: Media("loss-1.png", b"") if target == "loss.png" else None)
    raw = '<p align="center"><img width=400 src="loss.png" alt="curve"></p>\n\nand `<img>`'
    assert prose.html(raw, pictures) == '<p><img src="loss-1.png" alt="curve"></p>\n<p>and <code>&lt;img&gt;</code></p>'


@pytest.mark.parametrize("target", ["notes.txt", "archive.tar.gz", "x", "script.js", "a/b.html"])
def test_only_pictures_are_packaged(target):
    assert named(target, b"") is None


def test_a_picture_s_name_is_safe_on_every_system():
    media = named("C:\\notes\\图 1: loss?.PNG", b"")
    assert media is not None
    assert media.name == "图-1-loss-e3b0c442.png"


RUNS = (
    "*a",
    "[",
    "`",
    "==",
    "\\(",
    "__a",
    "$",
    "<b>",
    "<!--",
    "<pad>",
    "![",
    "**注：",
    "a\n",
    "- ",
    "| ",
    "](",
    "&lt",
    "{{c1::",
)


@pytest.mark.parametrize("run", RUNS)
def test_long_runs_of_marks_do_not_take_for_ever(run):
    with patience():
        assert prose.html(run * 20_000, Pictures())
