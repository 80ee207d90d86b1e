"""Why something could not be judged, in words that a learner understands."""

import re
from pathlib import Path

import pytest

from deckgen.outcome import REASONS_IN_WORDS, in_words
from deckgen.verify.engine.records import REASONS as SEEN
from deckgen.verify.engine.runner import DEATHS
from deckgen.verify.judge.blame import OBSTACLES
from deckgen.verify.triage import REASONS

SAID = {
    "assumed-indentation", "not-reached", "context", "environment", "timed-out", "flooded", "worker-killed", "lost",
    *REASONS, *DEATHS.values(), *(reason for _, reason in (*OBSTACLES, *SEEN)),
}  # fmt: skip


@pytest.mark.parametrize("reason", sorted(SAID))
def test_every_code_has_its_words(reason):
    code = reason.partition(" ")[0]
    told = in_words(f"{code} x")
    assert re.fullmatch(rf"{code} x \(.+\)", told), told


def test_a_name_stands_in_the_words_and_what_is_said_of_it_behind_them():
    assert in_words("missing-name y") == "missing-name y (the code uses `y`, and nothing above it says what that is)"
    assert in_words("missing-module tqdm: not part of torch").endswith(
        "which is not installed here: not part of torch)"
    )


def test_a_sentence_stays_as_it_is():
    assert in_words("skipped: needs a server") == "skipped: needs a server"
    assert in_words("torch has no `x` that the notes could mean") == "torch has no `x` that the notes could mean"


def test_no_word_is_explained_that_nobody_says():
    folder = Path(__file__).parents[2] / "deckgen"
    code = "\n".join(path.read_text() for path in folder.rglob("*.py") if path.name not in ("outcome.py", "reasons.py"))
    assert [word for word in REASONS_IN_WORDS if f'"{word}' not in code] == []
