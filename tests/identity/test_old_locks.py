"""Locks of earlier releases: whatever deckgen becomes, the GUIDs in them are reproduced and no note is touched."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rendered import TYPES, built, cloze, note, source_decks

from deckgen.identity import parse_lock
from deckgen.model.deck import Rendered

LOCKS = Path(__file__).parents[1] / "locks"
MADE = 1_795_000_000
"""When the locks were made; any release comes after it."""


def first_release() -> list[Rendered]:
    """The notes of which `0.1.0.lock` was made: every kind, an id, holes, Chinese, several files."""
    return [
        note("What is a tensor?", "A box of numbers.", anchor="what is a tensor"),
        note("什么是计算图？", "由张量和运算组成的有向无环图。", headings=("自动求导", "概念"), anchor="什么是计算图"),
        note("features", "A graph that is built while it runs.", headings=("PyTorch",), line=5),
        note("features", "One library for all devices.", headings=("PyTorch",), line=9, Title="features, once more"),
        note("named", "By its id.", explicit_id="the-named-one"),
        note("zeros", "Makes zeros.", kind="api", file="api.md", Name="zeros", Signature="zeros(size)"),
        note("print(x)", "tensor([1.])", kind="output", file="api.md", Code="print(x)", Output="tensor([1.])"),
        note("Which one?", "B", kind="choice", file="api.md", Options="<ul><li>A</li><li>B</li></ul>"),
        cloze("use {{c1::view}} or {{c2::reshape}} here", (1, 2), anchor="use or here"),
    ]


RELEASES = {"0.1.0": first_release}


@pytest.mark.parametrize("release", RELEASES)
def test_a_lock_of_every_release_gives_its_guids_again(release: str):
    lock = parse_lock((LOCKS / f"{release}.lock").read_text("utf-8"), release, MADE + 86_400)
    wanted = json.loads((LOCKS / f"{release}.guids.json").read_text("utf-8"))
    made = built(
        RELEASES[release](), lock, MADE + 86_400, source_decks=source_decks("Tensors", "Api"), deck_name="Locked"
    )
    assert {card.rendered.fields[0]: card.guid for card in made.deck.cards} == wanted
    assert made.changes.unchanged == len(wanted)
    assert made.changes.new == made.changes.changed == made.changes.renamed == made.changes.removed == ()


@pytest.mark.parametrize("release", RELEASES)
def test_without_its_lock_the_same_guids_are_made_of_keys(release: str):
    """What is not renamed survives even a lost lock, so the making of GUIDs must never change."""
    wanted = json.loads((LOCKS / f"{release}.guids.json").read_text("utf-8"))
    made = built(RELEASES[release](), None, MADE, source_decks=source_decks("Tensors", "Api"), deck_name="Locked")
    assert {card.rendered.fields[0]: card.guid for card in made.deck.cards} == wanted


def test_a_lock_says_nothing_of_the_note_types_that_a_restyling_could_touch():
    lock = parse_lock((LOCKS / "0.1.0.lock").read_text("utf-8"), "0.1.0", MADE + 86_400)
    restyled = tuple(replace(each, css="") for each in TYPES)
    more = {"source_decks": source_decks("Tensors", "Api"), "deck_name": "Locked", "notetypes": restyled}
    made = built(first_release(), lock, MADE + 86_400, **more)
    assert {card.mtime for card in made.deck.cards} == {MADE}
    assert made.deck.notetypes_mtime > MADE
