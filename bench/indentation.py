"""Restored indentation: snippets whose program is known lose theirs, and what is restored is compared."""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckgen.files import load
from deckgen.model.document import Code
from deckgen.model.source import Source
from deckgen.read import docstring, read
from deckgen.read.reindent.logical import logical_lines
from deckgen.read.reindent.search import Restored, restored
from deckgen.text.syntax import nodes, parsed

ROOT = Path(__file__).resolve().parents[1]
MODULES = (
    "torch", "torch.nn", "torch.nn.functional", "torch.optim", "torch.optim.lr_scheduler", "torch.utils.data", "torch.fx",
    "torch.autograd", "torch.distributions", "torch.func", "torch.amp", "torch.jit", "torch.nn.utils", "torch.library",
    "torch.utils.checkpoint", "torch.profiler", "torch.nn.utils.parametrize", "torch.utils.hooks", "torch.nn.utils.prune",
)  # fmt: skip
EACH = {"examples of torch's docstrings": 100, "functions of torch": 100, "this project's own code": 100}
"""How many snippets of each kind; the same ones every time, by a digest of their text."""
LONGEST = 60


class Snippet(NamedTuple):
    """Code with indentation, and where it is from."""

    name: str
    code: str


def snippets() -> dict[str, list[Snippet]]:
    """Snippets with at least one indented line, each text once, chosen by digest."""
    kinds = (_examples(), _functions(), _own())
    return {kind: _chosen(found, EACH[kind]) for kind, found in zip(EACH, kinds, strict=True)}


def _chosen(found: Iterator[Snippet], count: int) -> list[Snippet]:
    fitting = {one.code: one for one in found if _fits(one.code)}.values()
    return sorted(fitting, key=lambda one: hashlib.sha256(one.code.encode()).hexdigest())[:count]


def _fits(code: str) -> bool:
    lines = code.split("\n")
    return len(lines) <= LONGEST and any(line.startswith((" ", "\t")) for line in lines) and parsed(code) is not None


def _members(module: object) -> Iterator[tuple[str, object]]:
    for name in sorted(vars(module)):
        member = getattr(module, name, None)
        if name.startswith("_") or not (inspect.isclass(member) or callable(member)):
            continue
        yield name, member
        if inspect.isclass(member):
            yield from ((f"{name}.{key}", value) for key, value in sorted(vars(member).items()) if callable(value))


def _examples() -> Iterator[Snippet]:
    for module in MODULES:
        for name, member in _members(importlib.import_module(module)):
            text = inspect.getdoc(member) or ""
            for block in docstring.read(Source(name, text)).blocks if ">>>" in text else ():
                if isinstance(block, Code):
                    yield Snippet(f"{module}.{name}", _typed(block.text))


def _typed(transcript: str) -> str:
    """What was typed at the prompts of a transcript."""
    typed = [line[4:] for line in transcript.split("\n") if line.startswith((">>> ", "... "))]
    return "\n".join(line.rstrip() for line in typed if line.strip())


def _functions() -> Iterator[Snippet]:
    for module in MODULES:
        for name, member in _members(importlib.import_module(module)):
            try:
                text = textwrap.dedent(inspect.getsource(member))  # type: ignore[arg-type] # any object
            except (OSError, TypeError):
                continue
            yield Snippet(f"{module}.{name}", _without_docstrings(text))


def _without_docstrings(text: str) -> str:
    tree = parsed(text)
    if tree is None:
        return ""
    gone: set[int] = set()
    for node in nodes(tree):
        for inner in getattr(node, "body", []) if isinstance(getattr(node, "body", None), list) else []:
            if (
                isinstance(inner, ast.Expr)
                and isinstance(inner.value, ast.Constant)
                and isinstance(inner.value.value, str)
            ):
                gone |= set(range(inner.lineno - 1, inner.end_lineno or inner.lineno))
    lines = (line for at, line in enumerate(text.split("\n")) if at not in gone and not line.lstrip().startswith("#"))
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _own() -> Iterator[Snippet]:
    for path in sorted((ROOT / "cards").rglob("*.md")):
        for block in read(load(path)).opened().blocks:
            if isinstance(block, Code) and block.language == "python":
                yield Snippet(path.name, block.text.strip("\n"))
    for path in sorted([*(ROOT / "deckgen").rglob("*.py"), *(ROOT / "snippets").rglob("*.py")]):
        text = path.read_text("utf-8")
        tree = parsed(text)
        for node in tree.body if tree else []:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                part = "\n".join(text.split("\n")[node.lineno - 1 : node.end_lineno])
                yield Snippet(f"{path.name}:{node.name}", _without_docstrings(part))


# The measure.


class Count(NamedTuple):
    """How many of some snippets came back as they were."""

    asked: int
    first: int
    """The likeliest reading is the original."""
    listed: int
    """The original is among the readings."""
    sure: int
    wrong: int
    """Called sure, and not the original."""
    failures: Sequence[Snippet]


def count(found: Sequence[Snippet]) -> Count:
    """Flatten, restore and compare."""
    results = [(one, result) for one in found if (result := _restored(one.code)) is not None]
    failures = [one for one, result in results if result.sure and not same(result.text, one.code)]
    return Count(
        len(found),
        sum(same(result.text, one.code) for one, result in results),
        sum(any(same(text, one.code) for text in (result.text, *result.candidates)) for one, result in results),
        sum(result.sure for _, result in results),
        len(failures),
        failures,
    )


def _restored(code: str) -> Restored | None:
    lines = [line.strip() for line in code.split("\n") if line.strip()]
    logical = logical_lines(lines)
    return None if logical is None else restored(lines, logical)


def same(one: str, other: str) -> bool:
    """Whether two texts are one program; the inside of strings, whose indentation is lost for good, aside."""
    return _tree(one) == _tree(other) != ""


def _tree(code: str) -> str:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = "".join(node.value.split())
    return ast.dump(tree)


def section(quick: bool = False) -> str:
    """The section of docs/benchmarks.md."""
    import torch

    rows = [
        "| snippets | how many | likeliest reading exact | original among the readings | called sure | sure and wrong |",
        "|---|---|---|---|---|---|",
    ]
    for kind, found in snippets().items():
        made = count(found[:30] if quick else found)
        rows.append(f"| {kind} | {made.asked} | {made.first} | {made.listed} | {made.sure} | {made.wrong} |")
    return (
        "## Restored indentation\n\nSnippets with indented lines, chosen by a digest of their text, flattened and restored "
        f"(`python -m bench.indentation`; torch {torch.__version__}, docstrings and comments left out). A reading is exact if "
        "it parses to the same tree.\n\n" + "\n".join(rows) + "\n"
    )


if __name__ == "__main__":
    if "--failures" in sys.argv:
        for kind, found in snippets().items():
            for one in count(found).failures:
                print(f"--- {kind}: {one.name}\n{one.code}\n")
    else:
        print(section("--quick" in sys.argv))
