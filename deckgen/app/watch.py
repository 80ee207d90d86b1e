"""Watching: what is done again when notes, or what belongs to them, have changed on the disk."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NoReturn

from deckgen import files
from deckgen.app.check import digests
from deckgen.app.options import Options
from deckgen.app.recall import digests_of_decks
from deckgen.model.errors import DeckgenError, UsageError
from deckgen.model.results import Results


class Watcher:
    """Calls `tell` when something changes in one of some folders, which may become others."""

    def __init__(self, tell: Callable[[], object]) -> None:
        self._tell = tell
        self._folders: frozenset[tuple[Path, int]] = frozenset()
        """Each with its number in the file system: one that was made anew has to be watched anew."""
        self._stop = threading.Event()

    def look_at(self, options: Options) -> None:
        """Watches the folders of these decks from now on. Raises DeckgenError; then those before are watched still."""
        found = folders_of(options)
        folders = frozenset((folder, os.stat(folder).st_ino) for folder in found if folder.is_dir())
        if folders != self._folders:
            self._stop.set()
            self._folders, self._stop = folders, threading.Event()
            threading.Thread(target=self._watch, args=(found, self._stop), daemon=True).start()

    def forget(self) -> None:
        """Has the folders watched anew the next time: one of them may have gone and come back."""
        self._folders = frozenset()

    def _watch(self, folders: frozenset[Path], stop: threading.Event) -> None:
        """Tells of changes until it is stopped; by looking again and again where the system does not tell."""
        from watchfiles import Change, watch

        polling = False
        while not stop.is_set():
            seen = False
            before = _numbers(folders)
            there = [folder for folder, number in before.items() if number is not None]
            try:
                for changed in watch(
                    *there,
                    recursive=False,
                    stop_event=stop,
                    rust_timeout=1000,
                    yield_on_timeout=True,
                    force_polling=polling,
                ):
                    is_gone = any(kind is Change.deleted and Path(path) in folders for kind, path in changed)
                    is_other = is_gone or _numbers(folders) != before  # of a folder above that goes nobody tells
                    if changed or is_other or not seen:  # what changed before it began to watch is looked for once
                        self._tell()
                    seen = True
                    if is_other:
                        break
            except OSError:  # a folder went just now, or as many are watched as the system allows
                polling = True
                stop.wait(1)


def _numbers(folders: Iterable[Path]) -> dict[Path, int | None]:
    """The number of each folder in the file system; None for one that is not there. One in its place has another number."""
    found: dict[Path, int | None] = {}
    for folder in folders:
        try:
            found[folder] = os.stat(folder).st_ino
        except OSError:
            found[folder] = None
    return found


RETRY = 1.0
"""Seconds until decks that cannot be found are looked for again: nobody tells when a folder comes back."""


def folders_of(options: Options) -> frozenset[Path]:
    """The folders in which something may change: of sources, locks, snippets, and whatever a deck may yet have sources in."""
    found: set[Path] = set()
    for folder in options.deck_folders():
        found |= {folder.root, folder.lock.parent, *folder.places, *(path.parent for path in folder.files)}
        found |= set(files.folders_below(folder.root)) if folder.whole and not folder.named else set()
    return frozenset(path.resolve() for path in found if path.is_dir())


def follow(
    options: Options,
    run: Callable[[Sequence[str]], Results],
    waits: Callable[[int], object],
    fails: Callable[[DeckgenError], object],
) -> NoReturn:
    """Runs at first, and again whenever what a run depends on is another, until somebody ends it. torch stays imported.

    `run` is called with the names of the files that changed; `waits`, with how many files there are, when all is done; `fails` with
    what kept a run from its end: half a `deck.toml`, a file that is just being saved. Raises DeckgenError for what is wrong at first.
    """
    from deckgen.verify.engine.workers import workers_kept

    if options.stdin is not None:
        raise UsageError("standard input cannot be watched", "--watch", "name a file or a folder")
    options.deck_folders()  # what is not there is told at once
    gc.enable()  # this run has no near end
    again: SimpleQueue[None] = SimpleQueue()
    watcher = Watcher(lambda: again.put(None))
    before: dict[str, str] | None = None
    answers: tuple[tuple[files.Request, str], ...] = ()
    with workers_kept() as warm_up:
        told = ""
        while True:
            running = False
            try:
                watcher.look_at(options)
                now = digests_of_decks(options)
                if now != before or not files.answers_as_before(answers):
                    names = {*now, *(before or ())}
                    changed = sorted(name for name in names if before and now.get(name) != before.get(name))
                    before, running = None, True
                    results = run(changed)
                    answers = tuple(results.answers.items())
                    folders = options.deck_folders()
                    before = now | digests(folder.lock for folder in folders)  # a build has written them
                    gc.freeze()
                    waits(sum(len(folder.files) for folder in folders))
                    warm_up()
                told = ""
            except (DeckgenError, OSError) as caught:
                error = _as_told(caught)
                before = None
                if running or told != str(error):
                    fails(error)
                told = str(error)
                if not running:
                    watcher.forget()
            with contextlib.suppress(Empty):
                again.get(timeout=RETRY if told and not running else None)
                while True:
                    again.get_nowait()


def _as_told(error: DeckgenError | OSError) -> DeckgenError:
    """What went away while it was looked at is told like any other error. Raises OSError where the output cannot be written."""
    if isinstance(error, DeckgenError):
        return error
    if error.filename is None:
        raise error
    return UsageError(f"cannot be read: {error.strerror}", str(error.filename))
