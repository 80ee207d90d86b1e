"""Warm-up of a zygote: what every session would otherwise pay for in its own copy of the memory."""

from __future__ import annotations

import ctypes
import gc
import re
import sys
from typing import Any, Iterator, Tuple

from .values import describe, torch

MADV_COLLAPSE = 25
HUGE = 2 << 20
PR_SET_DUMPABLE = 4


def warm_up(huge_pages: bool) -> None:
    """Touch what most snippets touch, then freeze the heap and collapse it into huge pages.

    It must swallow no warning that a document may claim (torch gives many of them once a process), must
    run no parallel region, and must leave the generators to the sessions, which seed them anyway.
    """
    _touch()
    gc.collect()
    gc.freeze()
    if huge_pages and sys.platform == "linux":
        collapse()


def _touch() -> None:
    """Small operations: their code pages, dispatch tables and lazily made objects."""
    a = torch.ones(2, 3, requires_grad=True)
    b = (a @ a.t()).relu().sum() + a.view(-1).mean() + torch.cat([a, a]).std()
    b.backward()
    layer = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    loss = torch.nn.functional.cross_entropy(layer(a.detach()), torch.zeros(2, dtype=torch.int64))
    loss.backward()
    for thing in (a, b, a.dtype, a.shape, torch.arange(3), layer, [a], {"a": a}, torch.tensor([True])):
        describe(thing)


def collapse() -> None:
    """Huge pages under the writable heap: a fork copies one table entry instead of 512 (2.4 times faster)."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for start, stop in _writable_maps():
        for address in range(-(-start // HUGE) * HUGE, stop - HUGE + 1, HUGE):
            libc.madvise(address, HUGE, MADV_COLLAPSE)  # an old kernel refuses, and nothing is lost


def _writable_maps() -> Iterator[Tuple[int, int]]:
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            found = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw-p 00000000 00:00 0 *(\[heap\])?$", line)
            if found:
                yield int(found[1], 16), int(found[2], 16)


def shield() -> None:
    """Keep sessions from tracing this process or reading its memory and environment."""
    if sys.platform == "linux":
        prctl: Any = ctypes.CDLL(None).prctl
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
