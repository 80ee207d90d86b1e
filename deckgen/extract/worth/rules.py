"""What makes a note not worth learning: the rules of good cards that a program can see, a row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from deckgen.extract.worth import answers, asked, gaps, outputs
from deckgen.model.note import Note


@dataclass(frozen=True, slots=True)
class WorthRule:
    """One reason to leave a note out."""

    name: str
    """As refusals name it, behind `worth: `."""
    broken: Callable[[Note], bool]
    reason: str
    """What is wrong, for the author."""
    example: str
    """Markdown of which this rule refuses a note: its test, and its lines in docs/notations.md."""
    seen: tuple[str, ...]
    """The seeds or real documents, at least two, whose bad cards the rule is for."""


_BOOK: Final = "ShusenTang/Dive-into-DL-PyTorch/docs"
_COURSE: Final = "mrdbourke/pytorch-deep-learning/docs"
_BLOG: Final = "Vin-Yuan/Vin-Yuan.github.io/source/_posts"
_DAYS: Final = "lyhue1991/eat_pytorch_in_20_days"
_NOTES: Final = "StarlitVienna/pytorch-notes"

TWICE = WorthRule("asked twice", lambda note: False, "the same is asked elsewhere, with another answer", "", ())
"""Of all notes of a document together (`station.asked_twice`)."""

RULES: tuple[WorthRule, ...] = (
    WorthRule("logistics", asked.is_logistics, "it stands under a heading over what nobody learns", "", ()),
    WorthRule("label", asked.asks_of_label, "it asks for a label of its list, and of no thing that has a name", "", ()),
    WorthRule("no name", asked.asks_of_no_name, "what stands before its colon is no name of anything", "", ()),
    WorthRule("no thing", asked.asks_of_no_thing, "plain words, and behind them no meaning of theirs", "", ()),
    WorthRule("the text itself", asked.asks_of_text, "it asks about the text that it stands in", "", ()),
    WorthRule("number", asked.asks_of_number, "it asks for a row by its number", "", ()),
    WorthRule("column", asked.asks_of_idle_column, "its column holds nothing to learn", "", ()),
    WorthRule("task", asked.asks_a_task, "it is an exercise of the text that it stands in", "", ()),
    WorthRule("file", asked.asks_of_file, "it is about a file of a project", "", ()),
    WorthRule("several names", asked.asks_of_several, "several names are several facts", "", ()),
    WorthRule("long question", asked.is_long, "its question is a text by itself", "", ()),
    WorthRule("marks", answers.shows_marks, "marks of Markdown or HTML would show on its card", "", ()),
    WorthRule("picture", answers.needs_picture, "its answer is a picture", "", ()),
    WorthRule("links", answers.is_links, "its answer only leads to other pages", "", ()),
    WorthRule("pointer", answers.points_elsewhere, "its answer points at what the card does not show", "", ()),
    WorthRule("transition", answers.leads_on, "its answer leads on to something else", "", ()),
    WorthRule("advice", answers.is_advice, "it says what to do, and not what something is", "", ()),
    WorthRule("cut", answers.is_cut, "its answer breaks off", "", ()),
    WorthRule("asks back", answers.asks_back, "its answer is a question", "", ()),
    WorthRule("echo", answers.is_echo, "its answer says no more than its question", "", ()),
    WorthRule("set", answers.is_set, "its answer is some names of a kind", "", ()),
    WorthRule("coin", answers.is_coin, "its answer is yes or no", "", ()),
    WorthRule("figure", answers.is_figure, "its answer is a number that nobody should know", "", ()),
    WorthRule("chore", answers.is_chore, "it says what code is for, and not what its call does", "", ()),
    WorthRule("other subject", answers.speaks_of_another, "its text says nothing of the name", "", ()),
    WorthRule("little", answers.says_little, "its answer says next to nothing", "", ()),
    WorthRule("recital", answers.is_recital, "its answer is too long to be recalled as one thing", "", ()),
    WorthRule("no fact", gaps.states_no_fact, "its sentence states no fact that stands by itself", "", ()),
    WorthRule("long code", outputs.has_long_code, "its code is longer than anybody reads on a card", "", ()),
    WorthRule("long output", outputs.has_long_output, "its output is longer than anybody recalls", "", ()),
    WorthRule("machine", outputs.asks_machine, "its output depends on the machine", "", ()),
    WorthRule("figures", outputs.has_figures, "its output is numbers that nobody should know", "", ()),
)
