"""Another distribution is called `deckgen`, has a package and a command of this name, and lies on top of ours or before it on the PATH.

pip asks nobody before one distribution overwrites the files of another. What was started looks for it: by one listing of the folder
of our package, and by a look into the folders of the PATH up to the first `deckgen`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

OURS = "torch-deckgen"
_THEIRS = re.compile(r"deckgen-([0-9][^-]*)\.dist-info")
_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_MEND = f"pip uninstall --yes deckgen && pip install --force-reinstall --no-deps {OURS}"


def tell() -> None:
    """Says on standard error what of the other distribution is in our way, if anything is."""
    if found := [*beside_us(os.path.dirname(_PACKAGE)), *before_us(os.environ.get("PATH", ""))]:
        from deckgen import streams
        from deckgen.text.harmless import lines

        streams.err(lines(found))


def beside_us(folder: str) -> Iterator[str]:
    """What there is to say if both are installed in `folder`, where our package is."""
    for version in _versions(folder):
        lost = [*_overwritten()]
        yield (
            f"deckgen: the distribution deckgen {version} is installed in {folder}, too, and is not {OURS}: "
            + (f"it has overwritten {', '.join(lost)}" if lost else "each may overwrite or remove files of the other")
        )
        yield f"  hint: keep them in two environments; here: {_MEND}"


def _overwritten() -> Iterator[str]:
    """Files of ours that are no longer what was installed."""
    from base64 import urlsafe_b64encode
    from hashlib import sha256
    from importlib.metadata import PackageNotFoundError, files

    try:
        installed = files(OURS) or []
    except PackageNotFoundError:  # a clone, which pip does not write to
        return
    for file in installed:
        if file.hash and file.hash.mode == "sha256" and file.suffix == ".py" and os.path.isfile(file.locate()):
            found = sha256(file.read_binary()).digest()
            if urlsafe_b64encode(found).rstrip(b"=").decode() != file.hash.value:
                yield file.as_posix()


def before_us(path: str) -> Iterator[str]:
    """What there is to say if the command `deckgen` is another one than that which runs."""
    name = "deckgen.exe" if os.name == "nt" else "deckgen"
    own = os.path.dirname(os.path.abspath(sys.executable))
    for folder in path.split(os.pathsep):
        command = os.path.join(folder, name)
        if folder and os.path.isfile(command):
            if os.path.abspath(folder) != own:
                yield from _not_ours(command)
            return


def _not_ours(command: str) -> Iterator[str]:
    """What there is to say if a command is of an environment that has the other distribution, and not ours."""
    root = Path(os.path.realpath(command)).parent.parent
    for packages in (root / "Lib" / "site-packages", *root.glob("lib/python3*/*-packages")):
        for version in _versions(str(packages)):
            if any(packages.glob("torch_deckgen-*.dist-info")):
                return  # said where that one runs
            yield f"deckgen: the command {command} is the distribution deckgen {version}, and is not {OURS}"
            yield f"  hint: {sys.executable} -m deckgen is this one; activate its environment, or uninstall the other"


def _versions(folder: str) -> list[str]:
    """The versions of the other distribution that are installed in a folder: one, or none."""
    try:
        return [found[1] for found in map(_THEIRS.fullmatch, os.listdir(folder)) if found]
    except OSError:
        return []
