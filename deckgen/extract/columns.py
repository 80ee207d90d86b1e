"""What the headers of tables say that a column holds."""

from __future__ import annotations

from deckgen.text.pattern import pattern

SECTION = pattern(r"\W*«definition.section»\W*")
"""First column of an outline of lessons."""

SCORE = pattern(r"«definition.score»|^«definition.score_alone»[?？]?$")

OWN_SCORE = pattern(r"\W*«definition.own_score»\W*")
"""What stands before the figure in a row of a pupil's results."""

PUPIL = pattern(r"«definition.pupil»|^«definition.pupil_begins»")

RIGHT = pattern(r"^«definition.right_column»\W*$")

PARAMETER = pattern(r"«definition.parameter»")

API = pattern(r"^«definition.api_column»|«definition.api_column»$")

MEANING = pattern(r"«definition.meaning»")
"""A column that tells what the thing in the row is or does."""

VALUE = pattern(r"^\W*(?:«definition.value»|«definition.whether».*)\W*$")
"""A column that says how large or of what kind the thing in the row is, and not what it does."""

PROPERTY = pattern(r"^\W*«definition.property»\W*$")
"""A column that tells what goes in and out, what is kept or when: not what the thing in the row is for."""

MEASURED = pattern(
    r"«definition.measured»|«definition.precision»[（(]?%|(?:\b|[(（\[/])(?:ms|µs|us|sec|s|min|hours?|[kmg]i?b|fps|it/s|img/s|%)(?:\b|[)）\]]|$)"
    r"|«definition.rate_of»/s|t?flops"
)
"""A column of figures that somebody measured."""

DITTO = pattern(r"«definition.ditto»|″|〃|^\s*\"\s*$")

DECORATION = pattern(r"«definition.decoration»")
"""Columns that say nothing about the thing in the row."""
