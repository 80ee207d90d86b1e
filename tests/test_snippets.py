"""The snippet files: plain Python that runs, and what the cards include of them."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from processes import GUARD

from deckgen.read.include import regions

ROOT = Path(__file__).resolve().parents[1]
SNIPPETS = sorted((ROOT / "snippets").rglob("*.py"))
PARTS = 6
"""So many tests share the files, that no processor waits for one long test at the end."""
NAMED = [
    pytest.param(path, name, region.text, id=f"{path.stem}#{name}")
    for path in SNIPPETS
    for name, region in regions(path.read_text(encoding="utf-8")).items()
]


def code_of(text: str) -> list[str]:
    """The lines of a region that a card shows: without the claims at its end."""
    return re.split(r"\n# Output:", text, maxsplit=1)[0].split("\n")


IN_FORKS = """
import json, os, runpy, sys, tempfile, warnings
import torch, torch._dynamo, torch._inductor.compile_fx  # not anew in each fork that optimises or compiles
warnings.simplefilter("ignore")
sys.path.append(os.path.dirname(sys.argv[1]))  # as `python snippets/FILE.py` has it
for path in sys.argv[1:]:
    written = tempfile.TemporaryFile()
    child = os.fork()
    if not child:
        os.dup2(written.fileno(), 1)
        os.dup2(written.fileno(), 2)
        os.chdir(tempfile.mkdtemp(dir="."))
        status = 1
        try:
            runpy.run_path(path, run_name="__main__")
            status = 0
        except BaseException:
            import traceback
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(status)
    status = os.waitpid(child, 0)[1]
    print(json.dumps([status, os.pread(written.fileno(), 1 << 20, 0).decode()]), flush=True)
"""
"""Runs each file in a fork of a Python that has imported torch."""


@pytest.mark.linux("forks")
@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(PARTS))
def test_the_snippet_files_run_as_plain_python(part: int, tmp_path: Path) -> None:
    paths = SNIPPETS[part::PARTS]
    ran = subprocess.run(
        [sys.executable, "-c", IN_FORKS, *paths], cwd=tmp_path, capture_output=True, text=True, timeout=GUARD
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    for path, line in zip(paths, ran.stdout.splitlines(), strict=True):
        status, written = json.loads(line)
        assert status == 0, (path, written[-2000:])
        assert written.strip(), path


@pytest.mark.parametrize(("path", "name", "text"), NAMED)
def test_a_region_fits_on_a_card(path: Path, name: str, text: str) -> None:
    assert ast.parse(text).body, "no code"
    if name.startswith("proof_"):  # it stands on no card
        return
    lines = code_of(text)
    assert len(lines) <= 12
    assert [line for line in lines if len(line) > 72] == []


def fences(pages: Iterable[Path]) -> Counter[str]:
    """The regions that pages show, and how often."""
    texts = (page.read_text(encoding="utf-8") for page in pages)
    return Counter(found for text in texts for found in re.findall(r"\{file=snippets/([\w/.-]+#[\w-]+)\}", text))


def test_every_region_is_on_exactly_one_card_or_proves_a_sentence() -> None:
    defined = {f"{param.values[0].relative_to(ROOT / 'snippets').as_posix()}#{param.values[1]}" for param in NAMED}
    shown = {region for region in defined if not region.partition("#")[2].startswith("proof_")}
    assert fences((ROOT / "cards").glob("*/*.md")) == Counter(shown)


def test_the_chinese_decks_show_the_same_regions() -> None:
    pages = sorted((ROOT / "cards" / "zh").glob("*/*.md"))
    twins = (ROOT / "cards" / page.relative_to(ROOT / "cards" / "zh") for page in pages)
    assert fences(pages) == fences(twins)
