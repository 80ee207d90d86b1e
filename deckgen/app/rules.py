"""Every rule that a report names, for `deckgen rules` and `deckgen explain`: the rows of all tables, and the words of reports."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from deckgen.extract import extract
from deckgen.extract.rows import TABLES
from deckgen.model.errors import UsageError
from deckgen.model.exit_codes import EXIT_CODES
from deckgen.model.note import back, front
from deckgen.model.source import Source
from deckgen.model.variables import VARIABLES
from deckgen.outcome import REASONS_IN_WORDS
from deckgen.read import read
from deckgen.report import reasons, words
from deckgen.text.wording import near_ones, one_line, without_fences

WORDS: tuple[tuple[str, Sequence[words.Word]], ...] = (
    ("What becomes of a claim", words.CLAIMS),
    ("What becomes of a name of the API", words.NAMES),
    ("What is told besides", words.RUNS),
    ("What becomes of a note", words.DECISIONS),
    ("Other rules", words.OTHERS),
)
_NOTES = "`<!-- deckgen: skip -->` above it leaves it out; `deckgen inspect --rule` lists what a rule gave"
_CLAIMS = "if it is no claim: `{no-run}` on its fence, or `[[waivers]]` in `deck.toml`"
REMEDIES = {
    "RULES": _NOTES, "OPTIONS": _NOTES, "BLANKS": _NOTES, "FORMS": _CLAIMS, "BELOW": _CLAIMS, "INSIDE": _CLAIMS, "OUTPUTS": _CLAIMS,
    "DOUBTS": "take the note in `deckgen review`, or write `<!-- deckgen: keep -->` above it",
}  # fmt: skip
"""What to do about what a row of a table gives, by its table."""
_WANTED = {"missing-file": "FILE", "missing-module": "MODULE"}
"""What stands for the name in a reason, where it is not that of a value."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, as its author meant it."""

    group: str
    name: str
    """As reports name it."""
    says: str
    example: str
    remedy: str

    def lines(self) -> Iterator[str]:
        """All of it, for people; with what becomes of the example, where notes or claims are found in it."""
        yield f"{self.name} ({self.group})"
        yield from [f"  {self.says}"] * bool(self.says)
        if example := self.example.strip("\n"):
            yield from ("  an example:", "", *(f"      {line}".rstrip() for line in example.split("\n")), "")
            found = extract(read(Source("example.md", f"{example}\n")))
            for note in found.notes:
                doubts = "".join(f"; doubted: {doubt.name}" for doubt in note.doubts)
                yield f"  a note ({note.rule}; {note.standing}{doubts}): {_shown(front(note))} => {_shown(back(note))}"
            for claim in (claim for snippet in found.snippets for claim in snippet.claims):
                yield f"  a claim ({claim.form}): {one_line(claim.text)}"
        yield from [f"  what to do: {self.remedy}"] * bool(self.remedy)


def _shown(text: str) -> str:
    return one_line(without_fences(text))


def rules() -> Iterator[Rule]:
    """All of them, group by group."""
    for group, found in WORDS:
        yield from (Rule(group, *word) for word in found)
    for name, says in REASONS_IN_WORDS.items():
        yield Rule(
            "Why something is unverified",
            name,
            f"{says[0].upper()}{says[1:].format(_WANTED.get(name, 'NAME'))}.",
            "",
            reasons.REMEDIES[name],
        )
    for number, (says, remedy) in EXIT_CODES.items():
        yield Rule("Exit status", f"exit {number}", says, "", remedy)
    for name, (says, value) in VARIABLES.items():
        yield Rule("Variables of the environment", name, says, "", f"such as `{name}={value}`")
    for table in TABLES:
        for row in table.rows():
            yield Rule(table.title, row.name, _says(row), row.example, REMEDIES[table.attribute])


def explain(asked: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of these names, of which one may be several words; `worth: label` is `label`. Raises UsageError."""
    every = [*rules()]
    known = {rule.name for rule in every}
    names = dict.fromkeys(_names(" ".join(asked).removeprefix("worth: ").split(), known))
    return tuple(rule for name in names for rule in every if rule.name == name)


def _names(words: Sequence[str], known: Collection[str]) -> Iterator[str]:
    """The names that these words are, the longest first: `long code fails` is `long code` and `fails`."""
    while words:
        some = (count for count in range(len(words), 0, -1) if " ".join(words[:count]) in known)
        count = next(some, 0)
        if not count:
            hint = near_ones(" ".join(words), known) or near_ones(words[0], known) or "`deckgen rules` lists them"
            raise UsageError(f"there is no rule `{words[0]}`", hint=hint)
        yield " ".join(words[:count])
        words = words[count:]


def _says(row: Any) -> str:
    """What a row says of itself: its reason, or the first line of what its function says."""
    reason = getattr(row, "reason", "")
    if reason:
        return f"A note is doubted, since {reason}."
    function = next((getattr(row, name) for name in ("find", "read", "cut") if hasattr(row, name)), None)
    return (function.__doc__ or "").partition("\n")[0] if function else ""
