"""What the server tells a page, and when."""

import json

from deckgen.app.page_server import PageState
from deckgen.app.review import Review


def test_a_page_is_told_what_came_of_a_decision_even_if_that_is_nothing_new():
    state = PageState()
    state.show(Review())
    known = json.loads(state.state_json(since=0, have=-1))
    state.show(Review())
    assert "sources" not in json.loads(state.state_json(known["beat"], known["version"]))
    state.decided()  # and undone before the notes were read again
    state.show(Review())
    assert json.loads(state.state_json(known["beat"], known["version"]))["sources"] == []


def test_a_page_learns_which_decisions_the_notes_that_it_shows_do_not_have():
    state = PageState()
    state.show(Review(), 0)
    assert json.loads(state.state_json(0, 0))["decisions"] == 0
    assert state.decided() == 1
    state.show(Review(), 1)
    assert json.loads(state.state_json(0, 0))["decisions"] == 1
