"""How the tests of notes run, and what pytest's own options do with them."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from claiming import FALSE, TRUE
from commanding import commanding
from commands import Command

from deckgen.model.verdict import NameVerdict, VerdictKind
from deckgen.outcome import FINE, UNJUDGED
from deckgen.pytest_plugin import VALUES
from deckgen.pytest_plugin.plugin import MARKS

PROJECT = Path(__file__).parents[2]
WORDS = {*VerdictKind, *NameVerdict}

WAIVED = """\
id = 1700000000000
waivers = [{text = "[4, 3, 3]", reason = "differs on purpose"}]
"""


def test_each_claim_card_and_name_is_a_test_on_its_line(notes):
    run = notes("--deckgen", "notes", "--collect-only", "-q", notes__shapes=FALSE)
    assert run.outlines[: run.outlines.index("")] == [
        "notes/shapes.md::5:name",
        "notes/shapes.md::6:claim",
        "notes/shapes.md::7:claim",
        "notes/shapes.md::7:name",
        "notes/shapes.md::7:name#2",
        "notes/shapes.md::8:claim",
        "notes/shapes.md::8:name",
        "notes/shapes.md::8:name#2",
        "notes/shapes.md::11:name",
        "notes/shapes.md::12:card",
        "notes/shapes.md::16:name",
        "notes/shapes.md::17:name",
        "deckgen::run",
    ]


def test_collecting_runs_nothing(notes):
    run = notes("--deckgen", "notes", "--collect-only", "-q", "--deckgen-python", "/nowhere", notes__sums=TRUE)
    assert run.ret == 0
    assert "notes/sums.md::5:claim" in run.outlines


def test_a_failure_tells_the_difference_in_the_words_of_deckgen(notes):
    run = notes("--deckgen", "notes", notes__shapes=FALSE)
    run.assert_outcomes(failed=3, passed=10)
    run.stdout.fnmatch_lines(
        [
            "*notes/shapes.md:8: [[]4, 3, 3[]] ___*",
            "notes/shapes.md:8: contradicted: `[[]4, 3, 3[]]`: 3 claimed, torch says 4",
            "    --- claimed",
            "    +[[]4, 4, 2[]]",
            "FAILED notes/shapes.md::8:claim - notes/shapes.md:8: contradicted: *",
            "FAILED notes/shapes.md::17:name - notes/shapes.md:17: renamed: *",
        ]
    )
    assert "Traceback" not in run.stdout.str()
    assert "plugin.py" not in run.stdout.str()


def test_the_page_shows_how_the_example_of_the_readme_fails(notes):
    readme, page = ((PROJECT / name).read_text("utf-8") for name in ("README.md", "docs/pytest.md"))
    example = readme.split("<!-- example: notes/shapes.md -->\n````markdown\n")[1].split("````\n")[0]
    (shown,) = re.findall(r"^```text\n_+ (.*?)```$", page, re.MULTILINE | re.DOTALL)
    heading, *lines = shown.strip().split("\n")
    run = notes("--deckgen", "notes", notes__shapes=example)
    run.stdout.no_fnmatch_line("*Traceback*")
    assert "\n".join(lines) in run.stdout.str()
    assert heading.rstrip("_ ") in run.stdout.str()


def test_it_ends_with_the_summary_of_verify(notes):
    run = notes("--deckgen", "notes", notes__shapes=FALSE)
    run.stdout.fnmatch_lines(["*== deckgen ==*", "claims: 4 found, 4 checked, 2 held (2 contradicted)"])


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (("-k", "size or run"), ["6:claim"]),
        (("-k", "torch.catt"), ["17:name"]),
        (("-m", "deckgen_card"), ["12:card"]),
        (("-m", "deckgen and not deckgen_name and not deckgen_claim"), ["12:card", "run"]),
        (("-m", "not deckgen"), []),
    ],
)
def test_tests_are_selected_by_what_they_say_and_are(notes, chosen, names):
    run = notes("--deckgen", "notes", "--collect-only", "-q", *chosen, notes__shapes=FALSE)
    found = [line.rpartition("::")[2] for line in run.outlines if "::" in line]
    assert [name for name in found if name != "run" or names[-1:] == ["run"]] == names


def test_code_that_does_not_parse_is_told_in_the_words_of_the_terminal(notes):
    run = notes("--deckgen", "notes", notes__sums=TRUE, notes__a="```python\nprint(torch.ones(2)  # prints 1\n```\n")
    run.stdout.fnmatch_lines(["notes/a.md:2: not-python (this code does not parse)"])


def test_a_single_test_runs_by_its_name_and_nothing_else_does(notes):
    run = notes("--deckgen", "notes/shapes.md::7:claim", notes__shapes=FALSE)
    run.assert_outcomes(failed=1)


def test_x_stops_at_the_first_that_is_false(notes):
    notes("--deckgen", "notes", "-x", notes__shapes=FALSE).assert_outcomes(failed=1, passed=2)


def test_lf_runs_what_failed_and_after_the_mending_passes(notes):
    notes("--deckgen", "notes", notes__shapes=FALSE, notes__sums=TRUE).assert_outcomes(failed=3, passed=12)
    notes("--deckgen", "notes", "--lf").assert_outcomes(failed=3)
    mended = FALSE.replace("[4, 3, 3]", "[4, 4, 2]").replace("prints 4", "prints 3").replace("catt", "cat")
    notes("--deckgen", "notes", "--lf", notes__shapes=mended).assert_outcomes(passed=3)


def test_a_run_of_which_nothing_has_changed_is_told_again_and_a_changed_one_is_not(notes):
    first = notes("--deckgen", "notes", notes__shapes=FALSE)
    again = notes(
        "--deckgen",
        "notes",
    )
    assert again.parseoutcomes() == first.parseoutcomes() == {"failed": 3, "passed": 10}
    again.stdout.fnmatch_lines(["*engine: cache*", "FAILED notes/shapes.md::8:claim - *"])
    assert notes("--deckgen", "notes", "--deckgen-fail-on", "none").parseoutcomes() == {"xfailed": 3, "passed": 10}
    changed = notes("--deckgen", "notes", notes__shapes=FALSE.replace("[4, 3, 3]", "[4, 4, 2]"))
    assert changed.parseoutcomes() == {"failed": 2, "passed": 11}


@pytest.mark.own_workers
def test_processes_of_xdist_share_one_check(notes, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = notes("--deckgen", "notes", "-n", "2", "-v", subprocess=True, notes__shapes=FALSE, notes__sums=TRUE)
    run.assert_outcomes(failed=3, passed=12)
    run.stdout.fnmatch_lines(
        ["notes/shapes.md:8: contradicted: `[[]4, 3, 3[]]`: 3 claimed, torch says 4", "*engine: fork*"]
    )
    assert "engine: cache" not in run.stdout.str()
    assert "gw1" in run.stdout.str()


def test_what_is_waived_or_cannot_be_checked_is_skipped_with_its_reason(notes):
    missing = "\n```python\nimport torch\ny = model(torch.ones(2))\nprint(y)  # prints tensor([1., 1.])\n```\n"
    run = notes("--deckgen", "notes", "-rs", notes__shapes=FALSE + missing, **{"notes__deck.toml": WAIVED})
    assert run.parseoutcomes() == {"failed": 2, "passed": 11, "skipped": 2}
    run.stdout.fnmatch_lines(
        [
            "SKIPPED * notes/shapes.md:8: unverified: `[[]4, 3, 3[]]`: skipped: differs on purpose",
            "SKIPPED * notes/shapes.md:22: unverified: *missing-name model *",
        ]
    )


def test_what_fails_no_run_is_expected_to_fail(notes):
    suggested = "# Notes\n\n### What does `torch.arange(5).sum()` return?\n\n`tensor(11)`\n\n" + TRUE
    run = notes("--deckgen", "notes", "-rx", notes__a=suggested)
    assert run.parseoutcomes()["xfailed"] == 1
    assert run.ret == 0
    run.stdout.fnmatch_lines(["XFAIL notes/a.md::5:card - contradicted: *torch has 10"])
    assert notes("--deckgen", "notes", "--deckgen-fail-on", "suggested").ret == 1
    none = notes("--deckgen", "notes", "--deckgen-fail-on", "none", notes__a=FALSE)
    assert none.parseoutcomes() == {"xfailed": 3, "passed": 10}


def test_what_is_wrong_with_the_whole_run_fails_a_test_of_its_own(notes):
    run = notes("--deckgen", "notes", "--deckgen-min-checked", "9", notes__sums=TRUE)
    run.assert_outcomes(failed=1, passed=2)
    run.stdout.fnmatch_lines(
        ["only 1 claims were checked; --deckgen-min-checked wants 9", "FAILED deckgen::run - only 1 *"]
    )
    empty = notes("--deckgen", "notes", notes__sums="Nothing here.\n")
    empty.assert_outcomes(failed=1)
    empty.stdout.fnmatch_lines(["nothing was found in these sources: *"])


def test_a_source_that_cannot_be_read_fails_and_the_others_are_checked(notes):
    run = notes("--deckgen", "notes", notes__a="# A\n\n```python {file=gone.py#x}\n```\n", notes__sums=TRUE)
    assert run.parseoutcomes() == {"failed": 1, "passed": 3}
    run.stdout.fnmatch_lines(["FAILED notes/a.md::unreadable - notes/a.md:3: unreadable: *"])


def _make_pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.posix("makes symbolic links")
@pytest.mark.parametrize("make", [_make_pipe, lambda path: path.symlink_to("nowhere.md")], ids=["fifo", "link"])
@pytest.mark.parametrize("asked", [("notes",), ("notes", "--deckgen-min-checked", "1")])
def test_a_source_that_pytest_passes_by_because_it_is_no_file_fails_the_run(notes, pytester, make, asked):
    (pytester.path / "notes").mkdir()
    make(pytester.path / "notes" / "b.md")
    run = notes("--deckgen", *asked, notes__sums=TRUE)
    assert run.parseoutcomes() == {"failed": 1, "passed": 2}
    run.stdout.fnmatch_lines(["notes/b.md:1: unreadable: *", "FAILED deckgen::run - notes/b.md:1: unreadable: *"])
    run = notes("--deckgen", *asked, "--ignore", "notes/sums.md")
    run.stdout.fnmatch_lines(["FAILED deckgen::run - notes/b.md:1: unreadable: *"])


@pytest.mark.parametrize(
    "files",
    [{"build__a": FALSE, "notes__sums": TRUE}, {"notes__x.egg__a.md": FALSE, "notes__sums": TRUE}],
    ids=["named", "below"],
)
def test_what_pytest_does_not_enter_although_it_is_configured_as_notes_fails_the_run(notes, files):
    ini = "[pytest]\ndeckgen_paths = notes build\n" if "build__a" in files else "[pytest]\ndeckgen_paths = notes\n"
    run = notes("--deckgen", **{"pytest.ini": ini}, **files)
    assert run.parseoutcomes() == {"failed": 1, "passed": 2}
    run.stdout.fnmatch_lines(["FAILED deckgen::run - *a.md:1: not-collected: pytest *"])
    every = notes("--deckgen", "--override-ini", "norecursedirs=none")
    assert every.parseoutcomes() == {"failed": 3, "passed": 12}
    ignored = notes("--deckgen", "--override-ini", "norecursedirs=none", "--ignore-glob", "*/a.md")
    assert ignored.parseoutcomes() == {"passed": 3}


def test_what_pytest_does_not_enter_of_what_is_not_configured_is_told(notes):
    run = notes("--deckgen", "notes", notes__build__a=FALSE, notes__sums=TRUE)
    assert run.parseoutcomes() == {"passed": 3}
    told = "notes/build/a.md:1: not-collected: pytest does not enter `build` *"
    run.stdout.fnmatch_lines(["*== deckgen ==*", told])
    quiet = notes("--deckgen", "notes", "-q")
    quiet.stdout.fnmatch_lines([told])
    quiet.stdout.no_fnmatch_line("claims: *")
    silent = notes("--deckgen", "notes/sums.md", "-q")
    silent.stdout.no_fnmatch_line("*deckgen ==*")
    selected = notes("--deckgen", "notes", "-q", "-k", "name")
    selected.stdout.fnmatch_lines([told])


def test_a_configured_path_that_is_not_there_is_told_and_nothing_runs(notes):
    run = notes("--deckgen", **{"pytest.ini": "[pytest]\ndeckgen_paths = note\n"}, notes__sums=FALSE)
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    run.stderr.fnmatch_lines(["ERROR: deckgen: */note: `deckgen_paths` names what does not exist", "  hint: mend *"])


def test_the_run_as_a_whole_is_counted_with_what_was_collected(notes):
    run = notes("--deckgen", "notes", notes__sums=TRUE)
    run.assert_outcomes(passed=3)
    run.stdout.fnmatch_lines(["collected 3 items"])


def test_the_short_summary_of_several_processes_says_what_is_wrong(notes):
    run = notes("--deckgen", "notes", "-n", "2", "--junitxml=out.xml", subprocess=True, notes__shapes=FALSE)
    run.stdout.fnmatch_lines(["FAILED notes/shapes.md::8:claim - notes/shapes.md:8: contradicted: *"])
    failures = ElementTree.parse("out.xml").iter("failure")
    assert all(one.get("message").startswith("notes/shapes.md:") for one in failures)


def test_what_the_page_looks_for_with_k_is_found(notes):
    page = (PROJECT / "docs" / "pytest.md").read_text("utf-8")
    (chosen,) = re.findall(r'`-k "(.*?)"`', page)
    notes("--deckgen", "notes", "-k", chosen, notes__shapes=FALSE + TRUE).assert_outcomes(passed=3, deselected=12)


def test_a_wrong_deck_toml_or_option_is_told_on_one_line(notes):
    run = notes("--deckgen", "notes", notes__sums=TRUE, **{"notes__deck.toml": "tga = 1\n"})
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    run.stderr.fnmatch_lines(["ERROR: deckgen: notes/deck.toml:1: *"])
    run = notes("--deckgen", "notes", "--deckgen-fail-on", "nonsense")
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    run.stderr.fnmatch_lines(["ERROR: deckgen: --deckgen-fail-on: unknown word `nonsense`"])


@pytest.mark.parametrize("name", sorted({*VALUES} - {"python"}))
def test_what_an_option_cannot_mean_is_told_with_the_place_where_it_stands(notes, name):
    key = f"deckgen_{name.replace('-', '_')}"
    configured = notes("--deckgen", "notes", notes__sums=TRUE, **{"pytest.ini": f"[pytest]\n{key} = none of it\n"})
    typed = notes("--deckgen", "notes", f"--deckgen-{name}", "none of it")
    for run, where in ((configured, key), (typed, f"--deckgen-{name}")):
        assert run.ret == pytest.ExitCode.USAGE_ERROR
        run.stderr.fnmatch_lines([f"ERROR: deckgen: {where}: *"])


@pytest.mark.parametrize("name", sorted(VALUES))
def test_an_option_that_is_empty_is_refused(notes, name):
    run = notes("--deckgen", "notes", f"--deckgen-{name}=", notes__sums=TRUE)
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    run.stderr.fnmatch_lines([f"ERROR: deckgen: --deckgen-{name}: it is empty: *"])


def test_where_nothing_can_run_one_test_says_why_and_the_others_are_skipped(notes, tmp_path):
    run = notes("--deckgen", "notes", "--deckgen-python", str(tmp_path / "none"), notes__sums=TRUE)
    run.assert_outcomes(failed=1, skipped=2)
    run.stdout.fnmatch_lines([f"deckgen: *{tmp_path / 'none'}*", "hint: --deckgen-python takes an interpreter*"])


def test_what_notes_hold_commands_neither_terminals_nor_runners(notes):
    evil = "# A\n\n```python\nprint('a')\n```\n\nOutput:\n\n```text\n\x1b[2Jb\n::error::c\n```\n"
    run = notes("--deckgen", "notes", notes__a=evil)
    assert run.parseoutcomes()["failed"] == 2
    assert "\x1b[2J" not in run.stdout.str()
    assert commanding(run.stdout.str()) == []
    assert "\\x3a:error::c" in run.stdout.str()


# --- the configuration ---

INI = "[pytest]\ndeckgen = true\ndeckgen_paths = notes\ndeckgen_min_checked = 100%\n"


def test_the_configuration_can_say_all_that_options_say(notes):
    files = {"pytest.ini": INI, "notes__sums": TRUE, "README": FALSE, "test_it.py": "def test_it():\n    pass\n"}
    notes(".", **files).assert_outcomes(passed=4)
    notes("--deckgen-min-checked", "7").assert_outcomes(failed=1, passed=3)
    notes("README.md").assert_outcomes(failed=3, passed=10)
    notes("test_it.py").assert_outcomes(passed=1)


def test_without_being_asked_the_plugin_collects_and_imports_nothing(notes, pytester):
    run = notes("notes", notes__sums=TRUE)
    assert run.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    pytester.makeconftest(
        "import sys\ndef pytest_unconfigure():\n"
        "    print(sorted(name for name in sys.modules if name.startswith('deckgen') or name == 'torch'))\n"
    )
    run = notes("notes", subprocess=True)
    assert "['deckgen', 'deckgen.pytest_plugin']" in run.outlines


def test_tests_in_python_run_beside_those_of_notes(notes):
    files = {"notes__test_it.py": "def test_it():\n    pass\n", "notes__sums": TRUE}
    notes("--deckgen", "notes", **files).assert_outcomes(passed=4)


# --- against `deckgen verify` ---


def ending(case: ElementTree.Element) -> str:
    """How pytest's own file says that a case ended."""
    skipped = case.find("skipped")
    return "failed" if case.find("failure") is not None else "passed" if skipped is None else skipped.get("type")


def test_every_verdict_is_that_of_verify(notes, pytester, tmp_path):
    folder = PROJECT / "tests" / "documents"
    texts = {f"notes__{path.stem}": path.read_text("utf-8") for path in sorted(folder.glob("*.md"))}
    run = notes("--deckgen", "notes", "--junitxml", "out.xml", "-q", **texts)
    found = Counter()
    for case in ElementTree.parse(pytester.path / "out.xml").iter("testcase"):
        line = case.get("name").partition(":")[0]
        found[case.get("classname"), int(line) if line.isdigit() else 0, ending(case)] += 1
    del found["deckgen", 0, "passed" if ("deckgen", 0, "passed") in found else "failed"]
    verify = Command(pytester.path, tmp_path)("verify", "notes", "--format", "sarif", "--report", "json=verify.json")
    assert (run.ret != 0) == (verify.returncode != 0)
    told = json.loads(verify.stdout)["runs"][0]["results"]
    levels = {"error": "failed", "warning": "pytest.xfail"}
    wanted = Counter()
    for one in told:
        place = one["locations"][0]["physicalLocation"]
        if one["ruleId"] in WORDS:
            wanted[
                place["artifactLocation"]["uri"].replace("/", "."), place["region"]["startLine"], levels[one["level"]]
            ] += 1
    for source in json.loads((pytester.path / "verify.json").read_text("utf-8"))["sources"]:
        for verdict in (*source["claims"], *source["apis"]):
            if verdict["verdict"] in FINE | UNJUDGED:
                word = "passed" if verdict["verdict"] in FINE else "pytest.skip"
                wanted[source["path"].replace("/", "."), verdict["line"], word] += 1
    assert found == wanted
    assert {word for _, _, word in found} == {"passed", "failed", "pytest.skip"}


def test_the_entry_point_is_that_of_the_distribution():
    run = subprocess.run([sys.executable, "-m", "pytest", "--help"], capture_output=True, text=True, check=True)
    assert "--deckgen-min-checked" in run.stdout


def test_the_page_names_every_option_and_key_and_no_others():
    page = (PROJECT / "docs" / "pytest.md").read_text("utf-8")
    keys = {f"deckgen_{name.replace('-', '_')}" for name in VALUES}
    assert set(re.findall(r"\bdeckgen_\w+", page)) == keys | {"deckgen_paths", *MARKS} - {"deckgen"}
    options = {f"--deckgen-{name}" for name in VALUES} | {"--deckgen-no-cache"}
    assert set(re.findall(r"--deckgen-[\w-]+", page)) <= options
