"""A decided note -> fields, tags and cards."""

import re
from dataclasses import replace

import pytest

from deckgen.model.deck import FIELDS
from deckgen.model.note import Api, Basic, Choice, Cloze, Hole, Option, Output
from deckgen.render import describe, distinct, render
from deckgen.render.escape import plain

from .samples import AUTOCAST, COPIES, DECISIONS, HOOK, KEEPDIM, corrected, note, shipped


def fields(rendered):
    return dict(zip(FIELDS, rendered.fields, strict=True))


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda d: d.note.key.anchor[:30])
def test_every_sample_has_a_readable_title_and_a_kind(decision):
    rendered = render(decision)
    title = rendered.fields[0]
    assert title
    assert not re.search(r"<|\*\*|`", title)
    assert f"deckgen::kind::{rendered.kind}" in rendered.tags
    assert rendered.answer_text


def test_rendering_is_pure():
    for decision in DECISIONS:
        assert render(decision) == render(decision)


def test_context_is_the_heading_path_without_the_question_itself():
    rendered = render(shipped(Basic(prompt="What is a leaf?", answer="x"), "1. Autograd", "What is a leaf?"))
    assert plain(fields(rendered)["Context"]) == "1. Autograd"
    assert fields(rendered)["Title"] == "What is a leaf? · 1. Autograd"


@pytest.mark.parametrize(
    ("heading", "named"),
    [
        ("Q: When is `detach()` better?", "When is detach() better?"),
        ("问：什么是叶子张量", "什么是叶子张量"),
        ("QAT: fake quantization", "QAT: fake quantization"),
        ("nn.MultiheadAttention(embed_dim, num_heads, dropout=0.0, bias=True)", "nn.MultiheadAttention(…)"),
        ("3. nn.Conv2d(in_channels, out_channels, kernel_size=(3, 3), stride=1) 卷积", "3. nn.Conv2d(…) 卷积"),
        ("torch.stack(tensors, dim=0)", "torch.stack(tensors, dim=0)"),
        ("Broadcasting (two shapes are aligned)",) * 2,
        ("数据集相关处理功能 `torch.utils.da…", "数据集相关处理功能…"),
        ("`torch.utils.data` 数据加载…", "torch.utils.data 数据加载…"),
    ],
)
def test_the_context_is_short(heading, named):
    made = fields(render(shipped(Basic(prompt="What for?", answer="x"), "Notes", heading)))
    assert plain(made["Context"]) == f"Notes›{named}"
    assert "`" not in made["Title"]


@pytest.mark.parametrize(
    ("heading", "prompt", "context"),
    [
        ("4. @运算符", "@运算符 - 特点？", "矩阵乘法"),
        ("一、view 与 reshape", "view 与 reshape - 特点？", "矩阵乘法"),
        ("`view()`", "`view()` — 限制？", "矩阵乘法"),
        ("常用的 view()", "view() - 特点？", "矩阵乘法›常用的 view()"),
        ("view", "view 的特点？", "矩阵乘法›view"),
    ],
)
def test_the_context_does_not_repeat_what_the_prompt_begins_with(heading, prompt, context):
    made = fields(render(shipped(Basic(prompt=prompt, answer="x"), "矩阵乘法", heading)))
    assert plain(made["Context"]) == context


@pytest.mark.parametrize(
    ("headings", "context"),
    [
        (("Book", "Tensors", "Views"), "Tensors›Views"),
        (("Book", "Tensors", "3.2"), "Book›Tensors"),
        (("Tensors and memory", "Broadcasting (from the last dimension)"), "Broadcasting (from the last dimension)"),
        (("张量的形状与内存布局", "转置之后为什么需要连续的内存布局"), "转置之后为什么需要连续的内存布局"),
    ],
)
def test_the_context_is_one_line_of_the_two_nearest_headings(headings, context):
    assert plain(fields(render(shipped(Basic(prompt="What for?", answer="x"), *headings)))["Context"]) == context


def test_the_title_of_an_output_is_its_question_and_what_it_asks_about():
    made = fields(
        render(shipped(Output(code="import torch\n\nprint(1)", claims=(), output="1", prompt="Why?"), "Basics"))
    )
    assert made["Title"] == "Why? print(1) · Basics"


def test_a_name_that_no_phone_has_in_a_line_breaks_between_its_words():
    long = Api(name="torch.nn.utils.parametrize.type_before_parametrizations", signature="", meaning="names a type")
    words = fields(render(shipped(long)))["Name"].split("<wbr>")
    assert words == ["torch.", "nn.", "utils.", "parametrize.", "type_", "before_", "parametrizations"]
    assert fields(render(shipped(HOOK)))["Name"] == "Tensor.register_hook"


def test_prompts_follow_the_language():
    output = shipped(Output(code="print(1)", claims=(), output="1"))
    assert fields(render(output))["Prompt"] == "What does this print?"
    assert "这段代码输出什么？" in fields(render(output, language="zh"))["Prompt"]
    own = shipped(Output(code="x", claims=(), output="1", prompt="What is the *shape*?"))
    assert fields(render(own))["Prompt"] == "What is the <em>shape</em>?"


def test_han_characters_tell_their_language():
    rendered = render(shipped(Basic(prompt="什么是叶子张量？", answer="a leaf")))
    assert fields(rendered)["Prompt"] == '<div lang="zh-CN">什么是叶子张量？</div>'
    assert fields(rendered)["Answer"] == "a leaf"


SHAPES = Choice(
    stem="Which shape is printed?",
    options=(Option("A", "`torch.Size([3, 2])`"), Option("B", "`torch.Size([2, 3])`"), Option("C", "neither")),
    right=("A",),
)


def states(made, field="Answer"):
    """The options of a card as they stand: letter, state and text."""
    return re.findall(r'<li class="(\w+)"><b>(\w)</b><div>(.*?)</div></li>', made[field])


def test_a_corrected_quiz_marks_what_torch_says():
    rendered = render(corrected(SHAPES, claimed="torch.Size([3, 2])", observed="torch.Size([2, 3])"))
    answer = fields(rendered)["Answer"]
    assert "key" not in answer
    assert [plain(text) for state, _, text in states(fields(rendered)) if state == "right"] == ["torch.Size([2, 3])"]
    assert rendered.answer_text.startswith("B ")


def test_a_corrected_quiz_without_an_option_that_is_true_has_what_torch_says():
    rendered = render(corrected(SHAPES, claimed="torch.Size([3, 2])", observed="torch.Size([6])"))
    answer = fields(rendered)["Answer"]
    assert '<div class="key"><code>torch.Size([6])</code></div>' in answer
    assert 'class="right"' not in answer
    assert rendered.answer_text == "torch.Size([6])"


def test_a_quiz_that_was_corrected_for_something_else_keeps_its_answer():
    made = fields(render(corrected(SHAPES, claimed="tensor(1)", observed="tensor(2)")))
    assert [plain(text) for state, _, text in states(made) if state == "right"] == ["torch.Size([3, 2])"]


def test_a_corrected_output_shows_torch_s_answer_and_what_the_notes_said():
    made = fields(render(corrected(KEEPDIM, claimed="torch.Size([2])", observed="torch.Size([2, 1])")))
    assert plain(made["Output"]) == "torch.Size([2, 1])"
    assert plain(made["Claimed"]) == "The notes said torch.Size([2])"
    assert 'class="corrected"' in made["Checked"]


def test_another_corrected_note_shows_both_texts():
    rendered = render(corrected(AUTOCAST, claimed="old", observed="new"), language="zh")
    assert plain(fields(rendered)["Claimed"]) == "笔记原文写的是 old torch 的实际结果 new"
    assert "deckgen::corrected" in rendered.tags


def test_a_corrected_name_is_the_one_that_torch_has():
    body = replace(HOOK, name="torch.vstackk", signature="torch.vstackk(tensors)")
    rendered = render(
        corrected(
            body, claimed="torch.vstackk", observed="torch.vstack", corrections=(("torch.vstackk", "torch.vstack"),)
        )
    )
    made = fields(rendered)
    assert (made["Name"], plain(made["Signature"])) == ("torch.vstack", "torch.vstack(tensors)")
    assert plain(made["Claimed"]) == "The notes said torch.vstackk torch says torch.vstack"


def test_a_corrected_cell_has_the_default_that_torch_has():
    body = Basic(prompt="`nn.Dropout` — Parameter / Default?", answer="- Parameter: `p`\n- Default: 0.1")
    made = fields(render(corrected(body, claimed="p=0.1", observed="p=0.5", corrections=(("0.1", "0.5"),))))
    assert "Default: 0.5" in plain(made["Answer"])
    assert "0.1" not in made["Answer"]
    assert "p=0.1" in made["Claimed"]


def test_a_corrected_cloze_says_what_is_true_and_keeps_its_hole():
    text = "`nn.CrossEntropyLoss` 默认 reduction='sum'。"
    body = Cloze(text=text, holes=(Hole(1, 0, 21),))
    made = fields(render(corrected(body, claimed="x", observed="y", corrections=(("'sum'", "'mean'"),))))
    assert "reduction='mean'" in made["Prompt"]
    assert "{{c1::<code>nn.CrossEntropyLoss</code>}}" in made["Prompt"]


def test_an_answer_in_which_the_falsehood_cannot_be_found_is_struck_out():
    body = Basic(prompt="What is it?", answer="one, or one")
    made = fields(render(corrected(body, claimed="one", observed="two", corrections=(("one", "two"),))))
    assert made["Answer"].startswith("<del>")


def test_an_output_that_holds_shows_what_the_notes_say():
    made = fields(render(replace(shipped(KEEPDIM), observed="something else")))
    assert plain(made["Output"]) == "torch.Size([2])"
    assert made["Claimed"] == ""


def test_the_stamp_is_the_decision_s():
    made = fields(render(replace(shipped(KEEPDIM, stamp="not checked: needs <cuda>"), unverified=True)))
    assert made["Checked"] == '<span class="unverified">not checked: needs &lt;cuda&gt;</span>'
    assert "deckgen::unverified" in render(replace(shipped(KEEPDIM), unverified=True)).tags


def test_names_that_were_looked_up_are_marked_otherwise_than_code_that_ran():
    assert 'class="checked"' in fields(render(shipped(KEEPDIM)))["Checked"]
    names = shipped(HOOK, stamp="API names checked on torch 2.13.0")
    assert fields(render(names))["Checked"] == '<span class="named">API names checked on torch 2.13.0</span>'


def test_the_source_is_named_without_a_line():
    assert fields(render(shipped(KEEPDIM)))["Source"] == "notes/tensors.md"


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("000_fee66771f30a9152.txt", "000.txt"),
        ("chats/Views 1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f.md", "chats/Views.md"),
        ("a450f94b-765d-47da-baa5-e455f75be021.md", "Autograd"),
        ("notes/20240131.md", "notes/20240131.md"),
        ("notes/deadbeefcafe.md", "notes/deadbeefcafe.md"),
    ],
)
def test_no_hash_of_a_file_name_stands_on_a_card(source, named):
    decision = shipped(KEEPDIM, "Autograd")
    place = replace(decision.note.places[0], source=source)
    moved = replace(decision, note=replace(decision.note, places=(place,)))
    assert fields(render(moved))["Source"] == named


def test_right_options_are_marked_by_more_than_colour():
    made = fields(render(shipped(Choice(stem="?", options=COPIES, right=("C",)))))
    assert "right" not in made["Options"]
    assert made["Answer"].startswith('<ul class="options">')
    assert made["Answer"].count('class="right"') == 1
    assert render(shipped(Choice(stem="?", options=COPIES, right=("C",)))).answer_text == "C x.clone()"


def test_several_right_options_are_announced():
    made = fields(render(shipped(Choice(stem="Which?", options=COPIES, right=("B", "C")))))
    assert plain(made["Prompt"]) == "Which? Choose 2."


def test_a_note_asks_both_ways_only_where_that_is_decided():
    assert render(shipped(HOOK)).ordinals == (0,)
    assert render(shipped(HOOK, reverse=True)).ordinals == (0, 1)
    assert render(shipped(Basic(prompt="a", answer="b", reverse=True))).ordinals == (0,)
    assert render(shipped(Basic(prompt="a", answer="b"), reverse=True)).ordinals == (0, 1)


def test_the_heading_tells_the_name_only_where_nothing_asks_for_it():
    headings = "自动求导", "`register_hook` 的用法"
    asked = render(shipped(HOOK, *headings, reverse=True))
    assert "register_hook" not in fields(asked)["Context"]
    assert "register_hook" in fields(render(shipped(HOOK, *headings)))["Context"]
    term = render(shipped(Basic(prompt="leaf tensor", answer="made by nobody"), "The leaf tensor", reverse=True))
    assert "leaf" not in fields(term)["Context"]


@pytest.mark.parametrize("body", [HOOK, Basic(prompt="leaf tensor", answer="made by nobody")], ids=["api", "basic"])
def test_those_who_have_a_reverse_card_have_it_as_everybody_once_had(body):
    headings = "Hooks", "`register_hook` and the leaf tensor"
    kept = render(shipped(body, *headings)).with_spare()
    everybody = render(shipped(body, *headings, reverse=True))
    assert (kept.fields, kept.ordinals) == (everybody.fields, everybody.ordinals)
    assert everybody.spare is None


def test_a_note_without_an_answer_has_nothing_to_ask_from():
    empty = Api(name="torch.add", signature="torch.add(a, b)", meaning="", details=(("since", "1.0"),))
    assert render(shipped(empty)).spare is None


def test_switches_are_turned_on_by_tags():
    rendered = render(shipped(Basic(prompt="a", answer="b"), tags=("ask::typed", "ask::reverse", "topic")))
    assert rendered.ordinals == (0, 1, 2)
    assert rendered.tags == ("topic", "deckgen::kind::basic")
    assert render(shipped(HOOK, tags=("ask::reverse",))).ordinals == (0, 1)


def test_tags_have_no_white_space():
    assert render(shipped(KEEPDIM, tags=("data loading", "数据"))).tags[:2] == ("data-loading", "数据")


def test_titles_of_twins_are_told_apart_by_what_they_answer():
    one, two = (render(shipped(Basic(prompt="特点?", answer=answer), "view()")) for answer in ("x", "y"))
    assert one.fields[0] == two.fields[0]
    first = [each.fields[0] for each in distinct([one, two])]
    assert len(set(first)) == 2
    assert [each.fields[0] for each in distinct([two, one])] == first[::-1]
    assert distinct([one]) == (one,)


def test_a_long_title_is_cut_and_still_unique():
    titles = {render(shipped(Basic(prompt="word " * 60 + end, answer="x"))).fields[0] for end in "ab"}
    assert len(titles) == 2
    assert all(len(title) < 180 for title in titles)


def test_a_cloze_without_a_usable_hole_has_no_card():
    assert render(shipped(Cloze(text="a b", holes=(Hole(1, 1, 2),)))).ordinals == ()


def test_identity_passes_through():
    decision = shipped(KEEPDIM, "A")
    rendered = render(decision)
    assert (rendered.key, rendered.places) == (decision.note.key, decision.note.places)
    explicit = replace(decision, note=replace(note(KEEPDIM), explicit_id="keep"))
    assert render(explicit).explicit_id == "keep"


def test_an_option_may_hold_code():
    fence = "```python\nx = 1\n```"
    made = fields(render(shipped(Choice(stem="?", options=(Option("A", fence), Option("B", "b")), right=("A",)))))
    assert '<div><pre class="highlight">x' in made["Options"]


def test_a_stamp_that_says_not_checked_does_not_look_like_one_that_was():
    made = fields(render(replace(shipped(SHAPES), stamp="not checked: what it says of the code is told in words")))
    assert 'class="unverified"' in made["Checked"]


LAYERS = ("`nn.Linear`", "`nn.Conv2d`", "`nn.Dropout`", "`nn.LayerNorm`")


def quiz(*texts, stem="Which one?", explanation="", right="A"):
    found = tuple(Option(letter, text) for letter, text in zip("ABCDEF", texts, strict=False))
    return fields(render(shipped(Choice(stem=stem, options=found, right=(right,), explanation=explanation))))


def order(made, field="Options"):
    return [plain(text) for _, _, text in states(made, field)]


def test_options_stand_in_an_order_of_their_own_and_letters_tell_places():
    made = quiz(*LAYERS)
    assert sorted(order(made)) == sorted(text.strip("`") for text in LAYERS)
    assert order(made) == order(made, "Answer") == order(quiz(*reversed(LAYERS)))
    assert [letter for _, letter, _ in states(made, "Options")] == list("ABCD")
    assert [plain(text) for state, _, text in states(made) if state == "right"] == ["nn.Linear"]


def test_a_mended_stem_and_a_further_option_leave_the_order_of_the_others():
    before = order(quiz(*LAYERS))
    assert order(quiz(*LAYERS, stem="Which of them?")) == before
    assert [text for text in order(quiz(*LAYERS, "`nn.ReLU`")) if text != "nn.ReLU"] == before


def test_the_right_place_is_spread_evenly():
    places = [order(quiz(*(f"{n} to the {k}" for k in range(4)), right="B")).index(f"{n} to the 1") for n in range(200)]
    assert all(30 <= places.count(place) <= 70 for place in range(4))


@pytest.mark.parametrize(
    "texts",
    [
        {"explanation": "B is tempting."},
        {"explanation": "A is wrong: it scales."},
        {"explanation": "A scales."},
        {"explanation": "Option 2 is for images."},
        {"stem": "A 和 B 有何区别？"},
        {"explanation": "选项B错在维度。"},
        {"last": "None of the above"},
        {"last": "Both"},
        {"last": "以上都对"},
    ],
)
def test_where_a_text_names_a_letter_or_a_place_the_source_s_order_stays(texts):
    last = texts.pop("last", "`nn.A`")
    for turned in (LAYERS, LAYERS[::-1]):
        assert order(quiz(*turned, last, **texts)) == [text.strip("`") for text in (*turned, last)]


def test_an_article_and_code_are_no_letters():
    explanation = "A layer maps; a GPU or `A @ B` changes nothing. A Linear layer is meant."
    assert order(quiz(*LAYERS, explanation=explanation)) == order(quiz(*LAYERS))


def test_truth_values_stand_as_everybody_expects():
    assert order(quiz("True", "False")) == ["True", "False"]
    assert order(quiz("False", "True")) == ["False", "True"]


def test_a_description_names_the_sources_and_the_versions():
    told = describe(["Tensors", "a < b", "Tensors"], language="en", version="1.2", torch="2.13.0+cpu")
    assert told.startswith("Cards made from notes (3): Tensors, a &lt; b. Made by deckgen 1.2.")
    assert "torch 2.13.0+cpu" in told
    assert "torch" not in describe(["Tensors"], language="en", version="1.2", torch="")
    assert describe(["张量"], language="zh", version="1.2", torch="").startswith("卡片来自 1 份资料：张量。")


def test_a_description_begins_with_the_words_of_the_author():
    told = describe(["Views"], author="Tensors\nfor <you>.\n\nMIT licence.\n", language="en", version="1.2", torch="")
    assert told.startswith("Tensors for &lt;you&gt;.<br><br>MIT licence.<br><br>Cards made from notes (1): Views.")


@pytest.mark.parametrize(
    ("stamp", "chinese"),
    [
        ("answer checked on torch 2.13.0, cpu", "答案已在 torch 2.13.0 上核对（cpu）"),
        ("answer checked on torch 2.13.0", "答案已在 torch 2.13.0 上核对"),
        ("code checked on torch 2.13.0, cpu", "代码已在 torch 2.13.0 上核对（cpu）"),
        ("API names checked on torch 2.13.0", "API 名称已在 torch 2.13.0 上核对"),
        ("API names and defaults checked on torch 2.13.0", "API 名称和默认值已在 torch 2.13.0 上核对"),
        ("torch 2.13.0 says otherwise", "torch 2.13.0 的结果与此不同"),
        ("not checked", "未核对"),
        ("not checked: skipped by the author", "未核对：作者要求跳过"),
        ("not checked: missing-module pandas", "未核对：missing-module pandas"),
    ],
)
def test_a_stamp_speaks_the_language_of_the_deck(stamp, chinese):
    one = shipped(SHAPES, stamp=stamp)
    assert chinese in fields(render(one, language="zh"))["Checked"]
    assert stamp in fields(render(one, language="en"))["Checked"]
