"""Hidden answers, opened: their code is code of the document."""

from deckgen.model.document import Code, Details, Prose
from deckgen.model.source import Source
from deckgen.read import read

HIDDEN = (
    "<details>\n<summary>Q</summary>\n\nA\n\n<details><summary>R</summary>\n\n```\nx\n```\n\n</details>\n\n</details>"
)


def test_opened_documents_show_what_details_hide() -> None:
    document = read(Source("a.md", f"top\n\n{HIDDEN}\n\nend"))
    assert [type(block) for block in document.blocks] == [Prose, Details, Prose]
    opened = document.opened().blocks
    assert [type(block) for block in opened] == [Prose, Prose, Code, Prose]
    code = opened[2]
    assert isinstance(code, Code)
    assert code.lines == (10,)


def test_a_document_without_details_is_opened_already() -> None:
    document = read(Source("a.md", "text"))
    assert document.opened() is document
