"""Reading and extracting: processor time per 1,000 lines beyond markdown-it-py's own parse of the same text."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from deckgen.extract import extract
from deckgen.files import load
from deckgen.read import read
from deckgen.read.parser import parse
from deckgen.source import Source

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


def cpu(work: Callable[[], object]) -> float:
    """Seconds of processor time, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def row(name: str, source: Source) -> str:
    lines = len(source.lines)
    parsing = cpu(lambda: parse(source.lines))
    reading = cpu(lambda: read(source))
    both = cpu(lambda: extract(read(source)))
    parts = (f"{1000 * 1000 * cost / lines:.1f}" for cost in (parsing, reading, both, both - parsing))
    return f"| {name} | {lines} | " + " | ".join(parts) + " |"


def table(quick: bool) -> Iterator[str]:
    yield "| source | lines | markdown-it | read | read and extract | beyond markdown-it |"
    yield "|---|---|---|---|---|---|"
    extract(read(Source("warm.md", CHAPTER.format(n=0))))
    for path in sorted(SEEDS.glob("*.txt")):
        yield row(f"seed {path.name[:3]}, four times", repeated(load(path), 4))
    for size in (1_000,) if quick else (1_000, 10_000, 100_000):
        count = size // CHAPTER.count("\n")
        yield row("made notes", Source("made.md", "\n".join(CHAPTER.format(n=n) for n in range(count))))


def repeated(source: Source, times: int) -> Source:
    """Long enough to measure; front matter counts once."""
    return Source(source.name, source.text + ("\n\n" + source.text.split("\n---\n", 1)[-1]) * (times - 1))


def section(quick: bool = False) -> str:
    """The section of docs/benchmarks.md."""
    return (
        "## Reading and extracting\n\nMilliseconds of processor time per 1,000 lines.\n\n"
        + "\n".join(table(quick))
        + "\n"
    )


if __name__ == "__main__":
    print(section("--quick" in sys.argv))
