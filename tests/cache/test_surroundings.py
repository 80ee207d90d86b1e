"""What counts of the machine: what decides the digits that torch computes, and nothing that a new kernel changes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deckgen import surroundings
from deckgen.surroundings import own_code, processor

INTEL = """processor : 0
vendor_id : GenuineIntel
model name : A
flags : fpu fma avx2 avx512dq avx512bw avx512vl avx512_bf16 ibrs

processor : 1
vendor_id : GenuineIntel
flags : fpu
"""
ARM = "processor : 0\nFeatures : fp asimd sve bf16\nCPU implementer : 0x41\n"


def test_it_is_known_by_its_units_and_whose_it_is():
    assert processor(INTEL) == ("AVX512", "GenuineIntel", "avx512_bf16")
    assert processor(ARM) == ("SVE", "0x41", "bf16")
    assert processor("") == ("DEFAULT", "")


@pytest.mark.parametrize(
    ("old", "new"), [(" ibrs", ""), ("fpu fma", "fpu md_clear fma"), ("model name : A", "model name : B"), ("fpu", "")]
)
def test_what_a_kernel_adds_or_leaves_out_is_the_same_machine(old: str, new: str) -> None:
    assert processor(INTEL.replace(old, new)) == processor(INTEL)


@pytest.mark.parametrize(
    ("old", "new"),
    [("avx512vl ", ""), (" fma", ""), ("GenuineIntel", "AuthenticAMD"), ("avx512_bf16", ""), ("ibrs", "amx_bf16")],
)
def test_what_computes_otherwise_is_another_machine(old: str, new: str) -> None:
    assert processor(INTEL.replace(old, new)) != processor(INTEL)


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="Linux only")
def test_the_capability_is_the_one_that_torch_names():
    code = "import torch; print(torch.backends.cpu.get_cpu_capability())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip().startswith(processor(Path("/proc/cpuinfo").read_text())[0])


def test_another_installation_of_the_same_files_is_the_same_deckgen(tmp_path, monkeypatch):
    before = own_code()
    copy = shutil.copytree(surroundings._PACKAGE, tmp_path / "deckgen")
    monkeypatch.setattr(surroundings, "_PACKAGE", str(copy))
    assert own_code.__wrapped__() == before
    (copy / "api.py").write_text("changed")
    assert own_code.__wrapped__() != before
