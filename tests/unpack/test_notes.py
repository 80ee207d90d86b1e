"""Notes of packages: of every format that Anki has had, of any note type, and of those who mean harm."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path

import genanki
import pytest
import zstandard
from anki.collection import Collection, DeckIdLimit, ExportAnkiPackageOptions
from damaged import PROGRAMS, damaged, programmed
from patience import patience

from deckgen.model.errors import UsageError
from deckgen.model.package import PackagedNote
from deckgen.read.package import as_lines
from deckgen.unpack import notes_of

FIELDS = ("Front", "Code", "Back", "Extra")
TYPE = genanki.Model(
    1700000001,
    "Mine",
    fields=[{"name": name} for name in FIELDS],
    templates=[
        {
            "name": "There",
            "qfmt": "<style>b{}</style><div>What does it print?</div>{{Front}}{{#Code}}<pre>{{Code}}</pre>{{/Code}}",
            "afmt": "{{FrontSide}}<hr id=answer>Answer: {{Back}}{{^Code}}{{Extra}}{{/Code}}",
        },
        {"name": "Back", "qfmt": "{{Back}}", "afmt": "{{FrontSide}}<hr>{{Front}}"},
        {"name": "More", "qfmt": "{{hint:Extra}}", "afmt": "{{Front}}"},
    ],
)


def of_genanki(path: Path) -> bytes:
    deck = genanki.Deck(1700000002, "Torch::Mine")
    deck.add_note(genanki.Note(TYPE, ["Look:", "print(1)", "<code>1</code>", ""], tags=["a"]))
    deck.add_note(genanki.Note(genanki.CLOZE_MODEL, ["a {{c1::gap}}", "more"]))
    genanki.Package(deck).write_to_file(str(path))
    return path.read_bytes()


def of_anki(folder: Path, *, legacy: bool) -> bytes:
    collection = Collection(str(folder / "collection.anki2"))
    deck = collection.decks.id("Torch::Mine")
    for name, fields in (("Basic", ["Why?", "So."]), ("Cloze", ["a {{c1::gap}}", "more"])):
        note = collection.new_note(collection.models.by_name(name))
        note.fields = fields
        note.tags = ["a"]
        collection.add_note(note, deck)
    options = ExportAnkiPackageOptions(with_scheduling=True, with_deck_configs=True, with_media=True, legacy=legacy)
    collection.export_anki_package(out_path=str(folder / "x.apkg"), options=options, limit=DeckIdLimit(deck))
    collection.close()
    return (folder / "x.apkg").read_bytes()


def notes(data: bytes) -> tuple[PackagedNote, ...]:
    return notes_of(io.BytesIO(data), "x.apkg")


def said(data: bytes) -> str:
    """What is said of a package that is refused; nothing of one that is read."""
    try:
        as_lines(notes(data))
    except UsageError as error:
        return str(error)
    return ""


def records(data: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in as_lines(notes(data)).split("\n")]


@pytest.mark.parametrize("legacy", [True, False])
def test_what_anki_exports_is_read_in_either_format(tmp_path: Path, legacy: bool):
    data = of_anki(tmp_path, legacy=legacy)
    assert ("collection.anki21b" in zipfile.ZipFile(io.BytesIO(data)).namelist()) is not legacy
    basic, cloze = records(data)
    assert (basic["front"], basic["back"], basic["deck"], basic["tags"]) == ("Why?", "So.", "Torch::Mine", ["a"])
    assert (cloze["text"], cloze["back"]) == ("a {{c1::gap}}", "more")


def test_a_package_of_an_old_anki_is_read(tmp_path: Path):
    mine, cloze = records(of_genanki(tmp_path / "x.apkg"))
    assert (mine["front"], mine["code"]) == ("What does it print?\n\nLook:", "```python\nprint(1)\n```")
    assert (mine["back"], mine["deck"], mine["tags"]) == ("`1`", "Torch::Mine", ["a"])
    assert cloze["text"] == "a {{c1::gap}}"


def test_a_pair_that_is_asked_both_ways_is_one_card(tmp_path: Path):
    assert len(records(of_genanki(tmp_path / "x.apkg"))) == 2


@pytest.mark.parametrize("schema", PROGRAMS)
def test_a_schema_that_is_a_program_is_never_run(schema: str):
    with patience(), pytest.raises(UsageError, match="collection in it cannot be read"):
        notes(programmed(schema))


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_package_is_read_or_told(seed: int):
    with patience():
        assert said(damaged(random.Random(seed))).isprintable()


def zipped(collection: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("collection.anki21b", collection)
    return buffer.getvalue()


def test_what_is_packed_twice_is_counted_as_it_comes_out():
    bomb = zstandard.ZstdCompressor().compress(b"SQLite format 3\0" + bytes(300 << 20))
    with patience(), pytest.raises(UsageError, match="larger than 256 MiB"):
        notes(zipped(bomb))


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_package_of_the_newer_format_is_told(seed: int, tmp_path_factory: pytest.TempPathFactory):
    chance = random.Random(seed)
    database = bytearray(newer(tmp_path_factory))
    for _ in range(chance.choice((1, 4, 40))):
        database[chance.randrange(len(database))] = chance.randrange(256)
    packed = bytearray(zstandard.ZstdCompressor().compress(bytes(database)))
    if seed % 4 == 0:
        packed[chance.randrange(len(packed))] ^= 1 << chance.randrange(8)
    with patience():
        assert said(zipped(bytes(packed))).isprintable()


_KEPT: list[bytes] = []


def newer(folders: pytest.TempPathFactory) -> bytes:
    """The collection of a package of the newer format."""
    if not _KEPT:
        archive = zipfile.ZipFile(io.BytesIO(of_anki(folders.mktemp("anki"), legacy=False)))
        packed = archive.read("collection.anki21b")
        _KEPT.append(zstandard.ZstdDecompressor().decompressobj().decompress(packed))
    return _KEPT[0]
