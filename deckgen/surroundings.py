"""The surroundings: what results depend on besides the notes and what they import. Nothing is started to know them."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from deckgen.cache import digest

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


# --- this deckgen ---


@cache
def dependency_versions() -> str:
    """A name for this deckgen on this Python with these libraries: any change of either is another name, no other place or time is."""
    return digest(sys.version, sys.flags.optimize, own_code(), *installed(sys.path))


@cache
def own_code() -> str:
    """A name for our own files, by what is in them: the same wherever and whenever they are installed. It takes 10 ms."""
    found = hashlib.sha256()
    for path in sorted(_files(_PACKAGE)):
        with open(path, "rb") as file:
            data = file.read()
        found.update(f"{os.path.relpath(path, _PACKAGE)} {len(data)} ".encode("utf-8", "surrogateescape"))
        found.update(data)
    return found.hexdigest()


def _files(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_file():
            yield entry.path
        elif entry.name != "__pycache__":
            yield from _files(entry.path)


def installed(path: Iterable[str]) -> Iterator[str]:
    """Distributions with their versions, and other modules by name: `torch-2.13.0.dist-info`, `sitecustomize.py`. What tells how
    we are installed is not among them."""
    marks = (".dist-info", ".egg-info", ".egg-link", ".pth", ".py", ".so", ".pyd")
    for folder in filter(os.path.isdir, dict.fromkeys(path)):
        yield from sorted(name for name in os.listdir(folder) if name.endswith(marks) and "torch_deckgen" not in name)


# --- the machine ---

CAPABILITIES = (
    ("AVX512", {"avx512vl", "avx512bw", "avx512dq", "fma"}),
    ("AVX2", {"avx2", "fma"}),
    ("SVE", {"sve"}),
)
"""What torch calls the code that it computes with, and the vector units that it must find for that, the first first."""
MATRIX_UNITS = frozenset(
    "avx_vnni avx512_vnni avx512_bf16 avx512_fp16 amx_int8 amx_bf16 amx_fp16 bf16 i8mm sve2".split()
)
"""What oneDNN multiplies matrices of small numbers with."""


def hardware_key() -> tuple[object, ...]:
    """What torch computes with on this machine: the processor's units, the graphics cards."""
    nvidia = Path("/proc/driver/nvidia")
    files = [Path("/dev/nvidiactl"), nvidia / "version", *nvidia.glob("gpus/*/information")]
    cards = os.environ.get("CUDA_VISIBLE_DEVICES")
    on_windows = os.environ.get("PROCESSOR_IDENTIFIER", "")
    return (*processor(_text(Path("/proc/cpuinfo"))), *filter(None, (on_windows, *map(_text, files))), cards)


def processor(information: str) -> tuple[str, ...]:
    """Of `/proc/cpuinfo` what decides digits: torch's CPU capability, whose processor it is, and its matrix units.

    The capability is what `torch.backends.cpu.get_cpu_capability()` says (`aten/src/ATen/native/DispatchStub.cpp`). MKL goes by
    the vendor as well, oneDNN by the matrix units (`dnnl_cpu_isa_t`). The other flags change with the kernel.

    >>> processor("vendor_id : GenuineIntel\\nflags : fpu avx2 fma avx_vnni ibrs_enhanced\\n")
    ('AVX2', 'GenuineIntel', 'avx_vnni')
    """
    fields: dict[str, str] = {}
    """Of the first processor."""
    for line in information.splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    units = set((fields.get("flags") or fields.get("Features") or "").split())
    vendor = fields.get("vendor_id") or fields.get("CPU implementer") or ""
    capability = next((name for name, wanted in CAPABILITIES if wanted <= units), "DEFAULT")
    return (capability, vendor, *sorted(units & MATRIX_UNITS))


def _text(path: Path, limit: int = 1 << 13) -> str:
    """The beginning of a small file; its path if it cannot be read; empty if it is not there."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(limit)
    except OSError:
        return str(path) if path.exists() else ""


# --- what the system allows ---

ALLOWING = (
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/self/attr/current",
)
"""Files that say what a process may do: settings that somebody may change while the system runs, and which run that is."""
POWERS = ("Uid:", "Cap", "NoNewPrivs:", "Seccomp")
"""Beginnings of lines of `/proc/self/status` that say so, too."""


def container() -> str:
    """A name for where this process is and what the system lets it do: in it, a sandbox has one level. Made without trying."""
    status = [line for line in _text(Path("/proc/self/status")).splitlines() if line.startswith(POWERS)]
    spaces = Path("/proc/self/ns")
    inside = [os.readlink(one) for one in sorted(spaces.iterdir())] if spaces.is_dir() else []
    mounts = _text(Path("/proc/self/mountinfo"), 1 << 16).splitlines()
    covered = [line.split(" ", 3)[3] for line in mounts if " /proc" in line]  # then no session gets a /proc of its own
    system: object = sys.platform
    if sys.platform != "win32":
        system = os.uname()
    return digest(system, status, inside, covered, *map(_text, map(Path, ALLOWING)))
