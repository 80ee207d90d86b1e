"""What a snippet is not given: torch has not answered, and the reason is told by its name."""

from collections.abc import Iterator

import pytest

from deckgen.model.verdict import Verdict, VerdictKind
from tests.observing import Torch


@pytest.fixture(scope="module")
def torch() -> Iterator[Torch]:
    workers = Torch()
    yield workers
    workers.close()


def judged(torch: Torch, code: str) -> Verdict:
    (verdict,) = torch.judge(f"```python\n{code}\n```\n")
    return verdict


BEYOND = {
    "another program": 'import subprocess\nsubprocess.run(["ls", "/"], capture_output=True).returncode  # 0',
    "a shell": 'import os\nprint(os.system("ls /home"))  # 0',
    "files of others": "import glob\nfound = glob.glob('/home/*')\nprint(found)  # ['/home/me']",
    "the user's folder": 'from pathlib import Path\n(Path.home() / "data").exists()  # True',
    "the network": 'import urllib.request\nurllib.request.urlopen("http://example.com").status  # 200',
    "what was written elsewhere": 'torch.save(torch.ones(2), "/var/x.pt")\ntorch.load("/var/x.pt")  # tensor([1., 1.])',
}


@pytest.mark.parametrize("thing", BEYOND)
def test_what_the_sandbox_withholds_is_unverified_and_no_contradiction(torch: Torch, thing: str) -> None:
    verdict = judged(torch, BEYOND[thing])
    assert (verdict.word, verdict.reason) == (VerdictKind.UNVERIFIED, "sandbox")


def test_a_lack_of_memory_is_told_as_one(torch: Torch) -> None:
    verdict = judged(torch, "x = torch.zeros(100000, 100000, 10)\nx.shape  # torch.Size([100000, 100000, 10])")
    assert (verdict.word, verdict.reason) == (VerdictKind.UNVERIFIED, "memory-limit")


WITHIN = {
    "a file of its own": 'torch.save(torch.ones(2), "x.pt")\nfrom pathlib import Path\nPath("x.pt").exists()  # False',
    "a program that says what is asked": 'import subprocess\nsubprocess.run(["true"]).returncode\nlen("ab")  # 3',
    "a method of the same name": "torch.ones(2).stat  # 3",
}


@pytest.mark.parametrize("thing", WITHIN)
def test_what_a_snippet_has_is_judged(torch: Torch, thing: str) -> None:
    assert judged(torch, WITHIN[thing]).word in (VerdictKind.CONTRADICTED, VerdictKind.ERROR)
