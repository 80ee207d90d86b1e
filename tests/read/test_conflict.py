"""A merge conflict that nobody has resolved: named with its line, and nothing becomes of the notes."""

import pytest

from deckgen.model.errors import SourceError
from deckgen.model.source import Source
from deckgen.read import read

CONFLICT = "<<<<<<< HEAD\nQ: What is two?\nA: a two\n=======\nQ: What is one?\nA: a one\n>>>>>>> branch\n"


@pytest.mark.parametrize("before", ["", "# Notes\n\n", "---\ntitle: Notes\n---\n\n", "```python\nx = 1\n```\n\n"])
@pytest.mark.parametrize("base", ["", "||||||| 1234567\nQ: What is it?\n"])
def test_a_conflict_is_named_with_its_line(before: str, base: str):
    text = before + CONFLICT.replace("=======\n", f"{base}=======\n")
    with pytest.raises(SourceError, match="an unresolved merge conflict") as raised:
        read(Source("notes.md", text))
    assert raised.value.where == f"notes.md:{before.count(chr(10)) + 1}"


@pytest.mark.parametrize(
    "text",
    [
        f"# How git shows it\n\n```text\n{CONFLICT}```\n",
        "Title\n=======\n\nText.\n",
        "<<<<<<< HEAD\n\nText.\n",
        ">>>>>>> a quote of a quote\n\n<<<<<<< that\n",
    ],
)
def test_what_shows_a_conflict_or_is_none_is_read(text: str):
    assert read(Source("notes.md", text)).blocks
