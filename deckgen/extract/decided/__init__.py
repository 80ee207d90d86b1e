"""Answers that torch can decide: what a card says of an expression, an exception, a default or a name is a claim of that card."""

from deckgen.extract.decided.station import decided as decided

__all__ = ["decided"]
