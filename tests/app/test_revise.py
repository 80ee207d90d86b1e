"""`deckgen update` on real files."""

import json
import subprocess
from itertools import cycle

import pytest
from commanding import commanding
from commands import Command

import deckgen.app.update as deckgen_update
from deckgen import files
from deckgen.app.update import Revision, write_revisions
from deckgen.model.errors import SourceError, UsageError
from deckgen.update import Updated

NOTES = """# Shapes

```python
import torch
x = torch.arange(6).view(2, 3)
print(x.sum())  # 输出: tensor(14) (因为...)
print(x.shape)  # 输出: torch.Size([2, 3])
torch.rand(2)
# tensor([0.1, 0.2])
```
"""


@pytest.fixture
def deckgen(tmp_path):
    command = Command(tmp_path, tmp_path)

    def run(*arguments, text=True):
        return (command if text else command.in_bytes)("update", "notes.md", *arguments)

    run.notes = tmp_path / "notes.md"
    return run


def mixed(text):
    """The text with all kinds of line ends."""
    ends = cycle(["\r\n", "\n", "\r"])
    return "".join(line + next(ends) for line in text.split("\n")[:-1])


def with_carriage_returns(text):
    return text.replace("\n", "\r\n")


def unended(text):
    return text.removesuffix("\n")


@pytest.mark.parametrize(
    "ended", [str, unended, mixed, with_carriage_returns], ids=["\\n", "unended", "mixed", "\\r\\n"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_false_output_is_corrected_and_nothing_else_moves(deckgen, ended, encoding):
    deckgen.notes.write_bytes(ended(NOTES).encode(encoding))
    run = deckgen()
    assert run.returncode == 0, run.stderr
    wanted = ended(NOTES.replace("tensor(14)", "tensor(15)"))
    assert deckgen.notes.read_bytes() == wanted.encode(encoding)
    assert deckgen("--check").returncode == 0


FENCES = """# Fences

```python
print("```")
```

Output:

```
1 2 3
```
"""


def test_an_output_of_backticks_is_written_into_a_longer_fence(deckgen):
    deckgen.notes.write_text(FENCES, "utf-8")
    run = deckgen()
    assert run.returncode == 0, run.stderr
    assert deckgen.notes.read_text("utf-8") == FENCES.replace("```\n1 2 3\n```", "````\n```\n````")
    assert deckgen("--check").returncode == 0


def test_check_and_diff_write_nothing(deckgen):
    deckgen.notes.write_text(NOTES, "utf-8")
    check = deckgen("--check")
    assert check.returncode == 1
    assert check.stdout.startswith("notes.md:6: out of date: `tensor(14)`: ")
    patch = deckgen("--diff")
    assert (
        "-print(x.sum())  # 输出: tensor(14) (因为...)\n+print(x.sum())  # 输出: tensor(15) (因为...)" in patch.stdout
    )
    assert deckgen.notes.read_text("utf-8") == NOTES


def half_and_half(text):
    """The text with two kinds of line ends, of which a log obeys none."""
    return text.replace("\n", "\r\n", 5)


@pytest.mark.parametrize(
    "ended", [str, unended, half_and_half, with_carriage_returns], ids=["\\n", "unended", "mixed", "\\r\\n"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_the_patch_is_one_that_git_applies(deckgen, ended, encoding):
    deckgen.notes.write_bytes(ended(NOTES).encode(encoding))
    patch = deckgen("--diff", text=False).stdout
    subprocess.run(["git", "apply", "-"], cwd=deckgen.notes.parent, input=patch, check=True)
    wanted = ended(NOTES.replace("tensor(14)", "tensor(15)"))
    assert deckgen.notes.read_bytes() == wanted.encode(encoding)


def test_the_patch_gives_no_runner_a_line_to_obey_and_still_applies(deckgen):
    claim = "```python\nimport torch\nprint(torch.arange(6).sum())  # tensor(14)\n```\n"
    obeyed = f"# Sums\n\n:::note\n{claim}::error::owned\n"
    deckgen.notes.write_text(obeyed, "utf-8")
    patch = deckgen("--diff").stdout
    assert "-::error::owned\n+::error::owned\n" in patch
    assert commanding(patch) == []
    subprocess.run(["git", "apply", "-"], cwd=deckgen.notes.parent, input=patch.encode(), check=True)
    assert deckgen.notes.read_text("utf-8") == obeyed.replace("tensor(14)", "tensor(15)")


@pytest.mark.parametrize("sign", ["\x1b[2J", "\u202e", "x ##[error]y", "\x85::error::x"])
def test_a_patch_that_would_command_is_shown_as_it_looks_and_said_to_be_no_patch(deckgen, sign):
    near = NOTES.replace("# Shapes\n", f"# Shapes\n{sign}").replace("import torch\n", "import torch; ")
    deckgen.notes.write_text(near, "utf-8")
    run = deckgen("--diff")
    assert "+print(x.sum())  # 输出: tensor(15)" in run.stdout
    assert commanding(run.stdout) == []
    assert "notes.md: its patch holds what a terminal or a log would obey" in run.stderr


def test_a_file_that_writes_many_lines_on_one_is_left_as_it_is(deckgen):
    messages = [{"role": "user", "content": "Sum?"}, {"role": "assistant", "content": "A sum.\n\n" + NOTES}]
    deckgen.notes.write_text(json.dumps(messages), "utf-8")
    run = deckgen()
    assert "left as it is: its file writes several lines of text on one" in run.stdout + run.stderr
    assert json.loads(deckgen.notes.read_text("utf-8")) == messages


@pytest.mark.posix("makes symbolic links")
def test_permissions_and_links_stay(deckgen, tmp_path):
    real = tmp_path / "real.md"
    real.write_text(NOTES, "utf-8")
    real.chmod(0o640)
    deckgen.notes.symlink_to(real)
    assert deckgen().returncode == 0
    assert deckgen.notes.is_symlink()
    assert "tensor(15)" in real.read_text("utf-8")
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.posix("takes rights away")
def test_a_file_that_is_read_only_is_not_written(deckgen):
    deckgen.notes.write_text(NOTES, "utf-8")
    deckgen.notes.chmod(0o444)
    run = deckgen()
    assert run.returncode == 2
    assert "notes.md: is read-only" in run.stderr
    assert deckgen.notes.read_text("utf-8") == NOTES


@pytest.mark.posix("makes symbolic links")
def test_a_link_to_a_sibling_is_the_same_file(deckgen, tmp_path):
    deckgen.notes.write_text(NOTES, "utf-8")
    (tmp_path / "again.md").symlink_to("notes.md")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "third.md").symlink_to("../notes.md")
    check = Command(tmp_path, tmp_path)("update", ".", "--check")
    assert check.stdout.count("out of date") == 1
    run = Command(tmp_path, tmp_path)("update", ".")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("wrote ") == 1
    assert deckgen.notes.read_text("utf-8") == NOTES.replace("tensor(14)", "tensor(15)")
    assert (tmp_path / "again.md").is_symlink()


def test_what_somebody_wrote_while_it_was_checked_is_not_overwritten_and_the_rest_is_written(tmp_path):
    paths = [tmp_path / "one.md", tmp_path / "two.md"]
    made = Updated(text="new", edits={}, changed=(object(),), left=())
    for path in paths:
        path.write_bytes(b"old\r\n")
    revisions = [Revision(source=files.load(path), updated=made, before=b"old\r\n", after=b"new") for path in paths]
    paths[0].write_bytes(b"old\n")
    written = write_revisions(tuple(revisions))
    assert next(written) == paths[1]
    with pytest.raises(SourceError, match=r"one\.md: was edited while it was being checked"):
        next(written)
    assert [path.read_bytes() for path in paths] == [b"old\n", b"new"]


@pytest.mark.posix("takes rights away")
def test_behind_a_file_that_is_closed_the_others_are_written_and_it_is_told(tmp_path):
    paths = [tmp_path / name for name in ("one.md", "two.md", "three.md")]
    made = Updated(text="new", edits={}, changed=(object(),), left=())
    for path in paths:
        path.write_bytes(b"old")
    revisions = [Revision(source=files.load(path), updated=made, before=b"old", after=b"new") for path in paths]
    paths[1].chmod(0o444)
    written = write_revisions(tuple(revisions))
    assert [next(written), next(written)] == [paths[0], paths[2]]
    with pytest.raises(UsageError, match=r"two\.md: is read-only"):
        next(written)
    assert [path.read_bytes() for path in paths] == [b"new", b"old", b"new"]


def test_a_file_that_was_edited_before_it_was_rewritten_is_told(deckgen, monkeypatch):
    deckgen.notes.write_text(NOTES, "utf-8")
    real = deckgen_update.verified

    def verified(loaded, options, progress):
        deckgen.notes.write_text(f"{NOTES}More.\n", "utf-8")
        return real(loaded, options, progress)

    monkeypatch.setattr(deckgen_update, "verified", verified)
    run = deckgen()
    assert run.returncode == 3
    assert "notes.md: was edited while it was being checked" in run.stderr
    assert deckgen.notes.read_text("utf-8") == f"{NOTES}More.\n"


LESSONS = """# Lessons

```python
import torch
x = torch.rand(2, 3)
y = x.view(6)
print(x)  # tensor([0.1, 0.2])
print(y)  # tensor([0.1, 0.2])
```

```python
import torch
out = torch.empty(2)
torch.add(torch.ones(2), torch.ones(2), out=out)
print(out)  # tensor([3., 3.])
```

```python
import torch
x = torch.tensor(1)
print(type(x.item()))  # <class 'float'> 转成 int
print(x + 1)  # tensor(3), as in the book
```
"""


def test_update_writes_facts_and_leaves_lessons_alone(deckgen):
    deckgen.notes.write_text(LESSONS, "utf-8")
    run = deckgen()
    after = deckgen.notes.read_text("utf-8")
    assert after == LESSONS.replace("tensor([3., 3.])", "tensor([2., 2.])").replace("tensor(3), as", "tensor(2), as")
    assert run.stderr.count("another value each time") == 2
    assert "its comment says what it becomes" in run.stderr


def test_what_update_wrote_is_not_denied_afterwards(deckgen):
    deckgen.notes.write_text(LESSONS, "utf-8")
    deckgen()
    again = deckgen("--diff")
    assert again.stdout == ""


AWKWARD = """# A

```python
import torch
print(torch.arange(3))  # tensor([0, 1, 3])
print(torch.arange(1000))  # tensor([0, 1, 2, ..., 998])
for i in range(3):
    print(i)  # 0 1 3
```
"""


def test_one_awkward_claim_does_not_keep_the_others_from_being_written(deckgen):
    deckgen.notes.write_text(AWKWARD, "utf-8")
    run = deckgen()
    assert deckgen.notes.read_text("utf-8") == AWKWARD.replace("tensor([0, 1, 3])", "tensor([0, 1, 2])")
    assert "notes.md:8: left as it is: its line shows several things" in run.stderr
    assert "notes.md:6: left as it is" in run.stderr
