"""System calls that no snippet about tensors needs, by what they could do; numbers of x86_64 and aarch64 (-1: none)."""

from __future__ import annotations

from typing import Dict, Tuple

Calls = Dict[str, Tuple[int, int]]

POWERS: Calls = {
    "ptrace": (101, 117), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "bpf": (321, 280),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "setns": (308, 268), "unshare": (272, 97), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "reboot": (169, 142), "swapon": (167, 224),
    "swapoff": (168, 225), "sethostname": (170, 161), "setdomainname": (171, 162), "iopl": (172, -1),
    "ioperm": (173, -1), "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266), "fanotify_init": (300, 262),
    "syslog": (103, 116), "vhangup": (153, 58), "pidfd_getfd": (438, 438), "open_tree": (428, 428),
    "open_tree_attr": (467, 467), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "chroot": (161, 51), "personality": (135, 92),
    "mknod": (133, -1), "mknodat": (259, 33), "modify_ldt": (154, -1),
}  # fmt: skip
"""Refused: what belongs to the system, to a debugger or to root."""

NEIGHBOURS: Calls = {
    "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239), "kcmp": (312, 272),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "shmget": (29, 194), "semget": (64, 190),
    "msgget": (68, 186), "mq_open": (240, 180), "io_setup": (206, 0), "inotify_init": (253, -1),
    "inotify_init1": (294, 26),
}  # fmt: skip
"""Refused: what reaches other processes, counts for all of the user's, or is left behind for the next session."""

ABSENT: Calls = {"clone3": (435, 435), "memfd_create": (319, 279), "memfd_secret": (447, 447)}
"""Answered as a kernel would that lacks them: the flags of `clone3` cannot be seen by a filter, the C library then calls
`clone`; files in memory without a path would count for nobody."""

LEAVING: Calls = {"setsid": (112, 157), "setpgid": (109, 154)}
"""Succeed without doing anything, so that everything a session starts stays in its process group."""

ON_ITSELF: Calls = {
    "prlimit64": (302, 261), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274),
}  # fmt: skip
"""Allowed where the process that is named first is 0, the caller."""

SIGNALLING: Calls = {
    "kill": (62, 129), "tkill": (200, 130), "pidfd_send_signal": (424, 424), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}  # fmt: skip
"""Refused where nothing else keeps a session from signalling processes outside (tgkill stays: raise needs it)."""

METADATA: Calls = {
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1),
    "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54), "utime": (132, -1), "utimes": (235, -1),
    "futimesat": (261, -1), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "setxattrat": (463, 463), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "removexattrat": (466, 466), "file_setattr": (469, 469), "connect": (42, 203), "bind": (49, 200),
    "sendmmsg": (307, 269),
}  # fmt: skip
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
