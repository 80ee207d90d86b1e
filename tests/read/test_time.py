"""Reading comes to an end, whatever the text."""

from collections.abc import Callable

import pytest
from patience import calls, patience

from deckgen.model.source import Source
from deckgen.read import read

TEXTS: dict[str, Callable[[int], str]] = {
    "one paragraph": lambda n: "hello world\n" * n,
    "link references": lambda n: "[a]: http://x\n" * n,
    "bullets": lambda n: "- a\n" * n,
    "nested bullets": lambda n: "".join("  " * (n % 30) + "- a\n" for n in range(n)),
    "numbers": lambda n: "1. a\n" * n,
    "a table": lambda n: "|a|b|\n|-|-|\n" + "|1|2|\n" * n,
    "a fence that never closes": lambda n: "```python\n" + "x = 1\n" * n,
    "fences": lambda n: "```\n" * n,
    "HTML headings": lambda n: "<h1>a</h1>\n" * n,
    "details": lambda n: "<details><summary>a</summary>b</details>\n" * n,
    "details that never close": lambda n: "<details>\n\n" * (n // 2),
    "comments that never close": lambda n: "<!--\n" * n,
    "tables that never close": lambda n: "<table>\n" * n,
    "math": lambda n: "$$\n" * n,
    "math that never closes": lambda n: "- $$ a\n" * n,
    "footnotes": lambda n: "[^1]: x\n" * n,
    "definitions": lambda n: "a\n: b\n\n" * (n // 3),
    "code": lambda n: "x = f(1)\n" * n,
    "calls without a statement": lambda n: "f.g(1)\n" * n,
    "calls among statements": lambda n: "x = f(1)\nf()\n" * (n // 2),
    "strings among prints": lambda n: "print('a', x)\nprint('b', x)\n'c'\n" * (n // 3),
    "brackets that never close": lambda n: "x = f(\n" * n,
    "headers": lambda n: "import torch\nprint(x)\n" + "for i in x:\n" * n,
    "branches": lambda n: "import torch\nprint(f(x))\n" + "if x:\ny = f(1)\n" * (n // 2),
    "prints and what they wrote": lambda n: "import torch\n" + "print('a', x, 'b')\n" * (n // 2) + "a 3 b\n" * (n // 2),
    "output": lambda n: "import torch\nprint(x)\n" + "tensor([1])\n" * n,
    "a print of many words": lambda n: (
        "import torch\nprint(f'{a} {b} {c} {d} {e} {f} {g} {h} end')\n" + "w " * min(n, 900) + "\n"
    ),
    "cells": lambda n: "In [1]:\nx = 1\n\n" * (n // 3),
    "a cell of many parts": lambda n: "In [1]:\n" + "x = 1\n\n" * (n // 2),
    "prompts": lambda n: ">>> x\n1\n\n" * (n // 3),
    "turns": lambda n: "You: a\nChatGPT: b\n" * (n // 2),
    "JSON that never closes": lambda n: '[{"role": "user", "content": "a"},\n' * n,
    "brackets of JSON": lambda n: "[" * n,
    "front matter that never closes": lambda n: "---\n" + "a: b\n" * n,
    "one long line": lambda n: "a " * (100 * n),
    "one long line of code": lambda n: "import x\nprint(y)\nz = [" + "1, " * (40 * n) + "]\n",
    "stars": lambda n: "*" * (10 * n),
    "long numbers": lambda n: "# 94000000001024\n" * n,
    "one long number": lambda n: "1" * (10 * n),
    "one long line of gaps": lambda n: "_ " * (10 * n),
    "admonitions": lambda n: ":::{note}\nx\n:::\n" * (n // 3),
    "admonitions that never close": lambda n: ":::{note}\n" * n,
    "tabs": lambda n: '=== "a"\n    x\n' * (n // 2),
    "joined bullets": lambda n: "import torch\nx = 1\ny = 2\n" + "- a - b - c\n" * n,
    "prompts of documentation": lambda n: "[1]:\n\nx\n\n" * (n // 4),
    "a page of paragraphs": lambda n: "<!doctype html>\n" + "<p>x</p>\n" * n,
    "a page of nested lists": lambda n: "<!doctype html>\n" + "<ul><li>a\n" * n,
    "a page of nested quotes": lambda n: "<!doctype html>\n" + "<blockquote>a\n" * n,
    "a page of tags that never close": lambda n: "<!doctype html>\n" + "<table><tr><td>a<pre><b>\n" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_four_times_the_text_is_read_with_four_times_the_work(name: str) -> None:
    def reading(n: int) -> int:
        text = TEXTS[name](n)
        return calls(lambda: read(Source("long.md", text)))

    assert read(Source("short.md", TEXTS[name](100))).blocks
    with patience():
        assert reading(6_000) <= 5 * reading(1_500)
