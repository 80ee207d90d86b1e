"""The lock as text: what it says comes back, versions of it merge, and damage is told, never mended in silence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rendered import NOW, built, cloze, note, source_decks

from deckgen import files
from deckgen.app.lock import snapshots
from deckgen.identity import Lock, format_lock, parse_lock
from deckgen.identity.lock import LockedHole, LockedNote, LockedSubdeck
from deckgen.model.author import AuthorDecision
from deckgen.model.errors import UsageError

TEXT = format_lock(
    built(
        [
            note("what is a tensor", "a box"),
            cloze("{{c1::view}} and {{c2::reshape}}", (1, 2)),
            note("什么是张量？", "盒子"),
        ],
        source_decks=source_decks("Tensors"),
    ).lock
)


def parsed(text: str, now: int = NOW) -> Lock:
    return parse_lock(text, "cards/deckgen.lock", now)


def refused(text: str, now: int = NOW) -> UsageError:
    with pytest.raises(UsageError) as caught:
        parsed(text, now)
    return caught.value


def without(text: str, word: str) -> str:
    return "".join(line for line in text.splitlines(True) if not line.startswith(word))


def lines_of(text: str, word: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(word)]


def test_a_lock_comes_back_as_it_was_written():
    assert format_lock(parsed(TEXT)) == TEXT


words = st.text(max_size=20)
names = st.text(min_size=1, max_size=20)
notes = st.builds(
    LockedNote,
    guid=st.text("aZ0", min_size=1, max_size=20),
    kind=st.sampled_from(["basic", "cloze", "api"]),
    headings=st.tuples(words, words),
    anchor=words,
    mtime=st.integers(1, NOW),
    hash=names,
    due=st.integers(1, 10**9),
    id=st.none() | words,
    title=words,
    answer=words,
    answer_hash=words,
    files=st.tuples(words),
    subdeck=words,
    ordinals=st.tuples(st.integers(0, 9)),
    holes=st.tuples(st.builds(LockedHole, number=st.integers(1, 9), text=words, before=words, retired=st.booleans())),
    source=words,
    checked=words,
    marks=st.tuples(words),
    words=st.tuples(words),
    gone=st.none() | st.integers(1, NOW),
)
decisions = st.builds(
    AuthorDecision,
    name=st.text("aZ0", min_size=1, max_size=20),
    wish=st.sampled_from(["leave-out", "keep", "excellent"]),
    time=st.integers(1, NOW),
    kind=st.sampled_from(["basic", "cloze", "api"]),
    headings=st.tuples(words, words),
    anchor=words,
    id=st.none() | words,
    answer=words,
    answer_hash=words,
    files=st.tuples(words),
    gone=st.none() | st.integers(1, NOW),
)
locks = st.builds(
    Lock,
    name=st.just("cards/deckgen.lock"),
    deck_id=st.integers(2, 2**53 - 1),
    deck_name=words,
    notetypes_hash=words,
    notetypes_mtime=st.integers(0, NOW),
    subdecks=st.just(()) | st.tuples(st.builds(LockedSubdeck, name=names.map("10 {}".format), file=words)),
    notes=st.lists(notes, unique_by=lambda note: note.guid, max_size=4).map(
        lambda some: tuple(sorted(some, key=lambda note: note.guid))
    ),
    decisions=st.lists(decisions, unique_by=lambda one: one.name, max_size=3).map(
        lambda some: tuple(sorted(some, key=lambda one: one.name))
    ),
)


@given(locks)
def test_any_text_survives_in_a_lock(lock: Lock):
    assert parsed(format_lock(lock)) == lock


def test_one_note_is_one_line_and_lines_are_sorted():
    lines = lines_of(TEXT, "note ")
    assert len(lines) == 3
    assert lines == sorted(lines)


def test_windows_line_ends_are_read():
    assert parsed(TEXT.replace("\n", "\r\n")) == parsed(TEXT)


def test_lines_of_both_sides_of_a_merge_count_as_the_later_one():
    first = built([note("a", "1"), note("b", "2")])
    ours = built([note("a", "1 is better"), note("b", "2")], first, NOW + 10)
    theirs = built([note("a", "1"), note("b", "2 is better"), note("c", "3")], first, NOW + 20)
    mine, other = format_lock(ours.lock), format_lock(theirs.lock)
    both = mine + "".join(line for line in other.splitlines(True) if line not in mine)
    merged = built(
        [note("a", "1 is better"), note("b", "2 is better"), note("c", "3")], parsed(both, NOW + 30), NOW + 30
    )
    assert merged.changes.unchanged == 3
    assert {card.mtime for card in merged.deck.cards} == {NOW + 10, NOW + 20}


def test_a_merge_gives_the_same_lock_whichever_side_comes_first():
    one = LockedNote(guid="g", kind="basic", headings=(), anchor="a", mtime=5, hash="x", due=1, title="one")
    lock = parsed(TEXT)
    texts = [format_lock(replace(lock, notes=(each,))) for each in (one, replace(one, title="other"))]
    there, back = ("\n".join([*pair[0].splitlines(), *lines_of(pair[1], "note ")]) for pair in (texts, texts[::-1]))
    assert parsed(there) == parsed(back)


def test_numbers_of_holes_from_both_sides_of_a_merge_stay_spent():
    base = LockedNote(guid="g", kind="cloze", headings=(), anchor="a", mtime=5, hash="x", due=1)
    ours = replace(base, holes=(LockedHole(number=1, text="view"), LockedHole(number=2, text="ours")), mtime=6)
    theirs = replace(base, holes=(LockedHole(number=1, text="view"), LockedHole(number=3, text="theirs")))
    lock = parsed(TEXT)
    text = format_lock(replace(lock, notes=(ours,))) + "\n".join(
        lines_of(format_lock(replace(lock, notes=(theirs,))), "note ")
    )
    (note,) = parsed(text).notes
    assert [(hole.number, hole.retired) for hole in note.holes] == [(1, False), (2, False), (3, True)]


@pytest.mark.parametrize("marker", ["<<<<<<< HEAD", "=======", ">>>>>>> theirs", "||||||| base"])
def test_a_conflict_marker_is_named_with_its_line_and_what_to_do(marker: str):
    lines = TEXT.splitlines()
    lines.insert(6, marker)
    error = refused("\n".join(lines))
    assert error.where == "cards/deckgen.lock:7"
    assert "merge conflict" in error.message
    assert "keep the lines of both sides" in str(error.hint)


def test_a_lock_that_ends_in_the_middle_is_damaged():
    lines = TEXT.splitlines()
    assert "damaged" in refused("\n".join(lines[:-2])).message
    half = refused("\n".join(lines[:-2]) + "\n" + lines[-2][:40])
    assert half.where == f"cards/deckgen.lock:{len(lines) - 1}"


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda text: text.replace('"mtime": ', '"mtime": "', 2), 5),
        (lambda text: text.replace("subdeck {", "subdeck {{"), 6),
        (lambda text: text.replace("010 Tensors", "Tensors"), 6),
        (lambda text: text.replace("note {", "nope {", 1), 7),
        (lambda text: text.replace('"due": 1000', '"due": 0'), None),
        (lambda text: without(text, "version"), 3),
        (lambda text: without(text, "deck "), None),
        (lambda text: "", 1),
        (lambda text: "\0\0\0", 1),
        (lambda text: "PK\x03\x04", 1),
    ],
)
def test_damage_is_told_with_its_line_and_how_to_get_the_lock_back(damage, line: int | None):
    error = refused(damage(TEXT))
    assert "damaged" in error.message
    assert "git checkout -- cards/deckgen.lock" in str(error.hint)
    assert line is None or error.where == f"cards/deckgen.lock:{line}"


def test_a_lock_of_a_newer_deckgen_asks_for_an_upgrade():
    error = refused(TEXT.replace("version 1", "version 3"))
    assert error.where == "cards/deckgen.lock:3"
    assert "newer deckgen" in error.message
    assert "upgrade" in str(error.hint)


def test_a_lock_version_that_never_was_is_refused():
    assert "version 0" in refused(TEXT.replace("version 1", "version 0")).message


@pytest.mark.parametrize("name", ["PyTorch", "Other"])
def test_a_deck_has_one_line(name: str):
    (line,) = lines_of(TEXT, "deck ")
    error = refused(TEXT + line.replace("PyTorch", name) + "\n")
    assert error.where == f"cards/deckgen.lock:{len(TEXT.splitlines()) + 1}"
    assert "a second `deck` line" in error.message
    assert "keep the `deck` line that learners have" in str(error.hint)


def test_two_whole_locks_of_one_deck_are_a_merge():
    assert parsed(TEXT + TEXT) == parsed(TEXT)
    assert "a second `deck` line" in refused(TEXT + TEXT.replace("PyTorch", "Other")).message


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda text: text.replace("# deckgen", "#\0deckgen", 1), 1),
        (lambda text: text.replace("\nversion", "\n\0\0\nversion", 1), 3),
        (lambda text: text.replace("PyTorch", "Py\0Torch", 1), 4),
        (lambda text: text.removesuffix("\n") + " \0", None),
        (lambda text: text + "\0" * 512, None),
    ],
)
def test_zeros_of_a_write_that_was_lost_are_damage(damage, line: int | None):
    error = refused(damage(TEXT))
    assert (error.message, line is None or error.where == f"cards/deckgen.lock:{line}") == (
        "the lock is damaged: it holds NUL characters",
        True,
    )
    assert "git checkout -- cards/deckgen.lock" in str(error.hint)


def test_two_deck_ids_after_a_merge_are_for_the_author_to_decide():
    assert "two deck ids" in refused(TEXT + 'deck {"id": 77, "name": "Other"}\n').message


def test_a_lock_from_the_future_is_refused_and_the_line_named():
    lines = TEXT.splitlines()
    at = next(number for number, line in enumerate(lines, 1) if "什么是张量" in line)
    lines[at - 1] = lines[at - 1].replace(str(NOW), str(NOW + 2 * 86_400))
    error = refused("\n".join(lines))
    assert error.where == f"cards/deckgen.lock:{at}"
    assert "2.0 days ahead of the clock" in error.message
    assert "SOURCE_DATE_EPOCH" in str(error.hint)


def test_a_lock_may_be_a_day_ahead_of_another_machines_clock():
    assert parsed(TEXT, NOW - 86_400).notes


def test_a_line_stays_as_it_stands_while_its_note_does():
    spaced = TEXT.replace('note {"guid": ', 'note {  "guid":')
    assert spaced != TEXT
    lock = parsed(spaced)
    assert format_lock(lock) == spaced
    changed = replace(lock, notes=tuple(replace(note, title="Another") for note in lock.notes))
    assert 'note {"guid": ' in format_lock(changed)
    assert 'note {  "guid":' not in format_lock(changed)


@pytest.mark.parametrize("guid", ["", "\\u001b[2J", "<b>x</b>", "a b", "\\n::error ::x", "x" * 65, "汉"])
def test_a_guid_that_deckgen_never_writes_is_damage(guid: str):
    old = lines_of(TEXT, "note ")[1].split('"guid": "')[1].split('"')[0]
    error = refused(TEXT.replace(f'"{old}"', f'"{guid}"'))
    assert error.where == "cards/deckgen.lock:8"
    assert "a guid is letters and digits" in error.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"due": 1000', '"due": 99999999999'),
        ('"mtime": ', '"mtime": ' + "[" * 100_000),
        ('deck {"id": ', 'deck {"id": 99999999999'),
        ('"ordinals": [', '"ordinals": [-1, '),
    ],
)
def test_numbers_that_no_deck_has_are_damage(old: str, new: str):
    assert old in TEXT
    assert "damaged" in refused(TEXT.replace(old, new)).message


def test_a_lock_in_another_encoding_is_told_with_its_line(tmp_path: Path):
    path = tmp_path / "deckgen.lock"
    path.write_bytes(TEXT.encode().replace(b"Tensors", b"Tense\xfcr"))
    with pytest.raises(UsageError, match=r"deckgen.lock:6: is not in UTF-8"):
        files.read_text(path)
    with pytest.raises(UsageError, match=r"deckgen.lock:6: is not in UTF-8"):
        snapshots(path, path)
