"""Why something could not be judged, in words. The reports for programs have the bare code, which never changes."""

from __future__ import annotations

from collections.abc import Mapping

from deckgen.text.wording import counted

_WORDS = {
    "assumed-indentation": "the source has lost its indentation, and what this prints depends on how it is restored",
    "context": "a name in it was given its value under another chapter, which the notes may not mean here",
    "cpu-limit": "it computed for longer than a snippet may",
    "disk-limit": "it wrote more than a snippet may",
    "empty": "there is no code",
    "environment": "it depends on the machine: versions, paths, threads, names of devices",
    "flooded": "it printed more than a snippet may",
    "forged": "it wrote into the records of the run",
    "killed": "its process was killed, perhaps for want of memory",
    "lost": "the run ended before it",
    "memory-limit": "it needs more memory than a snippet may have",
    "missing-file": "the code reads `{}`, and there is no such file",
    "missing-module": "the code imports `{}`, which is not installed here",
    "missing-name": "the code uses `{}`, and nothing above it says what that is",
    "needs": "it is written in a newer Python than the one that runs deckgen",
    "needs-cuda": "it needs a GPU that is not here",
    "needs-distributed": "it needs several processes that talk to each other",
    "not-started": "deckgen could not start it",
    "not-python": "this is no Python",
    "not-reached": "the code stopped, or went another way, before it came here",
    "placeholder": "the code has gaps to be filled in",
    "sandbox": "it asks for files, programs or a network that the sandbox does not give it",
    "signature-only": "this shows how something is called, and is no call",
    "timed-out": "it took longer than a snippet may (--timeout); if it computed all the time, it is tried again with another limit only",
    "too-many-processes": "it started more processes than a snippet may",
    "too-much-memory": "its processes together took more memory than a snippet may have",
    "worker-killed": "its process was killed",
}


def in_words(reason: str) -> str:
    """`missing-name x (the code uses `x`, and nothing above it says what that is)`; as it is if it is a sentence."""
    code, _, rest = reason.partition(" ")
    name, colon, more = rest.partition(":")
    words = _WORDS.get(code)
    if words is None or ("{}" in words and not name):
        return reason
    return f"{code} {name}".rstrip() + f" ({words.format(name)}{colon}{more})"


# --- what keeps many claims from being checked, and the command that mends it: told once, not claim by claim ---

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
