"""What was learnt while it was true and has become false since: it is shipped with what is true, and is the same note."""

from pathlib import Path

import pytest
from commands import Command

from deckgen.identity import LockedNote, parse_lock

TRUE = """# Sums

```python
import torch
print(torch.arange(5).sum())  # tensor(10)
```

**What does this code print?**

```python
print(2 + 2)
```

Answer: 4

**What does the next one print?**

```python
print(torch.arange(3).sum().item())
```

A. 3
B. 6

Answer: A
"""
EDITS = (("tensor(10)", "tensor(11)"), ("Answer: 4", "Answer: 5"), ("Answer: A", "Answer: B"))
AT = 1_790_000_000


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[LockedNote], list[LockedNote], str]:
    """The lines of the lock of a true build and of the false one after it, and what the latter printed."""
    folder = tmp_path_factory.mktemp("deck")
    notes = folder / "notes"
    notes.mkdir()
    false = TRUE
    for before, after in EDITS:
        false = false.replace(before, after)
    locks, told = [], ""
    for day, text in enumerate((TRUE, false)):
        (notes / "sums.md").write_text(text, "utf-8")
        told = build(folder, AT + 86_400 * day)
        lock = next(folder.rglob("*.lock"))
        locks.append(list(parse_lock(lock.read_text("utf-8"), str(lock), AT + 86_400 * day).live))
    return locks[0], locks[1], told


def build(folder: Path, at: int) -> str:
    run = Command(folder, folder)("build", "notes", "--suggestions", "ship", SOURCE_DATE_EPOCH=str(at))
    return run.stdout + run.stderr


def test_every_note_is_the_one_that_was_learnt(built):
    before, after, _ = built
    assert len(before) == 3
    assert sorted(note.guid for note in after) == sorted(note.guid for note in before)
    assert sorted(note.anchor for note in after) == sorted(note.anchor for note in before)


def test_what_is_learnt_stays_true(built):
    _, after, told = built
    answers = " ".join(note.answer for note in after)
    assert "3 corrected, 0 withheld" in told
    assert "no longer in the sources" not in told
    assert "tensor(10)" in answers
    assert "11" not in answers
