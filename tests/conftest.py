"""What every test may ask for."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from schemas import hold

from deckgen import streams
from deckgen.report import data
from deckgen.text.harmless import json_text
from deckgen.verify.engine.workers import RUNNERS

if sys.platform == "linux":
    from kept import KeptWorkers

    from deckgen.verify.engine.fork import ForkRunner

settings.register_profile("any clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How long an example takes says something about the neighbours."""
settings.register_profile("ci", settings.get_profile("any clock"), derandomize=True)
"""A run of CI says something about the change it runs on, so it must not depend on luck."""
settings.load_profile("ci" if os.environ.get("CI") else "any clock")

SHARED = Path(__file__).resolve().parents[2] / "shared"


SYSTEMS = {"linux": sys.platform == "linux", "posix": os.name == "posix"}
"""Marks of tests that want a system, and whether this is one."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves out what wants another system, and says why."""
    for item in items:
        for mark in item.iter_markers():
            if not SYSTEMS.get(mark.name, True):
                item.add_marker(pytest.mark.skip(reason=f"not {mark.name}: {mark.args[0]}"))


@pytest.fixture(scope="session")
def seed() -> Callable[[int], Path]:
    """`seed(1)` is the path of the second of the five seed documents; skips where they are not at hand."""

    def path(number: int) -> Path:
        found = sorted((SHARED / "seeds").glob(f"{number:03}_*.txt"))
        if not found:
            pytest.skip("the seed documents are not at hand")
        return found[0]

    return path


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of seeds, gold and tools beside the project."""
    if not SHARED.is_dir():
        pytest.skip("the shared folder is not at hand")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def _kept_workers() -> Iterator[None]:
    """Runs in this process borrow workers that are kept, where they fork."""
    if sys.platform != "linux":
        yield
        return
    kept = KeptWorkers()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RUNNERS, "fork", kept.runner)
        yield
    kept.close()


@pytest.fixture(scope="session", autouse=True)
def _as_schemas_say() -> Iterator[None]:
    """Whatever is reported or printed for programs is as its schema says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "json_text", lambda report: hold(json_text(report)))
        patch.setattr(streams, "out", lambda text, out=streams.out: out(hold(text)))
        yield


@pytest.fixture(autouse=True)
def _own_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """But not those of a test that is about workers."""
    if sys.platform == "linux" and request.node.get_closest_marker("own_workers"):
        monkeypatch.setitem(RUNNERS, "fork", ForkRunner)
