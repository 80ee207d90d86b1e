"""Devices: notes made on one hold on another, if the code picks one."""

from __future__ import annotations

from deckgen.verify.comparison.findings import Findings
from deckgen.verify.comparison.numbers import Differs
from deckgen.verify.comparison.values import literal
from deckgen.written import Call, Number, Quoted, Word


def devices_meet(ours: str, theirs: str, found: Findings) -> None:
    """Notes made on another device hold on this one, and the verdict says so; but only if the code picks one.

    What is on an emulated GPU is nowhere else; what seems not to be on it may have been lost on the way.
    """
    if ours == theirs or (ours == "cuda" and theirs == "cuda:0") or (theirs == "cuda" and ours == "cuda:0"):
        return
    elsewhere = {ours.split(":", maxsplit=1)[0], theirs.split(":", maxsplit=1)[0]}
    if found.emulated and theirs == "cpu" and ours.startswith("cuda"):
        found.strayed = True
        return
    if found.emulated or not found.picks_device() or "cpu" not in elsewhere or "meta" in elsewhere:
        raise Differs(f"device {ours} claimed, torch says {theirs}")
    found.device = ours


def compare_device(claimed: Call, seen: Call, found: Findings) -> None:
    """`device(type='cuda', index=0)`."""
    unknown = literal(claimed).options.keys() - {"type", "index"}
    if unknown:
        raise Differs(f"a device has no `{min(unknown)}`")
    devices_meet(device_name(claimed), device_name(seen), found)


def device_name(call: Call) -> str:
    """`cuda:0` of `device(type='cuda', index=0)`, and of `device('cuda:0')`, as it is called."""
    written = literal(call)
    kind = written.options.get("type", (written.data,))
    index = written.options.get("index", ())
    name = kind[0].text if kind and isinstance(kind[0], Quoted | Word) else "cpu"
    number = index[0].text if index and isinstance(index[0], Number | Word) else None
    return name if number is None else f"{name}:{number}"
