from deckgen.begin import first_files
from deckgen.config import parse_config
from deckgen.keep import new_deck_id


def test_the_first_deck_toml_is_one_that_deckgen_reads():
    config = parse_config(first_files('My "notes"', 1763700000000)["deck.toml"], "deck.toml")
    assert (config.id, config.name) == (1763700000000, 'My "notes"')


def test_two_decks_get_two_ids():
    assert len({new_deck_id() for _ in range(100)}) == 100
