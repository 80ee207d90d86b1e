"""The pictures of the shipped decks, drawn from real tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from bench.pictures import attention, networks, ranks, tensors, training
from bench.pictures.variants import variants

FOLDER = Path(__file__).resolve().parents[2] / "snippets" / "pictures"
PICTURES: Mapping[str, Callable[[], str]] = {
    **tensors.PICTURES,
    **attention.PICTURES,
    **networks.PICTURES,
    **training.PICTURES,
    **ranks.PICTURES,
}
"""Every picture by its name; `variants` gives the files."""


def drawn() -> dict[str, str]:
    """The text of every file by its name."""
    return {file: text for name, draw in PICTURES.items() for file, text in variants(name, draw).items()}
