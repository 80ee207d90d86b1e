"""Every command with its arguments, options and exit statuses, as click knows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import click

from bench.site.table import code, table
from deckgen.app.commands import cli
from deckgen.model.exit_codes import FALSE
from deckgen.model.verdict import FAILING
from deckgen.outcome import SUGGESTED, WORDS, parse_fail_on

NO_HELP_FOR = {"help", "color"}
"""Options of every command, which are told once."""
_DEFAULT = re.compile(r" ?\[([^]]+)\](?=\.?$)")


def every() -> Iterator[tuple[str, click.Command]]:
    """Name and command of each, those below another by both names."""
    yield from _below("", cli.commands)


def _below(before: str, commands: Mapping[str, click.Command]) -> Iterator[tuple[str, click.Command]]:
    for name, command in commands.items():
        if isinstance(command, click.Group):
            yield from _below(f"{before}{name} ", command.commands)
        else:
            yield f"{before}{name}", command


def options_of(command: click.Command) -> list[click.Option]:
    """The options of a command, without `--help`."""
    return [one for one in command.params if isinstance(one, click.Option) and not one.hidden]


def page() -> Iterator[str]:
    """A section for each command."""
    first = cli.commands["build"]
    yield "## Options of every command"
    yield from _options([one for one in options_of(first) if one.name in NO_HELP_FOR] + [_help(first), _version()])
    yield from _failing()
    for name, command in every():
        yield f"## deckgen {name}"
        yield ""
        yield command.help or ""
        yield ""
        yield f"Written: {code(_usage(name, command))}. {_statuses(name)}"
        yield from _options([one for one in options_of(command) if one.name not in NO_HELP_FOR])


def _failing() -> Iterator[str]:
    """The words of `--fail-on`."""
    yield "## Words that fail a run"
    yield ""
    yield "What `--fail-on` of `build`, `verify` and `push` takes, besides `any` and `none`. (That of `diff` is about risks.)"
    words = (*sorted(WORDS), SUGGESTED)
    rows = ((f"[{word}](words.md#{word})", "yes" if word in FAILING else "no", _of_any(word)) for word in words)
    yield from table(("word", "fails by default", "with `any`"), rows)


def _of_any(word: str) -> str:
    return "yes" if word in parse_fail_on("any") else "no"


def _help(command: click.Command) -> click.Option:
    found = command.get_help_option(click.Context(command, help_option_names=["-h", "--help"]))
    assert found is not None
    return found


def _version() -> click.Option:
    return next(one for one in options_of(cli) if one.name == "version")


def _usage(name: str, command: click.Command) -> str:
    arguments = [one.make_metavar(click.Context(command)) for one in command.params if isinstance(one, click.Argument)]
    return " ".join(("deckgen", name, "[OPTION]...", *arguments))


def _statuses(name: str) -> str:
    return (
        f"[Exit status](exit-codes.md) 1: {FALSE[name]}" if name in FALSE else "[Exit status](exit-codes.md) 1: never."
    )


def _options(options: list[click.Option]) -> Iterator[str]:
    yield from table(("option", "does", "value", "default"), map(_option, options))


def _option(option: click.Option) -> tuple[str, str, str, str]:
    names = ", ".join(map(code, (*option.opts, *option.secondary_opts)))
    said = option.help or ""
    found = _DEFAULT.search(said)
    variable = f" Also {code(str(option.envvar))} of the environment." if option.envvar else ""
    does = f"{_DEFAULT.sub('', said)}{variable}"
    return names, does, _value(option), _default(option, found[1] if found else "")


def _value(option: click.Option) -> str:
    if option.is_flag or option.count:
        return ""
    if isinstance(option.type, click.Choice):
        return ", ".join(code(str(one)) for one in option.type.choices)
    if isinstance(option.type, click.IntRange):
        return (
            f"number, {option.type.min} to {option.type.max}" if option.type.max else f"number from {option.type.min}"
        )
    return code(option.make_metavar(click.Context(cli)))


def _default(option: click.Option, told: str) -> str:
    if told:
        return told
    if option.is_flag or option.default is None or not isinstance(option.default, str | int | float):
        return ""
    return code(str(option.default))
