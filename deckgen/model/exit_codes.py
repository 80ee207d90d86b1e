"""Every exit status, and what it says: for `deckgen explain`, the help of commands and docs/exit-codes.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class ExitCode(NamedTuple):
    """One of them."""

    says: str
    remedy: str


EXIT_CODES: Mapping[str, ExitCode] = {
    "0": ExitCode("All is fine. What could not be checked, and suggestions beside other notes, fail no run.", "nothing"),
    "1": ExitCode("Something in the notes is false, out of date or lost, nothing was found, or every note is only suggested. The other cards are written all the same.", "see the lines above, and `deckgen explain` with the word that they say"),
    "2": ExitCode("Wrong usage: an option, a path, `deck.toml` or the lock. Nothing was written.", "the message names the place, and says what is wanted"),
    "3": ExitCode("A source, or code that it includes, cannot be read; the others were.", "mend or leave out the file that the message names; with `internal error` it is a fault of deckgen: please report it"),
    "4": ExitCode("What the command needs is not there: a torch, a Python that starts, a required sandbox, a dask cluster, an environment of `--torch`, or for `deckgen push` an Anki that answers.", "see the hint. Without a torch: `pip install \"torch-deckgen[torch]\"`, `--python` with a Python that has one, or `deckgen build --no-run`, which runs nothing. For a push: start Anki with the add-on AnkiConnect"),
    "70": ExitCode("A fault of deckgen itself.", "please report it, with what it says under `DECKGEN_TRACEBACK=1`"),
    "128+": ExitCode("It was stopped by a signal, 128 and the number of the signal (130 is Ctrl-C); packages and locks are whole, all old or all new.", "start it again"),
}  # fmt: skip
"""By the number, as a text."""
_CHECKED = "A claim is false, an API name is wrong, no claim could be checked, nothing was found, or every note is only suggested; or `--fail-on`, `--min-checked` or `--min-proved` fails the run."
FALSE = {
    "build": _CHECKED + " With `--locked` also: the lock would change. The other cards are written all the same.",
    "verify": _CHECKED,
    "update": "With `--check`: something would change.",
    "inspect": "Nothing was found, or every note is only suggested.",
    "preview": "No note was found.",
    "push": "As for `deckgen build`. The packages are imported all the same.",
    "diff": "With `--fail-on`: the risk is that or a higher one.",
    "api": "Torch has no such name.",
    "report merge": "As for `deckgen verify`, over all parts together.",
}
"""What 1 means for a command, in whole sentences; the others never end with it."""
