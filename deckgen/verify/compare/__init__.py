"""What was written against what was seen.

`alignment` finds the text that each claim is about. `texts` compares two texts, `nodes` the parts of what they were parsed to,
`arrays` tensors element by element, `numbers` two numbers, `names` two names, `shapes` claims about shapes. Of random values,
`drawn` knows what must be true of them. `findings` holds what the code says of a value, and what a comparison found besides
"equal". `tolerances` is the list of all that may differ, each with an example that holds and one that must not.
"""
