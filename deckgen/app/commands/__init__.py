"""The commands, one module each; adding one is a file and a line here."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deckgen import __version__
from deckgen.app.commands.adopt import adopt
from deckgen.app.commands.api import api
from deckgen.app.commands.build import build
from deckgen.app.commands.cache import cache
from deckgen.app.commands.diff import diff
from deckgen.app.commands.init import init
from deckgen.app.commands.inspect import inspect
from deckgen.app.commands.preview import preview
from deckgen.app.commands.update import update
from deckgen.app.commands.verify import verify
from deckgen.model.errors import UsageError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="deckgen")
def cli() -> None:
    """Anki decks from PyTorch notes, every claim checked against the torch that is installed."""


for command in (build, verify, update, inspect, preview, diff, api, init, adopt, cache):
    cli.add_command(command)


def run(arguments: Sequence[str]) -> None:
    """Runs the command that is named; help without any. Raises UsageError for a line that no command takes."""
    try:
        cli.main(args=list(arguments) or ["--help"], prog_name="deckgen", standalone_mode=False)
    except click.UsageError as error:  # not told by click, which writes what was typed as it is
        where = error.ctx.command_path if error.ctx else "deckgen"
        raise UsageError(error.format_message(), hint=f"see `{where} --help`") from None
