"""The foot of a card leads to its source and to torch's documentation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deckgen.model.deck import FIELDS, Rendered
from deckgen.model.note import Key, Place
from deckgen.model.source import Span
from deckgen.render.foot import with_links

NOTE = Rendered(
    kind="basic",
    key=Key((), "a"),
    explicit_id=None,
    places=(Place("my views.md", Span(6, 9)),),
    fields=tuple("my views.md" if name == "Source" else "" for name in FIELDS),
    tags=(),
    answer_text="",
    ordinals=(0,),
)


def foot(note: Rendered) -> str:
    return note.fields[FIELDS.index("Source")]


@pytest.mark.parametrize(
    ("address", "folder", "target"),
    [
        ("https://example.org/{file}", "cards/tensors/", "https://example.org/my%20views.md"),
        ("https://example.org/{path}#L{line}", "cards/tensors/", "https://example.org/cards/tensors/my%20views.md#L7"),
        ("https://example.org/{path}", "", "https://example.org/my%20views.md"),
        ("https://example.org/?a=1&b=2", "", "https://example.org/?a=1&amp;b=2"),
    ],
)
def test_the_source_is_a_link_to_its_line_where_the_author_has_given_an_address(
    address: str, folder: str, target: str
) -> None:
    assert foot(with_links(NOTE, address, folder)) == f'<a href="{target}" rel="noreferrer">my views.md</a>'


def test_a_note_about_an_api_leads_to_its_documentation() -> None:
    found = foot(with_links(replace(NOTE, documented="torch.Tensor.view"), None, ""))
    address = "https://docs.pytorch.org/docs/stable/search.html?q=torch.Tensor.view"
    assert found == f'my views.md · <a href="{address}" rel="noreferrer">torch.Tensor.view</a>'


def test_without_both_the_note_stays_as_it_is_and_a_link_of_an_older_lock_too() -> None:
    assert with_links(NOTE, None, "") is NOTE
    old = replace(NOTE, fields=tuple('<a href="x">n.md</a>' if name == "Source" else "" for name in FIELDS))
    assert with_links(old, "https://example.org/{file}", "") is old
