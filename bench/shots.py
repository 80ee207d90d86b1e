"""`python -m bench.shots [NAME...]` takes the pictures of README.md, docs/tutorial.md and docs/decks.md: real cards of the shipped decks, real output of a build in colour.

Cards are built from `cards/`, imported by Anki's own importer and rendered by Anki; Chromium takes the picture.
`docs/pictures/shown.json` holds a digest of what each picture shows, so that a test can tell which one is out of date.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from deckgen.identity import parse_lock
from deckgen.identity.lock import LockedNote
from deckgen.paint import STYLES
from deckgen.render import LOOK_CHANGED

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
SHOWN = PICTURES / "shown.json"
KINDS = ("output", "basic", "api", "choice", "cloze")
"""Of these a picture of a deck shows the first three that the deck has, one card each."""
DRAWN = "pictures.md"
"""The source whose cards have pictures; `night` shows some of them."""
PHONE = 340
PAGE = """<!doctype html><meta charset="utf-8"><style>body { margin: 0; padding: 12px; background: #e6e8eb; }
main { display: inline-flex; gap: 12px; align-items: flex-start; } main > div { display: flex; flex-direction: column; gap: 12px; }
body:has(.night) { background: #08090b; } iframe { border: 0; border-radius: 10px; background: #fff; }
pre { margin: 0; padding: 16px; border-radius: 10px; background: #16181d; color: #e6e8eb; font: 13px/1.5 monospace; }
</style><main%s>%s</main>"""
COLOURS = TerminalTheme(
    (22, 24, 29), (230, 232, 235),
    [(22, 24, 29), (255, 154, 139), (143, 217, 154), (240, 205, 120), (130, 170, 255), (210, 160, 250), (120, 205, 220), (230, 232, 235)],
)  # fmt: skip
"""Background, foreground, and the eight colours that a terminal has by number."""
CARD = '<!doctype html><meta charset="utf-8"><style>%s</style><body class="%s" style="margin:0">%s</body>'
BODY = {"day": "card", "night": "card nightMode night_mode"}


def decks() -> Iterator[tuple[str, Path]]:
    """The shipped decks, each with the name of its picture."""
    for config in sorted((ROOT / "cards").glob("*/deck.toml")):
        yield config.parent.name, config.parent
    for config in sorted((ROOT / "cards" / "zh").glob("*/deck.toml")):
        yield f"{config.parent.name}.zh", config.parent


def chosen(folder: Path) -> list[LockedNote]:
    """The first note of each kind in the order of study, three of them."""
    return _firsts(_notes(folder))[:3]


def of_all(folder: Path) -> dict[str, list[LockedNote]]:
    """For the pictures of all decks, from one deck: a card of each kind, and three at night, two of them with pictures."""
    notes = _notes(folder)
    drawn = [note for note in notes if note.files == (DRAWN,)]
    plain = [note for note in notes if note.files != (DRAWN,)]
    choice = next(note for note in drawn if note.kind == "choice")
    output, basic, api = (next(note for note in plain if note.kind == kind) for kind in KINDS[:3])
    kinds = [basic, output, choice, api]  # three columns: the low cards are one above the other
    return {"kinds": kinds, "night": [output, *drawn[1:3]], "card": [output]}


def _notes(folder: Path) -> list[LockedNote]:
    lock = parse_lock((folder / "deckgen.lock").read_text("utf-8"), f"{folder}/deckgen.lock", int(time.time()))
    return sorted(lock.live, key=attrgetter("due"))


def _firsts(notes: Sequence[LockedNote]) -> list[LockedNote]:
    firsts = [next((note for note in notes if note.kind == kind), None) for kind in KINDS]
    return [note for note in firsts if note]


def overviews() -> Iterator[tuple[str, Path, str, list[LockedNote]]]:
    """The pictures of all decks in both languages: name, deck that gives the cards, time of day, notes."""
    for folder, suffix in ((ROOT / "cards", ""), (ROOT / "cards" / "zh", ".zh")):
        for name, notes in of_all(folder / "tensors").items():
            yield f"{name}{suffix}", folder / "tensors", "night" if name == "night" else "day", notes


def cards(folder: Path, wanted: Sequence[LockedNote], time_of_day: str = "day") -> list[str]:
    """The pages of cards of a deck, with their answers, as Anki renders them."""
    with tempfile.TemporaryDirectory() as place:
        _deckgen("build", str(folder), "--output", place, "--quiet", folder=ROOT)
        (package,) = Path(place).glob("*.apkg")
        collection = Collection(f"{place}/collection.anki2")
        try:
            options = ImportAnkiPackageOptions(merge_notetypes=True)
            collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(package), options=options))
            return [_page(collection, note.guid, BODY[time_of_day]) for note in wanted]
        finally:
            collection.close()


def _page(collection: Collection, guid: str, body: str) -> str:
    media = Path(collection.media.dir())
    notes = map(collection.get_note, collection.find_notes(""))
    output = next(note for note in notes if note.guid == guid).cards()[0].render_output()
    return CARD % (
        output.css,
        body,
        re.sub(r'src="([^"]+)"', lambda name: _embedded(media / name[1]), output.answer_text),
    )


def _embedded(path: Path) -> str:
    data = base64.b64encode(path.read_bytes()).decode()
    return f'src="data:image/svg+xml;base64,{data}"'


def finding() -> str:
    """What `deckgen build --color always` says of the notes of the README, as a terminal shows it."""
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "notes").mkdir()
        (Path(place) / "notes" / "shapes.md").write_text(_fence("example: notes/shapes.md"), "utf-8")
        told = _deckgen("build", "notes", "--color", "always", folder=Path(place))
    lines = ["$ deckgen build notes", *(line for line in told.splitlines() if not line.startswith("torch "))]
    return page_of("\n".join(lines))


def page_of(told: str) -> str:
    """What a terminal was told, in its colours, as HTML."""
    console = Console(record=True, width=160, file=io.StringIO(), color_system="truecolor", force_terminal=True)
    console.print(Text.from_ansi(told))
    return console.export_html(theme=COLOURS, inline_styles=True, code_format="<pre>{code}</pre>")


def _fence(marker: str) -> str:
    """The text of the fence in the README that follows `<!-- marker -->`. Raises ValueError if there is none."""
    readme = (ROOT / "README.md").read_text("utf-8")
    found = re.search(rf"<!-- {re.escape(marker)} -->\n(`{{3,}})\w*\n(.*?)\n\1\n", readme, re.DOTALL)
    if found is None:
        raise ValueError(f"the README has no {marker}")
    return f"{found[2]}\n"


def _deckgen(*arguments: str, folder: Path) -> str:
    """What the command prints. It may find something false; any other failure raises."""
    ran = subprocess.run(
        [sys.executable, "-m", "deckgen", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode > 1:
        raise RuntimeError(ran.stderr)
    return ran.stdout


def digests() -> dict[str, str]:
    """What each picture shows, in short: the notes by the hashes in their lock, the finding as the README quotes it."""
    quoted = _fence("output of: deckgen build notes")
    notes = {name: " ".join(note.hash for note in chosen(folder)) for name, folder in decks()}
    notes |= {name: " ".join(note.hash for note in found) for name, _, _, found in overviews()}
    return {
        name: hashlib.sha256(f"{LOOK_CHANGED} {text}".encode()).hexdigest()[:16]
        for name, text in (("finding", f"{STYLES} {quoted}"), *notes.items())
    }


def _shoot(page: Page, name: str, shown: list[str], time_of_day: str = "day") -> None:
    frames = [
        one if one.startswith("<pre") else f'<iframe width="{PHONE}" srcdoc="{html.escape(one)}"></iframe>'
        for one in shown
    ]
    columns = (frames[at::3] for at in range(min(3, len(frames))))
    made = "".join(f"<div>{''.join(column)}</div>" for column in columns)
    page.set_content(PAGE % (' class="night"' if time_of_day == "night" else "", made))
    page.wait_for_load_state("load")
    page.evaluate(
        "document.querySelectorAll('iframe').forEach(f => f.height = f.contentDocument.documentElement.scrollHeight)"
    )
    size = page.evaluate(
        "[document.querySelector('main').offsetWidth + 24, document.querySelector('main').offsetHeight + 24]"
    )
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.screenshot(path=PICTURES / f"{name}.png")


@contextmanager
def browser() -> Iterator[Page]:
    """A page of a real Chromium. Raises FileNotFoundError where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        raise FileNotFoundError("no Chromium on this machine")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield started.new_page(viewport={"width": 1100, "height": 800})
        finally:
            started.close()


def main(wanted: Sequence[str]) -> None:
    """Takes the pictures of these names; all, if none is named."""
    PICTURES.mkdir(exist_ok=True)
    taken = json.loads(SHOWN.read_text("utf-8"))
    with browser() as page:
        if not wanted or "finding" in wanted:
            _shoot(page, "finding", [finding()])
        for name, folder in decks():
            if not wanted or name in wanted:
                _shoot(page, name, cards(folder, chosen(folder)))
        for name, folder, time_of_day, notes in overviews():
            if not wanted or name in wanted:
                _shoot(page, name, cards(folder, notes, time_of_day), time_of_day)
    found = {name: now if not wanted or name in wanted else taken.get(name) for name, now in digests().items()}
    SHOWN.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
