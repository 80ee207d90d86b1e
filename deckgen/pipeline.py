"""The whole way, station by station: read, extract, verify, decide, render, keep, pack.

Every function here joins stations and does nothing else; the command line calls nothing below it.
"""

from __future__ import annotations
