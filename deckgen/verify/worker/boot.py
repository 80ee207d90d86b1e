"""Boot: from a bare interpreter to a worker that is ready to run sessions."""

from __future__ import annotations

import importlib
import json
import os
import platform
import socket
import sys
from typing import Any, Dict, List

Json = Dict[str, Any]

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def start(settings: Json) -> None:
    """Never returns before the worker is done."""
    for name in THREAD_VARIABLES:
        os.environ[name] = "1"
    if settings["mode"] == "zygote":
        from .world import World
        from .zygote import serve

        serve(settings, socket.socket(fileno=settings["control"]), World(settings["root"], settings["sandbox"]))
    else:
        from .once import serve_once

        serve_once(settings)


def import_torch(preload: List[str]) -> Json:
    """Import torch and say what it is; `{"error": ...}` if it cannot be imported.

    One thread before the first operation: forks of a process in which a parallel region ran hang.
    """
    try:
        import torch  # the only place where it is imported for the first time
    except BaseException as error:  # a broken torch raises anything, even SystemExit
        return {"error": f"{type(error).__name__}: {error}"[:2000]}
    torch.set_num_threads(1)
    for name in ("numpy.random", *preload):  # numpy's generator is watched, and made only when it is asked for
        try:
            importlib.import_module(name)
        except Exception:  # noqa: S112 (only slower then)
            continue
    return describe_interpreter(torch)


def describe_interpreter(torch: Any) -> Json:
    return {
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "cuda": bool(getattr(torch.version, "cuda", None)) and os.path.exists("/dev/nvidiactl"),
        "pid": os.getpid(),
        "executable": sys.executable,
    }


def send_line(sock: socket.socket, message: Json) -> None:
    sock.sendall(json.dumps(message).encode("ascii") + b"\n")
