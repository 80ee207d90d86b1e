"""A card with an empty side makes no note, in any format, and every command says so."""

import pytest
from carded import extracted

OTHER = "\n\n## Sums\n\nQ: What joins tensors?\nA: `torch.cat`\n"


@pytest.mark.parametrize(
    "text",
    [
        "- What is a view? #card\n- What is a copy? #card\n\t- It has a storage of its own.\n",
        "#flashcards\n\nview ::\n\ncopy :: with a storage of its own\n",
        "Q: What is a view?\nA:\n",
        "Q:\nA: It shares memory.\n",
        "**Q:** What is a view?\n**A:**\n",
        "问：什么是视图？\n答：\n",
        "START\nBasic\nWhat is a view?\nBack:\nEND\n",
        "<!-- note_key: a1 -->\nQ: What is a view?\nA:\n",
        "---\n\nDeck: Torch\n\n1. What is a view?\n\n>\n\n2. And a copy?\n\n> Its own.\n\n---\n",
        "# T\n\n## A view (2c0b1a7e-3d55-4b0e-9a53-6a2f0f7a1c11)\n\n## A copy (2c0b1a7e-3d55-4b0e-9a53-6a2f0f7a1c12)\n\nIts own.\n",
        "What is a view? #card\n\nWhat is a copy? #card\nA storage of its own.\n",
        "What is a copy? #card\nA storage of its own.\n\nWhat is a view? #card\n",
    ],
)
def test_a_card_with_an_empty_side_is_told_once_and_makes_no_note(text: str) -> None:
    found = extracted(text)
    assert [one.text for one in found.remarks] == [
        "a card with an empty side makes no note: `deckgen inspect` says more"
    ]
    assert not any(one.is_minor for one in found.remarks)


def test_several_are_counted_and_none_takes_the_next_card_for_its_answer() -> None:
    found = extracted(f"Q: What is a view?\nA:\n\nQ:\nA: It shares memory.{OTHER}")
    assert [note.span.first for note in found.notes] == [9]
    (remark,) = found.remarks
    assert remark.text == "2 cards with an empty side make no notes, the first here: `deckgen inspect` lists them"
    assert remark.span.first == 1


def test_cards_with_two_sides_and_questions_without_labels_are_not_told() -> None:
    assert extracted(f"What is a view?{OTHER}").remarks == ()
