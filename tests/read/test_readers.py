"""Which reader a text gets: the one with the surest sign, wherever it stands in the list."""

import random
from pathlib import Path

import pytest
from listing import cases

import deckgen.read
from deckgen import files
from deckgen.model.source import Source
from deckgen.read import READERS, read

DOCUMENTS = sorted(
    path for path in (Path(__file__).parents[1] / "documents").iterdir() if not path.name.endswith(".expected.txt")
)
CASES = ("read_markdown", "read_chat", "read_notebook_text", "read_plain", "read_script")
SOURCES = [files.decode(files.source_bytes(path), path.name) for path in DOCUMENTS]
SOURCES += [Source(f"{name}: {case.title}", case.source) for name in CASES for case in cases(name)]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_readers_means_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [read(source) for source in SOURCES]
    monkeypatch.setattr(deckgen.read, "READERS", tuple(random.Random(seed).sample(READERS, len(READERS))))
    assert [read(source) for source in SOURCES] == before


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_of_the_surest_sign_one_reader_knows_a_text(source: Source) -> None:
    signs = sorted(reader.sign for reader in READERS if reader.read(source))
    assert signs.count(signs[0]) == 1 if signs else read(source).reader == "markdown"


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("#separator:tab\n#html:false\nimport torch\nprint(torch.ones(2))\tones\n", "anki"),
        ("# %%\nimport torch\nx = torch.ones(2)\n# %%\nprint(x)\nprint(x.sum())\n", "script"),
        ("You:\n\nIn [1]: print(1)\n\nChatGPT:\n\nimport torch\nprint(torch.ones(2))\n", "chat"),
        ("In [1]: import torch\nimport math\nprint(math.pi)\n", "notebook_text"),
        ("import torch\nprint(torch.ones(2))\n", "plain"),
    ],
)
def test_a_surer_sign_goes_before_code_without_fences(text: str, reader: str) -> None:
    assert read(Source("notes.txt", text)).reader == reader
