"""What was written against what was seen.

`alignment` finds the text that each claim is about; `compare` goes through both, node by node: `numbers`, `arrays`, `mappings`,
`leaves`. Where values are random, `support`, `samples` and `initial` say what must be true of them. `findings` collects.
"""
