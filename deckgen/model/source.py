"""A source, and places in it.

This is the only module that turns indices into the line numbers that people see: everywhere else
a place is a half-open `Span` of 0-based lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

CONFLICT_MARKERS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
"""What Git writes at the start of a line where two sides of a merge begin and end; the second only if it shows their base."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of 0-based lines: `Span(0, 2)` is the first two lines of a file."""

    start: int
    stop: int

    @property
    def first(self) -> int:
        """First line as people and editors count it, from 1."""
        return self.start + 1

    @property
    def last(self) -> int:
        """Last line, from 1, inclusive; an empty span counts as the line where it stands."""
        return max(self.stop, self.start + 1)

    def line(self, at: int) -> int:
        """The line so many below its first, or its last one: a text may have more lines than its place in the source."""
        return min(self.start + at, max(self.start, self.stop - 1))

    def __contains__(self, line: int) -> bool:
        return self.start <= line < self.stop

    def __or__(self, other: Span) -> Span:
        """The smallest span that holds both."""
        return Span(min(self.start, other.start), max(self.stop, other.stop))

    def touches(self, other: Span) -> bool:
        """True if the two share a line."""
        return self.start < other.stop and other.start < self.stop


def line_span(line: int) -> Span:
    """The span of one 0-based line."""
    return Span(line, line + 1)


@dataclass(frozen=True, slots=True)
class Source:
    """One input file, decoded.

    `text` has no byte order mark and only `\\n` line ends, whatever the file has.
    """

    name: str
    """The path as the user would type it, with forward slashes; shown in messages and on cards."""
    text: str
    encoding: str = "utf-8"
    """That of the file."""
    _lines: list[tuple[str, ...]] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def lines(self) -> tuple[str, ...]:
        """`text` split at line ends, without them; kept once it was asked for."""
        if not self._lines:
            self._lines.append(tuple(self.text.split("\n")))
        return self._lines[0]

    def copy(self) -> Source:
        """The same without the memory that its lines take."""
        return replace(self)

    def slice(self, span: Span) -> str:
        """The text of a span, without the last line end."""
        return "\n".join(self.lines[span.start : span.stop])

    def at(self, place: Span | int) -> str:
        """`name:47` for a span or a 0-based line: the form that editors and CI understand."""
        line = place.first if isinstance(place, Span) else place + 1
        return f"{self.name}:{line}"
