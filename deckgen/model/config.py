"""`deck.toml`: what an author says about a deck.

Parsed by a table of keys, so that an unknown key is told apart from a wrong value, each with the line
where it stands and the name that was probably meant.

TOML of strangers: `deck.toml`, and front matter between `+++`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from typing import Any, Literal, NamedTuple

from deckgen.model.errors import UsageError
from deckgen.model.notation import Notation
from deckgen.text.pattern import pattern
from deckgen.text.wording import near_ones

Contradiction = Literal["withhold", "correct", "keep"]
LONGEST = 86_400
"""Seconds that a snippet may take at most: a day."""
Suggestions = Literal["ask", "ship"]
SUGGESTIONS: tuple[Suggestions, ...] = ("ask", "ship")
CONTRADICTIONS: tuple[Contradiction, ...] = ("withhold", "correct", "keep")

SOURCE_ENDINGS = (
    "*.md", "*.markdown", "*.mdx", "*.qmd", "*.rmd", "*.txt", "*.ipynb", "*.html", "*.htm", "*.json",
)  # fmt: skip
"""What a folder is searched for unless `include` says otherwise; a file named outright may end in anything.

Of JSON only chats are read (cards as data, in JSON, tables and Anki's exports, where somebody names them), of pages none that a program made (`files/walking.py`). The ending of a new reader goes here.
"""
OTHER_ENDINGS = (
    ".rst", ".org", ".adoc", ".tex", ".docx", ".odt", ".rtf", ".pdf", ".epub", ".mht", ".mhtml", ".jsonl", ".py",
)  # fmt: skip
"""What else people write notes in: a folder is not searched for these, and that is told."""


@dataclass(frozen=True, slots=True)
class Waiver:
    """Claims that the author knows about: those whose text contains `text`, in sources matching `source`."""

    text: str
    reason: str
    source: str = "*"
    line: int = field(default=1, compare=False, kw_only=True)
    """Where it stands in its `deck.toml`, from 1."""

    def is_about(self, source: str) -> bool:
        """True for a source, by its path in the deck, whose claims it may cover."""
        return fnmatch(source, self.source)

    def covers(self, claim: str) -> bool:
        """True for the text of a claim in such a source."""
        return self.text in claim


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckConfig:
    """The settings of one deck; everything has a default, so that no `deck.toml` is ever required."""

    id: int | None = None
    name: str | None = None
    description: str | None = None
    """What the deck is, in the author's words; Anki shows it above sources and versions."""
    language: Literal["zh", "en"] | None = None
    sources: tuple[str, ...] = ()
    """Files and folders, relative to the deck's folder, in the order of study; empty = the folder itself."""
    include: tuple[str, ...] = SOURCE_ENDINGS
    exclude: tuple[str, ...] = ()
    subdecks: bool = True
    """One subdeck per file; False = all notes in one deck."""
    tags: tuple[str, ...] = ()
    prelude: tuple[str, ...] = ()
    """Import lines that snippets may count on, besides the usual ones (torch, nn, F, optim, np, ...)."""
    timeout: float | None = None
    """Seconds of wall clock for a snippet; None = 30."""
    device: str | None = None
    waivers: tuple[Waiver, ...] = ()
    on_contradiction: Contradiction = "withhold"
    source_url: str | None = None
    """Where the sources can be read, shown on the back of cards: `https://.../{file}#L{line}`. `{file}` is relative to the deck's
    folder, `{path}` to the one where deckgen was started, and `{line}` counts from 1."""
    about: str = ""
    """What the `packages.toml` above says of all its decks; the description ends with it. No key of `deck.toml`."""
    suggestions: Suggestions = "ask"
    """What becomes of notes that are only suggested: they wait for the author, or are shipped."""
    headings: Literal["cards"] | None = None
    separators: bool = False
    highlight: Literal["cloze"] | None = None
    format: Literal["headings", "md2anki", "ankdown", "yanki"] | None = None
    is_written: bool = False
    """False where there is no `deck.toml`."""

    @property
    def notation(self) -> Notation:
        """What it says of how cards are written."""
        return Notation(
            is_deck=self.is_written,
            headings=self.headings == "cards",
            separators=self.separators,
            highlight=self.highlight == "cloze",
            format=self.format or "",
        )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def text_of(value: Any) -> str:
    """A text of a setting. Raises ValueError for what is none."""
    if not _is_text(value):
        raise ValueError("a non-empty string")
    return str(value).strip()


def address_of(value: Any) -> str:
    """An address of a setting. Raises ValueError for what is none."""
    # on a card it is a link, and a link may run a script or open a file
    if not re.match(r"https?://[^\s/]", text := text_of(value), re.IGNORECASE):
        raise ValueError("an address that begins with https:// or http://")
    return text


def texts_of(value: Any) -> tuple[str, ...]:
    """Texts of a setting, one or a list of them. Raises ValueError for what is none."""
    if isinstance(value, str):
        return (text_of(value),)
    if not isinstance(value, list):
        raise ValueError("a list of strings")
    if not all(map(_is_text, value)):
        raise ValueError("a list of non-empty strings")
    return tuple(map(text_of, value))


def _prelude(value: Any) -> tuple[str, ...]:
    """Lines of code, which must at least be Python: nothing that snippets count on comes from others. Raises ValueError."""
    from deckgen.text.syntax import parsed  # which most decks do without

    lines = texts_of(value)
    if parsed("\n".join(lines)) is None:
        raise ValueError("lines of Python")
    return lines


def _deck_name(value: Any) -> str:
    """`A::B` is a deck within a deck; Anki calls a part without a name `blank`."""
    parts = [part.strip() for part in text_of(value).split("::")]
    if not all(parts):
        raise ValueError("a name without empty parts between `::`")
    return "::".join(parts)


def _deck_id(value: Any) -> int:
    # Anki's ids are milliseconds since 1970 by habit; 1 is its Default deck
    if isinstance(value, bool) or not isinstance(value, int) or not 1 < value < 2**53:
        raise ValueError("a whole number above 1 and below 2**53 (`deckgen init` makes one)")
    return value


def seconds(value: Any) -> float:
    """A time limit. Raises ValueError for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LONGEST:
        raise ValueError(f"a number of seconds above 0 and up to {LONGEST}")
    return float(value)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _one_of(*words: str) -> Callable[[Any], str]:
    def parse(value: Any) -> str:
        if value not in words:
            raise ValueError("one of " + ", ".join(f'"{word}"' for word in words))
        return str(value)

    return parse


def _waivers(value: Any) -> tuple[Waiver, ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError("a list of tables, each [[waivers]] with `text` and `reason`")
    for item in value:
        if not {"text", "reason"} <= item.keys():
            raise ValueError("tables with `text` (part of the claim), `reason`, and perhaps `source` (a glob)")
        if not all(map(_is_text, item.values())):
            raise ValueError("tables whose values are non-empty strings")
    return tuple(Waiver(*(text_of(item.get(key, "*")) for key in WAIVERS)) for item in value)


class Key(NamedTuple):
    """A key of a file of settings: how its value is read, and all that an author needs to know of it.

    It is told here alone: docs/settings.md and the messages about wrong values are made of it.
    """

    read: Callable[[Any], Any]
    """Gives the value; raises ValueError("what is wanted")."""
    kind: str
    """What TOML the value is, in words."""
    default: str
    """What holds where the key is not written, in words."""
    says: str
    """Markdown: what it means."""
    example: str
    """A value, as TOML."""


KEYS: Mapping[str, Key] = {
    "id": Key(_deck_id, "whole number", "made of the deck's folder at the first build, and kept in `deckgen.lock`", "The number of the deck in Anki, made by `deckgen init`. Never change it: reviews hang on it.", "1763700000000"),
    "name": Key(_deck_name, "text", "the name of the folder", "The name of the deck; `A::B` is a deck B within a deck A.", '"PyTorch::Shapes"'),
    "description": Key(text_of, "text", "none", "What Anki shows of the deck, above its sources and the version of torch.", '"Shapes, one fact a card. MIT licence."'),
    "language": Key(_one_of("zh", "en"), '`"zh"` or `"en"`', "that of the notes", "The language of the words that deckgen adds to cards, such as \"What does this print?\".", '"en"'),
    "sources": Key(texts_of, "text, or list of texts", "the folder itself", "Files and folders of notes in the order of study, relative to the folder of the deck.", '["basics.md", "more"]'),
    "include": Key(texts_of, "text, or list of texts", "all endings of notes ([the table](notations.md#files))", "Patterns as for `exclude`: nothing else is read of the folder. Cards as data are read where they are named here.", '["*.md", "cards.jsonl"]'),
    "exclude": Key(texts_of, "text, or list of texts", "none", "Files that are left out: patterns of their names, or of their paths from the folder of the deck. `drafts/*` also means what is in folders below `drafts`.", '["drafts/*"]'),
    "subdecks": Key(_truth, "`true` or `false`", "`true`", "A subdeck for each file; `false` puts all notes into one deck.", "false"),
    "tags": Key(texts_of, "text, or list of texts", "none", "Tags of every note in Anki.", '["course-1"]'),
    "prelude": Key(_prelude, "text, or list of texts", "none", "Lines of imports that snippets may count on, besides the usual ones (`torch`, `nn`, `F`, `optim`, `np`).", '["from torch import linalg"]'),
    "timeout": Key(seconds, "number", "30", "Seconds of wall clock for a snippet, at most a day.", "60"),
    "device": Key(text_of, '`"auto"`, `"cpu"`, `"cuda"` or `"emulated"`', '`"auto"`', "Where code for CUDA runs ([what each word means](engine.md#cuda)).", '"cpu"'),
    "waivers": Key(_waivers, "list of tables", "none", "Claims that are not judged, each table `[[waivers]]` with keys of its own, see below.", '[{text = "tensor([0.1, 0.2])", reason = "differs on purpose"}]'),
    "on-contradiction": Key(_one_of(*CONTRADICTIONS), '`"withhold"`, `"correct"` or `"keep"`', '`"withhold"`', "What becomes of a note that torch contradicts: no card; a card with what torch shows; a card as the notes have it. A note that learners have already is corrected, unless it is `keep`.", '"correct"'),
    "source-url": Key(address_of, "text", "none", "Where the sources can be read, shown on the back of cards. `{file}` is the path from the folder of the deck, `{path}` from where deckgen was started, `{line}` counts from 1.", '"https://example.org/notes/{file}#L{line}"'),
    "suggestions": Key(_one_of(*SUGGESTIONS), '`"ask"` or `"ship"`', '`"ask"`', "What becomes of notes that are only suggested: they wait for you in `deckgen review`, or are all taken.", '"ship"'),
    "headings": Key(_one_of("cards"), '`"cards"`', "only short answers", "Each heading that asks is a card, however long its answer is.", '"cards"'),
    "separators": Key(_truth, "`true` or `false`", "`false`", "`term :: text` on a line, and `?` alone between two paragraphs, are cards without the tag of a tool for flashcards.", "true"),
    "highlight": Key(_one_of("cloze"), '`"cloze"`', "no gap", "`==text==` is a gap.", '"cloze"'),
    "format": Key(_one_of("headings", "md2anki", "ankdown", "yanki"), '`"headings"`, `"md2anki"`, `"ankdown"` or `"yanki"`', "told from the text", "All files are written for another tool ([formats.md](formats.md)).", '"headings"'),
}  # fmt: skip
"""Every key of `deck.toml`."""


WAIVERS: Mapping[str, Key] = {
    "text": Key(text_of, "text", "must be given", "A part of the claims that are meant, of six characters or more.", '"tensor([0.1, 0.2])"'),
    "reason": Key(text_of, "text", "must be given", "Why they are not judged; reports and reviewers read it.", '"differs on purpose"'),
    "source": Key(text_of, "text", '`"*"`', "A pattern of the files that are meant, by their path in the deck.", '"random/*.md"'),
}  # fmt: skip
"""Every key of `[[waivers]]`."""


def refuse_unknown(key: str, known: Collection[str], text: str, name: str) -> None:
    """Raises UsageError, with the line of the key and the known one that is near, if there is one."""
    if key not in known:
        hint = near_ones(key, known) or "known keys: " + ", ".join(known)
        raise UsageError(f"unknown key `{key}`", f"{name}:{line_of(key, text)}", hint)


def read_table(text: str, name: str) -> dict[str, Any]:
    """The table that a file of settings is; `name` is its path for messages. Raises UsageError with the line."""
    try:
        return parsed_toml(text)
    except ValueError as error:
        found = re.search(r"line (\d+)", str(error))
        where = f"{name}:{found.group(1)}" if found else name
        raise UsageError(f"not valid TOML: {error}", where, "see https://toml.io/en/v1.0.0") from None


def read_value(keys: Mapping[str, Key], key: str, value: Any, where: str) -> Any:
    """The value of a setting as its key wants it. Raises UsageError with what is wanted."""
    try:
        return keys[key].read(value)
    except ValueError as error:
        near = near_ones(value, re.findall('"([^"]+)"', str(error))) if isinstance(value, str) else ""
        raise UsageError(
            f"`{key}` must be {error}", where, near or f"it is {value!r}, and not such as {keys[key].example}"
        ) from None


def parse_config(text: str, name: str) -> DeckConfig:
    """Reads the text of a `deck.toml`; `name` is its path for messages. Raises UsageError."""
    table = read_table(text, name)
    waivers = table.get("waivers")
    for waiver in waivers if isinstance(waivers, list) else ():
        for key in waiver if isinstance(waiver, dict) else ():
            refuse_unknown(key, WAIVERS, text, name)
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"{name}:{line_of(key, text)}"
        refuse_unknown(key, KEYS, text, name)
        values[key.replace("-", "_")] = read_value(KEYS, key, value, where)
    config = DeckConfig(**values, is_written=True)
    return replace(config, waivers=_placed(config.waivers, text, name)) if config.waivers else config


SHORTEST_WAIVER = 6
"""Characters: `0.` or `loss` is part of claims that the author never meant."""
_WAIVER = pattern(r"\s*\[\[\s*[\"']?waivers\b")


def _placed(waivers: Sequence[Waiver], text: str, name: str) -> tuple[Waiver, ...]:
    """Waivers with their lines. Raises UsageError for one that may hide any claim."""
    lines = [number for number, line in enumerate(text.split("\n"), 1) if _WAIVER.match(line)]
    if len(lines) != len(waivers):
        lines = [line_of("waivers", text)] * len(waivers)
    placed = tuple(replace(waiver, line=line) for waiver, line in zip(waivers, lines, strict=True))
    for waiver in placed:
        if len(waiver.text) < SHORTEST_WAIVER:
            raise UsageError(
                f"a waiver for `{waiver.text}` would hide claims that it does not mean",
                f"{name}:{waiver.line}",
                f"give {SHORTEST_WAIVER} characters or more of the claim as `text`; `{{no-run}}` on a fence waives short ones",
            )
    return placed


def line_of(key: str, text: str) -> int:
    """The line on which a key stands in the text of a `deck.toml`, from 1."""
    found = re.search(rf"^[^\S\n]*(\[\[?\s*)?[\"']?{re.escape(key)}[\"']?\s*[\]=.]", text, re.MULTILINE)
    return text.count("\n", 0, found.end()) + 1 if found else 1


_DEEP_KEY = pattern(r"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){32}")
"""`a.b.c...`: reading it takes a time that grows with the square of its length."""


def parsed_toml(text: str) -> dict[str, Any]:
    """The table that a text is. Raises ValueError, whatever is wrong with it, with a line if it can be told."""
    if _DEEP_KEY.search(text):
        raise ValueError("nested too deeply")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
