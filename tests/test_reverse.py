"""Which notes get a card that asks for their name by what it means (CARDS.md, rule 9)."""

from dataclasses import replace

import pytest

from deckgen.extract import extract
from deckgen.model.note import Api, Basic, Key, Note, Place
from deckgen.model.results import Decision, Disposition
from deckgen.model.source import Source, Span
from deckgen.model.verdict import Checked
from deckgen.read import read
from deckgen.reverse import with_reverse

LEAF = Basic(prompt="leaf", answer="a tensor that no operation of a graph has made", reverse=True)
STACK = Api(name="torch.stack", signature="torch.stack", meaning="joins a sequence along a new dimension")
UNIQUE = frozenset({(STACK.name, STACK.meaning)})


def decision(body, *headings, disposition=Disposition.SHIP):
    note = Note(
        key=Key(headings, repr(body)), places=(Place("notes.md", Span(0, 1)),), headings=tuple(headings), body=body
    )
    return Decision(note=note, disposition=disposition)


def asked(*decisions, unique=UNIQUE):
    checked = {"notes.md": Checked(source="notes.md", runs={}, verdicts=(), apis=(), unique=unique)}
    return [one.reverse for one in with_reverse(decisions, checked)]


def test_a_term_and_its_definition_are_asked_both_ways():
    assert asked(decision(LEAF, "Autograd")) == [True]


def test_an_api_is_asked_both_ways_if_its_meaning_is_unique():
    assert asked(decision(STACK)) == [True]
    assert asked(decision(STACK), unique=frozenset()) == [False]
    assert with_reverse([decision(STACK)], {})[0].reverse is False  # nothing was looked up


@pytest.mark.parametrize(
    "one",
    [
        decision(replace(LEAF, reverse=False)),
        decision(replace(LEAF, answer="a leaf of a graph that no operation has made")),
        decision(LEAF, "Leaves and what a leaf is"),
        decision(LEAF, disposition=Disposition.WITHHOLD),
        decision(LEAF, disposition=Disposition.CORRECT),
    ],
    ids=["not a definition", "given away", "given away above", "withheld", "corrected"],
)
def test_no_other_note_is(one):
    assert asked(one) == [False]


@pytest.mark.parametrize(
    "other",
    [
        Basic(prompt="Leaf", answer="what falls in autumn"),
        Basic(prompt="leaves", answer="each tensor that no operation of the graph has made"),
    ],
    ids=["the same term", "the same definition"],
)
def test_what_another_note_of_the_deck_shares_is_not_unique(other):
    assert asked(decision(LEAF), decision(other)) == [False, False]


def definitions(*lines):
    text = "# Training\n\n## Words\n\n" + "\n".join(f"- {line}" for line in lines) + "\n"
    return [note.body for note in extract(read(Source("notes.md", text))).notes if isinstance(note.body, Basic)]


@pytest.mark.parametrize(
    "line",
    [
        "**Checkpoint**: a file that holds all that a run needs to go on",
        "**检查点**: 一种保存训练状态、可以从中恢复的文件",
    ],
)
def test_a_definition_says_what_something_is(line):
    assert [body.reverse for body in definitions(line)] == [True]


@pytest.mark.parametrize(
    "line",
    [
        "**Splitting**: `split()`, `chunk()`",
        "**Step two**: move every batch to the device before the model sees it",
        "**Advantages**: a graph that can change with every batch of a run",
        "**Checkpoint**: a file",
        "**Checkpoint**: a file of a run. It holds all weights. Keep several of them.",
        "**How a run is begun again after a crash**: a file holds all that a run needs",
    ],
    ids=["values", "instruction", "aspect", "too short", "several sentences", "no name"],
)
def test_what_else_stands_in_lists_does_not(line):
    assert not any(body.reverse for body in definitions(line))
