"""Memory of a zygote: what Python makes of torch lies together, in whole blocks, where huge pages fit."""

import json
import subprocess
import sys
from collections import Counter

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="huge pages are asked of Linux")

RESERVED = """
import json
from deckgen.verify.worker import mappings, memory

def arenas():
    return [(one.start, one.stop) for one in mappings.mappings() if one.rights == "rw-p" and not one.name]

def places(made, maps):
    return [next(((start, stop) for start, stop in maps if start <= id(it) < stop), None) for it in made]

before = {one[:2] for one in mappings.mappings() if one.name and one.name != "[heap]"}
memory.reserve()
still = before <= {one[:2] for one in mappings.mappings()}
kept = places([one for row in memory._FILLING for one in row], there := arenas())
import torch
later = [bytes(100) for _ in range(1000)]
print(json.dumps([kept, places(later, there), still, torch.ones(2).sum().item()]))
"""


def test_arenas_lie_side_by_side_and_torch_makes_its_objects_in_them() -> None:
    ran = subprocess.run([sys.executable, "-c", RESERVED], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    kept, later, libraries_still_there, two = json.loads(ran.stdout)
    (start, stop), often = Counter(map(tuple, kept)).most_common(1)[0]
    assert stop - start >= 40 << 20
    assert stop % (2 << 20) == 0, "its upper end is a whole block's"
    assert often > len(kept) * 0.8, "the others went into arenas that were there"
    assert None not in later, "no object lies in memory that was asked for after the arenas were reserved"
    assert (libraries_still_there, two) == (True, 2.0)


JOINED = """
import json
from deckgen.verify.worker import mappings
import torch

def shape():
    rows = list(mappings.mappings())
    libraries = [one for one in rows if ".so" in one.name]
    return [len(libraries), sum(one.stop - one.start for one in libraries)]

before = shape()
mappings.join_libraries()
a = torch.arange(6.0).reshape(2, 3)
import decimal
print(json.dumps([before, shape(), (a @ a.t()).sum().item(), str(decimal.Decimal(1) / 8)]))
"""


def test_a_library_is_fewer_mappings_and_works_on() -> None:
    ran = subprocess.run([sys.executable, "-c", JOINED], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    (count, size), (joined, later_size), total, eighth = json.loads(ran.stdout)
    assert joined < count * 0.65
    assert later_size >= size, "nothing is unmapped; `decimal` came after"
    assert (total, eighth) == (83.0, "0.125")
