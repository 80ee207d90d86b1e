"""Notes as they come, checked under the real torch: helpers for tests that read as sentences."""

from textwrap import dedent

from carded import extracted

from deckgen.decide import Policy, decide
from deckgen.model.document import Extraction
from deckgen.model.results import Decision
from deckgen.model.verdict import Checked
from deckgen.verify import VerifyOptions, verify


def checked(text: str, name: str = "notes.md", **options: object) -> tuple[Extraction, Checked]:
    """What was found in a few lines, and what torch says of it."""
    extraction = extracted(text, name)
    found = verify([extraction], VerifyOptions(use_cache=False, **options))  # type: ignore[arg-type]
    return extraction, found.sources[0]


def words(text: str, **options: object) -> list[str]:
    """The verdict on each claim, with its reason where it is one of the fixed ones."""
    verdicts = checked(text, **options)[1].verdicts
    return [f"{one.word} {one.reason}" if str(one.word) == "unverified" else str(one.word) for one in verdicts]


def decided(text: str, **policy: object) -> list[Decision]:
    """What becomes of the notes of a few lines."""
    extraction = extracted(dedent(text))
    found = verify([extraction], VerifyOptions(use_cache=False))
    return list(
        decide(extraction.notes, {one.source: one for one in found.sources}, found.environment, Policy(**policy))
    )  # type: ignore[arg-type]
