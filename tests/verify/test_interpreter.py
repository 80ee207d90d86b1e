"""Other interpreters: found from any folder, and a broken torch is told as that."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from carded import extracted
from commands import Command
from processes import as_from_a_terminal

from deckgen.cache import digest
from deckgen.model.errors import EngineError
from deckgen.model.waiting import waits_told_to
from deckgen.verify import VerifyOptions, verify
from deckgen.verify.engine.interpreter import docstrings, located, look_at

NOTES = "```python\nimport torch\nprint(torch.ones(1))  # tensor([1.])\n```\n"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return folder


def refusal(environment: Path, code: str | None) -> str:
    """What is said of an environment whose torch does this at import; None = it has none."""
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "torch").mkdir(exist_ok=True)
    if code is None:
        for file in (packages / "torch").glob("*.py"):
            file.unlink()
    else:
        (packages / "torch" / "__init__.py").write_text(code, "utf-8")
    with pytest.raises(EngineError) as raised:
        verify([extracted(NOTES)], VerifyOptions(python=environment / "bin" / "python", use_cache=False))
    return str(raised.value)


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise ImportError('libcudart.so.12: no such file')", "ImportError: libcudart.so.12"),
        (
            r"raise OSError('not loaded:\n\tlibgomp.so.1\n\tlibcudart.so.12')",
            "OSError: not loaded: libgomp.so.1 libcudart",
        ),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import os; os._exit(7)", "exit status 7"),
        ("import ctypes; ctypes.string_at(0)", "it crashes (SIGSEGV)"),
    ],
)
def test_a_torch_that_cannot_be_imported_is_not_called_missing(environment: Path, code: str, told: str) -> None:
    said = refusal(environment, code)
    assert "cannot be imported" in said
    assert told in said


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_where_there_is_no_torch_that_is_said(environment: Path) -> None:
    assert refusal(environment, None).endswith("has no torch")


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_the_torch_that_is_asked_is_the_one_that_counts_and_not_ours(environment: Path) -> None:
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "torch").mkdir(exist_ok=True)
    (packages / "torch" / "__init__.py").touch()
    seen = set()
    for version in ("2.4.0", "2.4.0+cpu"):
        for debug in (False, True):
            text = f"__version__ = '{version}'\ndebug = {debug}\ncuda = None\n"
            (packages / "torch" / "version.py").write_text(text)
            found = look_at(str(environment / "bin" / "python"), ())
            assert found.torch == version
            seen.add(digest(found.identity()))
    assert len(seen) == 4
    (packages / "torch" / "__init__.py").unlink()


@pytest.mark.posix("knows where POSIX has the interpreter of an environment")
def test_an_interpreter_tells_where_it_finds_its_packages(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(environment / "first"))
    (packages,) = environment.glob("lib/python*/site-packages")
    path = look_at(str(environment / "bin" / "python"), ()).packages.path
    assert (path[0], path[-1]) == (str(environment / "first"), str(packages))


def test_a_relative_path_works_from_here(monkeypatch: pytest.MonkeyPatch) -> None:
    python = Path(sys.executable)
    monkeypatch.chdir(python.parent)
    found = verify([extracted(NOTES)], VerifyOptions(python=Path(f"./{python.name}"), use_cache=False))
    assert [str(verdict.word) for verdict in found.sources[0].verdicts] == ["holds"]
    assert located(Path(f"./{python.name}")) == os.path.abspath(python.name)


FACTS: dict[str, object] = {"python": "3.12.1", "path": ["/packages"], "version": "", "torch": False, "modules": {}}


@pytest.mark.posix("a script of a shell")
@pytest.mark.parametrize(
    "answer",
    [
        "{}",
        '[{"name": "a"}]',
        "null",
        "1",
        "no JSON",
        "[" * 100_000,
        *(json.dumps({**FACTS, name: None}) for name in FACTS),
        *(json.dumps({**FACTS, "path": [path]}) for path in (1, "/a\0b", "/\ud800")),
        json.dumps({**FACTS, "modules": {"torch": "yes"}}),
    ],
)
def test_a_program_that_answers_as_no_python_does_is_told(tmp_path: Path, answer: str) -> None:
    (tmp_path / "answer").write_text(answer)
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\ncat '{tmp_path}/answer'\n")
    program.chmod(0o755)
    for ask in (lambda: look_at(str(program), ()), lambda: docstrings("torch", program)):
        with pytest.raises(EngineError, match="is not a Python that starts: it does not answer as one"):
            ask()


@pytest.mark.posix("a script of a shell")
def test_a_program_that_fails_with_an_empty_line_is_told(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho >&2\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(EngineError, match="is not a Python that starts: CalledProcessError"):
        look_at(str(program), ())


@pytest.mark.posix("a script of a shell")
def test_of_several_interpreters_one_that_is_no_python_is_a_broken_column(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho '{}'\n")
    program.chmod(0o755)
    (tmp_path / "notes.md").write_text(NOTES)
    ran = Command(tmp_path, tmp_path)("verify", "notes.md", "--python", str(program), "--python", sys.executable)
    assert ran.returncode == EngineError.exit_code
    assert "does not answer as one" in ran.stdout
    assert "exit 0" in ran.stdout


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """A program that does not say a word."""
    program = tmp_path / "silent"
    program.write_text("#!/bin/sh\nexec sleep 1000\n")
    program.chmod(0o755)
    (tmp_path / "notes.md").write_text(NOTES)
    return program


@pytest.mark.posix("a script of a shell")
def test_an_interpreter_that_gives_no_answer_is_told_while_it_is_waited_for_and_is_asked_once(
    tmp_path: Path, silent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckgen.model.waiting.LONG", 0.1)
    monkeypatch.setattr("deckgen.verify.engine.interpreter.START_TIMEOUT", 1.0)
    ran = Command(tmp_path, tmp_path)("verify", "notes.md", "--python", str(silent))
    assert ran.returncode == EngineError.exit_code
    assert ran.stderr.count(f"deckgen: waiting for {silent} to say what it is, 1 s at most") == 1
    assert f"{silent} is not a Python that starts: it gives no answer within 1 s" in ran.stderr


def test_an_interpreter_that_answers_is_told_to_nobody(tmp_path: Path) -> None:
    told: list[str] = []
    with waits_told_to(told.append):
        assert look_at(str(Path(sys.executable).with_name("python3")), ()).python
    assert told == []


@pytest.mark.posix("there are no such signals")
def test_who_waits_for_an_interpreter_can_end_it(tmp_path: Path, silent: Path) -> None:
    arguments = [sys.executable, "-m", "deckgen", "verify", "notes.md", "--python", str(silent)]
    folders = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "data")}
    process = subprocess.Popen(
        arguments,
        cwd=tmp_path,
        env=os.environ | folders,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=as_from_a_terminal,  # noqa: PLW1509 # no thread holds what it needs
    )
    assert process.stderr
    assert "waiting for" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert "stopped" in process.stderr.read()
    assert process.wait(20) == 128 + signal.SIGINT
