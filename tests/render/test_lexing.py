"""Tokens are those of Pygments, whatever the code."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name

from deckgen.render.lexing import _states, tokens_of

SNIPPETS = sorted((Path(__file__).parents[2] / "snippets").glob("*.py"))
PIECES = [
    "match x:",
    "case _:",
    "@f",
    "f'{x!r:>{y}}'",
    'rb"\\x00"',
    '"""a\nb"""',
    "0x1F_",
    "1e5j",
    "é",
    "\\\n",
    "lazy ",
    "\x00",
    "$",
]
PIECES += [
    "import a.b as c",
    "from .x import y",
    "class A(B):",
    "def __init__",
    "not in",
    "print(",
    "\n",
    "\t",
    " ",
    "'",
    '"',
    "#!",
    ">>> ",
]


@pytest.mark.parametrize("language", ["python", "pycon", "bash", "cpp", "json", "yaml", "ini", "javascript", "text"])
def test_the_tokens_are_those_of_pygments(language: str):
    lexer = get_lexer_by_name(language)
    for path in SNIPPETS[::6]:
        code = path.read_text()[:4000]
        assert tokens_of(lexer, code) == [(kind, value) for _, kind, value in lexer.get_tokens_unprocessed(code)]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=12).map("".join))
def test_so_they_are_of_code_that_is_none(code: str):
    lexer = get_lexer_by_name("python")
    assert tokens_of(lexer, code) == [(kind, value) for _, kind, value in lexer.get_tokens_unprocessed(code)]


def test_few_rules_are_tried_at_a_name():
    states = _states(get_lexer_by_name("python"))
    assert states is not None
    root = states["root"]
    assert len(root.rules) > 50
    assert max(len(root[letter]) for letter in "xyz_tn0(= ") < 15
    assert root["é"] == root.rules
