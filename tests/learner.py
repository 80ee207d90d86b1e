"""Someone who learns with the deck: a real collection, imported into with the options that Anki offers."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anki.collection import Collection, ImportAnkiPackageRequest
from anki.consts import QUEUE_TYPE_SUSPENDED
from rendered import TYPES

from deckgen import files
from deckgen.app.write_outputs import packed
from deckgen.identity import Assigned
from deckgen.model.deck import Deck, NoteType


@dataclass(frozen=True)
class Imported:
    """How many notes Anki says it took, and how."""

    added: int
    updated: int
    unchanged: int
    conflicting: int = 0


def write(deck: Deck, notetypes: Iterable[NoteType], path: Path) -> bool:
    """Writes a package as a build does; False if the file is this very deck already."""
    data = packed(deck, tuple(notetypes), path)
    if data is not None:
        files.write_whole(path, data)
    return data is not None


class Learner:
    """A collection of one's own in `folder`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.col = Collection(str(folder / "collection.anki2"))

    def __enter__(self) -> Learner:
        return self

    def __exit__(self, *_: object) -> None:
        self.col.close()

    def takes(self, made: Assigned) -> Imported:
        """Imports a build as File > Import does when nothing is ticked or unticked."""
        path = self.folder / "deck.apkg"
        write(made.deck, TYPES, path)
        return self.imports(path)

    def imports(self, path: Path) -> Imported:
        """The same for a package."""
        options = self.col._backend.get_import_anki_package_presets()
        log = self.col.import_anki_package(ImportAnkiPackageRequest(package_path=str(path), options=options)).log
        return Imported(len(log.new), len(log.updated), len(log.duplicate), len(log.conflicting))

    def reviews(self, rounds: int = 1) -> int:
        """Answers every card that is due, `rounds` times over; the number of answers."""
        for name in self.col.decks.all_names_and_ids():
            config = self.col.decks.config_dict_for_deck_id(name.id)
            config["new"]["perDay"] = 9999
            self.col.decks.update_config(config)
        answers = 0
        for deck in self.col.decks.all_names_and_ids():
            self.col.decks.select(deck.id)
            for _ in range(rounds * self.col.card_count()):
                card = self.col.sched.getCard()
                if card is None:
                    break
                card.start_timer()
                self.col.sched.answerCard(card, 4)
                answers += 1
        return answers

    def met(self) -> list[str]:
        """Titles of all new cards in the order in which they are met."""
        self.col.decks.select(next(d.id for d in self.col.decks.all_names_and_ids() if d.name == "PyTorch"))
        titles = []
        while (card := self.col.sched.getCard()) is not None:
            titles.append(card.note()["Title"])
            self.col.sched.bury_cards([card.id])
        return titles

    def fields(self, guid: str) -> dict[str, str]:
        return dict(self.note(guid).items())

    def note(self, guid: str) -> Any:
        return self.col.get_note(self.col.db.scalar("select id from notes where guid = ?", guid))

    def edits(self, guid: str, field: str, text: str) -> None:
        note = self.note(guid)
        note[field] = text
        self.col.update_note(note)

    def restyles(self, notetype: str, css: str) -> None:
        model = self.col.models.by_name(notetype)
        model["css"] = css
        self.col.models.update_dict(model)

    def tags(self, guid: str, tag: str) -> None:
        note = self.note(guid)
        note.tags.append(tag)
        self.col.update_note(note)

    def puts_by(self, guid: str) -> None:
        """A red flag on the cards of a note, and suspends them."""
        cards = self.note(guid).card_ids()
        self.col.set_user_flag_for_cards(1, cards)
        self.col.sched.suspend_cards(cards)

    def is_put_by(self, guid: str) -> bool:
        cards = self.note(guid).cards()
        return all(card.user_flag() == 1 and card.queue == QUEUE_TYPE_SUSPENDED for card in cards)

    def finds(self, search: str) -> list[str]:
        """GUIDs of the notes that Anki's browser shows for a search."""
        return [self.col.get_note(found).guid for found in self.col.find_notes(search)]

    def history(self) -> dict[tuple[str, int], tuple[Any, ...]]:
        """(GUID, card number) -> everything that Anki knows of how well it is remembered."""
        rows = self.col.db.all(
            "select n.guid, c.ord, c.type, c.queue, c.due, c.ivl, c.factor, c.reps, c.lapses, c.id,"
            " (select count() from revlog where cid = c.id) from cards c join notes n on n.id = c.nid"
        )
        return {(row[0], row[1]): tuple(row[2:]) for row in rows}

    def decks(self) -> set[str]:
        return {deck.name for deck in self.col.decks.all_names_and_ids()} - {"Default"}

    def empty_cards(self) -> int:
        return sum(len(note.card_ids) for note in self.col.get_empty_cards().notes)


def long_ago() -> int:
    """A time of release that real edits come after."""
    return int(time.time()) - 100_000
