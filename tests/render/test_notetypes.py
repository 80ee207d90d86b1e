"""The note types stay what learners' collections already hold."""

import json
import re
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from deckgen.identity.content import notetypes_hash
from deckgen.model.deck import FIELDS
from deckgen.render import LOOK_CHANGED, NOTETYPES, render

from .anki_eyes import viewer
from .samples import DECISIONS

FROZEN = Path(__file__).parents[1] / "frozen" / "notetypes.json"


def test_ids_fields_and_templates_are_those_of_the_first_release():
    now = [
        {
            "id": notetype.id,
            "name": notetype.name,
            "kind": kind,
            "cloze": notetype.cloze,
            "fields": [asdict(field) for field in notetype.fields],
            "templates": [{"id": template.id, "name": template.name} for template in notetype.templates],
        }
        for kind, notetype in NOTETYPES.items()
    ]
    assert now == json.loads(FROZEN.read_text(encoding="utf-8"))


def test_a_new_look_has_a_new_time():
    """Without one, no learner would ever see it; with a new one for an old look, it would undo what they made of it."""
    now = {"look": notetypes_hash(NOTETYPES.values()), "changed": LOOK_CHANGED}
    wanted = json.loads((FROZEN.with_name("look.json")).read_text("utf-8"))
    assert now == wanted, f"set LOOK_CHANGED to {int(time.time())}, then write {json.dumps(now)} to look.json"


def test_every_type_has_the_frozen_fields_in_order():
    for notetype in NOTETYPES.values():
        assert tuple(field.name for field in notetype.fields) == FIELDS


def test_ids_are_unique():
    ids = [notetype.id for notetype in NOTETYPES.values()]
    for notetype in NOTETYPES.values():
        ids += [field.id for field in notetype.fields]
        ids += [template.id for template in notetype.templates]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("kind", NOTETYPES)
def test_every_template_but_the_first_lies_wholly_inside_its_switch(kind):
    for template in NOTETYPES[kind].templates[1:]:
        for side in (template.front, template.back):
            switch = re.match(r"\{\{#(Ask\w+)\}\}", side)
            assert switch, template.name
            assert side.endswith("{{/" + switch[1] + "}}")
            assert side.count(switch[0]) == 1


@pytest.mark.parametrize("kind", NOTETYPES)
def test_templates_need_no_script_and_nothing_from_outside(kind):
    notetype = NOTETYPES[kind]
    text = notetype.css + "".join(t.front + t.back for t in notetype.templates)
    assert not re.search(r"<script|https?:|//\w|@import|url\(|\bon\w+=|\{\{>", text)


@pytest.mark.parametrize("kind", [kind for kind in NOTETYPES if kind != "cloze"])
def test_the_spare_card_appears_when_it_is_filled(kind):
    rendered = next(each for each in map(render, DECISIONS) if each.kind == kind)
    filled = list(rendered.fields)
    filled[FIELDS.index("AskExtra")], filled[FIELDS.index("Extra")] = "a further question", "its answer"
    spare = len(NOTETYPES[kind].templates) - 1
    with viewer() as anki:
        assert spare not in anki.sides(rendered)
        front, back = anki.sides(replace(rendered, fields=tuple(filled)))[spare]
    assert "a further question" in front
    assert "its answer" in back


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.note.key.anchor[:24])
def test_anki_makes_exactly_the_promised_cards(decision):
    rendered = render(decision)
    with viewer() as anki:
        assert tuple(sorted(anki.sides(rendered))) == rendered.ordinals


def test_no_back_asks_the_question_again():
    rendered = next(each for each in map(render, DECISIONS) if each.kind == "api" and 1 in each.ordinals)
    with viewer() as anki:
        for ordinal, (front, back) in anki.sides(rendered).items():
            assert 'class="ask"' in front, ordinal
            assert 'class="ask"' not in back, ordinal
