"""The commands: each asks the Python API and reports what it gives."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, NoReturn

import click

from deckgen import __version__, api, streams
from deckgen.app import machines
from deckgen.app.command_line import Choice, Commands
from deckgen.app.parameters import (
    CONTAINED,
    CONTRADICTED,
    DEVICE,
    DEVICES,
    FAILING,
    LOCK,
    NO_RUN,
    OUTPUT,
    PACKAGE,
    PATHS,
    PYTHON,
    PYTHONS,
    QUIET,
    REPORT,
    REPORTS,
    RUNNING,
    SANDBOX,
    SESSIONS,
    SHARD,
    STDIN_NAME,
    SUGGESTED,
    TIMEOUT,
    TORCHES,
    VERBOSE,
    WATCH,
    judge_of,
    limits_of,
    options_of,
    style,
)
from deckgen.text.harmless import Harmless, json_text, lines
from deckgen.text.wording import near_ones, one_line

# --- what commands say to the person at the terminal ---


def say(text: str) -> None:
    """A line to the person, not into the pipe."""
    streams.err(lines([text]))


def show(*texts: str) -> None:
    """Lines of output for people."""
    streams.tell(lines(texts))


def end(output: api.RunOutput, style: str = "text") -> NoReturn:
    """Says what a run says, and leaves with its exit status."""
    tell(output, style, click.get_current_context().find_root().obj)
    raise SystemExit(output.exit_code)


def tell(output: api.RunOutput, style: str, began: float) -> None:
    """Says what a run says, with its time if it has a last line. `began` is on the clock of `time.monotonic`."""
    streams.err(output.err)
    (streams.tell if style == "text" else streams.out)(output.out)
    if output.ending:
        seconds = time.monotonic() - began
        line = Harmless(f"=== {output.ending.rstrip()} in {seconds:.1f} s ===")
        streams.out(Harmless(f"{streams.painted_line('false' if output.exit_code else 'fine', line)}\n"))


def warned(results: api.Results) -> Harmless:
    """Sources that were left out, and what should be known besides."""
    found = []
    for error in results.unreadable:
        found += [f"deckgen: {error}", *([f"  hint: {error.hint}"] if error.hint else [])]
    return lines([*found, *(f"deckgen: {warning}" for warning in results.warnings)])


def waiting(lock: Path) -> None:
    """Another build of a deck comes first."""
    say(f"deckgen: {lock.as_posix()}: waiting for another build of this deck")


@contextmanager
def running(options: api.Options) -> Iterator[Callable[[int, int], None]]:
    """The notice before the code of a place is run for the first time; then how far it is."""
    if notice := api.first_run_notice(options):
        say(f"deckgen: {notice}")
    if options.quiet:
        yield lambda done, total: None
        return
    with api.shown_progress() as progress:
        yield progress


def follow(options: api.Options, run: Callable[[], tuple[api.Results, api.RunOutput]], style: str = "text") -> NoReturn:
    """Runs and says what a run says, at first and whenever something changed, until Ctrl-C."""

    def again(changed: Sequence[str]) -> api.Results:
        if changed:
            say(f"deckgen: changed: {', '.join(changed[:MOST_CHANGED])}{', ...' * (len(changed) > MOST_CHANGED)}")
        began = time.monotonic()
        results, output = run()
        tell(output, style, began)
        streams.flush()
        return results

    def waits(count: int) -> None:
        files = "1 file" if count == 1 else f"{count} files"
        say(f"deckgen: waiting for a change of {files} in {', '.join(options.paths)}; Ctrl-C ends it")

    def fails(error: api.DeckgenError) -> None:
        say(f"deckgen: {error}")
        say(f"  hint: {error.hint or 'save it again when it is mended'}")

    api.follow(options, again, waits, fails)


MOST_CHANGED = 5
"""Names of changed files in one message."""


# --- the commands ---


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="deckgen")
@click.pass_context
def cli(context: click.Context) -> None:
    """Anki decks from PyTorch notes, every claim checked against the torch that is installed."""
    context.obj = time.monotonic()


def run(arguments: Sequence[str]) -> None:
    """Runs the command that is named; help without any. Raises UsageError for a line that no command takes."""

    def tell_wait(text: str) -> None:
        say(f"deckgen: {text}")
        streams.flush()

    try:
        with api.waits_told_to(tell_wait):
            cli.main(args=list(arguments) or ["--help"], prog_name="deckgen", standalone_mode=False)
    except click.UsageError as error:  # click would write what was typed as it is
        where = error.ctx.command_path if error.ctx else "deckgen"
        raise api.UsageError(error.format_message(), hint=_hint(arguments) or f"see `{where} --help`") from None


def _hint(arguments: Sequence[str]) -> str:
    """What a line of an older deckgen is today."""
    return "the page on which you decide is `deckgen review`" if "--serve" in arguments else ""


def built_text(built: api.Built, result: api.Outcome, options: api.Options) -> Harmless:
    """What a build says of itself; with `--quiet` only what is wrong."""
    from deckgen.report import terminal

    return terminal.wrong(result) if options.quiet else terminal.built(result, built.delivered, built.changes)


@cli.command()
@PATHS
@STDIN_NAME
@OUTPUT
@QUIET
@VERBOSE
@RUNNING
@FAILING
@LOCK
@click.option("--locked", is_flag=True, help="Fail if the lock would change.")
@NO_RUN
@click.option("--retire", is_flag=True, help="Take back reverse cards that would not be made today.")
@click.option("--restamp", is_flag=True, help="Renew sources and stamps on cards that did not change.")
@CONTRADICTED
@SUGGESTED
@click.option("--explain", is_flag=True, help="Say of every withheld, corrected or suggested note why.")
@WATCH
def build(
    paths: tuple[str, ...],
    explain: bool,
    watch: bool,
    **values: Any,
) -> None:
    """Read notes, check them, and write build/DECK.apkg."""
    limits = limits_of(values)
    options = options_of(values, paths)
    run_cache = api.RunCache.of(options, "build", *limits, explain)
    if not (options.verbose or watch) and (recalled := run_cache.output()):
        more = lines([] if options.quiet else ["nothing has changed: nothing was run or written"])
        end(replace(recalled, out=Harmless(recalled.out + more)))
    from deckgen.report import terminal

    judge = judge_of(*limits)

    def output(built: api.Built) -> api.RunOutput:
        results = built.results
        result = judge(results)
        out = built_text(built, result, options)
        more = terminal.explained(results) if explain else ""
        before = terminal.detailed(results) if options.verbose else ""
        ending = Harmless("") if options.quiet else terminal.ending(result)
        return api.RunOutput(Harmless(before + out + more), warned(results), result.exit_code, ending)

    def made() -> api.Built:
        with running(options) as step:
            return api.build(options, step, waiting)

    if watch:
        follow(options, lambda: ((built := made()).results, output(built)))
    built = made()
    if not options.verbose and (settled := api.build_if_repeated(built)):
        run_cache.keep(output(settled), built.results)
    end(output(built))


@cli.command()
@PATHS
@STDIN_NAME
@style(*REPORTS)
@REPORT
@QUIET
@VERBOSE
@SESSIONS
@DEVICES
@PYTHONS
@TORCHES
@FAILING
@LOCK
@click.option("--docstrings", metavar="PACKAGE", help="Check the examples in a package's docstrings instead.")
@SHARD
@WATCH
def verify(
    paths: tuple[str, ...],
    style: str,
    reports: tuple[tuple[str, Path], ...],
    docstrings: str | None,
    watch: bool,
    pythons: tuple[Path, ...],
    **values: Any,
) -> None:
    """Check notes without making packages."""
    limits = limits_of(values)
    torches = values.pop("torches")
    versions = api.parse_versions(torches) if torches else ()
    page = "html" in (style, *(kind for kind, _ in reports))
    several = page or len(pythons) + len(versions) > 1 or "," in (values["device"] or "")
    if several and docstrings:
        raise api.UsageError("docstrings are checked in one environment", "--docstrings", "name one, and no page")
    if watch and (several or docstrings):
        raise api.UsageError("notes alone are watched, in one environment", "--watch", "name one, and no page")
    options = options_of(values, None if docstrings else paths)
    if several and options.shard:
        raise api.UsageError(
            "a part is checked in one environment", "--shard", "name one --python, --torch or --device"
        )
    places = interpreters(pythons, torches)
    if several:
        compare(options, places or (None,), style, reports, *limits)
    options = the_one(options, places)
    run_cache = api.RunCache.of(options, "verify", *limits, style)
    if not (docstrings or reports or options.verbose or watch) and (recalled := run_cache.output()):
        end(recalled, style)
    from deckgen.report import REPORTERS, terminal

    judge = judge_of(*limits)
    report = terminal.wrong if options.quiet and style == "text" else REPORTERS[style]

    def output(result: api.Outcome) -> api.RunOutput:
        if style != "text":
            return api.RunOutput(report(result), warned(result.results), result.exit_code)
        before = terminal.detailed(result.results) if options.verbose else ""
        ending = Harmless("") if options.quiet else terminal.ending(result)
        return api.RunOutput(Harmless(before + report(result)), warned(result.results), result.exit_code, ending)

    def found() -> api.Outcome:
        with running(replace(options, paths=()) if docstrings else options) as step:
            results = api.verify_docstrings(docstrings, options, step) if docstrings else api.verify(options, step)
        result = judge(results)
        api.write_reports([(file, REPORTERS[kind](result)) for kind, file in reports])
        return result

    if watch:
        follow(options, lambda: ((result := found()).results, output(result)), style)
    result = found()
    if not (docstrings or options.verbose) and (settled := api.results_if_repeated(result.results)):
        run_cache.keep(output(judge(settled)), result.results)
    end(output(result), style)


def interpreters(pythons: tuple[Path, ...], torches: tuple[str, ...]) -> tuple[Path | api.Broken, ...]:
    """Those that are named, and those that have the torches that are named."""
    versions = api.parse_versions(torches) if torches else ()
    return (*pythons, *(api.environments(versions, lambda text: say(f"deckgen: {text}")) if versions else ()))


def the_one(options: api.Options, places: Sequence[Path | api.Broken]) -> api.Options:
    """The options with the one interpreter that is named, if any. Raises EngineError if it could not be made."""
    for place in places:
        if isinstance(place, api.Broken):
            raise api.EngineError(place.why, f"--torch {place.name}")
        options = replace(options, python=place)
    return options


def compare(
    options: api.Options,
    pythons: tuple[Path | api.Broken | None, ...],
    style: str,
    reports: Sequence[tuple[str, Path]],
    *limits: str | None,
) -> NoReturn:
    """`verify` in several environments; `limits` are those of `FAILING`."""
    columns = tuple(python for python in pythons for _ in api.devices_of(options))
    run_cache = api.RunCache.of(options, "matrix", style, *limits, pythons=columns)
    if not reports and (recalled := run_cache.output()):
        end(recalled, style)
    from deckgen.report.matrix import FORMATS, wrong

    for kind in (style, *(kind for kind, _ in reports)):
        if kind not in (*FORMATS, "html"):
            known = ", ".join((*FORMATS, "html"))
            raise api.UsageError(f"`{kind}` cannot tell of several environments", "--format", f"formats: {known}")
    judge = judge_of(*limits)

    def report(kind: str, found: api.Matrix) -> Harmless:
        if kind == "html":
            return api.matrix_page(found, ", ".join(options.paths))
        return wrong(found) if options.quiet and kind == "text" else FORMATS[kind](found)

    def output(found: api.Matrix) -> api.RunOutput:
        first = next((warned(column.outcome.results) for column in found.columns if column.outcome), Harmless(""))
        return api.RunOutput(report(style, found), first, found.exit_code)

    with running(options) as step:
        found = api.verify_matrix(options, pythons, step, judge)
    api.write_reports([(file, report(kind, found)) for kind, file in reports])
    if settled := api.matrix_if_repeated(found):
        run_cache.keep(output(settled), *(column.outcome.results for column in found.columns if column.outcome))
    end(output(found), style)


@cli.command()
@PATHS
@QUIET
@SESSIONS
@DEVICE
@PYTHONS
@TORCHES
@LOCK
@click.option(
    "--since", is_flag=True, help="Write `{torch>=2.13}` where several `--python` or `--torch` tell claims apart."
)
@click.option("--diff", "patch", is_flag=True, help="Print a patch instead of writing.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if something would change.")
def update(
    paths: tuple[str, ...], pythons: tuple[Path, ...], since: bool, patch: bool, check: bool, **values: Any
) -> None:
    """Write observed outputs back into the notes, in the form in which they stand."""
    places = interpreters(pythons, values.pop("torches"))
    options = options_of(values, paths)
    if since and len(places) < 2:
        raise api.UsageError("compares several environments", "--since", "name two or more with --python or --torch")
    if not since and len(places) > 1:
        raise api.UsageError("outputs are written as one torch shows them", "--python", "name one, or say --since")
    options = options if since else the_one(options, places)
    with running(options) as step:
        revised = api.revise_since(options, places, step) if since else api.revise(options, step)
    streams.err(warned(revised.results))
    for line in (line for revision in revised.revisions for line in revision.left_lines):
        say(line)
    stale = tuple(revision for revision in revised.revisions if revision.updated.changed)
    for line in (line for revision in stale for line in revision.changed_lines if since and not check):
        say(line)
    for revision in stale if patch else ():
        # in the bytes of its file; of lines that would command a terminal or a runner only how they look
        if revision.is_harmless:
            streams.out_bytes(revision.patch)
        else:
            show(*(line.removesuffix("\n") for line in revision.patch_lines))
            what = "its patch holds what a terminal or a log would obey, shown as escapes: do not apply it"
            say(f"{revision.source.name}: {what}")
    for path in () if patch or check else api.write_revisions(stale):
        show(f"wrote {path.as_posix()}")
    if check:
        show(*(line for revision in stale for line in revision.changed_lines))
    raise SystemExit(api.SourceError.exit_code if revised.results.unreadable else int(check and bool(stale)))


KINDS = ("basic", "choice", "cloze", "output", "api")
_PLACE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


def _place(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    found = _PLACE.fullmatch(value)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if first > last:
        raise click.BadParameter(f"{value} is neither a line nor lines such as 12-40.")
    return first, last


@cli.command()
@PATHS
@STDIN_NAME
@style("json")
@click.option("--kind", "kinds", type=Choice(KINDS), multiple=True, help="Only notes of this kind [any].")
@click.option("--rule", "rules", multiple=True, metavar="RULE", help="Only what this rule gave [any].")
@click.option("--line", "place", metavar="N|N-M", callback=_place, help="Only what stands on these lines of a source.")
def inspect(
    paths: tuple[str, ...],
    stdin_name: str | None,
    style: str,
    kinds: tuple[str, ...],
    rules: tuple[str, ...],
    place: tuple[int, int] | None,
) -> None:
    """List what was found and what was not carded, and why, and how much each rule gave. Runs nothing."""
    from deckgen.report import asked, data, terminal

    results = api.inspect(options_of({"stdin_name": stdin_name}, paths))
    shown = asked.Asked(frozenset(kinds), frozenset(rules), place).finds(results)
    if results.extractions and not shown.extractions:
        given = ", ".join(asked.by_rule(results.extractions))
        say(f"deckgen: nothing like that was found; rules that gave something: {given or 'none'}")
    report = (data if style == "json" else terminal).inspected(shown)
    result = api.outcome(results)
    for reason in () if results.unreadable else result.reasons:
        say(f"deckgen: {reason}")
    end(api.RunOutput(report, warned(results), result.exit_code), style)


@cli.command()
@PATHS
@OUTPUT
@QUIET
@RUNNING
@LOCK
@NO_RUN
@CONTRADICTED
def preview(paths: tuple[str, ...], **values: Any) -> None:
    """Write one self-contained page of all cards: build/DECK.html."""
    options = options_of(values, paths)
    with running(options) as step:
        previewed = api.preview(options, step)
    streams.err(warned(previewed.results))
    show(*(f"wrote {path.as_posix()}" for path in previewed.written))
    results = previewed.results
    empty = not any(extraction.notes for extraction in results.extractions)
    if empty and not results.unreadable:
        say("deckgen: no note was found in these sources (see `deckgen inspect`)")
    raise SystemExit(api.SourceError.exit_code if results.unreadable else int(empty))


@cli.command()
@PATHS
@OUTPUT
@RUNNING
@LOCK
@NO_RUN
@CONTRADICTED
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the page [a free one].")
@click.option("--no-open", is_flag=True, help="Print the address of the page without opening it.")
@click.option(
    "--editor",
    metavar="ADDRESS",
    envvar="DECKGEN_EDITOR",
    help="What opens a line in your editor, with `{path}` and `{line}` [`vscode://file{path}:{line}`].",
)
def review(paths: tuple[str, ...], port: int | None, no_open: bool, editor: str | None, **values: Any) -> None:
    """Take suggestions or leave them out, on a local page that follows the notes, until Ctrl-C."""
    options = options_of(values, paths)
    if notice := api.first_run_notice(options):
        say(f"deckgen: {notice}")

    def ready(address: str) -> None:
        show(f"{address}", "what you decide there is in the lock at once; Ctrl-C ends it")
        streams.flush()
        if not no_open:
            import webbrowser

            webbrowser.open_new_tab(address)

    api.serve(options, ready, port=port or 0, **({"editor": editor} if editor else {}))


@cli.command()
@PATHS
@OUTPUT
@QUIET
@RUNNING
@LOCK
@FAILING
@NO_RUN
@CONTRADICTED
@SUGGESTED
@click.option("--anki", "address", metavar="URL", help="Where AnkiConnect answers [http://127.0.0.1:8765].")
@click.option("--key", envvar="DECKGEN_ANKI_KEY", help="The key of AnkiConnect's settings, if it has one.")
@click.option("--elsewhere", is_flag=True, help="Allow an Anki on another machine.")
@click.option(
    "--removed", type=Choice(("keep", "suspend")), default="keep", help="Notes that the sources no longer have [keep]."
)
@click.option("--overwrite", is_flag=True, help="Update also notes whose text was edited in Anki.")
@click.option("--sync", is_flag=True, help="Sync with AnkiWeb afterwards.")
def push(
    paths: tuple[str, ...],
    address: str | None,
    key: str | None,
    elsewhere: bool,
    removed: str,
    overwrite: bool,
    sync: bool,
    **values: Any,
) -> None:
    """Build decks, and import them into the running Anki; packages (.apkg) are imported as they are."""
    from deckgen import compare

    packages = {Path(path): frozenset[str]() for path in paths if path.endswith(".apkg")}
    folders = tuple(path for path in paths if not path.endswith(".apkg"))
    limits = limits_of(values)
    options = options_of(values, folders) if folders or not paths else None
    where = {"address": address} if address else {}
    anki = api.AnkiConnect(**where, key=key, elsewhere=elsewhere)
    ours, status = frozenset[str](), 0
    if options:
        anki.check()  # before a build that may take minutes
        ours = api.texts_below(options.output)
        with running(options) as step:
            built = api.build(options, step, waiting)
        result = judge_of(*limits)(built.results)
        out = built_text(built, result, options)
        tell(api.RunOutput(out, warned(built.results), result.exit_code), "text", 0)
        packages, status = {**packages, **built.gone}, result.exit_code
    wishes = api.PushOptions(suspend=removed == "suspend", overwrite=overwrite, sync=sync)
    for one in api.push(packages, anki, wishes, ours):
        streams.tell(lines([*compare.text(one.difference).splitlines(), *one.sentences]))
    raise SystemExit(status)


RISKS = ("none", "low", "medium", "high")


@cli.command()
@click.argument("old", type=PACKAGE)
@click.argument("new", type=PACKAGE)
@style("json")
@click.option("--fail-on", "limit", type=Choice(RISKS[1:]), help="Exit 1 at this risk or a higher one.")
def diff(old: Path, new: Path, style: str, limit: str | None) -> None:
    """Say what importing NEW means for someone who has OLD; both packages, or both locks."""
    from deckgen import compare

    found = api.diff(old, new)
    if style == "json":
        streams.out(json_text(compare.data(found)))
    else:
        streams.tell(compare.text(found))
    raise SystemExit(int(limit is not None and found.risk.level >= RISKS.index(limit)))


@cli.command("api")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@PYTHON
@SANDBOX
def tabulate(names: tuple[str, ...], **values: Any) -> None:
    """Write an API table in Markdown from the live torch."""
    table = api.api_table(names, options_of(values))
    streams.out(lines(table.markdown.splitlines()))
    for problem in table.problems:
        say(f"deckgen: {problem}")
    raise SystemExit(int(bool(table.problems)))


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), metavar="[DIR]")
@click.option(
    "--torch", "torches", metavar="VERSIONS", multiple=True, help="Torches of the CI workflow: 2.9,newest [newest]."
)
@click.option("--shards", type=click.IntRange(1, 256), default=1, help="Machines for each torch there [1].")
def init(folder: Path, torches: tuple[str, ...], shards: int) -> None:
    """Make a folder of notes a deck: write deck.toml, a CI workflow, and an example if there are no notes yet."""
    for line in api.init(folder, waiting, api.parse_versions(torches) if torches else (), shards):
        show(line)


@cli.command()
@click.argument("old")
@click.argument("new")
@click.argument("path", default=".")
@LOCK
@click.option("--not", "apart", is_flag=True, help="Say that they are two notes: builds ask no more.")
def adopt(old: str, new: str, path: str, apart: bool, **values: Any) -> None:
    """Say that the note NEW is the note OLD, reworded: it gets its identity and history."""
    options = options_of(values, (path,))
    if apart:
        show(f"{api.part(old, new, options, waiting).as_posix()}: done; they are two notes")
        return
    lock, search = api.adopt(old, new, options, waiting)
    show(
        f"{lock.as_posix()}: done; the next build sends the note to learners",
        "whoever imported the new note already has it twice now: after the next import, delete what this",
        f"search finds in Anki's browser: {search}",
    )


@cli.command()
@click.option(
    "--sandbox",
    type=Choice(["auto", "require", "off"]),
    default="require",
    help=f"{CONTAINED} [require].",
)
@TIMEOUT
@DEVICE
@PYTHON
def mcp(**values: Any) -> None:
    """Serve the Model Context Protocol on the standard streams: agents check cards and notes, and look up names."""
    api.serve_agents(options_of(values))


@cli.command()
@click.argument("name", required=False, metavar="[NAME]")
def schema(name: str | None) -> None:
    """Print the JSON Schema of an output or of the cards that are taken in; without NAME, list their names."""
    from deckgen.report import schemas

    if name is None:
        show(*schemas.NAMES)
    elif name in schemas.NAMES:
        streams.out(json_text(schemas.schema(name)))
    else:
        hint = near_ones(name, schemas.NAMES) or f"one of {', '.join(schemas.NAMES)}"
        raise api.UsageError(f"there is no schema `{name}`", hint=hint)


@cli.command("rules")
def list_rules() -> None:
    """List every rule that a report names, each with what it says; `deckgen explain RULE` says more."""
    for group, rules in groupby(api.rules(), lambda rule: rule.group):
        show(f"{group}:", *(f"  {rule.name}: {rule.says or one_line(rule.example)}" for rule in rules), "")


def _rule_names(_context: click.Context, _argument: click.Parameter, begun: str) -> list[str]:
    return sorted({rule.name for rule in api.rules() if rule.name.startswith(begun)})


@cli.command()
@click.argument("names", nargs=-1, required=True, metavar="RULE...", shell_complete=_rule_names)
def explain(names: tuple[str, ...]) -> None:
    """Say what a rule says, with an example and what to do: of findings, notes, doubts, decisions, waivers."""
    for rule in api.explain(names):
        show(*rule.lines())


cli.add_command(machines.report)
cli.add_command(machines.cache)
