"""Each kind of text is known by its example, and not by what is like it."""

import pytest

from deckgen.extract.labels import Kind, Labels, labels

KINDS = [pytest.param(kind, id=kind.name) for kind in Kind]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_labels_its_example(kind: Kind) -> None:
    assert kind in labels(kind.example)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_does_not_label_what_is_like_it(kind: Kind) -> None:
    assert kind not in labels(kind.other)


def test_what_was_found_once_is_not_looked_for_again(monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(Kind, "find", lambda kind, text: asked.append((kind, text)))
    text = Labels("What is a leaf?")
    assert Kind.QUESTION not in text
    assert Kind.QUESTION not in text
    assert asked == [(Kind.QUESTION, "What is a leaf?")]


def test_words_and_titles_have_labels_of_their_own() -> None:
    heading = labels("## 3.1 **Quick check**: `view`")
    assert heading.words.text == "## 3.1 Quick check: view"
    assert labels("2. **Summary**").title.text == "Summary"
    assert labels("2. **Summary**").any_of((Kind.QUIZ, Kind.SUMMARY)) is True
    assert labels("`x?`").words is labels("x?")
