"""`deckgen init`: the files of a new deck, as text. Nothing that exists is ever overwritten."""

from __future__ import annotations

from collections.abc import Mapping

FIRST_CARDS = """\
# {name}

### What does `unsqueeze(0)` add to a tensor?

A dimension of size 1 in front: a vector of shape `(3,)` becomes a matrix of shape `(1, 3)`.

### Broadcasting

```python
import torch
column = torch.tensor([[1], [2]])
row = torch.tensor([10, 20])
print(column + row)
```

Output:

```text
tensor([[11, 21],
        [12, 22]])
```
"""

WORKFLOW = """\
# Are the claims in these notes still true under the newest torch?
name: notes
on:
  push:
  schedule:
    - cron: "23 6 * * 1"
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: { python-version: "3.12" }
      - run: python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
      - run: python -m pip install torch-deckgen
      - run: deckgen verify . --format github
"""


def first_files(name: str, identity: int) -> Mapping[str, str]:
    """Path below the new folder -> text."""
    return {
        "deck.toml": f'id = {identity}  # Anki knows the deck by it: never change it\nname = "{_quoted(name)}"\n',
        "shapes.md": FIRST_CARDS.format(name=name),
        ".github/workflows/notes.yml": WORKFLOW,
    }


def _quoted(name: str) -> str:
    """For a basic string of TOML 1.0: control characters cannot stand in one."""
    return "".join(character for character in name if character.isprintable()).replace("\\", "\\\\").replace('"', '\\"')
