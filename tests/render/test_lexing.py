"""The quick lexer gives Pygments' own tokens."""

import inspect
import typing
import unittest.mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pygments.lexers import PythonConsoleLexer, PythonLexer

from deckgen.render.lexing import QuickLexer

from .samples import ACCUMULATE, STRIDES, TRAINING
from .test_cloze import CODE

QUICK = QuickLexer(PythonLexer())

WORDS = [
    "def ", "class ", "import ", "from ", " as ", "lambda ", "match x:", "case _:", "type X = int", "async ", "await ",
    "@wraps", "f'", 'rb"', "{", "}", "!r", ":>10", "'''", '"""', "'", '"', "\\", "\n", "    ", "None", "print", "self",
    "__init__", "0b1_0", "1_000.5e-3j", "...", "->", ":=", "**", "//=", "not in", "%s %(x)d {0!r}", "# 注", "变量", "é",
    "\t", ",", "(", ")", "[", "]", "nonlocal x", "yield from", "raise E from None", "except* E", "\x0c", "$", "?", "Ⅷ",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=20).map("".join) | CODE | st.text(max_size=40))
@example(TRAINING)
@example(STRIDES)
@example(ACCUMULATE)
def test_any_text(text):
    assert list(QUICK.tokens(text)) == list(PythonLexer().get_tokens_unprocessed(text))


@pytest.mark.parametrize("module", [inspect, typing, unittest.mock])
def test_modules_of_the_standard_library(module):
    text = inspect.getsource(module)
    assert list(QUICK.tokens(text)) == list(PythonLexer().get_tokens_unprocessed(text))


def test_few_expressions_are_tried():
    rules = sum(len(tried) for tried in QUICK._table("root").values()) / 128
    assert rules < len(QUICK._rules["root"]) / 3


def test_only_lexers_of_this_kind_are_quick():
    assert not hasattr(PythonConsoleLexer(), "_tokens")
