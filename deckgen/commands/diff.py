"""`deckgen diff`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import click

from deckgen.difference import Risk, Snapshot
from deckgen.errors import UsageError


@click.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to tell it [text].")
@click.option("--fail-on", type=click.Choice([risk.value for risk in Risk][1:]), help="Exit 1 from this risk on.")
def diff(old: Path, new: Path, form: str, fail_on: str | None) -> None:
    """What importing NEW means for someone who has OLD: two packages, or two locks."""
    from deckgen.compare import compare, data, text

    (before, locked), (after, also_locked) = _snapshot(old), _snapshot(new)
    if locked != also_locked:
        raise UsageError("one is a lock, the other a package", new.as_posix(), "compare two packages or two locks")
    difference = compare(before, after)
    click.echo(json.dumps(data(difference), ensure_ascii=False, indent=2) if form == "json" else text(difference))
    if fail_on and difference.risk.level >= Risk(fail_on).level:
        sys.exit(1)


def _snapshot(path: Path) -> tuple[Snapshot, bool]:
    """The snapshot, and whether it is that of a lock: told by content, as everything that is read."""
    name = path.as_posix()
    try:
        found = path.read_bytes()
    except OSError as error:
        hint = "name an .apkg file or a deckgen.lock"
        raise UsageError(f"cannot be read: {error.strerror}", name, hint) from None
    if found.startswith(b"PK"):
        from deckgen.compare import snapshot

        return snapshot(found, name), False
    from deckgen.keep import parse_lock
    from deckgen.keep import snapshot as locked

    try:
        return locked(parse_lock(found.decode(), name, int(time.time()))), True
    except UnicodeDecodeError:
        raise UsageError("neither a package nor a lock", name, "name an .apkg file or a deckgen.lock") from None
