"""Python source: what is read of it agrees with the standard library, which takes its time."""

import ast
import io
import sysconfig
import tokenize
from pathlib import Path

import pytest

from deckgen.text.syntax import comments, logical_lines, nodes, parsed

LIBRARY = Path(sysconfig.get_path("stdlib"))
MODULES = [
    LIBRARY / name for name in ("tokenize.py", "typing.py", "inspect.py", "string.py", "decimal.py", "json/scanner.py")
]
ODD = {
    "a comment in a string": "x = '# no'  # yes\n",
    "a string over lines": "x = '''\n# no\n'''  # yes\ny = 1",
    "a quote in a string": 'x = "it\'s"  # yes\n',
    "a word before a string": "def f():\n    return'# no'  # yes\n",
    "a line that goes on": "x = 1 + \\\n    2  # yes\n",
    "brackets": "x = [  # one\n    1,  # two\n\n]\n",
    "tabs and form feeds": "if x:\n\ty = 1\n\x0c\tz = 2\n",
    "no line end": "x = 1  # yes",
    "numbers": "x = 0x1F + 1_000.5e-3j + .5 + 1.\n",
    "blank lines": "\n\nif x:\n\n    y = 1\n\nz = 2\n\n",
}
CODES = [*(pytest.param(path.read_text("utf-8"), id=path.name) for path in MODULES if path.exists()),
         *(pytest.param(code, id=name) for name, code in ODD.items())]  # fmt: skip


def tokenized(code: str) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(code).readline))


@pytest.mark.parametrize("code", CODES)
def test_comments_are_those_of_tokenize(code):
    expected = [(t.start[0] - 1, t.start[1], t.string) for t in tokenized(code) if t.type == tokenize.COMMENT]
    assert list(comments(code)) == expected


@pytest.mark.parametrize("code", CODES)
def test_logical_lines_are_as_deep_as_tokenize_says(code):
    depth, expected, fresh = 0, [], True
    for token in tokenized(code):
        if token.type in (tokenize.INDENT, tokenize.DEDENT):
            depth += 1 if token.type == tokenize.INDENT else -1
        elif token.type == tokenize.NEWLINE:
            fresh = True
        elif token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER) and fresh:
            fresh = False
            expected.append((depth, token.string))
    found = [(depth, line[0].group()) for depth, line in logical_lines(code)]
    assert [depth for depth, _ in found] == [depth for depth, _ in expected]
    assert all(token.startswith(first) for (_, token), (_, first) in zip(found, expected, strict=True))


def test_words_and_strings_are_told_apart():
    ((_, line),) = logical_lines("x = rb'a' if 0x1F else 'b'\n")
    assert [(token.lastgroup, token.group()) for token in line] == [
        ("name", "x"), ("mark", "="), ("string", "rb'a'"), ("name", "if"), ("number", "0x1F"), ("name", "else"),
        ("string", "'b'"),
    ]  # fmt: skip


@pytest.mark.parametrize("code", CODES)
def test_nodes_come_in_the_order_of_walk_without_operators_and_contexts(code):
    tree = parsed(code)
    assert tree is not None
    left_out = ast.expr_context | ast.operator | ast.unaryop | ast.boolop | ast.cmpop
    assert nodes(tree) == [node for node in ast.walk(tree) if not isinstance(node, left_out)]


@pytest.mark.parametrize("code", ["x = (", "\0", "x = " + "(" * 500, "9" * 5000, "'\\d' if x else", "\ud800"])
def test_no_text_raises_or_warns(code, recwarn):
    assert parsed(code) is None
    assert not recwarn.list


def test_a_string_with_an_odd_escape_is_read_without_a_warning(recwarn):
    assert parsed("x = '\\d'") is not None
    assert not recwarn.list
