"""What authors tell deckgen: `<!-- deckgen: skip -->`, `keep`, `id=... tags=a,b`, and words that it does not know.

A comment that calls deckgen by name is meant for it, so every unknown word in it is reported. The braces of a fence are
shared with other tools (`{.python .input}`, `{linenos=true}`): there only what is nearly a word of ours is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

from deckgen.extract.page import Page
from deckgen.model.document import Code, Directive, Document, Heading, Remark
from deckgen.model.note import Note, Skipped
from deckgen.model.source import Span
from deckgen.text.pattern import pattern


class Mark(NamedTuple):
    """A word by which an author tells deckgen what to do; docs/marks.md lists them all."""

    example: str
    says: str
    value: str = ""
    """What may stand behind its `=`, as an expression; empty = anything."""


DIRECTIVES: Mapping[str, Mark] = {
    "skip": Mark("skip (a reason)", "Leaves out the next block; before a heading, the whole section."),
    "keep": Mark("keep", "Ships the notes of the next block that rules refuse or only suggest; before a heading, of the whole section. What torch contradicts stays withheld."),
    "id": Mark("id=leaf", "Names the first note of the next block: builds know it by that name, whatever becomes of its words."),
    "tags": Mark("tags=exam,autograd", "Gives tags to the notes of the next block; before a heading, of the whole section."),
}  # fmt: skip
"""The words of `<!-- deckgen: ... -->`."""
FENCES: Mapping[str, Mark] = {
    "no-run": Mark("no-run", "The code is not run and its claims are not judged. A card is made of it all the same; it says \"not checked\"."),
    "raises": Mark("raises=RuntimeError", "The code raises this exception, as it should: its card asks for it.", r"[A-Za-z_][\w.]*"),
    "device": Mark("device=cuda", "The code is for CUDA: it runs on a GPU, or emulated.", r"cuda(:\d+)?|cpu"),
    "seed": Mark("seed=0", "The seed of torch's generator before the code.", r"\d{1,18}"),
    "skip": Mark('skip="needs data"', "The code is not run and no card is made of it; reports give this reason."),
    "file": Mark("file=collate.py#pad", "The code is that of the region `pad` of a file; the fence is empty."),
}  # fmt: skip
"""The words in the braces behind the language of a fence."""
_ATTRIBUTE = pattern(r"(?<![\w.#=:\"-])([A-Za-z][\w-]{2,})(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s,]*))?(?=[\s,]|$)")
_NEAR = 0.8
"""Of difflib's ratio: `skp`, `no-rnu`, `raise`, and not `title` or `line`."""


def obeyed(page: Page, notes: Sequence[Note]) -> tuple[tuple[Note, ...], tuple[Skipped, ...]]:
    """The notes as the author wants them: without those to skip, with those to keep marked, with the ids and tags that are given.

    A directive is about the next block; before a heading it is about the whole section. An id goes to the
    first note that begins there.
    """
    kept: list[Note | None] = list(notes)
    starts = [note.span.start for note in notes]
    skipped: list[Skipped] = []
    waiting: list[Sequence[str]] = []
    for index, block in enumerate(page.document.blocks):
        if isinstance(block, Directive):
            waiting += [block.words] if block.words else []
        elif waiting:
            last = page.section(index).stop - 1 if isinstance(block, Heading) else index
            scope = Span(block.span.start, page.document.blocks[last].span.stop)
            inside = range(bisect_left(starts, scope.start), bisect_left(starts, scope.stop))
            for words in waiting:
                if words[0] == "skip":
                    kept[inside.start : inside.stop] = [None] * len(inside)
                    reason = f" ({' '.join(words[1:])})" if words[1:] else ""
                    skipped.append(Skipped(scope, f"skipped by the author{reason}"))
                else:
                    _describe(kept, inside, words)
            waiting = []
    return tuple(note for note in kept if note is not None), tuple(skipped)


def _describe(notes: list[Note | None], inside: range, words: Sequence[str]) -> None:
    """Marks the notes of the scope that are to be kept, gives them the tags, and the first of them the id."""
    values = dict(word.split("=", 1) for word in words if "=" in word)
    tags = values.get("tags", "").replace(",", " ").split()
    given = values.get("id")
    for at in inside:
        if note := notes[at]:
            every = tuple(dict.fromkeys((*note.tags, *tags)))
            kept = note.kept or "keep" in words
            notes[at] = replace(note, tags=every, explicit_id=given or note.explicit_id, kept=kept)
            given = None


def misspelt(document: Document) -> Iterator[Remark]:
    """A remark on each word in a directive or on a fence that is not known, in order."""
    for block in document.opened().blocks:
        if isinstance(block, Directive) and block.words:
            yield from (Remark(block.span, text) for text in _of_directive(block.words))
        elif isinstance(block, Code):
            yield from (Remark(block.span, text) for text in _of_fence(block))


def _of_directive(words: Sequence[str]) -> Iterator[str]:
    """Behind `skip` stands a reason, in any words."""
    for word in words if words[0] != "skip" else ():
        key, sign, _ = word.partition("=")
        if key == "skip":
            yield "`skip` counts only as the first word of a directive; write `<!-- deckgen: skip -->`"
        elif key not in DIRECTIVES:
            near, every = nearest(key, DIRECTIVES), ", ".join(f"`{one}`" for one in DIRECTIVES)
            meant = f"did you mean `{near}`?" if near else f"known are {every}"
            yield f"a directive says `{key}`, which is not known; {meant}"
        elif not sign and key != "keep":
            yield f"a directive says `{key}` without a value; write `{key}=...`"


def _of_fence(block: Code) -> Iterator[str]:
    if not block.attributes and re.search(r"\sno-run(?!\S)", block.info):
        yield "`no-run` counts only in braces; write `{no-run}`"
    for attribute in _ATTRIBUTE.finditer(block.attributes):
        key, value = attribute[1], (attribute[2] or "").strip("\"'")
        mark = FENCES.get(key)
        if mark is None:
            if near := nearest(key):
                yield f"a fence says `{key}`, which is not known; did you mean `{near}`?"
        elif mark.value and not re.fullmatch(mark.value, value):
            yield f"a fence says `{attribute[0]}`, which means nothing here; write for example `{{{mark.example}}}`"


def nearest(key: str, known: Collection[str] = FENCES) -> str:
    """The known word that has nearly all letters of the key, or all of them in another order."""
    word = key.lower().replace("_", "-")
    swapped = (one for one in known if one[0] == word[:1] and sorted(one) == sorted(word))
    return next(swapped, "") or next(iter(get_close_matches(word, known, n=1, cutoff=_NEAR)), "")
