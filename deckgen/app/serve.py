"""Serving: a page on this machine on which the author decides about notes, and which follows the notes.

The main thread reads and checks the notes again whenever they change; others answer the browser (`page_server.py`), and a
decision is in the lock before it is answered.
"""

from __future__ import annotations

import gc
import secrets
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from deckgen.app.options import Options
from deckgen.app.page_server import PageServer, PageState
from deckgen.app.review import EDITOR, Reviewer
from deckgen.app.watch import Watcher
from deckgen.model.errors import DeckgenError, UsageError
from deckgen.text.pattern import pattern

CHECKING = "checking the notes{}; this is how they were before ..."
_ADDRESS = pattern(r"(?!javascript:|data:|vbscript:)[a-z][a-z0-9+.-]*:.*\{path\}.*")
"""Of an editor: what a browser hands on to another program."""


def serve(what: Options | str | Path, ready: Callable[[str], object], *, port: int = 0, editor: str = EDITOR) -> None:
    """Serves the page of some decks until somebody ends it; `ready` is called with its address. Raises DeckgenError.

    `port` 0 takes a free one. `editor` is the address that opens an editor, with `{path}` and `{line}`.
    """
    if not _ADDRESS.fullmatch(editor):
        raise UsageError(f"`{editor}` is no address of an editor", hint=f"write it like `{EDITOR}`")
    options = Options.of(what)
    options.deck_folders()  # what is not there is told at once
    gc.enable()  # this run has no near end
    state = PageState()
    token = secrets.token_urlsafe(24)
    try:
        server = PageServer(state, token, options, port)
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be had: {error.strerror}", hint="leave out --port to take a free one"
        ) from None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ready(f"http://127.0.0.1:{server.server_port}/{token}/")
    _follow(state, options, editor)


def _follow(state: PageState, options: Options, editor: str) -> None:
    """Reads and checks the notes, at first and after each change. Until that is done the page shows what was before."""
    reviewer = Reviewer(options, editor)
    watcher = Watcher(lambda: state.again.put(None))
    while True:
        try:
            watcher.look_at(options)
            if not options.no_run and not state.review.sources:  # cards at once, verdicts later
                state.say(doing="reading the notes ...")
                state.show(reviewer.review(run=False))
            since = state.decisions
            state.say(doing="reading the notes ..." if options.no_run else CHECKING.format(""))
            state.show(reviewer.review(partial(_tell_progress, state)), since)
            gc.freeze()  # what was read stays: looking through it for rings took as long as reading it again
        except DeckgenError as error:  # half a deck.toml, a note that is just being saved: the next change may mend it
            state.say(error=f"{error}" + (f" ({error.hint})" if error.hint else ""))
        state.again.get()
        while not state.again.empty():
            state.again.get()


def _tell_progress(state: PageState, done: int, total: int) -> None:
    state.say(doing=CHECKING.format(f", {done} of {total}"))
