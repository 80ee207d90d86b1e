"""The files of a new deck, as text."""

from __future__ import annotations

import json
from textwrap import indent

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
"""What an author replaces, where it is not known from where deckgen was installed."""

WORKFLOW = """\
# Are the claims in these notes still true under the newest torch? Once a week an issue tells what is not, with the changes.
name: notes
on:
  push:
  pull_request:
  schedule:
    - cron: "23 6 * * 1"
  workflow_dispatch:
permissions:
  contents: read
  issues: write # for the weekly issue alone; runs of forks may only read
env:
  # From where pip installs deckgen: a git address, or a folder in this repository.
  DECKGEN: @DECKGEN@
  NOTES: @NOTES@
jobs:
  verify:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
        with: { persist-credentials: false }
      - uses: actions/setup-python@v5
        with: { python-version: "3.12" }
      - uses: actions/cache@v4
        with:
          path: |
            ~/.cache/pip
            ~/.cache/deckgen
          key: deckgen-${{ runner.os }}-${{ github.run_id }}
          restore-keys: deckgen-${{ runner.os }}-
      - run: python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
      - run: python -m pip install "$DECKGEN"
      # A check that checks less and less is green, too: at least half of the claims must be checked.
      - run: deckgen verify "$NOTES" --format github --report "summary=$GITHUB_STEP_SUMMARY" --report summary=told.md --min-checked 50%
      - if: failure() && github.event_name == 'schedule' && hashFiles('told.md') != ''
        env: { GH_TOKEN: "${{ github.token }}" }
        run: |
@ISSUE@
"""

ISSUE = """\
deckgen update "$NOTES" --diff > changes.diff || true
{ head -c 30000 told.md; echo; echo '~~~~~~~~~~diff'; head -c 30000 changes.diff; echo '~~~~~~~~~~'; } > issue.md
title="Notes that torch contradicts"
number=$(gh issue list -R "$GITHUB_REPOSITORY" --state open --search "in:title \\"$title\\"" --json number --jq '.[0].number')
if [ -n "$number" ]; then gh issue edit "$number" -R "$GITHUB_REPOSITORY" --body-file issue.md
else gh issue create -R "$GITHUB_REPOSITORY" --title "$title" --body-file issue.md; fi
"""
"""Opens an issue, or brings the one that is open up to date. `action.yml` does the same."""


def deck_toml(name: str, identity: int) -> str:
    """The settings of a new deck."""
    return f'id = {identity}  # Anki knows the deck by it: never change it\nname = "{_quoted(name)}"\n'


def first_cards(name: str) -> str:
    """An example of notes: a question, and code with its output."""
    return FIRST_CARDS.format(name=name)


def workflow(place: str, address: str = ADDRESS) -> str:
    """A GitHub workflow that checks the notes at `place`, a path from the root of the repository, by the deckgen at `address`.

    Strings of JSON are strings of YAML, whatever is in them.
    """
    shown = WORKFLOW.replace("@ISSUE@\n", indent(ISSUE, " " * 10))
    return shown.replace("@NOTES@", json.dumps(place)).replace("@DECKGEN@", json.dumps(address))


def _quoted(name: str) -> str:
    """For a basic string of TOML 1.0: control characters cannot stand in one."""
    return "".join(character for character in name if character.isprintable()).replace("\\", "\\\\").replace('"', '\\"')
