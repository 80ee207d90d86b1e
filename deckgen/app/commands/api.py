"""`deckgen api`."""

from __future__ import annotations

from typing import Any

import click

from deckgen import streams
from deckgen.app import pipeline
from deckgen.app.commands.options import PYTHON, SANDBOX, options_of
from deckgen.app.commands.telling import say
from deckgen.outcome.reasons import distribution
from deckgen.text.harmless import lines


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@PYTHON
@SANDBOX
def api(names: tuple[str, ...], **values: Any) -> None:
    """Write an API table in Markdown from the live torch."""
    options = options_of(values, ())
    table = pipeline.api(names, options)
    streams.out(lines(table.markdown.splitlines()))
    for name, module in table.missing.items():
        say(f"deckgen: {name} needs {module}, which is not installed: pip install {distribution(module)}")
    for name, near in table.unknown.items():
        say(f"deckgen: {name}: torch has no such name" + (f"; did you mean `{near}`?" if near else ""))
    if table.unknown or table.missing:
        raise SystemExit(1)
