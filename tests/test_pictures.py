"""The pictures of the shipped decks: drawn from tensors as they are, and each on a card that describes it."""

import json
import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from bench import shots
from bench.pictures import FOLDER, PICTURES
from bench.pictures.svg import BLUE, GREEN, GREY, INK, ORANGE, PANEL, PLAIN, WIDTH
from deckgen.paint import painted

CARDS = Path(__file__).resolve().parents[1] / "cards"
NAMES = sorted(PICTURES)


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_what_its_tensors_give(name: str) -> None:
    path = FOLDER / f"{name}.svg"
    assert path.read_text("utf-8") == PICTURES[name](), "run `python -m bench.pictures`"


def test_no_picture_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == NAMES


def shown(pages: str) -> list[tuple[str, str]]:
    """The text and the name of each picture on the pages."""
    texts = (page.read_text("utf-8") for page in sorted(CARDS.glob(pages)))
    return [
        found for text in texts for found in re.findall(r"!\[([^]]*)\]\([./]+snippets/pictures/([\w-]+)\.svg\)", text)
    ]


def test_each_picture_is_on_one_card_and_has_a_text_for_those_who_cannot_see_it() -> None:
    pictures = shown("*/*.md")
    assert Counter(name for _, name in pictures) == Counter(NAMES)
    assert all(len(text) >= 40 for text, _ in pictures)


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_fits_a_phone_and_brings_its_own_background(name: str) -> None:
    drawing = PICTURES[name]()
    assert f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} ' in drawing
    assert f'fill="{PANEL}"' in drawing
    sizes = [int(size) for size in re.findall(r'font-size="(\d+)"', drawing)]
    assert min(sizes) >= 11
    places = [float(x) for x in re.findall(r'<(?:rect|text) x="([-\d.]+)"', drawing)]
    assert min(places) > 0
    assert max(places) < WIDTH


@pytest.mark.parametrize("colour", [BLUE, GREEN, GREY, ORANGE, PANEL, PLAIN])
def test_what_is_written_on_a_colour_can_be_read(colour: str) -> None:
    assert (light(colour) + 0.05) / (light(INK) + 0.05) > 7


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
