"""The zygote: imports torch once and forks a child for each session. It never runs a snippet itself.

One thread, one loop. A session arrives as three descriptors: a file in memory with its request, one for its frames, and the
lifeline, on which the zygote tells how the child ended, and whose closing by the other side kills it. So whatever becomes of
deckgen, no session outlives it.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import select
import shutil
import signal
import socket
import struct
import sys
import time
import traceback
from typing import Any, Dict, Optional, Tuple

from ..sandbox import kernel, limits, processes
from ..sandbox.world import World
from . import Json, import_torch, pages
from .ends import signal_name

if sys.platform != "linux":
    raise ImportError("a zygote forks its sessions on Linux alone")

PATROL = 200
"""Milliseconds between two looks at the number and the memory of processes while sessions run."""
DESCRIPTORS = struct.Struct("=3i")
HUNG_UP = select.POLLIN | select.POLLHUP


def serve(settings: Json) -> None:
    """Run until the control socket closes. `settings`: root, control, preload, sessions, sandbox."""
    control = socket.socket(fileno=settings["control"])
    control.set_inheritable(False)
    world = World(settings["root"], settings["sandbox"])
    os.chdir(world.folder)
    kernel.prctl(kernel.CHILD_SUBREAPER, 1)  # orphans of sessions become our children, so that we can end them
    hello = import_torch(settings["preload"])
    zygote = None
    if "error" not in hello:
        from . import child, session  # these import torch themselves

        kernel.prctl(kernel.DUMPABLE, 0)  # no session traces this process or reads its memory and environment
        guard, verdict = world.guarded()
        hello.update(verdict)
        stage = session.Session()
        child.warm_up(stage, settings["sessions"])
        limits.measure()
        pages.collapse()
        zygote = Zygote(control, world, functools.partial(child.run_child, guard=guard, session=stage))
    control.sendall(json.dumps(hello).encode("ascii") + b"\n")
    if zygote is not None:
        zygote.loop()
    shutil.rmtree(world.folder, ignore_errors=True)


class Zygote:
    """Memory that it writes to while a session lives must be copied, so it keeps little state."""

    def __init__(self, control: socket.socket, world: World, run_child: Any) -> None:
        self.control, self.world, self.run_child = control, world, run_child
        # Without what Python then does in the child (it renews locks and calls the handlers of every module): 5 % of a run. A
        # process with one thread, which holds no lock while it forks, needs none of it.
        alone = len(os.listdir("/proc/self/task")) == 1
        self.fork: Any = ctypes.PyDLL(None).fork if alone else os.fork
        self.living: Dict[int, Tuple[int, str]] = {}
        """By process: the descriptor of its lifeline and its folder."""
        self.count = 0
        self.poll = select.poll()
        self.wakeup, self.bell = socket.socketpair()
        self.bell.setblocking(False)
        self.wakeup.setblocking(False)
        self.limits = limits.in_force()
        self.watch = processes.Watch()
        self.reasons: Dict[int, str] = {}
        """Why a session was ended, by its process."""
        self.delays: Dict[int, Optional[float]] = {}
        """For how long others had kept it from running when it was ended (`processes.delay`)."""
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
            self.patrolled = time.monotonic()
            for leader, reason in self.watch.offenders(self.living):
                self.reasons[leader] = reason
                processes.kill_session(leader)
        for descriptor, _ in ready:
            if descriptor == self.control.fileno():
                if not self._accept():
                    return False
            elif descriptor == self.wakeup.fileno():
                self._reap()
            else:
                for leader, (lifeline, _) in self.living.items():
                    if lifeline == descriptor:
                        self.poll.unregister(descriptor)
                        self.delays[leader] = processes.delay(leader)
                        processes.kill_session(leader)
        return True

    def _accept(self) -> bool:
        """False once deckgen has gone, or if somebody has changed our limits, which sessions would inherit."""
        message, ancillary, _, _ = self.control.recvmsg(16, socket.CMSG_SPACE(DESCRIPTORS.size))
        brought = [data for _, _, data in ancillary if len(data) == DESCRIPTORS.size]
        if not message or not brought or limits.in_force() != self.limits:
            return False
        request, log, lifeline = DESCRIPTORS.unpack(brought[0])
        self.count += 1
        folder = f"{self.world.folder}/{self.count}"
        pid = int(self.fork())
        if pid < 0:
            raise OSError("fork: no more processes")
        if pid == 0:
            self._become_session(request, log, folder)
        os.close(request)
        os.close(log)
        self.living[pid] = lifeline, folder
        self.poll.register(lifeline, HUNG_UP)
        return True

    def _become_session(self, request: int, log: int, folder: str) -> None:
        """In the child: never returns."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.run_child(request, log, folder)
        except BaseException:
            os.write(2, traceback.format_exc().encode())  # to our own log, or to the session's output
        finally:
            os._exit(70)

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self.wakeup.recv(4096)
        with contextlib.suppress(ChildProcessError):
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            while pid:
                if pid in self.living:
                    self._bury(pid, status, usage)
                pid, status, usage = os.wait4(-1, os.WNOHANG)

    def _bury(self, pid: int, status: int, usage: Any) -> None:
        """Kill what the session left behind, remove its folder, tell how it ended."""
        lifeline, folder = self.living.pop(pid)
        processes.kill_followers(pid)
        processes.kill_strays(self.living)
        if self.world.root is None:  # elsewhere it lay in memory, and went with its session
            shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(KeyError):  # it was asked to end
            self.poll.unregister(lifeline)
        ended = {
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": signal_name(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else None,
            "killed": self.reasons.pop(pid, None),
            "cpu": usage.ru_utime + usage.ru_stime,
            "delayed": self.delays.pop(pid, None),
        }
        with contextlib.suppress(OSError):  # nobody listens any more
            os.write(lifeline, json.dumps(ended).encode("ascii"))
        os.close(lifeline)
