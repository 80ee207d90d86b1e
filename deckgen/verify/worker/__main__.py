"""Start of a worker process: `python deckgen/verify/worker '{"mode": "zygote", ...}'`."""

import importlib
import json
import os
import sys
import types

PACKAGE = "_deckgen_worker"
"""A name that no snippet would use, for the folder above this one; nothing else of it is ever imported."""


def main() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    sys.dont_write_bytecode = True
    package = sys.modules[PACKAGE] = types.ModuleType(PACKAGE)
    package.__path__ = [os.path.dirname(here)]
    settings = json.loads(sys.argv[1])
    sys.argv[:] = [""]
    for library in ("OMP", "MKL", "OPENBLAS", "NUMEXPR"):  # forks of a process in which a parallel region ran hang
        os.environ[library + "_NUM_THREADS"] = "1"
    os.environ["VECLIB_MAXIMUM_THREADS"] = "1"
    importlib.import_module(f"{PACKAGE}.worker.{settings['mode']}").serve(settings)


if __name__ == "__main__":
    main()
