"""Cards in the formats of other tools: all of them, none twice, with their ids, tags and decks, and no mark left. `tests/formats` holds
files of each format, `expected.txt` there what is made of them; none_notes.md looks like all of them and holds none.
"""

import random
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from building import build
from carded import extracted
from learner import Imported, Learner

from deckgen.extract import extract
from deckgen.extract.coverage import unaccounted
from deckgen.model.document import Extraction, Flashcard
from deckgen.model.notation import Notation
from deckgen.model.note import Cloze, Note, Standing, back, front, holes
from deckgen.model.source import Source
from deckgen.read import read
from deckgen.read.flashcards import FORMATS
from deckgen.text.wiki import NOT_HERE

FOLDER = Path(__file__).parents[1] / "formats"
FILES = sorted(FOLDER.glob("*.md"))
EXPECTED = FOLDER / "expected.txt"
MARKS = re.compile(
    r"^(?:START|END|STARTI|%|%%ANKI|Back:.*|[A-Z]{1,3}\d?: .*|- *)$|<!--|#(?:flash)?cards?\b|\^\d{10}|\bid::|card-last|\{\{c|\{=|==\w+=="
    r"|\^\[|\[\^|\bENDI\b|TARGET DECK|FILE TAGS|noteId|!\[\[|\[#\w",
    re.MULTILINE,
)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def found(text: str, chosen: str = "") -> Extraction:
    notation = Notation(format=chosen)
    document = read(Source("notes.md", text), notation)
    return extract(replace(document, notation=notation))


def cards(text: str, chosen: str = "") -> list[Note]:
    return [note for note in found(text, chosen).notes if note.standing is Standing.DECLARED]


def told(note: Note) -> str:
    gaps = "".join(f" {number}:{text}" for number, text in holes(note))
    said = " = ".join(" / ".join(filter(str.strip, text.split("\n"))) for text in (front(note), back(note)))
    named = (note.explicit_id or "-", ",".join(note.tags) or "-", note.deck or "-")
    return f"{type(note.body).__name__} [{' '.join(named)}]{gaps} {said}"


def listing() -> str:
    parts = []
    for path in FILES:
        notes = cards(path.read_text("utf-8"))
        parts.append("\n".join([f"# {path.name}: {len(notes)}", *map(told, notes)]))
    return "\n\n".join(parts) + "\n"


def test_every_card_of_every_format_is_read_with_its_id_its_tags_and_its_deck() -> None:
    assert listing() == EXPECTED.read_text("utf-8"), "read each difference; then write listing() there"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_card_is_there_twice_no_mark_is_left_and_no_line_is_lost(path: Path) -> None:
    made = found(path.read_text("utf-8"))
    notes = [note for note in made.notes if note.standing is Standing.DECLARED]
    assert len({front(note) for note in notes}) == len(notes)
    assert [line for note in notes for line in MARKS.findall(CODE.sub("", f"{front(note)}\n{back(note)}"))] == []
    assert unaccounted(made) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_format_is_told_by_its_marks(path: Path) -> None:
    blocks = read(Source("notes.md", path.read_text("utf-8"))).blocks
    assert any(isinstance(block, Flashcard) for block in blocks) is not path.name.startswith(("none", "sr_"))


@pytest.mark.parametrize(
    ("chosen", "text", "count"),
    [
        ("headings", "# Torch\n\n## Views\n\nThey share the storage.\n", 1),
        (
            "md2anki",
            "# Torch\n\n## Views\n\nThey share the storage.\n\n## Subdeck: More\n\n### Leaves\n\nNo operation made them.\n",
            2,
        ),
        ("yanki", "Views\n\n---\n\nThey share the storage.\n", 1),
        ("ankdown", "Views\n\n%\n\nThey share the storage.\n", 1),
    ],
)
def test_a_format_without_marks_is_read_where_the_deck_names_it(chosen: str, text: str, count: int) -> None:
    assert len(cards(text, chosen)) == count
    assert cards(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "START\n\nThe loop begins here.\n\nEND\n",
        "## 1.0\n\n[#123](https://example.org/123)\n\n%\n",
        "Deck: the upper part of a ship\n\n1. a\n2. b\n\n> c\n",
        "---\n\nDeck: x\n\n---\n",
        "# Notes\n\nText.\n\n## Front\n\nThe front end.\n\n## Back\n\nThe back end.\n",
        "# Losses (2023)\n\n## Huber (1964)\n\nA loss.\n",
        "Some text.\n\nT: temperature\nE: energy\n",
        "The `#card` tag, and a #cardinal sin.\n\nMore text.\n",
        "- an entry `#card`\n    - its child\n",
        "```text\nSTART\nBasic\na\nBack: b\nEND\n```\n",
        "```\nQ: a\nA: b\nE: c\n```\n",
        "Loss\n\n%\n\nThe percent sign.\n",
        "# Changes (123456789)\n\n## v1 (20231105)\n\nFirst.\n",
        '## A\n\n<div markdown="block">\n\ntext\n\n</div>\n',
        "- see [[Card]]\n    - its child\n",
        "START\nof the loop\nand more\nEND\n",
        "---\nnoteId: abc-def\n---\n\nText.\n\n---\n\nMore.\n",
        "---\nnoteId: 123\n---\n\nText of a note.\n",
        "x = a==b and c==d, {this} and ~~that~~, torch::Tensor and x[::2]\n",
    ],
)
def test_what_only_looks_like_a_format_is_left_to_the_other_rules(text: str) -> None:
    assert [note.rule for note in found(text).notes if note.rule in ("flashcards", "separators", "clozes")] == []


def test_code_on_a_card_is_checked_and_names_are_looked_up() -> None:
    made = extracted(
        "<!-- note_key: a1 -->\nQ: Sum?\nA: See `torch.numel`.\n\n```python\nimport torch\nprint(torch.arange(4).sum())  # tensor(6)\n```\n"
    )
    assert [claim.text for snippet in made.snippets for claim in snippet.claims] == ["tensor(6)"]
    assert made.notes[0].rests_on == ("a3.1", "a7.1", "7.1")


def test_a_gap_in_a_fence_is_no_part_of_the_code_that_is_run() -> None:
    made = extracted("T: Fill in:\n\n```python\nimport torch\nx = torch.{{c1::arange}}(4)\n```\nE: a range\n")
    assert [snippet.code for snippet in made.snippets] == ["import torch\nx = torch.arange(4)"]
    assert isinstance(made.notes[0].body, Cloze)


EDITS = {
    "ankiops_nasty__Slices.md": ("Every second element.", "One element of two."),
    "ankdown_plain.md": ("The storage.", "The whole storage."),
    "apy_plain.md": ("`torch.long`", "`torch.long`, too"),
    "flashcards_obsidian_plain.md": ("`clone`\n", "`clone` alone\n"),
    "headings_plain.md": ("A table.", "A hash table."),
    "inka_plain.md": ("Leaves that require one.", "Leaves that need one."),
    "logseq_plain.md": ("Leaves that require one.", "Leaves that need one."),
    "md2anki_plain.md": ("It shares the storage.", "It shares all storage."),
    "obsidian_to_anki_plain.md": ("Leaves that require one.", "Leaves that need one."),
    "sr_plain.md": ("what is kept of the last steps", "what is kept of all steps"),
    "yanki_plain.md": ("Leaves that require one.", "Leaves that need one."),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_second_build_after_an_edit_updates_in_place_and_keeps_all_reviews(name: str, tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    (deck / "deck.toml").write_text('name = "Deck"\n')
    text = (FOLDER / name).read_text("utf-8")
    (deck / name).write_text(text, "utf-8")
    count = len(cards(text))
    with Learner(tmp_path / "learner") as learner:
        assert build(deck).code == 0
        assert learner.imports(deck / "build" / "Deck.apkg") == Imported(added=count, updated=0, unchanged=0)
        assert learner.reviews() >= count
        before = learner.history()
        old, new = EDITS[name]
        assert old in text
        (deck / name).write_text(text.replace(old, new, 1), "utf-8")
        assert build(deck, at=1_700_009_000).code == 0
        assert learner.imports(deck / "build" / "Deck.apkg") == Imported(added=0, updated=1, unchanged=count - 1)
        assert learner.history() == before


def test_an_id_keeps_the_note_whatever_else_changes(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    (deck / "deck.toml").write_text('name = "Deck"\n')
    asked = "START\nBasic\n{}\nBack: {}\n<!--ID: 1574381251819-->\nEND\n"
    with Learner(tmp_path / "learner") as learner:
        (deck / "one.md").write_text(asked.format("Which tensors keep it?", "Leaves."))
        assert build(deck).code == 0
        assert learner.imports(deck / "build" / "Deck.apkg").added == 1
        assert learner.reviews()
        before = learner.history()
        (deck / "one.md").unlink()
        (deck / "two.md").write_text("# Elsewhere\n\n" + asked.format("什么是叶子？", "不是由运算产生的。"))
        assert build(deck, at=1_700_009_000).code == 0
        assert learner.imports(deck / "build" / "Deck.apkg") == Imported(added=0, updated=1, unchanged=0)
        assert learner.history() == before


def test_a_deck_becomes_a_subdeck(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    (deck / "deck.toml").write_text('name = "Torch"\n')
    for name in ("inka_plain.md", "md2anki_plain.md"):
        (deck / name).write_text((FOLDER / name).read_text("utf-8"), "utf-8")
    with Learner(tmp_path / "learner") as learner:
        build(deck)
        learner.imports(deck / "build" / "Torch.apkg")
        names = {one.name for one in learner.col.decks.all_names_and_ids()} - {"Default"}
    assert names == {"Torch", "Torch::010 Notes", "Torch::020 Torch", "Torch::Autograd", "Torch::020 Torch::Optim"}


PIECES = [
    "START\nBasic\n",
    "END\n",
    "---\n",
    "\n---\n\n",
    "%\n",
    "Q: a\n",
    "A: b\n",
    "T: {{c1::x}}\n",
    "C1: y\n",
    "#card\n",
    "^1663166473000\n",
]
PIECES += [
    "<!--ID: 12-->\n",
    "1. q\n",
    "> a\n",
    "Deck: D\n",
    "## q (123456)\n",
    "# d\n",
    "- b #card\n",
    "  - c\n",
    "```\n",
    "::",
    "?\n",
    "$$\n",
]
PIECES += [
    "{x}",
    "~~y~~",
    "{{cloze z}}",
    "## Front\n",
    "## Back\n",
    "STARTI [Basic] a Back: b ENDI",
    "==z==^[h][^1]",
    "`{=:t:=}`",
    "\t",
    "é中",
]


def mixed(chance: random.Random) -> str:
    texts = [path.read_text("utf-8") for path in chance.sample(FILES, 2)]
    text = texts[0][: chance.randrange(len(texts[0]))] + texts[1][chance.randrange(len(texts[1])) :]
    for _ in range(chance.choice((1, 3, 10, 40))):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(PIECES) + text[at + chance.choice((0, 0, 3, 30)) :]
    return text


@pytest.mark.parametrize("seed", range(40))
def test_no_damaged_file_of_a_format_breaks_anything_or_loses_a_line(seed: int) -> None:
    chance = random.Random(seed)
    made = found(mixed(chance), chance.choice(["", "headings", "md2anki", "ankdown", "yanki"]))
    assert unaccounted(made) == []
    spans = [block.span for block in made.document.blocks]
    assert all(one.stop <= other.start for one, other in pairwise(spans))


def test_formats_have_names_of_their_own() -> None:
    assert len({row.name for row in FORMATS}) == len(FORMATS)


def test_a_list_of_letters_is_no_note_of_ankiops() -> None:
    assert not cards("F: forward pass\nB: backward pass\nT: transpose\n")
    assert len(cards("F: forward pass\nB: backward pass\nE: of a module\n")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "- What does ((64f1c0de-1111-4222-8333-444455550000)) share? #card\n  - its memory\n",
        "- What is open? #card\n  - {{query (todo now)}}\n",
        "- What is a view? #card\n  - {{embed [[View]]}}\n",
        "#flashcards\n\nWhat is a view? :: ![[views#^a1b2]]\n",
        "What is a view? #card\n![[views]]\n",
    ],
)
def test_a_card_that_shows_what_stands_in_another_note_is_refused_with_what_to_write(text: str) -> None:
    made = found(text)
    assert [note for note in made.notes if note.standing is Standing.DECLARED] == []
    assert NOT_HERE in [one.reason for one in made.skipped]


def test_percent_signs_are_comments_in_obsidian_alone() -> None:
    (logseq,) = cards("- What is kept? #card\n  - 50%% of it, in each run other 50%%\n")
    (obsidian,) = cards("What is kept? #card\nHalf of it. %%look this up%%\n")
    assert back(logseq) == "50%% of it, in each run other 50%%"
    assert back(obsidian) == "Half of it."


@pytest.mark.parametrize("tags", ["Tags: #flashcards, #torch", "**Tags:** #flashcards", "标签：#flashcards"])
def test_a_line_of_tags_may_be_written_in_many_ways(tags: str) -> None:
    assert [front(note) for note in cards(f"{tags}\n\nstride::steps per dimension\n")] == ["stride"]


def test_a_word_before_the_tag_that_is_not_tags_is_prose() -> None:
    assert cards("Example: #flashcards\n\nstride::steps per dimension\n") == []


def test_a_list_above_a_question_mark_belongs_to_the_question() -> None:
    (note, *_) = cards("#flashcards\n\nWhat do these share?\n- a view\n- its base\n?\nTheir memory\n")
    assert (front(note), back(note)) == ("What do these share?\n- a view\n- its base", "Their memory")


def test_two_colons_in_the_answer_of_a_labelled_question_part_nothing() -> None:
    (note,) = cards("#flashcards\n\nQ: What parts two sides?\nA: front :: back\n")
    assert (front(note), back(note)) == ("What parts two sides?", "front :: back")


def test_a_rule_right_above_the_next_note_of_ankiops_ends_the_one_above() -> None:
    text = "<!-- note_key: a1 -->\nQ: One?\nA: It works\n---\n<!-- note_key: a2 -->\nQ: Two?\nA: It does\n"
    assert [(note.explicit_id, back(note)) for note in cards(text)] == [("a1", "It works"), ("a2", "It does")]


def test_code_below_a_block_of_logseq_is_run_and_cards_in_its_fences_are_none() -> None:
    code = "  - ```python\n    import torch\n    print(torch.arange(4).sum())  # tensor(7)\n    ```\n"
    made = found(
        f"- What is the sum? #card\n  - It is seven.\n{code}- ```markdown\n  - fenced #card\n    - no\n  ```\n"
    )
    assert [front(note) for note in made.notes if note.standing is Standing.DECLARED] == ["What is the sum?"]
    assert [claim.text for snippet in made.snippets for claim in snippet.claims] == ["tensor(7)"]


def test_a_paragraph_of_cards_that_is_too_long_is_told() -> None:
    made = found("#flashcards\n\n" + "".join(f"term {at}::text {at}\n" for at in range(1200)))
    assert [one.is_minor for one in made.remarks if "too long" in one.text] == [False]


def test_properties_of_logseq_stand_on_no_card() -> None:
    (note,) = cards(
        "- What is a view? #card\n  deck:: [[Torch/Views]]\n  source:: [[Book]]\n  hl-page:: 3\n  - It shares memory.\n"
    )
    assert (front(note), note.deck) == ("What is a view?", "Torch::Views")
