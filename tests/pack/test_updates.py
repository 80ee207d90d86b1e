"""What a learner gets with every kind of edit, in the real Anki: what is new, what is updated, and no review lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from learner import Imported, Learner, long_ago
from rendered import TYPES, Assigned, built, cloze, guids, note, source_decks

from deckgen.model.deck import Media, Rendered

FIRST = long_ago()
LATER = FIRST + 1000
NOTES = [
    note("what is a tensor", "a box of numbers"),
    note("what is a dtype", "the kind of number"),
    cloze("use {{c1::view}} or {{c2::reshape}} here", (1, 2)),
    note("zeros", "makes zeros", kind="api", Name="zeros", Signature="zeros(size)"),
]
ALL = len(NOTES)


@pytest.fixture
def learner(tmp_path: Path) -> Iterator[Learner]:
    """One who has the first release and has reviewed every card of it."""
    with Learner(tmp_path / "learner") as someone:
        assert someone.takes(FIRST_BUILD) == Imported(added=ALL, updated=0, unchanged=0)
        assert someone.reviews() >= ALL + 1
        yield someone


FIRST_BUILD = built(NOTES, None, FIRST)


def rebuilt(notes: list[Rendered], before: Assigned = FIRST_BUILD, now: int = LATER, **more: object) -> Assigned:
    return built(notes, before, now, **more)


def test_nothing_changed(learner: Learner):
    before = learner.history()
    assert learner.takes(rebuilt(NOTES)) == Imported(0, 0, ALL)
    assert learner.history() == before


def test_an_answer_was_edited(learner: Learner):
    before = learner.history()
    edited = rebuilt([note("what is a tensor", "an array"), *NOTES[1:]])
    assert learner.takes(edited) == Imported(0, 1, ALL - 1)
    assert learner.fields(guids(edited)["what is a tensor"])["Answer"] == "an array"
    assert learner.history() == before


def test_two_edits_within_one_second_both_arrive(learner: Learner):
    once = rebuilt([note("what is a tensor", "an array"), *NOTES[1:]], now=FIRST)
    twice = rebuilt([note("what is a tensor", "a matrix"), *NOTES[1:]], once, now=FIRST)
    assert learner.takes(once) == Imported(0, 1, ALL - 1)
    assert learner.takes(twice) == Imported(0, 1, ALL - 1)
    assert learner.fields(guids(twice)["what is a tensor"])["Answer"] == "a matrix"


def test_a_question_was_reworded(learner: Learner):
    before = learner.history()
    edited = rebuilt([note("what is a tensor in torch", "a box of numbers"), *NOTES[1:]])
    assert learner.takes(edited) == Imported(0, 1, ALL - 1)
    assert learner.history() == before


def test_a_section_was_inserted_on_top_and_torch_is_another(learner: Learner):
    before = learner.history()
    stamp = {"Checked": "torch 3.0.0", "Source": "tensors.md:40"}
    moved = [note("what is a tensor", "a box of numbers", line=40, **stamp), *NOTES[1:]]
    added = rebuilt([note("what is autograd", "a tape"), *moved])
    assert learner.takes(added) == Imported(1, 0, ALL)
    assert before.items() <= learner.history().items()


def test_a_note_was_removed_and_the_search_finds_just_that(learner: Learner):
    before = learner.history()
    removed = rebuilt(NOTES[1:])
    assert learner.takes(removed) == Imported(0, 0, ALL - 1)
    assert learner.history() == before
    assert learner.finds(removed.changes.search) == [guids(FIRST_BUILD)["what is a tensor"]]


@pytest.mark.parametrize(
    "title",
    [
        'say "no"',
        "a*b_c",
        "back\\slash",
        "50%",
        "a:b",
        "f(x) -> y",
        "a < b & c",
        "x OR y",
        "-x",
        "张量：形状？",
        "[1, 2]",
    ],
)
def test_the_search_for_removed_notes_stands_whatever_a_title_holds(tmp_path: Path, title: str):
    import html

    other = [note("a", "b", Title="aXb c"), note("c", "d", Title="abc")]
    first = built([note("x", "y", Title=html.escape(title, quote=False)), *other], None, FIRST)
    with Learner(tmp_path) as someone:
        someone.takes(first)
        assert someone.finds(rebuilt(other, first).changes.search) == [guids(first)["x"]]


def test_a_hole_was_added_in_front(learner: Learner):
    before = learner.history()
    edited = rebuilt(
        [*NOTES[:2], cloze("{{c1::always}} use {{c2::view}} or {{c3::reshape}} here", (1, 2, 3)), NOTES[3]]
    )
    assert learner.takes(edited) == Imported(0, 1, ALL - 1)
    assert before.items() <= learner.history().items()
    assert len(learner.history()) == len(before) + 1
    assert learner.empty_cards() == 0


def test_a_hole_was_removed(learner: Learner):
    before = learner.history()
    edited = rebuilt([*NOTES[:2], cloze("use view or {{c1::reshape}} here", (1,)), NOTES[3]])
    assert learner.takes(edited) == Imported(0, 1, ALL - 1)
    assert learner.history() == before
    assert learner.empty_cards() == 1
    assert "Empty Cards" in edited.changes.changed[0].detail


def test_a_hole_was_corrected(learner: Learner):
    before = learner.history()
    edited = rebuilt([*NOTES[:2], cloze("use {{c1::view}} or {{c2::flatten}} here", (1, 2)), NOTES[3]])
    assert learner.takes(edited) == Imported(0, 1, ALL - 1)
    assert learner.history() == before


def test_a_reverse_card_was_switched_on_and_off(learner: Learner):
    before = learner.history()
    reverse = note("what is a tensor", "a box of numbers", AskReverse="1", ordinals=(0, 1))
    switched_on = rebuilt([reverse, *NOTES[1:]])
    assert learner.takes(switched_on) == Imported(0, 1, ALL - 1)
    assert len(learner.history()) == len(before) + 1
    assert learner.empty_cards() == 0
    assert learner.takes(rebuilt(NOTES, switched_on, LATER + 9)) == Imported(0, 1, ALL - 1)
    assert learner.empty_cards() == 1
    assert before.items() <= learner.history().items()


def test_the_learners_own_edit_stays(learner: Learner):
    guid = guids(FIRST_BUILD)["what is a tensor"]
    learner.edits(guid, "Answer", "my own words")
    edited = rebuilt([note("what is a tensor", "an array"), *NOTES[1:]])
    assert learner.takes(edited) == Imported(0, 0, ALL)
    assert learner.fields(guid)["Answer"] == "my own words"


def test_an_edit_that_is_newer_than_the_learners_own_arrives(learner: Learner):
    guid = guids(FIRST_BUILD)["what is a tensor"]
    learner.edits(guid, "Answer", "my own words")
    edited = rebuilt([note("what is a tensor", "an array"), *NOTES[1:]], now=int(time.time()) + 2)
    assert learner.takes(edited) == Imported(0, 1, ALL - 1)
    assert learner.fields(guid)["Answer"] == "an array"


def test_the_learners_own_tags_stay_while_the_note_does(learner: Learner):
    guid = guids(FIRST_BUILD)["what is a dtype"]
    learner.tags(guid, "mine")
    learner.takes(rebuilt([note("what is a tensor", "an array"), *NOTES[1:]]))
    assert "mine" in learner.note(guid).tags


def test_flags_and_suspended_cards_outlive_a_change_of_the_note_and_tags_do_not(learner: Learner):
    """Why docs/keeping.md advises flags."""
    guid = guids(FIRST_BUILD)["what is a tensor"]
    learner.tags(guid, "mine")
    learner.puts_by(guid)
    edited = rebuilt([note("what is a tensor", "an array"), *NOTES[1:]], now=int(time.time()) + 2)
    assert learner.takes(edited) == Imported(0, 1, ALL - 1)
    assert learner.is_put_by(guid)
    assert "mine" not in learner.note(guid).tags


def test_a_note_moved_to_another_chapter(learner: Learner):
    before = learner.history()
    moved = note("what is a tensor", "a box of numbers", headings=("Basics",), Title=NOTES[0].fields[0])
    assert learner.takes(rebuilt([*NOTES[1:], moved])) == Imported(0, 0, ALL)
    assert learner.history() == before


def test_a_note_became_another_kind(learner: Learner):
    before = learner.history()
    other = note("what is a tensor", "a box of numbers", kind="choice", Options="<ol><li>a box</li></ol>")
    edited = rebuilt([other, *NOTES[1:]])
    assert learner.takes(edited) == Imported(1, 0, ALL - 1)
    assert before.items() <= learner.history().items()
    assert learner.finds(edited.changes.search) == [guids(FIRST_BUILD)["what is a tensor"]]


def test_the_author_renamed_the_deck(learner: Learner):
    assert learner.takes(rebuilt(NOTES, deck_name="Torch")) == Imported(0, 0, ALL)
    assert learner.decks() == {"PyTorch"}


def test_a_learners_own_styling_outlives_the_next_deck(tmp_path: Path):
    """Built after the learner changed the styling, of the same look: Anki must not take it for a newer one."""
    look = {"look_changed": FIRST}
    with Learner(tmp_path / "learner") as someone:
        someone.takes(built(NOTES, None, FIRST, **look))
        someone.restyles("deckgen Question", ".card { color: green }")
        built_later = int(time.time()) + 1000
        other = built([note("what is a module", "a layer")], None, built_later, deck_id=77, deck_name="Other", **look)
        assert someone.takes(other) == Imported(added=1, updated=0, unchanged=0)
        assert someone.col.models.by_name("deckgen Question")["css"] == ".card { color: green }"


def test_the_look_of_the_cards_changed(learner: Learner):
    before = learner.history()
    restyled = tuple(replace(each, css=each.css + "\n.x { color: red }") for each in TYPES)
    made = rebuilt(NOTES, notetypes=restyled)
    from learner import write

    path = learner.folder / "restyled.apkg"
    write(made.deck, restyled, path)
    from anki.collection import ImportAnkiPackageRequest

    options = learner.col._backend.get_import_anki_package_presets()
    log = learner.col.import_anki_package(ImportAnkiPackageRequest(package_path=str(path), options=options)).log
    assert (len(log.new), len(log.updated), len(log.conflicting)) == (0, 0, 0)
    assert learner.col.models.by_name("deckgen Question")["css"].endswith("{ color: red }")
    assert learner.history() == before


def test_a_picture_changed(tmp_path: Path):
    def with_picture(name: str, data: bytes) -> list[Rendered]:
        shown = note("plot", f'<img src="{name}">', Media=name)
        return [replace(shown, media=(Media(name, data),)), *NOTES[1:]]

    first = built(with_picture("plot-1111.png", b"old"), None, FIRST)
    second = built(with_picture("plot-2222.png", b"new"), first, LATER)
    with Learner(tmp_path) as someone:
        someone.takes(first)
        assert someone.takes(second) == Imported(0, 1, ALL - 1)
        assert (Path(someone.col.media.dir()) / "plot-2222.png").read_bytes() == b"new"
        assert "plot-2222.png" in someone.fields(guids(second)["plot"])["Answer"]


def test_restamping_updates_what_has_another_stamp(learner: Learner):
    stamped = [note("what is a tensor", "a box of numbers", Checked="torch 3.0.0"), *NOTES[1:]]
    assert learner.takes(rebuilt(stamped, restamp=True)) == Imported(0, 1, ALL - 1)


def test_a_note_came_back(learner: Learner):
    gone = rebuilt(NOTES[1:])
    learner.takes(gone)
    assert learner.takes(rebuilt(NOTES, gone, LATER + 5)) == Imported(0, 0, ALL)


def test_notes_put_between_are_met_between(tmp_path: Path):
    first = built([note("k0", "a"), note("k2", "b"), note("k4", "c")], None, FIRST)
    second = built([note(f"k{number}", "axbyc"[number]) for number in range(5)], first, LATER)
    with Learner(tmp_path) as someone:
        someone.takes(first)
        assert someone.takes(second) == Imported(2, 0, 3)
        assert [title.rpartition(" ")[2] for title in someone.met()] == ["k0", "k1", "k2", "k3", "k4"]


def test_subdecks_are_met_in_the_order_of_the_files(tmp_path: Path):
    notes = [note("z", "1", file="views.md"), note("a", "2", file="tensors.md")]
    made = built(notes, None, FIRST, source_decks=source_decks("Views", "Tensors"))
    with Learner(tmp_path) as someone:
        someone.takes(made)
        assert someone.decks() == {"PyTorch", "PyTorch::010 Views", "PyTorch::020 Tensors"}
        assert [title[-1] for title in someone.met()] == ["z", "a"]


def test_two_decks_share_the_note_types(learner: Learner):
    other = built([note("another deck", "of one's own")], None, LATER, deck_id=77, deck_name="Other")
    assert learner.takes(other) == Imported(1, 0, 0)
    assert len([each for each in learner.col.models.all_names_and_ids() if each.name.startswith("deckgen")]) == 3


def test_two_branches_merged_give_each_their_own(learner: Learner):
    from deckgen.identity import format_lock, parse_lock

    ours = rebuilt([note("what is a tensor", "an array"), *NOTES[1:]])
    theirs = rebuilt([*NOTES, note("what is autograd", "a tape")], now=LATER + 9)
    both = format_lock(ours.lock) + format_lock(theirs.lock)
    lock = parse_lock(both, "deckgen.lock", LATER + 20)
    merged = built(
        [note("what is a tensor", "an array"), *NOTES[1:], note("what is autograd", "a tape")], lock, LATER + 20
    )
    assert learner.takes(merged) == Imported(1, 1, ALL - 1)


def met(someone: Learner) -> list[tuple[str, int]]:
    """GUID and ordinal of all new cards, in the order of their positions."""
    rows = someone.col.db.all(
        "select n.guid, c.ord from cards c join notes n on n.id = c.nid where c.queue = 0 order by c.due, c.ord"
    )
    return [(guid, ordinal) for guid, ordinal in rows]


def test_a_new_learner_meets_the_cards_of_one_note_apart_and_nobody_s_order_moves(tmp_path: Path):
    texts = [f"{{{{c1::eins {n}}}}} und {{{{c2::zwei {n}}}}}" for n in range(40)]
    made = built([cloze(text, (1, 2), f"note {n}") for n, text in enumerate(texts)], None, FIRST)
    with Learner(tmp_path / "new") as someone:
        assert someone.takes(made) == Imported(40, 0, 0)
        order = met(someone)
        places = {card: place for place, card in enumerate(order)}
        firsts = [guid for guid, ordinal in order if ordinal == 0]
        assert firsts == [card.guid for card in made.deck.cards]
        assert all(places[guid, 1] - places[guid, 0] >= 20 for guid in firsts[:20])
        edited = built([cloze(f"{text}!", (1, 2), f"note {n}") for n, text in enumerate(texts)], made, LATER)
        assert someone.takes(edited) == Imported(0, 40, 0)
        assert met(someone) == order
