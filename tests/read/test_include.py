"""Includes: empty fences that name a region of a file."""

import pytest

from deckgen.model.document import Block, Code, Document, Origin, Prose, Refused
from deckgen.model.source import Source, Span
from deckgen.read.include import included, regions

FILE = """\
import torch

# region outer
x = torch.ones(2)

    # region inner
    print(x)
    # endregion

y = x + 1
# endregion
"""


def fence(info: str, text: str = "") -> Code:
    return Code(span=Span(4, 6), text=text, language="python", lines=(), info=info)


def document(*blocks: Block) -> Document:
    return Document(source=Source("notes.md", "\n" * 9), reader="markdown", blocks=blocks)


def load(path: str) -> str | None:
    return {"snippets/a.py": FILE}.get(path)


def filled(info: str) -> Block:
    return included(document(fence(info)), load).blocks[0]


def test_a_region_fills_an_empty_fence_and_says_where_it_comes_from() -> None:
    block = filled("python {file=snippets/a.py#outer}")
    assert isinstance(block, Code)
    assert block.text == "x = torch.ones(2)\n\n    print(x)\n\ny = x + 1"
    assert block.lines == (4, 4, 4, 4, 4)
    assert block.origin == Origin("snippets/a.py", (3, 4, 6, 8, 9))


def test_an_indented_region_loses_its_indentation() -> None:
    block = filled('python {no-run file="snippets/a.py#inner"}')
    assert isinstance(block, Code)
    assert block.text == "print(x)"


@pytest.mark.parametrize(
    "info", ["python {no-run} {file=snippets/a.py#inner}", "python {file=snippets/a.py#inner, seed=0}"]
)
def test_a_file_is_named_in_braces_of_its_own_or_before_a_comma(info: str) -> None:
    block = filled(info)
    assert isinstance(block, Code)
    assert block.text == "print(x)"


def test_without_a_name_the_whole_file_comes_without_marks() -> None:
    block = filled("python {file=snippets/a.py}")
    assert isinstance(block, Code)
    assert block.text.startswith("import torch\n\nx = ")
    assert "region" not in block.text


def test_a_fence_with_text_of_its_own_stays() -> None:
    before = document(fence("python {file=main.py}", "print(1)"), Prose(Span(8, 9), "{file=snippets/a.py}"))
    assert included(before, load) is before


@pytest.mark.parametrize(
    ("info", "reason"),
    [
        ("python {file=snippets/b.py#x}", "no such file: snippets/b.py"),
        ("python {file=snippets/a.py#out}", "snippets/a.py has no region out; it has: outer, inner"),
        ("python {file=/etc/hostname}", "an include must stay below the deck's folders: /etc/hostname"),
        ("python {file=../a.py}", "an include must stay below the deck's folders: ../a.py"),
        ("python {file=C:/a.py}", "an include must stay below the deck's folders: C:/a.py"),
    ],
)
def test_an_include_that_fails_is_refused_with_the_reason(info: str, reason: str) -> None:
    assert filled(info) == Refused(Span(4, 6), info, reason, is_error=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n# region a\n", "2: region a is never closed"),
        ("# endregion\n", "1: # endregion without its # region"),
        ("# region a\n# endregion\n# region a\n# endregion\n", "3: region a is there twice"),
    ],
)
def test_broken_marks_are_told_with_their_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        regions(text)
