"""Landlock: which files, ports and processes a session may reach, by raw system calls (Linux 5.13 and later)."""

from __future__ import annotations

import contextlib
import glob
import os
import stat
import struct
import sys
import sysconfig
from typing import List, Sequence

from . import kernel

if sys.platform != "linux":
    raise ImportError("Landlock is Linux's")

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH, ABI_QUERY = 1, 1
RULE = struct.Struct("=Qi")

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
FILE_BITS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READING = EXECUTE | READ_FILE | READ_DIR
FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""Version -> number of access bits that it knows; 16 from version 5 on."""

READABLE = (
    "/usr /bin /sbin /lib /lib64 /lib32 /opt/cuda /proc /sys/devices/system /sys/kernel/mm/transparent_hugepage"
    " /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/localtime /etc/timezone /etc/nsswitch.conf /etc/passwd"
    " /etc/group /etc/hosts /etc/host.conf /etc/protocols /etc/services /etc/mime.types /etc/fonts /etc/alternatives"
    " /etc/ssl /etc/pki /etc/os-release /etc/debian_version /dev/urandom /dev/random /dev/full"
).split()
"""What a session may read: the system's programs and libraries, nothing of the user's."""
WRITABLE = ("/dev/null",)
"""What it may write besides its own folders."""


def devices() -> List[str]:
    """The files of a GPU's driver."""
    return sorted(glob.glob("/dev/nvidia*"))


def readable() -> List[str]:
    """Everything that a session may read but not write, besides Python itself."""
    return [*READABLE, *("/sys/devices /sys/bus /sys/class /sys/module".split() if devices() else ())]


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    with contextlib.suppress(OSError):
        return kernel.system_call("landlock", CREATE_RULESET, None, 0, ABI_QUERY)
    return 0


def python_folders() -> List[str]:
    """Where this interpreter, its packages and this worker live."""
    here = os.path.dirname(os.path.abspath(__file__))
    found = [here, os.path.join(os.path.dirname(here), "worker"), sys.prefix, sys.base_prefix, sys.exec_prefix]
    found += [os.path.dirname(os.path.realpath(sys.executable)), *sysconfig.get_paths().values(), *sys.path]
    return sorted({os.path.realpath(path) for path in found if path not in ("/", "")})


class Landlock:
    """Rules made ready in the zygote, so that a session only has to add its folders and step in."""

    def __init__(self, version: int) -> None:
        self.version = version
        self._all = (1 << FS_BITS.get(version, 16)) - 1
        self._rules: List[bytes] = []
        for path in (*readable(), *python_folders()):
            self._add(path, READING)
        for path in (*WRITABLE, *devices()):
            self._add(path, self._all & ~EXECUTE)

    def _add(self, path: str, access: int) -> None:
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            self._rules.append(RULE.pack(access & self._all & (-1 if is_folder else FILE_BITS), descriptor))

    def restrict(self, folders: Sequence[str], loopback: bool = False) -> None:
        """Confine this process and its children for good, with these folders of its own; raises OSError if the kernel refuses."""
        # What the rules are about, as far as this version knows it: files, TCP, abstract sockets and signals.
        fields = (self._all, 0 if loopback else 0b11, 0b11)[: 3 if self.version >= 6 else 2 if self.version >= 4 else 1]
        attributes = struct.pack("=%dQ" % len(fields), *fields)
        ruleset = kernel.system_call("landlock_create_ruleset", CREATE_RULESET, attributes, len(attributes), 0)
        own = [os.open(folder, os.O_PATH | os.O_CLOEXEC) for folder in folders]
        for rule in (*self._rules, *(RULE.pack(self._all, one) for one in own)):
            kernel.system_call("landlock_add_rule", ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
        kernel.prctl(kernel.NO_NEW_PRIVILEGES, 1)
        kernel.system_call("landlock_restrict_self", RESTRICT_SELF, ruleset, 0)
        for one in (*own, ruleset):
            os.close(one)
