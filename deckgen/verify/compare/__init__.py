"""What was written against what was seen.

`texts` compares two whole texts, `nodes` the parts of what they were parsed to, `arrays` tensors element by element, and shapes; `numbers`
two numbers, and random ones. `findings` holds what the code says of a value, what a comparison found besides "equal", and which
names mean the same. What may differ is listed in `tests/verify/test_tolerances.py`, each with an example that holds and one that
must not.
"""
