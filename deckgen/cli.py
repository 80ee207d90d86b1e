"""The command line: one module a command in `commands/`; here is what they share from the outside."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
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


class StoppedError(BaseException):
    """Somebody wants us to end. Not KeyboardInterrupt, which click turns into exit status 1: that means a false claim."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def heeding_signals() -> Iterator[None]:
    """Have what asks us to end unwind the stack, so that workers, folders and half-written files go first."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise StoppedError(number)

    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    main = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in numbers if main}
    heard = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}  # nohup means it
    for number in heard:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler or signal.SIG_DFL)


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
    except StoppedError as stopped:
        say("deckgen: stopped; nothing was written")
        sys.exit(128 + stopped.number)
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
    with told(), heeding_signals():
        cli.main(args=list(arguments) if arguments is not None else None, prog_name="deckgen", **settings)
