"""What notes are made of, and what breaks readers: put into texts at random places."""

PIECES = (
    "You: ", "ChatGPT: \n", "> You: \n", "**User:**\n", "## Assistant\n", "我：", "助手：\n", "In [1]:\n", "Out[1]:", ">>> ", "... ",
    "```python\n", "```\n", "``````\n", "~~~", "    ", "\t", "- ", "1. ", "> ", "> [!note] x\n", "| a | b |\n", "|---|---|\n",
    "<details>", "<summary>q</summary>", "</details>\n", "<h1 id='x'>t</h1>\n", "<!--", "-->\n", "<!-- deckgen: skip -->\n",
    "<!-- deckgen: id=x -->\n", "---\n", "+++\n", "title: x\n", "tags: [a, *b]\n", "tags: &a [*a]\n", "title: !!python/object x\n",
    "date: 2020-13-45\n", "$$\n", "$x$", "\\(", "[^1]: f\n", "[^1]", ": d\n", "# h\n", "===\n", "\n", "\n\n", "import torch\n",
    "for i in range(3):\n", "def f(self):\n", "class A(B):\n", "return x\n", "else:\n", "print('a', x)\n", "x = [\n", "'''", '"""',
    "tensor([1])\n", "运行结果", "中文。\n", "{% codeblock %}\n", "\r", "\x00", "\x0c", "\u2028", "\ufeff", "\ud800", "![a](b.png)\n",
    "A. a  \n", "B. b\n", "答案：B\n", "Answer: A, C\n", "{", "}", "[", "]", '"', "\\", "{{c1::x}}", "\\ud800", '"\\udc00"', "!!bool x\n", "!!timestamp y\n", "title: !!binary é\n", "!<x> y\n", "<<: *a\n", "{{c1::", "}}", "::error::x\n",
    "{{< highlight python >}}\n", ":::{note} t\n", ":::\n", "!!! warning\n", "{% note %}\n", "{% endnote %}\n", "===x===", "==x==",
    "cat: 连接\n", "```{.json .output}\n", "```python {file=../x.py}\n", "```python {file=a.py}\n", "a\tb\n", "Q: x\nA: y\n", "x :: y\n",
    "x = " + "(" * 300 + "\n", "x = " + "-" * 3000 + "1\n", "x = a" + ".a" * 1500 + "\n", "x = 1" + "+1" * 3000 + "\n", "[" * 2000, "{" * 2000,
    "> " * 300, "- " * 300, "<b>" * 1500, "<div>" * 1500, "*" * 1000, "`" * 999, "#" * 50 + " x\n", "| " * 500 + "\n", "[[x]]", "[a](" * 300,
    "1" * 5000, "x" * 5000, "print(1)  # " + "9" * 5000 + "\n", "x = 1e999\n", "x = " + "9" * 5000 + "\n", "# tensor([" + "[" * 500 + "\n",
    "print(x)  # tensor([nan, inf, -inf])\n", "torch.Size([" + "9" * 400 + "])\n", "print(x.shape)  # (2, 3)\n", "# → 3\n", "# Output: 1\n",
    "torch.nn.functional.relu(x, inplace=False)", "`torch.cat`", "*args, **kwargs", "f(", "lambda: (yield)\n", "match x:\n", "async def f():\n",
    "nonlocal x\n", "global x\n", "x: int = (y := 1)\n", "f'{x!r:>{w}}'", 'f"{', "b'\\xff'", "'\\N{no such name}'", "'\\d'\n", "0777\n", "1__0\n", "²", "٣", "①", "१२. a\n", "𝟛. a\n", "第٣题：B\n",
    "Q٣: x\nA: y\n", "Q: Which one is it?\nA: that one\n", "**问：是哪一个？**\n\n答：这个。\n", "Ⅷ", "ſ", "K", "ŉ", "<img alt='a\nb' src='c'>",
    "True/False: x is y. (T)\n", "1) ____ is\n", "___", "(?)", "对\n", "错\n", "√\n", "×\n", "&nbsp;", "&#x110000;", "&#0;", "&#xD800;", "\u202e", "\u200b",
    "%%time\n", "%matplotlib inline\n", "!pip install x\n", "?x\n", "RuntimeError: x\n", "Traceback (most recent call last):\n",
)  # fmt: skip
SHELLS = (
    "---\n@\n---\n", "---\ntitle: @\n---\n", "+++\n@\n+++\n", "```python\n@\n```\n", "<!doctype html>\n<body>@</body>", "<html><pre>@</pre></html>",
    "<!doctype html><details><summary>@</summary>@</details>", "You:\n@\n\nChatGPT:\n@\n\nYou:\n@\n", "---\nChatGPT: \n@\n---", "> @", "- @", "| @ | @ |\n|---|---|\n| @ | @ |\n",
    '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "source": ["@"], "outputs": [{"output_type": "stream", "text": "@"}]}]}',
    '{"cells": [@], "nbformat": 4}', '[{"role": "user", "content": "@"}, {"role": "assistant", "content": "@"}]', '{"messages": [@]}',
    '{"mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["@"]}}, "parent": "a", "children": ["a"]}}, "current_node": "a"}',
    "# %%\n@\n# %% [markdown]\n# @\n", "In [1]:\n@\n\nOut[1]:\n@\n", "{% raw %}@{% endraw %}", "<!-- @ -->", "$$@$$", "### What is @?\n\n@\n", "`@`: @\n",
    "- [ ] @\n- [x] @\n", "1. @\n   A. @\n   B. @\n\nAnswers: 1. A\n", "@\n===\n@\n---\n@", "[@]: @", "[^1]: @", "\x00@", '"""@"""\n', "@\r\n@\r@",
)  # fmt: skip
"""Each `@` is the text."""
