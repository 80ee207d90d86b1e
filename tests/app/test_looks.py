"""In which language deckgen's own words stand on the cards of a source that mixes two."""

from pathlib import Path

import pytest

from deckgen.app.build import rendered
from deckgen.app.load import load
from deckgen.app.options import Options
from deckgen.cache import Folder
from deckgen.decide import Policy, decide
from deckgen.model.deck import FIELDS
from deckgen.model.results import NOTHING_CHECKED

ENGLISH = "Tensor of zeros"
CHINESE = "左闭右开区间，步长为第三个参数"


def prompts(folder: Path, heading: str, *meanings: str) -> list[bool]:
    """Whether what is asked of each row of a table is Chinese."""
    rows = "\n".join(f"| `torch.name{at}(size)` | {meaning} |" for at, meaning in enumerate(meanings))
    (folder / "a.md").write_text(f"# {heading}\n\n| Function | Description |\n|---|---|\n{rows}\n", "utf-8")
    (deck,) = load(Options(paths=(str(folder),), no_cache=True))
    notes = [note for extraction in deck.extractions for note in extraction.notes]
    decisions = decide(notes, {}, NOTHING_CHECKED.environment, Policy(run=False))
    looks = rendered(deck, decisions, Folder(None))
    return ["作用" in look.fields[FIELDS.index("Prompt")] for look in looks]


@pytest.mark.parametrize(
    ("heading", "meanings", "chinese"),
    [
        ("Sheet", (ENGLISH, ENGLISH), [False, False]),
        ("Sheet", (ENGLISH, CHINESE), [False, True]),
        ("张量", (ENGLISH, CHINESE), [True, True]),
        ("Sheet", ("`size` × 2", CHINESE), [True, True]),
    ],
)
def test_an_english_note_is_asked_in_english_whatever_stands_beside_it(tmp_path, heading, meanings, chinese):
    assert prompts(tmp_path, heading, *meanings) == chinese


def test_a_language_that_the_author_chose_is_that_of_all_notes(tmp_path):
    (tmp_path / "deck.toml").write_text('language = "zh"\n')
    assert prompts(tmp_path, "Sheet", ENGLISH, CHINESE) == [True, True]
