"""Seccomp: system calls that no snippet about tensors needs, refused by a filter in the kernel."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import List, NamedTuple, Sequence, Tuple

from . import kernel

if sys.platform != "linux":
    raise ImportError("seccomp is Linux's")

# System calls by what they could do, with their numbers on x86_64 and aarch64 (-1: there is none)


def _table(text: str) -> List[Tuple[int, ...]]:
    return [tuple(map(int, row.split()[1:])) for row in text.split(", ")]


POWERS = _table(
    "ptrace 101 117, mount 165 40, umount2 166 39, pivot_root 155 41, bpf 321 280, kexec_load 246 104, "
    "kexec_file_load 320 294, init_module 175 105, finit_module 313 273, delete_module 176 106, keyctl 250 219, "
    "add_key 248 217, request_key 249 218, setns 308 268, unshare 272 97, process_vm_readv 310 270, "
    "process_vm_writev 311 271, perf_event_open 298 241, userfaultfd 323 282, reboot 169 142, swapon 167 224, "
    "swapoff 168 225, sethostname 170 161, setdomainname 171 162, iopl 172 -1, ioperm 173 -1, acct 163 89, "
    "quotactl 179 60, quotactl_fd 443 443, open_by_handle_at 304 265, name_to_handle_at 303 264, "
    "settimeofday 164 170, clock_settime 227 112, adjtimex 159 171, clock_adjtime 305 266, fanotify_init 300 262, "
    "syslog 103 116, vhangup 153 58, pidfd_getfd 438 438, open_tree 428 428, open_tree_attr 467 467, "
    "move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442, "
    "io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427, chroot 161 51, personality 135 92, "
    "mknod 133 -1, mknodat 259 33, modify_ldt 154 -1"
)
"""Refused: what belongs to the system, to a debugger or to root."""
NEIGHBOURS = _table(
    "ioprio_set 251 30, migrate_pages 256 238, move_pages 279 239, kcmp 312 272, process_madvise 440 440, "
    "process_mrelease 448 448, shmget 29 194, semget 64 190, msgget 68 186, mq_open 240 180, io_setup 206 0, "
    "inotify_init 253 -1, inotify_init1 294 26"
)
"""Refused: what reaches other processes, counts for all of the user's, or is left behind for the next session."""
ABSENT = _table("clone3 435 435, memfd_create 319 279, memfd_secret 447 447")
"""Answered as a kernel would that lacks them: the flags of `clone3` cannot be seen by a filter, the C library then calls
`clone`; files in memory without a path would count for nobody."""
LEAVING = _table("setsid 112 157, setpgid 109 154")
"""Succeed without doing anything, so that everything a session starts stays in its process group."""
ON_ITSELF = _table(
    "prlimit64 302 261, sched_setaffinity 203 122, sched_setscheduler 144 119, sched_setparam 142 118, "
    "sched_setattr 314 274"
)
"""Allowed where the process that is named first is 0, the caller."""
SIGNALLING = _table(
    "kill 62 129, tkill 200 130, pidfd_send_signal 424 424, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240"
)
"""Refused where nothing else keeps a session from signalling processes outside (tgkill stays: raise needs it)."""
METADATA = _table(
    "chmod 90 -1, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -1, fchown 93 55, lchown 94 -1, "
    "fchownat 260 54, utime 132 -1, utimes 235 -1, futimesat 261 -1, utimensat 280 88, setxattr 188 5, "
    "lsetxattr 189 6, fsetxattr 190 7, setxattrat 463 463, removexattr 197 14, lremovexattr 198 15, "
    "fremovexattr 199 16, removexattrat 466 466, file_setattr 469 469, connect 42 203, bind 49 200, sendmmsg 307 269"
)
"""Refused where the files and sockets of others can be seen: Landlock does not govern these."""

SOCKET, SOCKET_PAIR, SEND_TO = (41, 198), (53, 199), (44, 206)
CLONE, IOCTL, SET_PRIORITY, FCNTL, MAP = (56, 220), (16, 29), (141, 140), (72, 25), (9, 222)

NEW_NAMESPACES = 0x7E020000
"""Flags of clone that make namespaces (mount, cgroup, uts, ipc, user, pid, net)."""
ORDERS = (0x5412, 0x541C, 0x40086602, 0x40046602, 0x401C5820, 0x40087602, 0x40047602)
"""Refused of ioctl: input for a terminal (TIOCSTI, TIOCLINUX), flags and versions of files (FS_IOC_SET..., FSSETXATTR)."""
LEASES = (1024, 1026, 1040)
"""Refused of fcntl: leases, delegations and notices on files, for which others have to wait (F_SETLEASE, F_NOTIFY, F_SETDELEG)."""
SHARED_WITHOUT_FILE = 0x21
"""Refused of mmap: MAP_SHARED with MAP_ANONYMOUS, memory that counts for nobody once its pages are let go."""
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
WITH_CONNECTION = (1, 5)
"""Types of sockets that cannot send to an address: streams and sequences of packets."""


class Rules(NamedTuple):
    """What differs between filters."""

    signals_are_guarded: bool
    """By Landlock."""
    own_root: bool
    """No file or socket of others can be seen."""
    loopback: bool = False
    """The session has a network of its own, which leads nowhere."""


# The filter's program: blocks of instructions (code, how many to skip if true, if false, value)

SET_SECCOMP, MODE_FILTER = 22, 2
ALLOW, ERRNO, KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
REFUSE, MISSING = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
LOAD, AND, EQUAL, SET, GREATER_EQUAL, RETURN = 0x20, 0x54, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
X32 = 0x40000000

Block = List[Tuple[int, int, int, int]]


def _answer(answer: int) -> Block:
    return [(RETURN, 0, 0, answer)]


def _argument(position: int) -> Block:
    """Load the lower half of an argument of the system call."""
    return [(LOAD, 0, 0, ARGUMENTS + 8 * position)]


def _when(number: int, block: Block) -> Block:
    """The block for the system call of this number only; it must end by returning. No such call: nothing."""
    return [(EQUAL, 0, len(block), number), *block] if number >= 0 else []


def _choose(position: int, values: Sequence[int], listed: int, other: int, mask: int = 0xFFFFFFFF) -> Block:
    """One answer if an argument is among these values, another if it is not."""
    comparisons = [(EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)]
    return [*_argument(position), (AND, 0, 0, mask), *comparisons, *_answer(other), *_answer(listed)]


def _program(column: int, architecture: int, rules: Rules) -> Block:
    """Blocks in order; the number of the system call is loaded when each begins."""
    tables = [(POWERS, REFUSE), (NEIGHBOURS, REFUSE), (ABSENT, MISSING), (LEAVING, ERRNO)]
    tables += [(SIGNALLING, REFUSE)] if not rules.signals_are_guarded else []
    tables += [(METADATA, REFUSE)] if not rules.own_root else []
    families = (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK) if rules.loopback else (AF_UNIX,)
    of_family = _choose(0, families, ALLOW, REFUSE)
    shared = SHARED_WITHOUT_FILE
    of_itself = _choose(1, (0,), ALLOW, REFUSE)
    checked = [
        *((call, _choose(0, (0,), ALLOW, REFUSE)) for call in ON_ITSELF),
        (SET_PRIORITY, [*_argument(0), (EQUAL, 1, 0, 0), *_answer(REFUSE), *of_itself]),  # PRIO_PROCESS is 0, too
        (IOCTL, _choose(1, ORDERS, REFUSE, ALLOW)),
        (FCNTL, _choose(1, LEASES, REFUSE, ALLOW)),
        (MAP, _choose(3, (shared,), REFUSE, ALLOW, mask=shared)),
        (CLONE, [*_argument(0), (SET, 1, 0, NEW_NAMESPACES), *_answer(ALLOW), *_answer(REFUSE)]),
    ]
    if rules.own_root:
        checked += [(SOCKET, of_family)]
    else:
        checked += [
            (SOCKET, _of_family_with_connection(of_family)),
            (SOCKET_PAIR, _choose(1, WITH_CONNECTION, ALLOW, REFUSE, mask=0xF)),
            (SEND_TO, _without_address()),
        ]
    program = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        *_answer(KILL_PROCESS),
        (LOAD, 0, 0, NUMBER),
        (GREATER_EQUAL, 0, 1, X32),
        *_answer(REFUSE),
    ]
    for table, answer in tables:
        for numbers in table:
            program += _when(numbers[column], _answer(answer))
    for numbers, block in checked:
        program += _when(numbers[column], block)
    return [*program, *_answer(ALLOW)]


def _of_family_with_connection(of_family: Block) -> Block:
    """Sockets that send only where they are connected to: an address cannot be seen by a filter."""
    of_type = [(EQUAL, len(WITH_CONNECTION) - at, 0, one) for at, one in enumerate(WITH_CONNECTION)]
    return [*_argument(1), (AND, 0, 0, 0xF), *of_type, *_answer(REFUSE), *of_family]


def _without_address() -> Block:
    """`sendto` whose address, the fifth argument, is a null pointer in both halves."""
    upper = (LOAD, 0, 0, ARGUMENTS + 8 * 4 + 4)
    return [*_argument(4), (EQUAL, 0, 2, 0), upper, (EQUAL, 1, 0, 0), *_answer(REFUSE), *_answer(ALLOW)]


ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


class Seccomp:
    """The filter, made ready in the zygote."""

    def __init__(self, rules: Rules) -> None:
        program = _program(*ARCHITECTURES[platform.machine()], rules)
        packed = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
        self._buffer = ctypes.create_string_buffer(packed, len(packed))
        self._filter = _Filter(len(program), ctypes.addressof(self._buffer))

    @staticmethod
    def is_there() -> bool:
        known = platform.machine() in ARCHITECTURES and struct.calcsize("P") == 8
        return known and os.path.exists("/proc/self/status")

    def restrict(self) -> None:
        """Filter this process and its children for good; raises OSError if the kernel refuses."""
        kernel.prctl(kernel.NO_NEW_PRIVILEGES, 1)
        kernel.insist(kernel.LIBC.prctl(SET_SECCOMP, MODE_FILTER, ctypes.byref(self._filter), 0, 0), "seccomp")
