"""Names of APIs that a document writes down, each with the parameters that it is given.

`mentions` goes through the document and asks `headings`, `tables`, `lists` and `prose`; `context` knows what the document's own
code says about names, and `place` whose they are.
"""
