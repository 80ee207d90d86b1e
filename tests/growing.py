"""Families of texts that grow: what a slow reader, idiom or renderer would take quadratic time for."""

from __future__ import annotations

import json
from collections.abc import Callable

Family = tuple[str, Callable[[int], str]]
"""The ending of the file, and its text by size."""

PAGE = "<!doctype html><html><body>"
SIGNS = "<[(*_`|$&!>#-=~:.?\\"


def each(text: str) -> Callable[[int], str]:
    """So many times the text, with `@` as the number of each time."""
    return lambda n: "".join(text.replace("@", str(at)) for at in range(n))


def fenced(body: Callable[[int], str], language: str = "python") -> Callable[[int], str]:
    return lambda n: f"```{language}\n{body(n)}\n```\n"


def output(body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda n: f"```python\nimport torch\nprint(x)\n```\n\nOutput:\n\n```text\n{body(n)}\n```\n"


def page(body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda n: PAGE + body(n)


def headed(head: str, body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda n: head + body(n)


def wide_table(cell: str) -> Callable[[int], str]:
    return lambda n: "|" + "a|" * n + "\n|" + "-|" * n + "\n" + ("|" + f"{cell}|" * n + "\n") * 2


def questions_and_key(n: int) -> str:
    asked = each("@. Which is @?\n   A. one\n   B. two\n")(n)
    return f"{asked}\n## Answers\n\n" + each("@. B\n")(n)


def notebook(n: int, cells: int, outputs: int) -> str:
    output = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "1"}}
    source = ("x = 1\n", "x")
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": source, "outputs": [output] * outputs}
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell] * cells})


def chat(n: int) -> str:
    return json.dumps([{"role": ("user", "assistant")[at % 2], "content": f"what is {at}?"} for at in range(n)])


FAMILIES: dict[str, Family] = {
    "columns": (".md", wide_table("b")),
    "columns of names": (".md", wide_table("`torch.cat`")),
    "columns of a page": (".html", page(lambda n: "<table>" + ("<tr>" + "<td>a" * n) * 3)),
    "rows": (".md", headed("|function|meaning|\n|-|-|\n", each("|`torch.f@(x)`|joins @|\n"))),
    "rows that repeat": (".md", headed("|function|meaning|\n|-|-|\n", each("|`torch.cat(x)`|joins|\n"))),
    "tabs on a line": (".txt", each("a\tb")),
    "lists in lists": (".md", lambda n: "".join("  " * (at % 60) + f"- item {at}: a\n" for at in range(n))),
    "lists on one line": (".md", each("- ")),
    "an item with many below it": (".md", headed("- a\n", each("    - b@: c\n"))),
    "quotes in quotes": (".md", lambda n: ">" * n + " a\n"),
    "headings": (".md", each("# heading @\n")),
    "boxes with lists below": (".md", headed("#### Q1. Which?\n\n- [x] A\n", each("  - item @\n"))),
    "lettered statements above boxes": (".md", each("#### Q@. Which?\n\nA. a\nB. b\n\n- [x] A\n- [ ] B\n\n")),
    "boxes under one heading": (".md", headed("#### Q1. Which?\n\n", each("Is it @?\n\n- [x] a\n- [ ] b\n\n"))),
    "answers that announce": (".md", headed("1. **What?**\n\n", each("   a @:\n"))),
    "questions": (".md", each("## What is @?\n\nIt is @.\n\n")),
    "one question again and again": (".md", each("## What is it?\n\nIt is @.\n\n")),
    "one term again and again": (".md", each("- **term**: a word and its meaning @\n")),
    "options without answers": (".md", each("@. Which is @?\n   A. one\n   B. two\n")),
    "answers without questions": (".md", each("Answer: B\n\n")),
    "a key": (".md", questions_and_key),
    "a key on one line": (".md", lambda n: "Answers: " + each("@. B ")(n)),
    "fences that never close": (".md", each("```python\n")),
    "code of names above": (".md", each("```python\nx@ = x + @\nprint(x@)  # 1\n```\n")),
    "a cell of claims": (".md", fenced(each("print(@)  # @\n"))),
    "output between lines of code": (".md", fenced(each("print(x)\ntensor([1., 1.])\n"))),
    "an output of digits": (".md", output(lambda n: "a" + "1" * n)),
    "an output of blanks": (".md", output(lambda n: " " * n)),
    "an output of blank lines": (".md", output(lambda n: "\n" * n)),
    "an output of brackets that never close": (".md", output(each("[\n"))),
    "numbers of dots in a comment": (".md", fenced(lambda n: "print(x)  # " + "1." * n)),
    "braces of a fence": (".md", lambda n: "```python {" + "{" * n + "\nprint(1)  # 1\n```\n"),
    "texts in quotes below code": (".md", fenced(each("print(x)\n'''\ntensor([1., 1.])\n'''\n"))),
    "comments below a statement": (".md", fenced(headed("x = torch.ones(2)\n", each("# tensor([1., 1.])\n")))),
    "blank lines in code": (".md", fenced(lambda n: "print(1)" + "\n" * n + "print(2)")),
    "attributes of attributes": (".md", fenced(lambda n: "x=a" + ".a" * n)),
    "calls of calls": (".md", fenced(lambda n: "x=a" + ".a()" * n)),
    "sums": (".md", fenced(lambda n: "x=a" + "+a" * n)),
    "brackets in code": (".md", fenced(lambda n: "x=" + "(" * n + "1" + ")" * n)),
    "branches": (".md", fenced(headed("if x:\n    y = 0\n", each("elif x == @:\n    y = @\n")))),
    "a string in code": (".md", fenced(lambda n: "x='" + "a b " * n + "'")),
    "a long list of numbers": (".md", fenced(lambda n: f"x=[{'1, ' * n}]\nprint(x)  # [{'1, ' * n}]")),
    "prompts": (".md", fenced(each(">>> f(@)\n@\n"))),
    "cells of a script": (".py", each("# %%\nx@ = @\n")),
    "marks of cells": (".py", each("# %%\n")),
    "code without fences": (".txt", each("import torch\nx@ = torch.ones(@)\nprint(x@)\ntensor([1.])\n")),
    "keys and values": (".txt", each("key@: value @\n")),
    "cards as data": (".jsonl", each('{"front": "What is `torch.f@`?", "back": "It is thing @."}\n')),
    "rows of cards": (".csv", headed("front,back\n", each("What is `torch.f@`?,It is thing @.\n"))),
    "front matter": (".md", lambda n: f"---\ntags: [{'a, ' * n}]\n---\n\ntext\n"),
    "directives": (".md", each("<!-- deckgen: id=a@ -->\n## What is @?\n\nIt is @.\n\n")),
    "comments at the top": (".md", each("<!-- a -->\n")),
    "comments that never end": (".md", each("x <!-- ")),
    "references": (".md", each("[a@]: http://x/@\n[^@]: x @\n\n")),
    "circled digits": (".md", each("①a②b③c④d")),
    "Chinese stops": (".md", each("张量@：。，；：！？、（）「」\n\n")),
    "carriage returns": (".md", each("## What is @?\r\n\r\nIt is @.\r\n\r\n")),
    "one paragraph": (".md", each("word word word\n")),
    "turns": (".txt", each("You: what is @?\nChatGPT: it is @\n")),
    "turns of JSON": (".json", chat),
    "arrays in arrays": (".json", lambda n: '[{"role":"user","content":' + "[" * n + "]" * n + "}]"),
    "cells of a notebook": (".ipynb", lambda n: notebook(n, n, 1)),
    "outputs of a cell": (".ipynb", lambda n: notebook(n, 1, n)),
    "elements in elements": (".html", page(lambda n: "<div>" * n + "a")),
    "elements that never end": (".html", page(each("<p><b><i>a "))),
    "tags that never end": (".html", page(each("<a "))),
    "attributes that never end": (".html", page(each("<p a='b' c=\""))),
    "comments of a page that never end": (".html", page(each("<!--"))),
    "sections of a page that never end": (".html", page(each("<![CDATA["))),
    "entities": (".html", page(each("&lt;&amp;&#x41;&zzz;"))),
    "spans in code": (".html", page(lambda n: "<pre>" + each("<span>f</span>(@)\n")(n) + "</pre>")),
    "headings that never end": (".md", each("<h1>")),
    **{
        f"a line of {sign}": (".md", lambda n, sign=sign: f"# {sign * n}\n\n- a: {sign * n}\n\n{sign * n}\n")
        for sign in SIGNS
    },
    **{f"lines of {sign}": (".md", each(f"{sign * 20}\n")) for sign in "<[(*_|-\\"},
}

CONFIGURATIONS: dict[str, Callable[[int], str]] = {
    "blank lines": lambda n: "\n" * n + "unknown = 1\n",
    "tags": lambda n: "tags = [" + '"a", ' * n + "]\n",
    "waivers": each('[[waivers]]\ntext = "tensor@"\nreason = "b"\n'),
}
"""Texts of `deck.toml`."""
LINES = (
    ("backticks", "`"), ("backticks apart", "` `` "), ("blanks", " "), ("brackets", "["), ("stars", "*a "),
    ("underscores", "_a "), ("angles", "<a "), ("stops", "."), ("dashes", "- "), ("dots and words", "a."),
)  # fmt: skip
"""What a line just short of what is refused may be full of."""
