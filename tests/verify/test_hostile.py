"""Snippets that nobody has vetted: each attack is tried for real, and must be contained.

Contained means: the attack's own snippet is an error or unverified with its cause by name, what it went for is
untouched, no process is left, and the next snippet runs as if nothing had happened.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import GUARD, eventually, processes
from running import observe_snippets

from deckgen.verify import VerifyOptions
from deckgen.verify.engine.runner import Outcome

if sys.platform == "linux":
    from deckgen.verify.engine.fork import ForkRunner

pytestmark = [
    pytest.mark.own_workers,
    pytest.mark.hostile,
    pytest.mark.slow,
    pytest.mark.linux("the fork engine is Linux's"),
]

LIMITS = {"AS": 2 << 30, "FSIZE": 64 << 20, "CORE": 0, "NOFILE": 256, "CPU": 60}
TIMEOUT = 120.0
"""Seconds that none of these needs, on however busy a machine, but those that never end."""


@pytest.fixture(scope="module")
def runner() -> Iterator[ForkRunner]:
    one = ForkRunner(sys.executable, sandbox="require")
    one.start()
    yield one
    one.close()


def run(runner: ForkRunner, *snippets: str, timeout: float = TIMEOUT) -> Outcome:
    request = {
        "kind": "session",
        "seed": 1,
        "output_limit": 1 << 20,
        "limits": LIMITS,
        "snippets": [{"code": code} for code in snippets],
    }
    return runner.run(request, timeout)


def printed(outcome: Outcome, index: int = 0) -> str:
    events = outcome.snippets[index].events if index in outcome.snippets else []
    return "".join(event["text"] for event in events if event["kind"] in ("stdout", "stderr"))


def raised(outcome: Outcome) -> str:
    end = outcome.snippets[0].end
    return (end or {}).get("exception") or ""


def assert_unharmed(runner: ForkRunner) -> None:
    """The next session starts pristine and works, and nothing of the last one is still running."""
    code = (
        "import torch, os\n"
        "print(torch.ones(2).sum().item(), torch.is_grad_enabled(), torch.get_default_dtype())\n"
        "print(torch.tensor(1 / 3), torch.get_num_threads(), torch.are_deterministic_algorithms_enabled())\n"
        "print(torch.initial_seed(), os.environ.get('LEFT_BEHIND'), len(os.listdir(os.path.expanduser('~'))))\n"
        "print(sorted(os.listdir('.')))\n"
        "print(len([name for name in os.listdir('/proc') if name.isdigit()]))"
    )
    outcome = run(runner, code)
    assert printed(outcome) == (
        "2.0 True torch.float32\ntensor(0.3333) 1 False\n1 None 0\n[]\n2\n"  # the zygote and this session itself
    )


DEADLY = {
    "an infinite loop": ("while True: pass", "timed-out"),
    "sleeping for ever": ("import time; time.sleep(10**6)", "timed-out"),
    "ignoring every signal": (
        "import signal\n"
        "for number in range(1, 65):\n"
        "    try: signal.signal(number, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n"
        "while True: pass",
        "timed-out",
    ),
    "catching everything": (
        "while True:\n    try:\n        while True: print('x' * 1000)\n    except BaseException: pass",
        "flooded",
    ),
    "a flood of output": ("while True: print('flood')", "flooded"),
    "a flood past Python": (
        "import os\ntry:\n    while True: os.write(1, b'flood' * 1000)\nexcept OSError: pass",
        "flooded",
    ),
    "leaving without a word": ("import os; os._exit(0)", "exited 0"),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", "crashed SIGSEGV"),
    "an abort": ("import os; os.abort()", "crashed SIGABRT"),
    "a signal without a name": ("import os; os.kill(os.getpid(), 40)", "crashed SIG40"),
    "a fork bomb": ("import os\nwhile True: os.fork()", "too-many-processes"),
    "a fork bomb that hides": (
        "import os\nwhile True:\n    if os.fork() == 0:\n        os.setsid()",
        "too-many-processes",
    ),
    "unlimited recursion in C": (
        "import sys, functools\nsys.setrecursionlimit(10**9)\n"
        "class A:\n    def __getattr__(self, name): return getattr(self, name + '_')\n"
        "A().x",
        None,
    ),
}


@pytest.mark.parametrize("attack", DEADLY)
def test_a_deadly_snippet_dies_alone_and_by_name(runner: ForkRunner, attack: str) -> None:
    code, reason = DEADLY[attack]
    outcome = run(runner, "print('before')", code, "print('after')", timeout=5 if reason == "timed-out" else TIMEOUT)
    assert printed(outcome, 0) == "before\n"
    if outcome.culprit is None:
        assert outcome.snippets[1].end is not None
        assert outcome.snippets[1].end["exception"]
    else:
        assert outcome.culprit == 1
        assert outcome.reason == (reason or outcome.reason)
        assert outcome.snippets[1].end is None  # no end sentinel: never a pass
    assert_unharmed(runner)


RAISING = {
    "a huge allocation": ("import torch; torch.empty(100 * 2**30, dtype=torch.uint8)", "RuntimeError"),
    "allocating for ever": ("kept = []\nwhile True: kept.append(bytearray(10**8))", "MemoryError"),
    "recursion": ("def f(): return f()\nf()", "RecursionError"),
    "filling the disk": ("with open('big', 'wb') as f:\n    while True: f.write(bytes(10**7))", "OSError"),
    "waiting for input": ("input()", "EOFError"),
    "a network connection": ("import socket; socket.create_connection(('127.0.0.1', 80), 1)", "PermissionError"),
    "a datagram": (
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "PermissionError",
    ),
    "listing the home folder": (
        "import os; os.listdir('/root' if os.getuid() == 0 else '/home')",
        ("PermissionError", "FileNotFoundError"),  # in a root of its own there is none
    ),
    "tracing the parent": (
        "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.ptrace(16, os.getppid(), 0, 0): raise OSError(ctypes.get_errno(), 'refused')",
        "PermissionError",
    ),
    "the parent's environment": ("import os; open(f'/proc/{os.getppid()}/environ', 'rb').read()", "PermissionError"),
    "a new namespace": (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.unshare(0x10000000): raise OSError(ctypes.get_errno(), 'refused')",
        "PermissionError",
    ),
}


@pytest.mark.parametrize("attack", RAISING)
def test_a_forbidden_act_is_refused_as_an_ordinary_exception(runner: ForkRunner, attack: str) -> None:
    code, exception = RAISING[attack]
    outcome = run(runner, code)
    assert raised(outcome).startswith(exception)
    assert_unharmed(runner)


def test_files_outside_can_be_neither_read_nor_written(runner: ForkRunner, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("token")
    marker = tmp_path / "marker"
    outcome = run(
        runner,
        f"try: print(open({str(secret)!r}).read())\nexcept OSError as error: print(type(error).__name__)\n"
        f"try: open({str(marker)!r}, 'w')\nexcept OSError as error: print(type(error).__name__)\n"
        f"import os\ntry: os.remove({str(secret)!r})\nexcept OSError as error: print(type(error).__name__)",
    )
    assert "token" not in printed(outcome)
    assert printed(outcome).count("Error") == 3
    assert not marker.exists()
    assert secret.read_text() == "token"


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_real_listener_on_this_machine_hears_nothing(runner: ForkRunner, kind: socket.SocketKind) -> None:
    with socket.socket(socket.AF_INET, kind) as listener:
        listener.bind(("127.0.0.1", 0))
        if kind is socket.SOCK_STREAM:
            listener.listen(1)
        listener.settimeout(0.5)
        port = listener.getsockname()[1]
        run(
            runner,
            f"import socket\ns = socket.socket(socket.AF_INET, socket.SocketKind({int(kind)}))\n"
            f"s.connect(('127.0.0.1', {port})); s.send(b'hello')",
        )
        with pytest.raises(TimeoutError):
            listener.accept() if kind is socket.SOCK_STREAM else listener.recv(5)


def test_an_abstract_socket_of_this_machine_cannot_be_reached(runner: ForkRunner) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        name = f"\0deckgen-test-{os.getpid()}"
        listener.bind(name)
        listener.listen(1)
        outcome = run(runner, f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})")
        assert raised(outcome).startswith(("PermissionError", "ConnectionRefusedError"))


def test_processes_of_this_machine_cannot_be_signalled(runner: ForkRunner) -> None:
    with subprocess.Popen(["sleep", str(GUARD)]) as innocent:
        run(
            runner,
            "import os, signal\n"
            f"for pid in ({innocent.pid}, {os.getpid()}, os.getppid(), -1):\n"
            "    try: os.kill(pid, signal.SIGKILL)\n"
            "    except OSError: pass",
        )
        lives = innocent.poll() is None
        innocent.kill()
    assert lives
    assert_unharmed(runner)


def test_a_daemon_does_not_outlive_its_session(runner: ForkRunner) -> None:
    outcome = run(
        runner,
        "import os, sys, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(600)\n"
        "    os._exit(0)\n"
        "print('left it behind')",
    )
    assert printed(outcome) == "left it behind\n"
    assert_unharmed(runner)


def test_background_threads_do_not_hold_a_session_open(runner: ForkRunner) -> None:
    outcome = run(
        runner,
        "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\nprint('started')",
    )
    assert outcome.culprit is None  # nor was it ended for want of time


def test_secrets_of_the_environment_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "hunter2")
    seen = observe_snippets([("import os; print(dict(os.environ))", ())])[0]
    assert "hunter2" not in str(seen)


def test_three_thousand_files_go_with_the_session(runner: ForkRunner) -> None:
    outcome = run(runner, "for i in range(3000): open(str(i), 'w').close()\nprint('made')")
    assert printed(outcome) == "made\n"
    assert_unharmed(runner)


def test_removing_the_working_folder_hurts_nobody(runner: ForkRunner) -> None:
    run(runner, "import os, shutil; shutil.rmtree(os.getcwd()); shutil.rmtree(os.path.expanduser('~'))")
    assert_unharmed(runner)


STATE = {
    "grad mode": "import torch; torch.set_grad_enabled(False)",
    "dtype": "import torch; torch.set_default_dtype(torch.float64)",
    "print options": "import torch; torch.set_printoptions(precision=1)",
    "threads": "import torch; torch.set_num_threads(2)",
    "seeds": "import torch; torch.manual_seed(7)",
    "the environment": "import os; os.environ['LEFT_BEHIND'] = 'yes'",
    "determinism": "import torch; torch.use_deterministic_algorithms(True)",
    "its home": "import os; open(os.path.expanduser('~/left'), 'w').close()",
    "the default device": "import torch; torch.set_default_device('meta')",
    "builtins": "import builtins; builtins.len = None",
    "torch itself": "import torch; torch.ones = None",
    "standard output": "import sys; sys.stdout = None; sys.stderr = None",
    "descriptors": "import os\nfor number in range(256):\n    try: os.close(number)\n    except OSError: pass",
}


@pytest.mark.parametrize("state", STATE)
def test_what_one_session_changes_the_next_does_not_feel(runner: ForkRunner, state: str) -> None:
    run(runner, STATE[state])
    assert_unharmed(runner)


def test_forged_results_on_inherited_descriptors_are_no_results(runner: ForkRunner) -> None:
    forged = '{"end": 0, "events": 0, "exception": null, "exception_line": null, "left": false, "seed": null}'
    outcome = run(
        runner,
        "import os\n"
        "for number in range(3, 64):\n"
        f"    try: os.write(number, b'0000 ' + {forged!r}.encode() + b'\\n')\n"
        "    except OSError: pass\n"
        "print(1)\nos._exit(0)",
    )
    assert outcome.culprit == 0
    assert outcome.reason == "forged"


def test_leaving_by_sys_exit_is_no_pass() -> None:
    gone, after = observe_snippets([("print(1)\nimport sys; sys.exit(0)\nprint(2)", ()), ("print(3)", ())])
    assert (gone.status, gone.reason) == ("error", "exited")
    assert [event.text for event in gone.events if event.kind == "stdout"] == ["1\n"]
    assert [event.text for event in after.events] == ["3\n"]


def test_a_session_goes_on_without_its_culprit() -> None:
    options = VerifyOptions(use_cache=False, timeout=1)
    first, hangs, third, lost = observe_snippets(
        [("x = 1", ()), ("y = x\nwhile True: pass", ()), ("print(x + 1)", ()), ("print(y)", ())], options
    )
    assert first.status == "ran"
    assert (hangs.status, hangs.reason) == ("error", "timed-out")
    assert [event.text for event in third.events] == ["2\n"]
    assert (lost.status, lost.reason) == ("not-run", "missing-name y")


KILLED = """
import sys
sys.path.insert(0, "{tests}")
from running import observe_snippets
from deckgen.verify import VerifyOptions
from pathlib import Path
print("ready", flush=True)
slow = "import time, subprocess; subprocess.Popen(['sleep', '{mark}']); time.sleep(100)"
observe_snippets([(slow, ()), (slow, ())], VerifyOptions(use_cache=False, jobs=2, timeout=3600))
"""


def test_killing_deckgen_itself_leaves_no_process_and_no_folder(tmp_path: Path) -> None:
    mark = str(7_000_000 + os.getpid())
    with subprocess.Popen(
        [sys.executable, "-c", KILLED.replace("{mark}", mark).replace("{tests}", str(Path(__file__).parents[1]))],
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as deckgen:
        assert deckgen.stdout is not None
        deckgen.stdout.readline()
        assert eventually(lambda: len(processes(f"sleep {mark}")) == 2)
        made = list(tmp_path.glob("deckgen-*"))
        deckgen.kill()
    assert eventually(lambda: not processes(f"sleep {mark}"))
    assert made
    assert eventually(lambda: not any(path.exists() for path in made))
