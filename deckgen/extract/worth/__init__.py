"""Worth: which notes a learner would keep, and why the others are left out.

What makes a good card stands in the rows of `rules.py`; what can be made good is repaired first (`repairs.py`).
"""

from deckgen.extract.worth.station import weigh

__all__ = ["weigh"]
