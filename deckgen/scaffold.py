"""The files of a new deck, as text."""

from __future__ import annotations

import shlex

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

ADDRESS = "git+https://HOST/OWNER/deckgen"
"""What an author replaces."""

WORKFLOW = """\
# Are the claims in these notes still true under the newest torch?
name: notes
on:
  push:
  schedule:
    - cron: "23 6 * * 1"
env:
  # Where pip finds deckgen, which is on no package index: the git address of your copy, or a folder in this repository.
  DECKGEN: "ADDRESS"
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: { python-version: "3.12" }
      - run: python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
      - run: python -m pip install "$DECKGEN"
      # A check that checks less and less is green, too: at least half of the claims must be checked.
      - run: deckgen verify PLACE --format github --min-checked 50%
"""


def deck_toml(name: str, identity: int) -> str:
    """The settings of a new deck."""
    return f'id = {identity}  # Anki knows the deck by it: never change it\nname = "{_quoted(name)}"\n'


def first_cards(name: str) -> str:
    """An example of notes: a question, and code with its output."""
    return FIRST_CARDS.format(name=name)


def workflow(place: str) -> str:
    """A GitHub workflow that checks the notes at `place`, a path from the root of the repository."""
    return WORKFLOW.replace("ADDRESS", ADDRESS).replace("PLACE", shlex.quote(place))


def _quoted(name: str) -> str:
    """For a basic string of TOML 1.0: control characters cannot stand in one."""
    return "".join(character for character in name if character.isprintable()).replace("\\", "\\\\").replace('"', '\\"')
