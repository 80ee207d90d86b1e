"""Long tables of cases, of which each run tries a part; all are tried by `make exhaustive`."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

DECKS = sorted(path.parent for path in (Path(__file__).resolve().parents[1] / "cards").glob("*/deck.toml"))
"""The shipped decks in English."""


def in_part(cases: Iterable[Any], tried: Callable[[int, Any], bool]) -> list[Any]:
    """Parameters; those that are not `tried` (number, case) in each run are marked as exhaustive."""
    return [
        pytest.param(
            case,
            id=case.name if isinstance(case, Path) else str(case),
            marks=[] if tried(at, case) else [pytest.mark.exhaustive],
        )
        for at, case in enumerate(cases)
    ]
