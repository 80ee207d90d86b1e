"""The shape of the program: what may import what, and what stays out of a quick command."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "deckgen"

NOUNS = {"model", "text", "lexicon", "written"}
VERBS = {
    "read", "extract", "verify", "decide", "reverse", "render", "identity", "pack", "report", "files", "outcome", "scaffold",
    "compare", "origin", "update", "cache", "packages", "surroundings", "unpack", "matrix", "paint",
    "since", "anki_connect",
}  # fmt: skip
TOP = {"api", "cli", "app", "pytest_plugin", "streams", "namesake", "__main__", "__init__"}
ABOVE = {
    "outcome": {"report", "matrix"}, "matrix": {"report"}, "cache": {"verify", "surroundings"}, "packages": {"verify"}, "surroundings": {"verify"},
    "unpack": {"compare"},
}  # fmt: skip
"""`report` tells what `outcome` found; observations are kept in a folder like all that is cached, with what they depend on."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def part(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def parts_imported(path: Path) -> set[str]:
    return {
        name.split(".")[1] for name in imports(path) if name.startswith("deckgen.") and name != "deckgen.__version__"
    }


def test_every_part_has_its_place_in_the_layers():
    assert {part(path) for path in modules()} <= NOUNS | VERBS | TOP


@pytest.mark.parametrize("noun", sorted(NOUNS))
def test_nouns_know_only_nouns_and_the_standard_library(noun):
    for path in (path for path in modules() if part(path) == noun):
        assert parts_imported(path) <= NOUNS
        foreign = {name.split(".")[0] for name in imports(path)} - set(sys.stdlib_module_names) - {"deckgen"}
        assert not foreign


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_verbs_never_import_other_verbs(path):
    me = part(path)
    if me in VERBS:
        others = {name for name in parts_imported(path) & (VERBS | TOP) if name != me}
        assert {name for name in others if me not in ABOVE.get(name, set())} == set()


@pytest.mark.parametrize(
    ("library", "home"),
    [("torch", "verify/worker"), ("genanki", "pack"), ("mcp", "app/mcp_server"), ("anyio", "app/mcp_server")],
)
def test_a_heavy_library_has_one_home(library, home):
    users = [path for path in modules() if any(name.split(".")[0] == library for name in imports(path))]
    assert {path.relative_to(PACKAGE).as_posix().startswith(home) for path in users} == {True}


def test_the_worker_is_standard_library_and_torch_only():
    for folder, foreign in (("worker", {"torch", "numpy"}), ("sandbox", set())):
        for path in (PACKAGE / "verify" / folder).glob("*.py"):
            names = {name.split(".")[0] for name in imports(path)}
            assert names - set(sys.stdlib_module_names) <= foreign, path.name


@pytest.mark.parametrize("name", ["files", "app", "identity", "update", "compare"])
def test_what_people_keep_is_opened_in_one_place(name):
    for path in (path for path in modules() if part(path) == name and path.name not in ("reading.py", "writing.py")):
        called = {node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)}
        methods = {
            function.attr
            for function in called
            if isinstance(function, ast.Attribute)
            and ast.unparse(function.value) != "archive"  # a member of a zip file
        }
        names = {function.id for function in called if isinstance(function, ast.Name)}
        assert not (methods & {"open", "read_bytes", "read_text"}) | (names & {"open"}), path.name


def names_compared(tree: ast.AST) -> list[int]:
    """Lines on which the name of a rule or of a form is compared with names, or looked up."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
            case ast.Match(subject=subject):
                sides = [subject]
            case ast.Subscript(slice=subject, ctx=ast.Load()):
                sides = [subject]
            case _:
                continue
        names = [isinstance(side, ast.Attribute) and side.attr in ("rule", "form") for side in sides]
        if any(names) and not (len(sides) > 1 and all(names)):  # two forms may be said to differ
            found.append(node.lineno)
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_name_of_a_rule_or_form_decides_anything(path):
    assert names_compared(ast.parse(path.read_text("utf-8"))) == []


def test_a_comparison_with_a_name_is_found():
    for code in (
        'note.rule == "tables"',
        "claim.form in FORMS",
        'found["x"].rule not in ("a", "b")',
        "ROWS[note.rule]",
    ):
        assert names_compared(ast.parse(code)) == [1]
    for code in ("old.form != new.form", "rule.name == 'a'", "note.rule", "rule == 'a'"):
        assert names_compared(ast.parse(code)) == []


def test_there_are_no_import_cycles():
    graph = {}
    for path in modules():
        name = "deckgen." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        graph[name.removesuffix(".__init__")] = {
            other for other in module_level_imports(path) if other.startswith("deckgen.")
        }
    known = set(graph)
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name in done:
            return
        for other in graph[name] & known:
            visit(other, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())


def module_level_imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            modules_inside = {name for name in inner if is_module(name)}
            names |= modules_inside | ({node.module} if modules_inside != inner else set())
    return names


def is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or path.is_dir()


LAZY = """
import sys
from deckgen.cli import main
try:
    main(%r)
except BaseException:
    pass
heavy = {"torch", "genanki", "anki", "numpy"}
print(sorted({name.split(".")[0] for name in sys.modules} & heavy), file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["inspect", "notes.md"]])
def test_quick_commands_import_neither_torch_nor_genanki(arguments, tmp_path):
    (tmp_path / "notes.md").write_text("# Grad\n\n### What is a leaf?\n\nA tensor that nobody computed.\n")
    run = subprocess.run([sys.executable, "-c", LAZY % (arguments,)], cwd=tmp_path, capture_output=True, text=True)
    assert run.stderr.strip().splitlines()[-1] == "[]", run.stderr


def test_signals_are_heeded_before_anything_that_takes_time_is_imported():
    """Ctrl-C in the first moments is no traceback."""
    early = "import sys, deckgen.cli; print(sorted(n for n in sys.modules if n == 'click' or n.startswith('deckgen.')))"
    run = subprocess.run([sys.executable, "-c", early], capture_output=True, text=True, check=True)
    assert ast.literal_eval(run.stdout) == [
        "deckgen.api", "deckgen.cli", "deckgen.model", "deckgen.model.errors", "deckgen.streams", "deckgen.text", "deckgen.text.harmless",
        "deckgen.text.pattern",
    ]  # fmt: skip


AGAIN = """
import sys
from deckgen.cli import main
try:
    main(["build", "--no-run", "notes.md"])
except SystemExit:
    pass
heavy = ("deckgen.report", "deckgen.outcome", "deckgen.extract", "deckgen.render", "deckgen.verify")
print(sorted(name for name in sys.modules if name in heavy), file=sys.stderr)
"""


@pytest.mark.parametrize("colour", ["", "1"])
def test_a_run_that_is_said_again_imports_no_station(colour, tmp_path):
    (tmp_path / "notes.md").write_text("# Grad\n\nQ: What is a leaf?\nA: A tensor that nobody computed.\n")
    home = {"XDG_CACHE_HOME": str(tmp_path / "c"), "XDG_DATA_HOME": str(tmp_path / "d"), "FORCE_COLOR": colour}
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | home
    command = [sys.executable, "-c", AGAIN]
    runs = [
        subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    assert "nothing has changed" in runs[-1].stdout
    assert runs[-1].stderr.strip().splitlines()[-1] == "[]"
