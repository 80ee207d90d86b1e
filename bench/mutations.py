"""`python -m bench.mutations FILE...` changes API rows of documents and counts how many changes are caught.

A row is a line outside of running text and code whose name torch has. Changed is one letter of the name, one letter of a
parameter, or one default; a change is caught if a name on that line fails. Those that are not are listed. Names of
fewer than four letters are left alone: one letter more or less is often another name of torch's.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from deckgen.extract.names.mentions import mentions
from deckgen.files import load
from deckgen.model.source import Source
from deckgen.model.verdict import API_FINE, ApiVerdict, NameVerdict
from deckgen.read import read
from deckgen.verify.names.judge import judge_apis, names_to_look_up
from deckgen.verify.names.near import SHORTEST
from deckgen.verify.names.written import parse
from deckgen.verify.worker.introspect import introspect

EACH = 40
"""Changes of one kind that are tried in one document."""
_DEFAULT = re.compile(r"(?P<number>-?\d+(?:\.\d+)?(?:e-?\d+)?)\Z|(?P<truth>True|False)\Z|None\Z")


class Change(NamedTuple):
    """One edit of one line."""

    kind: str
    line: int
    old: str
    new: str


def judged(source: Source) -> tuple[ApiVerdict, ...]:
    """The names of a source, looked up in this process."""
    claims = mentions(read(source))
    return judge_apis(claims, introspect(names_to_look_up(claims)))


def changes(verdicts: Sequence[ApiVerdict], lines: Sequence[str], chance: random.Random) -> Iterator[Change]:
    """Edits of the rows that torch bears out, by lot."""
    every = [one for verdict in verdicts for one in _of_row(verdict, lines)]
    for kind in ("letter", "parameter", "default"):
        some = sorted({one for one in every if one.kind == kind})
        yield from chance.sample(some, min(EACH, len(some)))


def _of_row(verdict: ApiVerdict, lines: Sequence[str]) -> Iterator[Change]:
    claim = verdict.claim
    if verdict.word is not NameVerdict.EXISTS or claim.form in ("prose", "code"):
        return
    line, written = claim.span.start, parse(claim.text)
    if not written.path:
        return
    name = written.path[-1]
    if claim.form not in ("parameter", "given"):
        yield from _slip("letter", line, name, lines)
    for argument in written.arguments or ():
        if argument.kind in ("name", "keyword"):
            yield from _slip("parameter", line, argument.name, lines)
        if argument.kind == "keyword" and (other := _other(argument.default)):
            yield from _edit("default", line, rf"\b{argument.name}\s*=\s*", argument.default, other, lines)
    if claim.default is not None and verdict.compared and (other := _other(claim.default)):
        yield from _edit("default", line, r"(?<![\w.])", claim.default, other, lines)


def _slip(kind: str, line: int, name: str, lines: Sequence[str]) -> Iterator[Change]:
    """Two neighbours in the middle change places."""
    for at in range(len(name) // 2, len(name)):
        if len(name) >= SHORTEST and name[at - 1] != name[at] and "_" not in name[at - 1 : at + 1]:
            new = name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :]
            yield from _edit(kind, line, r"(?<!\w)", name, new, lines)
            return


def _edit(kind: str, line: int, before: str, old: str, new: str, lines: Sequence[str]) -> Iterator[Change]:
    pattern = re.compile(rf"({before}){re.escape(old)}(?!\w)")
    if pattern.search(lines[line]):
        yield Change(kind, line, lines[line], pattern.sub(lambda found: found[1] + new, lines[line]))


def _other(default: str) -> str | None:
    """A default that a reader could have written in its place."""
    found = _DEFAULT.match(default)
    if found is None:
        return None
    if found["truth"]:
        return "False" if default == "True" else "True"
    return f"{default}5" if "." in default and "e" not in default else f"7{default}" if found["number"] else "True"


def is_caught(source: Source, change: Change) -> bool | None:
    """Whether a name on the changed line fails; None if the change made another name that torch has."""
    lines = source.text.split("\n")
    lines[change.line] = change.new
    there = [one for one in judged(replace(source, text="\n".join(lines))) if one.claim.span.start == change.line]
    if any(one.word not in API_FINE for one in there):
        return True
    before = set(re.findall(r"\w+", change.old))
    for one in there:
        new = set(parse(one.claim.text).path) - before
        if one.word is NameVerdict.EXISTS and new and (one.qualified or "").rpartition(".")[2] in new:
            return None
    return False


def main(files: Sequence[str]) -> int:
    """Try each document; the exit status says whether fewer than 95 in a hundred changes are caught."""
    caught: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for file in files:
        source = load(Path(file))
        for change in changes(judged(source), source.text.split("\n"), random.Random(file)):
            result = is_caught(source, change)
            if result is not None:
                tried[change.kind] += 1
                caught[change.kind] += result
            if result is False:
                print(f"{file}:{change.line + 1}: {change.kind}: {change.new.strip()}")
    for kind in tried:
        print(f"{kind}: {caught[kind]} of {tried[kind]} caught ({100 * caught[kind] / tried[kind]:.1f} %)")
    return int(caught.total() < 0.95 * tried.total())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
