"""A Python that is not on Linux, as far as that can be had on Linux: `pretend` runs at the start of deckgen and of its workers,
as the `sitecustomize` of their Python (`python_elsewhere`).

In deckgen's own code, worker included, `sys.platform` says `win32` or `darwin`. As far as `pretend` names it, what that system lacks
is gone: modules cannot be imported, attributes of `os`, `signal`, `select`, `socket` and `time` are not there, `/proc` is empty. What
Windows has besides (`msvcrt`, jobs, `taskkill`, flags of new processes) is stood in for.

What remains of Linux: the standard library, torch and other packages take it for Linux, and what they need of it at import was
imported before it was taken away (`asyncio`, `subprocess`, `platformdirs`); paths have forward slashes and no drives; files that
are open can be removed and replaced; nobody translates ends of lines; a stand-in for a job ends nobody. That is left to CI.
"""

from __future__ import annotations

import ast
import asyncio.unix_events
import builtins
import contextlib
import ctypes
import importlib.abc
import importlib.machinery
import io
import os
import platform
import re
import select
import selectors
import signal
import socket
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

OURS = ("deckgen", "_deckgen_worker")

MODULES = "fcntl grp pty pwd resource spwd syslog termios tty".split()
"""Which Windows lacks."""
ATTRIBUTES = {
    os: r"fork.*|posix_.*|kill?pg|.et[ug]id|.ete[ug]id|.etres[ug]id|.etgroups|initgroups|.etsid|.etpg(id|rp)|mkfifo|mknod|major|minor"
    r"|sched_.*|SCHED_.*|wait|wait3|wait4|waitid|W[A-Z]+|P_(ALL|PID|PGID|PIDFD)|pread.?|pwrite.?|readv|writev|nice"
    r"|.etpriority|l?chown|fchown|fchmod|chroot|fchdir|memfd_create|MFD_.*|.*xattr|XATTR_.*|eventfd.*|EFD_.*|pidfd_open|set_blocking"
    r"|get_blocking|sendfile|splice|copy_file_range|pipe2|openpty|ttyname|ctermid|tc.etpgrp|getloadavg|f?statvfs|f?pathconf.*|sysconf.*"
    r"|sync|fdatasync|lockf|F_.*|RTLD_.*|ST_.*|O_(DIRECTORY|NOFOLLOW|CLOEXEC|NONBLOCK|NOCTTY|TMPFILE|PATH|SYNC|DSYNC|NOATIME|ASYNC)",
    signal: r"SIG(?!ABRT$|FPE$|ILL$|INT$|SEGV$|TERM$|_DFL$|_IGN$|$)[A-Z_0-9]+|alarm|.etitimer|ITIMER_.*|pause|pthread_.*|sig(wait.*|pending|interrupt)",
    select: r"e?poll|E?POLL.*",
    socket: r"AF_(UNIX|NETLINK|PACKET|ALG|VSOCK)|SCM_.*|CMSG_.*|send_fds|recv_fds",
    time: r"tzset|clock_(?!getres_)[a-z]+|CLOCK_.*|pthread_getcpuclockid",
}
"""By module, the names of what Windows lacks there."""
OF_LINUX = {
    os: r"sched_.etaffinity|memfd_create|MFD_.*|.*xattr|XATTR_.*|eventfd.*|EFD_.*|pidfd_open|splice|copy_file_range|pipe2|O_(TMPFILE|PATH|NOATIME)",
    select: r"epoll|EPOLL.*",
    socket: r"AF_(NETLINK|PACKET|ALG|VSOCK)",
}
"""By module, the names of what macOS lacks."""


def pretend(system: str) -> None:
    """From here on this is `win32` or `darwin`."""
    with contextlib.suppress(ImportError):  # not a package of a worker's
        import platformdirs.unix  # noqa: F401 (takes `os.getuid`)

        if "mcp" in sys.orig_argv:
            import mcp.server.stdio  # noqa: F401 (takes `fcntl`)
    for module in (subprocess, asyncio.unix_events, platform, selectors):  # for them this is Linux
        for name in {"os", "signal", "select"} & vars(module).keys():
            setattr(module, name, types.SimpleNamespace(**vars(sys.modules[name])))
    for module, names in (ATTRIBUTES if system == "win32" else OF_LINUX).items():
        for name in [name for name in vars(module) if re.fullmatch(names, name)]:
            delattr(module, name)
    _empty_proc()
    sys.meta_path.insert(0, _Finder(system))
    if system == "win32":
        for one in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            one.clear()
        sys.modules.update(dict.fromkeys(MODULES))
        socket.socketpair = _pair
        _add_what_windows_has()


def _empty_proc() -> None:
    def guarded(call: Any) -> Any:
        def instead(path: Any = ".", *arguments: Any, **named: Any) -> Any:
            if isinstance(path, str | os.PathLike) and os.fspath(path).startswith("/proc"):
                raise FileNotFoundError(2, "No such file or directory", os.fspath(path))
            return call(path, *arguments, **named)

        return instead

    for module, names in ((os, ("open", "stat", "lstat", "listdir", "scandir", "readlink", "access")), (io, ("open",))):
        for name in names:
            setattr(module, name, guarded(getattr(module, name)))
    builtins.open = io.open


def _pair(*_: object) -> tuple[socket.socket, socket.socket]:
    """As Python makes one where no system call does."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        return one, server.accept()[0]


def _add_what_windows_has() -> None:
    msvcrt = sys.modules["msvcrt"] = types.ModuleType("msvcrt")
    msvcrt.setmode = lambda _descriptor, _mode: 0
    msvcrt.SetErrorMode = lambda _mode: 0
    msvcrt.SEM_FAILCRITICALERRORS, msvcrt.SEM_NOGPFAULTERRORBOX = 1, 2
    os.O_BINARY = 0
    subprocess.CREATE_NO_WINDOW = 0x08000000
    started = subprocess.Popen.__init__

    def start(self: Any, *arguments: Any, creationflags: int = 0, **named: Any) -> None:
        assert creationflags in (0, subprocess.CREATE_NO_WINDOW)
        started(self, *arguments, **named)

    subprocess.Popen.__init__ = start
    ctypes.WinDLL = _Kernel


class _Kernel:
    """Its functions for jobs, which always succeed."""

    def __init__(self, name: str) -> None:
        assert name == "kernel32"

    def __getattr__(self, name: str) -> Any:
        if name == "SetInformationJobObject":
            return lambda _job, kind, limits, size: (kind, size.value, ctypes.sizeof(limits._obj)) == (9, 144, 144)
        assert name in (
            "CreateJobObjectW",
            "GetCurrentProcess",
            "AssignProcessToJobObject",
            "QueryInformationJobObject",
        )
        return lambda *_: 1


# --- deckgen's own code ---


class _Platform(ast.NodeTransformer):
    def __init__(self, system: str) -> None:
        self.system = system

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if ast.unparse(node) == "sys.platform":
            return ast.copy_location(ast.Constant(self.system), node)
        return self.generic_visit(node)


class _Loader(importlib.machinery.SourceFileLoader):
    system: str

    def get_code(self, fullname: str) -> types.CodeType:
        """Neither read from the cache nor written there."""
        tree = _Platform(self.system).visit(ast.parse(self.get_data(self.path)))
        return compile(tree, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, system: str) -> None:
        self.system = system

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname.partition(".")[0] not in OURS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
            spec.loader.system = self.system
        return spec


# --- for tests ---

ROOT = Path(__file__).resolve().parents[1]
TASKKILL = """#!/bin/sh
echo "$@" >> "$0.log"
[ "$1 $2 $3" = "/F /T /PID" ] && kill -9 "$4"
"""


def python_elsewhere(folder: Path, system: str) -> dict[str, str]:
    """The environment of a Python that pretends; `folder` gets what it needs, and `taskkill.log`."""
    folder.mkdir(parents=True)
    (folder / "sitecustomize.py").write_text(f"{Path(__file__).read_text('utf-8')}\n\npretend({system!r})\n", "utf-8")
    taskkill = folder / "taskkill"
    taskkill.write_text(TASKKILL, "utf-8")
    taskkill.chmod(0o755)
    return {
        "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",  # names of files are Unicode on both systems
        "PYTHONIOENCODING": "cp1252",
        "TMPDIR": str(folder),
    }
