"""CUDA on a machine without it: emulated and said to be, or `needs-cuda`; never a false alarm."""

import re

import pytest
from observing import pairs

from deckgen.extract import extract
from deckgen.model.source import Source
from deckgen.model.verdict import HELD, Verdict, VerdictKind
from deckgen.read import read
from deckgen.verify import VerifyOptions, verify

CASES = list(pairs("cuda.md"))


def document(cases: dict[str, str]) -> str:
    return "\n".join(f"## {title}\n{text}" for title, text in cases.items())


def verdicts(cases: dict[str, str]) -> dict[str, list[Verdict]]:
    """Of each case, all in one run, every one a section of its own."""
    text = document(cases)
    (source,) = verify(
        [extract(read(Source("cuda.md", text)))], VerifyOptions(device="emulated", use_cache=False)
    ).sources
    starts = {title: text[: text.index(f"## {title}\n")].count("\n") for title in cases}
    found: dict[str, list[Verdict]] = {title: [] for title in cases}
    for verdict in source.verdicts:
        title = max(
            (title for title in cases if starts[title] <= verdict.claim.span.start), key=lambda one: starts[one]
        )
        found[title].append(verdict)
    return found


@pytest.fixture(scope="module")
def as_it_is() -> dict[str, list[Verdict]]:
    return verdicts({title: true for title, true, _ in CASES})


@pytest.fixture(scope="module")
def distorted() -> dict[str, list[Verdict]]:
    return verdicts({title: false for title, _, false in CASES})


def brief(found: list[Verdict]) -> list[tuple[str, str | None, str | None]]:
    return [(str(one.word), one.observed, one.reason) for one in found]


@pytest.mark.parametrize("title", [title for title, _, _ in CASES])
def test_what_is_true_on_a_gpu_holds(as_it_is: dict[str, list[Verdict]], title: str) -> None:
    assert as_it_is[title], "no claim was found"
    assert all(one.word in HELD for one in as_it_is[title]), brief(as_it_is[title])


@pytest.mark.parametrize("title", [title for title, _, _ in CASES])
def test_what_is_false_on_a_gpu_is_caught(distorted: dict[str, list[Verdict]], title: str) -> None:
    text = next(body for one, body, _ in CASES if one == title)
    false = next(body for one, _, body in CASES if one == title)
    changed = sum(a != b for a, b in zip(text.split("\n"), false.split("\n"), strict=True))
    alarms = [one for one in distorted[title] if one.word in (VerdictKind.CONTRADICTED, VerdictKind.ERROR)]
    assert len(alarms) >= changed, brief(distorted[title])


def test_what_was_emulated_says_so(as_it_is: dict[str, list[Verdict]]) -> None:
    asking = "a device chosen by asking"
    devices = {title: {one.device for one in found} for title, found in as_it_is.items() if title != asking}
    assert set().union(*devices.values()) == {"cuda-emulated"}, devices
    assert {one.device for one in as_it_is[asking]} == {"cpu"}


BEYOND = {
    "graphs": "g = torch.cuda.CUDAGraph()\nx = torch.ones(2, device='cuda')\nwith torch.cuda.graph(g):\n    y = x * 2\n"
    "g.replay()\nprint(y)  # tensor([2., 2.], device='cuda:0')",
    "what the emulation loses sight of": "import pickle\n"
    "print(pickle.loads(pickle.dumps(torch.ones(1, device='cuda'))))  # tensor([1.], device='cuda:0')\n"
    "print(torch.func.vmap(lambda x: x * 2)(torch.ones(2, device='cuda')))  # tensor([2., 2.], device='cuda:0')",
    "several devices in parallel": "net = torch.nn.DataParallel(torch.nn.Linear(2, 2).cuda(), device_ids=[0, 1])\n"
    "print(net(torch.ones(4, 2).cuda()).shape)  # torch.Size([4, 2])",
    "the library between devices": "print(torch.cuda.nccl.version())  # (2, 18, 1)",
    "lack of memory": "x = torch.empty(10**12, device='cuda')  # RuntimeError: CUDA out of memory. Tried to allocate 3 TiB",
    "a device that may not be there": "torch.ones(1).to('cuda:7')  # RuntimeError: CUDA error: invalid device ordinal",
    "a device that is chosen by asking": "device = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
    "torch.ones(1).to(device).numpy()  # TypeError: can't convert cuda:0 device type tensor to numpy.",
    "no CUDA at all": "x = torch.ones(1).cuda()  # AssertionError: Torch not compiled with CUDA enabled",
    "what the machine is": "print(torch.cuda.device_count())  # 4\nprint(torch.cuda.get_device_name(0))  # Tesla T4\n"
    "print(torch.cuda.get_device_capability())  # (7, 5)\nprint(torch.cuda.is_available())  # True\n"
    "print(torch.backends.cudnn.version())  # 8902\nprint(torch.version.cuda)  # 12.1\n"
    "print(torch.distributed.is_nccl_available())  # True\nprint(torch.cuda.is_bf16_supported())  # True",
    "processes": "import torch.distributed as dist\n"
    "dist.init_process_group('nccl', init_method='tcp://127.0.0.1:29500', rank=0, world_size=1)\n"
    "print(dist.is_initialized())  # True",
}
REASONS = re.compile(r"needs-cuda|environment|needs-distributed|sandbox|memory-limit")


def test_what_only_a_gpu_can_show_is_unverified_with_its_reason() -> None:
    found = verdicts({title: f"\n```python\nimport torch\n{code}\n```\n" for title, code in BEYOND.items()})
    for title, each in found.items():
        assert each, title
        assert all(one.word is VerdictKind.UNVERIFIED or one.word in HELD for one in each), (title, brief(each))
        assert all(REASONS.fullmatch(one.reason or "") for one in each if one.word is VerdictKind.UNVERIFIED), brief(
            each
        )
        assert any(one.word is VerdictKind.UNVERIFIED for one in each), (title, brief(each))
    (version,) = found["the library between devices"]
    assert version.observed == "NotEmulatedError: No CUDA GPUs are available (torch.cuda.nccl.version is not emulated)"


SEEDED = """
```python
import torch
{seed}
print(torch.rand(2, device='cuda'))  # tensor([0.3990, 0.5167], device='cuda:0')
```
"""


def test_random_numbers_of_a_gpu_are_never_compared_with_those_of_a_cpu() -> None:
    seeds = {
        "one": "torch.manual_seed(0)",
        "all": "torch.cuda.manual_seed_all(0)",
        "own": "torch.cuda.manual_seed(0)",
        "none": "",
    }
    found = verdicts({title: SEEDED.replace("{seed}", seed) for title, seed in seeds.items()})
    assert {title: [str(one.word) for one in each] for title, each in found.items()} == {
        title: ["holds-structure"] for title in seeds
    }


APART = """
```python
import torch
x = torch.ones(2, device="cuda")
print(x.device)  # cpu
print(x.cpu().device)  # cuda:0
print(x.sum())  # tensor(2.)
```
"""


def test_an_emulated_gpu_is_never_taken_for_the_cpu_nor_the_cpu_for_one() -> None:
    (found,) = verdicts({"apart": APART}).values()
    assert [str(one.word) for one in found] == ["contradicted", "unverified", "contradicted"], brief(found)
