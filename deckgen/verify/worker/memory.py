"""Memory of a zygote: every page that a session touches is copied for it, two microseconds each.

So what they make should lie together (`fill_gaps`), and what they do not touch should cost the fork little: a page costs
a third of a microsecond, a huge page hardly more. Hence what Python makes of torch lies in huge pages (`reserve`,
`collapse`).
"""

from __future__ import annotations

import itertools
import sys
from typing import Any, Callable, Iterator, List, Tuple

from .mappings import AT_THIS_PLACE, FAILED, HUGE, MADV_COLLAPSE, PRIVATE_ANONYMOUS, libc, mappings

POOL = 16 << 10
"""Bytes from which Python serves objects of one size."""
SMALL = 512
"""Bytes of the largest object that Python serves itself; the C library serves the others."""
LARGE = 16 << 10
ARENA = 1 << 20
"""Bytes that Python asks of the system at once."""
RESERVED = 48 << 20
"""Bytes of Python's small objects in a process that has imported torch; if they are more, the rest lies elsewhere."""
WIDE = 1 << 30
"""Bytes of a hole that is no hole between libraries."""
MOST = 16 << 20
"""Bytes of filling for one size, should the holes never end."""
BYTES_HEAD = sys.getsizeof(b"")

_IS_KNOWN = sys.implementation.name == "cpython" and sys.platform == "linux"
"""Whether memory is served as is told here."""
_FILLING: List[Any] = []


def reserve() -> None:
    """Have Python's arenas side by side, before importing torch: they would lie scattered between its libraries, where
    no huge page fits. A few objects in each keep it from being given back, and what torch makes goes between them.
    """
    if not _IS_KNOWN:
        return
    library = libc()
    row: List[Any] = [None] * (RESERVED // SMALL)
    lids = [
        (library.mmap(start, size, 0, PRIVATE_ANONYMOUS | AT_THIS_PLACE, -1, 0), size) for start, size in list(_holes())
    ]
    for index in range(len(row)):
        row[index] = bytes(SMALL - BYTES_HEAD)
    _FILLING.append(row[:: ARENA // SMALL // 2])
    for lid, size in lids:
        if lid != FAILED:
            library.munmap(lid, size)


def _holes() -> Iterator[Tuple[int, int]]:
    """Between what is mapped, where the system would put an arena first; and below it, down to a whole block."""
    lowest = last = 0
    for one in mappings():
        if not one.name.startswith("["):
            if one.start - last > WIDE:
                lowest = one.start
            elif one.start > last:
                yield last, one.start - last
            last = one.stop
    if lowest % HUGE:
        yield lowest - lowest % HUGE, lowest % HUGE


def fill_gaps() -> None:
    """Take up the holes that importing torch has left between objects that nobody touches.

    What a session makes would lie scattered in them: a hundred pages more.
    """
    if _IS_KNOWN:
        for size in range(16, SMALL + 1, 16):
            _fill(size)
        _fill_heap()


def _fill(size: int) -> None:
    """Make objects of this size until they lie one beside the other."""
    make = _maker(size)
    for _ in range(MOST // POOL):
        row = [make() for _ in range(POOL // size)]
        _FILLING.append(row)
        places = sorted(map(id, row))
        beside = sum(after - before == size for before, after in zip(places, places[1:]))  # noqa: B905, RUF007 (Python 3.8)
        if beside > len(row) * 0.9:
            return


def _maker(size: int) -> Callable[[], Any]:
    if size == 16:
        return object
    if size == 32:
        return itertools.count(1 << 32).__next__
    length = size - BYTES_HEAD
    return lambda: bytes(length)


def _fill_heap() -> None:
    """Take larger pieces of memory, never given back, until they come from the end of the heap."""
    malloc = libc().malloc
    fresh = malloc(LARGE * 4)
    for size in range(LARGE, SMALL, -16):
        while (malloc(size) or fresh) < fresh:
            pass


def collapse() -> None:
    """Huge pages under the writable memory: a fork copies one table entry instead of 512 (2.4 times faster)."""
    madvise = libc().madvise
    for block in list(_blocks()):
        madvise(block, HUGE, MADV_COLLAPSE)  # an old kernel refuses, and nothing is lost


def _blocks() -> Iterator[int]:
    """Addresses of what can be a huge page."""
    for one in mappings():
        if one.rights == "rw-p" and one.name in ("", "[heap]"):
            yield from range(-(-one.start // HUGE) * HUGE, one.stop - HUGE + 1, HUGE)
