"""Every kind of find, one row each: what it is called, the function that finds it, how sure it is, an example, and who needs it.

A surer rule takes its lines first. The levels, and why each is surer than the next:

- 100 flashcard: a card in the format of another tool, which its reader found by that tool's marks.
- 99 cloze: gaps that the author set. Whatever else the text may be, a rule that reads it would see the answer.
- 98 separator: two sides and a sign between them, where the author uses the signs of a tool for flashcards.
- 90 choice: options in letters with an answer; nothing else in notes looks like this.
- 80 gap: a blank to fill and what fills it. A sentence with a blank may stand among the options of a choice.
- 75 pair: `Q:` and its `A:`. The question may be one of a quiz or have a blank, and the answer may be a table or code.
- 70 layout: a row of a table, code with what it prints. Their form alone says what belongs together.
- 65 mnemonic: the lines below a heading that calls them one. The heading may be about memory, and the lines a table or code.
- 60 question: a heading or a line that asks, and the text below it. It may be the title of a table or of code, which say more.
- 50 entry: a call and what is said of it. `What is Tensor.view?` asks about it better.
- 40 statement: a sentence that defines, or says what to remember. The same words may belong to any of the above.
- 20 code_gap: a call left out of code that prints nothing; only code of which nobody else has made anything.
- 15 and below: what a careful reader may want of lines that are in no note yet. These only ask, so they look at lines, not blocks.
- 1 kept: what its author wants to keep, and of which no other rule has made anything.
"""

from __future__ import annotations

from deckgen.extract.declared.clozes import clozes
from deckgen.extract.declared.flashcards import flashcards
from deckgen.extract.declared.kept import kept
from deckgen.extract.declared.separators import separators
from deckgen.extract.engine import Rule
from deckgen.extract.notes.below import below
from deckgen.extract.notes.beside import commented, titled
from deckgen.extract.notes.definition import definitions
from deckgen.extract.notes.entry import entries
from deckgen.extract.notes.fact import facts
from deckgen.extract.notes.output import code_gaps, outputs
from deckgen.extract.notes.question import pairs, questions
from deckgen.extract.notes.sentence import mnemonics, sentences, takeaways
from deckgen.extract.notes.table import tables
from deckgen.extract.quiz.blanks import blanks
from deckgen.extract.quiz.choices import choices
from deckgen.model.note import FoundAs as As
from deckgen.model.note import Standing

FLASHCARD = """
<!-- note_key: 2fd62bcaa861 -->
Q: Which tensors keep their gradient?
A: Leaves that require one.
E: `retain_grad()` makes others keep theirs.

---

T: `Tensor.{{c1::detach}}()` shares the storage of its tensor.
"""
CLOZE = """
`Tensor.{{c1::detach}}()` gives a tensor that shares {{c2::its storage::what?}} and is cut off the graph.
"""
SEPARATOR = """
#flashcards

leaf tensor :: one that no operation made

Which tensors keep their `.grad` after `backward()`?
?
Leaves that require a gradient, and those on which `retain_grad()` was called.
"""
CHOICE = """
**Which call copies the storage of a tensor?**

A. `view`
B. `clone`
C. `detach`

Answer: B. It makes a tensor of its own.
"""
GAP = """
Before the first batch of an epoch, `sampler.____(epoch)` makes each worker draw another order.

Answer: set_epoch
"""
PAIR = """
Q: What adds up all elements of a tensor?

A: The call without a dimension.

```python
print(torch.arange(4).sum())  # tensor(6)
```

Q: And those of each row?
A: `x.sum(dim=1)`
"""
TABLE = """
| Mode | Effect on dropout |
| --- | --- |
| `train()` | Zeroes activations at random |
| `eval()` | Does nothing |
"""
OUTPUT = """
```python
import torch
print(torch.arange(4).sum())  # tensor(6)
```
"""
MNEMONIC = """
**Mnemonic**

> What is created last is freed first.
> What is saved first is loaded first.
"""
QUESTION = """
## Why does the loss have to be a scalar?

`backward` starts from a gradient of one, and only a scalar has a single one.
"""
ENTRY = """
## torch.numel

`torch.numel(input)`

Returns the number of elements of a tensor.
"""
DEFINITION = """
- **Epoch**: one pass over all samples of the training set
- **Batch**: the samples that are fed in one step
"""
TAKEAWAY = """
## Summary

> The essence of a view is: **another shape over the same memory**
"""
SENTENCE = """
`pin_memory` is a switch of the loader that copies each batch into page-locked memory.
"""
CODE_GAP = """
## torch.clamp

```python
import torch
weights = torch.randn(8)
limited = torch.clamp(weights, min=-1, max=1)
```
"""
KEPT = """
<!-- deckgen: keep -->
Views share **the storage** of their base.
"""

COMMENTED = """
```python
y = x.expand(4, -1)   # repeats x along the first dimension without a copy
y = x.movedim(0, -1)  # puts the first dimension behind
```
"""
TITLED = """
## Move a model to the second card

```python
model.to("cuda:1")
```
"""
FACT = """
## Memory

A tensor on the CPU and its array share memory, so `numpy()` copies nothing.
"""
BELOW = """
- `inference_mode()`: nothing is recorded, and versions of tensors are not counted
    - tensors that are made in it never take part in a gradient later
"""

_BOOK = "ShusenTang/Dive-into-DL-PyTorch/docs"
_COURSE = "mrdbourke/pytorch-deep-learning"
_FORMS = "design: people who write cards in their notes write them so"
_DAYS = "lyhue1991/eat_pytorch_in_20_days"

DECLARED, SURE, SUGGESTED = Standing
RULES: tuple[Rule, ...] = (
    Rule("flashcards", flashcards, 100, DECLARED, As.CARD, FLASHCARD, (_FORMS,)),
    Rule("clozes", clozes, 99, DECLARED, As.CARD, CLOZE, (_FORMS,)),
    Rule("separators", separators, 98, DECLARED, As.CARD, SEPARATOR, (_FORMS,)),
    Rule("choices", choices, 90, DECLARED, As.QUIZ, CHOICE, ("seed 000", "lydiahallie/javascript-questions/README.md")),
    Rule("blanks", blanks, 80, DECLARED, As.QUIZ, GAP, ("seed 000",)),
    Rule("pairs", pairs, 75, DECLARED, As.CARD, PAIR, (_FORMS,)),
    Rule("tables", tables, 70, SURE, As.ROW, TABLE, ("seed 000", "seed 001", "seed 003", f"{_DAYS}/README.md")),
    Rule("outputs", outputs, 70, SURE, As.CODE, OUTPUT, ("seed 001", "seed 002", f"{_COURSE}/00_pytorch_fundamentals.ipynb")),
    Rule("mnemonics", mnemonics, 65, SUGGESTED, As.MNEMONIC, MNEMONIC, ("seed 000",)),
    Rule("questions", questions, 60, SUGGESTED, As.QUESTION, QUESTION, ("seed 000", "seed 001", "seed 003")),
    Rule("entries", entries, 50, SUGGESTED, As.ENTRY, ENTRY, ("seed 001", "seed 003", f"{_COURSE}/04_pytorch_custom_datasets.ipynb")),
    Rule("definitions", definitions, 40, SUGGESTED, As.TERM, DEFINITION, ("seed 000", "seed 001", "g2384/notes/docs/cs-notes.md")),
    Rule("takeaways", takeaways, 40, SUGGESTED, As.GAP, TAKEAWAY, ("seed 000", f"{_COURSE}/03_pytorch_computer_vision.ipynb")),
    Rule("sentences", sentences, 40, SUGGESTED, As.TERM, SENTENCE, (f"{_BOOK}/chapter04_DL_computation/4.1_model-construction.md",
                                                 "g2384/notes/docs/cs-notes.md")),
    Rule("code_gaps", code_gaps, 20, SUGGESTED, As.CODE, CODE_GAP, ("seed 000", "seed 001", "seed 003")),
    Rule("titled", titled, 15, SUGGESTED, As.LINE, TITLED, ("Tgaaly/pytorch-cheatsheet/README.md", "HemingwayLee/pytorch-cheatsheet/README.md")),
    Rule("commented", commented, 10, SUGGESTED, As.LINE, COMMENTED, ("Bingmang/pytorch-cheatsheet/README.md",
                                                            "pytorch/tutorials/beginner_source/ptcheat.rst")),
    Rule("facts", facts, 10, SUGGESTED, As.FACT, FACT, ("seed 001", "seed 004")),
    Rule("below", below, 5, SUGGESTED, As.LINE, BELOW, ("seed 004",)),
    Rule("kept", kept, 1, DECLARED, As.CARD, KEPT, (_FORMS,)),
)  # fmt: skip
