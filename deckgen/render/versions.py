"""What a card says of the versions and the machines on which it is so: `since torch 2.10`, `needs a GPU`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckgen.model.versions import NAMES, Versions
from deckgen.render.notetypes import Words


def version_label(versions: Iterable[Versions], words: Words) -> str:
    """Plain text; empty where it is so in all versions."""
    return words.between.join(said for one in versions for said in _told(one, words))


def _told(one: Versions, words: Words) -> Iterator[str]:
    said: dict[str, list[str]] = {operator: [] for operator in (">=", "<", "==", "!=")}
    for clause in one.specifier.split(","):
        version = clause.lstrip("<>=!")
        said[clause.removesuffix(version)].append(version.removesuffix(".*"))
    if one.is_of_gpus:
        count = max(map(int, said[">="] + said["=="]), default=0)
        yield words.needs_gpus.format(count=count) if count > 1 else words.needs_gpu if count else words.without_gpu
        return
    name = NAMES[one.package]
    first, end = max(said[">="], key=_number, default=""), min(said["<"], key=_number, default="")
    last = _before(end)
    if said["=="] or (last and first == last):
        yield words.only.format(name=name, version=(*said["=="], last)[0])
    elif first and last:
        yield words.from_to.format(name=name, first=first, last=last)
    else:
        if first:
            yield words.since.format(name=name, version=first)
        if end:
            yield (words.until if last else words.before).format(name=name, version=last or end)
    for version in said["!="]:
        yield words.but_not.format(name=name, version=version)


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _before(end: str) -> str:
    """`2.9` for `2.10`; empty for `2.0` and `2`, of which the number alone does not say what came before."""
    *parts, last = end.split(".")
    return ".".join((*parts, str(int(last) - 1))) if parts and last != "0" else ""
