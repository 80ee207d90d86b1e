"""The package as a file: the same bytes for the same deck, whole or not at all, and nothing that Anki would change."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from learner import Imported, Learner, long_ago, write
from patience import patience
from rendered import NOW, TYPES, built, cloze, note, source_decks

from deckgen.model.deck import Media
from deckgen.model.errors import EngineError, UsageError
from deckgen.pack import package

NOTES = [note(f"question {number}", f"answer {number}") for number in range(20)]
MADE = built(NOTES, source_decks=source_decks("Tensors"))


def test_the_same_deck_gives_the_same_bytes():
    assert package(MADE.deck, TYPES) == package(
        built(NOTES, MADE, NOW + 999, source_decks=source_decks("Tensors")).deck, TYPES
    )


def test_another_process_another_day_and_another_folder_give_the_same_bytes(tmp_path: Path):
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "from rendered import *\nfrom deckgen.pack import package\n"
        "made = built([note(f'question {n}', f'answer {n}') for n in range(20)], source_decks=source_decks('Tensors'))\n"
        "sys.stdout.buffer.write(package(made.deck, TYPES))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Shanghai"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=tmp_path, env=environment, check=True)
    assert run.stdout == package(MADE.deck, TYPES)


def test_everything_in_it_is_deflated_and_dated_alike(tmp_path: Path):
    write(MADE.deck, TYPES, tmp_path / "a.apkg")
    with zipfile.ZipFile(tmp_path / "a.apkg") as archive:
        members = archive.infolist()
        assert [member.filename for member in members] == ["collection.anki2", "media"]
        assert {member.compress_type for member in members} == {zipfile.ZIP_DEFLATED}
        assert {member.date_time for member in members} == {(1980, 1, 1, 0, 0, 0)}


def test_it_is_hardly_larger_than_deflate_can_make_it(tmp_path: Path):
    write(MADE.deck, TYPES, tmp_path / "a.apkg")
    with zipfile.ZipFile(tmp_path / "a.apkg") as archive:
        least = sum(len(zlib.compress(archive.read(name), 9)) for name in archive.namelist())
    assert (tmp_path / "a.apkg").stat().st_size <= 1.2 * least


@pytest.mark.parametrize("damage", [lambda data: data[1:], lambda data: data[:99] + data[100:], lambda data: data[:-1]])
def test_a_package_that_was_cut_is_packed_again(tmp_path: Path, damage):
    path = tmp_path / "a.apkg"
    write(MADE.deck, TYPES, path)
    path.write_bytes(damage(path.read_bytes()))
    assert write(MADE.deck, TYPES, path)


@pytest.mark.posix("makes a pipe among files")
def test_what_is_no_file_is_no_package(tmp_path: Path):
    os.mkfifo(tmp_path / "a.apkg")
    with pytest.raises(UsageError, match="not a regular file"):
        write(MADE.deck, TYPES, tmp_path / "a.apkg")


def test_a_package_replaces_the_one_before_and_leaves_nothing_else(tmp_path: Path):
    path = tmp_path / "new" / "folder" / "a.apkg"
    write(MADE.deck, TYPES, path)
    write(built(NOTES[:5]).deck, TYPES, path)
    assert path.read_bytes() == package(built(NOTES[:5]).deck, TYPES)
    assert os.listdir(path.parent) == ["a.apkg"]


def test_an_unchanged_deck_is_not_packed_again_and_a_changed_one_is(tmp_path: Path):
    path = tmp_path / "a.apkg"
    write(MADE.deck, TYPES, path)
    os.utime(path, (1, 1))
    write(MADE.deck, TYPES, path)
    assert path.stat().st_mtime == 1
    write(
        built([*NOTES[:-1], note("question 19", "other")], MADE, NOW + 9, source_decks=source_decks("Tensors")).deck,
        TYPES,
        path,
    )
    assert path.stat().st_mtime > 1


@pytest.mark.parametrize("damage", [lambda data: data[:-40], lambda data: b"", lambda data: b"not a zip file"])
def test_a_damaged_package_is_written_anew(tmp_path: Path, damage):
    path = tmp_path / "a.apkg"
    write(MADE.deck, TYPES, path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    write(MADE.deck, TYPES, path)
    assert path.read_bytes() == whole


def test_a_package_that_cannot_be_made_leaves_the_old_one(tmp_path: Path):
    path = tmp_path / "a.apkg"
    write(MADE.deck, TYPES, path)
    old = path.read_bytes()
    with pytest.raises(EngineError):
        write(built([note("a", "<torch.Size([2])>")]).deck, TYPES, path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["a.apkg"]


def test_a_folder_that_cannot_be_made_is_the_users_to_mend(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="cannot be written") as caught:
        write(MADE.deck, TYPES, tmp_path / "file" / "a.apkg")
    assert "-o" in str(caught.value.hint)


def test_a_package_whose_name_is_a_folder_leaves_no_half_file(tmp_path: Path):
    (tmp_path / "a.apkg").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        write(MADE.deck, TYPES, tmp_path / "a.apkg")
    assert os.listdir(tmp_path) == ["a.apkg"]


def test_a_package_can_be_read_by_others_as_the_umask_says(tmp_path: Path):
    before = os.umask(0o022)
    try:
        write(MADE.deck, TYPES, tmp_path / "a.apkg")
    finally:
        os.umask(before)
    assert (tmp_path / "a.apkg").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("text", ["a <- b -> c", "<torch.Size([2])>"])
def test_text_that_anki_would_swallow_stops_the_build(text: str):
    with pytest.raises(EngineError, match="would vanish") as caught:
        package(built([note("a", text, line=47)]).deck, TYPES)
    assert caught.value.where == "tensors.md:47"


@pytest.mark.parametrize(
    "broken",
    [
        note("a", "b", ordinals=(0, 1)),
        note("a", "b", AskReverse="1", ordinals=(0,)),
        cloze("{{c1::a}} {{c2::b}}", (1,)),
        cloze("no hole", ()),
        cloze("{{c1::{{c2::nested}} }}", (1, 2)),
    ],
)
def test_a_note_whose_cards_are_not_those_that_were_meant_stops_the_build(broken):
    with pytest.raises(EngineError, match="Anki would make the cards"):
        package(built([broken]).deck, TYPES)


def test_a_tag_that_anki_would_split_stops_the_build():
    with pytest.raises(EngineError, match="space"):
        package(built([note("a", "b", tags=("two words",))]).deck, TYPES)


def test_two_notes_with_one_guid_stop_the_build():
    deck = MADE.deck
    twice = replace(deck, cards=(deck.cards[0], replace(deck.cards[1], guid=deck.cards[0].guid)))
    with pytest.raises(EngineError, match="GUID"):
        package(twice, TYPES)


def test_two_pictures_of_one_name_stop_the_build():
    notes = [replace(note(name), media=(Media("x.png", name.encode()),)) for name in "ab"]
    with pytest.raises(EngineError, match=r"x\.png"):
        package(built(notes).deck, TYPES)


def test_a_picture_that_two_notes_share_is_packed_once(tmp_path: Path):
    notes = [replace(note(name), media=(Media("图 1.png", b"data"),)) for name in "ab"]
    write(built(notes).deck, TYPES, tmp_path / "a.apkg")
    with zipfile.ZipFile(tmp_path / "a.apkg") as archive:
        assert archive.namelist() == ["collection.anki2", "media", "0"]
        assert archive.read("0") == b"data"


def test_fifty_subdecks_have_ids_of_their_own(tmp_path: Path):
    names = [f"File{number}" for number in range(50)]
    notes = [note(name, "x", file=f"{name.lower()}.md") for name in names]
    with Learner(tmp_path) as someone:
        made = built(notes, None, long_ago(), source_decks=source_decks(*names))
        assert someone.takes(made) == Imported(50, 0, 0)
        assert len(someone.decks()) == 51


@pytest.mark.slow
def test_twenty_thousand_notes_are_packed_and_taken(tmp_path: Path):
    notes = [note(f"question {number}", f"answer {number}") for number in range(20_000)]
    made = built(notes, None, long_ago())
    again = built(notes, made, long_ago())
    assert again.changes.unchanged == 20_000
    with patience(600), Learner(tmp_path) as someone:
        assert someone.takes(made) == Imported(20_000, 0, 0)
        assert someone.takes(again) == Imported(0, 0, 20_000)
