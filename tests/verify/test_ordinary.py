"""What ordinary snippets do besides tensors works inside a session, contained as it is."""

import pytest
from running import Sessions, brief

ORDINARY = {
    "asyncio": "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    print(1)\nasyncio.run(f())",
    "tasks at once": (
        "import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return n\n"
        "async def main(): return await asyncio.gather(f(0), f(1))\nprint(sum(asyncio.run(main())))"
    ),
    "a subprocess under asyncio": (
        "import asyncio\nasync def main():\n"
        "    p = await asyncio.create_subprocess_exec('echo', '1', stdout=asyncio.subprocess.PIPE)\n"
        "    print(int((await p.communicate())[0]))\nasyncio.run(main())"
    ),
    "a pool of threads": (
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool:\n"
        "    print(sum(pool.map(int, '01')))"
    ),
    "a pool of processes": (
        "import multiprocessing as mp\ndef f(n): return n\n"
        "with mp.get_context('fork').Pool(2) as pool:\n    print(sum(pool.map(f, [0, 1])))"
    ),
    "an executor of processes": (
        "from concurrent.futures import ProcessPoolExecutor\nimport multiprocessing as mp\ndef f(n): return n + 1\n"
        "with ProcessPoolExecutor(1, mp_context=mp.get_context('fork')) as pool:\n    print(pool.submit(f, 0).result())"
    ),
    "a queue between processes": (
        "import multiprocessing as mp\ncontext = mp.get_context('fork')\nqueue = context.Queue()\n"
        "p = context.Process(target=queue.put, args=(1,)); p.start()\nprint(queue.get()); p.join()"
    ),
    "a tensor between processes": (
        "import torch.multiprocessing as mp\nimport torch\ncontext = mp.get_context('fork')\n"
        "queue, taken = context.Queue(), context.Event()\ndef send():\n    queue.put(torch.ones(1))\n    taken.wait()\n"
        "p = context.Process(target=send); p.start()\nx = queue.get(); taken.set(); p.join(); print(int(x))"
    ),
    "shared memory": (
        "import torch, torch.multiprocessing as mp\nx = torch.zeros(1).share_memory_()\n"
        "def f(x): x += 1\np = mp.get_context('fork').Process(target=f, args=(x,))\np.start(); p.join(); print(int(x))"
    ),
    "workers of a loader with a set of their own": (
        "import torch\nfrom torch.utils.data import DataLoader, Dataset\nclass Squares(Dataset):\n"
        "    def __len__(self): return 4\n    def __getitem__(self, i): return torch.tensor(i * i)\n"
        "loader = DataLoader(Squares(), batch_size=2, num_workers=2, persistent_workers=True)\n"
        "print([batch.tolist() for batch in loader] == [[0, 1], [4, 9]] and 1)"
    ),
    "a local class in a list of classes": (
        "import pickle, dataclasses, enum, collections\n@dataclasses.dataclass\nclass A: x: int = 1\n"
        "class E(enum.Enum): ONE = 1\nP = collections.namedtuple('P', 'x')\n"
        "print(pickle.loads(pickle.dumps([A(), E.ONE, P(1)]))[2].x)"
    ),
    "saving a whole module": (
        "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x): return x\n"
        "torch.save(Net(), 'm.pt')\nprint(int(torch.load('m.pt', weights_only=False)(torch.ones(1))))"
    ),
    "temporary files": "import tempfile\nwith tempfile.NamedTemporaryFile() as f:\n    print(f.write(b'1'))",
    "a database": "import sqlite3\nprint(sqlite3.connect('a.db').execute('select 1').fetchone()[0])",
    "an alarm": (
        "import signal, time\ndef ring(*_): raise TimeoutError\nsignal.signal(signal.SIGALRM, ring)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.05)\ntry: time.sleep(10)\nexcept TimeoutError: print(1)"
    ),
    "a signal to itself": (
        "import os, signal\nsignal.signal(signal.SIGUSR1, lambda *_: print(1))\nsignal.raise_signal(signal.SIGUSR1)"
    ),
    "redirected output": (
        "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as f:\n    print('hidden')\n"
        "print(f.getvalue().count('hidden'))"
    ),
    "bytes to the stream": "import sys\nwritten = sys.stdout.buffer.write(b'1\\n')",
    "output in pieces": "import sys\nprint('', end='', flush=True)\nsys.stdout.flush()\nwritten = sys.stdout.write('1\\n')",
    "a stream's properties": "import sys\nprint(int(not sys.stdout.isatty() and sys.stdout.encoding == 'utf-8'))",
    "lines written at once": "import sys\nsys.stdout.writelines(['1', '\\n'])",
    "doctests": (
        "import doctest\ndef f():\n    '''\n    >>> 1 + 1\n    2\n    '''\n"
        "print(doctest.run_docstring_examples(f, globals()) is None and 1)"
    ),
    "unit tests": (
        "import unittest, io\nclass T(unittest.TestCase):\n    def test(self): pass\n"
        "run = unittest.TextTestRunner(io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(T))\n"
        "print(run.testsRun)"
    ),
    "profiles": "import cProfile, pstats, io\np = cProfile.Profile(); p.runcall(sum, [1])\nprint(int(len(p.getstats()) > 0))",
    "memory traced": "import tracemalloc\ntracemalloc.start()\nx = [0] * 10\nprint(int(tracemalloc.get_traced_memory()[0] > 0))",
    "timeit": "import timeit\nprint(int(timeit.timeit('1 + 1', number=10) > 0))",
    "timers of torch": (
        "import torch\nimport torch.utils.benchmark as benchmark\nx = torch.ones(2)\n"
        "t = benchmark.Timer('x + 1', globals={'x': x})\nprint(int(t.timeit(10).mean > 0))"
    ),
    "the profiler of torch": (
        "import torch\nfrom torch.profiler import profile, ProfilerActivity\n"
        "with profile(activities=[ProfilerActivity.CPU]) as p: y = torch.ones(2) + 1\n"
        "p.export_chrome_trace('t.json')\nimport os; print(int(os.path.getsize('t.json') > 0))"
    ),
    "tracing": "import torch\nprint(int(torch.jit.trace(lambda x: x + 1, torch.zeros(1))(torch.zeros(1))))",
    "graphs": "import torch\nclass M(torch.nn.Module):\n    def forward(self, x): return x + 1\n"
    "print(int(torch.fx.symbolic_trace(M())(torch.zeros(1))))",
    "garbage": "import gc, weakref\nclass A: pass\na = A(); r = weakref.ref(a); del a; n = gc.collect()\nprint(int(r() is None))",
    "arguments": "import argparse\np = argparse.ArgumentParser(); p.add_argument('--n', default=1)\nprint(p.parse_args([]).n)",
    "arguments from the command line": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--n', default=1)\nprint(p.parse_args().n)",
    "frames": "import sys, inspect\ndef f(): return inspect.currentframe().f_code.co_name\nprint(len(f()))",
    "its own module": "import sys\nx = 1\nprint(sys.modules['__main__'].x)",
    "its own file's name": "print(int(isinstance(__file__, str)))",
    "import hooks": "import importlib\nprint(int(importlib.reload(importlib.import_module('json')) is not None))",
    "a module it writes": "import pathlib, sys\nn = pathlib.Path('own.py').write_text('x = 1')\nsys.path.insert(0, '.')\nimport own\nprint(own.x)",
    "a shell": "import os\ncode = os.system('true')\nprint(1 - code)",
    "an exit handler": "import atexit\nf = atexit.register(print, 'at exit')\nprint(1)",
    "recursion it asks for": (
        "import sys\nsys.setrecursionlimit(5000)\ndef f(n): return 1 if n == 0 else f(n - 1)\nprint(f(3000))"
    ),
    "threads of torch": "import torch\ntorch.set_num_threads(2)\nx = torch.ones(500, 500) @ torch.ones(500, 500)\nprint(int(x[0, 0] / 500))",
}  # fmt: skip


def test_all_of_it_works(sessions: Sessions) -> None:
    seen = zip(ORDINARY, sessions.each(*ORDINARY.values()), strict=True)
    written = {
        thing: [text for _, text, _ in brief(events, "stdout", "exception", "warning") if text]
        for thing, events in seen
    }
    assert written == {thing: ["1\n"] for thing in ORDINARY}


def test_progress_is_written_apart_from_output(sessions: Sessions) -> None:
    (events,) = sessions.run("import sys\nfor i in range(3):\n    sys.stderr.write(f'\\r{i}')\nprint('done')")
    assert "".join(text for _, text, _ in brief(events, "stderr")) == "\r0\r1\r2"
    assert brief(events, "stdout") == [("stdout", "done\n", 3)]


def test_a_logger_writes_where_it_stands(sessions: Sessions) -> None:
    (events,) = sessions.run("import logging\n\nlogging.warning('careful')\nlogging.getLogger('a').info('quiet')")
    assert brief(events, "stderr") == [("stderr", "WARNING:root:careful\n", 2)]


def test_a_package_that_is_missing_is_the_only_thing_that_fails(sessions: Sessions) -> None:
    (events,) = sessions.run("import no_such_package_as_this as plt\nx = 1\nplt.plot(x)\nprint(x)")
    assert [text for _, text, _ in brief(events, "exception")] == [
        "ModuleNotFoundError: No module named 'no_such_package_as_this'",
        "NameError: name 'plt' is not defined",
    ]
    assert brief(events, "stdout") == [("stdout", "1\n", 3)]


def test_asking_the_reader_is_an_end_of_file(sessions: Sessions) -> None:
    (events,) = sessions.run("name = input('Your name? ')\nprint(1)")
    assert brief(events, "stdout", "exception") == [
        ("stdout", "Your name? ", 0),
        ("exception", "EOFError: EOF when reading a line", 0),
        ("stdout", "1\n", 1),
    ]


def test_leaving_by_the_builtins_of_a_console_is_leaving(sessions: Sessions) -> None:
    words = ("exit()", "quit()", "raise SystemExit")
    *left, after = sessions.run(*(f"{word}\nprint(1)" for word in words), "print(2)")
    assert [end.get("left", False) for end in sessions.ends] == [True, True, True, False]
    assert [brief(events, "stdout") for events in left] == [[]] * 3
    assert brief(after, "stdout") == [("stdout", "2\n", 0)]


COMPILED = """\
import torch
def f(x):
    return torch.relu(x) * 2 - 1
print(torch.compile(f)(torch.ones(3)))
"""


def test_what_has_used_up_its_processor_time_is_ended_and_said_to_have(sessions: Sessions) -> None:
    if sessions.are_dear:
        pytest.skip("to import torch alone takes more")
    limits = {"AS": 4 << 30, "NOFILE": 1024, "CPU": 1}
    outcome = sessions.outcome("while True:\n    pass", limits=limits)
    assert (outcome.culprit, outcome.reason, outcome.used_up) == (0, "timed-out", True)
    deaf = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True:\n    pass"
    outcome = sessions.outcome(deaf, limits=limits)
    assert (outcome.culprit, outcome.reason, outcome.used_up) == (0, "killed", False)


def test_torch_compile_works_inside_a_session(sessions: Sessions) -> None:
    limits = {"AS": 4 << 30, "FSIZE": 1 << 30, "NOFILE": 1024, "CPU": 300}
    outcome = sessions.outcome(COMPILED, "print(1)", limits=limits)
    assert outcome.culprit is None, outcome.reason
    events = outcome.snippets[0].events
    assert brief(events, "stdout", "exception") == [("stdout", "tensor([1., 1., 1.])\n", 3)]


def test_torch_compile_without_a_compiler_fails_as_an_exception(sessions: Sessions) -> None:
    without = "import os\nos.environ.update(PATH='/nowhere', CXX='/nowhere/c++', CC='/nowhere/cc')\n"
    outcome = sessions.outcome(without + COMPILED, "print(1)")
    assert outcome.culprit is None, outcome.reason
    shown = brief(outcome.snippets[0].events, "stdout", "exception")
    assert len(shown) == 1
    assert "tensor([1., 1., 1.])" in shown[0][1] or "Compiler" in shown[0][1], shown
    assert brief(outcome.snippets[1].events, "stdout") == [("stdout", "1\n", 0)]
