"""Whatever the text, a document covers it in order."""

import itertools
import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from deckgen.model.document import Block, Code, Items, Output, Table
from deckgen.model.source import Source
from deckgen.read import read

_PIECES = [
    "You: ", "ChatGPT:\n", "**User:**\n", "## Assistant\n", "我：", "助手：\n", "In [1]:\n", "In [None]:\n",
    "Out[1]:", ">>> ", "... ", "```python\n", "```\n", "``````\n", "~~~", "    ", "\t", "- ", "1. ",
    "> ", "> [!note] x\n", "| a | b |\n", "|---|---|\n", "<details>", "<summary>q</summary>",
    "</details>\n", "<h1 id='x'>t</h1>\n", "<!--", "-->\n", "<!-- deckgen: skip -->\n", "---\n", "+++\n",
    "title: x\n", "$$\n", "[^1]: f\n", ": d\n", "# h\n", "===\n", "\n", "\n\n", "import torch\n",
    "for i in range(3):\n", "def f(self):\n", "class A(B):\n", "return x\n", "else:\n",
    "print('a', x)\n", "x = [\n", "'''", '"""', "tensor([1])\n", "运行结果", "中文。\n", "{% codeblock %}\n",
    "\r", "\x00", "\x0c", "\u2028", "![a](b.png)\n", "x", "A. a  \n", "{", "}", "[", "]", '"', "\\",
    "class Net(nn.Module):\n", "with x:\n", "if x:\n", "elif y:\n", "@d\n", "# c\n", "...\n", "[a]: b\n",
    "{{< highlight python >}}\n", ":::{note} t\n", ":::\n", "!!! warning\n", "{% note %}\n", "{% endnote %}\n",
    "[1]:\n", "- a - b - c\n", "1. a 2. b 3. c\n", "a\tb\n", "cat: 连接\n", "```{.json .output}\n", "Share\n",
]  # fmt: skip
_TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))


def spans_are_in_order(blocks: tuple[Block, ...]) -> bool:
    return all(before.span.stop <= after.span.start for before, after in itertools.pairwise(blocks))


def uncovered(source: Source, blocks: tuple[Block, ...]) -> list[int]:
    held = {line for block in blocks for line in range(block.span.start, block.span.stop)}
    return [n for n, line in enumerate(source.lines) if line.strip() and n not in held]


def lines_fit(block: Block, lines: int) -> bool:
    if isinstance(block, Code | Output):
        if isinstance(block, Code) and len(block.lines) != len(block.text.split("\n")) * bool(block.lines):
            return False
        return all(0 <= line < lines for line in block.lines)
    if isinstance(block, Items):
        return all(item.span.stop <= lines for item in block.items)
    if isinstance(block, Table):
        return all(len(row.cells) == len(block.header) for row in block.rows)
    return True


def assert_covered_in_order(source: Source) -> None:
    document = read(source)
    assert spans_are_in_order(document.blocks)
    assert all(0 <= block.span.start <= block.span.stop <= len(source.lines) for block in document.blocks)
    assert uncovered(source, document.blocks) == []
    assert all(lines_fit(block, len(source.lines)) for block in document.blocks)


@settings(max_examples=400, deadline=None)
@given(_TEXTS)
@example(":::NOTE\n:::0\n:")
def test_any_text_is_covered_in_order(text: str) -> None:
    assert_covered_in_order(Source("any.md", text))


_OPENINGS = {
    "chat": "You:\nx\n\nChatGPT:\ny\n\nYou:\nz\n\n",
    "notebook_text": "In [1]:\nx = 1\n\n",
    "plain": "import torch\nx = torch.ones(2)\nprint(x)\n",
    "script": "# %%\nx = 1\n# %% [markdown]\n# text\n# %%\n",
}
"""What makes a text be read so, unless what follows says otherwise."""


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(_OPENINGS)), _TEXTS)
def test_any_text_below_what_a_reader_looks_for_is_covered_in_order(reader: str, text: str) -> None:
    source = Source("any.md", _OPENINGS[reader] + text)
    assert read(Source("any.md", _OPENINGS[reader])).reader == reader
    assert_covered_in_order(source)


_TAGS = ["<p>", "</p>", "<pre>", "</pre>", "<li>", "<ul>", "</ul>", "<ol>", "<table>", "<tr>", "<td>", "</tr>", "<code>",
    "</table>", "<details>", "<summary>", "<blockquote>", "</blockquote>", "<script>", "</script>", "<![x", "&lt;", "<",
    "<div data-author='user'>", "<div class='message assistant'>", "x", "\n", "`", "# h", "<h2>", "</h2>",
    "<img alt='a\nb' src='c\nd'>", "&#10;"]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(_TAGS), max_size=40).map("".join))
def test_any_page_is_read_in_order(text: str) -> None:
    source = Source("any.html", f"<!doctype html>\n{text}")
    document = read(source)
    lines = len(document.places) or len(source.lines)
    assert document.reader == "webpage"
    assert all(place < len(source.lines) for place in document.places)
    assert spans_are_in_order(document.blocks)
    assert all(0 <= block.span.start <= block.span.stop <= lines for block in document.blocks)
    assert all(lines_fit(block, lines) for block in document.blocks)


_SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
_KEYS = st.sampled_from(
    [
        "cell_type",
        "source",
        "outputs",
        "output_type",
        "text",
        "data",
        "text/plain",
        "image/png",
        "ename",
        "evalue",
        "traceback",
        "metadata",
        "attachments",
        "worksheets",
        "level",
        "name",
        "role",
        "content",
        "mapping",
        "message",
        "author",
        "parts",
        "parent",
        "children",
        "current_node",
        "title",
        "messages",
        "from",
        "value",
    ]
)  # fmt: skip
_WORDS = st.sampled_from(
    [
        "code",
        "markdown",
        "stream",
        "execute_result",
        "error",
        "user",
        "assistant",
        "# a\n\n```\nx\n```",
        "1\n2",
        "a",
        "%%sh",
    ]
)
_JSON = st.recursive(
    _SCALARS | _WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS | st.just("a"), inner | _WORDS, max_size=6),
    max_leaves=30,
)


@settings(max_examples=200, deadline=None)
@given(_JSON, _JSON, st.sampled_from([None, 1]))
def test_any_json_is_read_in_order(first: object, second: object, indent: int | None) -> None:
    for value in (
        {"cells": [{"cell_type": "code", "source": first, "outputs": [first, second]}, second], "nbformat": 4},
        {"cells": [{"cell_type": "markdown", "source": ["a\n", first]}, {"cell_type": "code", "outputs": first}]},
        [{"role": "user", "content": first}, {"role": "assistant", "content": second}, first],
        {"mapping": first, "current_node": second, "role": "user"},
        first,
    ):
        document = read(Source("any.json", json.dumps(value, indent=indent)))
        lines = len(document.places) or len(document.source.lines)
        assert all(place < len(document.source.lines) for place in document.places)
        assert spans_are_in_order(document.blocks)
        assert all(0 <= block.span.start <= block.span.stop <= lines for block in document.blocks)
        assert all(lines_fit(block, lines) for block in document.blocks)
