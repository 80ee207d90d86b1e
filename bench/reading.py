"""Reading and extracting: processor time per 1,000 lines beyond markdown-it-py's own parse of the same text.

Every round begins with empty caches, as a run of the program does; and without the search for cycles, which the program
leaves out too (`deckgen.cli` says why).
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from pathlib import Path

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from bench.decks import NOTE
from deckgen.extract import extract
from deckgen.files import load
from deckgen.model.source import Source
from deckgen.read import read
from deckgen.read.markdown import blocks_of

SEEDS = Path(__file__).resolve().parents[2] / "shared" / "seeds"
CHAPTER = """## {n}. torch.stack()

`torch.stack()` joins tensors along a new dimension.

### What does `stack` need?

Tensors of equal shape.

| `torch` function | What it does |
| --- | --- |
| `torch.cat(tensors, dim)` | joins along dimension {n} |

- term {n}: a word and its meaning
    - nested: under it

```python
import torch
x{n} = torch.stack([torch.zeros(2), torch.ones(2)])  # x{n}.shape: (2, 2)
print(x{n}.sum())  # prints tensor(2.)
```
"""


ROUNDS = 3
BLOCKS = 100
BLOCK = """import torch
x{n} = torch.randn({n}, 4)
y = x{n}.sum(dim=1)
z = y.relu()
print(z.shape)
print(z)
"""
PACE = 0.32
"""Milliseconds for Pygments to highlight such a block on the machine on which deckgen was first measured."""

INTRODUCTION = """## Reading and extracting

Milliseconds of processor time per 1,000 lines, the best of {rounds} rounds. `markdown-it` is `MarkdownIt().enable("table")`
parsing the same text; `blocks` is what deckgen has it do (blocks alone, and only rules whose marks occur). To be reached:
at most 40 beyond `markdown-it`, linearly. A machine's pace may change within minutes: what Pygments takes for a plain block
of six lines stands beside each row ({pace} ms where deckgen was first measured), and the last column is the one before it at
that pace. The seeds hold more to the line than notes do: 003 is a page without fences and indentation, which are searched
for; 004 is all lists and tables.

"""


def emptied() -> None:
    """Forget what earlier rounds have found out."""
    for name, module in list(sys.modules.items()):
        if name.startswith("deckgen"):
            for value in vars(module).values():
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
    blocks_of(["warm"])
    gc.collect()


def cpu(work: Callable[[], object]) -> float:
    """Seconds of processor time, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        emptied()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def pace() -> float:
    """Milliseconds for Pygments to highlight a plain block of six lines, here and now."""
    codes = [BLOCK.format(n=n) for n in range(BLOCKS)]
    lexer, formatter = PythonLexer(), HtmlFormatter(nowrap=True)
    return 1000 * cpu(lambda: [highlight(code, lexer, formatter) for code in codes]) / BLOCKS


def row(name: str, source: Source) -> str:
    lines, document, markdown = len(source.lines), read(source), MarkdownIt().enable("table")
    before = pace()
    whole = cpu(lambda: markdown.parse(source.text))
    blocks, reading = cpu(lambda: blocks_of(source.lines)), cpu(lambda: read(source))
    extracting = cpu(lambda: extract(document))
    block = min(before, pace())
    costs = [1000 * 1000 * cost / lines for cost in (whole, blocks, reading, extracting, reading + extracting - whole)]
    cells = [*(f"{cost:.1f}" for cost in costs), f"{block:.2f}", f"**{costs[-1] * PACE / block:.1f}**"]
    return f"| {name} | {lines:,} | " + " | ".join(cells) + " |"


def table(quick: bool) -> Iterator[str]:
    yield "| source | lines | markdown-it | blocks | read | extract | beyond markdown-it | a block | at that pace |"
    yield "|---|---|---|---|---|---|---|---|---|"
    extract(read(Source("warm.md", CHAPTER.format(n=0))))
    for path in sorted(SEEDS.glob("*.txt")):
        yield row(f"seed {path.name[:3]}", load(path))
    for title, text in (("made notes, a block of code each", NOTE), ("made chapters, all idioms in each", CHAPTER)):
        for size in (1_000,) if quick else (1_000, 10_000, 100_000):
            count = size // text.count("\n")
            yield row(title, Source("made.md", "\n".join(text.format(n=n) for n in range(count))))


def section(quick: bool = False) -> str:
    """The section of docs/benchmarks.md."""
    gc.disable()
    rows = list(table(quick))
    gc.enable()
    return INTRODUCTION.format(rounds=ROUNDS, pace=PACE) + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(section("--quick" in sys.argv))
