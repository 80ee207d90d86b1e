"""Of cards that ask the same and answer differently one is a card: the first, or the one that torch proves where it denies the first."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace

from deckgen.decide import Policy, decide, with_evidence
from deckgen.model.document import Extraction
from deckgen.model.note import Note, Skipped
from deckgen.model.results import Decision, Proof, Results
from deckgen.model.verdict import Checked


def settled(extraction: Extraction, checked: Mapping[str, Checked]) -> Extraction:
    """The finds of a source with the proved card in the place of each that is refuted and asks the same."""
    if not extraction.rivals:
        return extraction
    from deckgen.extract.same_question import ASKS_THE_SAME, asked_by

    asked = set(map(asked_by, extraction.rivals))
    firsts = [note for note in extraction.notes if asked_by(note) in asked]
    proofs = {one.note: one.proof for one in with_evidence((*firsts, *extraction.rivals), checked)}
    proved: dict[Hashable, Note] = {}
    for rival in extraction.rivals:
        if proofs[rival] is Proof.PROVED:
            proved.setdefault(asked_by(rival), rival)
    instead = {
        first: proved[asked_by(first)]
        for first in firsts
        if proofs[first] is Proof.REFUTED and asked_by(first) in proved
    }
    spans = {rival.span for rival in instead.values()}
    left = (
        Skipped(first.span, f"{ASKS_THE_SAME} {rival.span.first}, whose answer torch proves", rule="unique")
        for first, rival in instead.items()
    )
    skipped = [one for one in extraction.skipped if not (ASKS_THE_SAME in one.reason and one.span in spans)]
    return replace(
        extraction,
        rivals=(*instead, *(note for note in extraction.rivals if note not in instead.values())),
        notes=tuple(sorted((instead.get(note, note) for note in extraction.notes), key=lambda note: note.span)),
        skipped=tuple(sorted((*skipped, *left), key=lambda one: one.span)),
        remarks=tuple(one for one in extraction.remarks if not (ASKS_THE_SAME in one.text and one.span in spans)),
    )


def refuted(results: Results) -> tuple[Decision, ...]:
    """The cards left out beside another that torch denies: each is told, as a card that would be shipped is."""
    checked = results.verification.by_source
    left_out = [note for extraction in results.extractions for note in extraction.rivals]
    every = decide(left_out, checked, results.verification.environment, Policy()) if left_out else ()
    return tuple(one for one in every if one.proof is Proof.REFUTED)
