"""Clozes: for any code and any hole, Anki's front hides the answer and its back shows the code unchanged."""

import re
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deckgen.extract.declared.marks import gapped
from deckgen.identity.content import renumbered
from deckgen.model.deck import FIELDS
from deckgen.model.note import Cloze, Hole
from deckgen.render import render
from deckgen.render.cloze import cleaned, joined, occurrences, tells, with_twins
from deckgen.render.code import trimmed

from .anki_eyes import Viewer, boxes, text, viewer
from .samples import ACCUMULATE, STRIDES, TRAINING, holes, shipped

FRAGMENTS = [
    "{", "}", "{{", "}}", "{{c1::", "{{c12::x}}", "::", ":", "[::2]", "[...]", "\\(", "\\)", "\\[", "<b>", "&lt;",
    "&amp;", "</pre>", "<!-- -->", "{'a': {'b': 1}}", 'f"{x!r:>{w}}"', "f'{{{y}}}'", '"""', "'''", "\n", "\n    ",
    "# 注释", "梯度", "x", "torch.randn(2, 3)", "lambda: 0", "r'\\d+'", "b''", "?", "$", "`", "\t", " ", "😀", "→",
    "[sound:a.mp3]", "[[type:Back]]", "def f(x) -> None:", "print(", ")", "@", "\\", "\\\n", "0x1F", "1e-3", ";",
]  # fmt: skip
CODE = st.lists(
    st.sampled_from(FRAGMENTS) | st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=4),
    max_size=14,
).map(lambda parts: unicodedata.normalize("NFC", "".join(parts)))


@pytest.fixture(scope="module")
def anki() -> Iterator[Viewer]:
    with viewer() as opened:
        yield opened


@st.composite
def code_with_holes(draw: st.DrawFn) -> tuple[str, tuple[Hole, ...]]:
    code = draw(CODE)
    edges = sorted(draw(st.sets(st.integers(0, max(len(code), 1)), min_size=2, max_size=6)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    return code, tuple(Hole(number, start, stop) for number, (start, stop) in enumerate(pairs, 1))


def as_shown(code, asked):
    """The code as the card shows it, and where its holes are then."""
    bare, kept = cleaned(code, asked)
    shown, edges = trimmed(bare, [edge for hole in kept for edge in (hole.start, hole.stop)])
    moved = zip(kept, edges[::2], edges[1::2], strict=True)
    return shown, tuple(Hole(hole.number, start, stop) for hole, start, stop in moved if start < stop)


def fields(rendered):
    return dict(zip(FIELDS, rendered.fields, strict=True))


@settings(max_examples=120, deadline=None)
@example(("00\xa000\xa0", (Hole(1, 0, 3),)), "python")
@given(code_with_holes(), st.sampled_from(["python", "pycon", "bash", "text"]))
def test_any_hole_in_any_code(anki, drawn, language):
    code, asked = drawn
    rendered = render(shipped(Cloze(text=code, holes=asked, language=language)))
    shown, kept = as_shown(code, asked)
    hidden = [hole for hole in with_twins(shown, joined(shown, kept)) if shown[hole.start : hole.stop].strip()]
    assert rendered.ordinals == tuple(sorted({hole.number - 1 for hole in hidden}))
    if not hidden:
        return
    sides = anki.sides(rendered)
    assert tuple(sorted(sides)) == rendered.ordinals
    for ordinal, (front, back) in sides.items():
        own = [hole for hole in hidden if hole.number == ordinal + 1]
        assert boxes(back) == [shown]
        assert boxes(front) == [_with_gaps(shown, own)]


def _with_gaps(code, own):
    for hole in sorted(own, key=lambda hole: -hole.start):
        code = code[: hole.start] + "[...]" + code[hole.stop :]
    return code


@settings(max_examples=60, deadline=None)
@given(code_with_holes())
def test_an_answer_that_tells_is_nowhere_on_the_front(anki, drawn):
    code, asked = drawn
    rendered = render(shipped(Cloze(text=code, holes=asked[:1], language="python")))
    shown, kept = as_shown(code, asked[:1])
    answers = [shown[hole.start : hole.stop].strip() for hole in kept]
    for front, _ in anki.sides(rendered).values() if rendered.ordinals else ():
        for answer in filter(tells, answers):
            assert not occurrences(answer).search(text(front).replace("[...]", " \n "))


PROSE = st.lists(
    st.sampled_from([
        "**", "*", "_", "`", "~~", "==", "$", "$$", "\\(", "\\)", "[", "](http://a.b)", "<b>", "</b>", "<br>", "<!--",
        "\n\n", "\n", "- ", "1. ", "# ", "> ", "| a | b |\n|---|---|\n| ", " | ", "```\n", "&lt;", "\\*", "{{c3::",
        "}}",
        "::", "梯度", "累加：", "word", " ", "x", "__init__", "![p](q.png)", "(", ")", "。", "“", "”", "<script>", "😀",
    ]),
    max_size=16,
).map("".join)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(PROSE, st.data())
def test_any_hole_in_any_prose(anki, prose, data):
    edges = sorted(data.draw(st.sets(st.integers(0, max(len(prose), 1)), min_size=2, max_size=4)))
    asked = tuple(Hole(n, *pair) for n, pair in enumerate(zip(edges[::2], edges[1::2], strict=False), 1))
    rendered = render(shipped(Cloze(text=prose, holes=asked)))
    if not rendered.ordinals:
        return
    sides = anki.sides(rendered)
    assert tuple(sorted(sides)) == rendered.ordinals
    backs = {text(back) for _, back in sides.values()}
    assert len(backs) == 1
    for front, back in sides.values():
        assert "[...]" in text(front)
        assert not re.search("[\ue000-\uf8ff]", front + back)
        assert text(front) != text(back)


@pytest.mark.parametrize(
    ("code", "hole"),
    [
        ("d = {'a': {'b': 1}}", "{'a': {'b': 1}}"),
        ("y = x[::2, ..., None]", "[::2, ..., None]"),
        ('print(f"{name!r:>{width}}}}")', "{name!r:>{width}}}}"),
        ("std::vector<int> v;", "std::vector<int>"),
        ("re.match(r'\\((\\d+)\\)', s)", "\\((\\d+)\\)"),
        (ACCUMULATE, "loss.backward()\n    if (i + 1) % accumulate == 0:\n        optimizer.step()"),
        (TRAINING, '"""A perceptron, no more."""'),
        ("x = 1  # {{c1::not a cloze}}", "{{c1::not a cloze}}"),
        ("a = '}}'", "'}}'"),
    ],
)
def test_braces_colons_and_line_ends_survive_a_hole(anki, code, hole):
    rendered = render(shipped(Cloze(text=code, holes=holes(code, hole), language="python")))
    ((front, back),) = anki.sides(rendered).values()
    assert boxes(back) == [code]
    assert hole not in text(front)


def test_code_keeps_its_colours_inside_the_gap():
    rendered = render(shipped(Cloze(text=STRIDES, holes=holes(STRIDES, "reshape(2, 3)"), language="python")))
    assert '{{c1::reshape(<span class="mi">2</span>, <span class="mi">3</span>)}}' in fields(rendered)["Code"]


def test_a_regular_expression_keeps_its_colours_on_a_cloze_card(anki):
    code = "re.sub(r'\\((.*?)\\)', '', s)  # \\[x\\]"
    rendered = render(shipped(Cloze(text=code, holes=holes(code, "re.sub"), language="python")))
    ((front, back),) = anki.sides(rendered).values()
    for side in (front, back):
        assert '<span class="s1">' in side
        assert '<span class="c1">' in side
    assert boxes(back) == [code]


def test_a_hole_may_cut_through_a_string_token(anki):
    code = "name = 'gradient accumulation'"
    rendered = render(shipped(Cloze(text=code, holes=holes(code, "accumulation"), language="python")))
    ((front, back),) = anki.sides(rendered).values()
    assert boxes(front) == ["name = 'gradient [...]'"]
    assert boxes(back) == [code]


def test_a_hole_across_emphasis_becomes_two_deletions_of_one_card(anki):
    prose = "gradients **add up** in the leaf"
    rendered = render(shipped(Cloze(text=prose, holes=holes(prose, "up** in the leaf"))))
    assert rendered.ordinals == (0,)
    ((front, back),) = anki.sides(rendered).values()
    assert "gradients add [...][...]" in text(front)
    assert "gradients add up in the leaf" in text(back)


def test_other_places_of_the_answer_are_hidden_with_it(anki):
    prose = "梯度会累加，累加的结果在 `.grad` 中。"
    rendered = render(shipped(Cloze(text=prose, holes=holes(prose, "累加")), "梯度累加"))
    ((front, _),) = anki.sides(rendered).values()
    assert "累加" not in text(front)


def test_a_hole_that_would_tell_another_shares_its_card(anki):
    prose = "`forward` is called by `apply`; `backward` differs, and so does the other `forward(ctx)`."
    asked = holes(prose, "`forward`", "`backward`", "`forward(ctx)`")
    rendered = render(shipped(Cloze(text=prose, holes=asked)))
    assert rendered.ordinals == (0, 1)
    assert "forward" not in text(anki.sides(rendered)[0][0])


def test_numbers_are_kept_even_with_a_gap(anki):
    rendered = render(shipped(Cloze(text="a and b", holes=(Hole(2, 0, 1), Hole(5, 6, 7)))))
    assert rendered.ordinals == (1, 4)
    assert tuple(sorted(anki.sides(rendered))) == (1, 4)


# --- gaps that the author set --------------------------------------------------------------------------------


def given_gaps(text, language="", **more):
    """A cloze as `{{c1::text::hint}}` in a source makes it."""
    made = gapped(text, code=bool(language))
    return Cloze(text=made.text, holes=made.holes, language=language, as_given=True, **more)


@pytest.mark.parametrize(
    ("source", "number", "shown"),
    [
        ("A {{c1::view::what?}} shares {{c2::memory}}.", 1, "A [what?] shares memory."),
        ("A {{c1::view::what?}} shares {{c2::memory}}.", 2, "A view shares [...]."),
        ("{{c1::view}} and {{c1::clone::the other}}", 1, "[...] and [the other]"),
        ("{{c2::view}} first, then {{c7::clone}}", 7, "view first, then [...]"),
        ("In `torch.{{c1::view::method}}(x)` it is **{{c2::bold}}**", 1, "In torch.[method](x) it is bold"),
        ("{{c1::view::a `name` < 5: {x}}} here", 1, "[a name < 5: {x}] here"),
        ("{{c1::view}} is not view, which stays", 1, "[...] is not view, which stays"),
        ("{{c1::view}} and {{c2::a view}}", 2, "view and [...]"),
    ],
)
def test_gaps_of_the_author_are_the_gaps_and_show_their_hints(anki, source, number, shown):
    rendered = render(shipped(given_gaps(source)))
    front, back = anki.sides(rendered)[number - 1]
    assert shown in text(front)
    assert gapped(source).text.replace("`", "").replace("**", "") in text(back)


def test_hints_in_code_stand_in_its_place_and_the_rest_keeps_its_colours(anki):
    rendered = render(
        shipped(given_gaps('x = torch.{{c1::ones::name}}({{c2::2, {"a": 1}}})  # ones\ny = x[{{c3::::2}}]', "python"))
    )
    sides = anki.sides(rendered)
    assert boxes(sides[0][0]) == ['x = torch.[name](2, {"a": 1})  # ones\ny = x[::2]']
    assert boxes(sides[1][0]) == ["x = torch.ones([...])  # ones\ny = x[::2]"]
    assert boxes(sides[2][0]) == ['x = torch.ones(2, {"a": 1})  # ones\ny = x[[...]]']
    assert all(boxes(back) == ['x = torch.ones(2, {"a": 1})  # ones\ny = x[::2]'] for _, back in sides.values())
    assert '<span class="mi">2</span>' in sides[0][1]


@pytest.mark.parametrize(
    ("source", "front_shown", "back_shown"),
    [
        (r"$\frac{{c1::a}}{b}$", r"\(\frac{[...]}{b}\)", r"\(\frac{a}{b}\)"),
        (r"$x^{ {{c1::2n::power}} }$", r"\(x^{ [power] }\)", r"\(x^{ 2n }\)"),
        (r"$\sum {{c1::w_{i} x_{i}}}$", r"\(\sum [...]\)", r"\(\sum w_{i} x_{i}\)"),
        ("$$\na \\\\{{c1::\\frac{a}{b} }}\n$$", r"\[a \\[...]\]", r"\[a \\\frac{a}{b}\]"),
        (r"{{c1::$\alpha_{i}$::a weight}} sums to one", r"[a weight] sums to one", r"\(\alpha_{i}\) sums to one"),
    ],
)
def test_a_gap_in_a_formula_leaves_a_formula(anki, source, front_shown, back_shown):
    front, back = anki.sides(render(shipped(given_gaps(source))))[0]
    assert front_shown in text(front)
    assert back_shown in text(back)


def test_a_hint_is_no_part_of_what_the_lock_knows_of_a_gap():
    with_hint, without = (
        renumbered(render(shipped(given_gaps(one))), ())[1]
        for one in ("{{c2::view::what?}} shares", "{{c2::view}} shares")
    )
    assert with_hint == without
    assert [(hole.number, hole.text) for hole in with_hint] == [(2, "view")]


def test_numbers_of_the_author_stay_unless_learners_know_others():
    first, locked = renumbered(render(shipped(given_gaps("{{c3::view}} or {{c1::clone}}"))), ())
    assert first.ordinals == (0, 2)
    again, _ = renumbered(render(shipped(given_gaps("{{c1::view}} or {{c3::clone}} or {{c2::copy}}"))), locked)
    assert "{{c3::view}}" in again.fields[FIELDS.index("Prompt")]
    assert "{{c2::copy}}" in again.fields[FIELDS.index("Prompt")]
