"""Worth: which notes a learner would keep, and why the others are left out.

What can be made good is repaired first (`repairs.py`). Then the rows of `doubts.py` speak against a note, each with one expression over
what it asks and says (`facts.py`).
"""

from deckgen.extract.worth.station import weigh

__all__ = ["weigh"]
