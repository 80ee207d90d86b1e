"""What is told cannot command whoever shows it, and is still what was told."""

import ast
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commanding import commanding
from hypothesis import given, settings
from hypothesis import strategies as st

from deckgen.text.harmless import json_text, line, lines, xml_text

PACKAGE = Path(__file__).resolve().parents[2] / "deckgen"
ATTACKS = {
    "\x1b[2J": r"\x1b[2J",
    "\x1b]52;c;aGk=\x07": r"\x1b]52;c;aGk=\x07",
    "\x9b31m": r"\x9b31m",
    "a\rb\x08c\x7f": r"a\rb\x08c\x7f",
    "a\n::error::b": r"a\n::error::b",
    "::error::x": r"\x3a:error::x",
    "\u3000 \t::set-output name=x::y": "\u3000 \t\\x3a:set-output name=x::y",
    "\x0b\u2028::error::x": r"\x0b\u2028::error::x",
    "x ##[error]y ##vso[task]z": r"x #\x23[error]y #\x23vso[task]z",
    "\u202etxt.exe\u2066": r"\u202etxt.exe\u2066",
    "caf\udce9 \ud800": r"caf\xe9 \ud800",
    "\ufeffx": r"\ufeffx",
}


@pytest.mark.parametrize(("text", "shown"), ATTACKS.items(), ids=ascii)
def test_what_would_command_is_shown_as_its_escape(text, shown):
    assert line(text) == shown
    assert commanding(shown) == []


@pytest.mark.parametrize("text", ["a\tb", "张量：`x[::2]` 👩‍🔬", "a :: b", "## [x](y)", "می‌خواهم", "C:\\new"])
def test_what_commands_nothing_stays_as_it_is(text):
    assert line(text) == text


HOSTILE = st.lists(
    st.one_of(st.sampled_from([*ATTACKS, "\n", " ", ":", "#", "["]), st.text(max_size=5)), max_size=8
).map("".join)
HALVES = st.lists(st.one_of(HOSTILE, st.characters(categories=["Cs", "Cc", "Zl", "Zp", "Cf"])), max_size=8).map("".join)


@settings(max_examples=50, deadline=None)
@given(st.lists(HALVES, max_size=4))
def test_every_text_is_one_line_whatever_is_in_it(texts):
    told = lines(texts)
    assert commanding(told) == []
    assert told.count("\n") == len(texts)


@settings(max_examples=50, deadline=None)
@given(HALVES, HALVES)
def test_json_says_the_same_without_commanding(key, text):
    told = json_text({key: [text]})
    assert commanding(told) == []
    assert json.loads(told) == json.loads(json.dumps({key: [text]}))


@settings(max_examples=50, deadline=None)
@given(HOSTILE.map(lambda text: re.sub("[^\t\n\x20-\ud7ff\ue000-\ufffd]", "", text)))
def test_xml_says_the_same_without_commanding(text):
    root = ElementTree.Element("case", name=text)
    root.text = text
    told = xml_text(ElementTree.tostring(root, encoding="unicode"))
    assert commanding(told) == []
    again = ElementTree.fromstring(told)
    assert (again.text or "", again.get("name")) == (text, text)


def writes(tree: ast.AST) -> bool:
    """True if a module writes to a stream of this process, or holds one."""
    names = {"print", "echo", "secho", "stdout", "stderr", "__stdout__", "__stderr__", "showwarning"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            return True
        if (
            isinstance(node, ast.Attribute)
            and node.attr in names
            and ast.unparse(node.value) in ("sys", "click", "warnings")
        ):
            return True
        if (
            isinstance(node, ast.ImportFrom)
            and node.module in ("sys", "click")
            and names & {one.name for one in node.names}
        ):
            return True
    return False


def test_one_module_writes_to_the_streams():
    worker = PACKAGE / "verify" / "worker"  # its streams are those of the snippets
    modules = [path for path in PACKAGE.rglob("*.py") if worker not in path.parents]
    found = {path.relative_to(PACKAGE).as_posix() for path in modules if writes(ast.parse(path.read_text("utf-8")))}
    assert found == {"streams.py"}
