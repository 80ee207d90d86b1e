"""Bytecode beside the code, as pip leaves it: what is measured is a command that is installed, not a bare checkout."""

from __future__ import annotations

import compileall
import os
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "deckgen"


@cache
def environment() -> dict[str, str]:
    """The environment of a contestant; the first call compiles the package."""
    compileall.compile_dir(PACKAGE, quiet=2)
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
