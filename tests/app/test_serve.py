"""The author decides about notes in a browser, and nothing that was decided is lost."""

from __future__ import annotations

import itertools
import random
import re
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from commands import Command
from processes import GUARD, eventually
from render.browser import Watched, at_rest, watched
from render.hostile import VECTORS
from serving import Served, served

from deckgen.identity import parse_lock

NOTES = """\
# Views

### What does `view()` share?

It shares the storage of the tensor that it was called on.

### What is a stride?

How many elements of the storage lie between two neighbours in a dimension.

### What is an offset?

The place </div> where its storage begins for it.
"""
SHARE, STRIDE, OFFSET = "What does view() share?", "What is a stride?", "What is an offset?"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "views.md").write_text(NOTES)
    return tmp_path


def edit(place: Path, old: str, new: str) -> None:
    path = place / "notes" / "views.md"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def build(place: Path, *more: str) -> CompletedProcess[str]:
    return Command(place, place)("build", "notes", "--no-run", *more)


def wishes(place: Path) -> list[str]:
    lock = place / "notes" / "deckgen.lock"
    if not lock.exists():
        return []
    text = lock.read_text()
    return sorted(one.wish for one in parse_lock(text, "deckgen.lock", int(time.time())).decisions)


@contextmanager
def opened(place: Path, *arguments: str, width: int = 800, **context: object) -> Iterator[tuple[Served, Watched]]:
    """The page in a browser; at the end nothing was loaded from elsewhere, and no script of a note ran."""
    view = {"width": width, "height": 800}
    with served(place, "notes", *arguments) as server, watched(viewport=view, **context) as browser:
        browser.page.goto(server.address)
        browser.page.locator("article").first.wait_for()
        yield server, browser
        assert {url.startswith(server.address) for url in browser.requests} == {True}
        assert not browser.dialogs
        assert not browser.errors


def press(browser: Watched, words: str, *keys: str) -> None:
    """Chooses a note with the keyboard alone, and presses keys on it."""
    page = browser.page
    for step in "j" * 10 + "k" * 20:
        if page.locator("article.chosen").filter(has_text=words).count():
            break
        page.keyboard.press(step)
    for key in keys:
        page.keyboard.press(key)


def counts(browser: Watched, text: str) -> None:
    """Waits until the head of the page says so."""
    browser.page.locator("#count").get_by_text(text, exact=True).wait_for()


def many(count: int) -> str:
    """So many suggestions of one rule."""
    asked = (f"### What is number {n}?\n\nIt is the number {n} of a long list of numbers.\n\n" for n in range(count))
    return f"# Numbers\n\n{''.join(asked)}"


@pytest.mark.slow
def test_a_suggestion_is_shipped_once_it_is_taken_with_a_key_and_not_when_it_is_left_out(place: Path):
    with opened(place, "--no-run") as (_, browser):
        counts(browser, "0 shipped, 2 suggested, 1 refused")
        press(browser, STRIDE, "y")
        browser.page.locator("article.shipped.taken").filter(has_text=STRIDE).wait_for()
        counts(browser, "1 shipped, 1 suggested, 1 refused")
        assert eventually(lambda: wishes(place) == ["keep"])
        assert "first build, 1 notes" in build(place).stdout
        press(browser, STRIDE, "x")
        browser.page.locator("article.left-out").filter(has_text=STRIDE).wait_for()
        assert eventually(lambda: wishes(place) == ["leave-out"])
        built = build(place)
        assert "notes/views.md: 1 note left out by the author (line 7)" in built.stdout
        assert "no longer in the sources, stays in Anki: What is a stride? · Views" in built.stdout
        press(browser, STRIDE, "u")
        browser.page.locator("article.shipped.taken").filter(has_text=STRIDE).wait_for()
        assert eventually(lambda: wishes(place) == ["keep"])
        assert "2 found, 1 shipped" in build(place).stdout


@pytest.mark.slow
def test_a_key_takes_all_that_are_there_now_of_a_rule_in_one_file_and_no_later_ones(place: Path):
    path = place / "notes" / "views.md"
    path.write_text(many(5))
    (place / "notes" / "others.md").write_text(NOTES)
    lock = place / "notes" / "deckgen.lock"
    with opened(place, "--no-run") as (_, browser):
        counts(browser, "0 shipped, 7 suggested, 1 refused")
        press(browser, "number 2?", "x")
        press(browser, "number 1?", "Y")
        counts(browser, "4 shipped, 2 suggested, 1 refused, 1 left out")
        browser.page.locator("#status", has_text="4 notes of questions taken").wait_for()
        assert wishes(place) == ["keep"] * 4 + ["leave-out"]
        assert (
            len({line.partition('"time": ')[2][:10] for line in lock.read_text().splitlines() if '"keep"' in line}) == 1
        )
        browser.page.keyboard.press("u")
        counts(browser, "0 shipped, 6 suggested, 1 refused, 1 left out")
        assert eventually(lambda: wishes(place) == ["leave-out"])
        press(browser, "number 1?", "X")
        assert eventually(lambda: wishes(place) == ["leave-out"] * 5)
        path.write_text(many(6))
        counts(browser, "0 shipped, 3 suggested, 1 refused, 5 left out")


@pytest.mark.slow
def test_each_suggestion_is_looked_at_as_often_whatever_their_number(place: Path):
    count = "() => { let asked = 0; const was = waits; waits = (note) => { asked += 1; return was(note); }; draw(); waits = was; return asked; }"
    with opened(place, "--no-run") as (_, browser):
        asked = []
        for number in (50, 150):
            (place / "notes" / "views.md").write_text(many(number))
            counts(browser, f"0 shipped, {number} suggested")
            asked.append(browser.page.evaluate(count) / number)
        assert 1 < asked[1] <= asked[0] + 1


@pytest.mark.slow
def test_suggestions_come_after_the_notes_best_first_and_each_decision_leads_on_to_the_next(place: Path):
    doubted = "### What is a base?\n\nAs shown above, it is what a view shares.\n\n"
    (place / "notes" / "views.md").write_text(NOTES.replace("### What does", doubted + "### What does"))
    with opened(place, "--no-run") as (_, browser):
        titles = browser.page.locator("article h2").all_inner_texts()
        assert titles == [SHARE, STRIDE, "What is a base?", OFFSET]
        where = browser.page.locator("#where")
        assert where.inner_text() == "suggestion 1 of 3"
        browser.page.keyboard.press("y")
        browser.page.locator("#where", has_text="suggestion 2 of 3").wait_for()
        browser.page.keyboard.press("x")
        browser.page.locator("#where", has_text="suggestion 3 of 3").wait_for()
        doubt = browser.page.locator("article.chosen .doubt")
        assert doubt.inner_text() == "doubt: its answer points at what the card does not show"
        browser.page.keyboard.press("y")
        assert eventually(lambda: wishes(place) == ["keep", "keep", "leave-out"])
        assert titles == browser.page.locator("article h2").all_inner_texts()  # nothing moved under the author's eyes


@pytest.mark.slow
def test_question_answer_and_doubt_of_a_suggestion_take_a_third_of_the_screen(place: Path):
    code = "".join(f"x{n} = torch.ones({n + 1})\n" for n in range(40))
    shown = f"# Long\n\n### What does this give?\n\n```python\n{code}x39\n```\n\nOnes.\n\n### What is long?\n\n{'Words of an answer. ' * 90}\n"
    (place / "notes" / "views.md").write_text(shown + NOTES)
    with opened(place, "--no-run", width=1280) as (_, browser):
        articles = browser.page.locator("article").all()
        assert len(articles) >= 4
        for article in articles:
            article.scroll_into_view_if_needed()
            assert at_rest(article)["height"] <= 800 / 3
        long = browser.page.locator("article").filter(has_text="What is long?")
        assert long.locator("iframe").count() == 1
        press(browser, "What is long?", "Enter")
        long.locator("iframe").nth(1).wait_for()
        assert at_rest(long)["height"] > 800 / 3


@pytest.mark.slow
def test_a_decision_that_cannot_be_written_is_shown_as_it_was_before(place: Path):
    with opened(place, "--no-run") as (server, browser):
        browser.page.locator("#count", has_text="2 suggested").wait_for()
        server.process.kill()
        press(browser, STRIDE, "y")
        browser.page.locator("#status.wrong").wait_for()
        counts(browser, "0 shipped, 2 suggested, 1 refused")
        browser.errors.clear()


@pytest.mark.slow
def test_the_words_on_the_page_are_told(place: Path):
    with opened(place, "--no-run") as (_, browser):
        legend = browser.page.locator("#legend")
        assert not legend.is_visible()
        browser.page.keyboard.press("?")
        assert {"shipped", "suggested", "withheld", "refused", "left out", "doubt"} <= {
            *legend.locator("dt").all_inner_texts()
        }
        browser.page.keyboard.press("Escape")
        assert not legend.is_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("key", "state"), [("y", "taken"), ("e", "excellent")])
def test_a_refused_note_is_made_after_a_key(place: Path, key: str, state: str):
    with opened(place, "--no-run") as (_, browser):
        article = browser.page.locator("article").filter(has_text=OFFSET)
        assert "refused" in article.locator(".facts").inner_text()
        assert "marks of Markdown or HTML" in article.locator(".why").inner_text()
        press(browser, OFFSET, key)
        browser.page.locator(f"article.{state}.shipped").filter(has_text=OFFSET).wait_for()
        assert "first build, 1 notes" in build(place).stdout


@pytest.mark.slow
def test_what_was_decided_last_can_be_undone_also_where_it_is_hidden_now(place: Path):
    with opened(place, "--no-run") as (_, browser):
        page = browser.page
        page.focus("#show")
        page.select_option("#show", "refused")
        page.keyboard.press("j")
        page.keyboard.press("x")
        counts(browser, "0 shipped, 2 suggested, 1 left out")
        page.keyboard.press("u")
        counts(browser, "0 shipped, 2 suggested, 1 refused")


@pytest.mark.slow
def test_a_note_stays_chosen_while_its_file_is_empty_for_a_moment(place: Path):
    path = place / "notes" / "views.md"
    with opened(place, "--no-run") as (_, browser):
        press(browser, STRIDE, "x")
        browser.page.locator("article.left-out").filter(has_text=STRIDE).wait_for()
        press(browser, STRIDE)
        assert eventually(lambda: wishes(place) == ["leave-out"])
        path.write_text("")
        counts(browser, "0 shipped, 0 suggested")
        path.write_text(NOTES.replace("What is a stride?", "What is the stride?"))
        changed = browser.page.locator("article.left-out").filter(has_text="What is the stride?")
        changed.wait_for()
        assert "chosen" in str(changed.get_attribute("class"))


@pytest.mark.slow
def test_a_decision_stays_with_a_reworded_question_and_the_page_follows_the_notes(place: Path):
    with opened(place, "--no-run") as (_, browser):
        press(browser, STRIDE, "x")
        browser.page.locator("article.left-out").filter(has_text=STRIDE).wait_for()
        press(browser, STRIDE)
        assert eventually(lambda: wishes(place) == ["leave-out"])
        edit(place, "### What is a stride?", "### What is the stride?")
        changed = browser.page.locator("article.left-out").filter(has_text="What is the stride?")
        changed.wait_for()
        assert "chosen" in str(changed.get_attribute("class"))
        assert "first build, 1 notes" in build(place, "--suggestions", "ship").stdout
        (place / "notes" / "new").mkdir()
        (place / "notes" / "new" / "leaf.md").write_text(
            "# Leaf\n\n### What is a leaf?\n\nA tensor that the user made.\n"
        )
        browser.page.locator("section").filter(has_text="new/leaf.md").locator("article").wait_for()
        (place / "notes" / "deck.toml").write_text("name = ")
        browser.page.locator("#status.wrong", has_text="deck.toml").wait_for()
        assert browser.page.locator("article").count() == 4
        (place / "notes" / "deck.toml").write_text('name = "Deck"\n')
        browser.page.locator("#status:not(.wrong)").wait_for(state="attached")


@pytest.mark.slow
def test_the_page_keeps_its_place_when_notes_are_put_in_above_it(place: Path):
    (place / "notes" / "views.md").write_text(many(40))
    with opened(place, "--no-run") as (_, browser):
        page = browser.page
        for _ in range(19):
            page.keyboard.press("j")
        chosen = page.locator("article.chosen")
        assert "number 19?" in chosen.locator("h2").inner_text()
        before = at_rest(chosen)
        edit(
            place,
            "### What is number 3?",
            "### What is a leaf?\n\nA tensor that the user made.\n\n### What is number 3?",
        )
        page.locator("article").filter(has_text="What is a leaf?").wait_for(state="attached")
        after = at_rest(chosen)
        assert "number 19?" in chosen.locator("h2").inner_text()
        assert after["y"] == pytest.approx(before["y"], abs=3)
        page.reload()
        page.locator("article.chosen", has_text="number 19?").wait_for()


@pytest.mark.slow
def test_while_notes_are_checked_the_page_shows_what_was_before_and_says_so(place: Path):
    edit(
        place,
        "### What is an offset?",
        "### Sum\n\n```python\nimport os, time, torch\n"
        f"while not os.path.exists({str(place / 'may-end')!r}):\n    time.sleep(0.05)\n"
        "print(torch.ones(2).sum())  # prints tensor(3.)\n```\n\n### What is an offset?",
    )
    with opened(place, "--sandbox", "off", "--timeout", str(GUARD)) as (_, browser):
        browser.page.locator("#status.busy", has_text="this is how they were before").wait_for()
        assert browser.page.locator("article").count() == 4
        (place / "may-end").touch()
        browser.page.locator("article.withheld .diff").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 800])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(place: Path, width: int, scheme: str):
    with opened(place, "--no-run", width=width, color_scheme=scheme) as (_, browser):
        assert browser.page.evaluate("document.documentElement.scrollWidth") <= width
        night = browser.page.locator(":root.night").count()
        assert night == (scheme == "dark")


@pytest.mark.slow
def test_a_note_leads_to_its_line_in_the_editor(place: Path):
    with opened(place, "--no-run") as (_, browser):
        link = browser.page.locator("article").filter(has_text=STRIDE).locator("a.place")
        assert link.inner_text() == "notes/views.md:7"
        assert link.get_attribute("href") == f"vscode://file{place}/notes/views.md:7"
    with opened(place, "--no-run", "--editor", "idea://open?file={path}&line={line}") as (_, browser):
        link = browser.page.locator("article").filter(has_text=STRIDE).locator("a.place")
        assert link.get_attribute("href") == f"idea://open?file={place}/notes/views.md&line=7"


@pytest.mark.slow
def test_texts_of_notes_run_no_script_and_load_nothing(place: Path):
    for number, vector in enumerate(VECTORS):
        text = f"# Hostile {number} {vector}\n\n### What is {vector} of {number}?\n\nIt is {vector} and so on, for {number}.\n"
        (place / "notes" / f"{number:02}.md").write_text(text)
    with opened(place, "--no-run") as (_, browser):
        found = browser.page.locator("article").count()
        assert found > len(VECTORS) // 2
        for _ in range(found):
            browser.page.keyboard.press("Enter")
            browser.page.keyboard.press("j")
            browser.page.wait_for_timeout(50)
        assert browser.page.locator("iframe").count() >= 2 * found


def test_who_does_not_know_the_token_or_comes_under_another_name_is_refused(place: Path):
    with served(place, "notes", "--no-run") as server:
        known = server.notes()
        first, other, *_ = (note["note"] for note in known.values())
        wish = {"notes": [first], "wish": "leave-out"}
        wrong = f"/{'x' * (len(server.path) - 2)}/"
        assert server.ask("GET", "")[0] == 200
        for path in ("/", wrong, f"{wrong}state", server.path.rstrip("/")[:-1] + "/", "//", "/é"[:1]):
            assert server.ask("GET", path)[0] == 403
        assert server.ask("POST", f"{wrong}decide", wish)[0] == 403
        for name in ("evil.example", "127.0.0.1", f"evil.example:{server.host.split(':')[1]}"):
            assert server.ask("GET", "", Host=name)[0] == 403
            assert server.ask("GET", "state?since=0", Host=name)[0] == 403
            assert server.ask("POST", "decide", wish, Host=name)[0] == 403
        assert server.ask("POST", "decide", wish, Origin="http://evil.example")[0] == 403
        assert server.ask("POST", "decide", wish, Content_Type="text/plain")[0] == 403
        assert not (place / "notes" / "deckgen.lock").exists()
        assert server.ask("POST", "decide", {"notes": ["other"], "wish": "keep"})[0] == 409
        assert server.ask("POST", "decide", {"notes": [first, "gone"], "wish": "keep"})[0] == 409
        for nonsense in (
            [],
            {**wish, "wish": "burn"},
            {"notes": [], "wish": "keep"},
            {"notes": [[]], "wish": "keep"},
            3,
        ):
            assert server.ask("POST", "decide", nonsense)[0] == 400
        assert server.ask("GET", "other")[0] == 404
        assert server.ask("POST", "decide", {"notes": ["x" * 600_000]})[0] == 413
        assert server.ask("POST", "decide", wish, Origin=f"http://{server.host}")[0] == 200
        assert wishes(place) == ["leave-out"]
        assert server.decide(first, other, wish="keep") == 200
        assert wishes(place) == ["keep", "keep"]


def test_the_page_may_load_nothing_and_be_framed_by_nobody(place: Path):
    with served(place, "notes", "--no-run") as server:
        _, headers, body = server.ask("GET", "")
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in re.sub("style-src 'unsafe-inline'", "", policy)
        assert (headers["Referrer-Policy"], headers["Cache-Control"]) == ("no-referrer", "no-store")
        assert not re.search(rb"""(?:src|href)\s*=\s*["']?(?:https?:)?//| on[a-z]+=""", body)
        assert server.process.poll() is None


def test_two_servers_and_a_build_at_once_lose_no_decision(place: Path):
    (place / "notes" / "views.md").write_text(many(24))
    with served(place, "notes", "--no-run") as one, served(place, "notes", "--no-run") as other:
        notes = [note["note"] for note in one.notes().values()]
        assert {note["note"] for note in other.notes().values()} == {*notes}
        assert len(notes) == 24
        with ThreadPoolExecutor(8) as pool:
            running = [
                pool.submit(server.decide, name, wish="leave-out")
                for name, server in zip(notes, itertools.cycle((one, other)), strict=False)
            ]
            built = build(place)
            assert {each.result() for each in running} == {200}
        assert built.returncode in (0, 1)
        assert wishes(place) == ["leave-out"] * 24
        assert "24 notes left out by the author" in build(place).stdout
        assert eventually(lambda: {note["state"] for note in other.notes().values()} == {"left-out"})


def test_many_decisions_at_once_are_all_answered(place: Path):
    (place / "notes" / "views.md").write_text(many(72))
    with served(place, "notes", "--no-run") as server:
        notes = [note["note"] for note in server.notes().values()]
        together = threading.Barrier(len(notes))

        def decide(name: str) -> int:
            together.wait(GUARD)
            return server.decide(name, wish="leave-out")

        with ThreadPoolExecutor(len(notes)) as pool:
            assert [*pool.map(decide, notes)] == [200] * 72
    assert wishes(place) == ["leave-out"] * 72


@pytest.mark.posix("sends signals")
def test_a_killed_server_leaves_a_whole_lock_with_all_that_it_had_answered(place: Path):
    (place / "notes" / "views.md").write_text(many(300))
    answered: list[str] = []
    chance = random.Random(7)
    for _ in range(3):
        with served(place, "notes", "--no-run") as server:
            notes = [note["note"] for note in server.notes().values() if note["wish"] is None]

            def work(server: Served = server, notes: list[str] = notes) -> None:
                for name in notes:
                    try:
                        if server.decide(name, wish="excellent") == 200:
                            answered.append(name)
                    except (OSError, HTTPException):
                        return

            worker = threading.Thread(target=work)
            before = len(answered)
            worker.start()
            assert eventually(lambda before=before: len(answered) > before)
            time.sleep(chance.random() / 2)
            server.process.send_signal(signal.SIGKILL)
            worker.join(GUARD)
        text = (place / "notes" / "deckgen.lock").read_text()
        known = {one.name for one in parse_lock(text, "deckgen.lock", int(time.time())).decisions}
        assert known >= {*answered}
        assert len(known) <= len(answered) + 3  # one each time that was written and not answered any more


def test_what_cannot_be_written_is_said_and_the_server_goes_on(place: Path):
    build(place, "--suggestions", "ship")
    lock = place / "notes" / "deckgen.lock"
    shutil.move(lock, place / "kept")
    with served(place, "notes", "--no-run") as server:
        wish = {"notes": [next(iter(server.notes().values()))["note"]], "wish": "leave-out"}
        status, _, body = server.ask("POST", "decide", wish)
        assert (status, b"its lock is gone" in body) == (409, True)
        shutil.move(place / "kept", lock)
        assert server.ask("POST", "decide", wish)[0] == 200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it(place: Path, number: int):
    with served(place, "notes", "--no-run") as server:
        server.notes()
        server.process.send_signal(number)
        assert server.process.wait(GUARD) == 128 + number


def test_wrong_usage_is_told(place: Path):
    run = Command(place, place)
    assert "the page on which you decide is `deckgen review`" in run("preview", "notes", "--serve").stderr
    assert run("review", "nothing", "--no-open").returncode == 2
    assert (
        "no address of an editor" in run("review", "notes", "--no-open", "--editor", "javascript:alert({path})").stderr
    )
    with served(place, "notes", "--no-run") as server:
        port = server.host.split(":")[1]
        taken = run("review", "notes", "--no-open", "--port", port)
        assert (taken.returncode, f"port {port} cannot be had" in taken.stderr) == (2, True)
