"""The docstrings of a package as sources: `deckgen verify --docstrings torch`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from deckgen.model.errors import EngineError
from deckgen.model.source import Source
from deckgen.verify.engine.runner import scrubbed_environment

_SCRIPT = Path(__file__).with_name("worker") / "probe.py"


def docstrings(package: str, python: Path | None = None, timeout: float = 600) -> tuple[Source, ...]:
    """One source for each docstring of a package that shows an example, named after what it documents.

    Imports the package and its public modules in a process of their own. Raises EngineError if that fails.
    """
    command = [str(python or sys.executable), str(_SCRIPT), "docstrings", package]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=timeout, env=scrubbed_environment(0), check=False)
    except subprocess.TimeoutExpired as error:
        raise EngineError(f"importing {package} took longer than {timeout:g} s") from error
    if answer.returncode != 0:
        last = answer.stderr.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1]
        raise EngineError(f"the docstrings of {package} cannot be read: {last}", hint="is the package installed?")
    return tuple(Source(entry["name"], entry["text"]) for entry in json.loads(answer.stdout))
