"""A question about code finds its code among many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from deckgen.extract import extract
from deckgen.extract.decided.fence import with_fences
from deckgen.model.source import Source
from deckgen.read import read

NOTE = "Q: What does this print?\n\n```python\nprint({n} + 1)\n```\n\nA: {m}\n\n"


class Counted(list[Any]):
    """Snippets that count how often one is looked at."""

    looked = 0

    def __getitem__(self, at: Any) -> Any:
        Counted.looked += 1
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[Any]:
        for one in super().__iter__():
            Counted.looked += 1
            yield one


def _looked_at(count: int) -> int:
    text = "".join(NOTE.format(n=n, m=n + 1) for n in range(count))
    found = extract(read(Source("sums.md", f"# Sums\n\n{text}")))
    snippets: Sequence[Any] = Counted(found.snippets)
    assert len(found.notes) >= count
    Counted.looked = 0
    with_fences(found.notes, snippets, found.document)
    return Counted.looked


def test_no_note_looks_at_all_snippets():
    assert _looked_at(80) <= 2.2 * _looked_at(40)
