"""Program text of a zygote: what its sessions use of it lies in huge pages.

Tables of text are not copied at a fork: each session faults its own in, sixteen pages at a time, some 250 faults, and
drops four thousand entries when it ends. A huge page costs one entry, and its table is copied. So the blocks of the
libraries that a rehearsal uses are copied into huge pages of the same addresses, bytes and protection, as are the
tables of addresses that the linker has written (`.data.rel.ro`), which every fork copied page by page.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from array import array
from typing import Any, Iterator, List, Tuple

from .mappings import (
    EXECUTE,
    FAILED,
    HUGE,
    MADV_COLLAPSE,
    MADV_DONTNEED,
    MADV_HUGEPAGE,
    PAGE,
    PRIVATE_ANONYMOUS,
    READ,
    WRITE,
    libc,
    mappings,
)

PAGES = HUGE // PAGE
MAYMOVE_FIXED = 3
PRESENT, OF_THE_FILE = 1 << 63, 1 << 61
"""Of an entry of `/proc/self/pagemap`: in memory; as it is in the file, not written to."""
USED = 80
"""Pages that are present in a block worth a huge page: about five faults. Twenty-eight blocks of torch have as many."""
LIBRARY = re.compile(r"\.so[.0-9]*$")
RIGHTS = {"r-xp": READ | EXECUTE, "r--p": READ}

Run = Tuple[int, int, int]
"""First address, first address behind, protection; whole blocks."""


def forget() -> None:
    """Drop the tables of all program text, so that what is present later is what was used since."""
    if _is_supported():
        library = libc()
        with _Pages() as pages:
            for start, stop, protection in _libraries():
                if protection & EXECUTE and all(pages.is_of_the_file(block) for block in range(start, stop, HUGE)):
                    library.madvise(start, stop - start, MADV_DONTNEED)


def keep() -> None:
    """Copy what has been used since into huge pages. What cannot be had so stays as it is."""
    if _is_supported():
        library = libc()
        for run in _joined(_used()):
            _move(library, run)


def _is_supported() -> bool:
    return sys.platform == "linux" and os.sysconf("SC_PAGE_SIZE") == PAGE and os.access("/proc/self/pagemap", os.R_OK)


def _used() -> Iterator[Run]:
    with _Pages() as pages:
        for start, stop, protection in _libraries():
            for block in range(start, stop, HUGE):
                written = protection == READ and not pages.is_of_the_file(block)
                if pages.present(block) >= USED and (written or protection & EXECUTE):
                    yield block, block + HUGE, protection


def _joined(runs: Iterator[Run]) -> Iterator[Run]:
    """Neighbours as one: each mapping of its own is one more to copy at a fork."""
    last: List[Run] = []
    for run in runs:
        if last and last[0][1:] == (run[0], run[2]):
            last[0] = (last[0][0], run[1], run[2])
        else:
            yield from last
            last = [run]
    yield from last


def _move(library: Any, run: Run) -> None:
    """Put a copy in the place of the original: one step of the kernel, which may well be running there."""
    start, stop, protection = run
    size = stop - start
    place = library.mmap(None, size + HUGE, READ | WRITE, PRIVATE_ANONYMOUS, -1, 0)
    if place == FAILED:
        return
    copy = -(-place // HUGE) * HUGE
    library.madvise(copy, size, MADV_HUGEPAGE)
    ctypes.memmove(copy, start, size)
    if library.madvise(copy, size, MADV_COLLAPSE) == 0 and library.mprotect(copy, size, protection) == 0:
        library.mremap(copy, size, size, MAYMOVE_FIXED, start)
    library.munmap(place, size + HUGE)


def _libraries() -> Iterator[Run]:
    """What is mapped of libraries and not to be written to."""
    for one in mappings():
        start, stop = -(-one.start // HUGE) * HUGE, one.stop // HUGE * HUGE
        if start < stop and one.rights in RIGHTS and LIBRARY.search(one.name):
            yield start, stop, RIGHTS[one.rights]


class _Pages:
    """`/proc/self/pagemap`, a block at a time."""

    def __enter__(self) -> "_Pages":
        self._descriptor = os.open("/proc/self/pagemap", os.O_RDONLY | os.O_CLOEXEC)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def present(self, block: int) -> int:
        return sum(entry >= PRESENT for entry in self._entries(block))

    def is_of_the_file(self, block: int) -> bool:
        """Nothing of it has been written to."""
        return all(entry & OF_THE_FILE for entry in self._entries(block) if entry >= PRESENT)

    def _entries(self, block: int) -> "array[int]":
        return array("Q", os.pread(self._descriptor, PAGES * 8, block // PAGE * 8))
