"""The modules of the package that this system has."""

import re
import sys
from pathlib import Path

import deckgen

PACKAGE = Path(deckgen.__file__).parent
_REFUSES = re.compile(r'^if sys\.platform (!=|==) "(\w+)":\n    raise ImportError', re.MULTILINE)


def is_of_this_system(text: str) -> bool:
    """False for the text of a module that begins by refusing this system."""
    refused = _REFUSES.search(text)
    return refused is None or (refused[1] == "!=") is (sys.platform == refused[2])


MODULES = [
    ".".join(("deckgen", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__main__.py" and is_of_this_system(path.read_text("utf-8"))
]
"""Their names; without the programs, which begin to run when they are imported."""
