"""Nothing that a note says runs, loads or leaves the card."""

import re
from html.parser import HTMLParser

import pytest

from deckgen.model.deck import FIELDS
from deckgen.model.note import Api, Basic, Choice, Cloze, Hole, Option, Output
from deckgen.render import NOTETYPES, render
from deckgen.render.preview import page, sides

from .browser import watched
from .hostile import VECTORS
from .samples import corrected, shipped

ACTIVE = {"script", "style", "iframe", "object", "embed", "link", "meta", "base", "form", "input", "button", "svg",
          "math", "video", "audio", "source", "picture", "template", "textarea", "marquee", "title"}  # fmt: skip


def hostile_notes(vectors=VECTORS):
    """Every vector in every place where a note's text can stand."""
    for vector in vectors:
        heading = f"h {vector}"
        yield shipped(Basic(prompt=f"p {vector}", answer=f"a {vector}\n\n{vector}\n"), heading)
        yield shipped(Choice(stem=vector, options=(Option("A", vector), Option("B", "b")), right=("A",)), heading)
        yield shipped(Cloze(text=f"x {vector} y", holes=(Hole(1, 0, 1),), explanation=vector), heading)
        yield shipped(Cloze(text=f"{vector} end", holes=(Hole(1, 0, len(vector)),)), heading)
        yield shipped(Cloze(text=f"x {vector}", holes=(Hole(1, 0, 1),), language="python", prompt=vector), heading)
        yield shipped(Output(code=vector, claims=(), output=vector, explanation=vector), stamp=vector)
        yield corrected(Output(code="x", claims=(), output="y"), heading, claimed=vector, observed=vector)
        yield shipped(
            Api(name=vector, signature=vector + "(", meaning=vector, parameters=((vector, vector),), example=vector,
                details=((vector, vector),)),
            tags=(vector,),
        )  # fmt: skip


class Inspector(HTMLParser):
    """Collects what a browser would act upon."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag in ACTIVE:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in ("srcset", "poster", "background", "ping", "action", "srcdoc"):
                self.faults.append(f"{tag} {name}")
            if name == "style" and not re.fullmatch(r"text-align:(left|center|right)|--in:\d+", value or ""):
                self.faults.append(f"{tag} style={value}")
            if name == "src" and re.match(r"\w+:|//", value or ""):
                self.faults.append(f"{tag} src={value}")
            if name == "href" and not re.match(r"https?://|mailto:", value or ""):
                self.faults.append(f"{tag} href={value}")


@pytest.mark.parametrize("vector", VECTORS)
def test_no_field_holds_anything_active(vector):
    for decision in hostile_notes([vector]):
        for name, value in zip(FIELDS, render(decision).fields, strict=True):
            inspector = Inspector()
            inspector.feed(value)
            inspector.close()
            assert not inspector.faults, (name, value)


def test_ankis_own_commands_are_text():
    said = "[sound:a.mp3] [latex]x[/latex] [$]y[/$] [[type:Answer]] {{c1::x}} [anki:play:q:0]"
    answer = render(shipped(Basic(prompt="?", answer=said))).fields[FIELDS.index("Answer")]
    assert not re.search(r"\[sound:|\[latex\]|\[\$\]|\[\[type:|\{\{c1::|\[anki:", answer)


def test_the_network_of_a_raw_link_is_only_asked_by_a_click():
    answer = render(shipped(Basic(prompt="?", answer="<a href='https://pytorch.org'>docs</a>"))).fields[5]
    assert answer == '<a href="https://pytorch.org" rel="noreferrer">docs</a>'


@pytest.mark.slow
def test_hostile_cards_stay_calm_in_a_real_browser(tmp_path):
    notes = [render(decision) for decision in hostile_notes()]
    bodies = []
    for note in notes:
        for ordinal in note.ordinals:
            bodies += sides(note, NOTETYPES[note.kind], ordinal)
    file = tmp_path / "deckgen-test-page.html"
    css = NOTETYPES["basic"].css
    file.write_text(f"<!doctype html><meta charset=utf-8><style>{css}</style><body class=card>" + "\n".join(bodies))
    with watched() as seen:
        seen.page.goto(file.as_uri())
        seen.page.mouse.move(300, 300)
        for summary in seen.page.locator("summary, [onclick]").all()[:20]:
            summary.click()
        seen.page.wait_for_timeout(500)
        assert seen.calm, (seen.dialogs, seen.requests, seen.errors)


@pytest.mark.slow
def test_hostile_cards_stay_calm_in_the_preview(tmp_path):
    file = tmp_path / "deckgen-test-page.html"
    pairs = [(decision, render(decision)) for decision in hostile_notes()]
    file.write_text(page(pairs, name="</title><script>alert(1)</script>"), encoding="utf-8")
    with watched() as seen:
        seen.page.goto(file.as_uri())
        for _ in range(12):
            seen.page.mouse.wheel(0, 3000)
            seen.page.wait_for_timeout(100)
        assert seen.page.locator("article").count() > 50
        assert seen.calm, (seen.dialogs, seen.requests, seen.errors)
