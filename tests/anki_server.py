"""AnkiConnect as its documentation says it answers, over the real Anki backend: the add-on itself needs Anki's window.

Against the add-on in the real desktop the same was seen by hand.
"""

# ruff: noqa: N802  # the actions have the names of the documentation

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from anki.collection import Collection
from anki.exporting import AnkiPackageExporter
from anki.importing import AnkiPackageImporter


class Anki:
    """An Anki with a collection, and what the add-on can do with it."""

    def __init__(self, folder: Path, key: str | None = None, version: int = 6) -> None:
        folder.mkdir(parents=True)
        self.path = str(folder / "collection.anki2")
        self.key, self.number, self.asked = key, version, list[str]()

    def reply(self, question: dict[str, Any]) -> Any:
        if question.get("key") != self.key:
            raise ValueError("valid api key must be provided")
        self.asked.append(question["action"])
        action = getattr(self, question["action"], None)
        if action is None:
            raise ValueError("unsupported action")
        self.col = Collection(self.path)
        try:
            return action(**question.get("params", {}))
        finally:
            self.col.close()

    def version(self) -> int:
        return self.number

    def sync(self) -> None:
        pass

    def deckNames(self) -> list[str]:
        return [deck.name for deck in self.col.decks.all_names_and_ids()]

    def findCards(self, query: str) -> list[int]:
        return list(self.col.find_cards(query))

    def getDecks(self, cards: list[int]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for card in cards:
            found.setdefault(self.col.decks.name(self.col.get_card(card).did), []).append(card)
        return found

    def notesInfo(self, notes: list[int]) -> list[dict[str, Any]]:
        return [{"noteId": number, "tags": self.col.get_note(number).tags} for number in notes]

    def exportPackage(self, deck: str, path: str) -> bool:
        exporter = AnkiPackageExporter(self.col)
        exporter.did, exporter.includeSched = self.col.decks.id(deck), False
        exporter.exportInto(path)
        return True

    def importPackage(self, path: str) -> bool:
        AnkiPackageImporter(self.col, path).run()
        return True

    def updateNoteFields(self, note: dict[str, Any]) -> None:
        found = self.col.get_note(note["id"])
        for name, text in note["fields"].items():
            found[name] = text
        self.col.update_note(found)

    def addTags(self, notes: list[int], tags: str) -> None:
        self.col.tags.bulk_add(notes, tags)

    def removeTags(self, notes: list[int], tags: str) -> None:
        self.col.tags.bulk_remove(notes, tags)

    def suspend(self, cards: list[int]) -> bool:
        return bool(self.col.sched.suspend_cards(cards).count)

    def unsuspend(self, cards: list[int]) -> None:
        self.col.sched.unsuspend_cards(cards)

    def getMediaDirPath(self) -> str:
        return self.col.media.dir()

    def storeMediaFile(self, filename: str, data: str) -> str:
        (Path(self.col.media.dir()) / filename).write_bytes(base64.b64decode(data))
        return filename

    def retrieveMediaFile(self, filename: str) -> str:
        return base64.b64encode((Path(self.col.media.dir()) / filename).read_bytes()).decode()

    def deleteMediaFile(self, filename: str) -> None:
        (Path(self.col.media.dir()) / filename).unlink()


@contextmanager
def served(anki: Anki, said: bytes | None = None) -> Iterator[str]:
    """The address at which it answers; with what is `said` to everything, if that is given."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                answer: dict[str, Any] = {"result": anki.reply(question), "error": None}
            except Exception as error:
                answer = {"result": None, "error": str(error)}
            data = json.dumps(answer).encode() if said is None else said
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
