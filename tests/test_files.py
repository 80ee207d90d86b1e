import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from deckgen import files
from deckgen.model.errors import SourceError, UsageError

TEXT = "# 张量\n\n一维张量与二维张量的乘法，结果是一个标量。\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_notes_are_read_in_the_encodings_that_people_use(encoding):
    assert files.decode((TEXT * 4).encode(encoding), "a.md").text == TEXT * 4


def test_line_ends_are_not_seen():
    assert files.decode(b"a\r\nb\rc\n\r\n", "a.md").text == "a\nb\nc\n\n"


def test_a_picture_is_not_notes():
    with pytest.raises(SourceError, match="not a text file"):
        files.decode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "a.md")


def test_a_folder_is_a_deck_and_folders_with_a_deck_toml_are_decks_of_their_own(tmp_path):
    for name in ("a.md", "sub/b.md", "own/c.md", "own/deck.toml", ".hidden/d.md", "x.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    decks = files.deck_folders([str(tmp_path)])
    assert [[deck.relative(path) for path in deck.files] for deck in decks] == [
        ["c.md"],
        ["a.md", "sub/b.md"],
    ]
    assert [deck.whole for deck in decks] == [True, True]


def test_a_file_belongs_to_the_nearest_deck_above_it(tmp_path):
    (tmp_path / "deck.toml").write_text('name = "All"\n')
    (tmp_path / "sub").mkdir()
    for name in ("a.md", "b.md"):
        (tmp_path / "sub" / name).write_text("")
    (deck,) = files.deck_folders([str(tmp_path / "sub" / "a.md")])
    assert (deck.name, deck.whole, deck.lock.resolve()) == (
        "All",
        False,
        (tmp_path / "deckgen.lock").resolve(),
    )


def test_all_files_of_a_deck_named_one_by_one_are_the_deck(tmp_path):
    (tmp_path / "deck.toml").write_text('sources = ["b.md", "a.md"]\n')
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("")
    (deck,) = files.deck_folders([str(tmp_path / "a.md"), str(tmp_path / "b.md")])
    assert (deck.whole, deck.part, [path.name for path in deck.files]) == (True, "", ["b.md", "a.md"])


@pytest.mark.parametrize(("names", "part"), [(["a"], "a"), (["c", "a"], "a-and-1-more")])
def test_some_files_of_a_deck_are_a_part_of_it(tmp_path, names, part):
    (tmp_path / "deck.toml").write_text("")
    for name in "abc":
        (tmp_path / f"{name}.md").write_text("")
    (deck,) = files.deck_folders([str(tmp_path / f"{name}.md") for name in names])
    assert (deck.whole, deck.part) == (False, part)


def test_two_files_without_a_deck_do_not_share_a_lock(tmp_path):
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("")
    one, other = files.deck_folders([str(tmp_path / "*.md")])
    assert (one.name, other.name) == ("a", "b")
    assert one.lock != other.lock


def test_include_and_exclude_choose_files(tmp_path):
    (tmp_path / "deck.toml").write_text('include = ["*.md", "*.rst"]\nexclude = ["drafts", "*secret*"]\n')
    (tmp_path / "drafts").mkdir()
    for name in ("a.md", "b.rst", "c.txt", "my-secret.md", "drafts/d.md"):
        (tmp_path / name).write_text("")
    (deck,) = files.deck_folders([str(tmp_path)])
    assert [deck.relative(path) for path in deck.files] == ["a.md", "b.rst"]


@pytest.mark.posix("makes symbolic links")
def test_a_loop_of_links_ends(tmp_path):
    (tmp_path / "a.md").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (deck,) = files.deck_folders([str(tmp_path)])
    assert [path.name for path in deck.files] == ["a.md"]


def test_a_path_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match="no such file"):
        files.deck_folders([str(tmp_path / "none.md")])


@pytest.mark.posix("takes rights away")
def test_notes_in_a_folder_that_is_not_to_be_written_keep_their_lock_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("")
    notes.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        (deck,) = files.deck_folders([str(notes)])
    finally:
        notes.chmod(stat.S_IRWXU)
    assert notes not in deck.lock.parents


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "x.apkg"
    files.write_whole(path, b"old")
    with pytest.raises(TypeError):
        files.write_whole(path, "no bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x.apkg"]


def test_included_snippets_come_from_snippets_folders_only(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets" / "a.py").write_text("x = 1\n")
    (tmp_path / "secret.py").write_text("key = 1\n")
    deck = tmp_path / "cards" / "deck"
    deck.mkdir(parents=True)
    assert files.snippet_text("snippets/a.py", deck) == files.snippet_text("a.py", deck) == "x = 1\n"
    for name in (
        "secret.py",
        "../../secret.py",
        str(tmp_path / "secret.py"),
        "snippets/../../secret.py",
        "a.txt",
    ):
        assert files.snippet_text(name, deck) is None


def test_the_order_of_sources_is_the_order_of_the_deck(tmp_path):
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text("# Title\n")
    (tmp_path / "deck.toml").write_text('sources = ["c.md", "a.md"]\n')
    (deck,) = files.deck_folders([str(tmp_path)])
    assert [path.name for path in deck.files] == ["c.md", "a.md"]


@pytest.fixture
def closed_notes():
    """A folder of notes with a subfolder that an ordinary user may not enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    (folder / "a.md").write_text("# A\n", "utf-8")
    (folder / "closed").mkdir()
    (folder / "closed" / "b.md").write_text("# B\n", "utf-8")
    yield folder
    (folder / "closed").chmod(0o755)
    shutil.rmtree(folder)


def as_an_ordinary_user(ask: Callable[[], str]) -> str:
    """What `ask` answers to somebody whom permissions bind (they do not bind root)."""
    if not hasattr(os, "fork"):
        pytest.skip("only POSIX systems have these permissions")
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        if os.getuid() == 0:
            os.setuid(65534)
        try:
            os.write(writer, ask().encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as answer:
        told = answer.read()
    os.waitpid(child, 0)
    return told


@pytest.mark.posix("takes rights away")
@pytest.mark.parametrize("mode", [0o000, 0o444, 0o311])
def test_a_folder_that_may_not_be_read_is_told_and_the_rest_is_read(closed_notes, mode):
    (closed_notes / "closed").chmod(mode)

    def ask() -> str:
        (found,) = files.deck_folders([str(closed_notes)])
        return "\n".join([*(path.name for path in found.files), *(str(error) for error in found.refusals)])

    assert as_an_ordinary_user(ask).splitlines() == ["a.md", f"{closed_notes}/closed: may not be read"]


@pytest.mark.posix("takes rights away")
def test_notes_that_may_not_be_entered_at_all_are_a_source_error(closed_notes):
    (closed_notes / "closed").chmod(0o000)

    def ask() -> str:
        try:
            files.deck_folders([str(closed_notes / "closed")])
        except SourceError as error:
            return str(error)
        return "it was read"

    assert as_an_ordinary_user(ask) == f"{closed_notes}/closed: may not be read"


@pytest.mark.posix("makes symbolic links")
def test_a_pattern_names_each_file_once_however_links_lead_to_it(tmp_path, monkeypatch):
    (tmp_path / "a.md").write_text("# A\n", "utf-8")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    (found,) = files.deck_folders(["**/a.md"])
    assert found.files == (Path("a.md"),)


def _laid(folder: Path, *names: str, **texts: str) -> files.DeckFolder:
    """A folder of files with these names, and the deck that it is."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(texts.get(name.partition(".")[0], ""))
    (deck,) = files.deck_folders([str(folder)])
    return deck


def _names(deck: files.DeckFolder) -> list[str]:
    return [deck.relative(path) for path in deck.files]


@pytest.mark.parametrize(
    "paths",
    [("notes", "notes/a.md"), ("notes/a.md", "notes"), ("notes", "./notes/"), ("notes/sub", "notes", "{}/notes")],
)
def test_what_is_named_beside_its_folder_is_there_once(tmp_path, monkeypatch, paths):
    monkeypatch.chdir(tmp_path)
    _laid(tmp_path / "notes", "a.md", "sub/b.md")
    (deck,) = files.deck_folders([path.format(tmp_path) for path in paths])
    assert _names(deck) == ["a.md", "sub/b.md"]
    assert {path.name for path in deck.named} == ({"a.md"} if "notes/a.md" in paths else set())


def test_a_file_that_is_a_deck_of_its_own_stays_one_beside_its_folder(tmp_path):
    _laid(tmp_path, "a.md", "b.md", "a.md.deckgen.lock")
    assert len(files.deck_folders([str(tmp_path), str(tmp_path / "a.md")])) == 2


def test_a_folder_is_searched_for_endings_in_any_case_and_tells_which_others_it_left_out(tmp_path):
    deck = _laid(tmp_path, "A.MD", "b.Txt", "page.html", "sub/c.rst", "d.docx", "cards.html", "cards.apkg", "x.py")
    assert _names(deck) == ["A.MD", "b.Txt", "page.html"]
    assert deck.notice.startswith(f"{tmp_path}: not read: d.docx, sub/c.rst, x.py: name a file to read it")


def test_many_files_that_are_not_read_are_counted_by_their_ending(tmp_path):
    deck = _laid(tmp_path, *(f"{number}.rst" for number in range(9)), "a.pdf")
    assert "not read: 1 .pdf, 9 .rst:" in deck.notice


def test_pages_that_a_program_made_are_told_and_not_read(tmp_path):
    site = ("_build/html/index.html", "_build/html/searchindex.js", "_build/html/api/a.html")
    deck = _laid(tmp_path, *site, "a.ipynb", "A.html", "saved.htm")
    assert _names(deck) == ["a.ipynb", "saved.htm"]
    assert "not read: A.html, _build/html/api/a.html, _build/html/index.html (made by a program)" in deck.notice


def test_of_a_page_that_a_browser_saved_the_frames_are_not_read(tmp_path):
    deck = _laid(tmp_path, "Views.html", "Views_files/frame.html", "my_files/notes.html")
    assert (_names(deck), deck.notice) == (["Views.html", "my_files/notes.html"], "")


def test_of_json_a_folder_gives_what_somebody_says_and_of_pages_no_preview_of_cards(tmp_path):
    chat = '[{"role": "user", "content": "What is a view?"}]'
    preview = "<!doctype html><title>cards - deckgen preview</title>"
    package = '{"author": "me", "scripts": {}}'
    deck = _laid(tmp_path, "chat.json", "package.json", "cards.html", chat=chat, package=package, cards=preview)
    assert (_names(deck), deck.notice) == (["chat.json"], "")


def test_an_author_who_says_what_is_searched_for_is_told_of_nothing_else(tmp_path):
    (tmp_path / "deck.toml").write_text('include = ["*.html"]\n')
    for name in ("A.MD", "page.html", "c.rst"):
        (tmp_path / name).write_text("")
    (deck,) = files.deck_folders([str(tmp_path)])
    assert ([deck.relative(path) for path in deck.files], deck.notice) == (["page.html"], "")
