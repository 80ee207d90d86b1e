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
from typing import Any, List, Sequence, Tuple

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
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/opt/cuda", "/proc", "/sys/devices/system",
    "/sys/kernel/mm/transparent_hugepage",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf",
    "/etc/passwd", "/etc/group", "/etc/hosts", "/etc/host.conf", "/etc/protocols",
    "/etc/services", "/etc/mime.types", "/etc/fonts", "/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/os-release",
    "/etc/debian_version", "/dev/urandom", "/dev/random", "/dev/full",
)  # fmt: skip
"""What a session may read: the system's programs and libraries, nothing of the user's."""
WRITABLE = ("/dev/null",)
"""What it may write besides its own folders."""


def devices() -> List[str]:
    """The files of a GPU's driver."""
    return sorted(glob.glob("/dev/nvidia*"))


def readable() -> List[str]:
    """Everything that a session may read but not write, besides Python itself."""
    return [*READABLE, *(("/sys/devices", "/sys/bus", "/sys/class", "/sys/module") if devices() else ())]


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _system_call(*arguments: Any) -> Any:
    """The C library's `syscall` for calls with these types of arguments after the number."""
    function = _libc()["syscall"]
    function.argtypes = (ctypes.c_long, *arguments)
    function.restype = ctypes.c_long
    return function


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
        for path in (*readable(), *python_folders()):
            self._add(path, READING)
        for path in (*WRITABLE, *devices()):
            self._add(path, bits & ~EXECUTE)
        self._attributes = [self._pack(bits, network) for network in (0b11, 0)]
        self._packed = [struct.pack("=Qi", access, descriptor) for descriptor, access in self._rules]
        self._create_ruleset = _system_call(ctypes.c_char_p, ctypes.c_long, ctypes.c_long)
        self._add_rule = _system_call(ctypes.c_long, ctypes.c_long, ctypes.c_char_p, ctypes.c_long)
        self._restrict_self = _system_call(ctypes.c_long, ctypes.c_long)
        self._prctl: Any = _libc().prctl

    def _add(self, path: str, access: int) -> None:
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            self._rules.append((descriptor, access & self._all & (-1 if is_folder else FILE_BITS)))

    def _pack(self, files: int, network: int) -> bytes:
        """What the rules are about, as far as this version knows it: files, TCP, abstract sockets and signals."""
        fields = (files, network, 0b11)[: 3 if self.version >= 6 else 2 if self.version >= 4 else 1]
        return struct.pack("=%dQ" % len(fields), *fields)

    def ruleset(self, folders: Sequence[str], loopback: bool = False) -> int:
        """The rules and these folders of one's own, as a descriptor; raises OSError if the kernel refuses."""
        attributes = self._attributes[loopback]
        ruleset: int = self._create_ruleset(CREATE_RULESET, attributes, len(attributes), 0)
        if ruleset < 0:
            raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
        own = [os.open(folder, os.O_PATH | os.O_CLOEXEC) for folder in folders]
        add_rule = self._add_rule
        for rule in (*self._packed, *(struct.pack("=Qi", self._all, one) for one in own)):
            if add_rule(ADD_RULE, ruleset, PATH_BENEATH, rule, 0) < 0:
                raise OSError(ctypes.get_errno(), "landlock_add_rule")
        for one in own:
            os.close(one)
        return ruleset

    def restrict(self, ruleset: int) -> None:
        """Confine this process and its children for good; raises OSError if the kernel refuses."""
        self._prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if self._restrict_self(RESTRICT_SELF, ruleset, 0) < 0:
            raise OSError(ctypes.get_errno(), "landlock_restrict_self")
