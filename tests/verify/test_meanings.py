"""Which meanings fit one name of the library only."""

import json
import subprocess
import sys

import pytest

from deckgen.model.note import Api, Basic, Key, Note, Place
from deckgen.model.source import Span
from deckgen.verify.names.meanings import Library, askable, library_request
from deckgen.verify.worker import introspect

LIBRARY = [
    ("Concatenates a sequence of tensors along a new dimension.", ["torch.stack"]),
    ("Concatenates the given sequence of tensors in the given dimension.", ["torch.cat", "torch.concat"]),
    ("Applies the rectified linear unit element-wise.", ["torch.nn.ReLU"]),
    ("Applies the rectified linear unit element-wise.", ["torch.nn.functional.relu"]),
    ("Computes the eigenvalues of a symmetric matrix.", ["torch.linalg.eigvalsh"]),
    ("Sorts the elements of a tensor along a dimension by value.", ["torch.msort"]),
    ("See torch.msort: sorts elements.", ["torch.Tensor.msort"]),
]


def fits(name: str, meaning: str) -> bool:
    body = Api(name=name, signature=name, meaning=meaning)
    return bool(Library(LIBRARY).unique([body]))


def note(name: str, meaning: str, *headings: str) -> Note:
    body = Api(name=name, signature=name, meaning=meaning)
    return Note(key=Key(headings, name), places=(Place("a.md", Span(0, 1)),), headings=headings, body=body)


def test_a_meaning_that_one_docstring_shares_is_unique():
    assert fits("torch.linalg.eigvalsh", "the eigenvalues of a matrix that is symmetric")
    assert fits("eigvalsh", "the eigenvalues of a matrix that is symmetric")


def test_a_meaning_that_two_names_share_is_not():
    assert not fits("nn.ReLU", "applies the rectified linear unit")
    assert not fits("torch.cat", "concatenates a sequence of tensors in a dimension")


def test_names_of_one_object_and_methods_of_a_function_are_one():
    assert fits("torch.msort", "sorts all elements of a tensor by value")
    assert fits("Tensor.msort", "sorts all elements of a tensor by value")


def test_what_the_docstring_does_not_say_is_not_known_to_be_unique():
    assert not fits("torch.linalg.eigvalsh", "tells how far a symmetric spring swings in physics lessons")
    assert not fits("torch.nowhere", "the eigenvalues of a matrix that is symmetric")


@pytest.mark.parametrize(
    ("name", "meaning", "headings"),
    [
        ("torch.nn.ReflectionPad2d", "填充", ()),
        ("nn.Pad", "padding", ()),
        ("torch.stack / torch.cat", "joins tensors along some chosen dimension", ()),
        ("zero_grad", "zeroes what earlier passes gathered in every parameter", ()),
        ("torch.stack", "joins a sequence of tensors along another dimension", ("Stacking",)),
        ("torch.stack", "joins tensors along another dimension " * 6, ()),
        ("torch.sigmoid", "the shorter name of `torch.special.expit`, for logistic regression", ()),
    ],
    ids=["Chinese", "one word", "two names", "given away", "given away above", "long", "another name"],
)
def test_some_meanings_are_not_even_looked_up(name, meaning, headings):
    assert askable([note(name, meaning, *headings)]) == ()


def test_others_are_and_only_of_apis():
    one = note("torch.stack", "joins a sequence of tensors along another dimension", "Joining")
    basic = Note(key=Key((), "a"), places=one.places, headings=(), body=Basic(prompt="a", answer="b"))
    assert askable([one, basic]) == (one.body,)


def test_the_live_names_are_listed_once_each_with_their_docstrings():
    """In a process of its own, as the worker has it: torch is not imported here."""
    code = f"import json, sys; sys.path.insert(0, {str(introspect.__file__).rpartition('/verify/')[0]!r} + '/..')\n"
    code += "from deckgen.verify.worker.introspect import introspect\n"
    code += f"print(json.dumps(introspect({library_request()!r})['library']))"
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    library = json.loads(run.stdout)
    paths = [path for _, names in library for path in names]
    assert len(paths) == len(set(paths))
    assert {"torch.stack", "torch.Tensor.detach", "torch.nn.Module.zero_grad", "torch.optim.Adam"} <= set(paths)
    assert all(sentence for sentence, _ in library)
    live = Library(library)
    assert live.fits_alone("torch.stack", "Concatenates a sequence of tensors along a new dimension")
    assert not live.fits_alone("F.relu", "Applies the rectified linear unit function element-wise")
