"""The command line: one module a command in `commands/`; here is what they share from the outside."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from deckgen import __version__
from deckgen.commands import COMMANDS
from deckgen.commands.telling import say
from deckgen.errors import DeckgenError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="deckgen")
def cli() -> None:
    """Anki decks from PyTorch notes, every claim checked against the torch that is installed."""


for command in COMMANDS:
    cli.add_command(command)


@contextmanager
def told() -> Iterator[None]:
    """Turns an error into `file:line: what`, a hint and its exit status."""
    try:
        yield
    except DeckgenError as error:
        say(f"deckgen: {error}")
        if error.hint:
            say(f"  hint: {error.hint}")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        say("deckgen: stopped; nothing was written")
        sys.exit(130)
    except BrokenPipeError:
        # `deckgen inspect | head` is a normal thing to type
        sys.stderr.close()
        sys.exit(141)


def main(arguments: Sequence[str] | None = None, **settings: Any) -> None:
    """The entry point of the command `deckgen`."""
    # A run makes some hundred objects a note, all of which it needs to its end, and no cycles to speak of: looking
    # for cycles took a tenth of a build and freed nothing (306 MiB with it and without, at 10,000 notes).
    gc.disable()
    for stream in (sys.stdout, sys.stderr):
        # notes are Chinese as often as not, and Windows consoles default to a code page
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    with told():
        cli.main(args=list(arguments) if arguments is not None else None, prog_name="deckgen", **settings)
