"""Answers that torch can decide: what a card says of an expression, an exception, a default or a name is a claim of that card."""

from deckgen.extract.decided.fence import with_fences as with_fences
from deckgen.extract.decided.station import with_decided as with_decided

__all__ = ["with_decided", "with_fences"]
