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
from deckgen.scaffold import ISSUE, MERGE, matrix_workflow, workflow

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
    written = {"notes.yml": workflow(STRANGE), "matrix.yml": matrix_workflow(STRANGE, ("2.9", "newest"), 2)}
    for name, text in written.items():
        (tmp_path / name).write_text(text, "utf-8")
        assert yaml.safe_load(text)["env"]["NOTES"] == STRANGE
    ours = (PROJECT / ".github" / "workflows").glob("*.yml")
    valid("vendor.github-workflows", *(tmp_path / name for name in written), *sorted(ours))


def test_the_action_is_one():
    valid("vendor.github-actions", PROJECT / "action.yml")


def test_the_hooks_are_hooks_and_know_the_files_of_a_deck():
    run = [sys.executable, "-m", "pre_commit", "validate-manifest", str(PROJECT / ".pre-commit-hooks.yaml")]
    assert subprocess.run(run, capture_output=True).returncode == 0
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["entry"] for hook in hooks] == ["deckgen verify", "deckgen update"]
    assert [hook["args"] for hook in hooks] == [["cards"]] * 2  # what a user's `args` replace


def scripts() -> list[tuple[str, str]]:
    found = [("init", ISSUE), ("matrix", MERGE)]
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


@pytest.mark.posix("runs a script of a shell")
@pytest.mark.parametrize(("where", "script"), scripts())
def test_scripts_are_shell(where, script):
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
    assert "${{" not in script, "what is asked for would be code"


class Bash:
    """Runs steps as a runner of GitHub does, with `deckgen` and a `gh` that notes what it is asked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, folder / "gh.txt"
        programs = {
            "gh": f'echo "$@" >> {self.asked}',
            "deckgen": f'exec {Path(sys.executable).parent / "python"} -m deckgen "$@"',
        }
        (folder / "bin").mkdir()
        for name, line in programs.items():
            (folder / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
            (folder / "bin" / name).chmod(0o755)

    def __call__(self, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        given = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(PROJECT),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "step.md"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_REPOSITORY": "owner/notes",
            **environment,
        }
        return subprocess.run(["bash", "-e"], input=script, cwd=self.folder, env=given, text=True, capture_output=True)


@pytest.fixture
def bash(tmp_path: Path) -> Bash:
    if os.name == "nt":
        pytest.skip("the action runs bash")
    return Bash(tmp_path)


def test_the_steps_of_the_action_check_notes_and_write_all_reports(bash, tmp_path):
    (tmp_path / "notes.md").write_text(NOTES)
    check, issue = (step["run"] for step in steps(PROJECT / "action.yml")[-2:])
    environment = {"NOTES": "notes.md", "OPTIONS": "--min-checked 50%", "REPORTS": "reports"}
    run = bash(check, **environment)
    assert run.returncode == 1, run.stderr
    assert (tmp_path / "output").read_text() == "exit-code=1\n"
    assert "7 claimed, torch has 6" in (tmp_path / "step.md").read_text("utf-8")
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == [
        "badge.json", "junit.xml", "report.json", "report.sarif", "summary.md",
    ]  # fmt: skip
    opened = bash(issue, **environment)
    assert opened.returncode == 0, opened.stderr
    told = "issue create -R owner/notes --title Notes that torch contradicts --body-file issue.md"
    assert told in bash.asked.read_text()
    body = (tmp_path / "reports" / "issue.md").read_text("utf-8")
    assert "+print(torch.arange(4).sum())  # prints tensor(6)" in body


# --- a matrix of torches ---


def run_of(job: str, command: str) -> str:
    """The step of a job of the matrix that runs a command."""
    jobs = yaml.safe_load(matrix_workflow("notes", ("2.9", "newest"), 2))["jobs"]
    (script,) = [step["run"] for step in jobs[job]["steps"] if command in step.get("run", "")]
    return script


def test_the_steps_of_the_matrix_check_parts_and_join_those_of_each_torch(bash, tmp_path):
    (tmp_path / "notes").mkdir()
    for name in ("a", "b"):
        (tmp_path / "notes" / f"{name}.md").write_text(NOTES.replace("# A", f"# {name}").replace("7", "6"))
    (tmp_path / "parts").mkdir()
    for part in "12":
        ran = bash(run_of("verify", "--shard"), NOTES="notes", TORCH="2.9", PART=part)
        assert ran.returncode == 0, ran.stderr
        shutil.copy(tmp_path / f"2.9-{part}.json", tmp_path / "parts")
        if part == "1":
            shutil.copy(tmp_path / "2.9-1.json", tmp_path / "parts" / "newest-1.json")
    joined = bash(run_of("report", "merge"))
    whole = json.loads((tmp_path / "reports" / "2.9.json").read_text("utf-8"))
    assert [source["path"] for source in whole["sources"]] == ["notes/a.md", "notes/b.md"]
    assert joined.returncode == 1
    assert "of 2 shards 2 is missing" in joined.stderr


@pytest.mark.posix("takes rights away")
@pytest.mark.parametrize(("torch", "asked"), [("2.9", "torch==2.9.*"), ("newest", "torch")])
def test_each_machine_of_the_matrix_gets_its_torch(torch, asked, bash, tmp_path):
    (tmp_path / "bin" / "python").write_text('#!/bin/sh\necho "$4"\n')
    (tmp_path / "bin" / "python").chmod(0o755)
    assert bash(run_of("verify", "--index-url"), TORCH=torch).stdout == f"{asked}\n"


def test_no_two_machines_of_the_matrix_share_a_cache_and_none_may_write():
    text = matrix_workflow("notes", ("2.9", "newest"), 2)
    assert text.count("restore-keys: deckgen-${{ runner.os }}-${{ env.TORCH }}-${{ env.PART }}-\n") == 2
    assert ": write" not in text


def test_the_page_shows_the_matrix_that_init_writes():
    page = (PROJECT / "docs" / "ci.md").read_text("utf-8")
    (shown,) = re.findall(r"```yaml\n(jobs:\n  verify:\n    strategy:.*?)```", page, re.DOTALL)
    assert matrix_workflow("notes", ("2.9", "newest"), 2).endswith(shown)


def test_init_writes_the_matrix_to_whom_asks_for_it(tmp_path):
    run = Command(tmp_path, tmp_path)("init", "notes", "--torch", "2.9,newest", "--shards", "3")
    assert run.returncode == 0, run.stderr
    (written,) = tmp_path.rglob("*.yml")
    matrix = yaml.safe_load(written.read_text("utf-8"))["jobs"]["verify"]["strategy"]["matrix"]
    assert matrix == {"torch": ["2.9", "newest"], "part": [1, 2, 3]}
    assert Command(tmp_path, tmp_path)("init", "more", "--torch", "2.x").returncode == 2


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
