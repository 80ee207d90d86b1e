"""Seccomp: system calls that no snippet about tensors needs, refused by a filter in the kernel."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import Any, Dict, List, NamedTuple, Tuple

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
ALLOW, ERRNO, KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, JUMP_EQUAL, JUMP_SET, JUMP_GREATER_EQUAL, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
AF_UNIX = 1
NEW_NAMESPACES = 0x7E020080
"""Flags of clone that make namespaces (time, mount, cgroup, uts, ipc, user, pid, net)."""
X32 = 0x40000000

REFUSED: Dict[str, Tuple[int, int]] = {
    # name: (x86_64, aarch64); -1 where the architecture lacks it
    "ptrace": (101, 117), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "bpf": (321, 280),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "setns": (308, 268), "unshare": (272, 97), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "reboot": (169, 142), "swapon": (167, 224),
    "swapoff": (168, 225), "sethostname": (170, 161), "setdomainname": (171, 162), "iopl": (172, -1),
    "ioperm": (173, -1), "acct": (163, 89), "quotactl": (179, 60), "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "adjtimex": (159, 171), "clock_adjtime": (305, 266), "fanotify_init": (300, 262), "syslog": (103, 116),
    "vhangup": (153, 58), "pidfd_getfd": (438, 438), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "chroot": (161, 51), "personality": (135, 92), "mknod": (133, -1),
    "mknodat": (259, 33),
}  # fmt: skip
SIGNALLING = {"kill": (62, 129), "tkill": (200, 130), "pidfd_send_signal": (424, 424), "rt_sigqueueinfo": (129, 138)}
"""Refused too where nothing else keeps a session from signalling processes outside (tgkill stays: raise needs it)."""
LEAVING = {"setsid": (112, 157), "setpgid": (109, 154)}
"""Succeed without doing anything, so that everything a session starts stays in its process group."""
SOCKET, CLONE, CLONE3 = (41, 198), (56, 220), (435, 435)


class _Instruction(NamedTuple):
    code: int
    true: int
    false: int
    value: int


def _program(column: int, architecture: int, signalling: bool) -> List[_Instruction]:
    refuse = ERRNO | errno.EPERM
    answers: Dict[int, int] = {}
    for table, answer in ((REFUSED, refuse), (LEAVING, ERRNO), (SIGNALLING if signalling else {}, refuse)):
        answers.update({numbers[column]: answer for numbers in table.values() if numbers[column] >= 0})
    answers[CLONE3[column]] = ERRNO | errno.ENOSYS  # its flags cannot be seen; libc then calls clone
    program = [
        _Instruction(LOAD, 0, 0, ARCHITECTURE),
        _Instruction(JUMP_EQUAL, 1, 0, architecture),
        _Instruction(RETURN, 0, 0, KILL_PROCESS),
        _Instruction(LOAD, 0, 0, NUMBER),
        _Instruction(JUMP_GREATER_EQUAL, 0, 1, X32),
        _Instruction(RETURN, 0, 0, refuse),
    ]
    for number, answer in sorted(answers.items()):
        program += [_Instruction(JUMP_EQUAL, 0, 1, number), _Instruction(RETURN, 0, 0, answer)]
    program += [
        _Instruction(JUMP_EQUAL, 0, 3, SOCKET[column]),
        _Instruction(LOAD, 0, 0, FIRST_ARGUMENT),
        _Instruction(JUMP_EQUAL, 4, 0, AF_UNIX),  # to the end: DataLoader workers pass descriptors by it
        _Instruction(RETURN, 0, 0, refuse),
        _Instruction(JUMP_EQUAL, 0, 2, CLONE[column]),
        _Instruction(LOAD, 0, 0, FIRST_ARGUMENT),
        _Instruction(JUMP_SET, 1, 0, NEW_NAMESPACES & ~0x80),
        _Instruction(RETURN, 0, 0, ALLOW),
        _Instruction(RETURN, 0, 0, refuse),
    ]
    return program


ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


class Seccomp:
    """The filter, made ready in the zygote."""

    def __init__(self, signalling: bool) -> None:
        column, architecture = ARCHITECTURES[platform.machine()]
        program = _program(column, architecture, signalling)
        packed = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
        self._buffer = ctypes.create_string_buffer(packed, len(packed))
        self._filter = _Filter(len(program), ctypes.addressof(self._buffer))
        self._pointer = ctypes.byref(self._filter)
        self._prctl: Any = ctypes.CDLL(None, use_errno=True).prctl

    @staticmethod
    def is_there() -> bool:
        if not sys.platform.startswith("linux") or platform.machine() not in ARCHITECTURES:
            return False
        return struct.calcsize("P") == 8 and os.path.exists("/proc/self/status")

    def restrict(self) -> None:
        """Filter this process and its children for good; raises OSError if the kernel refuses."""
        self._prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if self._prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self._pointer, 0, 0) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
