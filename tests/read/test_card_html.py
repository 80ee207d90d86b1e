"""Fields of Anki's notes as Markdown."""

import time

import pytest

from deckgen.read.card_html import markdown_of

FENCE = "```python\nx = 1\nprint(x)\n```"
CASES = {
    "plain": ("What is `x`?", "What is `x`?"),
    "inline": ("What does <code>torch.stack</code> do?", "What does `torch.stack` do?"),
    "typed marks": ("What does `torch.stack` do with &lt;x&gt;?", "What does `torch.stack` do with <x>?"),
    "pre": ('Prints?<pre><code class="language-python">x = 1\nprint(x)</code></pre>', f"Prints?\n\n{FENCE}"),
    "pre with breaks": ("<pre>x = 1<br>print(x)</pre>", FENCE.replace("python", "")),
    "code of lines": ("<code>x = 1<br>print(x)</code>", FENCE.replace("python", "")),
    "spans": (
        '<div class="highlight"><pre><span></span><span class="n">x</span> <span class="o">=</span> 1\n<span>print</span>(x)</pre></div>',
        FENCE.replace("python", ""),
    ),
    "numbers of lines": (
        '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>x = 1\nprint(x)</pre></td></tr></table>',
        FENCE.replace("python", ""),
    ),
    "lines alone": (
        "Prints?<br>import torch<br>for i in range(2):<br>&nbsp;&nbsp;&nbsp;&nbsp;print(i)",
        "Prints?\n\n```python\nimport torch\nfor i in range(2):\n    print(i)\n```",
    ),
    "Markdown": ("Prints?<br>```python<br>x = 1<br>print(x)<br>```", f"Prints?\n{FENCE}"),
    "gap": ("<b>{{c1::view}}</b> or {{c2::<code>reshape</code>}}", "**{{c1::view}}** or {{c2::`reshape`}}"),
    "list": ("Two:<ul><li>one</li><li>two</li></ul>", "Two:\n\n- one\n- two"),
    "sound": ("Hello[sound:a.mp3]", "Hello"),
    "nothing": ("<br>", ""),
}


@pytest.mark.parametrize(("html", "markdown"), CASES.values(), ids=CASES)
def test_a_field_becomes_markdown(html: str, markdown: str):
    assert markdown_of(html) == markdown


@pytest.mark.parametrize(
    "piece", ["<pre>", "<code>", "<td class=linenos>", "<!--", "<pre><br>", "`", "<code><br>", "&#9", "{{c1::"]
)
def test_what_never_ends_takes_no_time(piece: str):
    start = time.process_time()
    markdown_of(piece * 20_000)
    assert time.process_time() - start < 5
