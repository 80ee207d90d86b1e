"""Judging: claims set against observations.

`evidence` finds what each claim is about, `claims` compares the two and gives the verdict, `blame` says what may be at fault.
`cards` is what becomes of the code of an Output card that is run alone.
"""

from deckgen.verify.judge.claims import CHANCE, judge, needs_no_second_run

__all__ = ["CHANCE", "judge", "needs_no_second_run"]
