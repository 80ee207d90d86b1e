from deckgen.extract import extract
from deckgen.read import read
from deckgen.source import Source

ANSWER = """# Sums

### What does `sum()` give?

A tensor of no dimensions:

```python
import torch
print(torch.arange(3).sum())  # prints tensor(3)
```
"""


def test_an_answer_rests_on_the_outputs_that_it_shows():
    extraction = extract(read(Source("notes.md", ANSWER)))
    (claim,) = (claim for snippet in extraction.snippets for claim in snippet.claims)
    asked = next(note for note in extraction.notes if type(note.body).__name__ == "Basic")
    assert claim.id in asked.rests_on


def test_a_hidden_answer_rests_on_the_outputs_that_it_hides():
    hidden = "<details><summary>What is the sum?</summary>\n\n" + ANSWER.split("\n", 4)[4] + "\n</details>\n"
    extraction = extract(read(Source("notes.md", hidden)))
    (claim,) = (claim for snippet in extraction.snippets for claim in snippet.claims)
    assert any(claim.id in note.rests_on for note in extraction.notes)
