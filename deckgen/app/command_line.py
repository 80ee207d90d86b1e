"""What all commands have in common on the command line: words that are near a wrong one, and `--color`."""

from __future__ import annotations

from typing import Any

import click

from deckgen import streams
from deckgen.text.wording import near_ones


class Choice(click.Choice[str]):
    """One of some words; a wrong one is told with the word that is near."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = near_ones(str(value), self.choices)
            raise click.BadParameter(f"{error.message}{f' D{near[1:]}' * bool(near)}", ctx, param) from None


class Coloured(click.Command):
    """A command; each of them takes `--color`."""

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        chosen = click.Option(
            ["--color", "--colour"],
            type=Choice(["auto", "always", "never"]),
            expose_value=False,
            is_eager=True,
            callback=lambda _context, _option, when: streams.choose_colour(when or "auto"),
            help="Whether text is coloured [auto: on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise].",
        )
        self.params.append(chosen)


class Commands(click.Group):
    """Commands below a name."""

    command_class = Coloured
