from dataclasses import replace

from deckgen.extract import with_evidence
from deckgen.extract.claims.snippets import snippets
from deckgen.model.note import Basic, Key, Note, Output, Place
from deckgen.model.source import Source, Span
from deckgen.read import read

SHOWN = """# Sums

```python
import torch
print(torch.arange(3).sum())  # prints tensor(3)
```
"""
FOUND = snippets(read(Source("notes.md", SHOWN)))
NOTE = Note(
    key=Key(("Sums",), "what is the sum"),
    places=(Place("notes.md", Span(0, 6)),),
    headings=("Sums",),
    body=Basic(prompt="What is the sum?", answer=SHOWN),
    rests_on=("a1",),
)


def test_an_answer_rests_on_the_outputs_that_it_shows():
    (note,) = with_evidence([NOTE], FOUND)
    assert note.rests_on == ("a1", "5.1")


def test_a_note_on_other_lines_does_not():
    elsewhere = replace(NOTE, places=(Place("notes.md", Span(0, 2)),))
    assert with_evidence([elsewhere], FOUND) == (elsewhere,)


def test_an_output_note_names_its_claims_itself():
    asked = replace(NOTE, body=Output(code="print(1)", claims=("a1",), output="1"))
    assert with_evidence([asked], FOUND) == (asked,)


def test_what_code_claims_that_does_not_parse_is_no_evidence():
    broken = snippets(read(Source("notes.md", SHOWN.replace("import torch", "import (torch"))))
    assert [claim.text for claim in broken[0].claims] == ["tensor(3)"]
    assert with_evidence([NOTE], broken) == (NOTE,)
