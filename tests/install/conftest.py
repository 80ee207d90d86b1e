"""What tests of an installation share: the wheel, and environments that have it."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from installing import build, environment, install, required


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the project as it is now."""
    return build(tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="session")
def without_torch(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """The interpreter of an environment that has deckgen and what it requires: neither torch nor numpy."""
    python = environment(tmp_path_factory.mktemp("environment"), *required())
    install(python, wheel)
    return python


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program in a folder of one's own, with a cache and settings of its own."""

    def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        own = {name: str(tmp_path / name) for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME")}
        given = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        environment = {**given, **own, "NO_COLOR": "1", "CI": "", **variables}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)

    return run
