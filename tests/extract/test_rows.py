"""Every row of every table says what it is for: its example is its test, and somebody needs it."""

from itertools import pairwise

import pytest
from wrapping import ON_ONE_LINE

from bench import notations
from bench.rows import document, found, left_out, losses
from deckgen.extract import rules
from deckgen.extract.engine import Rule, ask
from deckgen.extract.page import Finds, Page
from deckgen.extract.rows import TABLES, Row, Table, rows
from deckgen.model.document import Items
from deckgen.model.note import Basic, FoundAs, Standing
from deckgen.model.source import Source, Span
from deckgen.read import read

EVERY = [pytest.param(table, row, id=f"{table.title}: {row.name}") for table, row in rows()]


@pytest.mark.parametrize(("table", "row"), EVERY)
def test_a_row_makes_something_of_its_example(table: Table, row: Row) -> None:
    source = Source("example.md", row.example.strip("\n") + "\n")
    whole = found(source)
    with left_out(table, row):
        assert whole - found(source), "nothing is lost without this row"


@pytest.mark.parametrize(("lines", "one_line"), ON_ONE_LINE.values(), ids=ON_ONE_LINE)
def test_every_row_makes_the_same_of_its_example_where_all_of_it_is_one_line_of_the_file(lines, one_line) -> None:
    for _, row in rows():
        if row.name == "flashcards":
            continue  # they are a format of files
        text = row.example.strip("\n") + "\n"
        assert found(Source("any", one_line(text))) == found(Source("any", lines(text))), row.name


@pytest.mark.parametrize(("table", "row"), EVERY)
def test_a_row_names_a_seed_or_two_documents_that_need_it_or_its_reason(table: Table, row: Row) -> None:
    documents = {seen for seen in row.seen if not seen.startswith(("seed ", "design: "))}
    assert documents != set(row.seen) or len(documents) > 1, table.title
    assert all(seen.count("/") > 1 for seen in documents)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_names_of_rows_are_unique(table: Table) -> None:
    names = sorted(row.name for row in table.rows())
    assert all(one != other for one, other in pairwise(names))


def test_the_page_of_notations_is_up_to_date() -> None:
    assert notations.PAGE.read_text("utf-8") == notations.written(), "run `python -m bench.notations`"


def test_the_forms_that_authors_are_told_first_give_the_cards_that_the_page_shows() -> None:
    forms = notations.told_first()
    assert len(forms) == 10
    for example, cards in forms:
        assert notations.shown(example) == cards != []


def test_documents_of_rows_are_found_or_reported(tmp_path) -> None:
    (tmp_path / "000_a.txt").write_text(rules.CHOICE, "utf-8")
    (tmp_path / "g2384+notes" / "docs").mkdir(parents=True)
    (tmp_path / "g2384+notes" / "docs" / "cs-notes.md").write_text("Nothing.\n", "utf-8")
    assert document("seed 000", [tmp_path]) == tmp_path / "000_a.txt"
    assert document("g2384/notes/docs/cs-notes.md", [tmp_path]) is not None
    assert document("g2384/notes/docs/other.md", [tmp_path]) is None
    by_row = {(loss.row, loss.seen): loss.lost for loss in losses([tmp_path])}
    assert by_row["choices", "seed 000"]
    assert by_row["definitions", "g2384/notes/docs/cs-notes.md"] == {}
    assert by_row["entries", "seed 001"] is None


# How the engine settles what rules want


def _page() -> Page:
    return Page(read(Source("notes.md", "# A\n\n- one\n- two\n\nText.\n")))


def _rule(name: str, sureness: int, first: int, last: int, block: int = 1) -> Rule:
    """A rule that makes one note of these lines of a block, and takes the block."""

    def find(page: Page) -> Finds:
        if not page.free(block):
            return Finds()
        note = page.note(Basic(prompt=f"{name}?", answer="yes"), Span(first, last), block, name)
        return Finds((note,), used=frozenset({block}))

    return Rule(name, find, sureness, Standing.SURE, FoundAs.LINE, "", ())


def test_the_surer_rule_takes_its_blocks_first_wherever_it_stands() -> None:
    for order in (1, -1):
        finds = ask([_rule("sure", 2, 2, 3), _rule("unsure", 1, 2, 4)][::order], _page())
        assert [note.rule for note in finds.notes] == ["sure"]


def test_of_equally_sure_rules_the_one_that_takes_more_lines_wins_and_the_other_is_reported() -> None:
    for order in (1, -1):
        finds = ask([_rule("short", 1, 2, 3), _rule("long", 1, 2, 4)][::order], _page())
        assert [note.rule for note in finds.notes] == ["long"]
        assert [(skip.rule, "`long`" in skip.reason) for skip in finds.skipped] == [("short", True)]


def test_two_readings_as_good_as_each_other_are_both_reported() -> None:
    page = _page()
    finds = ask([_rule("one", 1, 2, 4), _rule("other", 1, 2, 4), _rule("less", 0, 2, 4)], page)
    assert [note.rule for note in finds.notes] == ["less"]
    assert [skip.rule for skip in finds.skipped] == ["one", "other"]


def test_equally_sure_rules_may_use_other_lines_of_one_block() -> None:
    finds = ask([_rule("one", 1, 2, 3), _rule("other", 1, 3, 4)], _page())
    assert [note.rule for note in finds.notes] == ["one", "other"]


def test_what_is_left_of_a_block_is_what_later_rules_see() -> None:
    page = _page()
    block = page.blocks[1]
    assert isinstance(block, Items)
    rest = Items(block.span, block.items[1:])
    seen = []

    def half(page: Page) -> Finds:
        return Finds(left={1: rest})

    def later(page: Page) -> Finds:
        seen.extend(line.text for line in page.lines(1))
        return Finds()

    assert [line.text for line in page.lines(1)] == ["one", "two"]
    ask(
        [
            Rule("half", half, 2, Standing.SURE, FoundAs.LINE, "", ()),
            Rule("later", later, 1, Standing.SURE, FoundAs.LINE, "", ()),
        ],
        page,
    )
    assert seen == ["two"]
    assert page.document.blocks[1] is block
