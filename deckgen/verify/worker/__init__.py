"""The worker: standard library and torch only, Python 3.8 or newer, sent by path to any interpreter.

It runs as a package of its own with `sandbox` (`_deckgen_worker`, see `__main__`), so that `--python OTHER/bin/python` needs no
deckgen there and a snippet cannot import one of these modules by accident.
"""

import importlib
import os
import platform
from typing import Any, Dict, List

Json = Dict[str, Any]


def import_torch(preload: List[str]) -> Json:
    """The first import of torch, and what the worker then reports about itself; `{"error": ...}` if that fails."""
    from .imports import imports

    imports.watch()
    try:
        import torch
    except BaseException as error:  # a broken torch raises anything, even SystemExit
        return {"error": " ".join(f"{type(error).__name__}: {error}".split())[:2000]}  # a loader lists files on lines
    torch.set_num_threads(1)
    for name in ("numpy.random", *preload):  # numpy makes its generator when it is first imported
        try:
            importlib.import_module(name)
        except Exception:  # noqa: S112 (only slower then)
            continue
    version = {"torch": str(torch.__version__), "python": platform.python_version()}
    return {**version, "pid": os.getpid(), "imports": imports.found}
