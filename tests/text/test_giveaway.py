"""What gives a name away, and what a text is about."""

import pytest

from deckgen.text.giveaway import content_words, gives_away, length


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Zeroes what has been gathered", "optimizer.zero_grad"),
        ("Sets the gradients to nothing", "zero_grad"),
        ("Removes dimensions: the opposite of unsqueeze", "squeeze"),
        ("Applies a lazy layer", "nn.LazyConv2d"),
        ("Sums over a dimension", "torch.sum"),
        ("The log of a number", "log"),
        ("叶子由用户创建", "叶子节点"),
        ("它叫 C++ 扩展", "C++"),
    ],
)
def test_a_word_of_the_name_in_any_form_gives_it_away(text, name):
    assert gives_away(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Joins a sequence of tensors", "torch.cat"),
        ("Returns a tensor that nobody follows any more", "Tensor.detach"),
        ("The summary of a run", "torch.sum"),
        ("由用户创建的张量", "叶子节点"),
    ],
)
def test_other_words_do_not(text, name):
    assert not gives_away(text, name)


def test_words_that_stand_in_any_sentence_say_nothing():
    assert content_words("Returns a new value for each of the inputs") == content_words("inputs")
    assert content_words("permuted dimensions") == content_words("permutes a dimension")


def test_two_chinese_characters_are_as_long_as_a_word():
    assert length("a new tensor") == 3
    assert length("一个新的张量") == 3
