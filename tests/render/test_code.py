"""Code on cards: coloured by class, every character kept."""

import html
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckgen.model.note import Hole
from deckgen.render import NOTETYPES, code, escape, marks

from .anki_eyes import boxes
from .browser import watched


@settings(max_examples=300, deadline=None)
@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["C"]) | st.just("\n"), max_size=80),
    st.sampled_from(["python", "pycon", "", "bash", "c++", "csharp", "json", "nonsense", "text"]),
)
def test_every_character_survives(text, language):
    shown, _ = code.trimmed(escape.clean(text), [])
    assert boxes(code.block(text, language)) == [shown]


def test_python_is_coloured_by_class():
    assert code.block("import torch\nx = 'a'  # 注") == (
        '<pre class="highlight"><span class="kn">import </span><span class="nn">torch\n</span>x '
        '<span class="o">= </span><span class="s1">\'a\'  </span><span class="c1"># 注</span></pre>'
    )


def test_what_the_lexer_cannot_read_is_not_marked_as_an_error():
    assert "err" not in code.block("x = ? 1，2 $")


def test_shared_indentation_goes_and_the_rest_stays():
    assert boxes(code.block("\n\n    if x:\n        y()\n\n    z()\n")) == ["if x:\n    y()\n\nz()"]
    assert boxes(code.block("x\n    y")) == ["x\n    y"]
    assert boxes(code.block("\tx\n\t\ty")) == ["x\n\ty"]


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        (">>> 1 + 1\n2", "", "highlight"),
        ("x = 1", "", "highlight"),
        ("┌─┐\n│x│", "python", "plain drawn"),
        ("just some words here", "", "plain"),
        ("x = 1", "csharp", "highlight"),
        ("x = 1", "no-such-language", "plain"),
        ("pip install torch", "bash", "highlight"),
        ("x = 1", "{.python .input}", "highlight"),
    ],
)
def test_the_lexer_follows_the_text_where_the_language_may_lie(text, language, kind):
    assert code.block(text, language).startswith(f'<pre class="{kind}">')


LONG = 'print(torch.nn.functional.interpolate(x, mode="bicubic"))'


def test_only_a_line_that_no_phone_has_is_marked_as_long():
    assert 'class="long"' not in code.block("x = 1\nprint(x)\n" + "#" * 37)
    assert code.block(f"if x:\n    {LONG}\n    y").count('<span class="long" style="--in:4">    <span') == 1
    assert 'class="long"' in code.block(f"x  # {'展' * 17}")  # two columns each


def test_a_long_name_may_be_broken_at_its_dots():
    shown = code.block(LONG)
    assert "<wbr>.functional" in re.sub("</?span[^>]*>", "", shown)
    assert boxes(shown) == [LONG]


def test_a_drawing_keeps_its_lines():
    table = f"name       {'count' * 12}\n---------  -----\nnn.Linear  2"
    assert code.output(table).startswith('<pre class="output drawn">name')
    assert code.block(f"# ---------\n{LONG}").startswith('<pre class="highlight">')


IMPORTS = "import torch\nfrom torch.nn import (\n    Linear,\n)\n\n"


@pytest.mark.parametrize(
    ("text", "quiet"),
    [
        (IMPORTS + "x = 1", ["import torch\n", "from torch.nn import (\n    Linear,\n)\n\n"]),
        ("import torch\n# why\nx = 1", ["import torch\n"]),
        ("import torch\n\n@torch.no_grad()\ndef f(): ...", ["import torch\n\n"]),
        ("import torch; x = 1\ny = 2", []),
        ("import torch\nfrom torch import nn", []),
        ("# why\nimport torch\nx = 1", []),
        ("import torch\nx =", []),
    ],
)
def test_imports_at_the_top_are_folded_and_every_character_stays(text, quiet):
    shown = code.block(text, fold=True)
    found = re.findall(r"<span>([^<]*)</span>", shown)
    assert [html.unescape(one) for one in found] == quiet
    assert boxes(shown) == [text]
    assert "imports" not in code.block(text)


def test_imports_that_hold_what_is_asked_are_not_folded():
    text = "import torch\nx = 1"
    assert 'class="imports"' in code.block(text, "python", marks.hole_edges([Hole(1, 13, 14)]), fold=True)
    assert 'class="imports"' not in code.block(text, "python", marks.hole_edges([Hole(1, 7, 12)]), fold=True)


@pytest.mark.slow
def test_what_is_copied_from_a_narrow_card_is_the_code():
    text = f"import torch\nfrom torch import nn\n\nif x:\n    {LONG}\n\n    y = 2\n{LONG}"
    page = f'<style>{NOTETYPES["basic"].css}</style><body class="card"><div class="sheet">{code.block(text, fold=True)}'
    with watched(viewport={"width": 360, "height": 800}) as browser:
        browser.page.set_content(page)
        copied = browser.page.evaluate(
            "() => { getSelection().selectAllChildren(document.body); return `${getSelection()}` }"
        )
        box = browser.page.locator("pre").evaluate("box => [box.scrollWidth, box.clientWidth]")
        folded = browser.page.locator(".imports").bounding_box()
    assert copied.strip() == text.replace("nn\n\n", "nn\n")  # the blank line is the fold's
    assert box[0] <= box[1]
    assert folded["height"] < 24


def test_output_keeps_its_columns():
    text = "\n\ntensor([[1, 2],\n        [3, 4]])  \n\n"
    assert boxes(code.output(text)) == ["tensor([[1, 2],\n        [3, 4]])"]


def test_text_is_normalised_by_nobody_but_anki():
    decomposed = unicodedata.normalize("NFD", "é")
    assert decomposed in html.unescape(re.sub("<[^>]*>", "", code.block(f"x = '{decomposed}'")))
