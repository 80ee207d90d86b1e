"""Words to deckgen that it does not know: told, with the word that was meant."""

import pytest
from carded import extracted


def remarks(text: str) -> list[tuple[int, str]]:
    return [(remark.span.first, remark.text) for remark in extracted(text).remarks]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# T\n\n<!-- deckgen: skp -->\n\nText.\n", (3, "`skp`, which is not known; did you mean `skip`?")),
        ("<!-- deckgen: id=a tag=b -->\n\n- a\n", (1, "`tag`, which is not known; did you mean `tags`?")),
        ("<!-- deckgen: frob=1 -->\n", (1, "`frob`, which is not known; known are `skip`, `keep`, `id`, `tags`")),
        ("- 甲\n\n  <!-- deckgen: 跳过 -->\n", (3, "`跳过`, which is not known")),
        ("<!-- deckgen: tags -->\n", (1, "`tags` without a value; write `tags=...`")),
        ("<!-- deckgen: id=a skip -->\n", (1, "`skip` counts only as the first word")),
        ("Text.\n\n```python {no-rnu}\nf()\n```\n", (3, "`no-rnu`, which is not known; did you mean `no-run`?")),
        (
            "```{.python .input raise=ValueError}\nf()\n```\n",
            (1, "`raise`, which is not known; did you mean `raises`?"),
        ),
        (
            "```python {seed=abc timeout=x}\nf()\n```\n",
            (1, "`seed=abc`, which means nothing here; write for example `{seed=0}`"),
        ),
        ("```python {raises=}\nf()\n```\n", (1, "`raises=`, which means nothing here")),
        ("```python {device=tpu}\nf()\n```\n", (1, "`device=tpu`, which means nothing here")),
        ("```python no-run\nf()\n```\n", (1, "`no-run` counts only in braces")),
        (
            "<details><summary>Why?</summary>\n\n```python {sede=1}\nf()\n```\n\n</details>\n",
            (3, "`sede`, which is not known; did you mean `seed`?"),
        ),
    ],
)
def test_a_word_that_is_not_known_is_told_at_its_line(text: str, told: tuple[int, str]):
    ((line, remark),) = remarks(text)
    assert line == told[0]
    assert told[1] in remark


@pytest.mark.parametrize(
    "text",
    [
        "<!-- deckgen: skip 以后再说 no tags -->\n\nText.\n",
        "<!-- deckgen: id=a | tags=b,c -->\n\n- a\n",
        "<!-- a remark of the author: skp -->\n\nText.\n",
        "```{.python .input n=3}\nf()\n```\n",
        '```python {linenos=true,hl_lines=[2,3],title="no-rnu"}\nf()\n```\n',
        '```python {no-run raises=ValueError device=cuda:1 seed=0 file="a.py"}\nf()\n```\n',
        "```{python, echo=FALSE, eval=FALSE, fig.cap='seeds'}\nf()\n```\n",
        "```rust no_run\nfn f() {}\n```\n",
        "````md\n```python {no-rnu}\n<!-- deckgen: skp -->\n````\n",
    ],
)
def test_are_learnt_words_reasons_and_the_words_of_other_tools_are_not(text: str):
    assert remarks(text) == []
