"""A real Chromium that notes every dialog, request and error."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect, sync_playwright
from processes import GUARD, eventually

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@dataclass
class Watched:
    """A page, and all that happened which never should."""

    page: Page
    dialogs: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def calm(self) -> bool:
        return not (self.dialogs or self.requests or self.errors)


@contextmanager
def watched(**context: object) -> Iterator[Watched]:
    """A page in which nothing but files and data may be loaded; skips without Chromium."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        try:
            page = browser.new_context(**context).new_page()  # type: ignore[arg-type]
            page.set_default_timeout(GUARD * 1000)
            expect.set_options(timeout=GUARD * 1000)
            seen = Watched(page)
            page.on("dialog", lambda dialog: (seen.dialogs.append(dialog.message), dialog.dismiss()))
            page.on("request", lambda request: _note(seen, request.url))
            page.on("pageerror", lambda error: seen.errors.append(str(error)))
            yield seen
        finally:
            browser.close()


def at_rest(thing: Locator) -> FloatRect:
    """Where it is once it has stopped moving: frames above it grow as they are loaded."""
    places: list[FloatRect | None] = []

    def rests() -> bool:
        places.append(thing.bounding_box())
        return places[-1] is not None and places[-10:] == [places[-1]] * 10

    assert eventually(rests)
    assert places[-1] is not None
    return places[-1]


def _note(seen: Watched, url: str) -> None:
    if not url.startswith(("data:", "about:")) and "/deckgen-test-page" not in url:
        seen.requests.append(url)
