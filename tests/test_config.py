import re

import pytest

from deckgen.model.config import OTHER_ENDINGS, SOURCE_ENDINGS, DeckConfig, Waiver, parse_config
from deckgen.model.errors import UsageError
from deckgen.model.notation import Notation


def test_an_empty_file_means_the_defaults():
    assert parse_config("", "deck.toml") == DeckConfig(is_written=True)


def test_every_key_is_read():
    text = """
id = 1763700000000
name = "Torch"
language = "zh"
sources = ["a.md", "more"]
include = ["*.md"]
exclude = "drafts"
subdecks = false
tags = ["x"]
prelude = ["import torch"]
timeout = 5
device = "cpu"
on-contradiction = "correct"
source-url = "https://example.org/{file}"
suggestions = "ship"
headings = "cards"
separators = true
highlight = "cloze"
[[waivers]]
text = "tensor(1)"
reason = "on purpose"
"""
    config = parse_config(text, "deck.toml")
    assert config.id == 1763700000000
    assert (config.sources, config.exclude) == (("a.md", "more"), ("drafts",))
    assert (config.timeout, config.subdecks, config.on_contradiction) == (5.0, False, "correct")
    assert config.waivers == (Waiver("tensor(1)", "on purpose"),)
    assert config.suggestions == "ship"
    assert config.notation == Notation(is_deck=True, headings=True, separators=True, highlight=True)


def test_a_folder_with_a_deck_toml_is_a_deck_and_says_no_more_by_itself_of_how_cards_are_written():
    assert parse_config("", "deck.toml").notation == Notation(is_deck=True)
    assert DeckConfig().notation == Notation()


@pytest.mark.parametrize(
    ("text", "where", "hint"),
    [
        ('name = "x"\nlanguge = "zh"\n', "deck.toml:2", "`language`"),
        ('name = "x"\n\n[[waiver]]\ntext="a"\n', "deck.toml:3", "`waivers`"),
        ('[[waivers]]\ntext = "tensor(1)"\nreson = "x"\n', "deck.toml:3", "`reason`"),
        ('name = "x"\nsuggestions = "shipp"\n', "deck.toml:2", "`ship`"),
        ('language = "de"\n', "deck.toml:1", "'de'"),
        ('name = "x"\nheadings = true\n', "deck.toml:2", "True"),
        ('separators = "::"\n', "deck.toml:1", "'::'"),
        ('highlight = "gap"\n', "deck.toml:1", "'gap'"),
        ("id = 0\n", "deck.toml:1", "0"),
        ("id = true\n", "deck.toml:1", "True"),
        ('timeout = "long"\n', "deck.toml:1", "long"),
        ("[[waivers]]\nreason='x'\n", "deck.toml:1", "reason"),
        ("name = 'PyTorch::'\n", "deck.toml:1", "PyTorch::"),
        ('name = "x\n', "deck.toml:1", "toml"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_a_hint(text, where, hint):
    with pytest.raises(UsageError) as error:
        parse_config(text, "deck.toml")
    assert error.value.where == where
    assert hint in (error.value.hint or "")


@pytest.mark.parametrize("text", ["0.", "loss", "1e-05", "张量的形状"])
def test_a_waiver_that_may_hide_any_claim_is_refused_at_its_line(text):
    fine = '[[waivers]]\ntext = "tensor(1)"\nreason = "on purpose"\n\n'
    with pytest.raises(UsageError, match="hide claims") as error:
        parse_config(f'{fine}[[waivers]]\ntext = " {text} "\nreason = "x"\n', "deck.toml")
    assert error.value.where == "deck.toml:5"
    assert "6 characters" in (error.value.hint or "")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('\n[[waivers]]\ntext = "tensor(1)"\nreason = "x"\n[[ waivers ]]\nreason = "y"\ntext = "tensor(2)"\n', [2, 5]),
        ('name = "x"\nwaivers = [{text = "(2, 3)", reason = "x"}, {text = "tensor(2)", reason = "y"}]\n', [2, 2]),
    ],
)
def test_waivers_know_where_they_stand(text, lines):
    assert [waiver.line for waiver in parse_config(text, "deck.toml").waivers] == lines


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x", "x", "https:"]
)
def test_where_sources_can_be_read_is_an_address_of_the_web(address):
    with pytest.raises(
        UsageError, match="`source-url` must be an address that begins with https:// or http://"
    ) as error:
        parse_config(f'name = "x"\nsource-url = "{address}"\n', "deck.toml")
    assert error.value.where == "deck.toml:2"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("prelude = 'import ('\n", "`prelude` must be lines of Python"),
        ("tags = [1]\n", "`tags` must be a list of non-empty strings"),
        ("[[waivers]]\ntext = ''\nreason = 'x'\n", "`waivers` must be tables whose values are non-empty strings"),
        ("name = 'a:: ::b'\n", "`name` must be a name without empty parts between `::`"),
    ],
)
def test_what_is_wanted_is_said_of_the_whole_value(text, wanted):
    with pytest.raises(UsageError, match=re.escape(wanted)):
        parse_config(text, "deck.toml")


def test_no_ending_is_read_and_told_as_unread() -> None:
    """Whoever adds a reader takes its ending out of those that are only listed."""
    assert {pattern.removeprefix("*") for pattern in SOURCE_ENDINGS}.isdisjoint(OTHER_ENDINGS)
