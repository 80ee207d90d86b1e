"""The options that commands share, and what becomes of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from deckgen import api, streams
from deckgen.app import machines
from deckgen.app.command_line import Choice
from deckgen.text.wording import near_ones

LONGEST = 86_400
"""Seconds that a snippet may take at most: a day."""
Command = TypeVar("Command", bound=Callable[..., Any])


def options_of(values: dict[str, Any], paths: Sequence[str] | None = None) -> api.Options:
    """Click's values, with `None` meaning `as configured`; no `paths` for a command that takes none."""
    if paths is not None:
        paths = paths or api.sources_here()
    given = {key: value for key, value in values.items() if key != "stdin_name"}
    known = {key: value for key, value in (*given.items(), ("paths", paths and tuple(paths))) if value is not None}
    name = values.get("stdin_name")
    if api.PIPE not in (paths or ()):
        if name is not None:
            raise api.UsageError(
                "names standard input, which is not read", "--stdin-name", f"the path for it is `{api.PIPE}`"
            )
        output = known.get("output")
        if output is not None and output.suffix == ".apkg" and not output.is_dir():
            hint = f"-o {output.parent.as_posix()}; the package has the name of its deck (`name` in deck.toml)"
            raise api.UsageError(
                f"`{output.as_posix()}` is a file: packages are written into a folder", "--output", hint
            )
        return api.Options(**known)
    if "stdin_name" not in values:
        raise api.UsageError("standard input is read by `verify`, `inspect` and `build` alone", api.PIPE, "name a file")
    if paths and len(paths) > 1:
        raise api.UsageError("standard input is read by itself", api.PIPE, "name no other path beside it")
    data = streams.piped(api.StandardInput.LIMIT)
    return api.piped(api.Options(**known), api.StandardInput(data, name or api.PIPE))


def group(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator, listed in the order given."""

    def apply(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return apply


def _limited(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    if value is None or 0 < value <= LONGEST:
        return value
    raise click.BadParameter(f"{value} is not a number of seconds above 0 and up to {LONGEST}.")


def _one(_context: click.Context, _option: click.Parameter, values: Sequence[Path]) -> Path | None:
    if len(values) > 1:
        raise click.BadParameter(
            f"{values[1]} is a second interpreter: `deckgen verify` and `update --since` alone compare several."
        )
    return values[0] if values else None


def _one_device(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if "," in (value or ""):
        raise click.BadParameter(f"{value} are several devices: `deckgen verify` alone compares them.")
    return value


A_PATH = click.Path(path_type=Path)
PACKAGE = click.Path(path_type=Path, dir_okay=False)

PATHS = click.argument("paths", nargs=-1, metavar="[PATH]...")
OUTPUT = click.option("-o", "--output", type=A_PATH, help="Folder for what is written [build].")
STDIN_NAME = click.option(
    "--stdin-name",
    metavar="NAME",
    help="A file name for standard input, the path `-`; its ending tells how to read it: cards.jsonl [Markdown].",
)
VERBOSE = click.option(
    "-v", "--verbose", is_flag=True, help="Tell of each source, its time, and all that was checked in it."
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="Say only what is wrong.")
LOCK = click.option("--lock", type=A_PATH, help="Use this lock instead of the one beside the notes.")
NO_RUN = click.option("--no-run", is_flag=True, help="Cards only: run nothing, and say so on cards with claims.")
PYTHON = click.option(
    "--python", type=A_PATH, multiple=True, callback=_one, help="Check against the torch of this interpreter."
)
CONTAINED = "How code is kept away from your machine: auto (as well as this system can), require (fully, else exit 4) or off (hardly)"
SANDBOX = click.option("--sandbox", type=Choice(["auto", "require", "off"]), help=f"{CONTAINED} [auto].")
TIMEOUT = click.option("--timeout", type=float, callback=_limited, help="Seconds that a snippet may take [30].")
PLACES = "Where code for CUDA runs: auto (on a GPU, else emulated), cpu, cuda (as auto; never tried on a real GPU) or emulated"
DEVICE = click.option(
    "--device",
    callback=_one_device,
    help=f"{PLACES} [auto].",
)
DEVICES = click.option(
    "--device",
    help=f"{PLACES}; several are compared: cpu,cuda [auto].",
)
SESSIONS = group(
    click.option("--jobs", type=click.IntRange(1), help="Sessions at once [one per core]."),
    TIMEOUT,
    SANDBOX,
    click.option("--no-cache", is_flag=True, help="Run everything again."),
    machines.CACHE,
    click.option(
        "--dask", metavar="ADDRESS", help="Run snippets on the cluster of this dask scheduler, or on `local:4`."
    ),
)
RUNNING = group(SESSIONS, DEVICE, PYTHON)
PYTHONS = click.option(
    "--python",
    "pythons",
    type=A_PATH,
    multiple=True,
    help="Check against the torch of this interpreter; several are compared.",
)
TORCHES = click.option(
    "--torch",
    "torches",
    metavar="VERSIONS",
    multiple=True,
    help="Check against these versions of torch, in environments that uv makes: 2.4,2.9,newest.",
)
SUGGESTED = click.option(
    "--suggestions",
    type=Choice(["ask", "ship"]),
    help="What to do with notes that nobody declared and no sure rule found [ask].",
)
CONTRADICTED = click.option(
    "--on-contradiction",
    type=Choice(["withhold", "correct", "keep"]),
    help="What to do with a false note [withhold].",
)
FAILING = group(
    click.option(
        "--fail-on",
        metavar="WORDS",
        help="Words that also fail the run, comma-separated; `any`: all but `skipped` and `suggested`; `none,contradicted`: only contradicted claims.",
    ),
    click.option("--min-checked", metavar="N|P%", help="Fail if fewer claims could be checked."),
    click.option("--min-proved", metavar="N|P%", help="Fail if the answers of fewer cards are proved."),
)


def limits_of(values: dict[str, Any]) -> tuple[str | None, str | None, str | None]:
    """Those of `FAILING`, taken out of Click's values."""
    return values.pop("fail_on"), values.pop("min_checked"), values.pop("min_proved")


def judge_of(
    fail_on: str | None, min_checked: str | None, min_proved: str | None
) -> Callable[[api.Results], api.Outcome]:
    """How a run ends. Raises UsageError."""
    words, least = api.parse_fail_on(fail_on), api.parse_min_checked(min_checked)
    proved = api.parse_min_checked(min_proved, "--min-proved", "cards")
    return lambda results: api.outcome(results, words, least, proved)


def style(*styles: str) -> Callable[[Command], Command]:
    """The format of a report; text if nothing is said."""
    kinds = Choice(["text", *styles])
    return click.option("--format", "style", type=kinds, default="text", help="Kind of report [text].")


_SHARD = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")


def _shard(_context: click.Context, _option: click.Parameter, value: str | None) -> api.Shard | None:
    if value is None:
        return None
    found = _SHARD.fullmatch(value)
    if found is None or int(found[1]) > int(found[2]):
        raise click.BadParameter(f"{value} is no part such as 2/5: the second of five.")
    return api.Shard(int(found[1]), int(found[2]))


REPORTS = ("json", "junit", "github", "sarif", "summary", "badge", "csv", "html")
"""Formats of `verify` besides text."""


def _reports(_context: click.Context, _option: click.Parameter, values: Sequence[str]) -> tuple[tuple[str, Path], ...]:
    found = [value.partition("=") for value in values]
    for kind, equals, file in found:
        if kind not in (*REPORTS, "text") or not equals or not file:
            known = near_ones(kind, REPORTS) or f"formats: text, {', '.join(REPORTS)}."
            raise click.BadParameter(f"{kind}{equals}{file} is not FORMAT=FILE; {known}")
    files = [Path(file) for _, _, file in found]
    for at, path in enumerate(files):
        if path in files[:at]:
            raise click.BadParameter(f"{path} is named for two reports.")
    return tuple((kind, path) for (kind, _, _), path in zip(found, files, strict=True))


REPORT = click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    callback=_reports,
    help="Write a report of this format to a file, too; as often as you like.",
)
SHARD = click.option(
    "--shard", metavar="N/M", callback=_shard, help="Check only part N of M; `deckgen report merge` joins them."
)
WATCH = click.option("--watch", is_flag=True, help="Do it again whenever a file is saved, until Ctrl-C.")
