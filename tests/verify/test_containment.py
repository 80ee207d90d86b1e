"""What an attack on the whole program once got through, tried again: nothing gets out, nothing gets in, nothing hangs.

Each attack is run with a root of its own and without (where the system allows no namespaces), against real listeners, real
files and real processes of this machine. `test_hostile.py` has the attacks that never got through.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from patience import patience
from processes import GUARD, children
from running import observe_snippets
from test_sandbox_levels import interpreter_lacking

from deckgen.verify import VerifyOptions
from deckgen.verify.engine.runner import WORKER, Outcome, WorkerDiedError

if sys.platform == "linux":
    import resource

    from deckgen.verify.engine.fork import ForkRunner

pytestmark = [
    pytest.mark.own_workers,
    pytest.mark.hostile,
    pytest.mark.slow,
    pytest.mark.linux("the fork engine is Linux's"),
]

GIB = 1 << 30
LIMITS = {"AS": 4 * GIB, "FSIZE": 256 << 20, "CORE": 0, "NOFILE": 1024, "CPU": 60}


@pytest.fixture(scope="module")
def runner() -> Iterator[ForkRunner]:
    one = ForkRunner(sys.executable, sandbox="require")
    one.start()
    yield one
    one.close()


@pytest.fixture(scope="module", params=["a root of its own", "no namespaces"])
def either(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkRunner]:
    """A zygote on this system, and on one that allows no namespaces."""
    lacking = ["namespaces"] if request.param == "no namespaces" else []
    one = ForkRunner(str(interpreter_lacking(tmp_path_factory.mktemp("python"), *lacking)), sandbox="require")
    level = one.start()["sandbox"]
    assert ("namespaces" in level) == (not lacking)
    yield one
    one.close()


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder of this machine with a short name, as sockets want it."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    yield folder
    shutil.rmtree(folder)


def run(runner: ForkRunner, *snippets: str, timeout: float = GUARD, loopback: bool = False) -> Outcome:
    request = {
        "kind": "session",
        "seed": 1,
        "output_limit": 1 << 20,
        "limits": LIMITS,
        "loopback": loopback,
        "snippets": [{"code": code} for code in snippets],
    }
    return runner.run(request, timeout)


def printed(outcome: Outcome, index: int = 0) -> str:
    events = outcome.snippets[index].events if index in outcome.snippets else []
    return "".join(event["text"] for event in events if event["kind"] == "stdout")


def attempts(*acts: str, before: str = "import os, socket, resource, ctypes") -> str:
    """Code that tries each act for itself and prints what became of it."""
    lines = [before]
    for act in acts:
        lines += [f"try:\n    {act}\n    print('done')\nexcept OSError as error:\n    print(type(error).__name__)"]
    return "\n".join(lines)


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET])
def test_a_socket_with_a_path_hears_nothing(either: ForkRunner, outside: Path, kind: socket.SocketKind) -> None:
    path = str(outside / "service")
    with socket.socket(socket.AF_UNIX, kind) as service:
        service.bind(path)
        if kind != socket.SOCK_DGRAM:
            service.listen(1)
        service.settimeout(0.3)
        made = f"socket.socket(socket.AF_UNIX, socket.SocketKind({int(kind)}))"
        pair = f"socket.socketpair(socket.AF_UNIX, socket.SocketKind({int(kind)}))"
        outcome = run(
            either,
            attempts(
                f"{made}.connect({path!r})",
                f"{made}.sendto(b'x', {path!r})",
                f"{made}.sendmsg([b'x'], [], 0, {path!r})",
                f"{pair}[0].sendmsg([b'x'], [], 0, {path!r})",
                f"{pair}[0].sendto(b'x', {path!r})",
            ),
        )
        assert outcome.culprit is None
        with pytest.raises(TimeoutError):
            service.recv(1) if kind == socket.SOCK_DGRAM else service.accept()


def test_no_mode_owner_time_or_attribute_outside_is_changed(either: ForkRunner, outside: Path) -> None:
    mine = outside / "mine"
    mine.write_text("x")
    python = WORKER / "values.py"  # a file that a session may read
    before = [(path.stat(), os.listxattr(path)) for path in (mine, python, outside)]
    acts = [
        act.format(repr(str(path)))
        for path in (mine, python, outside)
        for act in (
            "os.chmod({}, 0o4777)",
            "os.chown({}, os.getuid(), os.getgid())",
            "os.utime({}, (1, 1))",
            "os.setxattr({}, 'user.x', b'1')",
            "os.fchmod(os.open({}, os.O_RDONLY), 0o4777)",
            "os.fchmod(os.open({}, os.O_PATH), 0o4777)",
        )
    ]
    raw = (
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"print(libc.syscall(452, -100, {os.fsencode(python)!r}, 0o4777, 0), "
        f"libc.syscall(463, -100, {os.fsencode(python)!r}, 0, b'user.x', 0, 0))"
    )
    outcome = run(either, attempts(*acts) + "\n" + raw)
    assert outcome.culprit is None
    assert "done" not in printed(outcome)
    assert printed(outcome).endswith("-1 -1\n")
    assert [(path.stat(), os.listxattr(path)) for path in (mine, python, outside)] == before


def test_a_session_cannot_change_the_limits_of_those_that_come_later(either: ForkRunner) -> None:
    evil = attempts(
        "resource.prlimit(os.getppid(), resource.RLIMIT_AS, (1 << 28, 1 << 28))",
        "resource.prlimit(os.getppid(), resource.RLIMIT_FSIZE, (10, 10))",
        "os.sched_setaffinity(os.getppid(), {0})",
        "os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0))",
        "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
        "os.setpriority(os.PRIO_USER, 0, 19)",
    )
    assert "done" not in printed(run(either, evil))
    own = attempts("resource.prlimit(0, resource.RLIMIT_CORE, (0, 0))", "os.setpriority(os.PRIO_PROCESS, 0, 5)")
    assert printed(run(either, own)) == "done\ndone\n"
    later = "import torch\nopen('f', 'w').write('x' * 1000)\nprint(torch.ones(10**6).sum().item())"
    assert printed(run(either, later)) == "1000000.0\n"


def test_the_shared_memory_of_the_machine_is_out_of_reach(either: ForkRunner) -> None:
    secret = Path(f"/dev/shm/deckgen-test-{os.getpid()}")
    secret.write_text("token")
    before = {path.name for path in Path("/dev/shm").iterdir()}
    try:
        code = attempts(f"print(open({str(secret)!r}).read())", "print(sorted(os.listdir('/dev/shm')))")
        attack = code + "\ntry: open('/dev/shm/left', 'w').write('x')\nexcept OSError: pass"
        assert "token" not in printed(run(either, attack))
        assert secret.name not in printed(run(either, attack))
        assert {path.name for path in Path("/dev/shm").iterdir()} == before
    finally:
        secret.unlink()


def test_a_session_shares_tensors_between_its_processes_and_leaves_nothing(runner: ForkRunner) -> None:
    honest = (
        "import torch, os, torch.multiprocessing as mp\n"
        "mp.set_sharing_strategy('file_system')\n"
        "t = torch.ones(3).share_memory_()\n"
        "def work(t): t.mul_(2)\n"
        "p = mp.get_context('fork').Process(target=work, args=(t,))\n"
        "p.start(); p.join()\n"
        "print(t.tolist(), len(os.listdir('/dev/shm')))"
    )
    assert printed(run(runner, honest)) == "[2.0, 2.0, 2.0] 1\n"
    assert printed(run(runner, "import os\nprint(os.listdir('/dev/shm'))")) == "[]\n"


@pytest.mark.parametrize(
    "at", ["float('inf')", "float('nan')", "1e308", "1e7", "-1e308", "time.monotonic() + 40", "'x'", "None"]
)
def test_a_forged_time_ends_neither_deckgen_nor_the_timeout(runner: ForkRunner, at: str) -> None:
    """Whoever had got more time that way would come to its end."""
    forge = (
        "import gc, time\n"
        "send = next(one for one in gc.get_objects() if type(one).__name__ == 'Reporter' and one._descriptor == 3)\n"
        f"send({{'begin': 1, 'at': {at}}})\n"
        "time.sleep(35)"
    )
    outcome = run(runner, forge, "print(1)", timeout=1)
    assert outcome.reason in (("timed-out",) if at[0] in "t1-" else ("forged",))


def test_begin_after_begin_buys_no_time(runner: ForkRunner) -> None:
    forge = (
        "import gc, time\n"
        "send = next(one for one in gc.get_objects() if type(one).__name__ == 'Reporter' and one._descriptor == 3)\n"
        "for _ in range(40):\n    send({'begin': 0, 'at': time.monotonic()}); time.sleep(0.5)\n"
        "print('it had the time')"
    )
    outcome = run(runner, forge, timeout=1)
    assert outcome.reason in ("timed-out", "forged")
    assert printed(outcome) == ""


def test_nothing_that_can_be_read_of_the_channel_makes_a_frame(runner: ForkRunner) -> None:
    forge = (
        "import os, json\n"
        "print('first')\n"
        "x = 1\n"
        "seen = os.pread(3, 1 << 20, 0)\n"
        "line = seen.splitlines()[-1]\n"
        "print(b'key' in seen, b'token' in seen)\n"
        "seal = line.split(b' ')[0]\n"
        "os.write(3, seal + b' ' + json.dumps({'finished': 1}).encode() + b'\\n')\n"
    )
    outcome = run(runner, forge)
    assert "True" not in printed(outcome)
    assert outcome.reason == "forged"


def test_frames_that_were_written_cannot_be_written_over(runner: ForkRunner) -> None:
    forge = (
        "import os\nprint('true')\nx = 1\n"
        "seen = os.pread(3, 1 << 20, 0)\n"
        "os.pwrite(3, seen.replace(b'true', b'fals'), 0)\nprint(2)"
    )
    outcome = run(runner, forge)
    assert outcome.reason == "forged"


MEMORY = {
    "files in memory": "import os\nfor i in range(1000):\n    f = os.memfd_create('x'); os.truncate(f, 1); os.write(f, bytes(10**8))",
    "files in a folder in memory": ("for i in range(1000):\n    open(f'/tmp/{i}', 'wb').write(bytes(10**8))"),
    "files in shared memory": "for i in range(1000):\n    open(f'/dev/shm/{i}', 'wb').write(bytes(10**8))",
    "shared memory without a file": "import mmap\nfor i in range(1000): mmap.mmap(-1, 10**8).write(bytes(10**8))",
    "segments": (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.shmget(0, ctypes.c_size_t(1 << 30), 0o1600) < 0: raise OSError(ctypes.get_errno(), 'refused')"
    ),
}


@pytest.mark.parametrize("way", MEMORY)
def test_memory_that_counts_for_no_process_is_bounded(runner: ForkRunner, way: str) -> None:
    outcome = run(runner, MEMORY[way])
    assert outcome.snippets[0].end is not None
    assert outcome.snippets[0].end["exception"].startswith(("OSError", "PermissionError"))
    assert printed(run(runner, "import os\nprint(os.listdir('/dev/shm'))")) == "[]\n"


def test_the_memory_of_all_processes_of_a_session_is_bounded(runner: ForkRunner) -> None:
    """Eight processes want seven GiB together; each has no more than a process may have."""
    attack = (
        "import os, time, mmap\n"
        "for _ in range(8):\n"
        "    if os.fork() == 0:\n"
        "        kept = mmap.mmap(-1, 900 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n"
        "        for _ in range(900): kept.write(bytes(1 << 20))\n"
        "        time.sleep(600); os._exit(0)\n"
        "time.sleep(600)"
    )
    outcome = run(runner, attack)
    assert outcome.reason == "too-much-memory"
    assert printed(run(runner, "print(1)")) == "1\n"


def test_a_crowd_of_threads_ends_its_session(runner: ForkRunner) -> None:
    attack = (
        "import threading, time\nthreading.stack_size(1 << 15)\n"
        "for _ in range(3000): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\ntime.sleep(600)"
    )
    assert run(runner, attack).reason == "too-many-processes"
    assert printed(run(runner, "print(1)")) == "1\n"


def test_programs_that_a_session_starts_are_weighed_whole(runner: ForkRunner) -> None:
    attack = (
        "import subprocess, sys, time\n"
        "hog = 'x = bytearray(b\"x\") * (195 << 20); import time; time.sleep(600)'\n"
        "kept = [subprocess.Popen([sys.executable, '-S', '-c', hog]) for _ in range(30)]\n"
        "time.sleep(600)"
    )
    assert run(runner, attack).reason == "too-much-memory"
    assert printed(run(runner, "print(1)")) == "1\n"


def test_what_processes_share_with_their_parent_counts_once(runner: ForkRunner) -> None:
    honest = (
        "import os, time, torch\n"
        "t = torch.ones(400 << 20, dtype=torch.uint8)\n"
        "pids = []\n"
        "for _ in range(12):\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n        t[::4096].sum(); time.sleep(1.5); os._exit(0)\n"
        "    pids.append(pid)\n"
        "for pid in pids: os.waitpid(pid, 0)\n"
        "print('shared')"
    )
    assert printed(run(runner, honest)) == "shared\n"


def test_nothing_of_the_machine_can_even_be_named(runner: ForkRunner, outside: Path) -> None:
    (outside / "name").write_text("x")
    home = os.path.expanduser("~")
    code = (
        f"import os\nprint(os.path.exists({str(outside)!r}), os.path.exists({str(outside / 'name')!r}), "
        "os.path.exists('/run/systemd'), os.path.exists('/etc/shadow'), os.path.exists('/var/log'))\n"
        f"try: print([name for name in os.listdir({home!r}) if name.startswith('.ssh')])\nexcept OSError: print([])"
    )
    assert printed(run(runner, code)) == "False False False False False\n[]\n"


def test_what_a_session_leaves_the_next_does_not_find(runner: ForkRunner) -> None:
    run(runner, "open('/tmp/left', 'w').write('x'); open('/dev/shm/left', 'w').write('x')")
    found = printed(
        run(runner, "import os\nprint(os.path.exists('/tmp/left'), os.listdir('/dev/shm'), len(os.listdir('/tmp')))")
    )
    assert found.startswith("False []")


def test_sessions_at_the_same_time_do_not_see_each_others_files(runner: ForkRunner) -> None:
    code = (
        "import os, time\nopen('/tmp/mine', 'a').write('x'); open('/dev/shm/mine', 'a').write('x'); open('mine', 'a').write('x')\n"
        "time.sleep(1)\nprint(open('/tmp/mine').read(), open('/dev/shm/mine').read(), open('mine').read(), "
        "len(os.listdir(os.path.dirname(os.path.dirname(os.getcwd())))))"
    )
    with ThreadPoolExecutor(2) as pool:
        seen = [printed(outcome) for outcome in pool.map(lambda _: run(runner, code), range(2))]
    assert seen == ["x x x 1\n"] * 2


RANKS = """
import os, torch, torch.distributed as dist, torch.multiprocessing as mp

def work(rank, size, queue):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", "29500"
    dist.init_process_group("gloo", rank=rank, world_size=size)
    t = torch.ones(2) * (rank + 1)
    dist.all_reduce(t)
    queue.put((rank, t.tolist()))
    dist.destroy_process_group()

context = mp.get_context("fork")
queue = context.SimpleQueue()
ranks = [context.Process(target=work, args=(rank, 2, queue)) for rank in range(2)]
for one in ranks: one.start()
for one in ranks: one.join()
print(sorted(queue.get() for _ in range(2)))
"""


def test_two_ranks_talk_over_the_loopback_of_their_own_session(runner: ForkRunner) -> None:
    with ThreadPoolExecutor(2) as pool:  # with the same port, at the same time
        outcomes = list(pool.map(lambda _: run(runner, RANKS, loopback=True), range(2)))
    assert [printed(outcome) for outcome in outcomes] == ["[(0, [3.0, 3.0]), (1, [3.0, 3.0])]\n"] * 2


def test_the_loopback_leads_to_nothing_outside(runner: ForkRunner, outside: Path) -> None:
    with socket.socket() as service, socket.socket(socket.AF_UNIX) as named:
        service.bind(("127.0.0.1", 0))
        service.listen(1)
        service.settimeout(0.3)
        named.bind(f"\0deckgen-test-{os.getpid()}")
        named.listen(1)
        attack = attempts(
            f"socket.create_connection(('127.0.0.1', {service.getsockname()[1]}), 1)",
            "socket.create_connection(('192.0.2.1', 80), 1)",
            "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
            "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
            "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
            "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
            f"socket.socket(socket.AF_UNIX).connect('\\0deckgen-test-{os.getpid()}')",
        )
        outcome = run(runner, attack, loopback=True)
        assert outcome.culprit is None
        assert "done" not in printed(outcome)
        with pytest.raises(TimeoutError):
            service.accept()


def zygotes() -> set[int]:
    """The processes that this one has started as zygotes."""
    return set(children(os.getpid(), '"mode": "zygote"'))


def test_a_zygote_with_other_limits_forks_no_session() -> None:
    one, others = ForkRunner(sys.executable), zygotes()
    one.start()
    try:
        assert printed(run(one, "print(1)")) == "1\n"
        (above,) = zygotes() - others
        inner = Path(f"/proc/{above}/task/{above}/children").read_text().split()
        zygote = int(inner[0]) if inner else above  # in a world of its own it is a child of what was started
        hard = resource.prlimit(zygote, resource.RLIMIT_NOFILE)[1]
        resource.prlimit(zygote, resource.RLIMIT_NOFILE, (200, hard))
        with pytest.raises(WorkerDiedError):
            run(one, "print(1)")
    finally:
        one.close()


def test_a_session_that_never_began_is_no_observation(runner: ForkRunner) -> None:
    with pytest.raises(WorkerDiedError):
        runner.run({"kind": "session", "seed": 1, "output_limit": 1, "snippets": [{"code": "print(1)"}]}, 5)


WAITED_FOR = {
    "a lease": "fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), 1024, 0)",
    "a lease for writing": "fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), 1024, 1)",
    "a notice": "fcntl.fcntl(os.open('/usr', os.O_RDONLY), 1026, 1)",
    "a delegation": "fcntl.fcntl(os.open('/usr', os.O_RDONLY), 1040, bytes(16))",
    "watches": "[ctypes.CDLL(None, use_errno=True).inotify_init1(0) >= 0 or os.close(-1)]",
    "requests": "[ctypes.CDLL(None, use_errno=True).syscall(206, 9, ctypes.byref(ctypes.c_long())) >= 0 or os.close(-1)]",
}


@pytest.mark.parametrize("what", WAITED_FOR)
def test_nobody_outside_has_to_wait_for_a_session(either: ForkRunner, what: str) -> None:
    outcome = run(either, attempts(WAITED_FOR[what], before="import os, fcntl, ctypes"))
    assert outcome.culprit is None
    assert "done" not in printed(outcome)


@pytest.mark.parametrize("lacking", [[], ["namespaces"]], ids=["a root of its own", "no namespaces"])
def test_sockets_and_pipes_in_a_folder_that_can_be_read_are_out_of_reach(
    outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: list[str]
) -> None:
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(outside), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    )
    (outside / "visible.py").write_text("seen = 'the folder is there'\n")
    os.mkfifo(outside / "pipe")
    reader = os.open(outside / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service:
        service.bind(str(outside / "service"))
        service.settimeout(0.3)
        one = ForkRunner(str(interpreter_lacking(tmp_path, *lacking)), sandbox="require")
        one.start()
        try:
            attack = attempts(
                f"socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', {str(outside / 'service')!r})",
                f"os.write(os.open({str(outside / 'pipe')!r}, os.O_WRONLY | os.O_NONBLOCK), b'x')",
            )
            seen = printed(run(one, "import visible\nprint(visible.seen)\n" + attack))
        finally:
            one.close()
        with pytest.raises(TimeoutError):
            service.recv(1)
    assert seen.startswith("the folder is there\n")
    assert os.read(reader, 1) == b""  # nobody has opened it for writing
    os.close(reader)


def test_sessions_at_the_same_time_may_use_the_same_abstract_name(runner: ForkRunner) -> None:
    code = (
        "import time\nfrom multiprocessing.connection import Listener\n"
        "kept = Listener('\\0deckgen-same-name')\ntime.sleep(1)\nprint('mine')"
    )
    with ThreadPoolExecutor(2) as pool:
        assert [printed(outcome) for outcome in pool.map(lambda _: run(runner, code), range(2))] == ["mine\n"] * 2


FORGED = {
    "a line that is not there": {
        "kind": "exception",
        "text": "E: x",
        "inner": 10**6,
        "outer": 10**6,
        "outer_end": None,
    },
    "a text that is none": {"kind": "stdout", "text": 7, "inner": 0, "outer": 0, "outer_end": 0},
    "values that are none": {"kind": "stdout", "text": "x", "inner": 0, "outer": 0, "outer_end": 0, "values": [7]},
    "lines that are texts": {"kind": "stdout", "text": "x", "inner": "0", "outer": None, "outer_end": None},
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_event_is_no_observation_and_ends_nothing(forged: str) -> None:
    forge = (
        "import gc\n"
        "send = next(one for one in gc.get_objects() if type(one).__name__ == 'Reporter' and one._descriptor == 3)\n"
        f"send({{'event': 0, **{FORGED[forged]!r}}})\n"
        "import sys\nframe = sys._getframe()\n"
        "while frame:\n"
        "    for one in frame.f_locals.values():\n"
        "        if type(one).__name__ == 'Session': one.sent += 1\n"
        "    frame = frame.f_back"
    )
    first, second = observe_snippets([(forge, ()), ("print(2)", ())], VerifyOptions(use_cache=False))
    assert (first.status, first.reason) == ("error", "forged")
    assert [event.text for event in second.events if event.kind == "stdout"] == ["2\n"]


def test_a_line_without_end_costs_neither_time_nor_memory(runner: ForkRunner) -> None:
    with patience():
        outcome = run(runner, "import os\nfor _ in range(240): os.write(3, bytes(1 << 20))")
    assert outcome.reason == "forged"


def test_a_long_path_for_temporary_files_leaves_nothing(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = outside / ("x" * 90)
    deep.mkdir()
    before = {path.name for path in Path("/tmp").glob("deckgen-*")}
    monkeypatch.setenv("TMPDIR", str(deep))
    monkeypatch.setattr(tempfile, "tempdir", None)
    one = ForkRunner(sys.executable, sandbox="require")
    one.start()
    assert printed(run(one, "print(1)")) == "1\n"
    one.close()
    assert list(deep.iterdir()) == []
    left = {path.name for path in Path("/tmp").glob("deckgen-*")} - before
    # of a folder that somebody else's run made meanwhile nothing can be seen
    assert not any(os.path.exists(f"/tmp/{name}/secret") for name in left)
