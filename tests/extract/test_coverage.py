"""Nothing is lost in silence: whatever a document holds, each line of it belongs to something, or is told with a reason."""

from pathlib import Path

import pytest
from carded import extracted
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.fuzz_pieces import PIECES
from deckgen.extract import extract
from deckgen.extract.coverage import Coverage, Home, parts, unaccounted
from deckgen.model.document import Extraction
from deckgen.model.source import Source
from deckgen.read import read

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "cards/**/*.md", "tests/documents/*", "tests/cases/*.md")
    for path in ROOT.glob(pattern)
)


def silent(found: Extraction) -> list[str]:
    """The lines of which nothing is told."""
    return [part.text for _, part in unaccounted(found)]


def homes(markdown: str) -> dict[str, Home | None]:
    """What each line that says something belongs to."""
    found = extracted(markdown)
    coverage = Coverage(found.notes, found.skipped, found.snippets)
    return {part.text: coverage.home(block, part) for block in found.document.blocks for part in parts(block)}


def told(markdown: str) -> dict[str, str]:
    """What `left_over` says of the lines of a document, by the first of them."""
    found = extracted(markdown)
    lines = found.document.source.lines
    return {lines[skip.span.start].strip(): skip.reason for skip in found.skipped if skip.rule == "left_over"}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_each_line_of_our_documents_belongs_to_something(path):
    assert silent(extract(read(Source(path.name, path.read_text("utf-8"))))) == []


_LINES = [
    "- **leaf**: a tensor made by the user\n", "  - made by an operation\n", "    - deeper: and deeper still\n",
    "## Why is it a scalar?\n", "Only a scalar has a gradient of one.\n", "Q: What is a leaf?\n", "A: a tensor of the user\n",
    "A: ```python\n", "```\n", "```python\n", "x = torch.ones(2)  # tensor([1., 1.])\n", "print(x)\n", "---\n", "title: x\n",
    "| Mode | Effect |\n", "|---|---|\n", "| `train()` | drops values |\n", "| | |\n", "> a remark\n", "\n", "\n\n",
    "<details><summary>Answer</summary>\n", "</details>\n", "**Short answer:**\n", "$$x^2$$\n", "![a](b.png)\n",
    "The gradient is kept in `____`.\n", "Answer: `grad`\n", "<!-- deckgen: skip -->\n", "<!-- deckgen: keep -->\n",
    "True or false: a leaf has a `grad_fn`.\n", "A. `view`\n", "B. `clone`\n", "Answer: B\n", "In [1]:\n", "You: why?\n",
    "ChatGPT: because.\n", "`torch.numel(input)`\n", "## torch.numel\n", "Example:\n", "1. one\n", "2. two\n", "什么是叶子？\n",
]  # fmt: skip
_TEXTS = st.lists(st.sampled_from([*_LINES, *PIECES]), max_size=40).map("".join) | st.text(max_size=200)


@settings(max_examples=150, deadline=None)
@given(_TEXTS)
def test_each_line_of_any_text_belongs_to_something(text):
    assert silent(extract(read(Source("any.md", text)))) == []


def test_a_line_belongs_to_what_is_made_of_it():
    found = homes(
        "# Autograd\n\n- **leaf**: a tensor made by the user\n- so much for that\n\n"
        "```python\nx = torch.ones(2)\n```\n\n---\n\nWe shall see.\n\n<!-- deckgen: id=a -->\n\n- **epoch**: one pass over all samples\n"
    )
    assert found == {
        "Autograd": Home.HEADING,
        "**leaf**: a tensor made by the user": Home.SUGGESTION,
        "so much for that": Home.REFUSAL,
        "x = torch.ones(2)": Home.SNIPPET,
        "We shall see.": Home.REFUSAL,
        "**epoch**: one pass over all samples": Home.NOTE,
    }


def test_a_line_that_a_note_reaches_over_and_does_not_say_is_not_at_home_in_it():
    found = extracted("## Why is it a scalar?\n\nOnly a scalar has a gradient of one.\n")
    (note,), block = found.notes, found.document.blocks[1]
    coverage, (part,) = Coverage([note], (), ()), parts(block)
    assert coverage.home(block, part) is Home.SUGGESTION
    assert coverage.home(block, part._replace(text="Adam keeps two moments of each parameter.")) is None


NESTED = """
- **leaf**: a tensor made by the user
  - one that nobody made by hand belongs to none of them
- Optimisers
  - they are all the same to us
"""


def test_entries_of_nested_lists_are_told():
    reasons = told(NESTED)
    assert reasons["- one that nobody made by hand belongs to none of them"].startswith("read with the card of line 1")
    assert reasons["- Optimisers"] == "a label over the entries below it"


def test_what_stands_below_front_matter_that_is_not_closed_is_read():
    found = extracted(
        "---\ntitle: Autograd\ntags: [graph]\n\n# Leaves\n\n- **leaf**: a tensor made by the user\n\n---\n\nText.\n"
    )
    assert found.document.title == "Autograd"
    assert [note.span.first for note in found.notes] == [7]


def test_cards_between_two_rules_are_no_front_matter():
    (note,) = extracted("---\nQ: What is a leaf?\nA: a tensor made by the user\n---\n").notes
    assert note.span.first == 2


def test_a_fence_behind_the_label_of_an_answer_ends_where_it_ends():
    first, second = extracted(
        "Q: How is a tensor copied?\nA: ```python\ny = x.clone()\n```\n\nQ: What is a leaf?\nA: a tensor made by the user\n"
    ).notes
    assert first.body.answer == "```python\ny = x.clone()\n```"
    assert second.body.answer == "a tensor made by the user"


def test_what_a_card_leaves_out_of_an_answer_is_told_where_it_stands():
    long = "\n\n".join(
        f"Sentence number {n} goes on about graphs, leaves and the roots of them all." for n in range(12)
    )
    reasons = told(f"# A\n\n## What is a leaf?\n\nA leaf is a tensor that was made by the user.\n\n{long}\n")
    assert set(reasons.values()) == {"read with the card of line 3, which does not show it"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("$$y = x^2$$", "a formula by itself"),
        ("[Docs](https://pytorch.org) | <https://pytorch.org>", "links by themselves"),
        ("**Prerequisites**", "a title in bold"),
        ("We begin with this:", "a line that leads on to what follows"),
        (
            "So much for that :joy:",
            "running text in which deckgen found no question, no definition and no fact to ask for",
        ),
        ("```\nif [ -f x ]; then echo y; fi\n```", "a fence that holds no Python"),
    ],
)
def test_a_reason_says_what_the_line_is(text, reason):
    assert list(told(f"# A\n\n{text}\n").values()) == [reason]


def test_bold_type_of_underscores_is_no_blank():
    assert told("__Note:__ go to the menu to enable CUDA.\n") == {
        "__Note:__ go to the menu to enable CUDA.": "running text in which deckgen found no question, no definition and no fact to ask for"
    }
