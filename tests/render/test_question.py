"""A list of notes is read by what they ask, each in one line."""

from __future__ import annotations

import pytest

from deckgen.model.deck import kind_of
from deckgen.model.note import Api, Basic, Body, Cloze, Hole, Key, Note, Output, Place
from deckgen.model.results import Decision, Disposition
from deckgen.model.source import Span
from deckgen.render import render
from deckgen.render.preview.question import Question, question_of

CODE = "import torch\nx = torch.ones(2)\nprint(x)\nfor y in x:\n    print(y,\n      x)\n# the end\n"
GAP = "x = torch.arange(6)\ny = x.view(2, 3)\nz = y.t()"


def question(body: Body) -> Question:
    note = Note(key=Key((), "x"), places=(Place("a.md", Span(0, 1)),), headings=("Views",), body=body)
    rendered = render(Decision(note=note, disposition=Disposition.SHIP))
    assert rendered.kind == kind_of(note)
    return question_of(body, rendered)


@pytest.mark.parametrize(
    ("body", "asks", "code"),
    [
        (Basic(prompt="What does `view()` **share**?", answer="Storage."), "What does view() share?", ""),
        (Basic(prompt="What is `x`?\n\n```python\nx = 1\ny = 2\n```", answer="1"), "What is x?", "x = 1"),
        (Output(code=CODE, claims=(), output="1"), "What does this print?", "print(y,"),
        (Output(code="x = 1\nx + 1", claims=(), output="2", prompt="What is it?"), "What is it?", "x + 1"),
        (Api(name="torch.relu", signature="torch.relu(x)", meaning="Zeroes."), "What is it for?", "torch.relu"),
        (Cloze(text="A view shares the storage.", holes=(Hole(1, 18, 25),)), "A view shares the [...].", ""),
        (Cloze(text=GAP, holes=(Hole(1, 26, 30),), language="python"), "", "y = x.[...](2, 3)"),
    ],
)
def test_it_is_the_prompt_and_of_code_the_line_that_matters(body: Body, asks: str, code: str):
    assert question(body) == Question(asks, code)


def test_a_long_question_is_cut_and_one_of_a_picture_alone_goes_by_its_title():
    assert len(question(Basic(prompt="why " * 200, answer="So.")).text) == 240
    assert question(Basic(prompt="![a leaf](leaf.png)", answer="A leaf.")).text
