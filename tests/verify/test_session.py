"""What is seen while a snippet runs; the same under both engines."""

import pytest
from running import Sessions, brief

from deckgen.verify.engine import records as wire


def test_everything_that_can_be_seen_is_seen_with_its_line(sessions: Sessions) -> None:
    first, second = sessions.run(
        "import torch, os, sys, warnings\n"
        "x = torch.arange(4)\n"
        "for i in range(2):\n"
        "    print(i,\n"
        "          x[i])\n"
        "def shout():\n"
        "    print('shout')\n"
        "shout()\n"
        "x[0] + 1\n"
        "sys.stderr.write('oh')\n"
        "warnings.warn('careful')\n"
        "x.view(3)\n"
        "os.system('echo below')\n"
        "print('after')",
        "shout()\nprint(x.sum())",
    )
    found = brief(first, "stdout", "stderr", "warning", "exception")
    assert found == [
        ("stdout", "0 tensor(0)\n", 3),
        ("stdout", "1 tensor(1)\n", 3),
        ("stdout", "shout\n", 6),
        ("stderr", "oh", 9),
        ("warning", "UserWarning: careful", 10),
        ("exception", "RuntimeError: shape '[3]' is invalid for input of size 4", 11),
        ("stdout", "below\n", 12),
        ("stdout", "after\n", 13),
    ]
    assert [(one["outer"], one["outer_end"]) for one in first if one["kind"] == "stdout"][:3] == [
        (2, 4),
        (2, 4),
        (7, 7),
    ]
    assert brief(second, "stdout") == [("stdout", "shout\n", 0), ("stdout", "tensor(6)\n", 1)]
    assert [event["text"] for event in first if event["kind"] == "value"][1] == "tensor(1)"
    assert sessions.ends[0]["exception_line"] == 11


def test_values_are_taken_when_they_are_shown(sessions: Sessions) -> None:
    (events,) = sessions.run("import torch\nx = torch.zeros(2)\nprint(x)\nx\nx.add_(1)\nprint(x)")
    taken = [wire.event(one).values[0].data for one in events if one["kind"] in ("stdout", "value")]
    assert taken == [(0.0, 0.0), (0.0, 0.0), (1.0, 1.0), (1.0, 1.0)]


def test_one_print_is_one_event_with_its_objects(sessions: Sessions) -> None:
    (events,) = sessions.run("import torch\nprint('a', torch.ones(1, 2), [1.5, None], sep='|', end='!\\n')")
    (event,) = [wire.event(one) for one in events if one["kind"] == "stdout"]
    assert event.text == "a|tensor([[1., 1.]])|[1.5, None]!\n"
    assert [value.kind for value in event.values] == ["str", "tensor", "sequence"]
    assert event.values[1].shape == (1, 2)
    assert [item.kind for item in event.values[2].items] == ["number", "none"]


def test_probes_are_evaluated_where_they_are_asked(sessions: Sessions) -> None:
    (events,) = sessions.run(
        {
            "code": "import torch\nx = torch.ones(2, 3)\nfor i in range(2):\n    x = x.t()\n    y = 1\n"
            "def f(a):\n    return a\nf(x)",
            "probes": [[1, "x.shape"], [3, "x.shape"], [6, "a.shape"], [1, "missing"]],
        }
    )
    shown = [(one["target"], one["inner"], one["text"]) for one in events if one["kind"] == "probe"]
    asked = [one for one in shown if one[0] in ("x.shape", "a.shape", "missing")]
    assert asked == [
        ("x.shape", 1, "torch.Size([2, 3])"),
        ("missing", 1, "NameError: name 'missing' is not defined"),
        ("x.shape", 3, "torch.Size([3, 2])"),
        ("x.shape", 3, "torch.Size([2, 3])"),
        ("a.shape", 6, "torch.Size([2, 3])"),
    ]


def test_a_long_loop_around_a_probe_is_no_flood(sessions: Sessions) -> None:
    (events,) = sessions.run({"code": "for i in range(50_000):\n    x = i\nprint(x)", "probes": [[1, "x"]]})
    assert brief(events, "stdout") == [("stdout", "49999\n", 2)]
    assert 100 < sum(one["target"] == "x" for one in events if one["kind"] == "probe") < 5_000


RANDOM = {
    "print(1)\nx = torch.rand(2)\nprint(x)": [False, True],
    "torch.manual_seed(0)\nprint(torch.rand(2))": [False],
    "print(torch.empty(2))": [True],
    "import random\nprint(random.random())": [True],
    "import numpy as np\nnp.random.seed(1)\nprint(np.random.rand(2))": [False],
    "import numpy as np\nprint(np.random.rand(2))": [True],
    "torch.manual_seed(0)\nprint(torch.nn.Linear(1, 1).weight.shape)": [False],
    "print(torch.Tensor([1, 2]), torch.Tensor(2).shape)": [True],
}


def test_randomness_is_noticed_unless_the_source_seeds_it(sessions: Sessions) -> None:
    for code in [*RANDOM][:2] if sessions.are_dear else RANDOM:  # a session each: what one draws, the next would see
        (events,) = sessions.run(f"import torch\n{code}")
        told = [one.get("random", False) for one in events if one["kind"] == "stdout"]
        assert told == RANDOM[code], code


def test_the_sources_own_seed_is_remembered(sessions: Sessions) -> None:
    sessions.run("import torch\ntorch.manual_seed(42)")
    assert sessions.ends[0]["seed"] == 42


def test_a_reset_run_puts_the_ambient_state_back(sessions: Sessions) -> None:
    change = "import torch\ntorch.set_grad_enabled(False)\ntorch.set_default_dtype(torch.float64)\nx = 1"
    look = "print(torch.is_grad_enabled(), torch.get_default_dtype(), x)"
    assert brief(sessions.run(change, look)[1], "stdout")[0][1] == "False torch.float64 1\n"
    assert brief(sessions.run(change, look, reset=True)[1], "stdout")[0][1] == "True torch.float32 1\n"


THINGS = {
    "pickling a class": "import pickle\nclass A: x = 1\nprint(pickle.loads(pickle.dumps(A())).x)",
    "source code": "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f).count('return'))",
    "the source of a class": "import inspect\nclass B:\n    y = 1\nprint(inspect.getsource(B).count('y'))",
    "saving and loading": (
        "import torch\ntorch.save({'a': torch.ones(1)}, 'm.pt')\nprint(int(torch.load('m.pt')['a'].item()))"
    ),
    "worker processes": (
        "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\n"
        "data = DataLoader(TensorDataset(torch.arange(8)), batch_size=8, num_workers=2)\nprint(len(list(data)))"
    ),
    "threads": (
        "import threading\ndef f(): print(1)\nt = threading.Thread(target=f); t.start(); t.join()"
    ),
    "a subprocess": "import subprocess\nprint(int(subprocess.run(['echo', '1'], capture_output=True).stdout))",
    "logging": "import logging, sys\nlogging.basicConfig(stream=sys.stdout, format='%(message)s')\nlogging.error(1)",
    "scripting": (
        "import torch\n@torch.jit.script\ndef f(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n"
        "print(int(f(torch.zeros(1)).item()))"
    ),
    "postponed annotations": "from __future__ import annotations\ndef f(x: Unheard) -> Of: return 1\nprint(f(0))",
    "a name for main": "if __name__ == '__main__':\n    print(1)",
    "a fork of its own": (
        "import os\npid = os.fork()\nif pid == 0:\n    os._exit(0)\nos.waitpid(pid, 0)\nprint(1)"
    ),
    "printing from a child process": (
        "import multiprocessing as mp\np = mp.get_context('fork').Process(target=print, args=(1,))\n"
        "p.start(); p.join()"
    ),
}  # fmt: skip


@pytest.mark.linux("forks")
def test_ordinary_things_work_inside(sessions: Sessions) -> None:
    seen = zip(THINGS, sessions.each(*THINGS.values()), strict=True)
    kinds = ("stdout", "exception", "stderr")
    written = {thing: [one["text"] for one in events if one["kind"] in kinds] for thing, events in seen}
    assert written == {thing: ["1\n"] for thing in THINGS}


REPLACED = {
    "json.dumps": "import json\nreal = json.dumps\njson.dumps = lambda frame, **more: real(frame, **more).replace('six', 'ten')",
    "the encoder of json": (
        "import json\njson.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda self, frame, *more: ['six']\n"
        "json.encoder.c_make_encoder = json._default_encoder = None"
    ),
    "os.write": "import os\nwriting = os.write\nos.write = lambda to, data: writing(to, data.replace(b'six', b'ten'))",
    "os.getpid": "import os\nos.getpid = lambda: 1",
    "os._exit": "import os\nos._exit = lambda status: None",
    "os.lseek and os.pread": "import os\nos.lseek = lambda *_: 3\nos.pread = os.read = lambda *_: b'ten'",
    "time.monotonic": "import time\ntime.monotonic = None",
    "attributes of hashlib": "import hashlib\nhashlib.blake2b = hashlib.sha256 = hashlib.new = None",
    "sys._getframe": "import sys\nsys._getframe = lambda *_: None",
    "traceback": "import traceback\ntraceback.format_exception_only = traceback.format_exc = lambda *_: ['ten']",
}


def test_functions_that_a_snippet_replaces_do_not_change_what_is_seen_of_it(sessions: Sessions) -> None:
    shows = "\nfor _ in range(1):\n    print('six', 6)\nimport os; os.system('echo six')\nraise ValueError('six')"
    every = sessions.each(*(code + shows for code in REPLACED.values()))
    for (name, code), events in zip(REPLACED.items(), every, strict=True):
        line = code.count("\n") + 1
        assert brief(events, "stdout", "exception") == [
            ("stdout", "six 6\n", line + 1),
            ("stdout", "six\n", line + 2),
            ("exception", "ValueError: six", line + 3),
        ], name
        assert [len(one["values"]) for one in events if one["text"] == "six 6\n"] == [2], name


def test_a_session_in_which_functions_are_replaced_comes_to_its_end(sessions: Sessions) -> None:
    both = sessions.run("\n".join(REPLACED.values()), "print('six')")
    assert brief(both[1], "stdout") == [("stdout", "six\n", 0)]


def test_tensorboard_works_inside(sessions: Sessions) -> None:
    pytest.importorskip("tensorboard")
    (events,) = sessions.run(
        "import os\nfrom torch.utils.tensorboard import SummaryWriter\n"
        "w = SummaryWriter()\nw.add_scalar('a', 1, 1)\nw.close()\nprint(os.listdir('.'))"
    )
    assert brief(events, "stdout", "exception") == [("stdout", "['runs']\n", 5)]


EMULATED = {
    "import torch\nprint(torch.ones(2, device='cuda'))": "tensor([1., 1.], device='cuda:0')\n",
    "import torch\nprint(torch.ones(2).cuda().cpu().device)": "cpu\n",
    "import torch\nprint(torch.nn.Linear(1, 1).to('cuda').weight.is_cuda)": "True\n",
    "import torch\nprint((torch.ones(2).cuda() * 2).device, torch.cuda.is_available())": "cuda:0 True\n",
    "import torch\nx = torch.ones(2, requires_grad=True, device='cuda')\nx.sum().backward()\nprint(x.grad.device)": (
        "cuda:0\n"
    ),
    "import torch\nprint(f\"{torch.ones(1).to('cuda')}\")": "tensor([1.], device='cuda:0')\n",
}


def test_cuda_is_emulated_and_says_so(sessions: Sessions) -> None:
    seen = zip(EMULATED, sessions.each(*EMULATED, device="cuda-emulated"), strict=True)
    written = {code: [one["text"] for one in events if one["kind"] in ("stdout", "exception")] for code, events in seen}
    assert written == {code: [text] for code, text in EMULATED.items()}
    assert {end["device"] for end in sessions.ends} == {"cuda-emulated"}


def test_emulated_devices_do_not_mix(sessions: Sessions) -> None:
    (events,) = sessions.run(
        "import torch\ntorch.ones(2).cuda() + torch.ones(2)\ntorch.ones(2).cuda().numpy()\n"
        "print((torch.ones(2).cuda() + torch.tensor(1)).is_cuda)",
        device="cuda-emulated",
    )
    first, second = [text for _, text, _ in brief(events, "exception")]
    assert first.startswith("RuntimeError: Expected all tensors to be on the same device")
    assert second.startswith("TypeError: can't convert cuda:0 device type tensor to numpy")
    assert brief(events, "stdout")[0][1] == "True\n"


def test_what_never_touches_the_emulated_device_ran_on_the_cpu(sessions: Sessions) -> None:
    sessions.run("import torch\nx = torch.ones(2)", device="cuda-emulated")
    assert sessions.ends[0]["device"] == "cpu"
