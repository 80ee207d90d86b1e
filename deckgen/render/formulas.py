"""Formulas: TeX as MathJax shows it, without the commands by which a formula acts.

Anki's MathJax follows `\\href` to any address, scripts among them, and gives `\\style` and its kin to the browser,
which loads whatever address stands in there as soon as the card is shown.
"""

from __future__ import annotations

from deckgen.render import marks
from deckgen.text.pattern import pattern

_ACTIVE = pattern(
    r"\\(?:(?:href|style|class|cssId|data|require)(?![A-Za-z])\s*(?:\{[^{}]{0,2000}\})?"
    r"|(?:bbox|unicode|mmlToken)(?![A-Za-z])\s*(?:\{[^{}]{0,200}\}(?=\s*\[))?\s*(?:\[[^\]]{0,2000}\])?)"
)


def calm(tex: str) -> str:
    """`tex` without its active commands and what these are given; a space in their place ends a name before them.

    A hole that cuts one in two would put it together again on the back: then the holes are left out.
    """
    if "\\" not in tex:
        return tex
    bare = marks.without(tex)
    return _ACTIVE.sub(" ", bare) if _ACTIVE.search(bare) else tex
