"""The pages that list the shipped decks."""

import re

import pytest

from bench.deck_pages import ORDER, PAGES, Page, written


@pytest.mark.parametrize("page", PAGES, ids=[page.path.name for page in PAGES])
def test_the_list_of_decks_is_what_the_decks_are(page: Page) -> None:
    assert page.path.read_text("utf-8") == written(page), "run `python -m bench.deck_pages`"


@pytest.mark.parametrize("page", PAGES, ids=[page.path.name for page in PAGES])
def test_every_deck_is_in_the_list_with_its_picture(page: Page) -> None:
    assert {path.parent.name for path in page.decks.glob("*/deck.toml")} <= set(ORDER)
    shown = re.findall(r"\]\((pictures/[^)]+)\)", page.path.read_text("utf-8"))
    assert [name for name in shown if not (page.path.parent / name).exists()] == []
