"""What is no claim comes back from `update` byte for byte: line ends, marks, blanks, and what its encoding cannot hold."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deckgen import files
from deckgen.extract import extract
from deckgen.model.errors import SourceError
from deckgen.model.source import Span
from deckgen.model.verdict import Verdict, VerdictKind
from deckgen.read import read
from deckgen.update import Updated, updated
from deckgen.written import pieces

Pieces = list[str]
"""A text, cut where a claim begins and where it ends: every second piece is a claim."""
MARKS = {"utf-8": b"", "utf-8-sig": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}

_LINES = st.sampled_from(["tensor([1, 2])", "tensor([0.5000, 1.0000])", "torch.Size([2, 3])", "7", "True", "[1, 3]"])
_BLOCKS = st.sampled_from(
    ["tensor([[1., 0.],\n        [0., 1.]])", "tensor([[1., 0.],\n        [0., 1.],\n        [1., 1.]])"]
)
_VALUES = _LINES | _BLOCKS
_WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="`~<>$\\[]{}|#\ufeff"), max_size=20
)
_PROSE = _WORDS.map(lambda words: [f"Words {words} \t\n\n"])
_TAILS = st.sampled_from(["", " ", "\t", " (because)", ", not 17", "   # as before"])


def _beside(value: str, tail: str) -> Pieces:
    return ["```python\nx = 3 \nprint(x)  # ", value, f"{tail}\n\ny = x\t\n```\n\n"]


def _below(value: str) -> Pieces:
    return ["```python\nprint(x)\n# ", value.replace("\n", "\n# "), "\n```\n\n"]


def _output(value: str) -> Pieces:
    return ["```python\nprint(x)\n```\n\nOutput:\n\n```\n", value, "\n```\n\n"]


_CLAIMS = st.builds(_beside, _LINES, _TAILS) | st.builds(_below, _VALUES) | st.builds(_output, _VALUES)


@st.composite
def _documents(draw: st.DrawFn) -> Pieces:
    """Texts and claims by turns, with any line end at the end of each line and perhaps none at the last."""
    whole: Pieces = [""]
    for part in draw(st.lists(_PROSE | _CLAIMS, min_size=1, max_size=6)):
        whole[-1] += part[0]
        whole += part[1:]
    whole[-1] = whole[-1].rstrip("\n") + draw(st.sampled_from(["", "\n", "\n\n", "\nEnd"]))
    ends = st.sampled_from(["\n", "\r\n", "\r"])
    return [re.sub("\n", lambda _: draw(ends), piece) for piece in whole]


def rewritten(data: bytes, observed: str) -> tuple[Updated, bytes]:
    """A file in which torch shows this in the place of each claim."""
    source = files.decode(data, "notes.md")
    claims = [claim for snippet in extract(read(source)).snippets for claim in snippet.claims]
    verdicts = [Verdict(claim=claim, word=VerdictKind.CONTRADICTED, observed=observed) for claim in claims]
    made = updated(source, verdicts)
    return made, files.edited(data, source, made.edits)


@settings(max_examples=300, deadline=None)
@given(
    _documents(), st.sampled_from(sorted(MARKS)), st.sampled_from(["tensor([8, 9])", "tensor([[8.],\n        [9.]])"])
)
@example(["Words\r\n\n```python\rprint(x)  # ", "7", " \r\n```\r"], "utf-8-sig", "tensor([8, 9])")
@example(["```python\r\nprint(x)\n# ", "tensor([[1.],\r#  [2.]])", "\t"], "utf-16-be", "tensor([8, 9])")
def test_all_but_the_claims_is_as_it_was(text: Pieces, encoding: str, observed: str) -> None:
    mark, codec = MARKS[encoding], encoding.removesuffix("-sig")
    data = mark + "".join(text).encode(codec)
    kept = [piece.encode(codec) for piece in text[::2]]
    made, after = rewritten(data, observed)
    assert len(made.changed) + len(made.left) >= len(text) // 2
    assert (after == data) == (not made.changed)
    assert re.fullmatch(re.escape(mark) + b"(.*?)".join(map(re.escape, kept)), after, re.DOTALL)
    assert files.decode(after, "notes.md").text == made.text


CLAIMED = "\r\n```python\nprint(x)  # {}\r```\r\n"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "张量是多维数组，㊣ 它的形状是一个元组。"),
        ("big5", "張量是多維陣列，它的形狀是一個元組。這裡是說明。"),
        ("shift_jis", "テンソルは多次元の配列です。形はタプルです。"),
        ("euc_kr", "텐서는 다차원 배열입니다. 모양은 튜플입니다."),
        ("cp1252", "Ein Tensor ist ein Feld – größer als “zwei” Zahlen, schön für Übungen."),
    ],
)
def test_it_is_so_in_any_encoding_that_is_read(encoding: str, text: str) -> None:
    words = f"{text}\r\n{text}\r{text}\n"
    before, after = (f"{words}{CLAIMED.format(value)}{words}".encode(encoding) for value in ("7", "8"))
    assert rewritten(before, "8")[1] == after


def test_bytes_that_are_no_text_stay_where_no_claim_stands() -> None:
    bad = b"\xef\xbb\xbf# \xff\xfe words \xc3\n\n```python\r\nprint(x)  # 7\n```\n\x80"
    assert rewritten(bad, "8")[1] == bad.replace(b"7", b"8")
    half = b"\xff\xfe" + "\ud800 words\n```python\nprint(x)  # 7\r\n```\n".encode("utf-16-le", "surrogatepass") + b"!"
    assert rewritten(half, "8")[1] == half.replace(b"7", b"8")


def test_a_claim_beside_bytes_that_are_no_text_is_refused() -> None:
    with pytest.raises(SourceError, match=r"is not quite utf-8"):
        rewritten(b"\xef\xbb\xbf```python\nprint(x)  # 7 (\xff)\n```\n", "8")


def test_what_an_encoding_cannot_write_is_left() -> None:
    text = "Größe: schön, für Übungen – “zwei” Zahlen.\n\n```python\nprint(x)  # 7\n```\n".encode("cp1252")
    made, after = rewritten(text, "'→'")
    assert (after, [why for _, why in made.left]) == (text, ["cp1252 cannot write what torch shows"])


@pytest.mark.parametrize(
    ("before", "observed", "after"),
    [
        ("# 5, not 15", "4", "# 4, not 15"),
        ("# tensor(4), since tensor(4) is it", "tensor(3)", "# tensor(3), since tensor(4) is it"),
        ("# 输出: 3 (3 个)", "4", "# 输出: 4 (3 个)"),
        ("# 0.5, as in 10.5", "2.5", "# 2.5, as in 10.5"),
    ],
)
def test_no_words_that_hold_the_same_as_the_claim_are_taken_for_it(before: str, observed: str, after: str) -> None:
    notes = "```python\nprint(x, '# 5')  {}\n```\n"
    assert rewritten(notes.format(before).encode(), observed)[0].text == notes.format(after)


@pytest.mark.parametrize(
    ("fence", "observed", "longer"),
    [
        ("```", "```", "````"),
        ("```", "a\n`````\nb", "``````"),
        ("~~~", "~~~ x", "~~~~"),
        ("````", "```", "````"),
        ("```", "~~~~", "```"),
        ("```", "a ```", "```"),
    ],
)
def test_a_fence_that_its_output_would_close_gets_longer(fence: str, observed: str, longer: str) -> None:
    code = "```python\r\nprint(x)\n```\r\n\r\nOutput:\n\n"
    claimed = "1 " * len(pieces(observed))  # of as many things
    _, after = rewritten(f"{code}{fence}text\r\n{claimed.strip()}\r{fence} \n".encode(), observed)
    shown = observed.replace("\n", "\r")
    assert after == f"{code}{longer}text\r\n{shown}\r{longer} \n".encode()


def test_a_fence_in_a_list_or_a_quote_gets_longer_where_it_stands() -> None:
    text = "> - It prints\n>\n>   ```python\n>   >>> print(x)\n>   1 2 3\n>   ```\n"
    _, after = rewritten(text.encode(), "```")
    assert after == text.replace("1 2 3", "```").replace("```python", "````python").replace("  ```\n>   ```\n", "  ```\n>   ````\n").encode()  # fmt: skip
    (snippet,) = extract(read(files.decode(after, "notes.md"))).snippets
    assert [claim.text for claim in snippet.claims] == ["```"]


def test_lines_are_put_in_and_taken_out_with_the_line_ends_around_them() -> None:
    source = files.decode(b"a\r\nb\rc\nd", "notes.md")
    assert files.edited(b"a\r\nb\rc\nd", source, {Span(1, 2): ["x", "y"]}) == b"a\r\nx\ry\rc\nd"
    assert files.edited(b"a\r\nb\rc\nd", source, {Span(0, 3): ["x"], Span(3, 4): ["y", "z"]}) == b"x\ny\nz"
    assert files.edited(b"a", files.decode(b"a", "notes.md"), {Span(0, 1): ["x", "y"]}) == b"x\ny"
