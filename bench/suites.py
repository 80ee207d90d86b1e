"""`python -m bench.suites FOLDER... [-v]` runs other people's test suites through deckgen. Nothing is fetched.

A folder is a copy of such a project. What is done with a file depends on what is in it:

- Markdown specifications (CommonMark, GFM: fences of 32 backticks, `example`): each example is rendered, and
  each stands once as the answer below a question. *Same* is the same HTML; *policy* is what a card shows in another
  way on purpose (tags that are not allowed are shown as text, addresses of scripts are dropped, a line break stays
  one); *wrong* is a card whose visible text differs, or an answer that gives no card and is neither a heading, a rule nor nothing.
- Cloze deletions in Rust strings (Anki): each stands as a line of notes. Wrong is a card that shows `{{c`;
  what does not close is text.
- `>>>` in Markdown, reStructuredText and text (sybil, pytest): Python's own doctest says which examples are right.
  Wrong is a held claim that doctest refuses, or a false alarm. Sources whose examples doctest cannot parse are left out, and
  what it refuses for an exception: it runs none of the code blocks above.
- `#>` outputs (pytest-examples): what stands below OUTPUT holds.
- Notebooks (nbval): a name with `-fail-` has a false output, one with `-pass-` has none.
"""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal, NamedTuple

from deckgen import api
from deckgen.extract import extract
from deckgen.model.note import back, front
from deckgen.model.source import Source
from deckgen.model.verdict import FALSE, HELD, Verdict, VerdictKind
from deckgen.read import read
from deckgen.render import no_media, prose
from deckgen.render.media import Pictures
from deckgen.text import tags

Result = Literal["same", "policy", "wrong"]


class Tried(NamedTuple):
    """One example of a suite: what came of it, and why if it is not the same."""

    suite: str
    name: str
    result: Result
    why: str = ""


class _Text(HTMLParser):
    """The text that a browser would show."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.hidden = False

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(data)

    def handle_endtag(self, tag: str) -> None:
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A picture that is not there shows its alternative text; a script shows nothing."""
        self.hidden = tag in ("script", "style", "textarea", "title")
        if tag == "img":
            self.pieces.append(dict(attrs).get("alt") or "")


def visible(markup: str) -> str:
    """The visible text of HTML, without white space."""
    reader = _Text()
    reader.feed(markup)
    reader.close()
    return "".join("".join(reader.pieces).split())


_EXAMPLE = re.compile(r"^`{32} example[^\n]*\n(.*?)^\.\n(.*?)^`{32}$", re.MULTILINE | re.DOTALL)
_APART = re.compile(r"<h[1-6]>|<hr|<table")
"""What ends an answer, or gives cards of its own."""
_POLICIES = (
    (re.compile(r"\[\^"), "a footnote stands where it is referred to"),
    (re.compile(r"^\s*[-*] \[[ x]\] ", re.MULTILINE), "a task keeps its box, and below a question is an option"),
    (re.compile(r"<!--"), "a comment ends as CommonMark 0.31 has it"),
    (re.compile(r"!\["), "a picture from elsewhere is not shown, or by its name"),
)
"""Markdown that is shown in another way on purpose."""
_APART_POLICIES = (
    (re.compile(r"^>>>", re.MULTILINE), "three marks of a quote are a session of Python"),
    (re.compile(r"^\s*=+$", re.MULTILINE), "an underline makes a heading of what stands above it"),
)
"""The same, of answers."""
_MARKS = str.maketrans("", "", "*_~-[]☐☑")
"""Signs of Markdown: a tag that is text here has Markdown beside it, one `~` strikes nothing out, and what begins like an
item is one."""


def _policy(
    markdown: str, expected: str, ours: str, theirs: str, policies: tuple[tuple[re.Pattern[str], str], ...]
) -> str:
    """Why what is shown differs on purpose; empty for an error."""
    if "<IGNORE>" in expected:
        return "the suite expects nothing"
    if ours.translate(_MARKS) == theirs.translate(_MARKS):
        return "the same but for marks of Markdown"
    return next((reason for found, reason in policies if found.search(markdown)), "")


def specification(path: Path) -> Iterator[Tried]:
    """A Markdown specification, through the renderer and as answers."""
    for number, found in enumerate(_EXAMPLE.finditer(path.read_text("utf-8")), start=1):
        markdown, expected = (text.replace("→", "\t") for text in found.groups())
        name = f"{path.name} {number}"
        yield Tried(f"{path.stem}: rendered", name, *_rendered(markdown, expected))
        yield Tried(f"{path.stem}: as answers", name, *_answer(markdown, expected, name))


def _rendered(markdown: str, expected: str) -> tuple[Result, str]:
    markup = prose.html(markdown, Pictures(no_media))
    if "".join(markup.split()) == "".join(expected.split()):
        return "same", ""
    ours, theirs = visible(markup), visible(tags.escaped(expected))
    if ours == theirs:
        return "policy", "the same text, marked up in another way"
    if why := _policy(markdown, expected, ours, theirs, _POLICIES):
        return "policy", why
    return "wrong", f"{markdown!r}\n   expected {theirs!r}\n   shown    {ours!r}"


def _answer(markdown: str, expected: str, name: str) -> tuple[Result, str]:
    asked = f"What does {name} show?"
    made = extract(read(Source("answers.md", f"# Answers\n\n### {asked}\n\n{markdown}\n")))
    notes = [note for note in made.notes if asked in front(note)]
    text = visible(tags.escaped(expected))
    shown = visible(prose.html(back(notes[0]), Pictures(no_media))) if notes else ""
    if notes and shown == text:
        return "same", ""
    if _APART.search(expected):
        return "policy", "headings, rules and tables are no part of an answer"
    if not notes and "<code>" not in expected and not any(map(str.isalnum, text)):
        return "policy", "signs alone: a rule, or a place to fill in"
    if why := _policy(markdown, expected, shown, text, _POLICIES + _APART_POLICIES):
        return "policy", why
    if not notes:
        return "wrong", f"no note: {markdown!r}"
    return "wrong", f"{markdown!r}\n   expected {text!r}\n   shown    {shown!r}"


def clozes(path: Path) -> Iterator[Tried]:
    """The strings with cloze deletions in Anki's tests, a line of notes each."""
    texts = dict.fromkeys(re.findall(r'"([^"\n]*\{\{c\d[^"\n]*)"', path.read_text("utf-8")))
    for text in texts:
        made = extract(read(Source("clozes.md", f"# Clozes\n\nThe word {text} ends here.\n")))
        cards = [front(note) + back(note) for note in made.notes]
        cards += [f"{text} ends here.", f"| a | b |\n|---|---|\n| x | {text} |"]
        raw = [card for card in cards if "{{c" in visible(prose.html(card, Pictures(no_media)))]
        closed = text.count("{{") <= text.count("}}")
        yield Tried("Anki's clozes", text, ("wrong" if closed else "policy") if raw else "same", "".join(raw))


_DOCTEST = """
import doctest, sys
from _pytest.doctest import _get_checker, _get_number_flag
doctest.OutputChecker = type(_get_checker())
doctest.testfile(sys.argv[1], module_relative=False, optionflags=_get_number_flag() | doctest.ELLIPSIS)
"""
"""Python's doctest with pytest's reading of numbers: to the digits that are written."""


def transcripts(path: Path) -> Iterator[Tried]:
    """Examples with `>>>`; doctest judges a copy of the file in a process of its own."""
    text = re.sub(r"^[ \t]*(?:```|~~~).*", "", path.read_text("utf-8"), flags=re.MULTILINE)  # doctest knows no fences
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, path.name).write_text(text, "utf-8")
        run = subprocess.run(
            [sys.executable, "-c", _DOCTEST, path.name],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    if run.returncode:
        return
    refused = {int(line): why for line, why in _REFUSED.findall(run.stdout)}
    examples = [one for one in doctest.DocTestParser().get_examples(text) if one.want]
    verdicts = {
        verdict.claim.span.start: verdict
        for source in api.verify(str(path)).verification.sources
        for verdict in source.verdicts
    }
    for example in examples:
        first = example.lineno + example.source.count("\n")
        verdict = verdicts.get(first)
        false = example.lineno + 1 in refused
        name = f"{path.name}:{first + 1}"
        if verdict is None:
            yield Tried("doctest", name, "policy", "no claim")
        elif policy := _doctests_own(example.want, refused.get(example.lineno + 1, ""), verdict):
            yield Tried("doctest", name, "policy", f"{policy}: {_said(verdict)}")
        elif verdict.word in (HELD if false else FALSE):
            judged = "refuses" if false else "accepts"
            yield Tried("doctest", name, "wrong", f"doctest {judged} what {_said(verdict)}")
        else:
            yield Tried("doctest", name, "same" if verdict.word in HELD | FALSE else "policy", _said(verdict))


_REFUSED = re.compile(
    r'^File ".*", line (\d+), in .*\n(?:Failed example:\n(?: .*\n)+)?(Exception raised|Expected nothing|Expected)',
    re.MULTILINE,
)


def _doctests_own(want: str, refusal: str, verdict: Verdict) -> str:
    """Why doctest's word does not count; empty where it does."""
    if refusal == "Exception raised" and "Traceback" not in want:
        return "doctest has not run the code above"
    if want.rstrip().endswith(('"""', "'''")):
        return "the quotes that end a docstring are no output"
    if refusal and (verdict.observed or "").rstrip() == verdict.claim.text.rstrip():
        return "blanks at the end of a line do not count"
    if not refusal and re.fullmatch(r"(['\"])\d[\d.]*\1\n", want):
        return "a number in quotes is a text"
    return "`13.` is no other number than 13" if not refusal and re.search(r"\d\.(?!\d)", want) else ""


def _said(verdict: Verdict) -> str:
    return f"{verdict.word}: {verdict.claim.text!r} ({verdict.reason or verdict.observed or ''})"


def printed(path: Path) -> Iterator[Tried]:
    """`#>` outputs: all that stand below OUTPUT in a file of pytest-examples hold."""
    parts = re.split(r"^#{10,} \w+ #{10,}\n", path.read_text("utf-8"), flags=re.MULTILINE)
    if len(parts) < 2:
        return
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, path.name)
        notes.write_text(parts[1], "utf-8")
        for source in api.verify(str(notes)).verification.sources:
            for verdict in source.verdicts:
                result: Result = "wrong" if verdict.word in FALSE else "same" if verdict.word in HELD else "policy"
                yield Tried("pytest-examples", f"{path.name}:{verdict.claim.span.first}", result, _said(verdict))


def notebook(path: Path) -> Iterator[Tried]:
    """A notebook whose name says whether its outputs are right."""
    words = Counter(
        verdict.word for source in api.verify(str(path)).verification.sources for verdict in source.verdicts
    )
    red = sum(words[word] for word in FALSE)
    result: Result = "wrong" if (red and "-pass-" in path.name) or (not red and "-fail-" in path.name) else "same"
    if result == "wrong" and not red and words.total() == words[VerdictKind.HOLDS] == _stored(path):
        result = "policy"  # what is not stored claims nothing, and formulas and pictures are not read
    yield Tried("nbval", path.name, result, ", ".join(f"{count} {word}" for word, count in sorted(words.items())))


def _stored(path: Path) -> int:
    """How many outputs of a notebook are text and nothing else."""
    outputs = [one for cell in json.loads(path.read_text("utf-8"))["cells"] for one in cell.get("outputs", ())]
    return sum("text" in one or set(one.get("data", ())) == {"text/plain"} for one in outputs)


def tried(path: Path) -> Iterator[Tried]:
    """All that a file of a suite gives."""
    if path.suffix == ".ipynb":
        yield from notebook(path)
        return
    text = path.read_text("utf-8", errors="replace")
    if path.stem == "smart_punct":  # typographers' quotes are another dialect
        return
    if _EXAMPLE.search(text):
        yield from specification(path)
    elif path.suffix == ".rs" and "{{c" in text:
        yield from clozes(path)
    elif re.search(r"^#{10,} OUTPUT #{10,}$", text, re.MULTILINE):
        yield from printed(path)
    elif path.suffix in (".md", ".rst", ".txt") and ">>> " in text:
        yield from transcripts(path)


def main(arguments: list[str]) -> int:
    """Prints a table of all suites, and all that is wrong (with -v: all that is not the same)."""
    verbose = "-v" in arguments
    counts: Counter[tuple[str, Result]] = Counter()
    for folder in (Path(one) for one in arguments if one != "-v"):
        for path in sorted(one for one in folder.rglob("*") if one.is_file() and ".git" not in one.parts):
            for one in tried(path):
                counts[one.suite, one.result] += 1
                if one.result == "wrong" or (verbose and one.result == "policy"):
                    print(f"{one.result}: {one.name}: {one.why}")
    print("\n| suite | same | by policy | wrong |\n|---|---|---|---|")
    for suite in sorted({suite for suite, _ in counts}):
        print(f"| {suite} | {counts[suite, 'same']} | {counts[suite, 'policy']} | {counts[suite, 'wrong']} |")
    return 1 if any(result == "wrong" for _, result in counts) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
