"""Judging: claims set against observations.

`evidence` finds what each claim is about, `claims` compares the two and gives the verdict, `exceptions` judges what is raised
or should be, `context` looks for what else may be to blame, `causes` names the likely cause of a difference. `failures` are
snippets that torch refuses, claim or no claim; `cards` is what becomes of the code of an Output card that is run alone.
"""

from deckgen.verify.judge.claims import judge, settled

__all__ = ["judge", "settled"]
