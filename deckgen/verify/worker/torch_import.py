"""The first import of torch in a worker, and what the worker then reports about itself."""

import importlib
import os
import platform
from typing import Any, Dict, List

Json = Dict[str, Any]


def import_torch(preload: List[str]) -> Json:
    """Import torch and say what it is; `{"error": ...}` if it cannot be imported."""
    try:
        import torch
    except BaseException as error:  # a broken torch raises anything, even SystemExit
        return {"error": f"{type(error).__name__}: {error}"[:2000]}
    torch.set_num_threads(1)
    for name in ("numpy.random", *preload):  # numpy makes its generator when it is first imported
        try:
            importlib.import_module(name)
        except Exception:  # noqa: S112 (only slower then)
            continue
    return {"torch": str(torch.__version__), "python": platform.python_version(), "pid": os.getpid()}
