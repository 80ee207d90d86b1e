"""Landlock: which files, ports and processes a session may reach, by raw system calls (Linux 5.13 and later)."""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import stat
import struct
import sys
import sysconfig
from typing import Any, List, Tuple

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH = 1
ABI_QUERY = 1
PR_SET_NO_NEW_PRIVS = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
FILE_BITS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READING = EXECUTE | READ_FILE | READ_DIR
FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""ABI -> number of access bits that it knows; 16 from ABI 5 on."""

READABLE = (
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/opt/cuda", "/proc", "/sys/devices", "/sys/fs/cgroup",
    "/sys/kernel/mm", "/sys/bus", "/sys/class", "/sys/module",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf",
    "/etc/passwd", "/etc/group", "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf", "/etc/protocols",
    "/etc/services", "/etc/mime.types", "/etc/fonts", "/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/os-release",
    "/etc/debian_version", "/dev/urandom", "/dev/random", "/dev/zero", "/dev/full",
)  # fmt: skip
"""What a session may read: the system's programs and libraries, nothing of the user's."""
WRITABLE = ("/dev/null", "/dev/shm")  # noqa: S108 (we open it to others, we do not use it)
"""What it may write besides its own folder; `/dev/shm` is where DataLoader workers hand over tensors."""


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    version = int(_libc().syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(ABI_QUERY)))
    return max(version, 0)


def python_folders() -> List[str]:
    """Where this interpreter, its packages and this worker live."""
    found = [
        os.path.dirname(os.path.abspath(__file__)),
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        os.path.dirname(os.path.realpath(sys.executable)),
    ]
    found += [path for path in sysconfig.get_paths().values() if path]
    found += [path for path in sys.path if path]
    return sorted({os.path.realpath(path) for path in found if path not in ("/", "")})


class Landlock:
    """Rules made ready in the zygote, so that a session only has to add its folder and step in."""

    def __init__(self, version: int) -> None:
        self.version = version
        bits = (1 << FS_BITS.get(version, 16)) - 1
        self._all = bits
        self._rules: List[Tuple[int, int]] = []
        for path in (*READABLE, *python_folders()):
            self._add(path, READING)
        for path in (*WRITABLE, *glob.glob("/dev/nvidia*")):
            self._add(path, bits & ~EXECUTE)
        self._libc = _libc()

    def _add(self, path: str, access: int) -> None:
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            self._rules.append((descriptor, access & self._all & (-1 if is_folder else FILE_BITS)))

    @property
    def descriptors(self) -> List[int]:
        return [descriptor for descriptor, _ in self._rules]

    def restrict(self, folder: str) -> None:
        """Confine this process and its children for good; raises OSError if the kernel refuses."""
        network = 0b11 if self.version >= 4 else 0
        scopes = 0b11 if self.version >= 6 else 0
        fields = (self._all, network, scopes)[: 3 if self.version >= 6 else 2 if self.version >= 4 else 1]
        attributes = struct.pack("=%dQ" % len(fields), *fields)
        ruleset = self._call(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0))
        own = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        for descriptor, access in [*self._rules, (own, self._all)]:
            rule = struct.pack("=Qi", access, descriptor)
            self._call(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(PATH_BENEATH), rule, ctypes.c_uint(0))
        self._libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        self._call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0))
        os.close(own)
        os.close(ruleset)

    def _call(self, *arguments: Any) -> int:
        result = int(self._libc.syscall(*arguments))
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return result
