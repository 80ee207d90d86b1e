"""The words of reports: what each says, an example, and what to do about it. `deckgen explain WORD` prints a row."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """One of them."""

    name: str
    says: str
    example: str
    """Markdown of which deckgen says it; empty where the notes alone do not decide that."""
    remedy: str


def _code(*lines: str) -> str:
    return "\n".join(("```python", "import torch", *lines, "```"))


_NOTHING = "nothing"
_FIX = "correct the notes (`deckgen update` writes what torch shows), or waive the claim: `{no-run}` on its fence, `[[waivers]]` in `deck.toml`"
_RENAME = "write the name that the message gives; `deckgen api NAME` shows what torch has"
_SUGGESTED = (
    "take it in `deckgen review`, write `<!-- deckgen: keep -->` above it, or ship all with `--suggestions ship`"
)

CLAIMS: tuple[Word, ...] = (
    Word("holds", "What the notes claim is what torch shows.", _code("print(torch.arange(4).sum())  # tensor(6)"), _NOTHING),
    Word("holds-structure", "Shape, type and form are what torch shows; the numbers are random, and another draw can give these.", _code("print(torch.rand(2))  # tensor([0.4963, 0.7682])"), f"{_NOTHING}; a seed (`torch.manual_seed(0)` in the code, or `{{seed=0}}` on its fence) lets the numbers be checked. The note may still be only suggested then, since nobody should learn the numbers of a random generator: ask for the shape or the type"),
    Word("holds-pattern", "It is what torch shows but for an address, which is another one each time.", _code("print(torch.relu)  # <built-in method relu of type object at 0x7f11>"), _NOTHING),
    Word("drift-format", "The same values, formatted differently from torch.", _code("print(torch.ones(2).sum().item())  # 2"), f"{_NOTHING}; `deckgen update` writes it as torch does"),
    Word("drift-digits", "A number misses by one unit in the last of its four or more digits; the card shows the digits that torch shows.", _code("print(torch.tensor(2.0).sqrt())  # tensor(1.4143)"), "`deckgen update` writes the digits that torch shows"),
    Word("contradicted", "Torch shows something else than the notes claim. No card is made of it.", _code("print(torch.arange(4).sum())  # tensor(7)"), _FIX),
    Word("error", "The code stops with an exception before it shows what the notes claim.", _code("print(torch.ones(2).view(3))  # tensor([1., 1.])"), "correct the code, or claim the exception: `# RuntimeError: ...`"),
    Word("unverified", "It could not be checked here; the message has the reason, which `deckgen explain` knows, too.", _code("print(model(torch.ones(2)))  # tensor([1., 1.])"), "see what its reason wants. It fails a run only with `--fail-on unverified` or `any`, with `--min-checked`, or if no claim at all could be checked"),
    Word("skipped", "It is about another version of torch or Python than the one here, or about more GPUs.", "Before torch 2.0 {torch<2.0}:\n\n" + _code("print(torch.arange(2))  # tensor([0, 1, 2])").replace("python", "python {torch<2.0}", 1), _NOTHING),
)  # fmt: skip
"""What becomes of a claim about running code, or for the last two of a name."""
NAMES: tuple[Word, ...] = (
    Word("exists", "Torch has this name, with the parameters that are written.", "`torch.cat(tensors)` joins tensors.", _NOTHING),
    Word("signature-differs", "Torch has the name, and not a parameter or default that is written.", "| function | what it does |\n| --- | --- |\n| `torch.cat(tensors, axes)` | joins tensors |", _RENAME),
    Word("renamed", "Torch has no such name, and one that is near.", "`torch.catt(tensors)` joins tensors.", _RENAME),
    Word("missing", "Torch has no such name, and none that is near.", "`torch.frobnicate(tensors)` joins tensors.", _RENAME),
    Word("deprecated", "Torch has the name, and says that it will go.", "`torch.nn.utils.weight_norm(module)` splits a weight.", f"{_NOTHING}; `--fail-on deprecated` makes it fail a run"),
    Word("wrong-pair", "Both names exist, and are not the counterparts that the notes call them.", "", _RENAME),
    Word("not-an-api", "It looks like a name of torch, and is the notes' own or another library's.", "", _NOTHING),
)  # fmt: skip
"""What becomes of a name of the API."""
RUNS: tuple[Word, ...] = (
    Word("fails", "Code raises an exception, by a call of torch or above a claim, of which the notes do not speak. No new card is made of it; it is a warning.", _code("x = torch.ones(2).view(3)"), "correct the code, or say so: `{raises=RuntimeError}` on its fence; `--fail-on fails` makes it fail a run"),
    Word("broad-waiver", "A waiver covers more than a tenth of a deck's claims, or leaves none to check; it is a warning.", "", "give more of the claim as its `text`, and a `source`; `--fail-on broad-waiver` makes it fail a run"),
    Word("unreadable", "A source, or code that it includes, cannot be read; the others were.", "", "the message says why"),
    Word("waiver", "`[[waivers]]` in `deck.toml`: claims with this text are left unjudged, for the reason that is given.", "", "write `text` (six characters or more of the claim), `reason`, and perhaps `source`, a glob"),
)  # fmt: skip
"""What else reports tell."""
DECISIONS: tuple[Word, ...] = (
    Word("shipped", "The note is in the package.", "", _NOTHING),
    Word("corrected", "Learners have the note and torch contradicts it: it is shipped with what torch shows.", "", _FIX),
    Word("suggested", "Nobody wrote it as a card and deckgen is not sure of it: it waits for its author.", "", _SUGGESTED),
    Word("withheld", "No card is made: torch contradicts it, or its output is random, the machine's, or unchecked.", "", "`--explain` says why; correct the notes"),
    Word("declared", "Its author wrote it as a card. It is left out only if one side is empty, or for what torch says of it: a contradiction, an error that the notes do not name, or an output to recall that is random or could not be checked.", "", _NOTHING),
    Word("sure", "A reliable rule found it, and nothing speaks against it: it is shipped without a question.", "", _NOTHING),
    Word("proved", "The answer of the card is just what a claim says, and that holds: the card says \"answer checked on torch ...\".", "", _NOTHING),
    Word("refuted", "Torch denies something that the card says.", "", _FIX),
    Word("names", "The names of the API on the card were looked up; nothing else on it was checked.", "", _NOTHING),
    Word("open", "Nothing can decide the answer: a reason, a meaning, an opinion. Code that holds beside it does not prove it.", "", _NOTHING),
)  # fmt: skip
"""What becomes of a note, and how much of its card is checked."""
OTHERS: tuple[Word, ...] = (
    Word("decided", "A card in words whose answer torch can decide: docs/decided.md lists the forms.", "Q: What is the shape of `torch.ones(2, 3)`?\nA: `(2, 3)`", _NOTHING),
    Word("stored", "An output that a notebook keeps beside its cell.", "", _NOTHING),
    Word("answer", "The value that an answer gives for the code that its question shows.", "", _NOTHING),
    Word("left_over", "Lines of which no rule made anything.", "", "write them as a card (docs/notations.md), or leave them"),
    Word("unwieldy", "A block that is too large to be read.", "", "cut it into several"),
)  # fmt: skip
"""Forms and rules that are no row of a table."""
