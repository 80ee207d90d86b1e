"""From extractions to verdicts: which runs are made, what is remembered, what is said when nothing can run."""

import importlib.util
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import observe_snippets

from deckgen.extract import extract
from deckgen.model.claim import Prints, Snippet
from deckgen.model.document import Document, Extraction
from deckgen.model.errors import EngineError, UsageError
from deckgen.model.source import Source, Span
from deckgen.model.verdict import Checked, Verification
from deckgen.read import read
from deckgen.verify import VerifyOptions, verify
from deckgen.verify.engine.engine import PRELOADS, Engine, FurtherRuns
from deckgen.verify.engine.interpreter import look_at
from deckgen.verify.engine.runner import Outcome
from deckgen.verify.engine.workers import Workers
from deckgen.verify.plan import plan

NOTES = """\
# Tensors

```python
import torch
print(torch.ones(2))  # tensor([1., 1.])
```

```python
x = torch.rand(3)
print(x)  # tensor([0.1, 0.2, 0.3])
```

```python
print(torch.zeros(2))  # tensor([1., 1.])
```
"""


def extraction(text: str) -> Extraction:
    return extract(read(Source("notes.md", text)))


def checked(text: str, folder: Path, **options: object) -> tuple[Verification, Checked]:
    found = verify([extraction(text)], VerifyOptions(cache_folder=folder, **options))  # type: ignore[arg-type]
    return found, found.sources[0]


def test_claims_are_judged_and_the_second_run_is_made_only_where_it_is_needed(tmp_path: Path) -> None:
    found, source = checked(NOTES, tmp_path)
    assert [str(verdict.word) for verdict in source.verdicts] == ["holds", "holds-structure", "contradicted"]
    seconds = [run.second is not None for run in source.runs.values()]
    assert seconds[:2] == [False, True]
    assert found.environment.engine in ("fork", "spawn")
    assert found.environment.torch.startswith("2.")


DRAWN = (
    "```python\nimport torch\nx = torch.rand(2)\nprint(x, x.data_ptr())  # tensor([0.1, 0.2]) 94000000\n"
    "print({'a', 'bb', 'ccc', 'dddd', 'eeeee'})  # {'a', 'bb', 'ccc', 'dddd', 'eeeee'}\n```\n"
)


def test_the_second_run_has_other_random_numbers_and_if_that_explains_nothing_other_addresses(tmp_path: Path) -> None:
    (run,) = checked(DRAWN.replace("}\n```", "}\nprint(x.shape)  # torch.Size([3])\n```"), tmp_path)[1].runs.values()
    assert run.second is not None
    first, second = ([event for event in one.events if event.kind == "stdout"] for one in (run.first, run.second))
    assert first[0].values[0].data != second[0].values[0].data
    assert first[0].values[1].data != second[0].values[1].data
    assert first[1].text != second[1].text


def test_where_other_random_numbers_explain_all_torch_is_imported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[bool] = []
    start = Workers._start
    monkeypatch.setattr(Workers, "_start", lambda self, *given: started.append(given[1]) or start(self, *given))
    text = "```python\nimport torch\nprint(torch.rand(2))  # tensor([0.1, 0.2])\nprint(torch.ones(1))  # tensor([1.])\n```\n"
    source = checked(text, tmp_path)[1]
    assert [str(one.word) for one in source.verdicts] == ["holds-structure", "holds"]
    (run,) = source.runs.values()
    assert run.second is not None
    assert run.first.events[0].text != run.second.events[0].text
    assert started == [False]


LACKING = """\
```python
x = torch.arange(3)
print(x)  # tensor([0, 1, 2])
print(x)  # tensor([5, 5, 5])
y = model(x)
print(y.shape)  # torch.Size([10])
print(x)  # tensor([6, 6, 6])
print(x + 1)  # tensor([1, 2, 3])
```

```python
print(x.sum())  # tensor(3)
print(y)  # 3
```

```python
print(unheard_of)  # NameError: name 'unheard_of' is not defined
```

```python
import no_such_package
z = torch.ones(1)
print(z)  # tensor([2.])
no_such_package.change(z)
print(z)  # tensor([3.])
```
"""


@pytest.mark.parametrize("engine", ["auto", pytest.param("spawn", marks=pytest.mark.slow)])
def test_a_snippet_that_lacks_something_is_judged_as_far_as_it_runs(tmp_path: Path, engine: str) -> None:
    _, source = checked(LACKING, tmp_path, engine=engine)
    said = [verdict.reason if verdict.word == "unverified" else str(verdict.word) for verdict in source.verdicts]
    assert said == [
        *("holds", "contradicted", "missing-name model", "missing-name model", "holds"),
        *("holds", "missing-name y"),
        "holds",
        *("contradicted", "missing-module no_such_package"),
    ]
    first = next(iter(source.runs.values())).first
    assert (first.status, first.reason, first.needs) == ("ran", "missing-name model", ("name model",))


CACHED = """
import sys
from pathlib import Path
from deckgen.extract import extract
from deckgen.read import read
from deckgen.model.source import Source
from deckgen.verify import VerifyOptions, verify
import subprocess
def no(*_, **__): raise AssertionError("a process was started")
subprocess.Popen = no
found = verify([extract(read(Source("notes.md", Path(sys.argv[1]).read_text())))],
               VerifyOptions(cache_folder=Path(sys.argv[2])))
assert "torch" not in sys.modules
assert found.environment.engine == "cache", found.environment
assert found.environment.sandbox != "off"
print([str(one.word) for one in found.sources[0].verdicts])
"""


def test_a_full_hit_starts_no_process_and_imports_no_torch(tmp_path: Path) -> None:
    checked(NOTES, tmp_path / "cache")
    (tmp_path / "notes.md").write_text(NOTES)
    command = [sys.executable, "-c", CACHED, str(tmp_path / "notes.md"), str(tmp_path / "cache")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stdout == "['holds', 'holds-structure', 'contradicted']\n", ran.stderr


@pytest.mark.slow
def test_a_damaged_cache_is_only_slower(tmp_path: Path) -> None:
    before = checked(NOTES, tmp_path)[1]
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-3])
    after, source = checked(NOTES, tmp_path)
    assert after.environment.engine != "cache"
    assert [one.word for one in source.verdicts] == [one.word for one in before.verdicts]


@pytest.mark.slow
def test_other_probes_or_another_timeout_are_not_the_same_observation(tmp_path: Path) -> None:
    checked(NOTES, tmp_path)
    assert checked(NOTES, tmp_path, timeout=29.0)[0].environment.engine != "cache"
    assert checked(NOTES, tmp_path)[0].environment.engine == "cache"


LEAKING = """\
# A

```python
x = torch.ones(2, requires_grad=True)
torch.set_grad_enabled(False)
```

```python
y = x * 2
print(y.requires_grad)  # True
```
"""


@pytest.mark.slow
def test_a_claim_that_holds_without_what_leaked_holds(tmp_path: Path) -> None:
    _, source = checked(LEAKING, tmp_path)
    (verdict,) = source.verdicts
    assert str(verdict.word) == "holds"
    assert "defaults" in (verdict.reason or "")


def timed_out(cpu: float, delayed: float | None) -> Outcome:
    """Of a session of one snippet whose 30 seconds were up."""
    return Outcome(culprit=0, reason="timed-out", cpu=cpu, delayed=delayed)


def scripted(patch: pytest.MonkeyPatch, outcomes: list[Outcome]) -> list[tuple[str, float]]:
    """Sessions go as it is written, then as they do. What is returned grows: how each was run, and for how long it may."""
    calls: list[tuple[str, float]] = []

    def script(name: str, really: Callable[..., Outcome]) -> None:
        def run(*arguments: Any) -> Outcome:
            calls.append((name, arguments[-1]))
            return outcomes.pop(0) if outcomes else really(*arguments)

        patch.setattr(Workers, name, run)

    for name in ("run", "run_alone"):
        script(name, getattr(Workers, name))
    return calls


ONE = "```python\nimport torch\nprint(torch.ones(1))  # tensor([1.])\n```\n"


@pytest.mark.parametrize(
    ("first", "alone", "limits", "verdict", "kept"),
    [
        (timed_out(30, 0), None, [("run", 30)], "timed-out", True),
        (timed_out(28, 90), None, [("run", 30)], "timed-out", True),
        (timed_out(0, 0.1), None, [("run", 30)], "timed-out", True),
        (timed_out(19, 10), None, [("run", 30), ("run_alone", 90), ("run", 90)], None, True),
        (timed_out(3, 27), timed_out(30, 80), [("run", 30), ("run_alone", 300)], "timed-out", True),
        (timed_out(3, 27), timed_out(12, 100), [("run", 30), ("run_alone", 300)], "timed-out", False),
        (timed_out(0, None), timed_out(0, None), [("run", 30), ("run_alone", 30)], "timed-out", False),
    ],
    ids=["computed", "computed while others did", "waited", "was kept waiting", "then computed", "again", "not known"],
)
def test_what_others_kept_waiting_runs_again_alone_and_only_what_had_its_time_is_remembered(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: Outcome,
    alone: Outcome | None,
    limits: list[tuple[str, float]],
    verdict: str | None,
    kept: bool,
) -> None:
    outcomes = [one for one in (first, alone) if one]
    calls = scripted(monkeypatch, outcomes)
    assert reason(tmp_path) == verdict
    assert calls == limits
    calls.clear()
    outcomes[:] = [timed_out(30, 0)]
    assert reason(tmp_path) == (verdict if kept else "timed-out")
    assert (calls == []) == kept
    monkeypatch.setattr(sys.modules[Engine.__module__], "container", lambda: "a faster one")
    calls.clear()
    outcomes[:] = [timed_out(0, 0)]
    reason(tmp_path)
    assert bool(calls) == (verdict == "timed-out")


def reason(folder: Path) -> str | None:
    """Why a snippet was not observed to its end; in one run."""
    interpreter = look_at(sys.executable, ())
    planned = plan(extraction(ONE), (), interpreter.can_import, {"torch": interpreter.torch, "python": "3"})
    engine = Engine(VerifyOptions(cache_folder=folder), interpreter, "fork", 2, FurtherRuns(*[lambda *_: False] * 4))
    ((_, seen),) = engine.observe(planned.sessions).items()
    engine.close()
    return seen.first.reason


def test_what_runs_alone_waits_for_the_others_and_they_for_it() -> None:
    workers = Workers(sys.executable, "auto", 3)
    inside: list[int] = []
    free = threading.Semaphore(3)

    def run(*_: object) -> Outcome:
        inside.append(sum(free.acquire(blocking=False) for _ in range(3)))
        return Outcome()

    workers.run, workers._slots = run, free  # type: ignore[method-assign, assignment]
    for _ in range(2):
        workers.run_alone({}, "fork", False, 1.0)
        free.release()
    assert inside == [1, 1]


@pytest.mark.slow
def test_unsure_code_is_run_once_for_each_reading(tmp_path: Path) -> None:
    readings = ("for i in range(2):\n    x = i\nprint(i)", "for i in range(2):\n    x = i\n    print(i)")
    snippet = Snippet(
        id="1",
        span=Span(0, 3),
        code=readings[0],
        lines=(0, 1, 2),
        language="python",
        headings=(),
        claims=(Prints(id="1.1", span=Span(3, 4), text="1", form="following", place="after", code_line=2),),
        candidates=readings,
    )
    document = Document(source=Source("notes.md", ""), reader="scraped", blocks=())
    one = Extraction(document=document, notes=(), snippets=(snippet,), apis=(), skipped=())
    run = verify([one], VerifyOptions(cache_folder=tmp_path)).sources[0].runs["1"]
    printed = [[event.text for event in each.events if event.kind == "stdout"] for each in run.candidates]
    assert printed == [["1\n"], ["0\n", "1\n"]]


def test_an_interpreter_without_torch_is_one_error_not_forty_reasons(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    bare = tmp_path / "bare" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    with pytest.raises(EngineError, match="torch"):
        verify([extraction(NOTES)], VerifyOptions(python=bare, use_cache=False))


@pytest.mark.posix("takes rights away")
def test_a_torch_that_breaks_on_import_is_one_error_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise OSError('libtorch_cpu.so: cannot open')")
    (tmp_path / "torch" / "version.py").write_text("__version__ = '9.9.9'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(EngineError, match="libtorch_cpu"):
        verify([extraction(NOTES)], VerifyOptions(python=_same_python(tmp_path), use_cache=False))


def _same_python(folder: Path) -> Path:
    """This interpreter under another name, so that it is asked from outside."""
    path = folder / "python"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    path.chmod(0o755)
    return path


def test_a_device_that_is_none_is_a_mistake_of_the_user() -> None:
    with pytest.raises(UsageError, match="gpu"):
        verify([extraction(NOTES)], VerifyOptions(device="gpu"))


@pytest.mark.slow
def test_both_engines_see_the_same() -> None:
    codes = [
        ("import torch\nx = torch.arange(3)\nprint(x)", [(1, "x.shape")]),
        ("x.view(2)\nprint(x.sum())", []),
        ("import os; os._exit(3)", []),
        ("print('still here')", []),
    ]
    seen = [observe_snippets(codes, VerifyOptions(use_cache=False, engine=engine)) for engine in ("fork", "spawn")]
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", [name for _, names in PRELOADS for name in names])
def test_what_is_imported_once_for_all_that_compile_is_there(name: str) -> None:
    package, *inner = name.split(".")
    (folder,) = importlib.util.find_spec(package).submodule_search_locations
    path = Path(folder, *inner)
    assert path.is_dir() or path.with_suffix(".py").exists()
