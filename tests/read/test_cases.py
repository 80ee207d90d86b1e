"""What is read from what: the paired cases."""

import pytest
from listing import Case, cases, listing

from deckgen.model.source import Source
from deckgen.read import read

READERS = {
    "read_markdown": {"markdown", "anki"},
    "read_chat": {"chat", "conversation", "markdown"},
    "read_notebook_text": {"notebook_text", "markdown"},
    "read_plain": {"plain"},
    "read_script": {"script"},
}
"""The readers that the cases of a file are meant for."""


@pytest.mark.parametrize(
    ("name", "case"), [pytest.param(n, c, id=f"{n}: {c.title}") for n in READERS for c in cases(n)]
)
def test_source_is_read_as_its_author_meant_it(name: str, case: Case) -> None:
    document = read(Source("case.txt", case.source))
    assert listing(document) == case.listing
    assert document.reader in READERS[name]
