"""`deckgen push`: into a running Anki, without a dialog, and what an import alone cannot do."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from anki.collection import Collection
from anki_server import Anki, served
from commands import Command

from deckgen import anki_connect
from deckgen.api import AnkiConnect, PushOptions, push

NOTES = "# Notes\n\n" + "".join(f"Q: What is {name}?\nA: The thing {name}.\n\n" for name in "abcd")
BUILT = 1_700_000_000


class Pushing:
    """A folder of notes, an Anki, and the command between them."""

    def __init__(self, folder: Path, address: str, anki: Anki) -> None:
        self.anki, self.address = anki, address
        (folder / "place" / "notes").mkdir(parents=True)
        self.source = folder / "place" / "notes" / "notes.md"
        self.source.write_text(NOTES, "utf-8")
        (self.source.parent / "deck.toml").write_text('id = 1234567890\nname = "Mine"\ntags = ["own"]\n', "utf-8")
        self.deckgen = Command(folder / "place", folder / "home")

    def push(self, *options: str, at: int = BUILT, status: int = 0, **environment: str) -> str:
        environment |= {"SOURCE_DATE_EPOCH": str(at)}
        ran = self.deckgen("push", *(options or ("notes",)), "--anki", self.address, **environment)
        assert ran.returncode == status, ran.stdout + ran.stderr
        return ran.stdout + ran.stderr

    def writes(self, old: str, new: str) -> None:
        text = self.source.read_text("utf-8")
        assert old in text
        self.source.write_text(text.replace(old, new), "utf-8")

    def asks(self, action: str, **params: object) -> object:
        return self.anki.reply({"action": action, "params": params})

    def note(self, name: str) -> int:
        col = Collection(self.anki.path)
        try:
            (found,) = col.find_notes(f"Prompt:*{name}?*")
            return int(found)
        finally:
            col.close()

    def answers(self) -> dict[str, tuple[str, set[str]]]:
        col = Collection(self.anki.path)
        try:
            notes = [col.get_note(number) for number in col.find_notes("")]
            return {
                note["Prompt"][8]: (note["Answer"], {tag for tag in note.tags if "kind" not in tag}) for note in notes
            }
        finally:
            col.close()


@pytest.fixture
def pushing(tmp_path: Path) -> Iterator[Pushing]:
    anki = Anki(tmp_path / "anki")
    with served(anki) as address:
        yield Pushing(tmp_path, address, anki)


def test_a_push_builds_and_imports_and_says_what_changes_for_the_learner(pushing: Pushing) -> None:
    assert "4 added" in pushing.push()
    pushing.writes("The thing a.", "The first letter.")
    said = pushing.push(at=BUILT + 100)
    assert "1 updated, 3 unchanged" in said
    assert "What is a?" in said
    assert pushing.answers()["a"] == ("The first letter.", {"own"})
    assert "4 unchanged" in pushing.push(at=BUILT + 200)


def test_a_note_that_was_tagged_after_the_build_is_updated_all_the_same_and_keeps_the_tag(pushing: Pushing) -> None:
    pushing.push()
    pushing.asks("addTags", notes=[pushing.note("a")], tags="leech hard")
    pushing.writes("The thing a.", "The first letter.")
    assert "updated all the same" in pushing.push(at=BUILT + 100)
    assert pushing.answers()["a"] == ("The first letter.", {"own", "leech", "hard"})


@pytest.mark.parametrize("later", [100, 10**9])
def test_what_a_learner_wrote_in_anki_stays_until_it_is_given_up(pushing: Pushing, later: int) -> None:
    pushing.push()
    pushing.asks("updateNoteFields", note={"id": pushing.note("a"), "fields": {"Answer": "my own words"}})
    pushing.writes("The thing a.", "The first letter.")
    assert "edited in Anki, and keeps that text" in pushing.push(at=BUILT + later)
    assert pushing.answers()["a"][0] == "my own words"
    pushing.push("notes", "--overwrite", at=BUILT + later)
    assert pushing.answers()["a"][0] == "The first letter."


def test_what_a_learner_wrote_stays_also_with_another_cache_and_another_key(pushing: Pushing, tmp_path: Path) -> None:
    """What was pushed is no cache: nobody could work it out anew."""
    pushing.push()
    pushing.asks("updateNoteFields", note={"id": pushing.note("a"), "fields": {"Answer": "my own words"}})
    pushing.writes("The thing a.", "The first letter.")
    another = str(tmp_path / "another")
    pushing.push("notes", "--cache", another, at=BUILT + 10**9, DECKGEN_CACHE_KEY="another")
    assert pushing.answers()["a"][0] == "my own words"


def test_removed_notes_are_suspended_only_if_that_is_wanted_and_come_back_with_the_note(pushing: Pushing) -> None:
    pushing.push()
    pushing.writes("Q: What is d?\nA: The thing d.\n", "")
    assert "no longer in the sources" in pushing.push(at=BUILT + 100)
    assert pushing.asks("findCards", query="is:suspended") == []
    said = pushing.push("notes", "--removed", "suspend", at=BUILT + 200)
    assert "What is d? · Notes: no longer in your notes; suspended" in said
    assert pushing.answers()["d"][1] == {"own", "deckgen::removed"}
    assert len(pushing.asks("findCards", query="is:suspended")) == 1  # type: ignore[arg-type]  # a list, by its action
    assert "suspended" not in pushing.push("notes", "--removed", "suspend", at=BUILT + 300)
    pushing.source.write_text(NOTES, "utf-8")
    assert "back in your notes" in pushing.push("notes", "--removed", "suspend", at=BUILT + 400)
    assert pushing.answers()["d"][1] == {"own"}
    assert pushing.asks("findCards", query="is:suspended") == []


def test_a_package_is_imported_as_it_is_and_a_sync_comes_last(pushing: Pushing) -> None:
    pushing.push()
    pushing.anki.asked.clear()
    assert "4 unchanged" in pushing.push("build/Mine.apkg", "--sync")
    assert pushing.anki.asked[-1] == "sync"


def test_a_key_is_asked_for_and_taken(tmp_path: Path) -> None:
    anki = Anki(tmp_path / "anki", key="secret")
    with served(anki) as address:
        pushing = Pushing(tmp_path, address, anki)
        assert "give the key" in pushing.push(status=4)
        assert "4 added" in pushing.push("notes", "--key", "secret")


@pytest.mark.parametrize("said", [b"", b"<html>", b"[1, 2]", b'{"result": 6}', b"[" * 200_000])
def test_what_is_no_anki_is_named_and_nothing_is_built(tmp_path: Path, said: bytes) -> None:
    anki = Anki(tmp_path / "anki")
    with served(anki, said) as address:
        pushing = Pushing(tmp_path, address, anki)
        assert f"what answers at {address} is no AnkiConnect" in pushing.push(status=4)
        assert not (pushing.source.parents[1] / "build").exists()


@pytest.mark.parametrize("said", [None, "a", [{"a": 1}, None], float("nan")])
@pytest.mark.parametrize("action", ["version", "deckNames", "findCards", "getDecks", "notesInfo"])
def test_an_answer_that_no_anki_gives_is_named(tmp_path: Path, action: str, said: object) -> None:
    anki = Anki(tmp_path / "anki")
    with served(anki) as address:
        pushing = Pushing(tmp_path, address, anki)
        pushing.push()
        pushing.writes("The thing a.", "The first letter.")
        setattr(anki, action, lambda *_, **__: said)
        assert f"what answers `{action}` at {address} is no AnkiConnect" in pushing.push(at=BUILT + 9, status=4)


def test_an_anki_that_writes_no_package_is_named(tmp_path: Path) -> None:
    anki = Anki(tmp_path / "anki")
    with served(anki) as address:
        pushing = Pushing(tmp_path, address, anki)
        pushing.push()
        anki.exportPackage = lambda **_: False
        assert "does Anki run in a container" in pushing.push(status=4)


def test_what_takes_the_question_and_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anki_connect, "GREETING", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        assert "no Anki answers" in Pushing(tmp_path, address, Anki(tmp_path / "anki")).push(status=4)


def test_an_old_add_on_is_named_with_what_to_do(tmp_path: Path) -> None:
    anki = Anki(tmp_path / "anki", version=4)
    with served(anki) as address:
        assert "update it: Tools > Add-ons" in Pushing(tmp_path, address, anki).push(status=4)


def test_a_closed_anki_is_named_and_the_package_stays(tmp_path: Path) -> None:
    anki = Anki(tmp_path / "anki")
    with served(anki) as address:
        pushing = Pushing(tmp_path, address, anki)
        pushing.push()
    package = pushing.source.parents[1] / "build" / "Mine.apkg"
    before = package.read_bytes()
    said = pushing.push(status=4)
    assert f"no Anki answers at {address}" in said
    assert "install the add-on AnkiConnect" in said
    assert package.read_bytes() == before


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://example.org:8765", "example.org is not this machine"),
        ("127.0.0.1:8765", "is no address of AnkiConnect"),
        ("http://127.0.0.1:port", "is no address of AnkiConnect"),
        ("file:///etc/passwd", "is no address of AnkiConnect"),
    ],
)
def test_an_address_elsewhere_or_of_another_kind_is_refused(tmp_path: Path, address: str, said: str) -> None:
    pushing = Pushing(tmp_path, address, Anki(tmp_path / "anki"))
    assert said in pushing.push(status=2)


def test_another_machine_gets_the_bytes_and_keeps_no_file(tmp_path: Path) -> None:
    anki = Anki(tmp_path / "anki")
    with served(anki) as address:
        pushing = Pushing(tmp_path, address, anki)
        pushing.push()
        far = AnkiConnect(address)
        far.is_here = False
        (pushed,) = push({pushing.source.parents[1] / "build" / "Mine.apkg": frozenset()}, far, PushOptions())
        assert [one.effect.value for one in pushed.difference.notes] == []
        assert {"storeMediaFile", "retrieveMediaFile", "deleteMediaFile"} <= {*anki.asked}
        assert [name for name in os.listdir(tmp_path / "anki" / "collection.media") if "deckgen" in name] == []


def test_letters_that_anki_composes_are_no_edit_of_the_learner(pushing: Pushing) -> None:
    pushing.writes("The thing a.", "Cafe\u0301 a.")
    pushing.push()
    pushing.writes("Cafe\u0301 a.", "Cafe\u0301 b.")
    assert "edited in Anki" not in pushing.push(at=BUILT + 100)
    assert pushing.answers()["a"][0] == "Caf\u00e9 b."


def test_a_push_that_is_stopped_after_the_import_gives_back_what_is_the_learners_with_the_next_one(
    pushing: Pushing, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushing.push()
    pushing.asks("updateNoteFields", note={"id": pushing.note("a"), "fields": {"Answer": "my own words"}})
    pushing.asks("addTags", notes=[pushing.note("b")], tags="hard")
    pushing.writes("The thing a.", "The first letter.")
    pushing.writes("The thing b.", "The second letter.")

    def stops(**_: object) -> None:
        raise ValueError("closed")

    with monkeypatch.context() as context:
        context.setattr(pushing.anki, "updateNoteFields", stops)
        pushing.push(at=BUILT + 10**9, status=4)
    assert pushing.answers()["a"][0] == "The first letter."
    assert "edited in Anki" in pushing.push(at=BUILT + 10**9)
    assert pushing.answers()["a"][0] == "my own words"
    assert pushing.answers()["b"] == ("The second letter.", {"own", "hard"})
