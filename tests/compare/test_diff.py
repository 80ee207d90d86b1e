"""`deckgen diff`: what it foretells is what the real Anki then does, whichever edit was made, and whoever made it."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from anki.collection import ImportAnkiPackageRequest
from click.testing import CliRunner
from learner import Learner, long_ago
from rendered import TYPES, Assigned, built, cloze, note, source_decks

from deckgen.app.commands import diff
from deckgen.compare import compare, data, text
from deckgen.compare.package import snapshot as read_package
from deckgen.identity import format_lock
from deckgen.identity import snapshot as lock_snapshot
from deckgen.model.deck import Deck
from deckgen.model.difference import Difference, Effect, Risk, Snapshot
from deckgen.model.errors import UsageError
from deckgen.pack import package

FIRST = long_ago()
LATER = FIRST + 1000
NOTES = [
    note("what is a tensor", "a box of numbers"),
    note("what is a dtype", "the kind of number"),
    cloze("use {{c1::view}} or {{c2::reshape}} here", (1, 2)),
]
OLD = built(NOTES, None, FIRST)
EDITED = [note("what is a tensor", "an array"), *NOTES[1:]]


def snapshot(data: bytes, name: str) -> Snapshot:
    return read_package(io.BytesIO(data), name)


def difference(new: Deck, types=TYPES) -> Difference:
    return compare(snapshot(package(OLD.deck, TYPES), "old.apkg"), snapshot(package(new, types), "new.apkg"))


def same_time(deck: Deck) -> Deck:
    return replace(deck, cards=tuple(replace(card, mtime=FIRST) for card in deck.cards))


def newer(deck: Deck) -> Deck:
    return replace(deck, cards=tuple(replace(card, mtime=LATER) for card in deck.cards))


def other_guids(deck: Deck) -> Deck:
    return replace(deck, cards=tuple(replace(card, guid=f"x{card.guid}") for card in deck.cards))


def as_kind(deck: Deck, kind: str) -> Deck:
    """The same GUID as another note type, which deckgen itself never does."""
    first, *rest = deck.cards
    return replace(deck, cards=(replace(first, rendered=replace(first.rendered, kind=kind)), *rest))


OTHER_FIELD = tuple(
    replace(each, fields=(*each.fields[:-1], replace(each.fields[-1], name="Late", id=each.fields[-1].id + 99)))
    for each in TYPES
)


def later(notes, **more: object) -> Deck:
    return built(notes, OLD, LATER, **more).deck


UPDATES = {
    "nothing": later(NOTES),
    "an answer": later(EDITED),
    "an answer, with the old time": same_time(later(EDITED)),
    "only times": newer(OLD.deck),
    "a note more": later([*NOTES, note("what is autograd", "a tape")]),
    "a note less": later(NOTES[1:]),
    "a hole more": later([*NOTES[:2], cloze("{{c1::do}} use {{c2::view}} or {{c3::reshape}} here", (1, 2, 3))]),
    "a hole more, with the old time": same_time(
        later([*NOTES[:2], cloze("{{c1::do}} use {{c2::view}} or {{c3::reshape}} here", (1, 2, 3))])
    ),
    "a hole less": later([*NOTES[:2], cloze("use view or {{c1::reshape}} here", (1,))]),
    "new GUIDs": other_guids(OLD.deck),
    "another note type": newer(as_kind(later(EDITED), "choice")),
    "another note type, with the old time": same_time(as_kind(later(EDITED), "choice")),
    "another deck name": replace(
        OLD.deck, name="Torch", cards=tuple(replace(c, subdeck="Torch") for c in OLD.deck.cards)
    ),
}


@pytest.mark.parametrize("edit", UPDATES)
def test_what_is_foretold_is_what_anki_does(tmp_path: Path, edit: str):
    told = difference(UPDATES[edit])
    assert foretold(told) == done(tmp_path, UPDATES[edit])


@pytest.mark.parametrize("times", [newer, same_time])
def test_a_changed_schema_is_foretold_as_anki_takes_it(tmp_path: Path, times):
    deck = times(later([*EDITED, note("what is autograd", "a tape")]))
    told = difference(deck, OTHER_FIELD)
    assert foretold(told) == done(tmp_path, deck, OTHER_FIELD)
    assert told.risk is Risk.HIGH
    assert "fields changed" in told.wholes[0].learner


def foretold(told: Difference) -> dict[str, int]:
    return {
        "added": told.count(Effect.ADDED),
        "updated": told.count(Effect.UPDATED) + told.count(Effect.TOUCHED),
        "unchanged": told.count(Effect.UNCHANGED) + told.count(Effect.IGNORED),
        "refused": told.count(Effect.REFUSED),
        "emptied": sum(each.cards_emptied for each in told.notes)
        + sum(each.cards_added for each in told.notes if each.effect is Effect.IGNORED),
    }


def done(folder: Path, deck: Deck, types=TYPES) -> dict[str, int]:
    with Learner(folder / "learner") as learner:
        learner.takes(OLD)
        learner.reviews()
        before = learner.history()
        (folder / "new.apkg").write_bytes(package(deck, types))
        options = learner.col._backend.get_import_anki_package_presets()
        request = ImportAnkiPackageRequest(package_path=str(folder / "new.apkg"), options=options)
        log = learner.col.import_anki_package(request).log
        assert before.items() <= learner.history().items()
        return {
            "added": len(log.new),
            "updated": len(log.updated),
            "unchanged": len(log.duplicate),
            "refused": len(log.conflicting),
            "emptied": learner.empty_cards(),
        }


@pytest.mark.parametrize(
    ("edit", "risk"),
    [
        ("nothing", Risk.NONE),
        ("a note more", Risk.NONE),
        ("an answer", Risk.LOW),
        ("only times", Risk.MEDIUM),
        ("a note less", Risk.MEDIUM),
        ("a hole less", Risk.MEDIUM),
        ("an answer, with the old time", Risk.HIGH),
        ("new GUIDs", Risk.HIGH),
        ("another note type", Risk.HIGH),
        ("another deck name", Risk.HIGH),
    ],
)
def test_each_edit_has_its_risk(edit: str, risk: Risk):
    assert difference(UPDATES[edit]).risk is risk


def test_the_fields_that_changed_are_shown_where_they_differ():
    told = difference(UPDATES["an answer"])
    assert "Answer: `a box of numbers` -> `an array`" in text(told)
    assert data(told)["notes"][0]["fields"][0]["name"] == "Answer"


def test_a_moved_note_stays_where_its_cards_are():
    places = source_decks("Tensors")
    told = difference(built(NOTES, None, FIRST, source_decks=places).deck)
    assert {each.risk for each in told.notes} == {Risk.LOW}
    assert "cards stay in PyTorch" in told.notes[0].learner


def test_a_new_look_is_foretold():
    restyled = tuple(replace(each, css=f"{each.css}\n.x {{}}") for each in TYPES)
    told = difference(built(NOTES, OLD, LATER, notetypes=restyled).deck, restyled)
    assert [whole.risk for whole in told.wholes] == [Risk.LOW, Risk.LOW]
    assert "look different" in told.wholes[0].learner


def test_removed_notes_come_with_the_search_that_finds_them():
    assert "what is a tensor" in difference(UPDATES["a note less"]).search


def test_locks_tell_the_same_as_packages():
    new = built([*EDITED[:2], note("what is autograd", "a tape")], OLD, LATER)
    by_lock = compare(lock_snapshot(OLD.lock), lock_snapshot(new.lock))
    by_package = difference(new.deck)
    assert foretold(by_lock) == foretold(by_package)
    assert by_lock.search == by_package.search


def run(*arguments: object):
    return CliRunner().invoke(diff, [str(each) for each in arguments])


def files(folder: Path, new: Assigned) -> tuple[Path, Path]:
    old_path, new_path = folder / "old.apkg", folder / "new.apkg"
    old_path.write_bytes(package(OLD.deck, TYPES))
    new_path.write_bytes(package(new.deck, TYPES))
    return old_path, new_path


def test_the_command_tells_two_packages_apart(tmp_path: Path):
    result = run(*files(tmp_path, built(EDITED, OLD, LATER)))
    assert result.exit_code == 0
    assert "1 updated, 2 unchanged (risk: low)" in result.output


def test_the_command_gives_json(tmp_path: Path):
    result = run(*files(tmp_path, built(EDITED, OLD, LATER)), "--format", "json")
    told = json.loads(result.output)
    assert told["schema"] == "deckgen.diff/1"
    assert told["summary"]["updated"] == 1


@pytest.mark.parametrize(("fail_on", "status"), [("low", 1), ("medium", 0), ("high", 0)])
def test_the_command_fails_from_a_risk_on(tmp_path: Path, fail_on: str, status: int):
    assert run(*files(tmp_path, built(EDITED, OLD, LATER)), "--fail-on", fail_on).exit_code == status


def test_the_command_tells_two_locks_apart(tmp_path: Path):
    (tmp_path / "old.lock").write_text(format_lock(OLD.lock), "utf-8")
    (tmp_path / "new.lock").write_text(format_lock(built(EDITED, OLD, LATER).lock), "utf-8")
    assert "1 updated" in run(tmp_path / "old.lock", tmp_path / "new.lock").output


def test_a_lock_and_a_package_cannot_be_compared(tmp_path: Path):
    _, new = files(tmp_path, OLD)
    (tmp_path / "old.lock").write_text(format_lock(OLD.lock), "utf-8")
    assert isinstance(run(tmp_path / "old.lock", new).exception, UsageError)


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zipped(collection_anki21b=b"x", collection_anki2=b"x"), "newer format"),
        (zipped(collection_anki2=b"not a database"), "cannot be read"),
        (zipped(collection_anki2=b""), "cannot be read"),
        (zipped(readme=b"x"), "no collection"),
        (package(OLD.deck, TYPES)[:4000], "not an Anki package"),
        (b"PK", "not an Anki package"),
    ],
)
def test_what_is_no_package_is_told(content: bytes, message: str):
    with pytest.raises(UsageError, match=message):
        snapshot(content, "x.apkg")


def test_a_package_that_anki_exported_is_read(tmp_path: Path):
    from anki.collection import DeckIdLimit, ExportAnkiPackageOptions

    with Learner(tmp_path) as learner:
        learner.takes(OLD)
        deck = learner.col.decks.id_for_name("PyTorch")
        options = ExportAnkiPackageOptions(with_scheduling=True, with_media=True, legacy=True)
        path = str(tmp_path / "out.apkg")
        learner.col.export_anki_package(out_path=path, options=options, limit=DeckIdLimit(deck))
        exported = snapshot(Path(path).read_bytes(), "out.apkg")
    assert compare(snapshot(package(OLD.deck, TYPES), "old.apkg"), exported).count(Effect.UNCHANGED) == 3
