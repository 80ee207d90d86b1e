import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from verdicts import HERE, api, note, results, verdict

from deckgen.extract import extract
from deckgen.model.errors import SourceError
from deckgen.model.observation import Observation, Observed
from deckgen.model.results import BroadWaiver, Delivered, Results
from deckgen.model.source import Source
from deckgen.model.verdict import Checked, Failure, NameVerdict, VerdictKind, Verification
from deckgen.outcome import FAILING, MinChecked, outcome, parse_fail_on
from deckgen.read import read
from deckgen.report import REPORTERS, terminal

RUN = results(
    verdict(3, VerdictKind.HOLDS),
    verdict(5, VerdictKind.CONTRADICTED, observed="tensor(2)", reason="the value is 2, not 1"),
    verdict(7, VerdictKind.UNVERIFIED, reason="needs-cuda"),
    api(9, NameVerdict.RENAMED, text="torch.ctc", suggestion="torch.cat", reason="100% a < slip\nof the pen"),
    notes=[note(1)],
)


TELLING = [style for style in REPORTERS if style != "badge"]
"""A badge has no room for a finding."""


def report(style):
    return REPORTERS[style](outcome(RUN))


SEVERAL = results(
    *(verdict(line, VerdictKind.UNVERIFIED, reason="missing-module tqdm") for line in range(3, 10)),
    verdict(11, VerdictKind.HOLDS),
    notes=[note(1)],
)


def test_seven_claims_that_want_one_package_are_one_line():
    lines = [line for line in terminal.verified(outcome(SEVERAL)).splitlines() if "tqdm" in line]
    assert lines == ["notes.md:3: unverified: 7 checks need tqdm: pip install tqdm"]


def test_a_message_of_several_lines_is_lines_and_shows_no_marks_of_lines():
    words = VerdictKind.UNVERIFIED, VerdictKind.CONTRADICTED
    run = results(
        *(verdict(3, word, reason="Error(s) in loading:\n\tMissing key(s)") for word in words), notes=[note(1)]
    )
    told = terminal.verified(outcome(run))
    assert "\\n" not in told
    assert told.count("Error(s) in loading:\n    \tMissing key(s)\n") == 2


def test_claims_about_other_versions_are_one_line_and_no_annotation():
    run = results(*(verdict(line, VerdictKind.SKIPPED, reason="torch 2.9") for line in (3, 5)), notes=[note(1)])
    shown = {style: REPORTERS[style](outcome(run)) for style in REPORTERS}
    assert shown["text"].split("\n")[0] == "notes.md:3: skipped: torch 2.9: 2 checks are about other versions"
    assert "(2 skipped)" in shown["text"]
    assert "::" not in shown["github"]
    assert json.loads(shown["sarif"])["runs"][0]["results"] == []
    assert "skipped:" not in shown["summary"]
    assert shown["junit"].count('<skipped message="skipped: torch 2.9"') == 2
    assert shown["json"].count('"verdict": "skipped"') == 2


@pytest.mark.parametrize("style", TELLING)
def test_every_report_tells_what_torch_refuses(style):
    (checked,) = RUN.verification.sources
    checked = replace(checked, fails={"1": Failure(line=11, message="TypeError: 'Tensor' object is not callable")})
    run = replace(RUN, verification=replace(RUN.verification, sources=(checked,)))
    told = REPORTERS[style](outcome(run))
    assert "12" in told
    assert "object is not callable" in told
    failing = parse_fail_on("fails")
    failed = {"junit": "<failure", "sarif": '"level": "error"'}.get(style, "fail")
    assert failed in REPORTERS[style](outcome(run, failing))


@pytest.mark.parametrize("style", TELLING)
def test_every_report_tells_of_a_waiver_that_covers_too_much(style):
    run = replace(RUN, broad_waivers=(BroadWaiver(config="deck.toml", line=12, message="covers 2 of 3"),))
    told = [REPORTERS[style](outcome(run, words)) for words in (FAILING, parse_fail_on("broad-waiver"))]
    assert all(text in one for one in told for text in ("deck.toml", "12", "covers 2 of 3"))
    assert style == "json" or told[0] != told[1]


@pytest.mark.parametrize("style", TELLING)
def test_every_report_tells_the_false_claim_and_its_line(style):
    assert "the value is 2, not 1" in report(style)
    assert "5" in report(style)
    assert report(style).endswith("\n")


def test_text_shows_found_checked_and_held():
    assert "claims: 3 found, 2 checked, 1 held (1 contradicted, 1 unverified)" in report("text")
    assert "notes.md:5: contradicted:" in report("text")
    assert "sandbox: landlock7" in report("text")


UNREAD = """# A

<!-- deckgen: skp -->

```python
def f(:
    pass
```

```python
import torch
x = torch.load("missing.pt")
```
"""


@pytest.mark.parametrize("style", TELLING)
def test_every_report_names_code_that_does_not_parse_missing_files_and_misspelt_words(style):
    found = extract(read(Source("notes.md", UNREAD)))
    broken, loading = found.snippets
    runs = {
        broken.id: Observed(first=Observation(status="not-run", reason="not-python")),
        loading.id: Observed(
            first=Observation(
                status="ran",
                reason="missing-file missing.pt",
                exception="FileNotFoundError: [Errno 2] No such file or directory: 'missing.pt'",
                exception_line=1,
            )
        ),
    }
    checked = Checked(source="notes.md", runs=runs, verdicts=(), apis=())
    refused = SourceError("no such file: gone.py", "notes.md:47")
    run = Results(
        extractions=(found,),
        verification=Verification(environment=HERE, sources=(checked,)),
        unreadable=(refused,),
        warnings=("notes.md:3: a directive says `skp`",),
    )
    told = REPORTERS[style](outcome(run))
    places = {
        "text": (
            "notes.md:6: not-python",
            "notes.md:12: missing-file missing.pt",
            "notes.md:47: no such file: gone.py",
        ),
        "github": ("line=6", "line=12", "line=3", "::error file=notes.md,line=47,"),
        "junit": ('name="6: ', 'name="12: ', 'name="3: ', '<failure message="unreadable: no such file: gone.py"'),
        "csv": ("notes.md,6,", "notes.md,12,", "notes.md,3,", "notes.md,47,"),
        "sarif": ('"startLine": 6', '"startLine": 12', '"startLine": 3', '"startLine": 47', "no such file: gone.py"),
        "summary": ("notes.md:6: not-python", "notes.md:12: missing-file", "notes.md:47: unreadable: no such file"),
        "json": ('"line": 3', "not-python", "missing-file missing.pt", "notes.md:47: no such file: gone.py"),
    }
    assert [place for place in places[style] if place not in told] == []
    assert style == "text" or "`skp`" in told  # which is told beside the text


def test_quiet_says_what_is_wrong_with_its_place_and_nothing_else():
    lines = terminal.wrong(outcome(RUN)).splitlines()
    assert [line for line in lines if line.startswith("notes.md:")] == [
        "notes.md:5: contradicted: `tensor(1)`: the value is 2, not 1",
        "notes.md:9: renamed: `torch.ctc`: 100% a < slip\nof the pen".splitlines()[0],
    ]
    assert lines[-1].startswith("exit 1: ")
    fine = results(verdict(3, VerdictKind.HOLDS), notes=[note(1)])
    assert terminal.wrong(outcome(fine)) == ""


def test_json_has_what_its_readers_count_on():
    data = json.loads(report("json"))
    assert data["schema"] == "deckgen.verify/1"
    (source,) = data["sources"]
    assert [(claim["line"], claim["verdict"], claim["code_line"]) for claim in source["claims"]] == [
        (3, "holds", 1),
        (5, "contradicted", 1),
        (7, "unverified", 1),
    ]
    assert source["apis"][0] == {
        "id": "a9",
        "line": 9,
        "name": "torch.ctc",
        "verdict": "renamed",
        "qualified": None,
        "signature": None,
        "suggestion": "torch.cat",
        "reason": "100% a < slip\nof the pen",
    }
    assert data["summary"]["claims"]["checked"] == 2
    assert data["summary"]["apis"]["renamed"] == 1


def test_junit_counts_as_it_lists():
    root = ElementTree.fromstring(report("junit"))
    suite = root.find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "2", "1")
    assert len(suite.findall("testcase/failure")) == 2
    assert suite.find("testcase[@name='7: tensor(1)']/skipped").get("message") == "unverified: needs-cuda"
    assert [root.get(name) for name in ("tests", "failures", "errors")] == ["4", "2", "0"]


def test_a_red_run_is_never_a_junit_file_without_failures():
    fine = results(verdict(3, VerdictKind.HOLDS), notes=[note(1)])
    assert "<failure" not in REPORTERS["junit"](outcome(fine))
    red = outcome(fine, min_checked=MinChecked(2))
    root = ElementTree.fromstring(REPORTERS["junit"](red))
    (case,) = root.findall("testsuite[@name='deckgen']/testcase")
    assert case.find("failure").get("message") == "only 1 claims were checked; --min-checked wants 2"
    assert root.get("failures") == "1"
    assert "--min-checked wants 2" in REPORTERS["sarif"](red)
    assert "--min-checked wants 2" in REPORTERS["summary"](red)


def test_what_notes_say_ends_no_fence_of_a_step_summary():
    run = results(verdict(5, VerdictKind.CONTRADICTED, text="````\n# big", observed="x"), notes=[note(1)])
    told = REPORTERS["summary"](outcome(run)).splitlines()
    at = told.index("``````diff")  # one more than the five in `` `````: torch says ``
    assert told[at + 1].startswith("notes.md:5: contradicted")
    assert "-````" in told[at : told.index("``````", at)]


def test_a_badge_counts_what_holds():
    assert json.loads(report("badge")) == {
        "schemaVersion": 1, "label": "torch 2.13.0", "message": "1 of 3 claims hold", "color": "red", "isError": True,
    }  # fmt: skip
    fine = results(verdict(3, VerdictKind.HOLDS), notes=[note(1)])
    assert json.loads(REPORTERS["badge"](outcome(fine)))["color"] == "brightgreen"


def test_github_annotations_escape_what_would_end_them():
    line = next(line for line in report("github").splitlines() if "renamed" in line)
    assert line == (
        "::error file=notes.md,line=9,endLine=9,title=deckgen%3A renamed::`torch.ctc`: 100%25 a < slip%0Aof the pen"
    )


def test_every_note_that_is_not_what_the_notes_say_is_explained():
    from dataclasses import replace

    from deckgen.model.results import Decision, Disposition

    ruled = [
        Decision(note=note(1), disposition=Disposition.SHIP),
        Decision(note=note(3), disposition=Disposition.WITHHOLD, why="random"),
        Decision(note=note(5), disposition=Disposition.CORRECT, why="contradicted: 3 claimed"),
        Decision(note=note(7), disposition=Disposition.SHIP, why="contradicted: 4 claimed"),
    ]
    told = terminal.explained(replace(RUN, decisions=tuple(ruled)))
    assert [line.split(": ")[1] for line in told.splitlines()[::2]] == [
        "withheld",
        "shipped corrected",
        "shipped all the same",
    ]
    assert told.splitlines()[1::2] == ["    random", "    contradicted: 3 claimed", "    contradicted: 4 claimed"]


def test_questions_without_an_answer_are_told_by_their_lines():
    quiz = "### Which joins?\n\nA. `cat`\nB. `view`\n\nThe name is ____.\n\n判断题：view 会复制数据。\n"
    found = extract(read(Source("quiz.md", quiz)))
    told = terminal.built(outcome(Results(extractions=(found,))), Delivered(), ())
    assert "quiz.md: 3 questions are left out, without an answer in the notes (lines 1, 6, 8): " in told


def test_of_no_note_it_is_not_said_that_all_are_shipped():
    assert terminal.explained(results()) == ""
