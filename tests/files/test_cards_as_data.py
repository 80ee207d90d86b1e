"""Cards as data in a folder of notes: listed, and read where somebody names them."""

from pathlib import Path

import pytest

from deckgen.files import deck_folders
from deckgen.model.source import Source
from deckgen.read import read

FILES = {
    "cards.json": '[{"front": "Why?", "back": "So."}]',
    "cards.csv": "id,question,answer\n1,Why?,So.\n",
    "cards.tsv": "front\tback\nWhy?\tSo.\n",
    "export.txt": "#separator:tab\n#html:true\nWhy?\tSo.\n",
    "cards.zh.csv": "问题,答案\n为什么？,因为。\n",
    "export.html.txt": "#html:true\nWhy?\tSo.\n",
    "chinese.csv": "问题,答案\nWhy?,So.\n",
    "definitions.tsv": "Term\tDefinition\nview\tIt shares.\n",
    "excel.csv": "sep=;\nQuestion;Correct answer\nWhy?;So.\n",
    "gaps.csv": "text,tags\nA {{c1::view}} shares.,views\n",
    "html.txt": "#html:true\n#tags:views\nWhy?\tSo.\n",
    "turned.json": '[{"back": "So.", "front": "Why?"}]',
    "cards.jsonl": '{"front": "Why?", "back": "So."}\n',
}
DATA = {
    "data.json": '[{"text": "a", "label": 1}]',
    "chat.json": '[{"role": "user", "content": "front and back?"}, {"role": "assistant", "content": "Yes."}]',
    "data.csv": "epoch,loss\n1,0.5\n",
    "texts.csv": "text,label\ngood,1\n",
    "notes.txt": "Q: Why?\nA: So.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {**FILES, **DATA}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_what_is_listed_is_what_the_readers_read(name: str):
    assert read(Source(name, FILES[name])).reader in ("json", "csv", "anki")


def test_they_are_listed_and_data_of_other_kinds_is_not(folder: Path):
    (deck,) = deck_folders([str(folder)])
    assert sorted(path.name for path in deck.left_out) == sorted(FILES)
    assert sorted(path.name for path in deck.files) == ["chat.json", "notes.txt"]


def test_include_names_them(folder: Path):
    (folder / "deck.toml").write_text(
        'include = ["*.csv", "*.tsv", "cards.*", "export.txt", "export.html.txt", "html.txt", "turned.json"]\nexclude = ["data.csv", "texts.csv"]\n'
    )
    (deck,) = deck_folders([str(folder)])
    assert sorted(path.name for path in deck.files) == sorted(FILES)
    assert not deck.notice


@pytest.mark.parametrize("name", FILES)
def test_so_does_the_command_line(folder: Path, name: str):
    (deck,) = deck_folders([str(folder / name)])
    assert [path.name for path in deck.files] == [name]
