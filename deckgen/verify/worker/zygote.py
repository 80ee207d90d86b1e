"""The zygote: imports torch once and forks a child for each session. It never runs a snippet itself.

One thread, one loop. A session arrives as three descriptors: a socket with its request, a file for its frames, and
the lifeline, on which the zygote tells how the child ended, and whose closing by the other side kills it.
So whatever becomes of deckgen, no session outlives it.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import time
import traceback
from typing import Any, Dict, List, NamedTuple

from . import boot, confine, processes
from .boot import Json, send_line

_RUN_CHILD: List[Any] = []
PATROL = 200
"""Milliseconds between two counts of processes while sessions run."""
CROWD = 64
"""Processes that one session may have."""


def remove_folder(folder: str) -> None:
    """Most sessions leave their folders empty, and three calls are much cheaper than looking."""
    try:
        for path in (os.path.join(folder, "work"), os.path.join(folder, "home"), folder):
            os.rmdir(path)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)


class Child(NamedTuple):
    pid: int
    lifeline: socket.socket
    folder: str


def serve(settings: Json, control: socket.socket) -> None:
    """Run until the control socket closes. `settings`: root, preload, huge_pages, sandbox."""
    control.set_inheritable(False)
    root = settings["root"]
    os.chdir(root)  # anew: it may lie in a file system that was mounted since
    processes.become_subreaper()
    guard = None
    hello = boot.import_torch(settings.get("preload", []))
    if "error" not in hello:
        from . import child, warm  # these import torch themselves

        _RUN_CHILD.append(child.run_child)
        warm.shield()
        guard = confine.Confinement(settings["sandbox"], settings["namespaces"])
        guard.probe()
        leaks = confine.self_test(guard, root) if settings["sandbox"] else []
        hello.update(confine.report(guard, leaks) if settings["sandbox"] else {"sandbox": "off", "complete": False})
        warm.warm_up(settings.get("huge_pages", True))
        child.measure()
    send_line(control, hello)
    if guard is not None:
        Zygote(control, root, guard).loop()
    shutil.rmtree(root, ignore_errors=True)


class Zygote:
    def __init__(self, control: socket.socket, root: str, guard: confine.Confinement) -> None:
        self.control = control
        self.root = root
        self.guard = guard
        self.children: Dict[int, Child] = {}
        self.lifelines: Dict[int, int] = {}
        self.count = 0
        self.poll = select.poll()
        self.wakeup, self.bell = socket.socketpair()
        self.bell.setblocking(False)
        self.wakeup.setblocking(False)
        self.own = self._own_descriptors()
        self.usual = sum(name.isdigit() for name in os.listdir("/proc"))
        self.reasons: Dict[int, str] = {}
        self.patrolled = 0.0

    def _own_descriptors(self) -> List[int]:
        """What a session must not inherit: everything but the standard three and what it enters by."""
        kept = {0, 1, 2, *self.guard.descriptors}
        return [number for number in processes.open_descriptors() if number not in kept]

    def loop(self) -> None:
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(self.bell.fileno(), warn_on_full_buffer=False)
        self.poll.register(self.control, select.POLLIN)
        self.poll.register(self.wakeup, select.POLLIN)
        try:
            while self._turn():
                pass
        finally:
            for child in list(self.children.values()):
                processes.kill_session(child.pid)

    def _turn(self) -> bool:
        """One round of the loop; False once deckgen has gone."""
        ready = self.poll.poll(PATROL if self.children else None)
        if self.children and time.monotonic() - self.patrolled > PATROL / 1000:
            self._patrol()
        for descriptor, _ in ready:
            if descriptor == self.control.fileno():
                if not self._accept():
                    return False
            elif descriptor == self.wakeup.fileno():
                with contextlib.suppress(BlockingIOError):
                    self.wakeup.recv(4096)
                self._reap()
            elif descriptor in self.lifelines:
                self.poll.unregister(descriptor)
                processes.kill_session(self.lifelines[descriptor])
        return True

    def _patrol(self) -> None:
        """End sessions that multiply: limits on the number of processes do not bind root."""
        self.patrolled = time.monotonic()
        for leader in processes.crowds(self.children, CROWD, self.usual):
            self.reasons[leader] = "too-many-processes"
            processes.kill_session(leader)

    def _accept(self) -> bool:
        message, descriptors = processes.receive_descriptors(self.control, 3)
        if not message or len(descriptors) != 3:
            return False
        talk, log = descriptors[:2]
        lifeline = socket.socket(fileno=descriptors[2])
        self.count += 1
        folder = os.path.join(self.root, str(self.count))
        pid = os.fork()
        if pid == 0:
            lifeline.close()
            self._become_session(talk, log, folder)
        os.close(talk)
        os.close(log)
        self.children[pid] = Child(pid, lifeline, folder)
        self.lifelines[lifeline.fileno()] = pid
        self.poll.register(lifeline, select.POLLIN | select.POLLHUP)
        return True

    def _become_session(self, talk: int, log: int, folder: str) -> None:
        """In the child: never returns."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            processes.close_all(self.own)
            processes.close_all(self.lifelines)
            _RUN_CHILD[0](talk, log, folder, self.guard)
        except BaseException:
            traceback.print_exc()  # to our own log: the session's descriptors may not be there yet
        finally:
            os._exit(70)

    def _reap(self) -> None:
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            child = self.children.pop(pid, None)
            if child is not None:
                self._bury(child, status, usage)

    def _bury(self, child: Child, status: int, usage: Any) -> None:
        """Kill what the session left behind, remove its folder, tell how it ended."""
        processes.kill_session(child.pid)
        processes.kill_strays(set(self.children))
        remove_folder(child.folder)
        ended = {
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else None,
            "killed": self.reasons.pop(child.pid, None),
            "cpu": usage.ru_utime + usage.ru_stime,
            "memory": usage.ru_maxrss,
        }
        self.lifelines.pop(child.lifeline.fileno(), None)
        with contextlib.suppress(KeyError):
            self.poll.unregister(child.lifeline)
        with contextlib.suppress(OSError):
            child.lifeline.sendall(json.dumps(ended).encode("ascii") + b"\n")
        child.lifeline.close()
