"""Loading: the files that the command line means, read and extracted; each only once while it stays as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from deckgen import files, recall
from deckgen.config import DeckConfig
from deckgen.errors import DeckgenError
from deckgen.extraction import Extraction
from deckgen.files import Beside, DeckFolder
from deckgen.loaded import Loaded, Options
from deckgen.source import Source


def load(options: Options) -> tuple[Loaded, ...]:
    """Everything in every source that the command line means."""
    known = recall.Extractions(recall_folder("extractions", options))
    loaded = tuple(_loaded(folder, known) for folder in files.deck_folders(options.paths, options.lock))
    known.folder.trim()
    return loaded


def recall_folder(kind: str, options: Options) -> recall.Folder:
    """Where a run keeps what it may use again; nowhere with `--no-cache`."""
    return recall.Folder(None if options.no_cache else recall.place(kind))


def _loaded(folder: DeckFolder, known: recall.Extractions) -> Loaded:
    extractions: list[Extraction] = []
    unreadable: list[DeckgenError] = [*folder.refusals]
    beside = Beside()
    for path in folder.files:
        try:
            extraction = _extraction(path, folder, known, beside)
        except DeckgenError as error:
            unreadable.append(error)
        else:
            extractions.append(_tagged(extraction, folder.config))
    return Loaded(folder=folder, extractions=tuple(extractions), unreadable=tuple(unreadable), beside=beside)


def _extraction(path: Path, folder: DeckFolder, known: recall.Extractions, beside: Beside) -> Extraction:
    source = files.load(path)
    found = known.get(source, folder.config.language)
    if found is not None:
        extraction, asked = found
        if files.answers_as_before(asked):
            beside.answers.update(asked)
            return extraction
    own = Beside()
    extraction = _extracted(source, folder, own)
    known.put(source, extraction, tuple(own.answers.items()), folder.config.language)
    beside.answers.update(own.answers)
    return extraction


def _extracted(source: Source, folder: DeckFolder, beside: Beside) -> Extraction:
    # reading and extracting take a third of a second to import, and nothing of them is needed while nothing changes
    from deckgen.extract import extract
    from deckgen.read import read
    from deckgen.read.include import included

    document = included(read(source), beside.snippets(folder.root))
    return extract(replace(document, language=folder.config.language or document.language))


def _tagged(extraction: Extraction, config: DeckConfig) -> Extraction:
    if not config.tags:
        return extraction
    notes = (replace(note, tags=(*config.tags, *note.tags)) for note in extraction.notes)
    return replace(extraction, notes=tuple(notes))
