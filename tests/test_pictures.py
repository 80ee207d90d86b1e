"""The pictures of the shipped decks: drawn from tensors as they are, and each on a card that describes it."""

import json
import re
from collections import Counter
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from bench import shots
from bench.pictures import FOLDER, PICTURES, drawn
from bench.pictures.svg import BLUE, CURVES, GREEN, GREY, INK, ORANGE, PANEL, PLAIN, WIDTH
from bench.pictures.variants import CHINESE, NIGHT, in_chinese, variants
from deckgen.paint import painted

CARDS = Path(__file__).resolve().parents[1] / "cards"
NAMES = sorted(PICTURES)
FILES = drawn()


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_picture_is_what_its_tensors_give(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == FILES[name], "run `python -m bench.pictures`"


def test_no_picture_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(FILES)


class Shown(NamedTuple):
    """A picture on a page, which has two lines: one for light pages, one for dark ones."""

    text: str
    name: str


_LINES = re.compile(
    r"!\[([^]]*)\]\(([./]+)snippets/pictures/([\w.-]+)\.svg#only-light\)\n"
    r"!\[([^]]*)\]\(([./]+)snippets/pictures/([\w.-]+)\.night\.svg#only-dark\)"
)


def shown(page: Path) -> list[Shown]:
    """The pictures of a page in order."""
    text = page.read_text("utf-8")
    found = _LINES.findall(text)
    assert len(found) * 2 == text.count("snippets/pictures/")
    assert all(one[:3] == one[3:] for one in found)
    return [Shown(one[0], one[2]) for one in found]


@pytest.mark.parametrize("pages", ["*/*.md", "zh/*/*.md"])
def test_each_picture_is_on_one_card_and_has_a_text_for_those_who_cannot_see_it(pages: str) -> None:
    pictures = [one for page in sorted(CARDS.glob(pages)) for one in shown(page)]
    wanted = (variants(name, draw) for name, draw in PICTURES.items())
    stems = [name.removesuffix(".night.svg") for files in wanted for name in files if name.endswith(".night.svg")]
    own = {stem for stem in stems if stem.endswith(".zh")}
    there = own | {stem for stem in stems if f"{stem}.zh" not in own} if pages.startswith("zh") else set(stems) - own
    assert Counter(one.name for one in pictures) == Counter(there)
    least = 40 if pages.startswith("*") else 12
    assert all(len(one.text) >= least for one in pictures if "solved" not in one.name)
    assert all(one.text for one in pictures)


@pytest.mark.parametrize("pages", ["*/*.md", "zh/*/*.md"])
def test_a_solved_picture_stands_right_behind_that_of_its_question(pages: str) -> None:
    for page in sorted(CARDS.glob(pages)):
        names = [one.name.removesuffix(".zh") for one in shown(page)]
        for before, name in pairwise(names):
            assert before == name.removesuffix(".solved") or not name.endswith(".solved")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_asked_for_is_seen_when_it_is_solved(name: str) -> None:
    files = variants(name, PICTURES[name])
    assert ">?</text>" not in files.get(f"{name}.solved.svg", "")
    assert ">?</text>" not in files[f"{name}.svg"] or f"{name}.solved.svg" in files
    assert not any("<!--" in text for text in files.values())


def test_the_words_on_pictures_are_in_the_language_of_the_deck() -> None:
    words = {word for name in FILES if ".zh" not in name for word in re.findall(r">([^<]+)</text>", FILES[name])}
    assert all(in_chinese(f">{word}</text>") != f">{word}</text>" for word in CHINESE)
    assert words >= set(CHINESE)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_picture_fits_a_phone_and_brings_its_own_background(name: str) -> None:
    drawing = FILES[name]
    assert f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} ' in drawing
    assert f'fill="{NIGHT[PANEL] if ".night" in name else PANEL}"' in drawing
    sizes = [int(size) for size in re.findall(r'font-size="(\d+)"', drawing)]
    assert min(sizes) >= 11
    places = [float(x) for x in re.findall(r'<(?:rect|text) x="([-\d.]+)"', drawing)]
    assert min(places) > 0
    assert max(places) < WIDTH


@pytest.mark.parametrize("colour", [BLUE, GREEN, GREY, ORANGE, PANEL, PLAIN])
def test_what_is_written_on_a_colour_can_be_read(colour: str) -> None:
    assert contrast(colour, INK) > 7
    assert contrast(NIGHT[colour], NIGHT[INK]) > 7


@pytest.mark.parametrize("colour", CURVES)
def test_a_curve_is_seen_by_day_and_by_night(colour: str) -> None:
    assert contrast(colour, PANEL) > 4.5
    assert contrast(NIGHT[colour], NIGHT[PANEL]) > 4.5


def contrast(one: str, other: str) -> float:
    """That of two colours, at least 1."""
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def light(colour: str) -> float:
    """How light a colour is, by the rules of the Web Content Accessibility Guidelines."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_pictures_of_decks_and_readme_show_what_there_is_now() -> None:
    taken = json.loads(shots.SHOWN.read_text("utf-8"))
    assert taken == shots.digests(), "run `python -m bench.shots`"
    assert {path.stem for path in shots.PICTURES.glob("*.png")} == set(taken)


def test_the_picture_of_a_terminal_has_the_colours_that_it_was_told_and_no_other():
    told = painted("a.md:5: contradicted: `1 < 2`\n    +[4]")
    page = shots.page_of(told)
    assert unescape(re.sub(r"<[^>]+>", "", page)) == "a.md:5: contradicted: `1 < 2`\n    +[4]\n"
    styles = re.findall(r'<span style="([^"]*)">([^<]+)</span>', page)
    assert [text for style, text in styles if "#ff9a8b" in style] == ["contradicted"]
    assert [text for style, text in styles if "#8fd99a" in style] == ["+[4]"]
