"""Pictures for light and for dark pages, and those that a solved one replaces: what Anki shows, in a real browser."""

from __future__ import annotations

import base64
import re
import time

import pytest
from learner import Learner
from rendered import built

from deckgen.model.deck import FIELDS, Rendered
from deckgen.model.note import Basic, Choice, Option
from deckgen.render import NOTETYPES, prose, render
from deckgen.render.media import Pictures
from deckgen.text.schemes import by_day, classed, spelt_out

from .anki_eyes import viewer
from .browser import Watched, watched
from .samples import shipped

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 16" width="{}" height="{}"><rect width="32" height="16"/></svg>'
BOTH = "![the graph]({0}.svg#only-light)\n![the graph]({0}.night.svg#only-dark)"
OPTIONS = (Option("A", "`x.sum(0)`"), Option("B", "`x.sum(1)`"))
QUESTION = f"Which graph is this?\n{BOTH.format('asked')}"
SOLVED = f"That of `x * x`.\n\n{BOTH.format('solved')}\n\nBoth edges lead to one leaf."


def basic(prompt: str, answer: str) -> Basic:
    return Basic(prompt=prompt, answer=answer)


def choice(stem: str, options: tuple[Option, ...], explanation: str) -> Choice:
    return Choice(stem=stem, options=options, right=("A",), explanation=explanation)


BASIC, CHOICE = basic(QUESTION, SOLVED), choice(QUESTION, OPTIONS, SOLVED)


def found(target: str) -> bytes:
    """A file for every name; no name has a fragment."""
    assert "#" not in target
    return SVG.format(440, 220).encode()


def made(body: Basic | Choice) -> Rendered:
    return render(shipped(body), media=found)


@pytest.mark.parametrize(("light", "dark"), [("only-light", "only-dark"), ("gh-light-mode-only", "gh-dark-mode-only")])
def test_a_fragment_says_on_which_pages_a_picture_is_seen(light: str, dark: str) -> None:
    pictures = Pictures(found)
    markup = prose.html(f"![day](a.svg#{light})\n![night](b.svg#{dark})", pictures)
    assert re.sub("-[0-9a-f]{8}", "", markup) == (
        '<img class="only-light" src="a.svg" alt="day">\n<img class="only-dark" src="b.svg" alt="night">'
    )
    assert [re.sub("-.*", "", name) for name in pictures.found] == ["a", "b"]
    assert not pictures.missing


@pytest.mark.parametrize(
    "source",
    [
        '<source media="(prefers-color-scheme: dark)" srcset="b.svg 1x, c.svg 2x"><img alt="x" src="a.svg">',
        '<source media="(prefers-color-scheme: dark)" srcset="b.svg">\n'
        '<source media="(prefers-color-scheme: light)" srcset="a.svg">\n<img src="c.svg" alt="x">',
    ],
)
def test_a_picture_element_has_a_file_for_each_scheme(source: str) -> None:
    markup = re.sub("-[0-9a-f]{8}", "", prose.html(f"See <picture>{source}</picture>", Pictures(found)))
    assert set(re.findall('class="(.*?)" .*?src="(.*?)"', re.sub('(alt="x") (src=".*?")', r"\2 \1", markup))) == {
        ("only-light", "a.svg"),
        ("only-dark", "b.svg"),
    }


def test_a_picture_element_of_one_file_is_a_picture() -> None:
    markup = prose.html('<picture><source srcset="b.webp"><img src="a.svg"></picture>', Pictures(found))
    assert re.sub("-[0-9a-f]{8}", "", markup) == '<img src="a.svg">'


def test_a_picture_that_has_no_partner_is_seen_on_all_pages() -> None:
    markup = prose.html("![day](a.svg#only-light)", Pictures(found))
    assert re.sub("-[0-9a-f]{8}", "", markup) == '<img src="a.svg" alt="day">'


def test_a_question_without_a_solved_picture_keeps_its_own() -> None:
    assert "replaced" not in "".join(made(basic(QUESTION, "That of `x * x`.")).fields)


def test_anki_takes_the_files_of_both_schemes(tmp_path) -> None:
    with Learner(tmp_path) as someone:
        someone.takes(built([made(BASIC)]))
        assert someone.col.media.check().unused == []
        kept = {re.sub("-[0-9a-f]{8}", "", path.name) for path in (tmp_path / "collection.media").iterdir()}
    assert kept == {"asked.svg", "asked.night.svg", "solved.svg", "solved.night.svg"}


# --- what is seen -----------------------------------------------------------------------------------------------

SHEET = (
    '<!doctype html><meta name="viewport" content="width=device-width"><style>{}</style><body class="card card1 {}">{}'
)
SEEN = "() => [...document.images].filter(one => one.offsetHeight).map(one => one.dataset.name)"
BESIDE = """() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (!walk.currentNode.data.trim() || walk.currentNode.parentElement.closest('style, script')) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (const line of range.getClientRects())
      for (const image of document.images) {
        const box = image.getBoundingClientRect();
        if (box.height && line.width && line.bottom > box.top - 6 && line.top < box.bottom + 6) found.push(walk.currentNode.data);
      }
  }
  return found;
}"""
"""The texts that stand beside a picture, in it, or as near to it as to touch it."""


def show(browser: Watched, rendered: Rendered, markup: str, night: str) -> None:
    """A side of a card as Anki shows it, with its pictures in it."""
    for media in rendered.media:
        data = base64.b64encode(media.data).decode()
        name = re.sub("-[0-9a-f]{8}", "", media.name)
        markup = markup.replace(f'src="{media.name}"', f'data-name="{name}" src="data:image/svg+xml;base64,{data}"')
    browser.page.set_content(SHEET.format(NOTETYPES[rendered.kind].css, night, markup))
    browser.page.wait_for_function("() => [...document.images].every(one => one.complete)")


@pytest.mark.slow
@pytest.mark.parametrize("body", [BASIC, CHOICE], ids=["basic", "choice"])
@pytest.mark.parametrize("night", ["", "nightMode", "night_mode"])
@pytest.mark.parametrize("width", [360, 800])
def test_one_picture_is_seen_on_a_side_and_no_text_stands_beside_it(
    body: Basic | Choice, night: str, width: int
) -> None:
    rendered = made(body)
    ending = ".night.svg" if night else ".svg"
    with viewer() as anki, watched(viewport={"width": width, "height": 800}) as browser:
        for side, name in zip(anki.sides(rendered)[0], ("asked", "solved"), strict=True):
            show(browser, rendered, side, night)
            assert browser.page.evaluate(SEEN) == [name + ending]
            assert browser.page.evaluate(BESIDE) == []
            assert browser.page.evaluate("() => document.documentElement.scrollWidth") <= width


WITHOUT_SCHEMES = [
    basic("Which graph is this?\n![graph](asked.svg)\nOf two.", "See ![graph](a.svg) and\n![graph](b.svg)\nhere."),
    choice("Which is it?\n![graph](asked.svg)", (Option("A", "![graph](a.svg)"), Option("B", "no")), "So."),
    basic("<p>Which?</p><p><img src='a.svg'> this</p>", "| a | b |\n|---|---|\n| ![graph](a.svg) text | 2 |"),
]


@pytest.mark.slow
@pytest.mark.parametrize("body", WITHOUT_SCHEMES, ids=["basic", "choice", "table"])
@pytest.mark.parametrize("width", [360, 1200])
def test_no_text_stands_beside_a_picture_of_any_note(body: Basic | Choice, width: int) -> None:
    rendered = render(shipped(body), media=lambda _: SVG.format(64, 32).encode())
    assert rendered.fields[FIELDS.index("Prompt")]
    with viewer() as anki, watched(viewport={"width": width, "height": 800}) as browser:
        for side in anki.sides(rendered)[0]:
            show(browser, rendered, side, "")
            letters = [text for text in browser.page.evaluate(BESIDE) if text not in ("A", "✓")]
            assert letters in ([], ["2"])  # the cell beside it


@pytest.mark.parametrize("name", [r"img\dark.svg", r"img\night.svg", r"img\2.svg", r"img\g0.svg"])
def test_the_name_of_a_night_picture_is_taken_as_it_stands(name: str) -> None:
    source = f'<source media="(prefers-color-scheme: dark)" srcset="{name}">'
    spelt = f'<img src="a.svg#only-light"><img src="{name}#only-dark">'
    assert spelt_out(f'<picture>{source}<img src="a.svg"></picture>') == spelt


@pytest.mark.parametrize(
    "text", ["dark" + " " * 50_000 + "x", "dark" + "![" * 20_000, "<picture " * 20_000, "<img " * 20_000]
)
def test_long_text_without_pictures_takes_no_time(text: str) -> None:
    start = time.process_time()
    assert classed(spelt_out(by_day(text))) == text
    assert time.process_time() - start < 1
