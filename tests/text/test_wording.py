from deckgen.text.wording import counted, differing_excerpts, one_line


def test_a_long_text_is_cut_to_one_line():
    assert one_line("a\n b " * 40, 9) == "a b a b …"


def test_of_two_long_titles_the_difference_is_seen():
    before, after = differing_excerpts("the same words " * 20 + "leaf", "the same words " * 20 + "root", 40)
    assert (before[0], before[-4:], after[-4:]) == ("…", "leaf", "root")
    assert max(len(before), len(after)) <= 40


def test_short_titles_stay_whole():
    assert differing_excerpts("one", "two") == ("one", "two")


def test_one_card_is_no_cards():
    assert (counted(1, "card"), counted(2, "card")) == ("1 card", "2 cards")
