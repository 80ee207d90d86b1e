"""What was found in a source is found again, whole; nothing else can be smuggled in."""

from __future__ import annotations

import io
import os
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from deckgen.cache import Extractions, Folder
from deckgen.cache.pickles import _Reader
from deckgen.extract import extract
from deckgen.model.source import Source
from deckgen.read import read

NOTES = Source(
    "notes.md",
    """# Shapes

### What does `cat` do?

It joins tensors.

```python
import torch
print(torch.arange(3).shape)  # torch.Size([3])
```

| API | what it does |
|---|---|
| `torch.cat(tensors, dim)` | joins tensors |
| `torch.stack(tensors, dim)` | makes a new dimension |
""",
)


@pytest.fixture
def known(tmp_path: Path) -> Extractions:
    return Extractions(Folder(tmp_path / "extractions"))


def test_everything_that_was_found_is_found_again(known):
    found = extract(read(NOTES))
    assert found.notes
    assert found.snippets
    assert found.apis
    known.put(NOTES, found, ((("snippet", ".", "a.py"), "digest"),), "zh")
    again, asked = known.get(NOTES, "zh")
    assert (again.notes, again.snippets, again.apis, again.skipped) == (
        found.notes, found.snippets, found.apis, found.skipped,
    )  # fmt: skip
    assert (again.document.source, again.document.title) == (NOTES, found.document.title)
    assert asked == ((("snippet", ".", "a.py"), "digest"),)


def test_another_text_or_setting_is_another_source(known):
    known.put(NOTES, extract(read(NOTES)), (), "zh")
    assert known.get(NOTES, "en") is None
    assert known.get(replace(NOTES, text=NOTES.text + "\n"), "zh") is None


def test_the_seeds_come_back_whole(known, seed):
    for number in range(5):
        source = Source("seed.txt", seed(number).read_text("utf-8"))
        found = extract(read(source))
        known.put(source, found, ())
        again, _ = known.get(source)
        assert replace(again, document=found.document) == found


@pytest.mark.parametrize("what", [os.system, os.path.join, replace, Path])
def test_a_pickle_that_names_anything_but_a_noun_is_refused(what):
    data = pickle.dumps(what)
    with pytest.raises(pickle.UnpicklingError, match="no noun"):
        _Reader(io.BytesIO(data)).load()
