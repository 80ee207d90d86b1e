"""The commands, one module each; adding one is a file and a line here."""

from __future__ import annotations

import click

from deckgen import __version__
from deckgen.commands.adopt import adopt
from deckgen.commands.api import api
from deckgen.commands.build import build
from deckgen.commands.cache import cache
from deckgen.commands.diff import diff
from deckgen.commands.init import init
from deckgen.commands.inspect import inspect
from deckgen.commands.preview import preview
from deckgen.commands.update import update
from deckgen.commands.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="deckgen")
def cli() -> None:
    """Anki decks from PyTorch notes, every claim checked against the torch that is installed."""


for command in (build, verify, update, inspect, preview, diff, api, init, adopt, cache):
    cli.add_command(command)
