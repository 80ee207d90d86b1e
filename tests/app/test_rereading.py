"""An edited source is read again by passages: what comes out is what reading all of it gives, whatever it holds."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckgen.app import cutting, rereading
from deckgen.cache import Kept
from deckgen.extract import extract
from deckgen.model.extraction import Extraction
from deckgen.model.source import Source
from deckgen.read import cuts, markdown, read

pytestmark = pytest.mark.usefixtures("short_passages")

SECTIONS = """
### What does step {n} do?

It makes `x{n}` from {n} numbers and calls `torch.cat`, as `my_word{n}` says.

```python
import torch
x{n} = torch.arange({n})
print(x{n}.shape)  # torch.Size([{n}])
```
<
## `torch.stack{n}(tensors, dim=0)`

Joins {n} tensors along a new dimension; `writer.add_scalar` logs it.

```python
torch.stack{n}([a, b], dim=0)
```
<
### Modes {n}

- `no_grad`: records nothing, step {n}
- **inference**: is faster than `no_grad` by {n}
    - cannot be undone
1. first of {n}
2. second
<
### Compared {n}

| API | what it does | default |
|---|---|---|
| `torch.add(input, other)` | adds {n} | `1` |
| `Linear(in_features)` | a layer of {n} | `True` |
<
## 输出 {n}

```python
y = x{n} + 1
print(y)
```

输出：

```
tensor([{n}])
```

解析：`y` 是新的张量 {n}。
<
### Is this {n} a leaf?

Not if it was computed in {n} steps.

> [!NOTE] Leaf {n}
> A leaf is **created by hand** in {n}.
<
# Chapter {n}

Text of chapter {n}, with `my_word{n}` and `other_word`.
<
## Why is {n} slow?

### Reason {n}

It copies {n} times.
<
### Which is {n}?

A. one of {n}
B. two of {n}

Answer: B
<
### Fill {n}

The optimizer calls `____` in step {n}. （答案：step）
<
### Hidden {n}

<details><summary>What is {n}?</summary>

A number of {n}.

</details>
<
### Code of {n}

```python
from torch import nn
class Net{n}(nn.Module):
    def forward(self, x):
        return x
writer = SummaryWriter("{n}")
my_word{n} = 3
```

`{n}` is said by `writer.add_scalar`.
<
### Steps {n}

1. make {n}

   ```python
   z = torch.zeros({n})
   ```

2. print it
<
Setext {n}
----------

Says {n}. The default `num_workers` of `DataLoader` is `{n}`.
<
## 名词解释 {n}

叶子{n}：由用户创建的张量，编号为 {n}。
<
### 答案 {n}

1. A 2. B
<
### Quote {n}

> `backward` computes **gradients** of {n}.

$$
x = {n}
$$
""".split("<\n")
"""Sections of notes, each of another idiom; the last ones make a document that is read as a whole."""
KEYS = [section for section in SECTIONS if "答案 {n}" in section]
ASKING = [section for section in SECTIONS if section not in KEYS]
QUIET = [section for section in ASKING if not any(mark in section for mark in ("Answer:", "____", "<details>"))]
"""Without quizzes: those of most notes."""


def text_of(sections: list[tuple[str, int]]) -> str:
    return "# Notes\n\nAbout torch.\n" + "".join(section.format(n=n) for section, n in sections)


def whole(text: str) -> Extraction:
    return extract(read(Source("notes.md", text)))


def kept(text: str) -> Kept:
    """What is kept of notes that were read as a whole."""
    document = read(Source("notes.md", text))
    found = extract(document)
    bare = replace(document, blocks=(), source=Source("notes.md", ""))
    return Kept(False, bare, (), cutting.cut(document, found))


def again(text: str, before: Kept) -> rereading.Reread | None:
    return rereading.reread(Source("notes.md", text), before, None)


def same(one: Extraction, other: Extraction) -> bool:
    found = replace(one, document=other.document) == other
    told = ("title", "language", "reader", "tags", "continuous", "source")
    return found and all(getattr(one.document, name) == getattr(other.document, name) for name in told)


def sections_of(written: list[str]):
    return st.lists(st.tuples(st.sampled_from(written), st.integers(0, 400)), min_size=6, max_size=40)


@st.composite
def edited(draw, written: list[str]) -> list[str]:
    """A document, and the same after one edit and after another."""
    sections = draw(sections_of(written))
    versions = [text_of(sections)]
    for _ in range(2):
        sections = list(sections)
        at = draw(st.integers(0, len(sections) - 1))
        new = (draw(st.sampled_from(written)), draw(st.integers(0, 400)))
        match draw(st.sampled_from(["other", "longer", "gone", "more", "renumbered"])):
            case "other":
                sections[at] = new
            case "longer":
                sections[at] = (sections[at][0] + "\nAnd `my_word3` more.\n", sections[at][1])
            case "gone" if len(sections) > 1:
                del sections[at]
            case "renumbered":
                sections[at] = (sections[at][0], new[1])
            case _:
                sections.insert(at, new)
        versions.append(text_of(sections))
    return versions


def misread(versions: list[str]) -> list[str]:
    """The versions of which reading by passages, after the one before, gives something else than the whole."""
    before = kept(versions[0])
    found = []
    for text in versions[1:]:
        made = again(text, before)
        if made is None:
            before = kept(text)
            continue
        found += [] if same(made.extraction, whole(text)) else [text]
        before = replace(before, passages=made.passages, document=made.extraction.document)
    return found


SLOW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@given(edited(QUIET))
def test_notes_read_again_by_passages_give_what_the_whole_gives(versions):
    assert misread(versions) == []


@SLOW
@given(edited(ASKING))
def test_sources_with_quizzes_do_too(versions):
    assert misread(versions) == []


@SLOW
@given(edited(SECTIONS))
def test_sources_with_keys_are_read_as_a_whole_or_do_too(versions):
    assert misread(versions) == []


LINES = st.sampled_from(
    "# A|## B?|### c|```|```python|   ```|    ```|~~~|- item|  - in|> quote|> ```|- ```|1. one|<div>|<!-- c|-->|<details>|</details>|"
    "$$|a $$ b|x = 1|text||| : told|| a | b ||---|---||| c | d ||===|---|\t```|<pre>|</pre>|# comment|a: text".split(
        "|"
    )
)


@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=60))
def test_blocks_of_passages_are_the_blocks_of_the_whole(lines):
    found = cuts.cuts("\n".join(lines), lambda _: True)
    parts = [
        part
        for start, stop in pairwise([0, *found, len(lines)])
        for part in markdown.blocks_of(lines[start:stop], start)
    ]
    assert parts == markdown.blocks_of(lines)
