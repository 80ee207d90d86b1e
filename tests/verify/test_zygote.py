"""What a session finds that was forked from a rehearsed zygote: no trace of the rehearsal; the same under both engines."""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import Sessions, brief

if sys.platform != "win32":
    from deckgen.verify.sandbox import processes

REHEARSED_ALONE = """
import sys, warnings
sys.path.insert(0, {folder!r})
import importlib
import torch
torch.set_num_threads(1)
torch.set_warn_always(True)
source = open({folder!r} + "/child.py").read()
start = source.index("REHEARSED = ")
space = {{}}
exec(source[start : source.index("ROUNDS =")], space)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for code in space["REHEARSED"]:
        try:
            exec(space["IMPORTS"] + code, {{"__name__": "__main__"}})
        except RuntimeError:
            pass
print([str(one.message) for one in told], len(space["REHEARSED"]), file=sys.stderr)
"""


def test_the_rehearsal_swallows_no_warning() -> None:
    from deckgen.verify.engine.runner import WORKER

    code = REHEARSED_ALONE.format(folder=str(WORKER))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.startswith("[] "), ran.stderr
    assert int(ran.stderr.split()[1]) >= 5


def test_a_session_finds_nothing_of_the_rehearsal(sessions: Sessions) -> None:
    (events,) = sessions.run(
        "import sys, linecache, warnings\n"
        "print(sorted(name for name in vars(sys.modules['__main__']) if not name.startswith('__')))\n"
        "print(linecache.getline(__file__, 1))"
    )
    assert [text for _, text, _ in brief(events, "stdout")] == [
        "['linecache', 'sys', 'warnings']\n",
        "import sys, linecache, warnings\n\n",
    ]


def test_every_way_to_ask_for_the_home_leads_to_the_same_folder(sessions: Sessions) -> None:
    code = (
        "import os, subprocess, tempfile, pathlib\n"
        "home = os.environ['HOME']\n"
        "below = subprocess.run(['sh', '-c', 'echo $HOME $TMPDIR $XDG_CACHE_HOME'], capture_output=True, text=True)\n"
        "print(below.stdout.split() == [home] * 3, str(pathlib.Path.home()) == home, tempfile.gettempdir() == home)\n"
        "print(os.listdir(home), os.listdir('.'), os.path.samefile(os.path.join(home, '..', 'work'), '.'))"
    )
    for _ in range(2):
        (events,) = sessions.run(code)
        assert [text for _, text, _ in brief(events, "stdout")] == ["True True True\n", "[] [] True\n"]


def test_sessions_of_one_seed_draw_the_same_numbers_and_others_do_not(sessions: Sessions) -> None:
    code = "import torch, random, numpy\nprint(torch.rand(1).item(), random.random(), numpy.random.rand())"
    drawn = [brief(sessions.run(code, seed=seed)[0], "stdout") for seed in (1, 1, 2, 1)]
    assert drawn[0] == drawn[1] == drawn[3] != drawn[2]


@pytest.mark.linux("Linux only")
def test_threads_forks_and_signals_work_in_a_session(sessions: Sessions) -> None:
    (events,) = sessions.run(
        "import os, signal, concurrent.futures as futures\n"
        "print(signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL)\n"
        "with futures.ThreadPoolExecutor(2) as pool:\n"
        "    print(sum(pool.map(len, ['a', 'bc'])))\n"
        "if (pid := os.fork()) == 0:\n"
        "    os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    )
    assert [text for _, text, _ in brief(events, "stdout")] == ["True\n", "3\n", "7\n"]


def test_a_session_whose_time_is_up_says_what_it_had_of_the_processor(sessions: Sessions) -> None:
    outcome = sessions.outcome("import time; time.sleep(600)", timeout=1)
    assert (outcome.reason, outcome.culprit) == ("timed-out", 0)
    assert (outcome.delayed is None) == sessions.are_dear  # where nobody can tell, it may have been the others
    assert outcome.cpu < 0.5  # it slept


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="a system that tells no delays")
def test_the_time_that_others_take_from_a_process_is_measured() -> None:
    def spin() -> None:
        os.setpgid(0, 0)
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        while True:
            pass

    both = [multiprocessing.get_context("fork").Process(target=spin, daemon=True) for _ in range(2)]
    for one in both:
        one.start()
    pids = [one.pid or 0 for one in both]
    try:
        while min(map(ticks, pids)) < 30:
            pass
        delays = [processes.delay(pid) for pid in pids]
    finally:
        for one in both:
            one.kill()
            one.join()
    assert all(delay is not None and delay > 0.1 for delay in delays)
    assert processes.delay(pids[0]) is None


def ticks(pid: int) -> int:
    """Hundredths of a second for which a process has run."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])


def test_the_memory_that_sessions_share_may_lie_in_huge_pages():
    code = "import torch\nfrom deckgen.verify.worker.pages import collapse\nprint(collapse() >= 0)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"
