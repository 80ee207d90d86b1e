"""Long notes that were edited, whatever they hold: what is built is what would be built if nothing were kept of them."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from building import as_if_nothing_were_kept, build
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from listing import cases
from test_rereading import QUIET, again, kept, misread, text_of, whole

pytestmark = pytest.mark.usefixtures("short_passages")

HEADINGS = ("## {n}. Part", "### Note {n}", "## 第 {n} 节", "# Chapter {n}", "### `torch.op{n}()`", "## Why {n}?", "")
NOTES = text_of([(QUIET[0], n) for n in range(60)])
"""Notes that can be cut at many places."""


@cache
def every_idiom() -> tuple[str, ...]:
    """What the paired cases make notes of, but for what has the whole document read: conversations, keys of answers."""
    return tuple(case.source for case in cases("notes") if kept(f"{NOTES}\n\n{case.source}\n").passages)


@st.composite
def sections(draw) -> str:
    heading = draw(st.sampled_from(HEADINGS)).format(n=draw(st.integers(0, 999)))
    return f"\n{heading}\n\n{draw(st.sampled_from(every_idiom()))}\n"


@st.composite
def edited(draw, edits: int) -> list[str]:
    """Notes in many idioms, and the same after each of some edits of a line or of a section."""
    parts = draw(st.lists(sections(), min_size=8, max_size=40, unique_by=lambda part: part.split("\n", 3)[3]))
    versions = ["# Notes\n\nAbout torch.\n" + "".join(parts)]
    for _ in range(edits):
        at = draw(st.integers(0, len(parts) - 1))
        lines = parts[at].split("\n")
        line = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["more", "other", "gone", "twice", "joined", "new section", "section gone"])):
            case "more":
                lines[line] += " more"
            case "other":
                lines[line] = draw(st.sampled_from(draw(st.sampled_from(every_idiom())).split("\n")))
            case "gone":
                del lines[line]
            case "twice":
                lines.insert(line, lines[line])
            case "joined":
                lines[line : line + 2] = [" ".join(lines[line : line + 2])]
            case "new section":
                lines += draw(sections()).split("\n")
            case _:
                lines = []
        parts = [*parts[:at], "\n".join(lines), *parts[at + 1 :]]
        versions.append("# Notes\n\nAbout torch.\n" + "".join(parts))
    return versions


FEW = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(FEW, max_examples=25)
@given(edited(4))
def test_notes_in_every_idiom_are_what_the_whole_gives(versions):
    assert misread(versions) == []


@settings(FEW, max_examples=6)
@given(versions=edited(2))
def test_the_package_is_the_one_that_is_built_when_nothing_is_kept(tmp_path_factory, versions):
    place = deck(tmp_path_factory.mktemp("deck"))
    for number, text in enumerate(versions):
        (place / "notes.md").write_text(text)
        at = 1_700_000_000 + 60 * number
        wanted = as_if_nothing_were_kept(place, at)
        made = build(place, at=at)
        assert made.told == wanted
        assert made.files or not wanted.files


def deck(folder: Path) -> Path:
    place = folder / "place"
    place.mkdir()
    (place / "deck.toml").write_text('id = 77\nname = "Deck"\n')
    return place


def test_an_edit_of_a_sentence_or_of_code_is_read_by_passages():
    before = kept(NOTES)
    assert len(before.passages) > 10
    for old, new in (("from 31 numbers", "from some numbers"), ("torch.arange(41)", "torch.arange(40)")):
        made = again(NOTES.replace(old, new), before)
        assert made is not None
        assert made.extraction == replace(whole(NOTES.replace(old, new)), document=made.extraction.document)


@pytest.mark.parametrize("number", range(5))
def test_seeds_with_twenty_edits_are_what_the_whole_gives(seed, number):
    """Each edit is made in what the ones before it left."""
    text = seed(number).read_text("utf-8")
    others = [line for other in range(5) for line in seed(other).read_text("utf-8").split("\n")]
    assert misread([text, *some_edits(text, others, random.Random(number))]) == []


def some_edits(text: str, others: list[str], chance: random.Random) -> list[str]:
    versions = []
    for _ in range(20):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        match chance.choice(["more", "other", "gone", "twice"]):
            case "more":
                lines[at] += " more"
            case "other":
                lines[at] = chance.choice(others)
            case "gone":
                del lines[at]
            case _:
                lines.insert(at, lines[at])
        text = "\n".join(lines)
        versions.append(text)
    return versions
