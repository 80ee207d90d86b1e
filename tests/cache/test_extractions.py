"""What was found in a source is found again, whole."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deckgen.app import load as loading
from deckgen.app.options import Options
from deckgen.model.document import Extraction

NOTES = """# Shapes

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
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "deckgen" / "extractions"


def found(path: Path) -> Extraction:
    (deck,) = loading.load(Options(paths=(str(path),)))
    return deck.extractions[0]


class ReadError(BaseException):
    """A source was read. An Exception would be an error of that source."""


@contextmanager
def nothing_read() -> Iterator[None]:
    def read(*_: object) -> None:
        raise ReadError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["deckgen.read"], "read", read)
        yield


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "notes.md").write_text(NOTES)
    return tmp_path / "notes" / "notes.md"


def test_everything_that_was_found_is_found_again(notes: Path):
    first = found(notes)
    assert first.notes
    assert first.snippets[0].claims
    assert first.apis
    with nothing_read():
        assert found(notes) == first


def test_another_text_or_setting_is_another_source(notes: Path):
    found(notes)
    with nothing_read():
        found(notes)
    notes.write_text(NOTES + "\n")
    with pytest.raises(ReadError), nothing_read():
        found(notes)
    notes.write_text(NOTES)
    notes.with_name("deck.toml").write_text('language = "zh"\n')
    with pytest.raises(ReadError), nothing_read():
        found(notes)


@pytest.mark.parametrize("number", range(5))
def test_the_seeds_come_back_whole(seed, number):
    path = seed(number)
    first = found(path)
    with nothing_read():
        assert found(path) == first


def test_what_is_no_extraction_is_read_anew(notes: Path, cache: Path):
    first = found(notes)
    (entry,) = (path for path in cache.rglob("*") if path.is_file())
    kept = loading.Folder(cache)
    name = entry.parent.name + entry.name
    for value in ([], [[], []], {"found": 1}, [[], [first.document.title] * 6]):
        kept.put(name, value)
        assert found(notes).notes == first.notes


def test_a_sentence_that_says_that_code_fails_is_kept_too(notes: Path):
    notes.write_text("# Cat\n\nThis raises an error:\n\n```python\nimport torch\ntorch.cat(1)\n```\n\nSo it does.\n")
    found(notes)
    with nothing_read():
        assert [block.text for block in found(notes).document.blocks] == ["This raises an error:", "", "So it does."]


def test_a_chat_in_which_texts_know_their_lines_is_kept_too(notes: Path):
    turns = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": NOTES}]
    chat = notes.with_name("chat.json")
    chat.write_text(json.dumps({"messages": turns}))
    first = found(chat)
    assert first.notes
    with nothing_read():
        assert found(chat) == first
