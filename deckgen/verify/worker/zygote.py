"""The zygote: imports torch once and forks a child for each session. It never runs a snippet itself.

One thread, one loop. A session arrives as three descriptors: a file in memory with its request, one for its frames, and the
lifeline, on which the zygote tells how the child ended, and whose closing by the other side kills it.
So whatever becomes of deckgen, no session outlives it. The message that brings them is the seed to start from.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` without its enumerations: fewer objects to touch
import contextlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import time
import traceback
from typing import Any, Callable, Dict, Tuple

from . import boot, limits, memory, processes, watch
from .boot import Json, send_line
from .folder import remove_folder
from .world import World

PATROL = 200
"""Milliseconds between two looks at the number and the memory of processes while sessions run."""
WELL = b'{"exit": 0}'
HUNG_UP = select.POLLIN | select.POLLHUP
CHILD_ENDED, DEFAULT = int(signal.SIGCHLD), int(signal.SIG_DFL)


def serve(settings: Json, control: socket.socket, world: World) -> None:
    """Run until the control socket closes. `settings`: preload, huge_pages, sandbox."""
    control.set_inheritable(False)
    folder = world.folder
    os.chdir(folder)
    processes.become_subreaper()
    zygote = None
    huge_pages = settings.get("huge_pages", True) and sys.platform == "linux"
    if huge_pages:
        memory.reserve()
    hello = boot.import_torch(settings.get("preload", []))
    if "error" not in hello:
        from . import child, session, warm  # these import torch themselves

        warm.shield()
        guard, verdict = world.guarded()
        hello.update(verdict)
        stage = session.Session()
        limits.measure()
        warm.warm_up(stage, guard, folder, huge_pages)
        limits.measure()

        def run_child(request: int, log: int, last: int, folder: str) -> None:
            child.run_child(request, log, last, folder, guard, stage)

        zygote = Zygote(control, world, stage.seed, run_child)
    send_line(control, hello)
    if zygote is not None:
        zygote.loop()
    shutil.rmtree(folder, ignore_errors=True)


class Zygote:
    """What it touches between two forks it must copy while a session lives; hence so plain."""

    def __init__(
        self,
        control: socket.socket,
        world: World,
        sow: Callable[[int], None],
        run_child: Callable[[int, int, int, str], None],
    ) -> None:
        self.control = control
        self.world = world
        self.sow = sow
        self.run_child = run_child
        self.fork = processes.fork if processes.has_one_thread() else os.fork
        self.living: Dict[int, Tuple[int, str]] = {}
        """By process: the descriptor of its lifeline and its folder."""
        self.lifelines: Dict[int, int] = {}
        self.count = 0
        self.seed = b""
        self.poll = select.poll()
        self.wakeup, self.bell = socket.socketpair()
        self.bell.setblocking(False)
        self.wakeup.setblocking(False)
        self.children = processes.Children()
        self.last = max(processes.open_descriptors())
        self.limits = limits.in_force()
        self.inherited = watch.usage(os.getpid()).memory
        """Bytes of memory that each session begins with."""
        self.reasons: Dict[int, str] = {}
        self.patrolled = 0.0

    def loop(self) -> None:
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as the sessions shall have it; Ctrl-C never comes here
        signal.set_wakeup_fd(self.bell.fileno(), warn_on_full_buffer=False)
        self.poll.register(self.control, select.POLLIN)
        self.poll.register(self.wakeup, select.POLLIN)
        try:
            while self._turn():
                pass
        finally:
            for leader in self.living:
                processes.kill_session(leader)

    def _turn(self) -> bool:
        """One round of the loop; False once deckgen has gone."""
        ready = self.poll.poll(PATROL if self.living else None)
        if self.living and time.monotonic() - self.patrolled > PATROL / 1000:
            self._patrol()
        for descriptor, _ in ready:
            if descriptor == self.control.fileno():
                if not self._accept():
                    return False
            elif descriptor == self.wakeup.fileno():
                self._reap()
            elif descriptor in self.lifelines:
                self.poll.unregister(descriptor)
                processes.kill_session(self.lifelines[descriptor])
        return True

    def _patrol(self) -> None:
        """End sessions that multiply or swell: limits of the kernel count one process, or do not bind root."""
        self.patrolled = time.monotonic()
        sessions = processes.members(self.living)
        for leader, members in sessions.items():
            reason = watch.offence(members, self.inherited)
            if reason:
                self._end(leader, reason)
        if watch.is_short():
            self._end(watch.largest(sessions), "too-much-memory")

    def _end(self, leader: int, reason: str) -> None:
        self.reasons[leader] = reason
        processes.kill_session(leader)

    def _accept(self) -> bool:
        """False once deckgen has gone, or if somebody has changed our limits, which sessions would inherit."""
        seed, descriptors = processes.receive_descriptors(self.control)
        if not descriptors or limits.in_force() != self.limits:
            return False
        if seed != self.seed:
            self.seed = seed
            self.sow(int(seed))
        request, log, lifeline = descriptors
        self.last = max(self.last, *descriptors)
        self.count += 1
        folder = f"{self.world.folder}/{self.count}"
        pid = self.fork()
        if pid == 0:
            self._become_session(request, log, folder)
        os.close(request)
        os.close(log)
        self.living[pid] = lifeline, folder
        self.lifelines[lifeline] = pid
        self.poll.register(lifeline, HUNG_UP)
        return True

    def _become_session(self, request: int, log: int, folder: str) -> None:
        """In the child: never returns."""
        try:
            signal.set_wakeup_fd(-1)
            _signal.signal(CHILD_ENDED, DEFAULT)
            self.run_child(request, log, self.last, folder)
        except BaseException:
            os.write(2, traceback.format_exc().encode())  # to our own log, or to the session's output
        finally:
            os._exit(70)

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self.wakeup.recv(4096)
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self.living:
                self._bury(pid, status, usage)

    def _bury(self, pid: int, status: int, usage: Any) -> None:
        """Kill what the session left behind, remove its folder, tell how it ended."""
        lifeline, folder = self.living.pop(pid)
        processes.kill_followers(pid)
        self.children.kill_strays(self.living)
        if self.world.root is None:  # elsewhere it lay in memory, and went with its session
            remove_folder(folder)
        del self.lifelines[lifeline]
        with contextlib.suppress(KeyError):  # it was asked to end
            self.poll.unregister(lifeline)
        with contextlib.suppress(OSError):  # nobody listens any more
            os.write(lifeline, WELL if status == 0 and pid not in self.reasons else self._ended(pid, status, usage))
        os.close(lifeline)

    def _ended(self, pid: int, status: int, usage: Any) -> bytes:
        ended = {
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else None,
            "killed": self.reasons.pop(pid, None),
            "cpu": usage.ru_utime + usage.ru_stime,
        }
        return json.dumps(ended).encode("ascii")
