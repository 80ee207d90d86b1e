"""Serving agents, where the package for it is installed."""

from __future__ import annotations

from deckgen.app.options import Options
from deckgen.model.errors import UsageError


def serve_agents(options: Options) -> None:
    """Answers whoever speaks the Model Context Protocol on the standard streams, until nobody does (`deckgen mcp`).

    Of the options those count that say how code is run. Raises UsageError if the package `mcp` is missing.
    """
    try:
        from deckgen.app.mcp_server import Service, serve
    except ImportError:  # not installed, or so old that it has other names
        raise UsageError("the package mcp is not here", "deckgen mcp", 'pip install "torch-deckgen[mcp]"') from None
    python = options.python and options.python.absolute()
    named = {"--sandbox": options.sandbox, "--python": python}
    more = {**named, "--timeout": options.timeout, "--device": options.device}
    look_up, check = (
        [part for name, value in one.items() if value is not None for part in (name, str(value))]
        for one in (named, more)
    )
    serve(Service(check, look_up))
