"""`deckgen preview`."""

from __future__ import annotations

from typing import Any

import click

from deckgen import streams
from deckgen.app.commands.options import CONTRADICTED, LOCK, NO_RUN, OUTPUT, PATHS, QUIET, RUNNING, options_of
from deckgen.app.commands.telling import introduce, progress, warn
from deckgen.text.harmless import lines


@click.command()
@PATHS
@OUTPUT
@QUIET
@RUNNING
@LOCK
@NO_RUN
@CONTRADICTED
def preview(paths: tuple[str, ...], **values: Any) -> None:
    """Write one self-contained page of all cards: build/DECK.html."""
    from deckgen.app.build import preview as preview_decks

    options = options_of(values, paths)
    introduce(options)
    with progress(options.quiet) as step:
        previewed = preview_decks(options, step)
    warn(previewed.results)
    streams.out(lines(f"wrote {path.as_posix()}" for path in previewed.written))
