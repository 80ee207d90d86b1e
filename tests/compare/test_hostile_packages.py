"""`deckgen diff` and a package from a stranger: it is read, or told in a line, soon, in little memory, and never run."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from damaged import PROGRAMS, altered, collection, damaged, programmed, whole, zipped
from patience import patience
from processes import GUARD

from deckgen.compare import compare, data, text
from deckgen.compare.package import snapshot
from deckgen.model.errors import UsageError
from deckgen.unpack.archive import CONTENTS_LIMIT

if sys.platform != "win32":
    import resource


def refused(data: bytes) -> UsageError:
    with patience(), pytest.raises(UsageError) as caught:
        snapshot(io.BytesIO(data), "x.apkg")
    assert str(caught.value).startswith("x.apkg: ")
    assert str(caught.value).isprintable()
    return caught.value


def diff(data: bytes, folder: Path) -> subprocess.Popen[str]:
    (folder / "good.apkg").write_bytes(whole())
    (folder / "bad.apkg").write_bytes(data)
    command = [sys.executable, "-m", "deckgen", "diff", "good.apkg", "bad.apkg"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("schema", PROGRAMS)
def test_a_schema_that_is_a_program_is_never_run(schema: str):
    assert "collection in it cannot be read" in refused(programmed(schema)).message


def test_the_command_says_in_one_line_that_a_view_is_no_table(tmp_path: Path):
    with diff(programmed(PROGRAMS[0]), tmp_path) as process:
        said = process.communicate(timeout=GUARD)
    assert process.returncode == 2
    assert said == ("", "deckgen: bad.apkg: the collection in it cannot be read (a view `notes`, which no deck has)\n")


@pytest.mark.parametrize("seed", range(150))
def test_a_damaged_package_is_read_or_told_in_a_line(seed: int):
    data = damaged(random.Random(seed))
    with patience():
        assert all(line.isprintable() for line in said(data))


def said(data: bytes) -> list[str]:
    """What is said of a package that is refused; nothing of one that is read."""
    try:
        snapshot(io.BytesIO(data), "x.apkg")
    except UsageError as error:
        return [str(error)]
    return []


@pytest.fixture(scope="module")
def bomb() -> bytes:
    """A package of 300 KiB whose collection unpacks to 300 MiB."""
    buffer = io.BytesIO()
    archive = zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with archive, archive.open("collection.anki2", "w") as file:
        file.write(b"SQLite format 3\0")
        for _ in range(300):
            file.write(bytes(1 << 20))
    return buffer.getvalue()


@pytest.mark.posix("memory of a child")
def test_a_zip_bomb_takes_no_more_memory_than_a_deck(tmp_path: Path, bomb: bytes):
    with diff(bomb, tmp_path) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.stderr is not None
        assert process.stderr.read() == "deckgen: bad.apkg: its collection is larger than 256 MiB\n"
    assert process.returncode == 2
    ours = resource.getrusage(
        resource.RUSAGE_SELF
    ).ru_maxrss  # the system counts what a child began as, too: this process
    assert usage.ru_maxrss <= max(500 << 10, ours)  # KiB


def test_a_zip_file_that_lies_about_a_size_is_measured(bomb: bytes):
    data = bytearray(bomb)
    struct.pack_into("<L", data, data.index(b"PK\1\2") + 24, 100)
    refused(bytes(data))


def test_a_table_of_contents_without_end_is_not_read():
    entry = struct.pack("<4s4B4H3L5H2L", b"PK\1\2", *(0,) * 18)
    entries = entry * (CONTENTS_LIMIT // len(entry) + 2)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entries), 0, 0)
    assert "not an Anki package (its table of contents is too large)" in refused(entries + end).message


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_packing_that_anki_never_uses_is_told(method: int):
    assert "packed in a way" in refused(zipped(collection(), method)).message


def test_an_encrypted_package_is_told():
    data = bytearray(zipped(collection()))
    for sign, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(sign) + place] |= 1
    assert "packed in a way" in refused(bytes(data)).message


def test_rows_that_all_point_to_the_same_text_are_no_more_than_the_file():
    """A thousand leaves of the table are one and the same page."""

    def many(connection: sqlite3.Connection) -> None:
        connection.execute("delete from notes")
        row = ("select {n}, 'g' || {n}, 1, 1, 0, '', hex(zeroblob(1500)), '', 0, 0, ''").format
        for number in range(1, 2001):
            connection.execute("insert into notes " + row(n=number))

    with zipfile.ZipFile(io.BytesIO(altered(many))) as archive:
        database = bytearray(archive.read("collection.anki2"))
    size = struct.unpack_from(">H", database, 16)[0]
    for start in range(size, len(database), size):
        cells = struct.unpack_from(">H", database, start + 3)[0]
        if database[start] == 5 and cells > 50:  # an inner page of a table: each cell is where a child is, and a key
            first = struct.unpack_from(">H", database, start + 12)[0]
            for cell in range(cells):
                place = struct.unpack_from(">H", database, start + 12 + 2 * cell)[0]
                database[start + place : start + place + 4] = database[start + first : start + first + 4]
    refused(zipped(bytes(database)))


def compared(fields: str, style: str) -> str:
    """What is said of a package in which every note has changed to this."""
    new = altered(lambda connection: connection.execute("update notes set flds = ?, mod = mod + 1", (fields,)))
    told = compare(snapshot(io.BytesIO(whole()), "old.apkg"), snapshot(io.BytesIO(new), "new.apkg"))
    return text(told) if style == "text" else json.dumps(data(told))


@pytest.mark.parametrize("sign", ["<", "<li ", "&#", "&", "\n", "a\n", "a\nb\n"])
@pytest.mark.parametrize("style", ["text", "json"])
def test_a_field_of_many_signs_does_not_take_for_ever(sign: str, style: str):
    with patience():
        assert compared("\x1f".join([sign * 50_000] * 3), style)


def test_a_number_of_more_digits_than_python_reads_is_no_character():
    assert "\ufffd" in compared(f"&#{'9' * 5000};\x1fb", "text")


@pytest.mark.posix("signals")
def test_who_asks_a_diff_to_end_is_obeyed_while_sqlite_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Should a schema keep SQLite busy all the same: here nothing is refused, so that one does."""
    (tmp_path / "bad.apkg").write_bytes(programmed(PROGRAMS[1]))
    (tmp_path / "good.apkg").write_bytes(whole())
    code = (
        "import itertools, types\n"
        "from deckgen.unpack import collection\n"
        "looks = itertools.count()\n"
        "def monotonic():  # SQLite asks again and again whether its time is up\n"
        "    if next(looks) == 3: print('busy', flush=True)\n"
        "    return 0.0\n"
        "collection.time = types.SimpleNamespace(monotonic=monotonic)\n"
        "collection._refuse_programs = lambda connection: None\n"
        "collection._tables_only = lambda *_: 0\n"
        "from deckgen.cli import main\n"
        "main(['diff', 'good.apkg', 'bad.apkg'])\n"
    )
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, text=True, **pipes)
    assert process.stdout is not None
    assert process.stdout.readline() == "busy\n"
    process.send_signal(signal.SIGTERM)
    assert "stopped" in process.communicate(timeout=GUARD)[1]
    assert process.returncode == 143


@pytest.mark.posix("makes a pipe among files")
def test_what_is_no_file_is_not_opened_for_ever(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "good.apkg").write_bytes(whole())
    command = [sys.executable, "-m", "deckgen", "diff", "good.apkg"]
    done = subprocess.run([*command, "pipe"], cwd=tmp_path, capture_output=True, text=True, timeout=GUARD)
    assert (done.returncode, done.stderr.splitlines()[0]) == (3, "deckgen: pipe: cannot be read: not a regular file")
