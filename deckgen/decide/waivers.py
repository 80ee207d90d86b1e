"""Waivers: what an author does not want to have checked, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from deckgen.model.config import Waiver
from deckgen.model.verdict import SKIPPED, Checked, Verdict, Word


def waive(checked: Checked, waivers: Iterable[Waiver], used: set[Waiver]) -> Checked:
    """Verdicts on claims whose text a waiver names become `unverified: skipped`; adds to `used`."""
    waivers = tuple(waivers)
    verdicts = tuple(_waived(verdict, waivers, used) for verdict in checked.verdicts)
    return replace(checked, verdicts=verdicts)


def _waived(verdict: Verdict, waivers: Iterable[Waiver], used: set[Waiver]) -> Verdict:
    for waiver in waivers:
        if waiver.text in verdict.claim.text:
            used.add(waiver)
            return replace(verdict, word=Word.UNVERIFIED, reason=f"{SKIPPED}: {waiver.reason}")
    return verdict
