"""What the server tells a page, and when."""

import json

from deckgen.app.page_server import Board
from deckgen.app.review import Review


def test_a_page_is_told_what_came_of_a_decision_even_if_that_is_nothing_new():
    board = Board()
    board.show(Review())
    known = json.loads(board.told(since=0, have=-1))
    board.show(Review())
    assert "sources" not in json.loads(board.told(known["beat"], known["version"]))
    board.decided()  # and undone before the notes were read again
    board.show(Review())
    assert json.loads(board.told(known["beat"], known["version"]))["sources"] == []
