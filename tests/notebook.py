"""Notes as an author keeps them: files of sections of items, with the edits that years bring."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

NAMES = (
    "view reshape squeeze unsqueeze permute transpose expand repeat gather scatter where clamp cumsum argsort topk unique "
    "bincount einsum bmm addmm baddbmm cdist chunk stack cat flip roll rot90 tril triu diag outer dot cross norm softmax"
).split()
PARTS = ("copies memory", "shares the storage", "keeps the graph", "needs a size", "takes a mask", "sorts its input",
         "moves dimensions", "adds a dimension", "drops a dimension", "works in place", "returns indices")  # fmt: skip
WHENS = ("on a slice", "after a transpose", "inside no_grad", "for an empty tensor", "with a negative size", "on the GPU",
         "in half precision", "for a leaf", "without arguments", "under compile")  # fmt: skip


@dataclass
class Item:
    """One thing to learn. What identifies it here is `uid`; nothing that is written gives it away."""

    uid: int
    form: str
    asked: str
    told: list[str]
    """The answer; the options of a quiz, the right one first; the answers of the blanks."""
    extra: str = ""

    def lines(self) -> list[str]:
        return "\n".join(_FORMS[self.form](self)).split("\n")


def _question(item: Item) -> list[str]:
    return [f"### {item.asked}", "", *item.told, item.extra, ""]


def _quiz(item: Item) -> list[str]:
    shown = sorted(item.told)
    letters = "ABCDEFGH"
    options = [f"{letters[at]}. {text}" for at, text in enumerate(shown)]
    return [f"### {item.asked}", "", *options, "", f"Answer: {letters[shown.index(item.told[0])]}", "", item.extra, ""]


def _blanks(item: Item) -> list[str]:
    return [item.asked, "", f"Answers: {', '.join(item.told)}", ""]


def _output(item: Item) -> list[str]:
    shown = sum(map(int, item.told))
    code = f"print(torch.tensor([{', '.join(item.told)}]).sum())"
    return [f"### {item.asked}", "", "```python", "import torch", code, "```", "", "Output:", "", "```",
            f"tensor({shown})", "```", ""]  # fmt: skip


def _term(item: Item) -> list[str]:
    return [f"**{item.asked}**: {' '.join(item.told)}", ""]


def _api(item: Item) -> list[str]:
    return [f"### `torch.{item.asked}`", "", *item.told, item.extra, ""]


_FORMS = {"api": _api, "question": _question, "quiz": _quiz, "blanks": _blanks, "output": _output, "term": _term}


@dataclass
class Section:
    name: str
    items: list[Item] = field(default_factory=list)


@dataclass
class Chapter:
    title: str
    sections: list[Section] = field(default_factory=list)


@dataclass
class Notebook:
    """Chapters by the names of their files."""

    chapters: dict[str, Chapter] = field(default_factory=dict)
    deck: str = "Notes"
    tags: list[str] = field(default_factory=list)

    def copy(self) -> Notebook:
        return deepcopy(self)

    def sections(self) -> list[tuple[str, Section]]:
        return [(file, section) for file, chapter in self.chapters.items() for section in chapter.sections]

    def items(self, form: str = "") -> list[Item]:
        found = [item for _, section in self.sections() for item in section.items]
        return [item for item in found if not form or item.form == form]

    def home(self, item: Item) -> Section:
        return next(section for _, section in self.sections() if item in section.items)

    def item(self, uid: int) -> Item:
        return next(item for item in self.items() if item.uid == uid)

    def write(self, folder: Path, deck_id: int) -> dict[tuple[str, int], int]:
        """Writes all files; (file, line from 1) -> uid of what stands there."""
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.md"):
            old.unlink()
        tags = ", ".join(f'"{tag}"' for tag in self.tags)
        (folder / "deck.toml").write_text(f'id = {deck_id}\nname = "{self.deck}"\ntags = [{tags}]\n', "utf-8")
        places = {}
        for file, chapter in self.chapters.items():
            lines = [f"# {chapter.title}", ""]
            for section in chapter.sections:
                lines += [f"## {section.name}", ""]
                for item in section.items:
                    places |= {(file, at + 1): item.uid for at in range(len(lines), len(lines) + len(item.lines()))}
                    lines += item.lines()
            (folder / file).write_text("\n".join(lines), "utf-8")
        return places


class Author:
    """Writes a notebook and edits it, with luck of a fixed seed."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self.uids = count(1)
        self.names = self._fresh()
        self.drawer: list[Item] = []
        """What was deleted and may come back."""

    def _fresh(self) -> Iterator[str]:
        for round_ in count():
            names = list(NAMES)
            self.luck.shuffle(names)
            yield from (name if not round_ else f"{name}_{round_}" for name in names)

    def begins(self) -> Notebook:
        book = Notebook()
        for file, title in (("01-shapes.md", "Shapes"), ("02-grad.md", "Autograd"), ("03-data.md", "Data")):
            sections = [Section(f"{title} {what}", []) for what in ("basics", "details")]
            for section in sections:
                section.items = [self.thinks(form) for form in (*_FORMS, "question", "question")]
            book.chapters[file] = Chapter(title, sections)
        return book

    def thinks(self, form: str = "") -> Item:
        form = form or self.luck.choice(list(_FORMS))
        name = next(self.names)
        part, other, third = self.luck.sample(PARTS, 3)
        when = self.luck.choice(WHENS)
        uid = next(self.uids)
        numbers = [str(self.luck.randint(1, 900)) for _ in range(3)]
        asked, told = {
            "question": (f"What does `{name}` do {when}?", [f"It {part}, and it {other} ({numbers[0]})."]),
            "quiz": (f"Which is true of `{name}` {when}?", [f"it {part}", f"it {other}", f"it {third}"]),
            "blanks": (f"The call `{name}` ______ {when}. Then it ______ as well ({numbers[0]}).", [part, other]),
            "output": (f"Sums like {name} {when}", numbers),
            "api": (name, [f"{part.capitalize()} {when}."]),
            "term": (f"Tensor {name} rule {numbers[1]}", [f"a call that {part} and {other} {when}."]),
        }[form]
        return Item(uid, form, asked, told)

    # Edits: each changes a notebook in place and says what it did.

    def answers_otherwise(self, book: Notebook) -> str:
        item = self.luck.choice([*book.items("question"), *book.items("term"), *book.items("api")])
        item.told = [f"In short it {self.luck.choice(PARTS)}; {self.luck.choice(PARTS)} is another matter."]
        return f"another answer to {item.uid}"

    def mends_a_typo(self, book: Notebook) -> str:
        item = self.luck.choice([*book.items("question"), *book.items("quiz")])
        words = item.asked.split()
        words[self.luck.choice([0, -1])] += " "
        item.asked = " ".join(words).replace("  ", " ").replace("does", "doees").replace("is true", "is treu")
        return f"a typo in {item.uid}"

    def asks_in_other_words(self, book: Notebook) -> str:
        item = self.luck.choice(book.items("question"))
        item.asked = item.asked.replace("What does", "Tell what").replace(" do ", " does ").replace("doees", "does")
        return f"another wording of {item.uid}"

    def adds_to_an_answer(self, book: Notebook) -> str:
        item = self.luck.choice(book.items("question"))
        item.extra = self.luck.choice(["```python\nx = 1\n```", "> [!NOTE]\n> So it is.", "- one\n- two", "$x^2$"])
        return f"more under {item.uid}"

    def emphasises(self, book: Notebook) -> str:
        item = self.luck.choice([*book.items("question"), *book.items("quiz")])
        words = item.asked.replace("*", "").split()
        at = self.luck.randrange(1, len(words) - 1)
        words[at] = words[at] if "`" in words[at] else f"**{words[at]}**"
        item.asked = " ".join(words)
        return f"a word of {item.uid} in bold"

    def numbers_the_sections(self, book: Notebook) -> str:
        for chapter in book.chapters.values():
            for at, section in enumerate(chapter.sections, 1):
                section.name = f"{at}. {section.name.partition('. ')[2] or section.name}"
        return "sections numbered"

    def adds_an_item(self, book: Notebook) -> str:
        item = self.thinks()
        items = self.luck.choice(book.sections())[1].items
        items.insert(self.luck.randint(0, len(items)), item)
        return f"new: {item.uid}"

    def deletes(self, book: Notebook) -> str:
        item = self.luck.choice(book.items())
        book.home(item).items.remove(item)
        self.drawer.append(item)
        return f"deleted: {item.uid}"

    def brings_back(self, book: Notebook) -> str:
        if not self.drawer:
            return "nothing to bring back"
        item = self.drawer.pop(self.luck.randrange(len(self.drawer)))
        self.luck.choice(book.sections())[1].items.append(item)
        return f"back: {item.uid}"

    def moves_an_item(self, book: Notebook) -> str:
        item = self.luck.choice(book.items())
        book.home(item).items.remove(item)
        items = self.luck.choice(book.sections())[1].items
        items.insert(self.luck.randint(0, len(items)), item)
        return f"moved: {item.uid}"

    def moves_a_section(self, book: Notebook) -> str:
        _, section = self.luck.choice(book.sections())
        for chapter in book.chapters.values():
            chapter.sections = [one for one in chapter.sections if one is not section]
        chapter = self.luck.choice(list(book.chapters.values()))
        chapter.sections.insert(self.luck.randint(0, len(chapter.sections)), section)
        return f"moved section {section.name}"

    def renames_a_section(self, book: Notebook) -> str:
        _, section = self.luck.choice(book.sections())
        section.name = f"{section.name.split(' of ')[0]} of {self.luck.choice(NAMES)}"
        return f"section renamed {section.name}"

    def renames_a_file(self, book: Notebook) -> str:
        old = self.luck.choice(list(book.chapters))
        new = f"{self.luck.randint(10, 99)}-{old.split('-', 1)[1]}"
        book.chapters = {new if file == old else file: chapter for file, chapter in book.chapters.items()}
        return f"{old} -> {new}"

    def renames_a_chapter(self, book: Notebook) -> str:
        chapter = self.luck.choice(list(book.chapters.values()))
        chapter.title = f"{chapter.title.split(' with ')[0]} with {self.luck.choice(NAMES)}"
        return f"chapter {chapter.title}"

    def splits_a_file(self, book: Notebook) -> str:
        file, chapter = max(book.chapters.items(), key=lambda one: len(one[1].sections))
        if len(chapter.sections) < 2:
            return "nothing to split"
        half = len(chapter.sections) // 2
        new = f"{self.luck.randint(100, 999)}-split.md"
        book.chapters[new] = Chapter(f"{chapter.title} continued", chapter.sections[half:])
        chapter.sections = chapter.sections[:half]
        return f"{file} split, second half in {new}"

    def merges_files(self, book: Notebook) -> str:
        if len(book.chapters) < 3:
            return "too few files"
        one, other = self.luck.sample(list(book.chapters), 2)
        book.chapters[one].sections += book.chapters.pop(other).sections
        return f"{other} into {one}"

    def shuffles_items(self, book: Notebook) -> str:
        _, section = self.luck.choice(book.sections())
        self.luck.shuffle(section.items)
        return f"another order in {section.name}"

    def changes_options(self, book: Notebook) -> str:
        item = self.luck.choice(book.items("quiz"))
        if len(item.told) > 3 and self.luck.random() < 0.5:
            item.told.pop()
            return f"an option less in {item.uid}"
        item.told.append(f"it {self.luck.choice(PARTS)} {self.luck.choice(WHENS)}")
        return f"an option more in {item.uid}"

    def corrects_a_quiz(self, book: Notebook) -> str:
        item = self.luck.choice(book.items("quiz"))
        item.told = [*item.told[1:], item.told[0]]
        item.extra = "Explanation: it was wrong before."
        return f"another right option in {item.uid}"

    def changes_code(self, book: Notebook) -> str:
        item = self.luck.choice(book.items("output"))
        item.told[self.luck.randrange(len(item.told))] = str(self.luck.randint(1, 900))
        return f"other numbers in {item.uid}"

    def reorders_a_sentence(self, book: Notebook) -> str:
        item = self.luck.choice(book.items("blanks"))
        one, _, two = item.asked.partition(". ")
        if not two.endswith(")."):
            return "only one sentence"
        item.asked = f"{two.removesuffix('.')}. {one}."
        item.told = item.told[::-1]
        return f"sentences of {item.uid} in another order"

    def answers_a_blank_otherwise(self, book: Notebook) -> str:
        item = self.luck.choice(book.items("blanks"))
        item.told[0] = self.luck.choice(PARTS)
        return f"another word in a blank of {item.uid}"

    def adds_a_blank(self, book: Notebook) -> str:
        item = self.luck.choice(book.items("blanks"))
        item.asked += " In the end it ______ again."
        item.told.append(self.luck.choice(PARTS))
        return f"one blank more in {item.uid}"

    def renames_the_deck(self, book: Notebook) -> str:
        book.deck = self.luck.choice(["Notes", "Torch notes", "张量"])
        return f"deck {book.deck}"

    def tags(self, book: Notebook) -> str:
        book.tags = [f"tag{self.luck.randint(1, 9)}"]
        return f"tags {book.tags}"

    def does_nothing(self, book: Notebook) -> str:
        return "nothing"

    def branches(self, book: Notebook) -> tuple[Notebook, Notebook, Notebook, str]:
        """Two copies, each edited, and one with the edits of both."""
        ours, theirs, both = book.copy(), book.copy(), book.copy()
        one, other = self.luck.sample([item.uid for item in book.items("question")], 2)
        new, newer = self.thinks("question"), self.thinks("blanks")
        section = self.luck.randrange(len(book.sections()))
        for copy in (ours, both):
            copy.item(one).told = ["Something else altogether, on this branch."]
            copy.sections()[section][1].items.append(deepcopy(new))
        for copy in (theirs, both):
            copy.item(other).asked = copy.item(other).asked.replace("What does", "Tell what").replace(" do ", " does ")
            copy.item(one).extra = "- on the other branch"
            copy.sections()[section][1].items.insert(0, deepcopy(newer))
        return ours, theirs, both, f"branches: {one} and {other}, new {new.uid} and {newer.uid}"

    @property
    def edits(self) -> tuple[str, ...]:
        return (
            "answers_otherwise", "mends_a_typo", "asks_in_other_words", "adds_to_an_answer", "emphasises",
            "numbers_the_sections", "adds_an_item", "deletes",
            "brings_back", "moves_an_item", "moves_a_section", "renames_a_section", "renames_a_file",
            "renames_a_chapter", "splits_a_file", "merges_files", "shuffles_items", "changes_options", "corrects_a_quiz",
            "changes_code", "reorders_a_sentence", "answers_a_blank_otherwise", "adds_a_blank", "renames_the_deck",
            "tags", "does_nothing",
        )  # fmt: skip
