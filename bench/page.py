"""docs/benchmarks.md, a section at a time."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"


def write(section: str) -> None:
    """Puts a section (its first line is `## Title`) in the place of the one with the same title, or at the end."""
    mark = section.split("\n", 1)[0]
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "# Benchmarks\n"
    before, _, rest = page.partition(f"{mark}\n")
    after = rest[rest.find("\n## ") :] if "\n## " in rest else "\n"
    PAGE.write_text(f"{before.rstrip()}\n\n{section.rstrip()}\n{after}", encoding="utf-8")
