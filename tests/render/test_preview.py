"""The preview shows what Anki shows, works offline, and does what its controls say."""

import re

import pytest
from playwright.sync_api import expect

from deckgen.render import NOTETYPES, render
from deckgen.render.preview import page, sides

from .anki_eyes import viewer
from .browser import at_rest, watched
from .samples import DECISIONS


def rendered():
    return [render(decision) for decision in DECISIONS]


def seen(markup):
    """What a card is made of, without the attributes that only Anki's own scripts need."""
    markup = re.sub(r' data-(?:cloze|ordinal)="[^"]*"', "", markup)
    markup = re.sub(r"\[\[type:\w+\]\]|<input[^>]*>|<code id=\"typeans\">.*?</code>", "TYPED", markup)
    return re.sub(r"\s*\n\s*", "\n", markup).strip()


def test_every_sample_looks_as_in_anki():
    with viewer() as anki:
        for note in rendered():
            for ordinal, (front, back) in anki.sides(note).items():
                own_front, own_back = sides(note, NOTETYPES[note.kind], ordinal)
                assert seen(own_front) == seen(front)
                assert seen(own_back) == seen(back)


def test_the_page_names_no_address_that_a_browser_would_load():
    text = page([(d, render(d)) for d in DECISIONS], name="samples")
    assert not re.search(r"""(?:src|srcset|href)\s*=\s*\\?["']?(?!data:|https://docs)(?:https?:)?//""", text)
    assert 'src=\\"data:image/png;base64,' in text


@pytest.mark.slow
def test_the_controls_in_a_real_browser(tmp_path):
    file = tmp_path / "deckgen-test-page.html"
    file.write_text(page(list(zip(DECISIONS, rendered(), strict=True)), name="samples"), encoding="utf-8")
    with watched(viewport={"width": 1200, "height": 900}, color_scheme="light", offline=True) as browser:
        tab = browser.page
        tab.goto(file.as_uri())
        articles = tab.locator("article")
        assert articles.count() == len(DECISIONS)
        tab.select_option("#kind", "cloze")
        assert articles.count() == 3
        tab.select_option("#kind", "")
        tab.select_option("#verdict", "corrected")
        assert articles.count() == 2
        assert "torch.Size([2, 1])" in articles.first.locator(".diff .plus").inner_text()
        tab.select_option("#verdict", "")
        tab.select_option("#tag", "loss")
        assert articles.count() == 1
        tab.select_option("#tag", "")
        tab.fill("#search", "register_hook 句柄")
        expect(articles).to_have_count(1)
        tab.fill("#search", "")
        expect(articles).to_have_count(len(DECISIONS))
        tab.check("#phone")
        tab.check("#night")
        frame = tab.frame_locator("iframe").first
        assert frame.locator("body.nightMode").count() == 1
        assert tab.locator("iframe").first.bounding_box()["width"] == pytest.approx(362, abs=1)
        tab.select_option("#side", "front")
        assert tab.locator("iframe[title*=', back:']").count() == 0
        assert browser.calm, (browser.dialogs, browser.requests, browser.errors)


@pytest.mark.slow
def test_a_control_without_a_choice_is_not_shown(tmp_path):
    file = tmp_path / "deckgen-test-page.html"
    plain = next(decision for decision in DECISIONS if not decision.note.tags)
    file.write_text(page([(plain, render(plain))], name="one"), encoding="utf-8")
    with watched(viewport={"width": 1200, "height": 900}) as browser:
        browser.page.goto(file.as_uri())
        assert browser.page.locator("#kind").is_visible()
        assert not browser.page.locator("#tag").is_visible()


@pytest.mark.slow
def test_frames_are_as_high_as_their_cards(tmp_path):
    file = tmp_path / "deckgen-test-page.html"
    file.write_text(page(list(zip(DECISIONS, rendered(), strict=True)), name="samples"), encoding="utf-8")
    with watched(viewport={"width": 1200, "height": 900}) as browser:
        browser.page.goto(file.as_uri())
        frames = browser.page.locator("iframe").all()[:6]
        assert len(frames) == 6
        for frame in frames:
            at_rest(frame)
            content = frame.content_frame.locator("body").bounding_box()["height"]
            assert frame.bounding_box()["height"] == pytest.approx(content, abs=6)


def test_withheld_notes_say_why():
    from dataclasses import replace

    from deckgen.model.results import Disposition

    held = replace(
        DECISIONS[0], disposition=Disposition.WITHHOLD, why="torch prints something else", claimed="1", observed="2"
    )
    text = page([(held, render(held))], name="samples")
    assert '"state":"withheld"' in text
    assert '"why":"torch prints something else","place":"notes/tensors.md:11","diff":["- 1","+ 2"]' in text
