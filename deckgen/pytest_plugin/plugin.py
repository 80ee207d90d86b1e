"""What pytest asks of a plugin: which files are notes, which tests are in them, and how each ends."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from deckgen.model.errors import DeckgenError, UsageError
from deckgen.pytest_plugin.checking import (
    NOT_COLLECTED,
    Checked,
    Key,
    LeftOut,
    Notes,
    places,
    without_looking_for_cycles,
)
from deckgen.pytest_plugin.settings import in_words_of_pytest, wishes
from deckgen.report.cases import Ending, kind_of, title_of
from deckgen.text.harmless import line as harmless

KINDS = ("claim", "card", "name")
"""As `kind_of` has them; each has a mark."""
MARKS = {
    "deckgen": "what notes claim",
    "deckgen_claim": "what code in notes is said to give",
    "deckgen_card": "an answer in words that torch can decide",
    "deckgen_name": "a name of the API",
}


class WrongNotesError(Exception):
    """A test of notes fails: what is told of it."""

    def __init__(self, lines: list[str], path: Path, line: int) -> None:
        super().__init__("\n".join(map(harmless, lines)))
        self.summary = harmless(lines[0])
        self.path, self.line = path, line


class NotesTest(pytest.Item):
    """A test of notes."""

    def __init__(self, *, notes_plugin: NotesPlugin, place: tuple[Path, str, int], title: str, **more: Any) -> None:
        super().__init__(**more)
        self.notes_plugin = notes_plugin
        self.file, self.source, self.line = place
        self.title = harmless(title)

    def found(self) -> Checked:
        """What was found; the first test has all that are selected checked. Not while it is set up: an error there is told as a trace."""
        return self.notes_plugin.checked(self.session.items)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file, its 0-based line, and how the test is called where it failed."""
        return self.file, self.line - 1, f"{harmless(self.source)}:{self.line}: {self.title}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """In deckgen's words, without a trace through its code."""
        error = excinfo.value
        if not isinstance(error, WrongNotesError):
            return super().repr_failure(excinfo, style)
        told: Any = excinfo.getrepr(style="value")  # a chain of errors, for which pytest has no public name
        traceback, crash, description = told.chain[-1]  # all that reaches another process
        if crash is None:
            return told
        crash = type(crash)(str(error.path), error.line, error.summary)
        return type(told)([*told.chain[:-1], (traceback, crash, description)])


class ClaimTest(NotesTest):
    """Of one claim, name, or decided card; or of a source that cannot be read."""

    def __init__(self, *, key: Key, **more: Any) -> None:
        super().__init__(**more)
        self.key = key

    def runtest(self) -> None:
        """Ends as the verdict does; what is no failure of `deckgen verify` is none."""
        case = self.found().cases.get(self.key)
        if case is None or case.ending is Ending.PASSED:
            return
        if case.ending is Ending.FAILED:
            raise WrongNotesError(case.lines, self.file, self.line)
        told = harmless(f"{case.word}: {case.message}")
        if case.ending is Ending.TOLD:
            pytest.xfail(told)
        raise pytest.skip.Exception(told, _use_item_location=True)


class RunTest(NotesTest):
    """Of what is wrong with the run, and with no single claim."""

    def runtest(self) -> None:
        """Fails where `deckgen verify` would."""
        failing = [case for case in self.found().others if case.ending is Ending.FAILED]
        if failing:
            lines = [
                in_words_of_pytest(line) if case.kind == "run" else line for case in failing for line in case.lines
            ]
            raise WrongNotesError(lines, self.file, self.line)

    def reportinfo(self) -> tuple[Path, int, str]:
        """It stands nowhere."""
        return self.file, 0, self.title


class NotesFile(pytest.File):
    """A source."""

    notes_plugin: NotesPlugin
    source: str

    def collect(self) -> Iterator[NotesTest]:
        """A test for each claim and name, in the order of its lines; none of them has run."""
        notes, count = self.notes_plugin.notes, Counter[str]()
        marks = {kind: getattr(pytest.mark, f"deckgen_{kind}") for kind in KINDS}
        if self.source in notes.unreadable:
            yield self._test(1, "unreadable", "can be read", "")
        extraction = notes.extractions.get(self.source)
        claims = [claim for snippet in extraction.snippets for claim in snippet.claims] if extraction else []
        for claim in sorted([*claims, *(extraction.apis if extraction else ())], key=lambda one: one.span.first):
            name = f"{claim.span.first}:{kind_of(claim)}"
            count[name] += 1
            number = f"#{count[name]}" if count[name] > 1 else ""
            test = self._test(claim.span.first, f"{name}{number}", title_of(claim), claim.id)
            test.add_marker(marks[kind_of(claim)])
            test.extra_keyword_matches |= {test.title, claim.form}
            yield test

    def _test(self, line: int, name: str, title: str, claim: str) -> NotesTest:
        place = self.path, self.source, line
        key = self.source, claim
        made: NotesTest = ClaimTest.from_parent(
            self, name=name, notes_plugin=self.notes_plugin, place=place, title=title, key=key
        )
        return made


class NotesPlugin:
    """Registered where notes are to be checked."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        for name, what in MARKS.items():
            config.addinivalue_line("markers", f"{name}: {what}")
        self.shared = Path(folder) if (folder := getattr(config, "workerinput", {}).get("deckgen")) else None
        """Where processes of one run tell each other what was found."""
        self._own_folder: Path | None = None
        self._checked: Checked | None = None
        self._refused = False
        try:
            self.notes = Notes(*wishes(config))
        except DeckgenError as error:
            raise _usage(error) from None

    # --- which tests there are ---

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        """Reads the notes; then tests are collected."""
        self._find()
        with without_looking_for_cycles():
            return (yield)

    def _find(self) -> None:
        folder = self.config.invocation_params.dir
        asked = [folder / argument.partition("::")[0] for argument in self.config.args]
        try:
            self.notes.find(places([Path(os.path.abspath(path)) for path in asked], self._limits()))
        except DeckgenError as error:
            raise _usage(error) from None

    def _limits(self) -> list[Path]:
        """What the configuration says is notes. Raises UsageError for what is not there."""
        limits = [Path(os.path.abspath(self.config.rootpath / path)) for path in self.config.getini("deckgen_paths")]
        for limit in limits:
            if not limit.exists():
                hint = "mend the path, which starts at the folder of the configuration, or take it out"
                raise UsageError("`deckgen_paths` names what does not exist", str(limit), hint)
        return limits

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """The tests of a file that is a source of notes."""
        source = self.notes.sources.get(file_path)
        if source is None:
            return None
        self.notes.collected.add(source)
        made: NotesFile = NotesFile.from_parent(parent, path=file_path)
        made.notes_plugin, made.source = self, source
        made.add_marker("deckgen")
        return made

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """One test more, of the run as a whole, unless single tests were asked for by name."""
        if self.notes.loaded and not any("::" in argument for argument in self.config.args):
            self.notes.left_out = dict(self._left_out(session))
            place = self.config.rootpath, "", 1
            more = {"notes_plugin": self, "place": place, "title": "the notes as a whole"}
            test = RunTest.from_parent(session, name="run", nodeid="deckgen::run", **more)
            test.add_marker("deckgen")
            items.append(test)
            # as if a collector had found it: it is counted
            self.config.hook.pytest_collectreport(report=pytest.CollectReport("deckgen", "passed", None, [test]))

    def _left_out(self, session: pytest.Session) -> Iterator[tuple[str, LeftOut]]:
        """The sources to which pytest did not come because it is told not to."""
        limits = self._limits()
        for path, source in self.notes.sources.items():
            if source in self.notes.collected:
                continue
            way = takewhile(lambda place: not session.isinitpath(place), (path, *path.parents))
            ignored = self.config.hook.pytest_ignore_collect
            place = next((place for place in way if ignored(collection_path=place, config=self.config)), None)
            if place is None:
                continue
            usual = place.is_dir() and any(map(place.match, self.config.getini("norecursedirs")))
            yield source, LeftOut(place.name if usual else "", any(map(path.is_relative_to, limits)))

    # --- how they end ---

    def checked(self, items: list[pytest.Item]) -> Checked:
        """What was found in everything that was selected: in all notes, where the run as a whole is among it."""
        if self._checked is not None:
            return self._checked
        if self._refused:
            pytest.skip("deckgen could not run the notes: the first of them says why")
        tests = [item for item in items if isinstance(item, NotesTest)]
        all_of_them = any(isinstance(item, RunTest) for item in tests)
        selected = None if all_of_them else frozenset(item.source for item in tests)
        self._refused = True  # as long as nothing is found: what fails once is not tried again for each test
        try:
            self._checked = self._shared(selected)
        except DeckgenError as error:
            lines = [f"deckgen: {error}", *([f"hint: {error.hint}"] if error.hint else [])]
            raise WrongNotesError([in_words_of_pytest(line) for line in lines], self.config.rootpath, 1) from None
        return self._checked

    def _shared(self, selected: frozenset[str] | None) -> Checked:
        """What was found, by this process or another one of this run."""
        if self.shared is None or not self.shared.is_dir():
            return self.notes.check(selected)
        with FileLock(self.shared / "lock"):
            kept = self.shared / "checked.json"
            if kept.exists():
                return Checked.of_text(kept.read_text("utf-8"))
            found = self.notes.check(selected)
            kept.write_text(found.as_text(), "utf-8", newline="\n")
            return found

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """What `deckgen verify` says last; with -q only what would be green without a word."""
        checked = self._checked
        if checked is None and self._own_folder and (kept := self._own_folder / "checked.json").exists():
            checked = Checked.of_text(kept.read_text("utf-8"))
        if checked is None:
            return
        is_quiet = self.config.get_verbosity() < 0
        told = [case for case in checked.others if case.ending not in (Ending.FAILED, Ending.PASSED)]
        lines = [line for case in told if case.kind == NOT_COLLECTED or not is_quiet for line in case.lines]
        if lines or not is_quiet:
            terminalreporter.write_sep("=", "deckgen")
        for line in (*lines, *(() if is_quiet else checked.summary)):
            terminalreporter.write_line(harmless(line))

    # --- several processes ---

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """pytest-xdist starts a process."""
        self._own_folder = self._own_folder or Path(tempfile.mkdtemp(prefix="deckgen-"))
        node.workerinput["deckgen"] = str(self._own_folder)

    def pytest_unconfigure(self) -> None:
        """What they shared goes."""
        if self._own_folder:
            shutil.rmtree(self._own_folder, ignore_errors=True)


def _usage(error: DeckgenError) -> pytest.UsageError:
    hint = f"\n  hint: {harmless(in_words_of_pytest(error.hint))}" if error.hint else ""
    return pytest.UsageError(f"deckgen: {harmless(in_words_of_pytest(str(error)))}{hint}")
