"""A worker that looks names up in the real torch, started once for all tests that ask."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from deckgen.model.claim import Exists, Site
from deckgen.model.source import line_span
from deckgen.model.verdict import ApiVerdict
from deckgen.verify.names.judge import judge_apis, names_to_look_up

SERVER = """
import json, sys
from deckgen.verify.worker.introspect import introspect
for line in sys.stdin:
    print(json.dumps(introspect(json.loads(line))), flush=True)
"""

Ask = Callable[[dict[str, Any]], dict[str, Any]]
Judge = Callable[[Sequence[Exists]], tuple[ApiVerdict, ...]]


@pytest.fixture(scope="session")
def ask() -> Iterator[Ask]:
    """`ask(request)` is what `introspect` answers in a process of its own, through JSON."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None

        def answer(request: dict[str, Any]) -> dict[str, Any]:
            worker.stdin.write(json.dumps(request) + "\n")
            worker.stdin.flush()
            return json.loads(worker.stdout.readline())

        yield answer
        worker.stdin.close()


@pytest.fixture(scope="session")
def judge(ask: Ask) -> Judge:
    """`judge(claims)` is their verdicts, after asking the real torch."""
    return lambda claims: judge_apis(claims, ask(names_to_look_up(claims)))


def claim(text: str, form: str = "table", **more: Any) -> Exists:
    """A claim that `text` exists."""
    return Exists(id="a1.1", span=line_span(0), text=text, form=form, site=Site(form), **more)
