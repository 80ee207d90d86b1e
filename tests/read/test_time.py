"""Reading comes to an end, whatever the text."""

import pytest
from patience import patience

from deckgen.model.source import Source
from deckgen.read import read

LINES = 6_000
TEXTS = {
    "one paragraph": "hello world\n" * LINES,
    "link references": "[a]: http://x\n" * LINES,
    "bullets": "- a\n" * LINES,
    "nested bullets": "".join("  " * (n % 30) + "- a\n" for n in range(LINES)),
    "numbers": "1. a\n" * LINES,
    "a table": "|a|b|\n|-|-|\n" + "|1|2|\n" * LINES,
    "a fence that never closes": "```python\n" + "x = 1\n" * LINES,
    "fences": "```\n" * LINES,
    "HTML headings": "<h1>a</h1>\n" * LINES,
    "details": "<details><summary>a</summary>b</details>\n" * LINES,
    "details that never close": "<details>\n\n" * (LINES // 2),
    "comments that never close": "<!--\n" * LINES,
    "tables that never close": "<table>\n" * LINES,
    "math": "$$\n" * LINES,
    "math that never closes": "- $$ a\n" * LINES,
    "footnotes": "[^1]: x\n" * LINES,
    "definitions": "a\n: b\n\n" * (LINES // 3),
    "code": "x = f(1)\n" * LINES,
    "calls without a statement": "f.g(1)\n" * LINES,
    "calls among statements": "x = f(1)\nf()\n" * (LINES // 2),
    "strings among prints": "print('a', x)\nprint('b', x)\n'c'\n" * (LINES // 3),
    "brackets that never close": "x = f(\n" * LINES,
    "headers": "import torch\nprint(x)\n" + "for i in x:\n" * LINES,
    "branches": "import torch\nprint(f(x))\n" + "if x:\ny = f(1)\n" * (LINES // 2),
    "prints and what they wrote": "import torch\n" + "print('a', x, 'b')\n" * (LINES // 2) + "a 3 b\n" * (LINES // 2),
    "output": "import torch\nprint(x)\n" + "tensor([1])\n" * LINES,
    "a print of many words": "import torch\nprint(f'{a} {b} {c} {d} {e} {f} {g} {h} end')\n" + "w " * 900 + "\n",
    "cells": "In [1]:\nx = 1\n\n" * (LINES // 3),
    "a cell of many parts": "In [1]:\n" + "x = 1\n\n" * (LINES // 2),
    "prompts": ">>> x\n1\n\n" * (LINES // 3),
    "turns": "You: a\nChatGPT: b\n" * (LINES // 2),
    "JSON that never closes": '[{"role": "user", "content": "a"},\n' * LINES,
    "brackets of JSON": "[" * LINES,
    "front matter that never closes": "---\n" + "a: b\n" * LINES,
    "one long line": "a " * 500_000,
    "one long line of code": "import x\nprint(y)\nz = [" + "1, " * 200_000 + "]\n",
    "stars": "*" * 50_000,
    "long numbers": "# 94000000001024\n" * LINES,
    "one long number": "1" * 50_000,
    "one long line of gaps": "_ " * 50_000,
    "admonitions": ":::{note}\nx\n:::\n" * (LINES // 3),
    "admonitions that never close": ":::{note}\n" * LINES,
    "tabs": '=== "a"\n    x\n' * (LINES // 2),
    "joined bullets": "import torch\nx = 1\ny = 2\n" + "- a - b - c\n" * LINES,
    "prompts of documentation": "[1]:\n\nx\n\n" * (LINES // 4),
    "a page of paragraphs": "<!doctype html>\n" + "<p>x</p>\n" * LINES,
    "a page of nested lists": "<!doctype html>\n" + "<ul><li>a\n" * LINES,
    "a page of nested quotes": "<!doctype html>\n" + "<blockquote>a\n" * LINES,
    "a page of tags that never close": "<!doctype html>\n" + "<table><tr><td>a<pre><b>\n" * LINES,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_takes_for_ever(name: str) -> None:
    """A quadratic reader needs a quarter of a minute for some of these; a linear one well under a second."""
    with patience(8):
        assert read(Source("long.md", TEXTS[name])).blocks
