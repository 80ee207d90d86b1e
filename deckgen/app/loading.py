"""Loading: the files that the command line means, read and extracted; each only once while it stays as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from deckgen import cache as recall
from deckgen import files
from deckgen.app.loaded import Loaded, Options
from deckgen.files import Beside, DeckFolder
from deckgen.model.config import DeckConfig
from deckgen.model.document import Document
from deckgen.model.errors import DeckgenError, SourceError
from deckgen.model.extraction import Extraction
from deckgen.model.source import Source

Language = Literal["zh", "en"]


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
        except (RecursionError, MemoryError) as error:
            what = (
                "nested too deeply"
                if isinstance(error, RecursionError)
                else "reading it takes more memory than there is"
            )
            unreadable.append(SourceError(what, path.as_posix(), "make it simpler, or leave it out with `exclude`"))
        else:
            extractions.append(_tagged(extraction, folder.config))
    return Loaded(folder=folder, extractions=tuple(extractions), unreadable=tuple(unreadable), beside=beside)


def _extraction(path: Path, folder: DeckFolder, known: recall.Extractions, beside: Beside) -> Extraction:
    source = files.load(path, folder.places_for(path))
    kept = known.look(source, folder.config.language)
    if kept is not None and files.answers_as_before(kept.asked):
        extraction = _recalled(source, kept, known, folder.config.language)
        if extraction is not None:
            beside.answers.update(kept.asked)
            return extraction
    own = Beside()
    # reading and extracting take a third of a second to import, and nothing of them is needed while nothing changes
    from deckgen.extract import extract

    document = _document(source, folder, own)
    extraction = extract(document)
    _keep(document, extraction, tuple(own.answers.items()), known, folder.config.language)
    beside.answers.update(own.answers)
    return extraction


def _recalled(
    source: Source, kept: recall.Kept, known: recall.Extractions, language: Language | None
) -> Extraction | None:
    """What was found in this source, or in an earlier version of which most is as it was; None if it must be read."""
    try:
        if kept.current:
            return kept.extraction()
        if len(kept.passages) == 1 or kept.asked:
            return None
        from deckgen.app.rereading import reread

        again = reread(source, kept, language)
    except recall.UnusableError:
        return None
    if again is None:
        return None
    known.keep(source, again.extraction.document, (), again.passages, language)
    return again.extraction


def _keep(
    document: Document,
    extraction: Extraction,
    asked: recall.Asked,
    known: recall.Extractions,
    language: Language | None,
) -> None:
    """Keeps what was found: of a long source by passages, so that the next edit costs less."""
    from deckgen.app.cutting import cut

    passages = () if asked or known.folder.path is None else cut(document, extraction)
    if passages:
        known.keep(document.source, document, asked, passages, language)
    else:
        known.put(document.source, extraction, asked, language)


def _document(source: Source, folder: DeckFolder, beside: Beside) -> Document:
    from deckgen.read import read
    from deckgen.read.include import included

    document = included(read(source), beside.snippets(folder.root))
    return replace(document, language=folder.config.language or document.language)


def _tagged(extraction: Extraction, config: DeckConfig) -> Extraction:
    if not config.tags:
        return extraction
    notes = (replace(note, tags=(*config.tags, *note.tags)) for note in extraction.notes)
    return replace(extraction, notes=tuple(notes))
