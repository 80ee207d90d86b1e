"""What Windows does otherwise, each thing where it can be looked at here; `test_elsewhere.py` runs all of it."""

from __future__ import annotations

import doctest
import errno
import io
import os
import sys
import types
from pathlib import Path

import pytest

from deckgen import cli, files, streams
from deckgen.app.write_outputs import stem_of
from deckgen.files.folders import deck_folders
from deckgen.model.errors import EngineError, UsageError
from deckgen.text import wording
from deckgen.text.wording import as_typed
from deckgen.verify.engine import spawn
from deckgen.verify.engine.dask_engine import check
from deckgen.verify.engine.runner import scrubbed_environment
from deckgen.verify.engine.workers import Workers
from deckgen.verify.worker import capture, ends


@pytest.fixture
def _on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.parametrize("module", [ends, wording], ids=lambda module: module.__name__)
def test_examples_in_docstrings_are_true(module: types.ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


def gives_way_after(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`os.replace` is refused so often, as of a file that a scanner has open."""
    replace, refused = os.replace, []

    def replaced(new: Path, old: Path) -> None:
        if len(refused) < times:
            refused.append(old)
            raise PermissionError(errno.EACCES, "in use")
        replace(new, old)

    monkeypatch.setattr(os, "replace", replaced)


@pytest.mark.usefixtures("_on_windows")
def test_a_file_that_somebody_looks_at_is_replaced_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gives_way_after(3, monkeypatch)
    files.write_whole(tmp_path / "a.apkg", b"new")
    assert (tmp_path / "a.apkg").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a.apkg"]


@pytest.mark.usefixtures("_on_windows")
def test_a_file_that_stays_open_is_named_and_nothing_is_left_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckgen.files.writing.RELEASE", 0.1)
    gives_way_after(10**6, monkeypatch)
    (tmp_path / "a.apkg").write_bytes(b"old")
    with pytest.raises(UsageError, match="in use") as raised:
        files.write_whole(tmp_path / "a.apkg", b"new")
    assert raised.value.where == (tmp_path / "a.apkg").as_posix()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.apkg", b"old")]


@pytest.mark.usefixtures("_on_windows")
def test_a_folder_of_a_process_that_has_just_ended_is_removed_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove, tries = spawn.shutil.rmtree, []

    def removed(folder: str, ignore_errors: bool) -> None:
        tries.append(folder)
        if len(tries) > 2:
            remove(folder, ignore_errors=ignore_errors)

    monkeypatch.setattr(spawn.shutil, "rmtree", removed)
    (tmp_path / "root").mkdir()
    spawn._remove(str(tmp_path / "root"))
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize(
    ("name", "file"), [("con", "con_"), ("Aux", "Aux_"), ("LPT1.part", "LPT1_.part"), ("console", "console"), ("a.nul", "a.nul")]
)  # fmt: skip
def test_no_package_is_called_what_no_file_may_be_called(name: str, file: str) -> None:
    assert stem_of(name) == file


def test_a_deck_on_another_drive_is_named_by_all_of_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deck.toml").write_text("", "utf-8")
    (tmp_path / "a.md").write_text("# A\n", "utf-8")
    relative = os.path.relpath

    def on_one_drive(path: object, start: object = None) -> str:
        if start is None:
            raise ValueError("path is on mount 'D:', start on mount 'C:'")
        return relative(path, start)

    monkeypatch.setattr(os.path, "relpath", on_one_drive)
    (folder,) = deck_folders([str(tmp_path / "a.md")])
    assert folder.root == tmp_path
    assert folder.relative(tmp_path / "a.md") == "a.md"


@pytest.mark.usefixtures("_on_windows")
def test_a_path_is_quoted_as_every_shell_there_reads_it() -> None:
    assert [as_typed(path) for path in ("C:/notes/a.md", "my notes", "-x", "笔记")] == [
        "C:/notes/a.md", '"my notes"', "./-x", "笔记",
    ]  # fmt: skip


def test_ends_of_lines_are_the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="cp1252", newline="\r\n")
    monkeypatch.setattr(sys, "stdout", stream)
    streams.prepare()
    stream.write("+print(x)  # ✓ 张量\n")
    stream.flush()
    assert written.getvalue() == "+print(x)  # ✓ 张量\n".encode()


def test_what_programs_print_has_the_ends_of_lines_of_a_string(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture.os, "linesep", "\r\n")
    events = capture.Events("<session>", lambda: None)
    with (tmp_path / "stdout").open("w+b", buffering=0) as file:
        events.start(1000, {"stdout": file.fileno()})
        file.write(b"one\r\ntwo\r\n")
        assert [event["text"] for event in events.take()] == ["one\ntwo\n"]


@pytest.mark.usefixtures("_on_windows")
def test_a_reader_that_has_gone_is_no_error_by_the_name_that_it_has_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "close", lambda: None)
    with pytest.raises(SystemExit) as left, cli.handle_errors():
        raise OSError(errno.EINVAL, "Invalid argument")
    assert left.value.code == 141
    assert capsys.readouterr().err == ""


def test_a_worker_finds_the_packages_of_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPDATA", "C:/Users/me/AppData/Roaming")
    assert scrubbed_environment(0)["APPDATA"] == "C:/Users/me/AppData/Roaming"


@pytest.mark.usefixtures("_on_windows")
def test_a_cluster_is_refused_with_the_reason() -> None:
    with pytest.raises(UsageError, match="needs Linux"):
        check("local:2", "auto")


def test_an_engine_that_is_not_there_is_refused_with_the_one_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers(sys.executable, "auto", 1)
    monkeypatch.delitem(workers._make, "fork")
    with pytest.raises(EngineError, match="needs Linux") as raised:
        workers.run({}, "fork", False, 1.0)
    assert raised.value.hint == "this system has `spawn`"
