"""What `inspect` is asked for: finds of a kind, of a rule, on some lines; and how many each rule made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from deckgen.model.claim import Claim, Exists
from deckgen.model.deck import kind_of
from deckgen.model.document import Extraction, Remark
from deckgen.model.note import Note, Skipped
from deckgen.model.results import Results
from deckgen.model.source import Span

Find = TypeVar("Find", Note, Skipped, Remark, Claim, Exists)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be shown: finds of one of the kinds and of one of the rules, on one of the lines; empty = any."""

    kinds: frozenset[str] = frozenset()
    """Of notes, refused ones among them; nothing else has one."""
    rules: frozenset[str] = frozenset()
    """`worth` stands for `worth: label`, too."""
    lines: tuple[int, int] | None = None
    """First and last, from 1."""

    def finds(self, results: Results) -> Results:
        """The results with these finds only, and without sources in which there are none."""
        if self == Asked():
            return results
        found = map(self._finds_in, results.extractions)
        kept = (one for one in found if one.notes or one.skipped or one.remarks or one.snippets or one.apis)
        return replace(results, extractions=tuple(kept))

    def _finds_in(self, one: Extraction) -> Extraction:
        snippets = (replace(snippet, claims=self._of(snippet.claims, lambda it: it.form)) for snippet in one.snippets)
        return replace(
            one,
            notes=tuple(note for note in self._of(one.notes, lambda it: it.rule) if self._wants(kind_of(note))),
            skipped=tuple(skip for skip in self._of(one.skipped, lambda it: it.rule) if self._wants_refused(skip)),
            remarks=self._of(one.remarks, lambda it: it.rule) if not self.kinds else (),
            snippets=tuple(snippet for snippet in snippets if snippet.claims) if not self.kinds else (),
            apis=self._of(one.apis, lambda it: it.form) if not self.kinds else (),
        )

    def _of(self, finds: Iterable[Find], rule: Callable[[Find], str]) -> tuple[Find, ...]:
        """Those that are of the rules and on the lines."""
        return tuple(one for one in finds if self._is_of(rule(one)) and self._is_on(one.span))

    def _wants(self, kind: str) -> bool:
        return not self.kinds or kind in self.kinds

    def _wants_refused(self, skipped: Skipped) -> bool:
        return not self.kinds or (skipped.note is not None and kind_of(skipped.note) in self.kinds)

    def _is_of(self, rule: str) -> bool:
        return not self.rules or rule in self.rules or rule.partition(":")[0] in self.rules

    def _is_on(self, span: Span) -> bool:
        return self.lines is None or (span.first <= self.lines[1] and self.lines[0] <= span.last)


class RuleCounts(NamedTuple):
    """How many notes a rule made, and how many it refused."""

    notes: int
    refused: int


def by_rule(extractions: Iterable[Extraction]) -> dict[str, RuleCounts]:
    """What each rule made: those with the most notes first, then those with the most refusals."""
    found: dict[str, RuleCounts] = {}
    for extraction in extractions:
        for note in extraction.notes:
            made = found.get(note.rule, RuleCounts(0, 0))
            found[note.rule] = made._replace(notes=made.notes + 1)
        for skipped in extraction.skipped:
            made = found.get(skipped.rule, RuleCounts(0, 0))
            found[skipped.rule] = made._replace(refused=made.refused + 1)
    return dict(sorted(found.items(), key=lambda one: (-one[1].notes, -one[1].refused, one[0])))
