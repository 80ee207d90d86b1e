"""Settings: the `deck.toml` of a folder, as far as it may be read, and what it may name."""

from __future__ import annotations

import os
from pathlib import Path

from deckgen.files.regular import content, lies_inside, places_of, real
from deckgen.files.sources import decode
from deckgen.model.config import DeckConfig, line_of, parse_config
from deckgen.model.errors import SourceError, UsageError

CONFIG_NAME = "deck.toml"
DEEPEST = 100
"""Folders in folders that are searched."""


def refused(path: Path) -> SourceError:
    """What to say of a place into which nobody lets us look, or to which no path leads."""
    if len(path.parts) > DEEPEST:
        return SourceError("lies too deep in its folders", path.as_posix(), "move it up, or name it")
    hint = "give yourself the right to read it (`chmod u+rX`), or name only what you may read"
    return SourceError("may not be read", path.as_posix(), hint)


def led_out(path: Path) -> SourceError:
    """What to say of a link to a folder elsewhere."""
    hint = "copy what you need into the deck's folder, or leave it out with `exclude` in deck.toml"
    return SourceError("leads out of the deck's folder", path.as_posix(), hint)


def load_config(folder: Path) -> DeckConfig:
    """The `deck.toml` of a folder; the defaults if there is none. Raises UsageError, and SourceError if it is closed."""
    path = folder / CONFIG_NAME
    try:
        text = decode(content(path, places=(real(folder),)), path.as_posix()).text
    except FileNotFoundError:
        return DeckConfig()
    except PermissionError:
        where = folder if not os.access(folder, os.X_OK) else path
        raise refused(where) from None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path.as_posix()) from None
    config = parse_config(text, path.as_posix())
    strays = [source for source in config.sources if not lies_inside(folder / source, places_of(folder))]
    if strays:
        at = f"{path.as_posix()}:{line_of('sources', text)}"
        hint = "name what lies below it, or in the `snippets` folder of its project"
        raise UsageError(f"`sources` leads out of the deck's folder: {strays[0]}", at, hint)
    return config
