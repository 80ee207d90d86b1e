"""`deckgen update`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deckgen import streams
from deckgen.app.commands.options import LOCK, PATHS, QUIET, RUNNING, options_of
from deckgen.app.commands.telling import introduce, progress, say, warn
from deckgen.model.errors import SourceError
from deckgen.outcome import told
from deckgen.text.harmless import lines

if TYPE_CHECKING:
    from deckgen.app.revise import Revision


@click.command()
@PATHS
@QUIET
@RUNNING
@LOCK
@click.option("--diff", is_flag=True, help="Print a patch instead of writing.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if something would change.")
def update(paths: tuple[str, ...], diff: bool, check: bool, **values: Any) -> None:
    """Write observed outputs back into the notes, in the form in which they stand."""
    from deckgen.app import revise

    options = options_of(values, paths)
    introduce(options)
    with progress(options.quiet) as step:
        revised = revise.revise(options, step)
    warn(revised.results)
    for revision in revised.revisions:
        for verdict, why in revision.updated.left:
            say(f"{revision.source.at(verdict.claim.span)}: left as it is: {why}")
    stale = [revision for revision in revised.revisions if revision.updated.changed]
    if diff:
        for revision in stale:
            _show(revision)
    for path in [] if diff or check else revise.write(tuple(stale)):
        streams.out(lines([f"wrote {path.as_posix()}"]))
    if check:
        for revision, verdict in ((one, each) for one in stale for each in one.updated.changed):
            streams.out(lines([f"{revision.source.at(verdict.claim.span)}: out of date: {told(verdict)}"]))
    code = SourceError.exit_code if revised.results.unreadable else int(check and bool(stale))
    raise SystemExit(code)


def _show(revision: Revision) -> None:
    """A patch, in the bytes of its file; of lines that would command a terminal or a runner only how they look."""
    if revision.is_harmless:
        streams.out_bytes(revision.patch)
        return
    streams.out(lines(line.removesuffix("\n") for line in revision.patch_lines))
    say(
        f"{revision.source.name}: its patch holds what a terminal or a log would obey, shown as escapes: do not apply it"
    )
