"""Code on cards: coloured by class, every character kept."""

import html
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckgen.render import code, escape

from .anki_eyes import boxes


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
        ("┌─┐\n│x│", "python", "plain"),
        ("just some words here", "", "plain"),
        ("x = 1", "csharp", "highlight"),
        ("x = 1", "no-such-language", "plain"),
        ("pip install torch", "bash", "highlight"),
        ("x = 1", "{.python .input}", "highlight"),
    ],
)
def test_the_lexer_follows_the_text_where_the_language_may_lie(text, language, kind):
    assert code.block(text, language).startswith(f'<pre class="{kind}">')


def test_output_keeps_its_columns():
    text = "\n\ntensor([[1, 2],\n        [3, 4]])  \n\n"
    assert boxes(code.output(text)) == ["tensor([[1, 2],\n        [3, 4]])"]


def test_text_is_normalised_by_nobody_but_anki():
    decomposed = unicodedata.normalize("NFD", "é")
    assert decomposed in html.unescape(re.sub("<[^>]*>", "", code.block(f"x = '{decomposed}'")))
