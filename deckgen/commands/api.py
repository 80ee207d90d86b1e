"""`deckgen api`."""

from __future__ import annotations

from typing import Any

import click

from deckgen.commands.options import PYTHON, SANDBOX, options_of
from deckgen.commands.telling import say
from deckgen.run import pipeline


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@PYTHON
@SANDBOX
def api(names: tuple[str, ...], **values: Any) -> None:
    """Write an API table in Markdown from the live torch."""
    table, unknown = pipeline.api(names, options_of(values, ()))
    click.echo(table, nl=False)
    for name, near in unknown.items():
        say(f"deckgen: {name}: torch has no such name" + (f"; did you mean `{near}`?" if near else ""))
    if unknown:
        raise SystemExit(1)
