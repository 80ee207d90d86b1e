"""`python -m bench.fuzz [COUNT [SEED [FOLDER...]]]`: damaged documents, configurations and locks; none may raise but what is told.

Documents go all the way that needs no torch: read, extracted, planned, judged on made-up observations, decided, rendered,
updated, and reported in every format. What raises, or takes long for its size, is printed with the seed that makes it again.
"""

from __future__ import annotations

import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

from bench import wrapped
from bench.fuzz_pieces import PIECES, SHELLS
from deckgen import files
from deckgen.app.build import build_deck, rendered
from deckgen.app.load import Loaded
from deckgen.app.options import Options
from deckgen.cache import Folder
from deckgen.extract import extract
from deckgen.files import Assets, DeckFolder
from deckgen.identity import format_lock, parse_lock
from deckgen.model.config import KEYS, DeckConfig, parse_config
from deckgen.model.document import Extraction
from deckgen.model.errors import SourceError, UsageError
from deckgen.model.observation import Event, Observation, Observed, Value
from deckgen.model.results import NOT_SHIPPED, NOTHING_RAN, Results
from deckgen.model.verdict import Checked, Verification
from deckgen.outcome import outcome
from deckgen.pack import package
from deckgen.read import read
from deckgen.read.include import included
from deckgen.render import NOTETYPES
from deckgen.render.preview import page
from deckgen.report import REPORTERS, data, terminal
from deckgen.update import updated
from deckgen.verify.judge.blame import failures
from deckgen.verify.plan import plan
from deckgen.verify.run import judged

ROOT = Path(__file__).resolve().parents[1]
OWN = (ROOT / "tests" / "cases", ROOT / "cards")
ENDINGS = (".md", ".txt", ".html", ".ipynb", ".json", ".py")
SHOWN = 16
"""Lines of a traceback that are printed."""
SLOW = 10.0
"""CPU seconds for a document of up to 100 kB."""
NOW = 1_700_000_000
LONG = 2_000
Chance = random.Random


def documents(folders: Iterator[Path] | tuple[Path, ...]) -> list[str]:
    """The texts to damage."""
    found = (path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in ENDINGS)
    return [path.read_text("utf-8", "replace") for path in found if path.is_file() and path.stat().st_size < 100_000]


def damaged(texts: list[str], chance: Chance) -> str:
    """A text after a few edits."""
    text = chance.choice(texts)
    if len(text) > LONG and chance.random() < 0.8:
        start = text.rfind("\n", 0, chance.randrange(len(text))) + 1
        text = text[start : start + chance.choice((200, LONG, 8_000))]
    for _ in range(chance.choice((0, 1, 2, 4, 8, 30))):
        text = chance.choice(EDITS)(text, texts, chance)
    return _in_a_file(text, texts, chance)


def _in_a_file(text: str, texts: list[str], chance: Chance) -> str:
    """The text as it is, in a shell, or as a saved page, a notebook or an exported chat; of these some are damaged, too."""
    way = chance.random()
    if way < 0.5:
        return chance.choice(SHELLS).replace("@", text) if way < 0.15 else text
    paragraphs = text.split("\n\n")
    cut = sorted(chance.randrange(len(paragraphs)) for _ in range(chance.choice((0, 1, 3, 8))))
    parts = ["\n\n".join(paragraphs[start:stop]) for start, stop in pairwise([0, *cut, len(paragraphs)])]
    whole = chance.choice(wrapped.KINDS)(parts, one_line=chance.random() < 0.5)
    return chance.choice(EDITS)(whole, texts, chance) if chance.random() < 0.2 else whole


def _place(text: str, chance: Chance) -> tuple[int, int]:
    start = chance.randrange(len(text) + 1)
    return start, min(len(text), start + int(chance.expovariate(1 / 40)))


def _deletion(text: str, _texts: list[str], chance: Chance) -> str:
    start, stop = _place(text, chance)
    return text[:start] + text[stop:]


def _doubling(text: str, _texts: list[str], chance: Chance) -> str:
    start, stop = _place(text, chance)
    return text[:stop] + text[start:stop] * chance.choice((1, 2, 50)) + text[stop:]


def _splice(text: str, texts: list[str], chance: Chance) -> str:
    other = chance.choice(texts)
    start, stop = _place(other, chance)
    return text[: (at := chance.randrange(len(text) + 1))] + other[start : stop + 200] + text[at:]


def _piece(text: str, _texts: list[str], chance: Chance) -> str:
    at = chance.randrange(len(text) + 1)
    if chance.random() < 0.5:  # where it counts most: at the start of a line
        at = text.rfind("\n", 0, at) + 1
    return text[:at] + chance.choice(PIECES) * chance.choice((1, 1, 1, 2, 20)) + text[at:]


def _letter(text: str, _texts: list[str], chance: Chance) -> str:
    at = chance.randrange(len(text) + 1)
    point = chance.choice((chance.randrange(32), chance.randrange(0x80, 0x3000), chance.randrange(0x110000)))
    return text[:at] + chr(point) + text[at + chance.randrange(2) :]


def _lines(text: str, _texts: list[str], chance: Chance) -> str:
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines[: chance.randrange(len(lines)) + 1])


def _indentation(text: str, _texts: list[str], chance: Chance) -> str:
    lines = text.split("\n")
    start, more = chance.randrange(len(lines)), chance.choice(("", " ", "    ", "\t", "> ", "- "))
    stop = start + chance.randrange(1, 20)
    return "\n".join(f"{more}{line.lstrip()}" if start <= at < stop else line for at, line in enumerate(lines))


EDITS = (_deletion, _doubling, _splice, _piece, _piece, _piece, _letter, _lines, _indentation)


def go_all_the_way(name: str, data: bytes, chance: Chance) -> None:
    """What every command does with a document, but for running it."""
    try:
        document = included(read(files.decode(data, name)), lambda _name: "x = 1\n")
        extraction = extract(document)
    except (RecursionError, MemoryError):  # told of the document, which is left out
        return
    _assert_places(extraction)
    checked = _checked(extraction, chance)
    verification = Verification(environment=NOTHING_RAN, sources=(checked,))
    folder = DeckFolder(Path(), (), DeckConfig(), (Path(name),), "Deck", Path("deckgen.lock"), True)
    deck = Loaded(folder=folder, extractions=(extraction,), unreadable=(), assets=Assets())
    made = build_deck(deck, None, verification, Options(paths=(), no_cache=True), NOW)
    lock = parse_lock(made.lock_text, "deckgen.lock", NOW)
    if made.assigned.deck.cards:
        package(made.assigned.deck, tuple(NOTETYPES.values()))
    again = build_deck(deck, lock, verification, Options(paths=(), no_cache=True), NOW)
    assert again.lock_text == made.lock_text, "another lock at the second build"
    shown = [one for one in made.decisions if one.disposition not in NOT_SHIPPED]
    page(zip(shown, rendered(deck, shown, Folder(None)), strict=True), name="Deck")
    if not document.places:
        files.edited(data, document.source, updated(document.source, checked.verdicts).edits)
    _reported(Results(extractions=(extraction,), verification=verification, decisions=made.decisions))


def _assert_places(extraction: Extraction) -> None:
    """Every find stands on lines of the source, and every claim is about a line of its code."""
    finds = (*extraction.notes, *extraction.snippets, *extraction.apis, *extraction.skipped, *extraction.remarks)
    claims = [claim for snippet in extraction.snippets for claim in snippet.claims]
    spans = [one.span for one in (*finds, *claims)]
    lines = len(extraction.document.source.lines)
    assert all(0 <= span.start <= span.stop <= lines for span in spans), "a find beyond the source"
    for snippet in extraction.snippets:
        about = [claim.code_line or 0 for claim in snippet.claims]
        assert len(snippet.lines) == snippet.code.count("\n") + 1 > max(about, default=0), "a claim beyond its code"


def _checked(extraction: Extraction, chance: Chance) -> Checked:
    planned = plan(extraction, (), lambda module: module == "torch")
    runs = {
        one.id: Observed(first=planned.refused[one.id]) if one.id in planned.refused else _observed(one, chance)
        for one in extraction.snippets
    }
    verdicts = tuple(judged(extraction.snippets, planned, runs))
    fails = failures(extraction, planned, runs)
    return Checked(source=extraction.document.source.name, runs=runs, verdicts=verdicts, apis=(), fails=fails)


def _observed(snippet: Any, chance: Chance) -> Observed:
    """A run in which torch said nearly what is claimed."""
    events = tuple(_event(claim, chance) for claim in snippet.claims for _ in range(chance.randrange(3)))
    return Observed(first=Observation(status=chance.choice(("ran", "ran", "error")), events=events))


def _event(claim: Any, chance: Chance) -> Event:
    text = _letter(claim.text, [], chance) if chance.random() < 0.5 else claim.text
    kind: Any = chance.choice(("stdout", "value", "probe", "exception", "warning", "stderr"))
    value = Value(kind="other", type="builtins.object", repr=text)
    line = getattr(claim, "code_line", None)
    target = getattr(claim, "target", None)
    return Event(kind=kind, text=text, inner=line, outer=line, outer_end=line, target=target, values=(value,))


def _reported(results: Results) -> None:
    for report in REPORTERS.values():
        report(outcome(results))
    terminal.inspected(results)
    terminal.explained(results)
    data.inspected(results)


def a_document(texts: list[str], chance: Chance) -> Callable[[], None]:
    """One try, not made yet."""
    text = damaged(texts, chance)
    data = text.encode("utf-8", "surrogatepass") if chance.random() < 0.97 else text.encode("utf-16", "replace")
    name = f"any{chance.choice(ENDINGS)}"
    return lambda: go_all_the_way(name, data, chance)


def a_configuration(texts: list[str], chance: Chance) -> Callable[[], None]:
    """A `deck.toml`, or the lock of one."""
    if chance.random() < 0.5:
        text = damaged([_config(chance)], chance)
        return lambda: void(parse_config(files.decode(text.encode("utf-8", "replace"), "deck.toml").text, "deck.toml"))
    text = damaged([LOCK], chance)
    return lambda: void(format_lock(parse_lock(text, "deckgen.lock", NOW)))


def void(_value: object) -> None:
    """What it is does not matter."""


LOCK = """version 1
deck {"id": 1700000000000, "name": "Deck"}
notetypes {"hash": "abc", "mtime": 1700000000}
subdeck {"name": "10 Tensors", "file": "a.md"}
note {"guid": "g1", "key": "a/b", "hash": "h", "mtime": 1700000000, "due": 1, "files": ["a.md"], "title": "t", "kind": "basic"}
end
"""
VALUES = (
    "1", "-1", "0.5", "inf", "nan", "1e308", "-0.0", "10" * 300, '"x"', '""', "[]", '["a", "b"]', "[[]]", "{}",
    '{text = "a", reason = "b"}', '[{text = "a", reason = "b", source = "["}]', "true", "1979-05-27", "07:32:00",
    '"""\n"""', '"\\u0000"', '"A::B"', '"::"', '"[!"', '["["]', "9007199254740993",
)  # fmt: skip


def _config(chance: Chance) -> str:
    keys = [*KEYS, "wrong", '"quoted key"', "a.b.c", "timeout"]
    return "\n".join(f"{chance.choice(keys)} = {chance.choice(VALUES)}" for _ in range(chance.randrange(1, 6)))


class TooSlowError(Exception):
    """A try took too long."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises TooSlowError in a body that takes longer, of CPU time: neighbours do not count."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault(seed: int, texts: list[str]) -> str | None:
    """What went wrong at one try; None if nothing did."""
    chance = random.Random(seed)
    make_one = a_document if seed % 3 else a_configuration
    return failure(make_one(texts, chance))


def failure(attempt: Callable[[], None]) -> str | None:
    """The traceback of what is raised, or takes too long; None for nothing, and for an error that tells a person what to do."""
    try:
        with within(SLOW):
            attempt()
    except (SourceError, UsageError):
        return None
    except Exception:
        return traceback.format_exc()
    return None


def print_faults(of_seed: Callable[[int, list[str]], str | None]) -> None:
    """Each fault once, by the place where it arose; the command line says how many tries, from which seed, with which folders."""
    count, seed = (int(word) for word in (*sys.argv[1:3], *("1000", "0")[len(sys.argv[1:3]) :]))
    texts = documents((*OWN, *map(Path, sys.argv[3:])))
    seen = Counter[tuple[str, ...]]()
    started = time.monotonic()
    for number in range(seed, seed + count):
        if told := of_seed(number, texts):
            ours = [line for line in told.splitlines() if "/deckgen/" in line]
            place = (*ours[-1:], told.strip().rpartition("\n")[2][:60])
            seen[place] += 1
            if seen[place] == 1:
                print(f"seed {number}:", *told.splitlines()[-SHOWN:], sep="\n", flush=True)
    print(f"{count} tries, {len(seen)} faults ({seen.total()} times), {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    print_faults(fault)
