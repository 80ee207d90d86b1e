"""Whole documents in the manner of real ones, and all that deckgen makes of them: read these first.

Each document in `tests/documents/` has its result beside it, `NAME.expected.txt`: every note with its rule, its front and its
back, every claim and API name with its verdict, and every passage that gave no note, with the reason. To add a document, write
it, run `python tests/test_documents.py`, and read what came out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from commands import Command

FOLDER = Path(__file__).parent / "documents"
DOCUMENTS = sorted(path for path in FOLDER.iterdir() if not path.name.endswith(".expected.txt"))

Json = dict[str, Any]


def expected(document: Path) -> Path:
    return document.with_name(f"{document.name}.expected.txt")


def sources(command: str) -> dict[str, Json]:
    """What a command says of all documents, by their names."""
    with TemporaryDirectory() as home:
        run = Command(FOLDER.parents[1], Path(home))(command, "--format", "json", *map(str, DOCUMENTS))
    return {Path(source["path"]).name: source for source in json.loads(run.stdout)["sources"]}


def listing(found: Json, checked: Json) -> str:
    return "\n".join([*_notes(found), "", *_verdicts(checked), "", *_refusals(found)]) + "\n"


def _notes(found: Json) -> Iterator[str]:
    yield "NOTES"
    for note in found["notes"]:
        doubts = "".join(f"; doubt: {doubt['name']}" for doubt in note["doubts"])
        yield f"{note['line']}: {note['kind']} ({note['rule']}; {note['standing']}{doubts})"
        yield from (f"    {line}".rstrip() for line in f"{note['front']}\n= {note['back']}".split("\n") if line)


def _verdicts(checked: Json) -> Iterator[str]:
    yield "CLAIMS AND API NAMES"
    for claim in checked["claims"]:
        text = " / ".join(claim["claimed"].split("\n"))
        said = f", torch says {claim['observed']}" if claim["verdict"] == "contradicted" else ""
        yield f"{claim['line']}: {claim['verdict']}: {text}{said}"
    yield from (f"{name['line']}: {name['verdict']}: {name['name']}" for name in checked["apis"])


def _refusals(found: Json) -> Iterator[str]:
    yield "NO NOTE"
    yield from (f"{skip['line']}: ({skip['rule']}) {skip['reason']}" for skip in found["skipped"])


@pytest.fixture(scope="module")
def listings() -> dict[str, str]:
    found, checked = sources("inspect"), sources("verify")
    return {name: listing(found[name], checked[name]) for name in found}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_gives_what_a_careful_person_would_make_of_it(document, listings):
    assert listings[document.name] == expected(document).read_text("utf-8")


if __name__ == "__main__":
    inspected, verified = sources("inspect"), sources("verify")
    for path in DOCUMENTS:
        expected(path).write_text(listing(inspected[path.name], verified[path.name]), "utf-8")
