"""A cache goes to another machine, and is believed there only where it can be."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Command

from deckgen.cache import KEY, Folder, archive, digest
from deckgen.cache.archive import Entry, archive_of
from deckgen.verify.engine.runner import scrubbed_environment

NOTES = "# Sums\n\n```python\nimport torch\nprint(torch.arange({n}).sum())  # tensor({said})\n```\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    for n, said in ((4, 6), (5, 10), (6, 15)):
        (tmp_path / "notes" / f"{n}.md").write_text(NOTES.format(n=n, said=said))
    return tmp_path


@pytest.fixture
def machine(place: Path) -> Callable[[str], Command]:
    """`deckgen` on a machine of this name, whose user has a home of its own."""
    return lambda name: Command(place, place / name)


def is_cached(command: Command, *more: str, **environment: str) -> bool:
    """Whether nothing had to be run."""
    ran = command("verify", "notes", *more, **environment)
    assert ran.returncode == 0, ran.stdout
    return "engine: cache" in ran.stdout


def observations(command: Command) -> list[Path]:
    return [path for path in (command.home / "cache/deckgen/observations").rglob("*") if path.is_file()]


# --- moves that hit, and moves that must not ---


def test_a_copied_cache_is_used(place, machine):
    machine("a")("verify", "notes")
    shutil.copytree(place / "a", place / "b")
    assert is_cached(machine("b"))


def test_other_times_and_another_folder_are_the_same_notes(place, machine):
    command = machine("a")
    command("verify", "notes")
    (place / "elsewhere").mkdir()
    shutil.copytree(place / "notes", place / "elsewhere" / "notes")
    for path in (place / "elsewhere" / "notes").iterdir():
        os.utime(path, (1, 1))
    assert is_cached(Command(place / "elsewhere", place / "a"))


def test_the_chosen_folder_is_used_and_no_other(place, machine):
    assert not is_cached(machine("a"), "--cache", "kept")
    assert is_cached(machine("b"), "--cache", "kept")
    assert is_cached(machine("c"), DECKGEN_CACHE=str(place / "kept"))
    assert not is_cached(machine("c"))
    assert not (place / "a" / "cache" / "deckgen" / "observations").exists()
    assert "kept/observations: " in machine("a")("cache", "info", "--cache", "kept").stdout


@pytest.mark.posix("takes rights away")
def test_a_folder_in_which_others_may_write_is_not_used_and_that_is_said(place, machine):
    machine("a")("verify", "notes", "--cache", "kept")
    (place / "kept").chmod(0o770)
    ran = machine("a")("verify", "notes", "--cache", "kept")
    assert "engine: cache" not in ran.stdout
    assert "others may write there" in ran.stderr


def test_what_was_written_without_the_key_is_a_miss(place, machine):
    machine("a")("verify", "notes", "--cache", "kept")
    assert not is_cached(machine("a"), "--cache", "kept", DECKGEN_CACHE_KEY="secret")
    assert is_cached(machine("b"), "--cache", "kept", DECKGEN_CACHE_KEY="secret")
    assert not is_cached(machine("b"), "--cache", "kept", DECKGEN_CACHE_KEY="guessed")


def test_a_forged_observation_is_a_miss(place, machine, monkeypatch):
    machine("a")("verify", "notes", DECKGEN_CACHE_KEY="secret")
    for number, path in enumerate(observations(machine("a"))):
        monkeypatch.setenv(KEY, "guessed")
        kept = Folder(path.parent.parent)
        kept.write(path.parent.name + path.name, b"forged %d" % number)
        monkeypatch.delenv(KEY)
    shutil.rmtree(place / "a/cache/deckgen/runs")
    assert not is_cached(machine("a"), DECKGEN_CACHE_KEY="secret")


@pytest.mark.parametrize("data", [b"", b"no zlib", b"x\x9cK\xaa\x01\x00\x01)\x00\xc6"])
def test_an_observation_that_is_none_is_a_miss(machine, data):
    command = machine("a")
    command("verify", "notes")
    shutil.rmtree(command.home / "cache/deckgen/runs")
    folder = Folder(command.home / "cache/deckgen/observations")
    for name in folder.names():
        folder.write(name, data)
    assert not is_cached(command)


def test_snippets_do_not_see_the_key(monkeypatch):
    monkeypatch.setenv(KEY, "secret")
    assert "secret" not in scrubbed_environment(0).values()


# --- export and import ---


def test_two_shards_caches_together_are_the_whole_runs(machine):
    for number in (1, 2):
        one = machine(f"m{number}")
        assert one("verify", "notes", "--shard", f"{number}/2", DECKGEN_CACHE_KEY="k").returncode == 0
        assert one("cache", "export", f"{number}.cache", DECKGEN_CACHE_KEY="k").returncode == 0
        assert machine("all")("cache", "import", f"{number}.cache", DECKGEN_CACHE_KEY="k").returncode == 0
    assert is_cached(machine("all"), DECKGEN_CACHE_KEY="k")


def test_ones_own_archive_needs_no_trust(place, machine):
    command = machine("a")
    command("verify", "notes")
    assert "entries, " in command("cache", "export", "own.cache").stdout
    command("cache", "clear")
    assert command("cache", "import", "own.cache").returncode == 0
    assert is_cached(command)


def test_somebody_elses_needs_it_and_nothing_is_taken_without(place, machine):
    machine("a")("verify", "notes")
    machine("a")("cache", "export", "a.cache")
    refused = machine("b")("cache", "import", "a.cache")
    assert refused.returncode == 2
    assert "a.cache: was not made here" in refused.stderr
    assert "--trust" in refused.stderr
    assert not observations(machine("b"))
    assert machine("b")("cache", "import", "a.cache", "--trust").returncode == 0
    assert is_cached(machine("b"))


def test_what_is_there_already_stays(place, machine):
    command = machine("a")
    command("verify", "notes")
    name = Folder(command.home / "cache/deckgen/observations").names()[0]
    (place / "forged.cache").write_bytes(archive_of([Entry("observations", name, b"forged")], b"k"))
    assert "took 0 entries" in command("cache", "import", "forged.cache", "--trust").stdout
    assert is_cached(command)


def test_an_entry_of_another_machine_is_never_asked_for(place, machine):
    foreign = archive_of([Entry("observations", digest("foreign"), b"forged")], b"k")
    (place / "foreign.cache").write_bytes(foreign)
    machine("a")("cache", "import", "foreign.cache", "--trust")
    assert not is_cached(machine("a"))


@pytest.mark.parametrize("trust", [(), ("--trust",)])
@pytest.mark.parametrize(
    "damage", [lambda data: data[:-20], lambda data: data + b"more", lambda data: b"", lambda data: data[:10]]
)
def test_a_damaged_archive_is_refused_whole(place, machine, damage, trust):
    machine("a")("verify", "notes")
    machine("a")("cache", "export", "a.cache")
    (place / "a.cache").write_bytes(damage((place / "a.cache").read_bytes()))
    ran = machine("b")("cache", "import", "a.cache", *trust)
    assert ran.returncode == 2
    assert "a.cache: " in ran.stderr
    assert not observations(machine("b"))


def _make_pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.posix("makes a pipe among files")
@pytest.mark.parametrize("make", [Path.mkdir, _make_pipe, lambda path: None])
def test_what_is_no_file_is_refused(place, machine, make):
    make(place / "odd")
    ran = machine("a")("cache", "import", "odd")
    assert ran.returncode == 2


@pytest.mark.posix("takes rights away")
def test_an_archive_is_written_whole_or_not_at_all(place, machine):
    machine("a")("verify", "notes")
    (place / "closed.cache").write_bytes(b"before")
    (place / "closed.cache").chmod(0o400)
    ran = machine("a")("cache", "export", "closed.cache")
    assert ran.returncode == 2
    assert (place / "closed.cache").read_bytes() == b"before"
    assert [path.name for path in place.iterdir() if path.name.startswith(".deckgen-")] == []


def test_the_key_is_in_no_cache_and_nobody_else_may_read_it(place, machine):
    machine("a")("cache", "export", "a.cache")
    (key,) = (place / "a").rglob("cache.key")
    assert (place / "a" / "data") in key.parents
    assert key.stat().st_mode & 0o077 == 0
    assert archive.is_sealed((place / "a.cache").read_bytes(), [key.read_bytes()])


@pytest.mark.parametrize(("typed", "told"), [((), "Missing command"), (("wipe",), "No such command 'wipe'")])
def test_a_command_that_is_none_is_told_on_one_line(machine, typed, told):
    ran = machine("a")("cache", *typed)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[0].startswith(f"deckgen: {told}")
    assert "deckgen cache --help" in ran.stderr
