"""Causes that keep many claims from being checked, and the command that mends each: told once, not claim by claim."""

from __future__ import annotations

from collections.abc import Mapping

from deckgen.text.wording import counted

_DISTRIBUTIONS: Mapping[str, str] = {
    "tensorboard": '"torch-deckgen[tensorboard]"',
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "cv2": "opencv-python",
    "PIL": "pillow",
    "yaml": "pyyaml",
    "bs4": "beautifulsoup4",
    "pytorch_lightning": "lightning",
}
"""What pip calls a package whose module has another name."""


def cause(reason: str | None) -> str | None:
    """What several claims may have in common that could not be checked; None for what each has for itself."""
    code, _, name = (reason or "").partition(" ")
    if code == "missing-module":
        return f"missing-module {name.partition('.')[0].rstrip(':')}"
    return reason if code in ("needs-cuda", "timed-out") or (reason or "").startswith("needs Python") else None


def mending(cause: str, count: int) -> str:
    """`42 checks need tensorboard: pip install "torch-deckgen[tensorboard]"`."""
    code, _, name = cause.partition(" ")
    checks, verb = counted(count, "check"), "needs" if count == 1 else "need"
    if code == "missing-module":
        return f"{checks} {verb} {name}: pip install {distribution(name)}"
    if code == "needs-cuda":
        return f"{checks} {verb} a GPU that is not here: run deckgen where there is one"
    if code == "timed-out":
        return f"{checks} took longer than a snippet may: --timeout 120"
    return f"{checks} {verb} {name}: run deckgen with that Python"


def distribution(module: str) -> str:
    """What to give to pip for a module."""
    return _DISTRIBUTIONS.get(module, module)
