from deckgen.identity import new_deck_id
from deckgen.model.config import parse_config
from deckgen.scaffold import deck_toml, workflow


def test_the_first_deck_toml_is_one_that_deckgen_reads():
    config = parse_config(deck_toml('My "notes"', 1763700000000), "deck.toml")
    assert (config.id, config.name) == (1763700000000, 'My "notes"')


def test_the_workflow_checks_the_notes_where_they_are():
    assert 'NOTES: "my notes"' in workflow("my notes")
    assert 'run: deckgen verify "$NOTES" --format github' in workflow("my notes")


def test_the_workflow_fails_if_hardly_anything_can_be_checked():
    (line,) = [line for line in workflow("notes").splitlines() if "deckgen verify" in line]
    assert line.endswith("--min-checked 50%")


def test_the_workflow_checks_pull_requests_keeps_what_it_ran_and_may_write_nothing_but_issues():
    for line in ("  pull_request:", "      - uses: actions/cache@v4", "  contents: read"):
        assert f"{line}\n" in workflow("notes")
    assert workflow("notes").count(": write") == 1


def test_the_workflow_installs_deckgen_from_where_its_user_says():
    lines = [line.strip() for line in workflow("notes").splitlines()]
    assert 'DECKGEN: "git+https://HOST/OWNER/deckgen"' in lines
    assert '- run: python -m pip install "$DECKGEN" numpy' in lines


def test_two_decks_get_two_ids():
    assert len({new_deck_id() for _ in range(100)}) == 100
