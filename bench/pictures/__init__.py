"""The pictures of the shipped decks, drawn from real tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from bench.pictures import networks, tensors, training

FOLDER = Path(__file__).resolve().parents[2] / "snippets" / "pictures"
PICTURES: Mapping[str, Callable[[], str]] = {**tensors.PICTURES, **networks.PICTURES, **training.PICTURES}
"""Every picture by the name of its file."""
