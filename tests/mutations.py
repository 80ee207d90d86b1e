"""One visible edit of what a claim says: a digit, a sign, a dtype, an entry of a shape, the name of an error, a word."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from deckgen.model.claim import Claim, HasShape, Prints, Raises, Shows, Snippet
from deckgen.model.observation import Observed
from deckgen.model.verdict import Verdict
from deckgen.verify.judge import judge

NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])")
DTYPES = ("float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "uint8", "complex64")
DTYPE = re.compile(r"\b(?:torch\.)?(" + "|".join(DTYPES) + r")\b")
SIZE = re.compile(r"(?:torch\.Size\(\[|size=\(|shape: ?\(|\()(\d+(?:, ?\d+)*),?(?:\]\)|\))")
ERROR = re.compile(r"\b[A-Z]\w*Error\b")
WORD = re.compile(r"(?<![\w.#'])[A-Za-z]{4,}(?![\w.(])")
FLAG = re.compile(r", (?:requires_grad=True|grad_fn=<\w+>)")
CLASS = re.compile(r"(?<=<)(?:[\w.]*\.)?(\w{3,})(?= object)")


def edits(claim: Claim, chance: random.Random) -> Iterator[tuple[str, Claim]]:
    """(kind, the claim with one edit), one of each kind that fits."""
    if isinstance(claim, HasShape):
        yield from _of_shapes(claim, chance)
    elif isinstance(claim, Raises):
        if claim.exception:
            other = "KeyError" if claim.exception != "KeyError" else "ValueError"
            yield "error", replace(claim, exception=other, text=claim.text.replace(claim.exception, other))
    else:
        for kind, text in _of_text(claim, chance):
            if _means_another(claim.text, text):
                yield kind, replace(claim, text=text)


def _of_shapes(claim: HasShape, chance: random.Random) -> Iterator[tuple[str, Claim]]:
    places = [(at, dim) for at, shape in enumerate(claim.shapes) for dim in range(len(shape))]
    if places:
        at, dim = chance.choice(places)
        shape = [*claim.shapes[at]]
        shape[dim] += chance.randint(1, 5)
        yield "shape", replace(claim, shapes=(*claim.shapes[:at], tuple(shape), *claim.shapes[at + 1 :]))


def _of_text(claim: Prints | Shows, chance: random.Random) -> Iterator[tuple[str, str]]:
    text = claim.text
    numbers = list(NUMBER.finditer(text))
    if numbers:
        number = chance.choice(numbers)
        digits = [at for at in range(*number.span()) if text[at].isdigit()]
        at = chance.choice(digits)
        yield "digit", text[:at] + str((int(text[at]) + chance.randint(1, 9)) % 10) + text[at + 1 :]
    signed = [one for one in numbers if float(one[0])]
    if signed:
        at = chance.choice(signed).start()
        yield "sign", text[: at - 1] + text[at:] if text[at - 1 : at] == "-" else f"{text[:at]}-{text[at:]}"
    if found := DTYPE.search(text):
        other = chance.choice([one for one in DTYPES if one != found[1]])
        yield "dtype", text[: found.start(1)] + other + text[found.end(1) :]
    for old, new in (("True", "False"), ("False", "True")):
        if re.search(rf"\b{old}\b", text):
            yield "truth", re.sub(rf"\b{old}\b", new, text, count=1)
            break
    if found := ERROR.search(text):
        yield "error", text.replace(found[0], "ZeroDivisionError", 1)
    words = [one for one in WORD.finditer(text) if one[0] not in ("True", "False", "None", "tensor", "array", *DTYPES)]
    if words:
        one = chance.choice(words)
        yield "word", f"{text[: one.start()]}{one[0][::-1].lower()}x{text[one.end() :]}"


def structural_edits(claim: Claim, chance: random.Random) -> Iterator[tuple[str, Claim]]:
    """The same for what holds by structure or pattern: shape, dtype, flags, names of classes."""
    if not isinstance(claim, Prints | Shows):
        return
    text = claim.text
    rows = [one for one in re.finditer(r"\[[^\[\]]*,[^\[\]]*\]", text) if "..." not in one[0]]
    if rows and "torch.Size" not in text:
        row = chance.choice(rows)
        yield "shape", replace(claim, text=text[: row.start()] + row[0][: row[0].rindex(",")] + "]" + text[row.end() :])
    if found := DTYPE.search(text):
        other = chance.choice([one for one in DTYPES if one != found[1]])
        yield "dtype", replace(claim, text=text[: found.start(1)] + other + text[found.end(1) :])
    elif re.fullmatch(r"tensor\(.*\)", text, re.DOTALL) and "dtype" not in text:
        yield "dtype", replace(claim, text=text[:-1] + ", dtype=torch.int16)")
    if found := FLAG.search(text):
        yield "flag", replace(claim, text=text.replace(found[0], "", 1))
    elif re.fullmatch(r"tensor\(.*\)", text, re.DOTALL):
        yield "flag", replace(claim, text=text[:-1] + ", requires_grad=True)")
    if found := CLASS.search(text):
        yield "class", replace(claim, text=text[: found.start(1)] + "Another" + text[found.end(1) :])


def _means_another(before: str, after: str) -> bool:
    """False for edits that change nothing: `-0.`, a leading zero, `1.0` for `1.00`."""
    return _plain(before) != _plain(after)


def _plain(text: str) -> str:
    return re.sub(r"-0(?:\.0*)?(?![\d.])", "0.", NUMBER.sub(lambda one: f"{float(one[0]):.12g}", text)).replace(
        "-0", "0"
    )


def judged_anew(snippet: Snippet, observed: Observed, claim: Claim) -> Verdict:
    """The verdict on an edited claim, by what was observed of its snippet."""
    mutant = replace(snippet, claims=tuple(claim if one.id == claim.id else one for one in snippet.claims))
    return next(verdict for verdict in judge(mutant, observed) if verdict.claim.id == claim.id)
