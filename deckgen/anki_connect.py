"""AnkiConnect: the add-on by which other programs speak to a running Anki, over HTTP. Version 6 of its API is spoken."""

from __future__ import annotations

import base64
import functools
import json
import os
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from deckgen.model.errors import EngineError, UsageError

API = 6
ADDRESS = "http://127.0.0.1:8765"
HERE = ("127.0.0.1", "localhost", "::1")
PATIENCE = 600.0
"""Seconds for one answer: an import of thousands of notes takes a minute on a slow machine."""
GREETING = 15.0
"""Seconds for the first answer, which costs Anki nothing: nobody waits longer for what is no Anki, or hangs."""
_INSTALL = "start Anki, and install the add-on AnkiConnect (code 2055492159): Tools > Add-ons > Get Add-ons"


def _list_of(kind: type) -> Callable[[Any], bool]:
    return lambda found: isinstance(found, list) and all(isinstance(one, kind) for one in found)


def _are_notes(found: Any) -> bool:
    return _list_of(dict)(found) and all({"noteId", "tags"} <= one.keys() for one in found if one)


ANSWERS: Mapping[str, Callable[[Any], bool]] = {
    "version": lambda found: isinstance(found, int),
    "deckNames": _list_of(str),
    "findCards": _list_of(int),
    "getDecks": lambda found: isinstance(found, dict),
    "notesInfo": _are_notes,
    "getMediaDirPath": lambda found: isinstance(found, str),
    "retrieveMediaFile": lambda found: isinstance(found, str) or found is False,
}
"""What an AnkiConnect answers; of the other actions no answer is used. Nothing is there: `{}` as a note, False as a file."""


class AnkiConnect:
    """A running Anki. Raises UsageError for an address that is none, or elsewhere without `elsewhere`."""

    def __init__(self, address: str = ADDRESS, key: str | None = None, *, elsewhere: bool = False) -> None:
        parts = _parts(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"`{address}` is no address of AnkiConnect", hint=f"write {ADDRESS}, or another port")
        self.is_here = parts.hostname in HERE
        if not (self.is_here or elsewhere):
            hint = "`--elsewhere` lets your notes go there; all that passes can be read on the way"
            raise UsageError(f"{parts.hostname} is not this machine", hint=hint)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self.address = address
        self._key = key
        self._connection = functools.partial(kind, parts.hostname, parts.port)

    def ask(self, action: str, /, *, patience: float = PATIENCE, **params: Any) -> Any:
        """The answer to one action, waited for so many seconds. Raises EngineError if nobody answers, or Anki cannot do it."""
        question = {"action": action, "version": API, "params": params, **({"key": self._key} if self._key else {})}
        # a new one each time: the add-on closes it; and never by a proxy
        connection = self._connection(timeout=patience)
        try:
            connection.request("POST", "/", json.dumps(question).encode("ascii"), {"Content-Type": "application/json"})
            found = json.loads(connection.getresponse().read())
        except (ValueError, RecursionError):  # no JSON, or a depth that nobody means
            found = None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineError(f"no Anki answers at {self.address}: {reason}", hint=_INSTALL) from None
        finally:
            connection.close()
        if not isinstance(found, dict) or not {"result", "error"} <= found.keys():
            raise EngineError(f"what answers at {self.address} is no AnkiConnect", hint=_INSTALL)
        if found["error"] is not None:
            raise EngineError(f"Anki cannot do `{action}`: {found['error']}", hint=_hint(str(found["error"])))
        if action in ANSWERS and not ANSWERS[action](found["result"]):
            raise EngineError(f"what answers `{action}` at {self.address} is no AnkiConnect", hint=_INSTALL)
        return found["result"]

    def check(self) -> None:
        """Raises EngineError unless an AnkiConnect that is new enough answers, with a collection that is open."""
        version = self.ask("version", patience=GREETING)
        if version < API:
            hint = "update it: Tools > Add-ons > Check for Updates"
            raise EngineError(f"AnkiConnect speaks version {version} of its API, and {API} is wanted", hint=hint)
        self.ask("deckNames")

    def exported(self, deck: str, folder: Path) -> Path:
        """A package of a deck as Anki has it, in a folder of ours."""
        target = folder / "anki.apkg"
        target.unlink(missing_ok=True)
        if self.is_here:
            self.ask("exportPackage", deck=deck, path=os.fspath(target.resolve()))
            if not target.is_file():
                hint = (
                    "does Anki run in a container (Flatpak, Snap)? Then import the package there by hand: File > Import"
                )
                raise EngineError(f"Anki at {self.address} wrote no package to {folder.as_posix()}", hint=hint)
            return target
        name = _name()
        self.ask("exportPackage", deck=deck, path=self._in_media(name))
        try:
            target.write_bytes(base64.b64decode(self.ask("retrieveMediaFile", filename=name) or ""))
        finally:
            self.ask("deleteMediaFile", filename=name)
        return target

    def imports(self, package: Path) -> None:
        """Imports a package, as Anki does without a dialog."""
        if self.is_here:
            self.ask("importPackage", path=os.fspath(package.resolve()))
            return
        name = _name()
        self.ask("storeMediaFile", filename=name, data=base64.b64encode(package.read_bytes()).decode("ascii"))
        try:
            self.ask("importPackage", path=self._in_media(name))
        finally:
            self.ask("deleteMediaFile", filename=name)

    def _in_media(self, name: str) -> str:
        folder = str(self.ask("getMediaDirPath"))
        between = "\\" if "\\" in folder else "/"  # as its machine has it
        return f"{folder.rstrip(between)}{between}{name}"


def _parts(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises ValueError for one that is none
    except ValueError:
        return SplitResult("", "", "", "", "")
    return parts


def _name() -> str:
    return f"_deckgen-{os.urandom(8).hex()}.apkg"


def _hint(error: str) -> str:
    if "api key" in error:
        return "give the key of the add-on's settings with --key, or in DECKGEN_ANKI_KEY"
    if "unsupported action" in error:
        return "update AnkiConnect: Tools > Add-ons > Check for Updates"
    return "look at Anki: a dialog may wait for you, or no profile is open"
