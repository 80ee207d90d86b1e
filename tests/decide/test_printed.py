"""What is printed, where the notes give no more than its value."""

import pytest

from deckgen.claim import Prints, Shows
from deckgen.decide.printed import as_printed
from deckgen.note import Key, Note, Output, Place
from deckgen.source import Span
from deckgen.verdict import Verdict, Word

HERE = Span(3, 4)


def asking(output: str) -> Note:
    body = Output(code="print(x)", claims=("4.1",), output=output)
    return Note(key=Key((), "x"), places=(Place("a.md", HERE),), headings=(), body=body, tags=())


def shown(claimed: str, observed: str, *, said: str | None = None, word: Word = Word.HOLDS) -> tuple[str, str]:
    claim = Prints(id="4.1", span=HERE, text=claimed, form="trailing-print", code_line=0)
    told = as_printed(asking(said or claimed), [Verdict(claim=claim, word=word, observed=observed)]).body
    assert isinstance(told, Output)
    return told.output, told.explanation


@pytest.mark.parametrize(
    ("claimed", "observed"),
    [("2.0 6.0", "tensor(2.) tensor(6.)"), ("(3,)", "torch.Size([3])"), ("1e-3", "0.001")],
)
def test_a_value_beside_a_print_is_answered_with_what_it_prints(claimed: str, observed: str):
    assert shown(claimed, observed) == (observed, "")


def test_what_was_said_roughly_stands_below_the_answer():
    assert shown("1.414", "tensor(1.4142)", said="≈ 1.414") == ("tensor(1.4142)", "`≈ 1.414`")


@pytest.mark.parametrize(
    ("claimed", "observed"),
    [
        ("tensor([1.,2.])", "tensor([1., 2.])"),
        ("1.4142", "1.4142135623730951"),
        ("[0, ..., 9]", "tensor([0, ..., 9])"),
        ("True", "True"),
        ("1\n2", "tensor(1)\ntensor(2)"),
    ],
)
def test_what_is_as_good_as_printed_stays(claimed: str, observed: str):
    assert shown(claimed, observed) == (claimed, "")


def test_only_what_holds_to_the_letter_is_put_in_its_place():
    assert shown("[0.3]", "tensor([0.7])", word=Word.HOLDS_STRUCTURE) == ("[0.3]", "")


def test_the_value_of_an_expression_is_no_print():
    note = asking("2.0")
    claim = Shows(id="4.1", span=HERE, text="2.0", form="trailing-value", code_line=0, target=None)
    assert as_printed(note, [Verdict(claim=claim, word=Word.HOLDS, observed="tensor(2.)")]) is note
