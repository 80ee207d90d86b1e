"""Notebooks."""

import json

import nbformat
import pytest

from deckgen.extract import extract
from deckgen.model.document import Code, Document, Heading, Image, Output, Prose
from deckgen.model.errors import SourceError
from deckgen.model.note import back, front
from deckgen.model.source import Source
from deckgen.read import read

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def notebook() -> nbformat.NotebookNode:
    v4 = nbformat.v4
    shown = v4.new_output("execute_result", {"text/plain": "tensor(2.)"})
    picture = v4.new_output("display_data", {"image/png": PICTURE, "text/plain": "<Figure>"})
    failed = v4.new_output("error", ename="NameError", evalue="name 'y' is not defined", traceback=["\x1b[31m..."])
    code = v4.new_code_cell(
        "import torch\nprint('a')\ntorch.ones(2).sum()",
        outputs=[v4.new_output("stream", name="stdout", text="a\n"), shown, picture, failed],
    )
    return v4.new_notebook(cells=[v4.new_markdown_cell("# Sums\n\nTwo *ones*."), code, v4.new_code_cell("x = 1")])


def document(text: str) -> Document:
    return read(Source("a.ipynb", text))


def test_cells_become_blocks_in_the_order_in_which_they_run() -> None:
    blocks = document(nbformat.writes(notebook())).blocks
    assert [type(block) for block in blocks] == [Heading, Prose, Code, Output, Output, Image, Output, Code]


def test_every_line_of_a_cell_knows_its_line_of_the_file() -> None:
    source = Source("a.ipynb", nbformat.writes(notebook()))
    codes = [block for block in read(source).blocks if isinstance(block, Code)]
    lines = [pair for code in codes for pair in zip(code.text.split("\n"), code.lines, strict=True)]
    assert len(lines) > len(codes) > 1
    assert [text for text, line in lines if text not in source.lines[line]] == []
    assert [code for code in codes if not code.cell] == []


def test_stored_outputs_stand_below_their_code_with_their_stream() -> None:
    source = Source("a.ipynb", nbformat.writes(notebook()))
    outputs = [block for block in read(source).blocks if isinstance(block, Output)]
    assert [(block.stream, block.text) for block in outputs] == [
        ("stdout", "a"),
        ("result", "tensor(2.)"),
        ("error", "NameError: name 'y' is not defined"),
    ]
    assert '"tensor(2.)"' in source.lines[outputs[1].lines[0]]


def test_pictures_are_kept_as_bytes() -> None:
    pictures = [b for b in document(nbformat.writes(notebook())).blocks if isinstance(b, Image)]
    assert [picture.target for picture in pictures] == ["cell1-output2.png"]
    assert (pictures[0].data or b"").startswith(b"\x89PNG")


def test_a_notebook_is_one_session_with_a_title() -> None:
    found = document(nbformat.writes(notebook()))
    assert (found.reader, found.continuous, found.title) == ("notebook", True, "Sums")


def test_a_notebook_on_one_line_reads_the_same() -> None:
    spread = document(nbformat.writes(notebook())).blocks
    packed = document(json.dumps(notebook())).blocks
    assert [getattr(b, "text", "") for b in spread] == [getattr(b, "text", "") for b in packed]


def cells_of(*pairs: tuple[str, str]) -> nbformat.NotebookNode:
    """Code cells, each with the value that it shows."""
    v4 = nbformat.v4
    shown = [(code, v4.new_output("execute_result", {"text/plain": value})) for code, value in pairs]
    return v4.new_notebook(cells=[v4.new_code_cell(code, outputs=[output]) for code, output in shown])


@pytest.mark.parametrize("indent", [None, 1])
def test_cells_that_share_a_line_of_the_file_are_told_apart(indent: int | None) -> None:
    made = cells_of(
        ("x = torch.arange(2)\nx", "tensor([0, 1])"), ("x.sum()  # tensor(1)\nx + 1", "tensor([1,\n        2])")
    )
    source = Source("a.ipynb", json.dumps(made, indent=indent, sort_keys=True))
    packed, spread = extract(read(source)), extract(document(nbformat.writes(made)))
    said = [[(claim.text, claim.form) for claim in snippet.claims] for snippet in packed.snippets]
    assert said == [[(claim.text, claim.form) for claim in snippet.claims] for snippet in spread.snippets]
    assert [(front(note), back(note)) for note in packed.notes] == [(front(note), back(note)) for note in spread.notes]
    ids = [snippet.id for snippet in packed.snippets]
    ids += [claim.id for snippet in packed.snippets for claim in snippet.claims]
    assert len(set(ids)) == len(ids) == 5
    spans = [snippet.span for snippet in packed.snippets]
    spans += [claim.span for snippet in packed.snippets for claim in snippet.claims]
    assert all(span.stop <= len(source.lines) for span in [*spans, *(note.span for note in packed.notes)])


def test_a_cell_without_output_takes_none_from_the_next() -> None:
    v4 = nbformat.v4
    printed = v4.new_output("stream", name="stdout", text="Collecting x\n")
    shown = v4.new_output("execute_result", {"text/plain": "tensor([0, 1])"})
    cells = [
        v4.new_code_cell("!pip install x"),
        v4.new_markdown_cell("Now."),
        v4.new_code_cell("%pip install x\ntorch.arange(2)", outputs=[printed, shown]),
        v4.new_code_cell("!pip install y"),
        v4.new_code_cell("torch.arange(2)", outputs=[shown]),
    ]
    found = extract(document(nbformat.writes(v4.new_notebook(cells=cells))))
    said = [[claim.text for claim in snippet.claims] for snippet in found.snippets]
    assert said == [[], ["tensor([0, 1])"], [], ["tensor([0, 1])"]]


@pytest.mark.parametrize("source", ["", "\n  \n"])
@pytest.mark.parametrize("above", ["x = torch.arange(3)", "torch.arange(3).sum()"])
def test_what_an_empty_cell_shows_is_no_output_of_the_cell_above(source: str, above: str) -> None:
    v4 = nbformat.v4
    value = v4.new_output("execute_result", {"text/plain": "tensor(9)"})
    printed = v4.new_output("stream", name="stdout", text="tensor(8)\n")
    failed = v4.new_output("error", ename="ValueError", evalue="of long ago")
    cells = [
        v4.new_code_cell(above),
        v4.new_code_cell(source, outputs=[value]),
        v4.new_code_cell(source, outputs=[printed, value, failed]),
        v4.new_code_cell("torch.arange(2)", outputs=[value]),
    ]
    found = extract(document(nbformat.writes(v4.new_notebook(cells=cells))))
    assert [[claim.text for claim in snippet.claims] for snippet in found.snippets] == [[], ["tensor(9)"]]


def test_a_notebook_of_format_3_is_read() -> None:
    old = nbformat.convert(notebook(), 3)
    texts = [block.text for block in document(json.dumps(old)).blocks if isinstance(block, Code)]
    assert texts == ["import torch\nprint('a')\ntorch.ones(2).sum()", "x = 1"]


def test_a_cell_magic_names_the_language() -> None:
    cells = [nbformat.v4.new_code_cell("%%bash\nls"), nbformat.v4.new_code_cell("%%time\nx = 1")]
    found = document(nbformat.writes(nbformat.v4.new_notebook(cells=cells)))
    assert [block.language for block in found.blocks if isinstance(block, Code)] == ["bash", "python"]


def test_a_picture_attached_to_text_is_found() -> None:
    cell = nbformat.v4.new_markdown_cell("![loss](attachment:loss.png)")
    cell["attachments"] = {"loss.png": {"image/png": PICTURE}}
    blocks = document(nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))).blocks
    assert [(b.target, bool(b.data)) for b in blocks if isinstance(b, Image)] == [("loss.png", True)]


def test_what_is_no_json_is_told() -> None:
    text = nbformat.writes(notebook())[:-40]
    with pytest.raises(SourceError, match="not valid JSON") as caught:
        document(text)
    assert caught.value.where == "a.ipynb"


@pytest.mark.parametrize(
    "cells",
    [
        [{"cell_type": "code"}],
        [{"cell_type": "code", "source": 3, "outputs": {"a": 1}}],
        [{"cell_type": "code", "source": ["x = 1\n", None, "y"], "outputs": [3, {"output_type": "stream"}]}],
        [{"cell_type": "markdown", "source": None}],
        [{"cell_type": "code", "source": "x", "outputs": [{"output_type": "error", "ename": 3}]}],
        [
            {
                "cell_type": "code",
                "source": "x",
                "outputs": [{"output_type": "display_data", "data": {"image/png": "?"}}],
            }
        ],
    ],
)
def test_a_damaged_notebook_is_read_as_far_as_it_goes(cells: object) -> None:
    assert document(json.dumps({"cells": cells, "nbformat": 4, "cell_type": ""})).reader == "notebook"


@pytest.mark.parametrize("cells", [3, {"0": {"cell_type": "code"}}, [None, 4, "x", []], None])
def test_a_notebook_without_a_list_of_cells_is_told(cells: object) -> None:
    with pytest.raises(SourceError, match="no list of cells"):
        document(json.dumps({"cells": cells, "nbformat": 4, "cell_type": ""}))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"cells": [{"cell_ty', "not valid JSON"),
        ("<<<<<<< HEAD\n", "not valid JSON"),
        ('{"metadata": {}, "nbformat": 4}', "no list of cells"),
        ('[{"cell_type": "code", "source": "x"}]', "no list of cells"),
        ("null", "no list of cells"),
    ],
)
def test_what_is_called_a_notebook_and_is_none_is_told(text: str, why: str) -> None:
    with pytest.raises(SourceError, match=why):
        document(text)
    assert read(Source("a.md", text)).reader != "notebook"
    assert document("\n").blocks == ()


def test_a_notebook_nested_too_deeply_is_told() -> None:
    text = '{"cells": [{"cell_type": ' + "[" * 100_000
    with pytest.raises(SourceError):
        document(text)
