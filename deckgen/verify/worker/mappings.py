"""What is mapped into this process, and the calls of the C library that change it (Linux)."""

from __future__ import annotations

import ctypes
from typing import Any, Iterator, NamedTuple

PAGE = 4 << 10
HUGE = 2 << 20
READ, WRITE, EXECUTE = 1, 2, 4
PRIVATE_ANONYMOUS, AT_THIS_PLACE = 0x22, 0x100000
MADV_DONTNEED, MADV_HUGEPAGE, MADV_COLLAPSE = 4, 14, 25
FAILED = ctypes.c_void_p(-1).value


class Mapping(NamedTuple):
    """A line of `/proc/self/maps`."""

    start: int
    stop: int
    rights: str
    """`rw-p` and the like."""
    name: str
    """A file's path, `[heap]`, `[stack]`; empty for memory."""


def mappings() -> Iterator[Mapping]:
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            place, rights, _offset, _device, _inode, *name = line.split(None, 5)
            start, stop = (int(address, 16) for address in place.split("-"))
            yield Mapping(start, stop, rights, name[0].rstrip("\n") if name else "")


def libc() -> Any:
    """The C library, with the types of its calls about memory."""
    library = ctypes.CDLL(None, use_errno=True)
    address, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    for name, arguments in {
        "malloc": (size,),
        "mmap": (address, size, number, number, number, ctypes.c_long),
        "munmap": (address, size),
        "madvise": (address, size, number),
        "mprotect": (address, size, number),
        "mremap": (address, size, size, number, address),
    }.items():
        getattr(library, name).argtypes = arguments
    library.malloc.restype = library.mmap.restype = library.mremap.restype = address
    return library


def join_libraries() -> None:
    """Give the parts of a library the rights of their neighbours. What then has the same rights the system joins, and a
    fork copies each mapping: a library is two instead of five. Nothing that a fork would share becomes writable, only
    the addresses that were filled in when the library was loaded.
    """
    protect = libc().mprotect
    rows = [one for one in mappings() if one.name.startswith("/")]
    for before, one, after in zip(rows, rows[1:], rows[2:]):  # noqa: B905 (Python 3.8)
        if one.rights != "r--p":
            continue
        beside = {near.rights for near in (before, after) if near.name == one.name and {*near[:2]} & {*one[:2]}}
        if beside & {"rw-p", "r-xp"}:
            protect(one.start, one.stop - one.start, READ | (WRITE if "rw-p" in beside else EXECUTE))
