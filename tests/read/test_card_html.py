"""Fields of Anki's notes as Markdown."""

import time

import pytest

from deckgen.read.card_html import markdown_of

FENCE = "```python\nx = 1\nprint(x)\n```"
CASES = {
    "plain": ("What is `x`?", "What is `x`?"),
    "inline": ("What does <code>torch.stack</code> do?", "What does `torch.stack` do?"),
    "typed marks": ("What does `torch.stack` do with &lt;x&gt;?", "What does `torch.stack` do with \\<x>?"),
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
    "stars": ("What is 2*3*4?", r"What is 2\*3\*4?"),
    "a program": ("&lt;script&gt;alert(1)&lt;/script&gt;?", r"\<script>alert(1)\</script>?"),
    "a tag beside markup": ("<b>Is</b> &lt;b&gt; in <code>a&lt;b</code>?", r"**Is** \<b> in `a<b`?"),
    "less": ("a &lt; b", "a < b"),
    "a hash": ("# is a comment", r"\# is a comment"),
    "a hash beside markup": ("# is a <i>comment</i>", r"\# is a *comment*"),
    "a hash in code": ("<b>So</b><pre># a\n# b</pre>", "**So**\n\n```\n# a\n# b\n```"),
    "a number": ("1. ordered", r"1\. ordered"),
    "a list that was typed": ("1. a<br>2. b", "1. a\n\n2. b"),
    "a rule": ("a<br>---", "a\n\n\\---"),
    "a margin": ("    code", "code"),
    "names": ("masked_fill_ of _x_, `a*b*c`", r"masked_fill_ of \_x\_, `a*b*c`"),
    "a value": ("tensor([1, 2])", "tensor([1, 2])"),
    "a value with a tag": ("tensor(3., grad_fn=&lt;AddBackward0&gt;)", "`tensor(3., grad_fn=<AddBackward0>)`"),
    "a line of code": ("Prints?<br>print(x)", "Prints?\n\n```python\nprint(x)\n```"),
    "an assignment": ("Is it a view?<br>y = x.t()", "Is it a view?\n\n```python\ny = x.t()\n```"),
    "prose that parses": ("Which copy?<br>view and clone", "Which copy?\n\nview and clone"),
    "a call in prose": ("Which?<br>view(x)", "Which?\n\nview(x)"),
    "a call below an assignment": (
        "Prints?<br>y = 2 * x<br>y.sum().backward()<br>x.grad",
        "Prints?\n\n```python\ny = 2 * x\ny.sum().backward()\nx.grad\n```",
    ),
    "torch in pre": ("So:<pre>torch.ones(2) + nn.x</pre>", "So:\n\n```python\ntorch.ones(2) + nn.x\n```"),
    "a value in pre": ("So:<pre>tensor([1.])</pre>", "So:\n\n```\ntensor([1.])\n```"),
    "code that nothing asks of": ("print(x)", "print(x)"),
}


@pytest.mark.parametrize(("html", "markdown"), CASES.values(), ids=CASES)
def test_a_field_becomes_markdown(html: str, markdown: str):
    assert markdown_of(html) == markdown


@pytest.mark.parametrize(
    "piece",
    [
        "<pre>",
        "<code>",
        "<td class=linenos>",
        "<!--",
        "<pre><br>",
        "`",
        "<code><br>",
        "&#9",
        "{{c1::",
        "*a",
        "_a ",
        "[",
        "~~a",
    ],
)
def test_what_never_ends_takes_no_time(piece: str):
    start = time.process_time()
    markdown_of(piece * 20_000)
    assert time.process_time() - start < 5
