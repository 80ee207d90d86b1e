"""Program text in huge pages: the same bytes at the same addresses, and torch goes on."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="huge pages are asked of Linux")

MOVED = """
import ctypes, hashlib
import torch
from deckgen.verify.worker import program

def digest():
    return [hashlib.sha256(ctypes.string_at(start, stop - start)).hexdigest() for start, stop in blocks]

def compute():
    torch.manual_seed(0)
    a = torch.randn(20, 20, requires_grad=True)
    torch.linalg.svd(torch.nn.functional.softmax(a @ a.t(), dim=0))[1].sum().backward()
    try:
        torch.ones(2) @ torch.ones(3)
    except RuntimeError as error:
        return a.grad.sum().item(), str(error)

torch.set_num_threads(1)
blocks = [(start, stop) for start, stop, _ in program._libraries()]
before, wanted = digest(), compute()
program.forget()
compute()
used = list(program._used())
program.keep()
print(digest() == before, compute() == wanted, len(list(program._joined(iter(used)))))
with open("/proc/self/maps") as maps:
    fields = [line.split() for line in maps]
print(sum(one[1] in ("r-xp", "r--p") and one[4] == "0" and len(one) == 5 for one in fields))
"""


def test_what_was_moved_is_the_same_and_works() -> None:
    ran = subprocess.run([sys.executable, "-c", MOVED], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    same, works, runs, moved = ran.stdout.split()
    assert (same, works) == ("True", "True")
    assert int(runs) > 0
    assert int(moved) in (0, int(runs)), "where the kernel gives no huge pages, all stays where it was"
