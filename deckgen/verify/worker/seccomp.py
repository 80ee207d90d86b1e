"""Seccomp: system calls that no snippet about tensors needs, refused by a filter in the kernel."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import Any, List, NamedTuple, Sequence

from . import system_calls as calls

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
ALLOW, ERRNO, KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
REFUSE, MISSING = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
LOAD, AND, JUMP_EQUAL, JUMP_SET, JUMP_GREATER_EQUAL, RETURN = 0x20, 0x54, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
X32 = 0x40000000
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


class _Instruction(NamedTuple):
    code: int
    true: int
    false: int
    value: int


_Block = List[_Instruction]


def _argument(position: int, upper: bool = False) -> _Instruction:
    """Load the lower or upper half of an argument of the system call."""
    return _Instruction(LOAD, 0, 0, ARGUMENTS + 8 * position + 4 * upper)


def _when(number: int, block: _Block) -> _Block:
    """The block for the system call of this number only; it must end by returning. No such call: nothing."""
    return [_Instruction(JUMP_EQUAL, 0, len(block), number), *block] if number >= 0 else []


def _answer(answer: int) -> _Block:
    return [_Instruction(RETURN, 0, 0, answer)]


def _choose(position: int, values: Sequence[int], listed: int, other: int, mask: int = 0xFFFFFFFF) -> _Block:
    """One answer if an argument is among these values, another if it is not."""
    comparisons = [_Instruction(JUMP_EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)]
    masked = [_Instruction(AND, 0, 0, mask)] if mask != 0xFFFFFFFF else []
    return [_argument(position), *masked, *comparisons, *_answer(other), *_answer(listed)]


def _program(column: int, architecture: int, rules: Rules) -> _Block:
    """Blocks in order; the number of the system call is loaded when each begins."""
    program = [
        _Instruction(LOAD, 0, 0, ARCHITECTURE),
        _Instruction(JUMP_EQUAL, 1, 0, architecture),
        *_answer(KILL_PROCESS),
        _Instruction(LOAD, 0, 0, NUMBER),
        _Instruction(JUMP_GREATER_EQUAL, 0, 1, X32),
        *_answer(REFUSE),
    ]
    tables = [(calls.POWERS, REFUSE), (calls.NEIGHBOURS, REFUSE), (calls.ABSENT, MISSING), (calls.LEAVING, ERRNO)]
    tables += [(calls.SIGNALLING, REFUSE)] if not rules.signals_are_guarded else []
    tables += [(calls.METADATA, REFUSE)] if not rules.own_root else []
    for table, answer in tables:
        for numbers in table.values():
            program += _when(numbers[column], _answer(answer))
    for numbers in calls.ON_ITSELF.values():
        program += _when(numbers[column], _choose(0, (0,), ALLOW, REFUSE))
    program += _when(calls.SET_PRIORITY[column], _only_its_own_priority())
    program += _when(calls.IOCTL[column], _choose(1, calls.ORDERS, REFUSE, ALLOW))
    program += _when(calls.FCNTL[column], _choose(1, calls.LEASES, REFUSE, ALLOW))
    shared = calls.SHARED_WITHOUT_FILE
    program += _when(calls.MAP[column], _choose(3, (shared,), REFUSE, ALLOW, mask=shared))
    program += _when(
        calls.CLONE[column],
        [_argument(0), _Instruction(JUMP_SET, 1, 0, calls.NEW_NAMESPACES), *_answer(ALLOW), *_answer(REFUSE)],
    )
    families = (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK) if rules.loopback else (AF_UNIX,)
    of_family = _choose(0, families, ALLOW, REFUSE)
    program += _when(calls.SOCKET[column], of_family if rules.own_root else _of_family_with_connection(of_family))
    if not rules.own_root:
        program += _when(calls.SOCKET_PAIR[column], _choose(1, WITH_CONNECTION, ALLOW, REFUSE, mask=0xF))
        program += _when(calls.SEND_TO[column], _without_address())
    return [*program, *_answer(ALLOW)]


def _only_its_own_priority() -> _Block:
    """`setpriority(PRIO_PROCESS, 0, ...)`: the kind is 0, and so is the process."""
    return [_argument(0), _Instruction(JUMP_EQUAL, 1, 0, 0), *_answer(REFUSE), *_choose(1, (0,), ALLOW, REFUSE)]


def _of_family_with_connection(of_family: _Block) -> _Block:
    """Sockets that send only where they are connected to: an address cannot be seen by a filter."""
    of_type = [_argument(1), _Instruction(AND, 0, 0, 0xF)]
    of_type += [_Instruction(JUMP_EQUAL, len(WITH_CONNECTION) - at, 0, one) for at, one in enumerate(WITH_CONNECTION)]
    return [*of_type, *_answer(REFUSE), *of_family]


def _without_address() -> _Block:
    """`sendto` whose address, the fifth argument, is a null pointer."""
    return [
        _argument(4),
        _Instruction(JUMP_EQUAL, 0, 2, 0),
        _argument(4, upper=True),
        _Instruction(JUMP_EQUAL, 1, 0, 0),
        *_answer(REFUSE),
        *_answer(ALLOW),
    ]


ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


class Seccomp:
    """The filter, made ready in the zygote."""

    def __init__(self, rules: Rules) -> None:
        column, architecture = ARCHITECTURES[platform.machine()]
        program = _program(column, architecture, rules)
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
