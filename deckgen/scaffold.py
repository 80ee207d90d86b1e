"""The files of a new deck, as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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

HEAD = """\
name: notes
on:
  push:
  pull_request:
  schedule:
    - cron: "23 6 * * 1"
  workflow_dispatch:
permissions:
  contents: read
@WRITES@env:
  # From where pip installs deckgen: a git address, or a folder in this repository.
  DECKGEN: @DECKGEN@
  NOTES: @NOTES@
"""

PREPARE = """\
      - uses: actions/checkout@v4
        with: { persist-credentials: false }
      - uses: actions/setup-python@v5
        with: { python-version: "3.12" }
      # What ran before is not run again. The main branch never gets what a pull request saves here: GitHub sees to that.
      - uses: actions/cache@v4
        with:
          path: |
            ~/.cache/pip
            ~/.cache/deckgen
          key: deckgen-${{ runner.os }}-@JOB@${{ github.run_id }}
          restore-keys: deckgen-${{ runner.os }}-@JOB@
      - run: python -m pip install @TORCH@ --index-url https://download.pytorch.org/whl/cpu
      - run: python -m pip install "$DECKGEN" numpy
"""

WORKFLOW = """\
# Are the claims in these notes still true under the newest torch? Once a week an issue tells what is not, with the changes.
@HEAD@
jobs:
  verify:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
@PREPARE@
      # A check that checks less and less is green, too: at least half of the claims must be checked.
      - run: deckgen verify "$NOTES" --format github --report "summary=$GITHUB_STEP_SUMMARY" --report summary=told.md --min-checked 50%
      - if: failure() && github.event_name == 'schedule' && hashFiles('told.md') != ''
        env: { GH_TOKEN: "${{ github.token }}" }
        run: |
@ISSUE@
"""

MATRIX = """\
# Are the claims in these notes true under each of these torches? A machine for each torch and part of the notes; then a report for each torch.
@HEAD@
jobs:
  verify:
    strategy:
      fail-fast: false
      matrix:
        torch: @TORCHES@
        part: @PARTS@
    env: { TORCH: "${{ matrix.torch }}", PART: "${{ matrix.part }}" }
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
@PREPARE@
      - run: deckgen verify "$NOTES" --shard "$PART/@COUNT@" --format github --report "summary=$GITHUB_STEP_SUMMARY" --report "json=$TORCH-$PART.json" --min-checked 50%
      - if: always()
        uses: actions/upload-artifact@v4
        with: { name: "part-${{ matrix.torch }}-${{ matrix.part }}", path: "${{ matrix.torch }}-${{ matrix.part }}.json" }
  report:
    needs: verify
    if: always()
    env: { TORCH: newest, PART: report }
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
@PREPARE@
      - uses: actions/download-artifact@v4
        with: { pattern: part-*, path: parts, merge-multiple: true }
      # Red for a part that is missing, and if less than half of all claims could be checked.
      - run: |
@MERGE@
      - if: always()
        uses: actions/upload-artifact@v4
        with: { name: reports, path: reports }
"""

MERGE = """\
ls parts
mkdir reports
code=0
for torch in $(ls parts | sed 's/-[0-9]*[.]json$//' | sort -u); do
  deckgen report merge "parts/$torch"-*.json -o "reports/$torch.json" || code=1
done
exit $code
"""

NAMED_TORCH = """"torch$(test "$TORCH" = newest || echo "==$TORCH.*")\""""
"""What pip installs for `2.9` and for `newest`."""

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
    """A GitHub workflow that checks the notes at `place`, a path from the root of the repository, by the deckgen at `address`."""
    values = {
        "WRITES": "  issues: write # for the weekly issue alone; runs of forks may only read\n",
        "JOB": "",
        "TORCH": "torch",
        "ISSUE": indent(ISSUE, " " * 10),
    }
    return _filled(WORKFLOW, values, place, address)


def matrix_workflow(place: str, torches: Sequence[str], parts: int, address: str = ADDRESS) -> str:
    """The same under each of these torches, in so many parts, with a report for each torch."""
    values = {
        "WRITES": "",
        "JOB": "${{ env.TORCH }}-${{ env.PART }}-",
        "TORCH": NAMED_TORCH,
        "TORCHES": json.dumps(list(torches)),
        "PARTS": json.dumps([*range(1, parts + 1)]),
        "COUNT": str(parts),
        "MERGE": indent(MERGE, " " * 10),
    }
    return _filled(MATRIX, values, place, address)


def _filled(text: str, values: Mapping[str, str], place: str, address: str) -> str:
    """A workflow with these in its places; lines that end take the end of their place. What the author gives comes last.

    Strings of JSON are strings of YAML, whatever is in them.
    """
    given = {"NOTES": json.dumps(place), "DECKGEN": json.dumps(address)}
    for name, value in {"HEAD": HEAD, "PREPARE": PREPARE, **values, **given}.items():
        if value.endswith("\n"):
            text = text.replace(f"@{name}@\n", value)
        text = text.replace(f"@{name}@", value)
    return text


def _quoted(name: str) -> str:
    """For a basic string of TOML 1.0: control characters cannot stand in one."""
    return "".join(character for character in name if character.isprintable()).replace("\\", "\\\\").replace('"', '\\"')
