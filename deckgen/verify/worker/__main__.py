"""Start of a worker process: `python deckgen/verify/worker '{"mode": "zygote", ...}'`."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys

PACKAGE = "_deckgen_worker"


def load_package(folder: str) -> None:
    """Make this folder importable under a name that no snippet would use, and under no other."""
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    assert spec is not None  # noqa: S101 (true by construction)
    assert spec.loader is not None  # noqa: S101
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)


def main() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != folder]
    sys.dont_write_bytecode = True
    load_package(folder)
    settings = json.loads(sys.argv[1])
    sys.argv[:] = [""]
    importlib.import_module(f"{PACKAGE}.boot").start(settings)


if __name__ == "__main__":
    main()
