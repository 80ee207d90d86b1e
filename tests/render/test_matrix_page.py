"""The page of a matrix in a real browser: what differs first, everything on demand, and nothing from elsewhere."""

from deckgen.render.preview import matrix_page

from .browser import watched

ENVIRONMENT = {"torch": "2.4.0", "python": "3.11.7", "device": "cpu", "sandbox": "off", "engine": "fork"}


def cell(verdict: str, observed: str | None = None) -> dict[str, str | None]:
    return {"verdict": verdict, "observed": observed, "signature": None, "reason": None}


def row(line: int, claimed: str, *cells: object, bound: str | None = None) -> dict[str, object]:
    same = len({one["verdict"] for one in cells if one}) == 1
    place = {"path": "notes.md", "line": line, "kind": "claim", "id": str(line)}
    return {**place, "claimed": claimed, "asks": None, "same": same, "bound": bound, "not_run": None, "cells": [*cells]}


DATA = {
    "environments": [
        {"name": name, "environment": ENVIRONMENT, "error": None, "exit_code": 0, "reasons": [], "summary": None}
        for name in ("2.4.0", "2.13.0")
    ],
    "rows": [
        row(3, "tensor(1)", cell("contradicted", "</script><b>tensor(2)"), cell("holds"), bound="{torch>=2.13}"),
        row(4, "tensor(3)", cell("holds"), cell("holds")),
    ],
    "wrong": ["contradicted"],
    "open": ["unverified"],
}


def test_what_differs_is_shown_first_and_what_torch_says_on_a_click():
    with watched() as seen:
        seen.page.set_content(matrix_page("notes", DATA))
        rows = seen.page.locator("#rows tr")
        assert rows.count() == 1
        assert rows.locator("td.wrong").inner_text() == "contradicted"
        assert rows.locator(".bound").inner_text() == "{torch>=2.13}"
        rows.locator("td.wrong button").click()
        assert rows.locator("pre").inner_text() == "</script><b>tensor(2)"
        seen.page.locator("#differs").uncheck()
        assert rows.count() == 2
        seen.page.locator("#search").fill("tensor(3)")
        assert rows.count() == 1
        assert seen.calm, seen
