"""`{torch>=2.10}`: what a source says of some versions alone."""

from __future__ import annotations

import pytest
from carded import extracted, notes

from deckgen.extract.versions import without_marks
from deckgen.model.document import Document, Heading
from deckgen.model.note import Note, back, front
from deckgen.model.source import Source
from deckgen.read import read


def versions(note: Note) -> str:
    return " ".join(map(str, note.versions))


def by_question(text: str) -> dict[str, str]:
    """The versions of each note, by the last line that it asks."""
    return {front(note).rsplit("\n", 1)[-1]: versions(note) for note in notes(text)}


# What is a range


@pytest.mark.parametrize(
    ("mark", "meant"),
    [
        ("torch>=2.10", "torch>=2.10"),
        ("torch<2.10", "torch<2.10"),
        ("torch>2.9", "torch>=2.10"),
        ("torch<=2.9", "torch<2.10"),
        ("torch==2.9", "torch==2.9.*"),
        ("torch!=2.9", "torch!=2.9.*"),
        ("torch>=2.4,<2.10", "torch>=2.4,<2.10"),
        (" Torch >= 2.4 , < 2.10 ", "torch>=2.4,<2.10"),
        ("python>=3.12", "python>=3.12"),
        ("torch>=2.10 python>=3.12", "torch>=2.10 python>=3.12"),
        ("python>=3.12, torch>=2.10", "torch>=2.10 python>=3.12"),
    ],
)
@pytest.mark.parametrize("kind", ["heading", "fence"])
def test_a_range_is_read_as_its_author_means_it(kind: str, mark: str, meant: str) -> None:
    code = "import torch\nprint(torch.ones(2).sum())  # tensor(2.)"
    written = {
        "heading": f"# Sums {{{mark}}}\n\n```python\n{code}\n```\n",
        "fence": f"# Sums\n\n```python {{{mark}}}\n{code}\n```\n",
    }
    found = extracted(written[kind])
    assert [versions(note) for note in found.notes] == [meant]
    (snippet,) = found.snippets
    (claim,) = snippet.claims
    assert " ".join(map(str, snippet.options.versions)) == " ".join(map(str, claim.versions)) == meant
    assert found.remarks == ()


@pytest.mark.parametrize(
    "info",
    [
        "python {torch>=2.10}",
        "{.python torch>=2.10}",
        "{torch>=2.10}",
        "python {seed=0 torch>=2.10}",
        "python {seed=0, torch>=2.10}",
        "python {seed=0} {torch>=2.10}",
        "python {torch>=2.10} {seed=0}",
    ],
)
def test_a_mark_stands_beside_the_other_words_of_a_fence(info: str) -> None:
    (snippet,) = extracted(f"# A\n\n```{info}\nimport torch\nprint(torch.ones(1))  # tensor([1.])\n```\n").snippets
    assert " ".join(map(str, snippet.options.versions)) == "torch>=2.10"
    assert snippet.options.seed == (0 if "seed" in info else None)


# What it is about


def test_a_mark_on_a_heading_is_about_its_section_and_on_an_entry_about_the_entries_below_it() -> None:
    text = """
        # Graphs

        ## Breaks {torch>=2.4}

        ### What is a graph break?

        A place where `torch.compile` stops to capture.

        ## Names

        - **Leaf** {torch<2.10}: a tensor that no operation computed
            - **Root of a view**: the tensor that owns the memory
        - **Hook**: a function that is called with a gradient
    """
    found = {note.key.anchor: versions(note) for note in notes(text)}
    assert found == {
        "what is a graph break": "torch>=2.4",
        "Leaf": "torch<2.10",
        "root of a view": "torch<2.10",
        "Hook": "",
    }


def test_a_mark_on_a_row_is_about_that_row_and_what_it_names() -> None:
    found = extracted("""
        | Name | What it does |
        |---|---|
        | `torch.numel(x)` | counts the elements |
        | `torch.frobnicate(x)` {torch>=99} | turns all numbers round |
    """)
    assert [versions(note) for note in found.notes] == ["", "torch>=99"]
    assert [(api.text, bool(api.versions)) for api in found.apis] == [
        ("torch.numel(x)", False),
        ("torch.frobnicate(x)", True),
    ]


def test_a_mark_on_the_question_is_about_its_answer_too() -> None:
    found = extracted("Q: What turns a tensor round? {torch>=99}\n\nA: `torch.frobnicate(x)` does.\n")
    assert [versions(note) for note in found.notes] == ["torch>=99"]
    assert [" ".join(map(str, api.versions)) for api in found.apis] == ["torch>=99"]


def test_ranges_of_a_section_and_a_fence_hold_both() -> None:
    text = "# A {torch>=2.4}\n\n```python {torch<2.10}\nimport torch\nprint(torch.ones(1) + 1)  # tensor([2.])\n```\n"
    assert [versions(note) for note in notes(text)] == ["torch>=2.4,<2.10"]


def test_the_same_question_about_other_versions_is_another_note() -> None:
    text = """
        ## What is the default of `weights_only`? {torch<2.6}

        `False`: anything may be unpickled.

        ## What is the default of `weights_only`? {torch>=2.6}

        `True`: nothing but tensors is.
    """
    assert [(versions(note), back(note).split(":")[0]) for note in notes(text)] == [
        ("torch<2.6", "`False`"),
        ("torch>=2.6", "`True`"),
    ]


# What it leaves alone

PLAIN = """\
# Loading

## What does `weights_only=True` refuse?

Everything but tensors and plain containers.

## Words

- **Lazy storage**: a storage that is read from the file when it is first used

## Names

| Name | Meaning |
|---|---|
| `torch.numel(x)` | counts the elements |

## Sums

```python
import torch
print(torch.ones(2).sum())  # tensor(2.)
```
"""


def test_a_mark_changes_no_key_and_no_text_of_a_note() -> None:
    marked = PLAIN
    for end in ("Loading", "refuse?", "containers.", "**Lazy storage**", "`torch.numel(x)`", "```python"):
        assert marked.count(end) == 1
        marked = marked.replace(end, f"{end} {{torch>=2.4}}")
    plain, found = extracted(PLAIN), extracted(marked)
    assert [(one.key, one.headings, one.body) for one in found.notes] == [
        (one.key, one.headings, one.body) for one in plain.notes
    ]
    assert len(found.notes) > 3
    assert {versions(note) for note in found.notes} == {"torch>=2.4"}
    assert found.document.title == plain.document.title == "Loading"


def test_a_mark_behind_the_name_of_a_heading_leaves_both_out_of_it() -> None:
    document = without_marks(read(Source("a.md", "# Loading {#load} {torch>=2.4}\n")))[0]
    assert [block.text for block in document.blocks if isinstance(block, Heading)] == ["Loading"]


@pytest.mark.parametrize(
    "text",
    [
        "Write `{torch>=2.10}` behind it.",
        "``a ` {torch>=2.10}`` is code",
        "The versions {torch.__version__} and {python} are printed.",
        "As shown in \\cite{pytorch2019} and {torchvision>=0.2}",
        "# The set {x >= 2}",
        "```text\n{torch>=2.10}\n```",
        '```python {title="needs torch>=2"}\nf()\n```',
        "```{python, echo=FALSE}\nf()\n```",
        "```{python}\n#| torch>=2\nf()\n```",
    ],
)
def test_braces_that_are_no_marks_stay_as_they_are(text: str) -> None:
    document: Document = read(Source("a.md", text + "\n"))
    unmarked, marks = without_marks(document)
    assert unmarked is document
    assert (marks.extents, marks.remarks) == ([], [])


# What is wrong


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("# A\n\n## Why {torch=2.10}?\n\nSo.\n", 3, "`{torch=2.10}` is no range of versions; write `{torch>=2.10}`"),
        ("A text\nof lines {torch>=2.x}\n", 2, "`{torch>=2.x}` is no range"),
        ("A text {torch 2.10}\n", 1, "`{torch 2.10}` is no range"),
        ("A text {torch≥2.10}\n", 1, "`{torch≥2.10}` is no range"),
        ("A text {pytorch>=2.10}\n", 1, "`{pytorch>=2.10}` is no range"),
        ("A text {torch~=2.10}\n", 1, "`{torch~=2.10}` is no range"),
        ("A text {torch>=2.10rc1}\n", 1, "`{torch>=2.10rc1}` is no range"),
        ("A text {torch>=2.4,<}\n", 1, "`{torch>=2.4,<}` is no range"),
        ("A text {torch>=2.10,<2.4}\n", 1, "no version of torch is in `{torch>=2.10,<2.4}`"),
        ("| A | B |\n|---|---|\n| a {python>3,12} | b |\n", 3, "`{python>3,12}` is no range"),
        ("A text.\n\n{torch>=2.10}\n", 3, "`{torch>=2.10}` stands alone, and is about nothing; write it behind"),
        ("Text.\n\n```python {torch=2.10}\nf()\n```\n", 3, "`{torch=2.10}` is no range"),
        ("Text.\n\n```python {seed=0 torch>=2.4,<x}\nf()\n```\n", 3, "`{seed=0 torch>=2.4,<x}` is no range"),
        ("Text.\n\n```python torch>=2.10\nf()\n```\n", 3, "counts only in braces; write `{torch>=2.10}`"),
    ],
)
def test_a_wrong_mark_is_told_at_its_line_and_stays_as_it_is(text: str, line: int, told: str) -> None:
    found = extracted(text)
    (remark,) = found.remarks
    assert (remark.span.first, remark.rule) == (line, "versions")
    assert told in remark.text
    assert not any(note.versions for note in found.notes)
    document = read(Source("a.md", text))
    assert without_marks(document)[0].blocks == document.blocks
