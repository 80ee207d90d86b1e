"""Workflows, the action and the hooks are what GitHub and pre-commit take, by schemas that others keep."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from commands import Command

from deckgen import origin
from deckgen.app.parameters import REPORTS
from deckgen.scaffold import ISSUE, workflow

PROJECT = Path(__file__).resolve().parents[1]
STRANGE = "my: 'notes' #1 \"é\""
NOTES = "# A\n\n```python\nimport torch\nprint(torch.arange(4).sum())  # prints tensor(7)\n```\n"


def steps(path: Path) -> list[dict[str, object]]:
    data = yaml.safe_load(path.read_text("utf-8"))
    return data["runs"]["steps"] if "runs" in data else data["jobs"]["verify"]["steps"]


def valid(schema: str, *paths: Path) -> None:
    run = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, paths)]
    checked = subprocess.run(run, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_workflows_are_workflows(tmp_path):
    written = tmp_path / "notes.yml"
    written.write_text(workflow(STRANGE), "utf-8")
    valid("vendor.github-workflows", written, *sorted((PROJECT / ".github" / "workflows").glob("*.yml")))
    assert yaml.safe_load(written.read_text("utf-8"))["env"]["NOTES"] == STRANGE


def test_the_action_is_one():
    valid("vendor.github-actions", PROJECT / "action.yml")


def test_the_hooks_are_hooks_and_know_the_files_of_a_deck():
    run = [sys.executable, "-m", "pre_commit", "validate-manifest", str(PROJECT / ".pre-commit-hooks.yaml")]
    assert subprocess.run(run, capture_output=True).returncode == 0
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["entry"] for hook in hooks] == ["deckgen verify", "deckgen update"]
    assert [hook["args"] for hook in hooks] == [["cards"]] * 2  # what a user's `args` replace


def scripts() -> list[tuple[str, str]]:
    found = [("init", ISSUE)]
    return found + [("action", step["run"]) for step in steps(PROJECT / "action.yml") if "run" in step]


def test_the_action_and_the_workflow_open_the_same_issue():
    _, folder, *action = steps(PROJECT / "action.yml")[-1]["run"].splitlines()
    assert folder == 'cd "$REPORTS"'
    assert [line.replace("summary.md", "told.md") for line in action] == ISSUE.splitlines()[1:]


@pytest.mark.parametrize(("status", "opens"), [("", False), ("0", False), ("1", True), ("2", False), ("3", True)])
def test_an_issue_is_opened_for_what_is_false_and_for_what_cannot_be_read(status, opens):
    condition = steps(PROJECT / "action.yml")[-1]["if"]
    (wanted,) = re.findall(r"contains\('(.*)', steps\.verify\.outputs\.exit-code \|\| '(\w+)'\)", condition)
    assert ((status or wanted[1]) in wanted[0]) == opens


def test_the_workflow_opens_no_issue_before_there_is_a_report():
    (step,) = [one for one in yaml.safe_load(workflow("notes"))["jobs"]["verify"]["steps"] if "issue" in str(one)]
    assert "hashFiles('told.md') != ''" in step["if"]
    assert "summary=told.md" in workflow("notes")


def test_the_page_has_every_format():
    table = (PROJECT / "docs" / "ci.md").read_text("utf-8").split("| format | for |")[1]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {"text", *REPORTS}


def test_two_reports_to_one_file_are_refused(tmp_path):
    run = Command(tmp_path, tmp_path)("verify", "notes", "--report", "json=out", "--report", "sarif=./out")
    assert (run.returncode, "out is named for two reports" in run.stderr) == (2, True)


@pytest.mark.parametrize(("where", "script"), scripts())
def test_scripts_are_shell(where, script):
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
    assert "${{" not in script, "what is asked for would be code"


@pytest.mark.skipif(os.name == "nt", reason="the action runs bash")
def test_the_steps_of_the_action_check_notes_and_write_all_reports(tmp_path):
    (tmp_path / "notes.md").write_text(NOTES)
    home = Path(sys.executable).parent
    check, issue = (step["run"] for step in steps(PROJECT / "action.yml")[-2:])
    said = tmp_path / "gh.txt"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gh").write_text(f'#!/bin/sh\necho "$@" >> {said}\n')
    (tmp_path / "bin" / "gh").chmod(0o755)
    (tmp_path / "bin" / "deckgen").write_text(f'#!/bin/sh\nexec {home / "python"} -m deckgen "$@"\n')
    (tmp_path / "bin" / "deckgen").chmod(0o755)
    environment = {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "NOTES": "notes.md",
        "OPTIONS": "--min-checked 50%",
        "REPORTS": "reports",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "step.md"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_REPOSITORY": "owner/notes",
    }
    run = subprocess.run(["bash", "-e"], input=check, cwd=tmp_path, env=environment, text=True, capture_output=True)
    assert run.returncode == 1, run.stderr
    assert (tmp_path / "output").read_text() == "exit-code=1\n"
    assert "7 claimed, torch has 6" in (tmp_path / "step.md").read_text("utf-8")
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == [
        "badge.json", "junit.xml", "report.json", "report.sarif", "summary.md",
    ]  # fmt: skip
    opened = subprocess.run(["bash", "-e"], input=issue, cwd=tmp_path, env=environment, text=True, capture_output=True)
    assert opened.returncode == 0, opened.stderr
    assert "issue create -R owner/notes --title Notes that torch contradicts --body-file issue.md" in said.read_text()
    body = (tmp_path / "reports" / "issue.md").read_text("utf-8")
    assert "+print(torch.arange(4).sum())  # prints tensor(6)" in body


# --- from where CI installs deckgen ---


class Installed:
    """A distribution as `importlib.metadata` finds it."""

    version = "0.1.0"

    def __init__(self, origin: dict[str, object] | None) -> None:
        self.origin = origin

    def read_text(self, _name: str) -> str | None:
        return None if self.origin is None else json.dumps(self.origin)


GIT = {"vcs_info": {"vcs": "git", "commit_id": "1" * 40}}


@pytest.mark.parametrize(
    ("told", "address"),
    [
        (None, "torch-deckgen==0.1.0"),
        ({"url": "https://me:secret@example.org/o/deckgen.git", **GIT}, "git+https://example.org/o/deckgen.git"),
        ({"url": "ssh://git@example.org/o/deckgen", **GIT}, "git+https://example.org/o/deckgen"),
        ({"url": "https://example.org/deckgen.zip", "archive_info": {}}, "https://example.org/deckgen.zip"),
        ({"url": "file:///nowhere/deckgen", "dir_info": {}}, None),
    ],
)
def test_the_address_of_deckgen_is_what_pip_was_told(told, address, monkeypatch):
    monkeypatch.setattr(origin.metadata, "distributions", lambda **_: [Installed(told)])
    assert origin.installed_from() == address


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_of_a_clone_it_is_the_address_it_came_from(tmp_path, monkeypatch):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    remote = "git@example.org:o/deckgen.git"
    subprocess.run(["git", "-C", str(tmp_path), "remote", "add", "origin", remote], check=True)
    told = {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}
    monkeypatch.setattr(origin.metadata, "distributions", lambda **_: [Installed(told)])
    assert origin.installed_from() == "git+https://example.org/o/deckgen.git"


def test_what_init_tells_to_run_is_one_folder_whatever_its_name(tmp_path):
    run = Command(tmp_path, tmp_path)("init", "my notes")
    assert "  deckgen build 'my notes'\n" in run.stdout


@pytest.mark.parametrize("known", [True, False])
def test_init_asks_for_an_edit_only_where_the_address_is_not_known(known, tmp_path, monkeypatch):
    monkeypatch.setattr(origin, "installed_from", lambda: "git+https://example.org/o/deckgen" if known else None)
    run = Command(tmp_path, tmp_path)("init", "notes")
    assert ("edit DECKGEN" in run.stdout) != known
    (written,) = tmp_path.rglob("*.yml")
    assert ("example.org/o/deckgen" in written.read_text("utf-8")) == known
