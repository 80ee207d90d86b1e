"""Bytecode beside the code, as pip leaves it: what is measured is a command that is installed, not a bare checkout."""

from __future__ import annotations

import compileall
import os
from functools import cache
from pathlib import Path

TREE = Path(__file__).resolve().parents[1]


@cache
def environment(tree: Path = TREE) -> dict[str, str]:
    """The environment of a contestant that runs the deckgen of a tree; the first call compiles the package."""
    compileall.compile_dir(tree / "deckgen", quiet=2)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(tree)}
