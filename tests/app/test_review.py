"""What the page of `deckgen review` is told of notes, and what is worked out anew after a decision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import deckgen
import deckgen.render
from deckgen.app import review
from deckgen.app.author import record
from deckgen.app.review import Reviewer
from deckgen.render import preview

NOTES = """\
# Views

### What is a base?

As shown above, it is what a view shares.

### What is an offset?

{long}

### What is a stride?

How many elements lie between two neighbours.

### What is torn?

The place </div> where its storage begins for it.

```python
import torch
print(torch.ones(2, 3).sum(0))  # tensor([2., 2., 2.])
```
"""


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    long = "Where the elements of a tensor begin in the storage that it shares with others. " * 4
    (tmp_path / "notes" / "views.md").write_text(NOTES.format(long=long))
    return tmp_path / "notes"


def items(reviewer: Reviewer) -> dict[str, Any]:
    """What is told of each note, by what it asks."""
    told = reviewer.review()
    return {item["asks"]: item for source in told.sources for item in source["notes"]}


def decide(reviewer: Reviewer, wish: Any, *asks: str) -> None:
    told = reviewer.review()
    known = {item["asks"]: told.notes[item["note"]] for source in told.sources for item in source["notes"]}
    chosen = [known[each] for each in asks]
    record(chosen[0].folder, [(one.note, one.decision) for one in chosen], wish)


def without_running(**more: Any) -> Reviewer:
    return Reviewer(deckgen.Options(paths=("notes",), no_run=True, **more))


def test_suggestions_have_their_doubts_in_words_and_those_of_fewer_doubts_and_shorter_answers_rank_first(deck: Path):
    told = items(without_running())
    suggested = {asks: item for asks, item in told.items() if item["state"] == "suggested"}
    assert sorted(suggested, key=lambda asks: suggested[asks]["rank"]) == [
        "What is a stride?",
        "What is an offset?",
        "What is a base?",
    ]
    ((name, reason),) = suggested["What is a base?"]["doubts"]
    assert (name, reason) == ("pointer", "its answer points at what the card does not show")
    assert told["What is torn?"]["state"] == "refused"


def test_one_decision_line_is_written_for_each_note_in_one_write_of_the_lock(
    deck: Path, monkeypatch: pytest.MonkeyPatch
):
    writes: list[Path] = []
    write = deckgen.files.write_through
    monkeypatch.setattr(deckgen.files, "write_through", lambda path, data: (writes.append(path), write(path, data)))
    reviewer = without_running()
    decide(reviewer, "keep", "What is a stride?", "What is an offset?")
    assert len(writes) == 1
    assert (deck / "deckgen.lock").read_text().count("\ndecision ") == 2
    decide(reviewer, "leave-out", "What is a base?")
    told = items(reviewer)
    states = [told[f"What is {each}?"]["state"] for each in ("a stride", "an offset", "a base")]
    assert states == ["shipped", "shipped", "left-out"]
    decide(reviewer, None, "What is a stride?", "What is an offset?", "What is a base?")
    assert "\ndecision " not in (deck / "deckgen.lock").read_text()
    assert items(reviewer)["What is a stride?"]["state"] == "suggested"


def test_a_note_of_two_sources_is_shown_once_also_when_it_is_left_out(deck: Path):
    stride = "# Views\n\n### What is a stride?\n\nHow many elements lie between two neighbours.\n"
    (deck / "again.md").write_text(stride)
    reviewer = without_running()
    for wish in (None, "leave-out"):
        decide(reviewer, wish, "What is a stride?")
        shown = [item["asks"] for source in reviewer.review().sources for item in source["notes"]]
        assert shown.count("What is a stride?") == 1


def test_a_decision_renders_and_runs_nothing_anew_and_an_edit_what_it_changed(
    deck: Path, monkeypatch: pytest.MonkeyPatch
):
    rendered: list[str] = []
    render = deckgen.render.render

    def counted(decision: Any, **more: Any) -> Any:
        rendered.append(getattr(decision.note.body, "prompt", ""))
        return render(decision, **more)

    checked: list[Sequence[Any]] = []
    verified = review.verified
    monkeypatch.setattr(deckgen.render, "render", counted)
    monkeypatch.setattr(review, "verified", lambda *all_: (checked.append(all_), verified(*all_))[1])
    reviewer = Reviewer(deckgen.Options(paths=("notes",), sandbox="off"))
    before = items(reviewer)
    assert (len(rendered), len(checked)) == (len(before), 1)
    for wish, asks in (("keep", "What is a stride?"), ("leave-out", "What is an offset?"), (None, "What is a stride?")):
        decide(reviewer, wish, asks)
        assert items(reviewer).keys() == before.keys()
    assert (len(rendered), len(checked)) == (len(before), 1)
    text = (deck / "views.md").read_text()
    (deck / "views.md").write_text(text.replace("between two neighbours", "between neighbours"))
    items(reviewer)
    assert (rendered[len(before) :], len(checked)) == (["What is a stride?"], 2)
    decide(reviewer, "keep", "What is torn?")  # a refused note was not looked at when the rest was checked
    items(reviewer)
    assert len(checked) == 3


def test_a_decision_shows_one_note_anew_and_what_is_as_it_was_is_not_read_again(
    deck: Path, monkeypatch: pytest.MonkeyPatch
):
    composed: list[str] = []
    shown = preview.shown

    def counted(decision: Any, rendered: Any) -> dict[str, Any]:
        composed.append(str(decision.note.body.prompt))
        return shown(decision, rendered)

    monkeypatch.setattr(preview, "shown", counted)
    reviewer = without_running()
    assert len(items(reviewer)) == len(composed)
    for wish, count in (("keep", 1), ("leave-out", 1), (None, 0)):  # what is left out is shown as what is suggested
        decide(reviewer, wish, "What is a stride?")
        composed.clear()
        told = reviewer.review()
        assert composed == ["What is a stride?"] * count
        assert reviewer.review() is told
    (deck / "views.md").write_text((deck / "views.md").read_text().replace("two neighbours", "neighbours"))
    assert reviewer.review() is not told
