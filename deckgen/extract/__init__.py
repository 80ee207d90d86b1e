"""Extraction: a document becomes notes, snippets with claims, and names of the API to look up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from deckgen.extract import records, rules
from deckgen.extract.blocks import UNWIELDY, prepared, unwieldy
from deckgen.extract.claims.snippets import snippets
from deckgen.extract.decided import with_decided, with_fences
from deckgen.extract.declared.gaps import without_gaps
from deckgen.extract.declared.incomplete import incomplete_cards
from deckgen.extract.declared.kept import unkept
from deckgen.extract.directives import misspelt, obeyed
from deckgen.extract.engine import Rule, ask, stamp
from deckgen.extract.left_over import lines_left_over
from deckgen.extract.names.asked import with_asked
from deckgen.extract.names.mentions import mentions
from deckgen.extract.page import Page
from deckgen.extract.report import failed_includes, oversized, unclosed_fences, unread_values
from deckgen.extract.same_question import contradicting_choices, may_be_proved, merge, unique
from deckgen.extract.versions import without_marks
from deckgen.extract.worth import weigh
from deckgen.extract.worth.repairs import with_class
from deckgen.model.claim import Snippet
from deckgen.model.document import Document, Extraction, Flashcard, Remark
from deckgen.model.note import Note, Output, Skipped

__all__ = ["extract", "merge"]


def extract(document: Document) -> Extraction:
    """Everything that a document holds, before anything is run; every block that gave no note has its reason."""
    found = _of_records(document) if document.apart else _extracted(document, rules.RULES)
    return found.in_source() if document.places else found


def _of_records(document: Document) -> Extraction:
    """What a file of cards holds, each of which is a document by itself."""
    parts = [
        _extracted(
            replace(document, blocks=card.blocks, card_text="\n".join((card.text, *card.options))),
            (records.rule(card),),
        )
        for card in document.blocks
        if isinstance(card, Flashcard)
    ]
    found = [note for part in parts for note in part.notes]
    kept, rivals, doubled = unique(found, document)
    notes = sorted(kept, key=_lines)
    refused = [
        *stamp("records", records.unread(document)),
        *(one for part in parts for one in part.skipped),
        *stamp("unique", doubled),
    ]
    return Extraction(
        document=document,
        notes=tuple(notes),
        snippets=tuple(
            replace(one, headings=(f"record {number}",))
            for number, part in enumerate(parts, 1)
            for one in part.snippets
        ),
        apis=tuple(one for part in parts for one in part.apis),
        skipped=tuple(sorted(refused, key=lambda skip: skip.span)),
        remarks=(
            *stamp("records", records.errors(document, (one for part in parts for one in part.skipped))),
            *stamp("unique", (Remark(one.span, f"no card: {one.reason}") for one in doubled)),
            *(one for part in parts for one in part.remarks),
        ),
        rivals=may_be_proved(rivals),
    )


def _extracted(document: Document, known: Sequence[Rule]) -> Extraction:
    """What these rules find."""
    document, marks = without_marks(prepared(document))
    document, gaps = without_gaps(document)
    too_big = [index for index, block in enumerate(document.blocks) if unwieldy(block)]
    page = Page(document, snippets(document), mentions(document), frozenset(too_big), gaps)
    finds = ask(known, page)
    wanted, unwanted = obeyed(page, sorted(finds.notes, key=_lines))
    wanted = marks.on_notes(wanted)
    kept, rivals, doubled = unique(wanted, document)
    notes, claimed = with_fences(with_evidence(kept, page.snippets), page.snippets, document)
    worthy = weigh(notes, document)
    resting, names = with_asked(worthy.notes, page.apis, document)
    others = with_evidence(may_be_proved(rivals), claimed)
    decided, claimed, names = with_decided((*resting, *others), claimed, names, page)
    resting, others = decided[: len(resting)], decided[len(resting) :]
    refused = [
        *(Skipped(document.blocks[index].span, UNWIELDY, rule="unwieldy") for index in too_big),
        *finds.skipped,
        *stamp("directive", unwanted),
        *stamp("unique", doubled),
        *worthy.skipped,
    ]
    skipped = [*refused, *stamp("left_over", lines_left_over(page, worthy.notes, refused))]
    return Extraction(
        document=document,
        notes=tuple(map(with_class, resting)),
        snippets=marks.on_snippets(claimed),
        apis=marks.on_claims(names),
        skipped=tuple(sorted(skipped, key=lambda skip: skip.span)),
        remarks=(
            *stamp("include", failed_includes(document)),
            *stamp("misspelt", misspelt(document)),
            *stamp("versions", marks.remarks),
            *stamp("unclosed", unclosed_fences(document)),
            *stamp("unread", unread_values(claimed)),
            *stamp("unique", contradicting_choices(wanted, kept, document) if doubled else ()),
            *stamp("unwieldy", (Remark(document.blocks[at].span, _TOO_BIG) for at in too_big if at in gaps.tagged)),
            *stamp("incomplete", incomplete_cards(() if document.apart else skipped)),
            *stamp("kept", unkept(page, worthy.notes, refused)),
            *stamp("oversized", oversized(worthy.notes)),
        ),
        rivals=tuple(map(with_class, others)),
    )


_TOO_BIG = f"no cards are made of this: {UNWIELDY}; part it with empty lines"


def _lines(note: Note) -> tuple[int, int]:
    return note.span.start, note.span.stop


def with_evidence(notes: Iterable[Note], snippets: Sequence[Snippet]) -> tuple[Note, ...]:
    """The notes, resting also on the claims of code inside their lines: an answer that shows a false output
    is a false answer. Output notes name the claims of their answer themselves. What cannot be run proves nothing of a note."""
    claims: dict[int, list[str]] = {}
    for claim in (claim for snippet in snippets for claim in snippet.claims if claim.place != "unparsed"):
        claims.setdefault(claim.span.start, []).append(claim.id)
    made: list[Note] = []
    for note in notes:
        inside = (
            []
            if isinstance(note.body, Output)
            else [one for line in range(*_lines(note)) for one in claims.get(line, ())]
        )
        rests_on = tuple(dict.fromkeys((*note.rests_on, *inside)))
        made.append(note if rests_on == note.rests_on else replace(note, rests_on=rests_on))
    return tuple(made)
