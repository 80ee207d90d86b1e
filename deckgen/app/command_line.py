"""What all commands have in common on the command line: words that are near a wrong one, `--color`, and what is empty."""

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


class Command(click.Command):
    """A command; each of them takes `--color`, and none takes a value in which there is nothing.

    A variable of a script that is empty would otherwise ask for what nobody meant: `--torch "$TORCH"` for our own torch alone.
    """

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        chosen = click.Option(
            ["--color", "--colour"],
            type=Choice(["auto", "always", "never"]),
            expose_value=False,
            is_eager=True,
            callback=lambda _context, _option, when: streams.choose_colour(when or "auto"),
            help="Whether text is coloured [auto: on a terminal, unless `NO_COLOR` or `FORCE_COLOR` say otherwise].",
        )
        self.params.append(chosen)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As typed; raises click.BadParameter for what is empty."""
        if not ctx.resilient_parsing:  # which shells do while somebody types
            typed, _, _ = self.make_parser(ctx).parse_args([*args])
            for param in self.params:
                given = typed.get(param.name or "")
                every = given if isinstance(given, list | tuple) else [given]
                if any(_is_empty(value, param) for value in every):
                    purpose = getattr(param, "help", None) or ""
                    raise click.BadParameter(
                        f"it is empty: write a value, or leave it out. {purpose}".strip(), ctx, param
                    )
        return super().parse_args(ctx, args)


def _is_empty(value: object, param: click.Parameter) -> bool:
    """True if there is nothing in a value; nothing but commas and blanks, where it is a list and no name."""
    is_name = isinstance(param.type, click.Path) or isinstance(param, click.Argument)
    return isinstance(value, str) and not (value if is_name else value.strip(" ,"))


class Commands(click.Group):
    """Commands below a name."""

    command_class = Command
